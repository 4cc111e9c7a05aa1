"""Sitting at tables of a server, for its tests."""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Protocol
from unittest.mock import patch

import httpx2
from starlette.testclient import TestClient, WebSocketTestSession
from websockets.sync.client import ClientConnection, connect

from foxclover.dice.fair import SALT_BYTES, Roller, first_pool, mix
from foxclover.server.http.app import create_app
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.outgoing import Outgoing
from foxclover.server.protocol.messages import PROTOCOL
from foxclover.server.stores import sqlite
from foxclover.server.stores.sqlite import SqliteStore

GANZ = "ganz-schoen-clever"
DOPPELT = "doppelt-so-clever"
CLIMB = "geht-noch-was"
ADDRESS = "http://127.0.0.1:8000"
SOCKETS = "ws://127.0.0.1:8000"
ME = {"kind": "me", "name": "Ada"}
HERE = {"kind": "here", "name": "Bo"}
FRIEND = {"kind": "friend"}
ROBOT = {"kind": "computer", "level": "random"}
PLENTY = 1_000_000
QUICK = Limits(
    messages=PLENTY,
    messages_per_client=PLENTY,
    requests_per_client=PLENTY,
    tables_per_client=PLENTY,
    work_per_client=PLENTY,
    undos=PLENTY,
)
"""For tests that are not about limits."""

Json = dict[str, Any]


class Wire(Protocol):
    """Something that carries messages: a test session or a real socket."""

    def send(self, text: str) -> None: ...

    def receive(self) -> str: ...


@dataclass
class TestWire:
    __test__ = False
    session: WebSocketTestSession

    def send(self, text: str) -> None:
        self.session.send_text(text)

    def receive(self) -> str:
        return self.session.receive_text()


@dataclass
class RealWire:
    socket: ClientConnection

    def send(self, text: str) -> None:
        self.socket.send(text)

    def receive(self) -> str:
        return str(self.socket.recv(timeout=120))


@dataclass
class Guest:
    """One connection to a table."""

    wire: Wire
    state: Json = field(default_factory=dict)
    log: list[Json] = field(default_factory=list)
    others: list[Json] = field(default_factory=list)  # messages that answered nothing
    ref: int = 0

    def send(self, message: Json | str) -> None:
        self.wire.send(message if isinstance(message, str) else json.dumps(message))

    def receive(self) -> Json:
        message: Json = json.loads(self.wire.receive())
        if message["type"] == "state":
            self.state = message
            self.log = self.log[: message["log_from"]] + message["log"]
        return message

    def drain(self) -> None:
        """Read on to the end of the connection."""
        while True:
            self.receive()

    def until(self, *types: str) -> Json:
        """Read on to a message of one of these types."""
        while (message := self.receive())["type"] not in types:
            self.others.append(message)
        return message

    def hello(self, *tokens: str, **changes: Any) -> Json:
        self.send(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "tokens": list(tokens),
                "language": "en",
                "seq": -1,
            }
            | changes
        )
        return self.until("state", "refused")

    def ask(self, kind: str, **values: Any) -> Json:
        """Send a request and return the answer to it."""
        self.ref += 1
        self.send({"type": kind, "ref": self.ref} | values)
        answers = {one: one for one in ("hint", "odds", "moments", "verdict", "line", "review")} | {
            "ping": "pong",
            "invite": "invitation",
            "network": "invitation",
        }
        answer = self.until("ack", "refused", answers.get(kind, "ack"))
        assert answer["ref"] == self.ref
        return answer

    def pool(self) -> bytes:
        """The entropy pool, by the draws seen."""
        pool = first_pool(self.state["sealing"]["context"].encode())
        for entry in self.log:
            roller = entry.get("seal", {}).get("roller", {})
            if "salt" in roller:
                pool = mix(pool, Roller(roller["seat"], bytes.fromhex(roller["salt"])))
        return pool

    def act(self, kind: str, seat: int = 0, **values: Any) -> Json:
        """Ask for something that is made against the state seen last.

        For a roll of sealed dice as a page does.
        """
        if kind == "roll" and self.state["sealing"]:
            values = {"salt": secrets.token_hex(SALT_BYTES), "pool": self.pool().hex()} | values
        return self.ask(kind, **({"seat": seat, "seq": self.state["seq"]} | values))

    def reason(self, kind: str, **values: Any) -> str:
        """Ask for something that must be refused; return why."""
        answer = self.act(kind, **values)
        assert answer["type"] == "refused", answer
        assert answer["words"]
        return str(answer["reason"])

    def moves(self, seat: int = 0) -> list[Json]:
        found: list[Json] = next(
            (entry["moves"] for entry in self.state["moves"] if entry["seat"] == seat), []
        )
        return found

    def play(self, seat: int = 0) -> None:
        """Roll if that is due, else make the first legal move, and wait for what it brings."""
        answer = (
            self.act("roll", seat)
            if seat in self.state["rollers"]
            else self.act("move", seat, move=self.moves(seat)[0]["id"])
        )
        assert answer["type"] == "ack", answer
        while self.state["seq"] < answer["seq"]:
            self.until("state")

    def leave_turn_to(self, seat: int) -> None:
        """Act for seat 0 until the table waits for another seat alone."""
        while self.state["acting"] != [seat]:
            self.play()

    def play_out(self) -> None:
        """Act for all seats of this connection until the game is over."""
        while not self.state["over"]:
            ready = [*self.state["rollers"], *(entry["seat"] for entry in self.state["moves"])]
            self.play(ready[0])

    def ask_rematch(self) -> str:
        """Ask for the next game; return its table."""
        assert self.ask("rematch")["type"] == "ack"
        return str(self.until("rematch")["table"])

    def play_to(self, wanted: str, seat: int = 0) -> None:
        """Play on until the seat has to "roll" or to "move"."""
        while not (seat in self.state["rollers"] if wanted == "roll" else self.moves(seat)):
            self.play(seat)


@dataclass
class ServerContext:
    """A server under test."""

    client: httpx2.Client
    invitations: dict[str, str] = field(default_factory=dict, kw_only=True)

    def create(self, *seats: Json, game: str = GANZ, **wishes: Any) -> tuple[str, list[str]]:
        """Open a table; return its code and our tokens."""
        answer = self.client.post(
            "/api/tables", json={"game": game, "seats": list(seats), "pace": 0} | wishes
        )
        assert answer.status_code == 201, answer.text
        body = answer.json()
        self.invitations[body["table"]] = body["link"].partition("#")[2]
        return body["table"], [seat["token"] for seat in body["seats"]]

    def ask_for_seat(self, code: str, **wishes: Any) -> httpx2.Response:
        """Ask to sit down, by the link of the table."""
        return self.client.post(
            f"/api/tables/{code}/join", json={"invitation": self.invitations[code.lower()]} | wishes
        )

    def join(self, code: str, **wishes: Any) -> str:
        answer = self.ask_for_seat(code, **wishes)
        assert answer.status_code == 201, answer.text
        return str(answer.json()["token"])

    @contextmanager
    def visit(self, code: str) -> Iterator[Guest]:
        assert isinstance(self.client, TestClient)
        with self.client.websocket_connect(f"{SOCKETS}/ws/{code}") as session:
            yield Guest(TestWire(session))

    @contextmanager
    def sit(self, code: str, *tokens: str, **changes: Any) -> Iterator[Guest]:
        """Connect and say hello."""
        with self.visit(code) as guest:
            answer = guest.hello(*tokens, **changes)
            assert answer["type"] == "state", answer
            yield guest


def committing_at_once() -> AbstractContextManager[object]:
    """Let no move wait for others to share its commit: a test makes one after the other."""
    return patch.object(sqlite, "COMMIT_INTERVAL", 0.0)


@contextmanager
def context(data: Path, limits: Limits = QUICK) -> Iterator[ServerContext]:
    """Run the server's application inside the test."""
    app = create_app(SqliteStore(data), limits, page=data / "page")
    with committing_at_once(), TestClient(app, base_url=ADDRESS) as client:
        yield ServerContext(client)


@contextmanager
def notifying_context(data: Path, *hosts: str) -> Iterator[ServerContext]:
    """Run an application that may call hosts inside the test."""
    app = create_app(SqliteStore(data), QUICK, page=data / "page")
    app.state.outgoing = Outgoing(hosts)
    with committing_at_once(), TestClient(app, base_url=ADDRESS) as client:
        yield ServerContext(client)


@dataclass
class RealServer(ServerContext):
    """A server in a process of its own, with real sockets."""

    process: subprocess.Popen[str]
    address: str
    log: IO[str] | None = None

    def stop(self) -> str:
        """Stop the server and return its log."""
        assert self.log is not None
        self.process.terminate()
        self.process.wait(120)
        self.log.seek(0)
        return self.log.read()

    @contextmanager
    def visit(self, code: str) -> Iterator[Guest]:
        with connect(
            f"ws{self.address.removeprefix('http')}ws/{code}",
            max_size=None,
            compression=None,
            proxy=None,
        ) as socket:
            yield Guest(RealWire(socket))

    def kill(self) -> None:
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()


COMMAND = "import sys; from foxclover.cli import main; sys.exit(main())"
LIMITED = """
import sys
from pathlib import Path
from foxclover.locale import catalogue
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.http.run import ServerSettings, serve
settings = ServerSettings("127.0.0.1", 0, Path(sys.argv[1]), sys.argv[2], limits=Limits({limits}))
serve(settings, catalogue("en"))
"""


@contextmanager
def real_server(data: Path, *arguments: str) -> Iterator[RealServer]:
    """Run ``foxclover serve`` on a free port."""
    with _process(
        "-c", COMMAND, "serve", "--lang", "en", "--port", "0", "--data", str(data), *arguments
    ) as server:
        yield server


@contextmanager
def server_without(module: str, data: Path) -> Iterator[RealServer]:
    """Run ``foxclover serve`` as where a module is not installed."""
    hidden = f"import sys; sys.modules[{module!r}] = None; "
    with _process(
        "-c", hidden + COMMAND, "serve", "--lang", "en", "--port", "0", "--data", str(data)
    ) as server:
        yield server


@contextmanager
def limited_server(data: Path, limits: str, database: str = "") -> Iterator[RealServer]:
    """Run a server on a free port with limits of its own, written as arguments."""
    with _process("-c", LIMITED.format(limits=limits), str(data), database) as server:
        yield server


@contextmanager
def notifying_server(
    data: Path, host: str, database: str = "", **seconds: float
) -> Iterator[RealServer]:
    """Run a server that may call a host, with its own times of the sender."""
    times = {"PAUSE": 0.05, "DELAY": 0, "SCAN_EVERY": 0.2, "REPEAT": 0.5} | seconds
    changes = "".join(f"sender.{name} = {value}\n" for name, value in times.items())
    script = LIMITED.format(limits="").replace(
        "limits=Limits()", f"notify=True, notify_hosts=({host!r},)"
    )
    before = f"from foxclover.server.notify import sender\n{changes}"
    with _process("-c", before + script, str(data), database) as server:
        yield server


@contextmanager
def counting_house(data: Path, counted: Path) -> Iterator[RealServer]:
    """Run a server that writes the number of unreachable objects when it gets a signal."""
    count = f"lambda *_: Path({str(counted)!r}).write_text(str(gc.collect()))"
    with _process(
        "-c",
        f"import gc, signal\nsignal.signal(signal.SIGUSR1, {count})\n" + LIMITED.format(limits=""),
        str(data),
        "",
    ) as server:
        yield server


@contextmanager
def traced_house(data: Path, before: str) -> Iterator[RealServer]:
    """Run a server that syncs before it acknowledges, and checkpoints often.

    ``before`` names the library to preload.
    """
    often = (
        "from foxclover.server.stores import sqlite, sqlite_files\nsqlite.CHECKPOINT_AFTER = 6\n"
        "sqlite_files.SYNC_TIMEOUT = 60.0\n"
    )
    traced = [f"LD_PRELOAD={before}", f"FOXCLOVER_TRACED={data}", f"FOXCLOVER_TRACE={data}.trace"]
    with _process(
        "-c", often + LIMITED.format(limits=""), str(data), "", before=["env", *traced]
    ) as server:
        yield server


@contextmanager
def networked_house(data: Path, address: str) -> Iterator[RealServer]:
    """Run a server of this machine alone, whose address in its network is to be this one."""
    network = (
        f"from foxclover.server import network\nnetwork.network_addresses = lambda: [{address!r}]\n"
    )
    with _process("-c", network + LIMITED.format(limits=""), str(data), "") as server:
        yield server


CRAMPED = [
    "unshare",
    "--user",
    "--map-root-user",
    "--mount",
    "sh",
    "-c",
    'mount -t tmpfs -o size=4m tmpfs "$0" && exec "$@"',
]
"""Runs a command that sees a disk of 4 MB at a folder."""


@contextmanager
def cramped_house(data: Path) -> Iterator[tuple[RealServer, Path]]:
    """Run a server whose data is on a small disk of its own.

    Return it with the folder as seen from here.
    """
    data.mkdir()
    with _process(
        "-c", LIMITED.format(limits=""), str(data), "", before=[*CRAMPED, str(data)]
    ) as server:
        yield server, Path(f"/proc/{server.process.pid}/root{data}")


@contextmanager
def _process(*arguments: str, before: Sequence[str] = ()) -> Iterator[RealServer]:
    log = tempfile.TemporaryFile("a+")  # noqa: SIM115 - a full pipe would stop the server
    process = subprocess.Popen(
        [*before, sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "error"},
    )
    assert process.stdout is not None
    line = process.stdout.readline()
    try:
        found = re.search(r"http://\S+", line)
        assert found, f"no address in {line!r}"
        with httpx2.Client(base_url=found[0], trust_env=False) as client:
            yield RealServer(client, process, found[0], log)
    finally:
        process.kill()
        process.communicate()
        log.close()
