"""Listen, print where, open the browser, stop in good order: in one process, or in several with one that watches over them."""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import threading
import webbrowser
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import uvicorn

from foxclover.locale import Say
from foxclover.server import addresses
from foxclover.server.app import KEEP, create_app
from foxclover.server.errors import StartError
from foxclover.server.guard import Guard
from foxclover.server.limits import Limits
from foxclover.server.logs import note, write_to_stderr
from foxclover.server.store import Store
from foxclover.server.stores import is_database, open_store

PATIENCE = 5  # seconds for connections to close
PORT_FILE = "port"
FRAME_FACTOR = 16  # a longer message than this many times the limit is not even read
BACKLOG = 2_048
OBJECTS_BETWEEN_COLLECTIONS = 50_000  # a move makes hundreds, and hardly ever a circle of them


@dataclass(frozen=True)
class Settings:
    """What a process needs to know to serve."""

    host: str
    port: int
    place: str  # of the data
    public: str = ""
    keep: int = KEEP
    limits: Limits = field(default_factory=Limits)


def serve(
    host: str,
    port: int,
    data: Path,
    open_browser: bool,
    say: Say,
    limits: Limits | None = None,
    public: str = "",
    keep: int = KEEP,
    database: str = "",
    workers: int = 1,
) -> None:
    """Serve until stopped by a signal; raises ``StartError`` if that cannot begin."""
    write_to_stderr(logging.WARNING if open_browser else logging.INFO)
    if workers > 1 and not is_database(database):
        raise StartError("server.problem.one_process")
    listener = listen(host, port, shared=workers > 1) if port else _listen_again(host, data / PORT_FILE, shared=workers > 1)
    port = listener.getsockname()[1]
    address = _address(listener)
    settings = Settings(host, port, database or str(data), public, keep, limits or Limits())

    def started() -> None:
        with suppress(OSError):
            (data / PORT_FILE).write_text(str(port))
        note("started", address=address, workers=workers)
        print(say("server.started", address=address), flush=True)
        for link in addresses.reach_of(host, port, public).links("/", address)[:1]:
            print(f"{say('server.reachable', address=link)}\n{addresses.in_terminal(link)}", flush=True)
        if open_browser:
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # asked to end is the same as Ctrl+C
    with listener, suppress(KeyboardInterrupt):
        store = open_store(settings.place)
        if workers == 1:
            run(settings, store, listener, started)
        else:
            from foxclover.server.workers import watch_over

            watch_over(settings, workers, started)
    print(say("server.stopped"), flush=True)


def run(settings: Settings, store: Store, listener: socket.socket, started: Callable[[], None]) -> None:
    """Serve in this process."""
    guard = Guard(settings.limits)
    reach = addresses.reach_of(settings.host, settings.port, settings.public)
    app = create_app(store, settings.limits, reach=reach, guard=guard, keep=settings.keep)

    async def stopping() -> None:
        note("stopping")
        await app.state.lobby.bid_farewell()

    gc.freeze()  # the games and their words stay for ever
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, 20, 20)
    http, websocket = guard.protocols()
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        http=http,
        ws=websocket,
        ws_max_size=settings.limits.message * FRAME_FACTOR,
        ws_per_message_deflate=False,  # 400 sockets would need 100 MB for it
        timeout_keep_alive=int(settings.limits.idle_seconds),
        timeout_graceful_shutdown=PATIENCE,
        backlog=BACKLOG,
    )
    _Server(config, started, stopping).run([listener])


class _Server(uvicorn.Server):
    """Tells when it listens, and before it closes its connections."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None], stopping: Callable[[], Awaitable[None]]) -> None:
        super().__init__(config)
        self._on_started = started
        self._on_stopping = stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        asyncio.get_running_loop().call_soon(self._on_started)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._on_stopping()
        await super().shutdown(sockets)


def _listen_again(host: str, remembered: Path, shared: bool) -> socket.socket:
    """Take the same free port as last time if possible: to a browser another port is another site, which knows none of your games."""
    try:
        return listen(host, int(remembered.read_text()), shared)
    except (OSError, ValueError, OverflowError, StartError):
        return listen(host, 0, shared)


def listen(host: str, port: int, shared: bool = False) -> socket.socket:
    """Take the port first: everything else can wait for the next try. Processes that share a port get their visitors dealt out."""
    try:
        family, kind, protocol, _, target = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if shared:
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
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
