"""Listen, print where, open the browser, stop in good order."""

from __future__ import annotations

import logging
import signal
import socket
import threading
import webbrowser
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import uvicorn

from foxclover.locale import Say
from foxclover.server import addresses
from foxclover.server.app import KEEP, create_app
from foxclover.server.errors import StartError
from foxclover.server.guard import Guard
from foxclover.server.limits import Limits
from foxclover.server.logs import note, write_to_stderr
from foxclover.server.sqlite import SqliteStore

PATIENCE = 5  # seconds for connections to close
PORT_FILE = "port"
FRAME_FACTOR = 16  # a longer message than this many times the limit is not even read
BACKLOG = 2_048


def serve(
    host: str, port: int, data: Path, open_browser: bool, say: Say, limits: Limits | None = None, public: str = "", keep: int = KEEP
) -> None:
    """Serve until stopped by a signal; raises ``StartError`` if that cannot begin."""
    limits = limits or Limits()
    write_to_stderr(logging.WARNING if open_browser else logging.INFO)
    listener = _listen(host, port) if port else _listen_again(host, data / PORT_FILE)
    try:
        store = SqliteStore(data)
    except StartError:
        listener.close()
        raise
    with suppress(OSError):
        (data / PORT_FILE).write_text(str(listener.getsockname()[1]))
    address = _address(listener)
    reach = addresses.reach_of(host, listener.getsockname()[1], public)
    guard = Guard(limits)
    app = create_app(store, limits, reach=reach, guard=guard, keep=keep)

    def started() -> None:
        note("started", address=address, data=str(data))
        print(say("server.started", address=address), flush=True)
        for link in reach.links("/", address)[:1]:
            print(f"{say('server.reachable', address=link)}\n{addresses.in_terminal(link)}", flush=True)
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    async def stopping() -> None:
        note("stopping")
        await app.state.lobby.bid_farewell()

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # asked to end is the same as Ctrl+C
    with suppress(KeyboardInterrupt):
        _Server(config(app, limits, guard), started, stopping).run([listener])
    print(say("server.stopped"), flush=True)


def config(app: object, limits: Limits, guard: Guard) -> uvicorn.Config:
    """Return how uvicorn is to serve the application."""
    http, websocket = guard.protocols()
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        log_config=None,
        access_log=False,
        server_header=False,
        http=http,
        ws=websocket,
        ws_max_size=limits.message * FRAME_FACTOR,
        ws_per_message_deflate=False,  # 400 sockets would need 100 MB for it
        timeout_keep_alive=int(limits.idle_seconds),
        timeout_graceful_shutdown=PATIENCE,
        backlog=BACKLOG,
    )


class _Server(uvicorn.Server):
    """Tells when it listens, and before it closes its connections."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None], stopping: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._on_started = started
        self._on_stopping = stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._on_started()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._on_stopping()
        await super().shutdown(sockets)


def _listen_again(host: str, remembered: Path) -> socket.socket:
    """Take the same free port as last time if possible: to a browser another port is another site, which knows none of your games."""
    try:
        return _listen(host, int(remembered.read_text()))
    except (OSError, ValueError, OverflowError, StartError):
        return _listen(host, 0)


def _listen(host: str, port: int) -> socket.socket:
    """Take the port first: everything else can wait for the next try."""
    try:
        family, kind, protocol, _, target = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(target)
        except OSError:
            listener.close()
            raise
    except OSError as error:
        raise StartError("server.problem.port", host=host, port=port, problem=error.strerror or error) from error
    return listener


def _address(listener: socket.socket) -> str:
    """Return where a browser on this machine finds us."""
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}.get(host, host)
    return f"http://{shown}:{port}/"
