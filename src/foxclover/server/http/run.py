"""Listen, print where, open the browser, stop in good order: in one process, or in several with one that watches over them."""

from __future__ import annotations

import asyncio
import errno
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
from foxclover.server.network import Network
from foxclover.server.siblings import Siblings
from foxclover.server.store import Store
from foxclover.server.stores import is_database, open_store

PATIENCE = 5  # seconds for connections to close
PORT_FILE = "port"
FRAME_FACTOR = 16  # a longer message than this many times the limit is not even read
BACKLOG = 2_048
FREE = 0  # any port that is
MORE_OBJECTS = 2_000_000  # than 1,000 tables have: no move and no connection leaves a circle of them, and looking for one stops all games


@dataclass(frozen=True)
class Settings:
    """What a process needs to know to serve."""

    host: str
    port: int
    place: str  # of the data
    public: str = ""
    keep: int = KEEP
    limits: Limits = field(default_factory=Limits)
    workers: int = 1


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
    listener = (
        listen(host, port, shared=workers > 1)
        if port
        else _listen_again(host, data / PORT_FILE, shared=workers > 1)
    )
    port = listener.getsockname()[1]
    address = _address(listener)
    settings = Settings(
        host, port, database or str(data), public, keep, limits or Limits(), workers
    )

    def started() -> None:
        with suppress(OSError):
            (data / PORT_FILE).write_text(str(port))
        note("started", address=address, workers=workers)
        print(say("server.started", address=address), flush=True)
        for link in addresses.reach_of(host, port, public).links("/", address)[:1]:
            print(
                f"{say('server.reachable', address=link)}\n{addresses.in_terminal(link)}",
                flush=True,
            )
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


def run(
    settings: Settings,
    store: Store,
    listener: socket.socket,
    started: Callable[[], None],
    siblings: Siblings | None = None,
) -> None:
    """Serve in this process."""
    guard = Guard(settings.limits, siblings)
    reach = addresses.reach_of(settings.host, settings.port, settings.public)
    only_here = (
        addresses.is_here(f"http://{settings.host}")
        and not settings.public
        and settings.workers == 1
    )
    network = (
        Network(reach, lambda address: _listen_beside(address, settings.port))
        if only_here
        else None
    )
    app = create_app(
        store, settings.limits, reach=reach, guard=guard, keep=settings.keep, network=network
    )

    async def stopping() -> None:
        note("stopping")
        await app.state.lobby.bid_farewell()

    gc.freeze()  # the games and their words stay for ever
    gc.set_threshold(MORE_OBJECTS)
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
    server = _Server(config, started, stopping, siblings)
    if network is not None:
        network.serve_at, network.stop_serving = server.serve_at, server.stop_serving
    server.run([listener])


class _Server(uvicorn.Server):
    """Tells when it listens, and before it closes its connections; can listen at a second address for a while."""

    def __init__(
        self,
        config: uvicorn.Config,
        started: Callable[[], None],
        stopping: Callable[[], Awaitable[None]],
        siblings: Siblings | None,
    ) -> None:
        super().__init__(config)
        self._on_started = started
        self._on_stopping = stopping
        self._siblings = siblings
        self._taking: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self._siblings is not None:
            self._siblings.listen(self._take)
        asyncio.get_running_loop().call_soon(self._on_started)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        if self._siblings is not None:
            self._siblings.close()
        await self._on_stopping()
        await super().shutdown(sockets)

    async def serve_at(self, listener: socket.socket) -> asyncio.Server:
        """Serve the same application at one more address."""
        server = await asyncio.get_running_loop().create_server(
            self._protocol, sock=listener, backlog=self.config.backlog
        )
        self.servers.append(server)
        return server

    def _protocol(self) -> asyncio.Protocol:
        protocol: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return protocol(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )

    def _take(self, connection: socket.socket, request: bytes) -> None:
        """Serve a connection that another process has accepted, and what it has read from it."""

        async def work() -> None:
            with suppress(OSError):  # who asked has gone
                _, protocol = await asyncio.get_running_loop().connect_accepted_socket(
                    self._protocol, connection
                )
                protocol.data_received(request)

        task = asyncio.get_running_loop().create_task(work())
        self._taking.add(task)
        task.add_done_callback(self._taking.discard)

    def stop_serving(self, server: asyncio.Server) -> None:
        """Give an address up, and end the connections that came by it."""
        names = [listener.getsockname() for listener in server.sockets]
        server.close()
        self.servers.remove(server)
        for connection in list(self.server_state.connections):
            if connection.transport.get_extra_info("sockname") in names:
                connection.shutdown()


def _listen_again(host: str, remembered: Path, shared: bool) -> socket.socket:
    """Take the same free port as last time if possible: to a browser another port is another site, which knows none of your games."""
    try:
        return listen(host, int(remembered.read_text()), shared)
    except (OSError, ValueError, OverflowError, StartError):
        return listen(host, FREE, shared)


def listen(host: str, port: int, shared: bool = False) -> socket.socket:
    """Take the port first: everything else can wait for the next try. Processes that share a port get their visitors dealt out."""
    try:
        family, kind, protocol, _, target = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[
            0
        ]
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
        wrong_host = isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL
        problem = "server.problem.host" if wrong_host else "server.problem.port"
        raise StartError(problem, host=host, port=port, problem=error.strerror or error) from error
    return listener


def _listen_beside(host: str, port: int) -> socket.socket:
    """Take the same port at another address if it is free there too."""
    try:
        return listen(host, port)
    except StartError:
        return listen(host, FREE)


def _address(listener: socket.socket) -> str:
    """Return where a browser on this machine finds us."""
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}.get(host, host)
    return f"http://{shown}:{port}/"
