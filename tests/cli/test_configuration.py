"""Options of ``serve`` from variables and a TOML file: precedence, every option, every error."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from foxclover.cli import build, main
from foxclover.cli.configuration import PREFIX, Configuration, variable
from foxclover.locale import LANGUAGES, catalogue

ROOT = Path(__file__).parents[2]
EXAMPLES: dict[str, tuple[str, str, object]] = {
    "host": ("0.0.0.0", '"0.0.0.0"', "0.0.0.0"),
    "port": ("8123", "8123", 8123),
    "data": ("/srv/fox", '"/srv/fox"', Path("/srv/fox")),
    "database": ("postgresql://fox@db/fox", '"postgresql://fox@db/fox"', "postgresql://fox@db/fox"),
    "workers": ("3", "3", 3),
    "public_url": ("https://play.example", '"https://play.example"', "https://play.example"),
    "trusted_proxy": (
        "10.88.0.0/16, 192.0.2.1",
        '["10.88.0.0/16", "192.0.2.1"]',
        [ip_network("10.88.0.0/16"), ip_network("192.0.2.1")],
    ),
    "keep": ("30", "30", 30),
    "log_addresses": ("off", '"off"', "off"),
    "health_any_host": ("true", "true", True),
    "imprint": ("https://e.org/i", '"https://e.org/i"', "https://e.org/i"),
    "privacy": ("https://e.org/p", '"https://e.org/p"', "https://e.org/p"),
    "notify": ("yes", "true", True),
    "notify_host": ("push.example:8443", '["push.example:8443"]', ["push.example:8443"]),
    "name_filter": ("/srv/names", '"/srv/names"', Path("/srv/names")),
    "sheets": ("/srv/sheets", '"/srv/sheets"', Path("/srv/sheets")),
    "open": ("yes", "true", True),
    "lang": ("nl", '"nl"', "nl"),
}
"""Every option: as a variable, as an entry of the file, and the value it stands for."""

Serve = Callable[..., argparse.Namespace]


def configuration() -> Configuration:
    found = build(catalogue("en")).parse_args(["serve"]).configuration
    assert isinstance(found, Configuration)
    return found


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        monkeypatch.delenv(name)


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    """Return the options that ``serve`` would run with."""

    def call(*words: str, **variables: str) -> argparse.Namespace:
        for name, text in variables.items():
            monkeypatch.setenv(name, text)
        args = build(catalogue("en")).parse_args(["serve", *words])
        args.configuration.complete(args, catalogue("en"))
        assert isinstance(args, argparse.Namespace)
        return args

    return call


def refusal(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["serve", "--lang", "en", *words]) == 2
    found = capsys.readouterr()
    assert found.out == ""
    assert found.err.count("\n") == 1, "one sentence"
    return found.err


def test_every_option_has_an_example_here() -> None:
    assert set(configuration().options) == set(EXAMPLES)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_option_can_be_a_variable(name: str, serve: Serve) -> None:
    text, _, value = EXAMPLES[name]
    assert getattr(serve(), name, None) != value
    assert getattr(serve(**{variable(name): text}), name) == value


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_option_can_be_an_entry_of_the_file(name: str, serve: Serve, tmp_path: Path) -> None:
    _, entry, value = EXAMPLES[name]
    file = tmp_path / "foxclover.toml"
    file.write_text(f"{name.replace('_', '-')} = {entry}\n")
    assert getattr(serve("--config", str(file)), name) == value
    assert getattr(serve(FOXCLOVER_CONFIG=str(file)), name) == value


def test_the_command_line_wins_over_variables_and_they_over_the_file(
    serve: Serve, tmp_path: Path
) -> None:
    file = tmp_path / "foxclover.toml"
    file.write_text(
        'port = 1001\nkeep = 1\nhost = "::1"\nopen = true\ntrusted-proxy = "10.0.0.1"\n'
    )
    args = serve(
        "--port", "1003", "--no-open", "--trusted-proxy", "10.0.0.3",
        FOXCLOVER_CONFIG=str(file), FOXCLOVER_PORT="1002", FOXCLOVER_KEEP="2",
        FOXCLOVER_TRUSTED_PROXY="10.0.0.2",
    )  # fmt: skip
    assert (args.port, args.keep, args.host, args.open, args.workers) == (1003, 2, "::1", False, 1)
    assert args.trusted_proxy == [ip_network("10.0.0.3")], "values are replaced, not added"


def test_an_empty_variable_counts_as_not_set(serve: Serve) -> None:
    assert serve(FOXCLOVER_PUBLIC_URL="", FOXCLOVER_PORT="").port == 8000


def test_paths_of_a_file_are_relative_to_its_folder(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "foxclover.toml").write_text('data = "tables"\n')
    assert serve("--config", str(tmp_path / "foxclover.toml")).data == tmp_path / "tables"


def test_the_server_gets_the_settings(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr("foxclover.server.http.run.serve", lambda *found: seen.extend(found))
    (tmp_path / "foxclover.toml").write_text('keep = 7\nlang = "de"\ndata = "here"\n')
    monkeypatch.setenv("FOXCLOVER_WORKERS", "2")
    assert main(["serve", "--config", str(tmp_path / "foxclover.toml"), "--port", "0"]) == 0
    settings, translate = seen
    assert (settings.keep, settings.workers, settings.port) == (7, 2, 0)
    assert (settings.data, translate.language) == (tmp_path / "here", "de")


def test_an_unknown_variable_is_an_error_that_names_the_nearest(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOXCLOVER_PUBLIK", "https://play.example")
    said = refusal(capsys)
    assert "FOXCLOVER_PUBLIK" in said
    assert "FOXCLOVER_PUBLIC_URL?" in said


@pytest.mark.parametrize(
    ("entry", "named"),
    [
        ("prot = 1", "port?"),
        ("trusted_proxy = []", "trusted-proxy?"),
        ("config = 'x'", "config"),
        ("port = 70000", "70000"),
        ("port = true", "True"),
        ("port = [1]", "[1]"),
        ("open = 1", "open"),
        ("log-addresses = 'some'", "short, full, off"),
        ("public-url = 'play.example'", "play.example"),
        ("imprint = 'mailto:fox@play.example'", "mailto"),
        ("trusted-proxy = ['10.0.0.1/8']", "10.0.0.1/8"),
        ("port = x", "line 1"),
    ],
)
def test_a_wrong_entry_is_one_sentence_with_the_file(
    entry: str, named: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "foxclover.toml"
    file.write_text(entry)
    said = refusal(capsys, "--config", str(file))
    assert str(file) in said
    assert named in said


@pytest.mark.parametrize(
    ("name", "text"), [("PORT", "tcp://10.0.0.1:80"), ("OPEN", "maybe"), ("LANG", "fr")]
)
def test_a_wrong_variable_is_one_sentence_with_its_name(
    name: str, text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(f"FOXCLOVER_{name}", text)
    said = refusal(capsys)
    assert f"FOXCLOVER_{name}" in said
    assert text in said


def test_a_missing_file_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nowhere.toml" in refusal(capsys, "--config", "nowhere.toml")


def test_a_backup_finds_the_data_of_the_server_by_the_same_variables(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "foxclover.toml").write_text('data = "tables"\nport = 1\n')
    monkeypatch.setenv("FOXCLOVER_CONFIG", str(tmp_path / "foxclover.toml"))
    assert main(["backup", str(tmp_path / "copy"), "--lang", "en"]) == 2
    assert str(tmp_path / "tables") in capsys.readouterr().err
    monkeypatch.setenv("FOXCLOVER_DATA", str(tmp_path / "other"))
    assert main(["backup", str(tmp_path / "copy"), "--lang", "en"]) == 2
    assert str(tmp_path / "other") in capsys.readouterr().err


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_still_names_the_defaults(
    language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--lang", language, "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    for default in ("127.0.0.1)", "8000)", "365)"):
        assert default in shown
    assert "None" not in shown


def test_the_document_lists_every_variable() -> None:
    text = (ROOT / "docs" / "server.md").read_text()
    listed = re.findall(r"^\| `--([\w-]+)[^|]*` \| `(FOXCLOVER_\w+)` \|", text, re.MULTILINE)
    assert {name for _, name in listed} == set(configuration().variables)
    assert all(variable(option.replace("-", "_")) == name for option, name in listed)
