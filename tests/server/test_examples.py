"""The examples of docs/server are what the server understands."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx2
import pytest

from foxclover.cli import build
from foxclover.locale import catalogue
from tables import ME, RealHouse, limited_house

Proxy = Callable[[Path, RealHouse], AbstractContextManager[RealHouse]]
EXAMPLES = Path(__file__).parents[2] / "docs" / "server"


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


NGINX = """
daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {recipe}
}}
"""


@contextmanager
def nginx(folder: Path, server: RealHouse) -> Iterator[RealHouse]:
    """Run nginx by its recipe before a server, on a port of its own and without TLS."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.fail("install nginx (on Debian the package nginx-light)")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    recipe = re.sub(r"ssl_certificate\w*\s+\S+;", "", (EXAMPLES / "nginx.conf").read_text())
    recipe = recipe.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};").replace(
        "http://127.0.0.1:8000", server.address.rstrip("/")
    )
    (folder / "nginx.conf").write_text(NGINX.format(folder=folder, recipe=recipe))
    command = [
        program,
        "-c",
        str(folder / "nginx.conf"),
        "-p",
        str(folder),
        "-e",
        str(folder / "error.log"),
    ]
    with _before(server, port, command, os.environ) as proxied:
        yield proxied


@contextmanager
def caddy(folder: Path, server: RealHouse) -> Iterator[RealHouse]:
    """Run Caddy by its recipe before a server, on a port of its own and without TLS."""
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("caddy is not installed")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    recipe = (
        (EXAMPLES / "Caddyfile").read_text().replace("play.example", f"http://127.0.0.1:{port}")
    )
    recipe = recipe.replace("127.0.0.1:8000", server.address.removeprefix("http://").rstrip("/"))
    (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + recipe)
    command = [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    with _before(server, port, command, os.environ | {"HOME": str(folder)}) as proxied:
        yield proxied


@contextmanager
def _before(
    server: RealHouse, port: int, command: list[str], environment: Mapping[str, str]
) -> Iterator[RealHouse]:
    """Run a proxy, and speak to the server through it."""
    proxy = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=environment)
    address = f"http://127.0.0.1:{port}/"
    try:
        with httpx2.Client(
            base_url=address, trust_env=False, transport=httpx2.HTTPTransport(retries=8)
        ) as client:
            yield RealHouse(client, server.process, address)
    finally:
        proxy.terminate()
        proxy.wait()


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_one_can_play_through_a_proxy_as_its_recipe_has_it(tmp_path: Path, proxy: Proxy) -> None:
    folder = tmp_path / "proxy"
    folder.mkdir()
    with limited_house(tmp_path / "data", "") as server, proxy(folder, server) as proxied:
        assert "<html" in proxied.client.get("/").text
        code, tokens = proxied.create(ME)
        with proxied.sit(code, *tokens) as ada:
            for _ in range(5):
                ada.play()
        assert server.client.get("/metrics").status_code == 200
        assert proxied.client.get("/metrics").status_code == 404, (
            "what comes through the proxy is not from this machine"
        )


def test_the_recipes_name_every_file_and_command_that_the_container_needs() -> None:
    steps = (EXAMPLES / "Containerfile").read_text()
    root = EXAMPLES.parents[1]
    assert (root / "tools" / "setup").exists()
    assert "rm -rf .venv web/node_modules && tools/setup runtime" in steps, (
        "a clone that was used has those of another Python"
    )
    for wanted in ("FROM", "USER fox", "VOLUME /home/fox/data", "EXPOSE 8000"):
        assert wanted in steps
    assert re.search(r'"--port", "8000", "--data", "/home/fox/data"', steps), (
        "the port that is exposed, the folder that is kept"
    )


def test_caddys_recipe_is_a_site_with_one_proxy_in_it() -> None:
    recipe = re.sub(r"#.*", "", (EXAMPLES / "Caddyfile").read_text())
    assert re.fullmatch(r"\s*play\.example \{\s+reverse_proxy 127\.0\.0\.1:8000\s+\}\s*", recipe)
