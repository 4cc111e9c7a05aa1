"""The examples of docs/server are what the server understands."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import tomllib
from contextlib import ExitStack
from pathlib import Path

import pytest

from foxclover.cli import build
from foxclover.locale import catalogue
from foxclover.server.http.api import QUESTIONS
from foxclover.server.limits.rate_limits import Limits
from proxies import EXAMPLES, ROOT, Proxy, caddy, nginx
from tables import HERE, ME, RealServer, limited_server, real_server


def parsed(command: list[str]) -> object:
    return build(catalogue("en")).parse_args(command)


def test_the_unit_starts_the_server_as_it_can_be_started() -> None:
    line = re.search(
        r"^ExecStart=/usr/bin/env foxclover (.*)$",
        (EXAMPLES / "foxclover.service").read_text(),
        re.MULTILINE,
    )
    assert line
    assert parsed(shlex.split(line[1]))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_understands_the_unit() -> None:
    checked = subprocess.run(
        ["systemd-analyze", "verify", str(EXAMPLES / "foxclover.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "foxclover.service" not in checked.stderr, checked.stderr


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_the_unit_leaves_little_open() -> None:
    command = [
        "systemd-analyze",
        "security",
        "--offline=true",
        "--threshold=9",
        str(EXAMPLES / "foxclover.service"),
    ]
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout


def test_the_container_starts_the_server_as_it_can_be_started() -> None:
    line = re.search(
        r"^ENTRYPOINT (\[.*\])$", (EXAMPLES / "Containerfile").read_text(), re.MULTILINE
    )
    assert line
    words = re.findall(r'"([^"]*)"', line[1])
    assert words[0] == "foxclover"
    assert parsed(words[1:])


@pytest.mark.parametrize("file", ["nginx.conf", "Caddyfile"])
def test_the_proxies_lead_to_the_port_of_the_unit(file: str) -> None:
    assert "127.0.0.1:8000" in (EXAMPLES / file).read_text()
    assert "--port 8000" in (EXAMPLES / "foxclover.service").read_text()


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_one_can_play_through_a_proxy_as_its_recipe_has_it(tmp_path: Path, proxy: Proxy) -> None:
    folder = tmp_path / "proxy"
    folder.mkdir()
    with limited_server(tmp_path / "data", "") as server, proxy(folder, server) as proxied:
        assert "<html" in proxied.client.get("/").text
        code, tokens = proxied.create(ME)
        with proxied.sit(code, *tokens) as ada:
            for _ in range(5):
                ada.play()
        assert server.client.get("/metrics").status_code == 200
        assert proxied.client.get("/metrics").status_code == 404, (
            "what comes through the proxy is not from this machine"
        )


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_the_page_imports_ten_games_through_a_proxy_at_any_port(
    tmp_path: Path, proxy: Proxy
) -> None:
    folder = tmp_path / "proxy"
    folder.mkdir()
    games = [{"transcript": (ROOT / "tests" / "golden" / "geht-noch-was-8.txt").read_text()}] * 10
    with limited_server(tmp_path / "data", "") as server, proxy(folder, server) as proxied:
        answer = proxied.client.post(
            "/api/me/import",
            json={"token": "A" * 22, "games": games},
            headers={"origin": proxied.address.rstrip("/")},
            timeout=60,
        )
        assert answer.status_code == 200, answer.text
        assert answer.json() == {"added": 1, "known": 9, "puzzles": 0, "refused": []}


def test_nginx_accepts_the_largest_request_of_the_page() -> None:
    largest = max(question.limit(Limits()) for question in QUESTIONS.values())
    found = re.findall(r"client_max_body_size (\d+)m;", (EXAMPLES / "nginx.conf").read_text())
    assert [int(size) * 2**20 >= largest for size in found] == [True]
    assert largest > 500_000, "several games at once"


def test_the_container_installs_all_that_a_server_needs_as_pinned() -> None:
    steps = (EXAMPLES / "Containerfile").read_text()
    assert "--require-hashes --requirement requirements/server.txt" in steps
    pinned = set(
        re.findall(r"^([\w-]+)==", (ROOT / "requirements" / "server.txt").read_text(), re.MULTILINE)
    )
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    wanted = [
        *extras["dependencies"],
        *extras["optional-dependencies"]["postgres"],
    ]
    assert {re.split(r"[>=;]", line)[0] for line in wanted} <= pinned


def test_the_user_of_the_container_owns_its_data() -> None:
    steps = (EXAMPLES / "Containerfile").read_text()
    made, user, volume = (
        steps.index(text)
        for text in ("--owner=fox --group=fox --mode=700 /home/fox/data", "USER fox", "VOLUME")
    )
    assert made < user < volume, (
        "a volume belongs to the owner of the folder before it was declared"
    )


def test_the_recipe_names_every_file_and_setting_that_the_container_needs() -> None:
    steps = (EXAMPLES / "Containerfile").read_text()
    assert (ROOT / "tools" / "setup").exists()
    for wanted in ("tools/setup runtime", "USER fox", "VOLUME /home/fox/data", "EXPOSE 8000"):
        assert wanted in steps
    assert "FOXCLOVER_PORT=8000" in steps, "the port that is exposed"
    assert "FOXCLOVER_DATA=/home/fox/data" in steps, "the folder that is kept"
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {".venv", "**/node_modules"} <= {*ignored}, (
        "a clone that was used has those of another Python"
    )


def test_caddys_recipe_is_a_site_that_names_the_same_processes_twice() -> None:
    recipe = re.sub(r"#.*", "", (EXAMPLES / "Caddyfile").read_text())
    assert re.fullmatch(r"\s*\{\$DOMAIN:play\.example\} \{.*\}\s*", recipe, re.DOTALL)
    assert re.findall(r"to (.*)", recipe) == ["{$UPSTREAM:127.0.0.1:8000}"] * 2


def counted(server: RealServer, name: str) -> int:
    """Return a gauge of a process, asked without the proxy."""
    found = re.search(
        rf"^foxclover_{name} (\d+)(?:\.0)?$", server.client.get("/metrics").text, re.MULTILINE
    )
    assert found
    return int(found[1])


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_a_proxy_routes_all_sockets_of_a_table_to_one_process(
    tmp_path: Path, database: str, proxy: Proxy
) -> None:
    folder = tmp_path / "proxy"
    folder.mkdir()
    with ExitStack() as running:
        servers = [
            running.enter_context(real_server(tmp_path / f"{at}", "--database", database))
            for at in range(3)
        ]
        proxied = running.enter_context(proxy(folder, *servers))
        tables = [proxied.create(ME, HERE) for _ in range(12)]

        def play_everywhere(sockets: ExitStack) -> None:
            for code, tokens in tables:
                ada, bo = (sockets.enter_context(proxied.sit(code, token)) for token in tokens)
                ada.play(0)
                while bo.state["seq"] < ada.state["seq"]:
                    bo.until("state")
                assert [entry["text"] for entry in bo.log] == [entry["text"] for entry in ada.log]

        with ExitStack() as sockets:
            play_everywhere(sockets)
            shares = [counted(server, "tables") for server in servers]
            assert sum(shares) == len(tables), "each table is in one process"
            assert sum(counted(server, "connections") for server in servers) == 2 * len(tables)
            assert len([share for share in shares if share]) > 1, "and not all in the same"
            killed = servers.pop(max(range(len(shares)), key=shares.__getitem__))
            killed.kill()
        with ExitStack() as sockets:
            play_everywhere(sockets)
            assert sum(counted(server, "connections") for server in servers) == 2 * len(tables)
            assert proxied.client.get("/api/games").status_code == 200
