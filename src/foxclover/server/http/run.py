"""Listen, print the address, serve, and stop in good order: in one process or in several."""

from __future__ import annotations

import asyncio
import errno
import gc
import logging
import multiprocessing
import multiprocessing.connection
import signal
import socket
import sys
import threading
import time
import webbrowser
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from multiprocessing.context import SpawnProcess
from pathlib import Path

import uvicorn

from foxclover.locale import Translator
from foxclover.server.errors import StartError
from foxclover.server.http.admin import admin_key
from foxclover.server.http.app import PAGE, create_app
from foxclover.server.http.legal import KEEP, Legal
from foxclover.server.limits.name_filter import NameFilter
from foxclover.server.limits.protocol_limits import ProtocolLimits
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.logs import SHORT, log_event, write_to_stderr
from foxclover.server.network import Network, Proxies, find_public_urls, is_local_url, qr_text
from foxclover.server.outgoing import Outgoing
from foxclover.server.stores import is_database, open_store
from foxclover.server.stores.store import Store
from foxclover.server.thinking.computer_players import live_with_parent

CLOSING_SECONDS = 5  # for connections to close
PORT_FILE = "port"
FRAME_FACTOR = 16  # a longer message than this many times the limit is not even read
BACKLOG = 2_048
FREE = 0  # any port that is
GC_THRESHOLD = 2_000_000  # objects, more than 1,000 tables have: a collection would stop all games
RESTART_DELAY = 0.2  # seconds before a failed process is started again
PROCESS_SECONDS = 10.0  # for a process to start or to end


@dataclass(frozen=True)
class ServerSettings:
    """The settings of a server."""

    host: str
    port: int
    data: Path
    database: str = ""
    open_browser: bool = False
    public: str = ""
    keep: int = KEEP
    limits: Limits = field(default_factory=Limits)
    workers: int = 1
    proxies: Proxies = field(default_factory=Proxies)
    log_addresses: str = SHORT
    health_any_host: bool = False
    imprint: str = ""
    privacy: str = ""
    name_filter: Path | None = None
    admin_key: str = ""
    notify: bool = False
    notify_hosts: tuple[str, ...] = ()

    @property
    def place(self) -> str:
        """The URL of the database, or the folder of the data."""
        return self.database or str(self.data)


def serve(settings: ServerSettings, translate: Translator) -> None:
    """Serve until stopped by a signal; raise ``StartError`` if the server cannot start."""
    level = logging.WARNING if settings.open_browser else logging.INFO
    write_to_stderr(level, settings.log_addresses)
    if not (PAGE / "index.html").is_file():
        raise StartError("server.problem.no_page")
    NameFilter(settings.name_filter)  # raises if it is unusable
    if settings.notify and find_spec("cryptography") is None:
        raise StartError("server.problem.no_notify")
    shared = settings.workers > 1
    if shared and not is_database(settings.database):
        raise StartError("server.problem.one_process")
    if shared and not hasattr(socket, "SO_REUSEPORT"):  # Windows
        raise StartError("server.problem.one_port")
    if settings.port:
        listener = listen(settings.host, settings.port, shared)
    else:
        listener = _listen_again(settings.host, settings.data / PORT_FILE, shared)
    settings = replace(settings, port=listener.getsockname()[1])
    address = _address(listener)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # SIGTERM acts like Ctrl+C
    with listener, suppress(KeyboardInterrupt):
        store = open_store(settings.place)
        settings = replace(settings, admin_key=admin_key(settings.data))
        if shared:
            _supervise(settings, lambda: _announce(settings, address, translate))
        else:
            run(settings, store, listener, lambda: _announce(settings, address, translate))
    print(translate("server.stopped"), flush=True)


def _announce(settings: ServerSettings, address: str, translate: Translator) -> None:
    """Print and log the address, and open the browser if asked to."""
    with suppress(OSError):
        (settings.data / PORT_FILE).write_text(str(settings.port), encoding="ascii")
    log_event("started", address=address, workers=settings.workers)
    print(translate("server.started", address=address), flush=True)
    urls = find_public_urls(settings.host, settings.port, settings.public)
    for link in urls.links("/", address)[:1]:
        print(f"{translate('server.reachable', address=link)}\n{qr_text(link)}", flush=True)
    if settings.open_browser:
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def run(
    settings: ServerSettings, store: Store, listener: socket.socket, started: Callable[[], None]
) -> None:
    """Serve in this process."""
    protocol_limits = ProtocolLimits(settings.limits, settings.proxies)
    public_urls = find_public_urls(settings.host, settings.port, settings.public)
    local = is_local_url(f"http://{settings.host}")
    network = None
    if local and not settings.public and settings.workers == 1:
        network = Network(public_urls, lambda address: _listen_beside(address, settings.port))
    app = create_app(
        store,
        settings.limits,
        public_urls=public_urls,
        protocol_limits=protocol_limits,
        network=network,
        health_any_host=settings.health_any_host,
        legal=Legal(
            settings.public,
            settings.imprint,
            settings.privacy,
            settings.keep,
            settings.log_addresses,
        ),
    )
    app.state.admin_key = settings.admin_key
    app.state.names = NameFilter(settings.name_filter)
    app.state.outgoing = Outgoing(settings.notify_hosts) if settings.notify else None

    async def stopping() -> None:
        log_event("stopping")
        await app.state.lobby.close()

    gc.freeze()  # games and texts live as long as the process
    gc.set_threshold(GC_THRESHOLD)
    http, websocket = protocol_limits.protocols()
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
        timeout_graceful_shutdown=CLOSING_SECONDS,
        backlog=BACKLOG,
        forwarded_allow_ips=settings.proxies.written,
    )
    server = _Server(config, started, stopping)
    if network is not None:
        network.serve_at, network.stop_serving = server.serve_at, server.stop_serving
    server.run([listener])


class _Server(uvicorn.Server):
    """Report the start and the stop, and listen at a second address for a while."""

    def __init__(
        self,
        config: uvicorn.Config,
        started: Callable[[], None],
        stopping: Callable[[], Awaitable[None]],
    ) -> None:
        super().__init__(config)
        self._on_started = started
        self._on_stopping = stopping

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        asyncio.get_running_loop().call_soon(self._on_started)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._on_stopping()
        await super().shutdown(sockets)

    async def serve_at(self, listener: socket.socket) -> asyncio.Server:
        """Serve the same application at one more address."""
        protocol: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        server = await asyncio.get_running_loop().create_server(
            lambda: protocol(
                config=self.config, server_state=self.server_state, app_state=self.lifespan.state
            ),
            sock=listener,
            backlog=self.config.backlog,
        )
        self.servers.append(server)
        return server

    def stop_serving(self, server: asyncio.Server) -> None:
        """Stop listening at an address, and end its connections."""
        names = [listener.getsockname() for listener in server.sockets]
        server.close()
        self.servers.remove(server)
        for connection in list(self.server_state.connections):
            if connection.transport.get_extra_info("sockname") in names:
                connection.shutdown()


def _supervise(settings: ServerSettings, started: Callable[[], None]) -> None:
    """Run the server's processes, and restart those that end, until a signal ends this one."""
    context = multiprocessing.get_context("spawn")
    ready = context.Semaphore(0)

    def start() -> SpawnProcess:
        process = context.Process(target=_work, args=(settings, ready))
        process.start()
        return process

    processes = [start() for _ in range(settings.workers)]
    try:
        for _ in processes:
            ready.acquire(timeout=PROCESS_SECONDS)
        started()
        while True:
            multiprocessing.connection.wait([process.sentinel for process in processes])
            for index, process in enumerate(processes):
                if not process.is_alive():
                    log_event("process_ended", process=process.pid, code=process.exitcode)
                    time.sleep(RESTART_DELAY if process.exitcode else 0.0)
                    processes[index] = start()
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(PROCESS_SECONDS)
            if process.is_alive():
                process.kill()


def _work(settings: ServerSettings, ready: multiprocessing.synchronize.Semaphore) -> None:
    """Serve as one of several processes that share a port."""
    live_with_parent(logging.INFO, settings.log_addresses)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # the supervisor sends it
    with suppress(KeyboardInterrupt), listen(settings.host, settings.port, shared=True) as listener:
        run(settings, open_store(settings.place), listener, ready.release)
    sys.stdout.flush()


def _listen_again(host: str, remembered: Path, shared: bool) -> socket.socket:
    """Listen at the port of the last time if it is free.

    Browsers keep a person's games by address and port.
    """
    try:
        return listen(host, int(remembered.read_text(encoding="ascii")), shared)
    except (OSError, ValueError, OverflowError, StartError):
        return listen(host, FREE, shared)


def listen(host: str, port: int, shared: bool = False) -> socket.socket:
    """Return a listening socket, or raise ``StartError``.

    The kernel distributes new connections over processes that share a port.
    """
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        family, kind, protocol, _, target = found
        listener = socket.socket(family, kind, protocol)
        try:
            if sys.platform == "win32":  # where SO_REUSEADDR would share the port
                listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:
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
    """Listen at another address, at the same port if it is free there."""
    try:
        return listen(host, port)
    except StartError:
        return listen(host, FREE)


def _address(listener: socket.socket) -> str:
    """Return the URL for a browser on this machine."""
    host, port = listener.getsockname()[:2]
    shown = {"0.0.0.0": "127.0.0.1", "::": "[::1]", "::1": "[::1]"}.get(host, host)
    return f"http://{shown}:{port}/"
