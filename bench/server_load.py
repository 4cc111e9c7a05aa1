"""How fast is a move when many tables are live? Two people at each table, all on loopback, for a bounded time.

    python bench/server_load.py [--tables 200] [--seconds 20] [--think 2.0] [--json]

One process runs the server on one core, another one plays all seats. A round trip is the time from sending a move to having read
both its acknowledgement and the state that follows. The lag tells how late this program itself was woken up.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx2
from websockets.asyncio.client import ClientConnection, connect

from foxclover.game import games
from foxclover.server.protocol import PROTOCOL

GAMES = games()
LONGEST = 120.0  # seconds, whatever is asked for
SERVER = """
import os, sys
from pathlib import Path
from foxclover.locale import catalogue
from foxclover.server.limits import Limits
from foxclover.server.run import serve
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
limits = Limits(connections=5000, connections_per_client=5000, tables_per_client=5000, requests_per_client=50000)
serve("127.0.0.1", 0, Path(sys.argv[1]), False, catalogue("en"), limits)
"""


class Guest:
    """One person at a table: acts whenever she can, after thinking."""

    def __init__(self, socket: ClientConnection, think: float, trips: list[float]) -> None:
        self.socket = socket
        self.think = think
        self.trips = trips
        self.state: dict[str, Any] = {}
        self.ref = 0

    async def play(self, token: str, until: float) -> None:
        await self.send(
            {"type": "hello", "protocol": PROTOCOL, "tokens": [token], "language": random.choice(["de", "en", "nl"]), "seq": -1}
        )
        await self.read("state")
        seat = self.state["you"][0]
        await asyncio.sleep(random.uniform(0, self.think))
        while time.monotonic() < until and not self.state["over"]:
            request = self.choice(seat)
            if request is None:
                if not await self.wait(until):
                    return
                continue
            began = time.perf_counter()
            await self.send(request)
            answer = await self.read("ack", "refused")
            if answer["type"] == "ack":
                while self.state["seq"] < answer["seq"]:
                    await self.read("state")
                self.trips.append(time.perf_counter() - began)
            elif answer["reason"] == "stale":
                await self.wait(until, 0.2)
            else:
                raise RuntimeError(answer)
            await asyncio.sleep(random.uniform(0.5, 1.5) * self.think)

    def choice(self, seat: int) -> dict[str, Any] | None:
        self.ref += 1
        at = {"ref": self.ref, "seq": self.state["seq"], "seat": seat}
        if seat in self.state["rollers"]:
            return {"type": "roll", **at}
        offered = [entry["moves"] for entry in self.state["moves"] if entry["seat"] == seat]
        return {"type": "move", **at, "move": random.choice(offered[0])["id"]} if offered else None

    async def wait(self, until: float, longest: float = LONGEST) -> bool:
        try:
            async with asyncio.timeout(min(longest, until - time.monotonic())):
                await self.read("state")
        except TimeoutError:
            return longest < LONGEST
        return True

    async def send(self, message: dict[str, Any]) -> None:
        await self.socket.send(json.dumps(message))

    async def read(self, *types: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = json.loads(await self.socket.recv())
            if message["type"] == "state":
                self.state = message
            if message["type"] in types:
                return message


async def play_all(address: str, tables: int, seconds: float, think: float, pid: int) -> dict[str, float]:
    """Open the tables and sockets, then let everybody play."""
    trips: list[float] = []
    lags: list[float] = []
    seats: list[tuple[str, str]] = []
    async with httpx2.AsyncClient(base_url=address, trust_env=False) as client:
        for number in range(tables):
            wish = {"game": GAMES[number % len(GAMES)], "seats": [{"kind": "me"}, {"kind": "here"}]}
            created = (await client.post("/api/tables", json=wish)).json()
            seats += [(created["table"], seat["token"]) for seat in created["seats"]]
    base = "ws" + address.removeprefix("http")
    sockets = [await connect(f"{base}ws/{code}", compression=None, proxy=None) for code, _ in seats]
    until = time.monotonic() + seconds
    guests = [Guest(socket, think, trips).play(token, until) for socket, (_, token) in zip(sockets, seats, strict=True)]
    used = processor_seconds(pid)
    await asyncio.gather(notice_lag(until, lags), *guests)
    used = processor_seconds(pid) - used
    for socket in sockets:
        await socket.close()
    cuts, lag_cuts = statistics.quantiles(trips, n=100), statistics.quantiles(lags, n=100)
    return {
        "tables": tables,
        "sockets": len(sockets),
        "moves_per_s": round(len(trips) / seconds, 1),
        "p50_ms": round(cuts[49] * 1000, 2),
        "p99_ms": round(cuts[98] * 1000, 2),
        "max_ms": round(max(trips) * 1000, 2),
        "server_cpu_ms_per_move": round(used / len(trips) * 1000, 2),
        "memory_mb": round(memory(pid), 1),
        "machine_lag_p50_ms": round(lag_cuts[49] * 1000, 2),
        "machine_lag_p99_ms": round(lag_cuts[98] * 1000, 2),
        "machine_load": round(os.getloadavg()[0], 1),
    }


async def notice_lag(until: float, lags: list[float]) -> None:
    """Sleep a millisecond again and again: how late one wakes up is the machine's doing, not the server's."""
    while time.monotonic() < until:
        began = time.perf_counter()
        await asyncio.sleep(0.001)
        lags.append(time.perf_counter() - began - 0.001)


def processor_seconds(pid: int) -> float:
    """What a process has used so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Most megabytes a process has held."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def measure(tables: int, seconds: float, think: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as data:
        server = subprocess.Popen([sys.executable, "-c", SERVER, data], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert server.stdout is not None
        try:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            return asyncio.run(play_all(found[0], tables, min(seconds, LONGEST), think, server.pid))
        finally:
            server.terminate()
            server.wait(20)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--think", type=float, default=2.0, help="seconds a person thinks on average")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    result = measure(args.tables, args.seconds, args.think)
    print(json.dumps(result) if args.json else "\n".join(f"{name:24}{value}" for name, value in result.items()))


if __name__ == "__main__":
    main()
