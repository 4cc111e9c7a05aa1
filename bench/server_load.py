"""Measure how fast a move is when many tables are live, with two players at each table.

    python bench/server_load.py [--tables 200] [--seconds 40] [--think 2.0] [--processes 1]
                                [--database URL] [--json]

The server runs on one core, or on one core per process, which needs a database. Another process
plays all seats over loopback. A round trip is the time from sending a move to reading both its
acknowledgement and the next state. The lag is the delay of this program's own timer. A tenth of the
tables play from the start; then all others say hello at once, and the effect on the first tables is
reported as "storm". The figures of all tables start 20 seconds later.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import httpx2
import orjson
from websockets.asyncio.client import ClientConnection, connect

from foxclover.core.game import game_names
from foxclover.server.protocol.messages import PROTOCOL

GAMES = game_names()
LONGEST = 180.0  # seconds, whatever is asked for
CALM = 5.0  # seconds that the first tables play alone
SETTLING = 20.0  # seconds after the storm that do not count
AT_ONCE = 100  # sockets that are opened at a time
SERVER = """
import os, sys
from pathlib import Path
from foxclover.locale import catalogue
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.http.run import ServerSettings, serve

if __name__ == "__main__":
    data, database, processes = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:processes]))
    many = 1_000_000
    limits = Limits(
        connections=many, connections_per_client=many, tables_per_client=many,
        requests_per_client=many, messages_per_client=many, work_per_client=many, silence=300.0,
    )
    settings = ServerSettings("127.0.0.1", 0, data, database, limits=limits, workers=processes)
    serve(settings, catalogue("en"))
"""


class Guest:
    """A player at a table, who acts as soon as they can, after thinking."""

    def __init__(
        self, socket: ClientConnection, think: float, trips: list[tuple[float, float]]
    ) -> None:
        self.socket = socket
        self.think = think
        self.trips = trips
        self.state: dict[str, Any] = {}
        self.ref = 0

    async def sit_down(self, token: str) -> None:
        language = random.choice(["de", "en", "nl"])
        await self.send(
            {
                "type": "hello",
                "protocol": PROTOCOL,
                "tokens": [token],
                "language": language,
                "seq": -1,
            }
        )
        await self.read("state")

    async def play(self, until: float) -> None:
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
                self.trips.append((time.monotonic(), time.perf_counter() - began))
            elif answer["reason"] == "stale":
                await self.wait(until, 0.2)
            else:
                raise RuntimeError(answer)
            await asyncio.sleep(random.uniform(0.5, 1.5) * self.think)

    def choice(self, seat: int) -> dict[str, Any] | None:
        self.ref += 1
        at = {"ref": self.ref, "seq": self.state["seq"], "seat": seat}
        if seat in self.state["rollers"]:
            return {"type": "roll", **at, "salt": random.randbytes(16).hex()}
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
        await self.socket.send(orjson.dumps(message).decode())

    async def read(self, *types: str) -> dict[str, Any]:
        while True:
            message: dict[str, Any] = orjson.loads(await self.socket.recv())
            if message["type"] == "state":
                self.state = message
            if message["type"] in types:
                return message


async def play_all(
    address: str, tables: int, seconds: float, think: float, pid: int
) -> dict[str, Any]:
    """Open the tables and sockets, play at the first ones, then at all."""
    trips: list[tuple[float, float]] = []
    lags: list[float] = []
    async with httpx2.AsyncClient(base_url=address, trust_env=False) as client:
        seats: list[tuple[str, str]] = []
        for number in range(tables):
            payload = {
                "game": GAMES[number % len(GAMES)],
                "seats": [{"kind": "me"}, {"kind": "here"}],
            }
            created = (await client.post("/api/tables", json=payload)).json()
            seats += [(created["table"], seat["token"]) for seat in created["seats"]]
    base = "ws" + address.removeprefix("http")
    sockets: list[ClientConnection] = []
    for first in range(0, len(seats), AT_ONCE):
        opening = [
            connect(f"{base}ws/{code}", compression=None, proxy=None)
            for code, _ in seats[first : first + AT_ONCE]
        ]
        sockets += await asyncio.gather(*opening)
    guests = [Guest(socket, think, trips) for socket in sockets]
    early = 2 * max(1, tables // 10)
    until = time.monotonic() + min(LONGEST, CALM + SETTLING + seconds + tables / 50)
    await asyncio.gather(
        *(guest.sit_down(token) for guest, (_, token) in zip(guests[:early], seats, strict=False))
    )
    playing = [asyncio.create_task(guest.play(until + LONGEST)) for guest in guests[:early]]
    await asyncio.sleep(CALM)
    storm = time.monotonic()
    await asyncio.gather(
        *(
            guest.sit_down(token)
            for guest, (_, token) in zip(guests[early:], seats[early:], strict=True)
        )
    )
    calm = time.monotonic()
    playing += [asyncio.create_task(guest.play(until + LONGEST)) for guest in guests[early:]]
    await asyncio.sleep(SETTLING)
    processes = len(family(pid))
    shares_before = await moves_by_process(address, processes)
    steady, used = time.monotonic(), [processor_seconds(member) for member in family(pid)]
    until = max(until, steady + seconds)
    lag = asyncio.create_task(notice_lag(until, lags))
    await asyncio.sleep(until - steady)
    spent = sum(processor_seconds(member) for member in family(pid)) - sum(used)
    ended, shares = time.monotonic(), await moves_by_process(address, processes)
    await lag
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for socket in sockets:
        await socket.close()
    moves = [trip for at, trip in trips if steady <= at <= ended]
    in_storm = [trip for at, trip in trips if storm <= at <= calm + 1]
    made = [count - shares_before.get(process, 0) for process, count in shares.items()]
    return {
        "tables": tables,
        "sockets": len(sockets),
        "moves_per_s": round(len(moves) / (ended - steady), 1),
        **percentiles("", moves),
        "server_cpu_ms_per_move": round(spent / len(moves) * 1000, 2),
        "memory_mb": round(max(memory(member) for member in family(pid)), 1),
        "largest_share_of_a_process": round(max(made) / sum(made), 2),
        "storm_s": round(calm - storm, 2),
        **percentiles("storm_", in_storm),
        "machine_lag_p99_ms": round(statistics.quantiles(lags, n=100)[98] * 1000, 2),
        "machine_load": round(os.getloadavg()[0], 1),
    }


def percentiles(name: str, trips: list[float]) -> dict[str, float]:
    if len(trips) < 2:
        return {}
    cuts = statistics.quantiles(trips, n=100)
    return {
        f"{name}p50_ms": round(cuts[49] * 1000, 2),
        f"{name}p99_ms": round(cuts[98] * 1000, 2),
        f"{name}max_ms": round(max(trips) * 1000, 2),
    }


async def moves_by_process(address: str, processes: int) -> dict[int, int]:
    """Read the metrics over new connections until each process has answered."""
    found: dict[int, int] = {}
    while len(found) < processes:
        async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as client:
            text = (await client.get("/metrics")).text
        numbers = dict(
            re.findall(r"^foxclover_(process_id|moves_total) (\S+)$", text, re.MULTILINE)
        )
        found[int(float(numbers["process_id"]))] = int(float(numbers["moves_total"]))
    return found


async def notice_lag(until: float, lags: list[float]) -> None:
    """Sleep a millisecond again and again, and note the delay that the machine causes."""
    while time.monotonic() < until:
        began = time.perf_counter()
        await asyncio.sleep(0.001)
        lags.append(time.perf_counter() - began - 0.001)


def family(pid: int) -> list[int]:
    """Return the processes of the server or its workers, without computer players."""
    children = [
        int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    ]
    serving = [child for child in children if has_sockets(child)]
    return serving or [pid]


def has_sockets(pid: int) -> bool:
    """Return whether a process listens; computer players' processes do not."""
    wanted = {
        f"socket:[{line.split()[9]}]"
        for line in Path("/proc/net/tcp").read_text().splitlines()[1:]
        if line.split()[3] == "0A"
    }
    try:
        return any(str(handle.readlink()) in wanted for handle in Path(f"/proc/{pid}/fd").iterdir())
    except OSError:
        return False


def processor_seconds(pid: int) -> float:
    """Return the processor time of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Return the peak memory of a process in megabytes."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


def measure(
    tables: int, seconds: float, think: float, processes: int, database: str
) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "server.py"
        program.write_text(SERVER)
        command = [sys.executable, str(program), f"{folder}/data", database, str(processes)]
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert server.stdout is not None
        try:
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found
            return asyncio.run(play_all(found[0], tables, seconds, think, server.pid))
        finally:
            end(server)


def end(server: subprocess.Popen[str]) -> None:
    """Stop a server, in good order if possible."""
    server.terminate()
    try:
        server.wait(30)
    except subprocess.TimeoutExpired:
        server.kill()


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=40.0, help="that are measured")
    parser.add_argument(
        "--think", type=float, default=2.0, help="seconds a person thinks on average"
    )
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--database", default="", help="postgresql://..., else a file of SQLite")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(None if arguments is None else list(arguments))
    gc.disable()  # else the pauses of this program count as the server's
    result = measure(args.tables, args.seconds, args.think, args.processes, args.database)
    print(
        orjson.dumps(result).decode()
        if args.json
        else "\n".join(f"{name:28}{value}" for name, value in result.items())
    )


if __name__ == "__main__":
    main()
