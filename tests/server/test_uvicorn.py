"""The parts of uvicorn that are not documented and that the server builds on."""

from __future__ import annotations

import asyncio
import importlib.metadata
import inspect
import re
import tomllib
from pathlib import Path

import pytest
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from foxclover.server.http import run
from foxclover.server.limits import protocol_limits

ROOT = Path(__file__).parents[2]
ADVICE = (
    "read the changes of uvicorn, adapt server/limits/protocol_limits.py and server/http/run.py, "
    "run tests/server/test_attacks.py and test_network.py, then change the pin in pyproject.toml"
)
OVERRIDDEN = [
    (protocol_limits._LimitedHttp, H11Protocol),
    (protocol_limits._LimitedWebsocket, WebSocketsSansIOProtocol),
    (run._Server, uvicorn.Server),
]


def test_uvicorn_is_pinned_to_the_installed_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    pins = [
        line.partition("==")[2] for line in project["dependencies"] if line.startswith("uvicorn==")
    ]
    assert pins == [importlib.metadata.version("uvicorn")], (
        f"uvicorn must be pinned with == to the tested version; for another one: {ADVICE}"
    )


@pytest.mark.parametrize(("own", "base"), OVERRIDDEN)
def test_uvicorn_has_the_methods_that_we_extend(own: type, base: type) -> None:
    extended = set(re.findall(r"super\(\)\.(\w+)\(", inspect.getsource(own)))
    assert extended
    missing = {name for name in extended if not callable(getattr(base, name, None))}
    assert not missing, f"{base.__name__} has no method {sorted(missing)} any more: {ADVICE}"
    for name in extended - {"__init__"}:
        ours, theirs = (inspect.signature(getattr(kind, name)) for kind in (own, base))
        assert list(ours.parameters) == list(theirs.parameters), (
            f"{base.__name__}.{name} takes other parameters: {ADVICE}"
        )


def test_uvicorn_has_the_attributes_that_we_read() -> None:
    async def make() -> dict[str, set[str]]:
        config = uvicorn.Config(lambda: None, log_config=None, http=H11Protocol)
        config.load()
        server = uvicorn.Server(config)
        http = H11Protocol(config, server.server_state, {})
        socket = WebSocketsSansIOProtocol(config, server.server_state, {})
        return {
            "H11Protocol": {"client", "conn", "cycle", "headers", "loop", "transport"}
            - vars(http).keys(),
            "WebSocketsSansIOProtocol": {
                *("conn", "disconnected", "queue", "read_paused", "transport", "writable")
            }
            - vars(socket).keys(),
            "ServerProtocol": {"state", "close_sent"} - set(dir(socket.conn)),
            "Server": {"config", "server_state"} - vars(server).keys(),
            "ServerState": {"connections"} - vars(server.server_state).keys(),
            "Config": {"backlog", "http_protocol_class", "loaded_app"} - vars(config).keys(),
        }

    for kind, missing in asyncio.run(make()).items():
        assert not missing, f"{kind} has no attribute {sorted(missing)} any more: {ADVICE}"
    later = [  # set after the start
        (uvicorn.Server, "servers"),
        (uvicorn.Server, "lifespan"),
        (RequestResponseCycle, "more_body"),
        (WebSocketsSansIOProtocol, "scope"),
    ]
    for owner, name in later:
        assert re.search(rf"self\.{name}\b.* = ", inspect.getsource(owner)), (
            f"{owner.__name__} has no attribute {name} any more: {ADVICE}"
        )
