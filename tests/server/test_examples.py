"""The examples of docs/server are what the server understands."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest

from foxclover.cli import build
from foxclover.locale import catalogue

EXAMPLES = Path(__file__).parents[2] / "docs" / "server"


def parsed(command: list[str]) -> object:
    return build(catalogue("en")).parse_args(command)


def test_the_unit_starts_the_server_as_it_can_be_started() -> None:
    line = re.search(r"^ExecStart=/usr/bin/env foxclover (.*)$", (EXAMPLES / "foxclover.service").read_text(), re.MULTILINE)
    assert line
    assert parsed(shlex.split(line[1]))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_understands_the_unit() -> None:
    checked = subprocess.run(
        ["systemd-analyze", "verify", str(EXAMPLES / "foxclover.service")], capture_output=True, text=True, check=False
    )
    assert "foxclover.service" not in checked.stderr, checked.stderr


def test_the_container_starts_the_server_as_it_can_be_started() -> None:
    line = re.search(r"^ENTRYPOINT (\[.*\])$", (EXAMPLES / "Containerfile").read_text(), re.MULTILINE)
    assert line
    words = re.findall(r'"([^"]*)"', line[1])
    assert words[0] == "foxclover"
    assert parsed(words[1:])


@pytest.mark.parametrize("file", ["nginx.conf", "Caddyfile"])
def test_the_proxies_lead_to_the_port_of_the_unit(file: str) -> None:
    assert "127.0.0.1:8000" in (EXAMPLES / file).read_text()
    assert "--port 8000" in (EXAMPLES / "foxclover.service").read_text()


@pytest.mark.skipif(shutil.which("nginx") is None, reason="nginx is not installed")
def test_nginx_understands_its_recipe(tmp_path: Path) -> None:
    recipe = re.sub(r"listen 443 ssl;|ssl_certificate\w*\s+\S+;", "", (EXAMPLES / "nginx.conf").read_text())
    whole = tmp_path / "nginx.conf"
    whole.write_text(f"pid {tmp_path}/pid; events {{}} http {{ {recipe.replace('server {', 'server { listen 8999;')} }}")
    checked = subprocess.run(["nginx", "-t", "-c", str(whole), "-p", str(tmp_path)], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr
