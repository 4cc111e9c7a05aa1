"""Windows and macOS, as far as Linux can simulate them: ./check runs on Linux only."""

from __future__ import annotations

import mimetypes
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from foxclover.locale import catalogue, system_language
from foxclover.server.errors import StartError
from foxclover.server.http import run
from foxclover.server.http.pages import read_files
from foxclover.server.http.run import ServerSettings, listen
from tables import HERE, ME, server_without

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "foxclover"
# modules of the standard library that Windows does not have
POSIX = {"fcntl", "grp", "posix", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty"}


def test_no_module_needs_a_posix_module() -> None:
    imports = re.compile(r"^\s*(?:import|from) (\w+)", re.MULTILINE)
    for path in PACKAGE.rglob("*.py"):
        assert not POSIX & set(imports.findall(path.read_text(encoding="utf-8"))), path


def test_files_are_read_and_written_with_a_named_encoding() -> None:
    # Windows has another default
    calls = re.compile(r"\.(?:read|write)_text\(((?:[^()]|\([^()]*\))*)\)")
    for path in PACKAGE.rglob("*.py"):
        for arguments in calls.findall(path.read_text(encoding="utf-8")):
            assert re.search(r'"(utf-8|ascii)"', arguments), f"{path}: {arguments}"


def test_a_server_without_uvloop_plays(tmp_path: Path) -> None:
    with server_without("uvloop", tmp_path) as server:
        code, tokens = server.create(ME, HERE)
        with server.sit(code, *tokens) as guest:
            answer = guest.act("roll", guest.state["rollers"][0])
            assert answer["type"] != "refused"


def test_plain_python_runs_the_command() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "foxclover", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("foxclover ")


def test_windows_does_not_share_the_port_of_another_server(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    class Socket(socket.socket):
        def setsockopt(self, *arguments: object) -> None:
            asked.append(arguments[1])

    monkeypatch.setattr("sys.platform", "win32")
    monkeypatch.setattr(socket, "SO_EXCLUSIVEADDRUSE", -5, raising=False)
    monkeypatch.setattr(socket, "socket", Socket)
    listen("127.0.0.1", 0).close()
    assert asked == [-5]


def test_several_processes_need_a_system_that_shares_ports(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delattr(socket, "SO_REUSEPORT")
    settings = ServerSettings("127.0.0.1", 0, tmp_path, database="postgresql://x", workers=2)
    with pytest.raises(StartError, match="one_port"):
        run.serve(settings, catalogue("en"))


def test_scripts_are_scripts_whatever_the_registry_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mimetypes.guess_type("x.js")
    monkeypatch.setitem(mimetypes.types_map, ".js", "text/plain")
    monkeypatch.setitem(mimetypes._db.types_map[True], ".js", "text/plain")  # type: ignore[attr-defined]
    assert mimetypes.guess_type("x.js")[0] == "text/plain"
    (tmp_path / "x.js").write_text("1")
    assert "javascript" in read_files(tmp_path)["x.js"].headers["content-type"]


@pytest.mark.parametrize(
    ("name", "language"),
    [("German_Austria", "de"), ("Dutch_Belgium", "nl"), ("English_Canada", "en"), ("de_DE", "de"),
     ("French_France", "en"), (None, "en")],
)  # fmt: skip
def test_the_language_of_windows(
    name: str | None, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setattr("locale.getlocale", lambda: (name, "cp1252"))
    assert system_language() == language
