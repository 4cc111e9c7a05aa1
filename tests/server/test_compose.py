"""The compose files are what engines read, and set only what exists."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import reduce
from pathlib import Path
from typing import Any

import pytest
import yaml

from foxclover.cli import build
from foxclover.locale import catalogue

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "docs" / "server"
VARIANTS = {"PostgreSQL": ["compose.yml", "compose.postgres.yml"], "SQLite": ["compose.yml"]}
KEYS = {"services", "networks", "volumes"}
SUBSTITUTE = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
PASSWORD = "0123456789abcdef"


def read(file: str) -> dict[str, Any]:
    found = yaml.safe_load((EXAMPLES / file).read_text())
    assert isinstance(found, dict)
    return found


def env_example() -> dict[str, str]:
    lines = (EXAMPLES / "env.example").read_text().splitlines()
    named = [line.partition("=") for line in lines if line and not line.startswith("#")]
    assert all(sign == "=" and re.fullmatch(r"[A-Z_]+", name) for name, sign, _ in named)
    return {name: value for name, _, value in named}


def merged(variant: str) -> dict[str, Any]:
    """Return what an engine makes of the files of a variant."""

    def merge(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
        both = {
            key: merge(one[key] or {}, other[key] or {})
            for key in one.keys() & other.keys()
            if not isinstance(other[key], str | list)
        }
        return one | other | both

    return reduce(merge, map(read, VARIANTS[variant]))


def services(variant: str) -> dict[str, dict[str, Any]]:
    found = merged(variant)["services"]
    assert isinstance(found, dict)
    return found


def settle(text: str, values: dict[str, str]) -> str:
    """Substitute variables as an engine does."""

    def value(match: re.Match[str]) -> str:
        name, kind, other = match.groups()
        if kind == "?":
            assert values.get(name), f"{name} must be set"
        return values.get(name) or (other if kind == "-" else "")

    return SUBSTITUTE.sub(value, text)


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_variant_has_what_the_format_knows(variant: str) -> None:
    found = merged(variant)
    assert set(found) == KEYS
    named = {
        volume.partition(":")[0]
        for service in found["services"].values()
        for volume in service.get("volumes", [])
    }
    assert {name for name in named if not name.startswith(".")} == set(found["volumes"])
    assert all((EXAMPLES / name).is_file() for name in named if name.startswith("."))
    for name, service in found["services"].items():
        assert set(service.get("depends_on", ())) <= set(found["services"]) - {name}
        assert "image" in service


def test_every_variable_is_in_the_example_and_every_entry_is_used() -> None:
    texts = [(EXAMPLES / file).read_text() for file in VARIANTS["PostgreSQL"]]
    used = {match[0] for text in texts for match in SUBSTITUTE.findall(text)}
    of_the_engine = {"COMPOSE_FILE", "COMPOSE_PROJECT_NAME"}
    assert set(env_example()) == used | of_the_engine
    assert env_example()["COMPOSE_FILE"].split(":") == VARIANTS["PostgreSQL"]
    assert "COMPOSE_FILE=compose.yml\n" in (EXAMPLES / "env.example").read_text()


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_server_starts_with_the_variables_of_a_variant(variant: str) -> None:
    values = env_example() | {"POSTGRES_PASSWORD": PASSWORD}
    environment = {
        name: settle(text, values)
        for name, text in services(variant)["server"]["environment"].items()
    }
    args = build(catalogue("en")).parse_args(["serve"])
    args.configuration.complete(args, catalogue("en"), environment)  # unknown names raise
    assert args.public_url == "https://play.example"
    assert [str(network) for network in args.trusted_proxy] == [values["SUBNET"]]
    assert args.keep == 365
    assert bool(args.database) == (variant == "PostgreSQL")
    assert args.workers == (2 if args.database else 1), "SQLite is for one process"
    if args.database:
        database = services(variant)["database"]["environment"]
        user, name = database["POSTGRES_USER"], database["POSTGRES_DB"]
        assert args.database == f"postgresql://{user}:{PASSWORD}@database/{name}"


def test_a_missing_password_or_domain_stops_the_start() -> None:
    text = (EXAMPLES / "compose.postgres.yml").read_text()
    assert env_example()["POSTGRES_PASSWORD"] == "", "nobody runs with a published password"
    with pytest.raises(AssertionError, match="POSTGRES_PASSWORD must be set"):
        settle(text, env_example())
    with pytest.raises(AssertionError, match="DOMAIN must be set"):
        settle((EXAMPLES / "compose.yml").read_text(), {})


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_server_is_reached_through_the_proxy_only(variant: str) -> None:
    found = services(variant)
    assert [name for name, service in found.items() if "ports" in service] == ["caddy"]
    subnet = merged(variant)["networks"]["default"]["ipam"]["config"][0]["subnet"]
    assert subnet == found["server"]["environment"]["FOXCLOVER_TRUSTED_PROXY"]
    recipe = (EXAMPLES / "Containerfile").read_text()
    assert found["caddy"]["environment"]["UPSTREAM"] == "server:8000"
    assert "EXPOSE 8000" in recipe
    (volume,) = found["server"]["volumes"]
    assert f"VOLUME {volume.partition(':')[2]}\n" in recipe
    assert found["server"]["read_only"] is True
    assert found["server"]["cap_drop"] == ["ALL"]
    dockerfile = found["server"]["build"]
    assert (EXAMPLES / dockerfile["context"]).resolve() == ROOT
    assert (ROOT / dockerfile["dockerfile"]).is_file()


def compose_command() -> list[str] | None:
    """Return the command of an engine that reads compose files."""
    for command in (["docker", "compose"], ["docker-compose"]):
        if shutil.which(command[0]):
            asked = subprocess.run([*command, "version"], capture_output=True, check=False)
            if asked.returncode == 0:
                return command
    return None


@pytest.mark.parametrize("variant", VARIANTS)
def test_an_engine_reads_a_variant(variant: str, tmp_path: Path) -> None:
    command = compose_command()
    if command is None:
        pytest.skip("no engine that reads compose files is installed")
    settings = tmp_path / ".env"
    settings.write_text(
        (EXAMPLES / "env.example").read_text() + f"\nPOSTGRES_PASSWORD={PASSWORD}\n"
    )
    files = [word for file in VARIANTS[variant] for word in ("-f", str(EXAMPLES / file))]
    done = subprocess.run(
        [*command, "--env-file", str(settings), *files, "config"],
        capture_output=True,
        text=True,
        env={name: os.environ[name] for name in ("PATH", "HOME")},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    environment = yaml.safe_load(done.stdout)["services"]["server"]["environment"]
    assert environment["FOXCLOVER_PUBLIC_URL"] == "https://play.example"
    assert ("FOXCLOVER_DATABASE" in environment) == (variant == "PostgreSQL")
