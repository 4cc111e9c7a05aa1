"""nginx and Caddy by the recipes in docs/server, before servers of a test."""

from __future__ import annotations

import getpass
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import httpx2
import pytest

from tables import RealServer

Proxy = Callable[..., AbstractContextManager[RealServer]]
ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "docs" / "server"


def free_port() -> int:
    """Return a port that nobody listens at."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port: int = free.getsockname()[1]
    return port


NGINX = """
user {user}; daemon off; pid {folder}/pid; error_log {folder}/error.log;
events {{}}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {recipe}
}}
"""


@contextmanager
def nginx(
    folder: Path, *servers: RealServer, port: int = 0, path: str = "/"
) -> Iterator[RealServer]:
    """Run nginx by its recipe before one or several servers, on a free port and without TLS."""
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if program is None:
        pytest.fail("install nginx (on Debian the package nginx-light)")
    port = port or free_port()
    recipe = re.sub(r"ssl_certificate\w*\s+\S+;", "", (EXAMPLES / "nginx.conf").read_text())
    recipe = recipe.replace("listen 443 ssl;", f"listen 127.0.0.1:{port};")
    recipe = recipe.replace("location / {", f"location {path} {{")
    recipe = re.sub(
        r"server 127\.0\.0\.1:8000(.*);",
        lambda line: "\n".join(f"server {at}{line[1]};" for at in map(_netloc, servers)),
        recipe,
    )
    (folder / "nginx.conf").write_text(
        NGINX.format(user=getpass.getuser(), folder=folder, recipe=recipe)
    )
    command = [
        program,
        "-c",
        str(folder / "nginx.conf"),
        "-p",
        str(folder),
        "-e",
        str(folder / "error.log"),
    ]
    with _before(servers[0], port, path, command) as proxied:
        yield proxied


@contextmanager
def caddy(
    folder: Path, *servers: RealServer, port: int = 0, path: str = "/"
) -> Iterator[RealServer]:
    """Run Caddy by its recipe before one or several servers, on a free port and without TLS."""
    program = shutil.which("caddy")
    if program is None:
        pytest.skip("caddy is not installed")
    port = port or free_port()
    recipe = (
        (EXAMPLES / "Caddyfile").read_text().replace("play.example", f"http://127.0.0.1:{port}")
    )
    recipe = recipe.replace("127.0.0.1:8000", " ".join(map(_netloc, servers)))
    (folder / "Caddyfile").write_text("{\n\tadmin off\n}\n" + recipe)
    command = [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]
    settings = {"HOME": str(folder), "SUBPATH": path.rstrip("/")}
    with _before(servers[0], port, path, command, **settings) as proxied:
        yield proxied


def _netloc(server: RealServer) -> str:
    return server.address.removeprefix("http://").rstrip("/")


@contextmanager
def _before(
    server: RealServer, port: int, path: str, command: list[str], **settings: str
) -> Iterator[RealServer]:
    """Run a proxy, and speak to the server through it."""
    proxy = subprocess.Popen(command, stderr=subprocess.DEVNULL, env=os.environ | settings)
    address = f"http://127.0.0.1:{port}{path}"
    try:
        with httpx2.Client(
            base_url=address, trust_env=False, transport=httpx2.HTTPTransport(retries=8)
        ) as client:
            yield RealServer(client, server.process, address)
    finally:
        proxy.terminate()
        proxy.wait()
