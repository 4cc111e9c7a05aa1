"""Check that no acknowledged move is lost or made twice when everything fails.

    python bench/faults.py [--faults 1000] [--tables 6] [--seed 1] [--json]

The program starts two servers on a PostgreSQL of its own. Two people at every table play as fast as
they are answered, each at one of the servers, and switch servers when a connection is lost.

Meanwhile servers, database sessions and the database itself are paused (SIGSTOP) or killed (kill
-9). Connections to the database are cut or fall silent in the middle of a message. The clocks of
the servers jump by up to 400 days. Some moves are acknowledged between two faults.

At the end the events of every table are read from the database: there may be no gap. The moves of a
seat must be those it sent, in this order and once each: all that were acknowledged, none that was
refused, and any of those without an answer. Both servers must show the same game. Everything runs
on loopback, for a bounded time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg
import httpx2
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server_load import GAMES

import postgres
from foxclover.server.protocol.messages import PROTOCOL

LONGEST = 7_200.0  # seconds, whatever is asked for
PATIENCE = 8.0  # seconds for an answer
MOVES = 6  # at most that are waited for between two faults
WAIT = 2.0  # seconds at most for them
HEALING = 60.0  # seconds for everything to work again at the end
# seconds that a clock is ahead
JUMPS = (0.0, 0.0, -3_600.0, 3_600.0, -86_400.0, 90_000.0, 400 * 86_400.0, -400 * 86_400.0)
UNCERTAIN = ("not_saved", "store_away")  # refusals that leave open whether the move was made
LOST = (WebSocketException, OSError, TimeoutError, httpx2.HTTPError)
SOCKET = ".s.PGSQL.5432"
SERVER = """
import sys, time
from pathlib import Path

_, data, database, port, skew = sys.argv
real = time.time
time.time = lambda: real() + float(Path(skew).read_text())

from foxclover.locale import catalogue
from foxclover.server.errors import StartError
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.http.run import ServerSettings, serve

many = 1_000_000
limits = Limits(
    connections=many, connections_per_client=many, tables_per_client=many,
    requests_per_client=many, messages=many, messages_per_client=many, work_per_client=many,
    silence=300.0,
)
try:
    settings = ServerSettings("127.0.0.1", int(port), Path(data), database, limits=limits)
    serve(settings, catalogue("en"))
except StartError:  # the database is away: it is tried again
    sys.exit(1)
"""


class Link:
    """What is between the servers and the database.

    Forwards every connection until it is stopped.
    """

    def __init__(self, folder: Path, database: Path) -> None:
        self.folder = folder
        self.database = database
        self.carried: dict[asyncio.StreamWriter, asyncio.StreamWriter] = {}
        self.carrying: set[asyncio.Task[None]] = set()
        self.open = asyncio.Event()
        self.open.set()

    async def start(self) -> asyncio.Server:
        return await asyncio.start_unix_server(self.take, self.folder / SOCKET)

    def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self.carry(reader, writer))
        self.carrying.add(task)
        task.add_done_callback(self.carrying.discard)

    async def carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            from_database, to_database = await asyncio.open_unix_connection(self.database / SOCKET)
        except OSError:
            writer.transport.abort()
            return
        self.carried[writer] = to_database
        pumps = [
            asyncio.create_task(self.pump(*ends))
            for ends in ((reader, to_database), (from_database, writer))
        ]
        await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        self.cut(writer)
        await asyncio.gather(*pumps, return_exceptions=True)

    async def pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while data := await reader.read(4_096):
            await self.open.wait()
            writer.write(data)
            await writer.drain()

    def cut(self, writer: asyncio.StreamWriter) -> None:
        other = self.carried.pop(writer, None)
        for end in (writer, other):
            if end is not None:
                end.transport.abort()


@dataclass
class Server:
    """A server that is started again whenever it has ended."""

    folder: Path
    database: str
    port: int
    process: subprocess.Popen[bytes] | None = None
    starts: int = 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def set_clock(self, ahead: float) -> None:
        (self.folder / "new").write_text(str(ahead))
        (self.folder / "new").replace(self.folder / "skew")

    async def keep_running(self) -> None:
        program = self.folder / "server.py"
        program.write_text(SERVER)
        with (self.folder / "log").open("ab") as log:
            while True:
                if self.process is None or self.process.poll() is not None:
                    self.starts += 1
                    command = [
                        sys.executable,
                        str(program),
                        str(self.folder / "data"),
                        self.database,
                        str(self.port),
                        str(self.folder / "skew"),
                    ]
                    self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)
                await asyncio.sleep(0.05)

    def signal(self, number: int) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def complaints(self) -> Counter[str]:
        """What the server has logged as an error, by event."""
        lines = (self.folder / "log").read_text().splitlines()
        parsed = [orjson.loads(line) for line in lines if line.startswith("{")]
        found = Counter(str(line["event"]) for line in parsed if line["level"] == "error")
        return found + Counter({"no JSON": len(lines) - len(parsed)})


@dataclass
class Sent:
    """A move that was sent; without an answer it may have been made."""

    text: str
    acknowledged: bool = False
    refused: bool = False


def is_made_of(moves: list[str], sent: list[Sent]) -> bool:
    """Whether a seat's moves are what it sent.

    All that was acknowledged, nothing that was refused, in the same order.
    """
    ways = {0}  # how many of the moves are explained by what was sent so far
    for move in (move for move in sent if not move.refused):
        with_it = {way + 1 for way in ways if moves[way : way + 1] == [move.text]}
        ways = with_it if move.acknowledged else ways | with_it
    return len(moves) in ways


@dataclass
class Player:
    """One person of a table, at any server that answers."""

    code: str
    seat: int
    token: str
    chance: random.Random
    refusals: Counter[str]
    sent: list[Sent] = field(default_factory=list)
    socket: ClientConnection | None = None
    state: dict[str, Any] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    ref: int = 0

    async def read(self, *types: str) -> dict[str, Any]:
        assert self.socket is not None
        while True:
            async with asyncio.timeout(PATIENCE):
                message: dict[str, Any] = orjson.loads(await self.socket.recv())
            if message["type"] == "state":
                self.state = message
                self.log[message["log_from"] :] = [entry["text"] for entry in message["log"]]
            if message["type"] == "refused":
                self.refusals[message["reason"]] += 1
            if message["type"] in types:
                return message

    async def sit_down(self, server: Server) -> None:
        await self.leave()
        async with asyncio.timeout(PATIENCE):
            self.socket = await connect(
                f"ws://{server.address}/ws/{self.code}", compression=None, proxy=None
            )
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "tokens": [self.token],
            "language": "en",
            "seq": -1,
        }
        await self.socket.send(orjson.dumps(hello).decode())
        if (await self.read("state", "refused", "bye"))["type"] != "state":
            raise TimeoutError

    async def leave(self) -> None:
        if self.socket is not None:
            self.socket.transport.abort()
            self.socket = None

    async def act(self) -> None:
        """Do whatever can be done now, and note it when it is acknowledged.

        Else wait for another state.
        """
        assert self.socket is not None
        moves = next(
            (offered["moves"] for offered in self.state["moves"] if offered["seat"] == self.seat),
            [],
        )
        self.ref += 1
        payload: dict[str, Any] = {"ref": self.ref, "seq": self.state["seq"], "seat": self.seat}
        if self.seat in self.state["rollers"]:
            payload |= {"type": "roll", "salt": self.chance.randbytes(16).hex()}
        elif moves:
            chosen = self.chance.choice(moves)
            payload |= {"type": "move", "move": chosen["id"]}
            self.sent.append(Sent(chosen["text"]))
        else:
            await self.read("state")
            return
        await self.socket.send(orjson.dumps(payload).decode())
        while (answer := await self.read("ack", "refused"))["ref"] != self.ref:
            pass  # a message without a request
        if answer["type"] == "refused":
            if payload["type"] == "move":
                self.sent[-1].refused = answer["reason"] not in UNCERTAIN
            with suppress(TimeoutError):
                async with asyncio.timeout(0.3):  # for what is new, if there is something
                    await self.read("state")
            return
        if payload["type"] == "move":
            self.sent[-1].acknowledged = True
        while self.state["seq"] < answer["seq"]:
            await self.read("state")

    async def play(self, servers: list[Server], ended: asyncio.Event) -> None:
        while not ended.is_set() and not self.state.get("over"):
            with suppress(*LOST):
                await self.sit_down(self.chance.choice(servers))
                while not ended.is_set() and not self.state["over"]:
                    await self.act()
            await asyncio.sleep(0.05)
        await self.leave()


class Run:
    """Games that are played while things fail."""

    def __init__(self, cluster: postgres.Cluster, folder: Path, seed: int) -> None:
        self.cluster = cluster
        self.chance = random.Random(seed)
        self.url = cluster.database()
        self.link = Link(folder, cluster.folder)
        through = self.url.replace(str(cluster.folder), str(folder))
        self.servers = [Server(folder / name, through, free_port()) for name in ("left", "right")]
        self.tables: list[list[Player]] = []
        self.refusals = Counter[str]()
        self.faults = Counter[str]()
        self.ended = asyncio.Event()
        self.later: set[asyncio.Task[None]] = set()  # ends of faults that last
        self.kinds: dict[str, tuple[int, Callable[[], Awaitable[None]]]] = {
            "server stopped": (20, self.stop_server),
            "server killed": (6, self.kill_server),
            "session stopped": (15, self.stop_session),
            "session ended": (15, self.end_session),
            "connection cut": (20, self.cut_connection),
            "all connections cut": (5, self.cut_all),
            "network silent": (10, self.fall_silent),
            "clock set": (15, self.set_clock),
            "database killed": (1, self.kill_database),
        }

    @property
    def acknowledged(self) -> int:
        return sum(
            sent.acknowledged for table in self.tables for player in table for sent in player.sent
        )

    # --- faults

    def undo_later(self, longest: float, undo: Callable[[], None]) -> None:
        async def wait() -> None:
            await asyncio.sleep(self.chance.uniform(0.02, longest))
            undo()

        task = asyncio.create_task(wait())
        self.later.add(task)
        task.add_done_callback(self.later.discard)

    async def stop_server(self) -> None:
        server = self.chance.choice(self.servers)
        server.signal(signal.SIGSTOP)
        self.undo_later(1.5, lambda: server.signal(signal.SIGCONT))

    async def kill_server(self) -> None:
        self.chance.choice(self.servers).signal(signal.SIGKILL)

    async def sessions(self) -> list[int]:
        """The database's processes that work for the servers."""
        admin = await asyncpg.connect(self.url, timeout=PATIENCE)
        try:
            rows = await admin.fetch(
                "SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' "
                "AND pid <> pg_backend_pid()"
            )
        finally:
            await admin.close(timeout=PATIENCE)
        return sorted(row[0] for row in rows)

    async def stop_session(self) -> None:
        if found := await self.sessions():
            pid = self.chance.choice(found)

            def go_on() -> None:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)

            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGSTOP)
            self.undo_later(1.5, go_on)

    async def end_session(self) -> None:
        if found := await self.sessions():
            with suppress(ProcessLookupError):
                os.kill(self.chance.choice(found), signal.SIGTERM)  # as pg_terminate_backend does

    async def cut_connection(self) -> None:
        if self.link.carried:
            self.link.cut(self.chance.choice(list(self.link.carried)))

    async def cut_all(self) -> None:
        for writer in list(self.link.carried):
            self.link.cut(writer)

    async def fall_silent(self) -> None:
        self.link.open.clear()
        self.undo_later(1.5, self.link.open.set)

    async def set_clock(self) -> None:
        self.chance.choice(self.servers).set_clock(self.chance.choice(JUMPS))

    async def kill_database(self) -> None:
        await asyncio.to_thread(self.cluster.kill)
        await asyncio.to_thread(self.cluster.start)

    # --- play

    async def open_table(self, number: int) -> list[Player]:
        payload = {
            "game": GAMES[number % len(GAMES)],
            "seats": [{"kind": "me"}, {"kind": "here"}],
            "options": {"seed": self.chance.randrange(1 << 30)},
        }
        while True:
            server = self.chance.choice(self.servers)
            with suppress(*LOST):
                async with httpx2.AsyncClient(
                    base_url=f"http://{server.address}", trust_env=False, timeout=PATIENCE
                ) as client:
                    answer = await client.post("/api/tables", json=payload)
                    if answer.status_code == 201:
                        made = answer.json()
                        seats = [(seat["seat"], seat["token"]) for seat in made["seats"]]
                        return [
                            Player(
                                made["table"],
                                *seat,
                                random.Random(self.chance.random()),
                                self.refusals,
                            )
                            for seat in seats
                        ]
            await asyncio.sleep(0.2)

    async def keep_playing(self, number: int) -> None:
        while not self.ended.is_set():
            players = await self.open_table(number)
            self.tables.append(players)
            await asyncio.gather(*(player.play(self.servers, self.ended) for player in players))

    async def wait_for_moves(self) -> None:
        wanted, deadline = (
            self.acknowledged + self.chance.randint(1, MOVES),
            time.monotonic() + WAIT,
        )
        while self.acknowledged < wanted and time.monotonic() < deadline:
            await asyncio.sleep(0.005)

    async def fail_and_play(self, faults: int, tables: int) -> dict[str, Any]:
        carrying = await self.link.start()
        for server in self.servers:
            server.folder.mkdir()
            server.set_clock(0.0)
        running = [asyncio.create_task(server.keep_running()) for server in self.servers]
        playing = [asyncio.create_task(self.keep_playing(number)) for number in range(tables)]
        began = time.monotonic()
        names, weights = list(self.kinds), [weight for weight, _ in self.kinds.values()]
        try:
            while self.faults.total() < faults and time.monotonic() - began < LONGEST:
                await self.wait_for_moves()
                name = self.chance.choices(names, weights)[0]
                with suppress(OSError, TimeoutError, asyncpg.PostgresError, asyncpg.InterfaceError):
                    await self.kinds[name][1]()
                    self.faults[name] += 1
            await asyncio.gather(*self.later)
            await self.heal()
            self.ended.set()
            await asyncio.gather(*playing)
            wrong = await self.check()
        finally:
            for task in (*running, *playing):
                task.cancel()
            await asyncio.gather(*running, *playing, return_exceptions=True)
            for server in self.servers:
                server.signal(signal.SIGKILL)
            carrying.close()
            await asyncio.gather(*self.link.carrying)
        return {
            "faults": self.faults.total(),
            **{f"  {name}": count for name, count in sorted(self.faults.items())},
            "server starts": sum(server.starts for server in self.servers),
            "tables": len(self.tables),
            "acknowledged moves": self.acknowledged,
            "moves without answer": sum(
                not (sent.acknowledged or sent.refused)
                for table in self.tables
                for player in table
                for sent in player.sent
            ),
            "lost or twice": len(wrong),
            **{f"  {line}": "" for line in wrong[:20]},
            "refusals": dict(self.refusals.most_common()),
            "errors logged": dict(
                sum((server.complaints() for server in self.servers), Counter[str]()).most_common()
            ),
            "seconds": round(time.monotonic() - began, 1),
            "machine load": round(os.getloadavg()[0], 1),
        }

    # --- the checker

    async def heal(self) -> None:
        """Wait until both servers say that they are well."""
        deadline = time.monotonic() + HEALING
        for server in self.servers:
            server.set_clock(0.0)
            while True:
                with suppress(*LOST):
                    async with httpx2.AsyncClient(
                        base_url=f"http://{server.address}", trust_env=False, timeout=PATIENCE
                    ) as client:
                        if (await client.get("/api/health")).status_code == 200:
                            break
                assert time.monotonic() < deadline, "a server does not recover"
                await asyncio.sleep(0.2)

    async def check(self) -> list[str]:
        """Everything that is wrong."""
        wrong: list[str] = []
        database = await asyncpg.connect(self.url)
        for table in self.tables:
            code = table[0].code
            rows = await database.fetch(
                "SELECT seq, seat, text FROM events WHERE code = $1 ORDER BY seq", code
            )
            if [row["seq"] for row in rows] != list(range(len(rows))):
                wrong.append(f"{code}: a place is empty")
            for player in table:
                moves = [row["text"] for row in rows if row["seat"] == player.seat]
                if not is_made_of(moves, player.sent):
                    wrong.append(
                        f"{code}: of seat {player.seat} are kept {moves}, of {player.sent}"
                    )
            shown = []
            for server in self.servers:
                for _ in range(5):
                    with suppress(*LOST):
                        await table[0].sit_down(server)
                        shown.append(list(table[0].log))
                        break
            await table[0].leave()
            if len(shown) != len(self.servers) or any(log != shown[0] for log in shown):
                wrong.append(f"{code}: the servers do not show one game")
        await database.close()
        return wrong


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--faults", type=int, default=1_000)
    parser.add_argument("--tables", type=int, default=6, help="that are played at a time")
    parser.add_argument("--seed", type=int, default=1, help="of the faults")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with (
        postgres.cluster() as cluster,
        tempfile.TemporaryDirectory(prefix="foxclover-faults-") as folder,
    ):
        result = asyncio.run(
            Run(cluster, Path(folder), args.seed).fail_and_play(args.faults, args.tables)
        )
    print(
        orjson.dumps(result).decode()
        if args.json
        else "\n".join(f"{name:24}{value}" for name, value in result.items())
    )
    sys.exit(1 if result["lost or twice"] else 0)


if __name__ == "__main__":
    main()
