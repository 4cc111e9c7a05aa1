"""Check that nothing is lost or doubled when processes are killed in the middle of play.

    python bench/kill.py [--kills 100] [--tables 6] [--json]

The program starts a server of two processes on a PostgreSQL of its own. Players at some tables move
as fast as they are answered and reconnect when their connection is lost. After a few acknowledged
moves, a random process of the server is killed (kill -9), one time in twelve PostgreSQL itself, as
in a power cut. At the end the log of a table must contain every acknowledged move once, at the
place it was acknowledged for. Everything runs on loopback, for a bounded time.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server_load import GAMES, SERVER, end, family

import postgres
from foxclover.server.protocol.messages import PROTOCOL

LONGEST = 3_600.0  # seconds, whatever is asked for
DATABASE_TOO = 12  # one kill in so many takes the database
REST = 0.1  # seconds at most between the last move that was waited for and the kill
MOVES = 15  # at most that are waited for before a kill
PATIENCE = 30.0  # seconds for them
CHANCE = random.Random(20)


@dataclass
class Played:
    """A table and what was acknowledged at it."""

    code: str
    tokens: list[str]
    acknowledged: list[tuple[int, str]] = field(default_factory=list)
    socket: ClientConnection | None = None
    state: dict[str, Any] = field(default_factory=dict)
    log: list[str] = field(default_factory=list)
    ref: int = 0

    async def read(self, *types: str) -> dict[str, Any]:
        assert self.socket is not None
        while True:
            async with asyncio.timeout(15):
                message: dict[str, Any] = orjson.loads(await self.socket.recv())
            if message["type"] == "state":
                self.state = message
                self.log[message["log_from"] :] = [entry["text"] for entry in message["log"]]
            if message["type"] in types:
                return message

    async def sit_down(self, base: str) -> None:
        self.socket = await connect(f"{base}ws/{self.code}", compression=None, proxy=None)
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "tokens": self.tokens,
            "language": "en",
            "seq": -1,
        }
        await self.socket.send(orjson.dumps(hello).decode())
        while (await self.read("state", "refused"))["type"] == "refused":
            await asyncio.sleep(0.2)
            await self.socket.send(orjson.dumps(hello).decode())

    async def come_back(self, base: str) -> None:
        """Sit down as soon as there is a server again."""
        while True:
            with suppress(WebSocketException, OSError):
                return await self.sit_down(base)
            await asyncio.sleep(0.2)

    async def move(self) -> None:
        """Do whatever can be done, and note it when it is acknowledged."""
        assert self.socket is not None
        self.ref += 1
        at = {"ref": self.ref, "seq": self.state["seq"]}
        if self.state["rollers"]:
            request: dict[str, Any] = {
                "type": "roll",
                **at,
                "seat": self.state["rollers"][0],
                "salt": CHANCE.randbytes(16).hex(),
            }
            text = ""
        else:
            offered = self.state["moves"][0]
            chosen = CHANCE.choice(offered["moves"])
            request, text = (
                {"type": "move", **at, "seat": offered["seat"], "move": chosen["id"]},
                chosen["text"],
            )
        await self.socket.send(orjson.dumps(request).decode())
        while (answer := await self.read("ack", "refused"))["ref"] != self.ref:
            pass  # a message without a request
        if answer["type"] == "refused":
            await asyncio.sleep(0.1)
            return
        if text:
            self.acknowledged.append((answer["seq"], text))
        while self.state["seq"] < answer["seq"]:
            await self.read("state")

    async def play(self, base: str, ended: asyncio.Event) -> None:
        while not ended.is_set():
            with suppress(WebSocketException, OSError, TimeoutError):
                await self.sit_down(base)
                while not ended.is_set() and not self.state["over"]:
                    await self.move()
                if self.state["over"]:
                    return
            await asyncio.sleep(0.05)

    def lost(self) -> list[tuple[int, str]]:
        """What was acknowledged and is not there, or not there once."""
        wrong = [
            (seq, text)
            for seq, text in self.acknowledged
            if text not in self.log[max(0, seq - 3) : seq]
        ]
        places = [seq for seq, _ in self.acknowledged]
        return wrong + [(seq, "twice") for seq in set(places) if places.count(seq) > 1]


def count(played: list[Played]) -> int:
    return sum(len(table.acknowledged) for table in played)


async def open_table(address: str, number: int) -> Played:
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=20) as client:
        payload = {"game": GAMES[number % len(GAMES)], "seats": [{"kind": "me"}, {"kind": "here"}]}
        while True:
            with suppress(httpx2.HTTPError):
                answer = await client.post("/api/tables", json=payload)
                if answer.status_code == 201:
                    made = answer.json()
                    return Played(made["table"], [seat["token"] for seat in made["seats"]])
            await asyncio.sleep(0.2)


async def kill_and_play(
    address: str, pid: int, cluster: postgres.Cluster, kills: int, tables: int
) -> dict[str, Any]:
    base = "ws" + address.removeprefix("http")
    ended = asyncio.Event()
    played: list[Played] = []

    async def keep_playing(number: int) -> None:
        while not ended.is_set():
            table = await open_table(address, number)
            played.append(table)
            await table.play(base, ended)

    tasks = [asyncio.create_task(keep_playing(number)) for number in range(tables)]
    began, done, databases = time.monotonic(), 0, 0
    while done < kills and time.monotonic() - began < LONGEST:
        wanted, deadline = count(played) + CHANCE.randint(1, MOVES), time.monotonic() + PATIENCE
        while count(played) < wanted and time.monotonic() < deadline:
            await asyncio.sleep(0.005)
        await asyncio.sleep(CHANCE.uniform(0.0, REST))
        if CHANCE.randrange(DATABASE_TOO) == 0:
            await asyncio.to_thread(cluster.kill)
            await asyncio.to_thread(cluster.start)
            databases += 1
            done += 1
        else:
            serving = [member for member in family(pid) if member != pid]
            if serving:
                with suppress(ProcessLookupError):
                    os.kill(CHANCE.choice(serving), signal.SIGKILL)
                    done += 1
    await asyncio.sleep(2.0)
    ended.set()
    await asyncio.gather(*tasks)
    wrong = []
    for table in played:
        async with asyncio.timeout(60):
            await table.come_back(base)
        wrong += [(table.code, *entry) for entry in table.lost()]
    return {
        "kills": done,
        "of_them_the_database": databases,
        "tables": len(played),
        "acknowledged": count(played),
        "lost_or_twice": len(wrong),
        "seconds": round(time.monotonic() - began, 1),
        "machine_load": round(os.getloadavg()[0], 1),
    }


def measure(kills: int, tables: int) -> dict[str, Any]:
    with postgres.cluster() as cluster, tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "server.py"
        program.write_text(SERVER)
        command = [sys.executable, str(program), f"{folder}/data", cluster.database(), "2"]
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert server.stdout is not None
        try:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            return asyncio.run(kill_and_play(found[0], server.pid, cluster, kills, tables))
        finally:
            end(server)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--tables", type=int, default=6, help="that are played at a time")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    result = measure(args.kills, args.tables)
    print(
        orjson.dumps(result).decode()
        if args.json
        else "\n".join(f"{name:24}{value}" for name, value in result.items())
    )
    sys.exit(1 if result["lost_or_twice"] else 0)


if __name__ == "__main__":
    main()
