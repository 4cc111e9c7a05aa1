"""Measure whether notices delay moves: 10,000 subscriptions, with dead and slow push services.

    python bench/notify.py [--subscriptions 10000] [--tables 40] [--seconds 60] [--json]

All subscriptions are due at one moment. Of a hundred, 85 push services accept the notice, 5 have
deleted the subscription (410), 5 never answer, and 5 redirect to a private address. Meanwhile two
players play at each of the tables, as in ``server_load.py``.

The sender is stopped in every other second, so that both kinds of seconds see the same load of the
machine. A round trip is the time from sending a move to reading both its acknowledgement and the
next state, if both are in one second. A ratio compares a second of sending with the quiet one
before it: the mean of the logarithms over all pairs, with its standard error.

Two figures do not depend on the load at all. The processor time of a notice is what the event
loop's thread uses more in seconds of sending. A step is the processor time for which a notice holds
the event loop at once.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import multiprocessing
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import httpx2
import orjson
from server_load import GAMES, Guest, end, percentiles
from websockets.asyncio.client import connect

from foxclover.server.notify.web_push import new_private_key, public_key
from foxclover.server.protocol.identifiers import token_key
from foxclover.server.stores.sqlite_files import FILE

OF_A_TABLE = 20  # subscriptions, as many as the server allows
SETTLING = 40.0  # seconds from the start of the server to the notices, at least
CATCHING_UP = 4.0  # seconds from the notices to the first measurement
THINK = 1.0  # seconds that a player thinks on average
ANSWERS = {
    "accepts": b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n",
    "gone": b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n",
    "silent": b"",
    "redirects": b"HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/\r\ncontent-length: 0\r\n\r\n",
}
SHARES = {"accepts": 85, "gone": 5, "silent": 5, "redirects": 5}  # of a hundred
SLICE = 1.0  # seconds of sending, and as many without
SERVER = """
import asyncio, sys, time, types
from pathlib import Path
from foxclover.locale import catalogue
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.http.run import ServerSettings, serve
from foxclover.server.notify import sender

give_way = sender._give_way

async def give_way_in_turns():
    await give_way()
    while time.time() // SLICE % 2:
        await asyncio.sleep(SLICE - time.time() % SLICE)

sender._give_way = give_way_in_turns
steps = []

@types.coroutine
def timed(work):
    step, value = work.send, None
    while True:
        began = time.thread_time()
        try:
            waits_for = step(value)
        except StopIteration as ended:
            return ended.value
        finally:
            steps.append(time.thread_time() - began)
        try:
            step, value = work.send, (yield waits_for)
        except BaseException as error:
            step, value = work.throw, error

async def handle_timed(*arguments, handle=sender.Sender._handle):
    return await timed(handle(*arguments))

sender.Sender._handle = handle_timed
many = 1_000_000
limits = Limits(
    connections_per_client=many, tables_per_client=many, requests_per_client=many,
    messages_per_client=many, work_per_client=many, silence=300.0,
)
settings = ServerSettings(
    "127.0.0.1", 0, Path(sys.argv[1]), limits=limits, notify=True, notify_hosts=tuple(sys.argv[2:])
)
serve(settings, catalogue("en"))
steps = sorted(steps)[-(len(steps) // 1000 + 1):]
Path(sys.argv[1], "steps").write_text(f"{steps[0]} {steps[-1]}")
""".replace("SLICE", str(SLICE))


def push_services(ready: Connection) -> None:
    """Answer as push services in a process of its own; send the number of requests at each."""
    counts = dict.fromkeys(ANSWERS, 0)

    async def serve() -> None:
        ports = {}
        for name, answer in ANSWERS.items():

            async def handle(
                reader: asyncio.StreamReader,
                writer: asyncio.StreamWriter,
                name: str = name,
                answer: bytes = answer,
            ) -> None:
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"content-length: (\d+)", head)
                await reader.readexactly(int(length[1]) if length else 0)
                counts[name] += 1
                if not answer:
                    await asyncio.sleep(60)
                writer.write(answer)
                writer.close()

            server = await asyncio.start_server(handle, "127.0.0.1", 0, backlog=1_000)
            ports[name] = server.sockets[0].getsockname()[1]
        ready.send(ports)
        while True:
            await asyncio.sleep(0.2)
            if ready.poll():
                ready.recv()
                ready.send(counts)

    asyncio.run(serve())


@contextmanager
def running(folder: str, hosts: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Run a server and return its address and its process."""
    program = Path(folder) / "server.py"
    program.write_text(SERVER)
    server = subprocess.Popen(
        [sys.executable, str(program), f"{folder}/data", *hosts],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    try:
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        yield found[0], server.pid
    finally:
        end(server)


async def open_tables(address: str, count: int, players: int) -> list[tuple[str, str]]:
    """Open tables; return their codes with the secrets of their seats."""
    seats: list[tuple[str, str]] = []
    wishes = [{"kind": "me"}, {"kind": "here"}][:players]
    async with httpx2.AsyncClient(base_url=address, trust_env=False, timeout=60) as client:
        for number in range(count):
            body = {"game": GAMES[number % len(GAMES)], "seats": wishes}
            created = (await client.post("/api/tables", json=body)).json()
            seats += [(created["table"], seat["token"]) for seat in created["seats"]]
    return seats


def subscribe(
    file: Path, seats: list[tuple[str, str]], ports: dict[str, int], count: int, due: int
) -> None:
    """Store subscriptions of players who wait at tables, all due at one moment."""
    kinds = [name for name, share in SHARES.items() for _ in range(share)]
    public = public_key(new_private_key())
    with closing(sqlite3.connect(file)) as connection, connection:
        for number in range(count):
            target, person = f"target-{number}", f"person-{number}"
            url = f"http://127.0.0.1:{ports[kinds[number % len(kinds)]]}/{number}"
            code, token = seats[number // OF_A_TABLE]
            connection.execute("INSERT INTO people VALUES (?, '', '', 0)", (person,))
            connection.execute(
                "INSERT INTO push_devices VALUES (?, ?, ?, ?, ?, ?, 'en', 0, 0, 0, 0, 0, 0, 0)",
                (target, person, target.encode(), url, public, b"sixteen secrets."),
            )
            connection.execute(
                "INSERT INTO calls VALUES (?, ?, ?, 0, -1, 0, ?)",
                (code, target, token_key(token), due),
            )


async def play(
    address: str, process: int, tables: int, due: float, seconds: float
) -> tuple[list[tuple[float, float]], dict[int, float]]:
    """Play at tables until some seconds after the notices.

    Return the round trips by time, and the processor time of the event loop in each slice.
    """
    trips: list[tuple[float, float]] = []
    seats = await open_tables(address, tables, 2)
    base = "ws" + address.removeprefix("http")
    sockets = [await connect(f"{base}ws/{code}", compression=None, proxy=None) for code, _ in seats]
    guests = [Guest(socket, THINK, trips) for socket in sockets]
    await asyncio.gather(
        *(guest.sit_down(token) for guest, (_, token) in zip(guests, seats, strict=True))
    )
    playing = [asyncio.create_task(guest.play(float("inf"))) for guest in guests]
    await asyncio.sleep(due - time.time())
    used = dict[int, float]()
    while time.time() < due + seconds:
        before, number = loop_seconds(process), int(time.time() // SLICE)
        await asyncio.sleep(SLICE - time.time() % SLICE)
        used[number] = loop_seconds(process) - before
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for socket in sockets:
        await socket.close()
    clock = time.time() - time.monotonic()
    return [(clock + at, trip) for at, trip in trips], used


def loop_seconds(process: int) -> float:
    """Return the processor time of the first thread of a process, which runs the event loop."""
    return int(Path(f"/proc/{process}/task/{process}/schedstat").read_text().split()[0]) / 1e9


def in_slices(trips: list[tuple[float, float]]) -> dict[int, list[float]]:
    """Return the round trips by slice, without those that end in another slice."""
    found: dict[int, list[float]] = {}
    for at, trip in trips:
        number = int(at // SLICE)
        if int((at - trip) // SLICE) == number:
            found.setdefault(number, []).append(trip)
    return found


def ratio(pairs: list[tuple[float, float]]) -> str:
    """Return how many times as much the second of a pair is, with its standard error."""
    logs = [math.log(second / first) for first, second in pairs]
    mean = statistics.fmean(logs)
    error = statistics.stdev(logs) / len(logs) ** 0.5
    return f"{math.exp(mean):.2f} ± {math.exp(mean) * error:.2f}"


def measure(subscriptions: int, tables: int, seconds: float) -> dict[str, Any]:
    ours, theirs = multiprocessing.Pipe()
    services = multiprocessing.Process(target=push_services, args=(theirs,), daemon=True)
    services.start()
    ports = ours.recv()
    hosts = [f"127.0.0.1:{port}" for port in ports.values()]
    try:
        with tempfile.TemporaryDirectory() as folder:
            with running(folder, hosts) as (address, _):
                waiting = -(-subscriptions // OF_A_TABLE)
                seats = asyncio.run(open_tables(address, waiting, 1))
            file = Path(folder) / "data" / FILE
            due = time.time() + SETTLING
            subscribe(file, seats, ports, subscriptions, int(due))
            with running(folder, hosts) as (address, process):
                trips, used = asyncio.run(
                    play(address, process, tables, due + CATCHING_UP, seconds)
                )
                ours.send("count")
                counts = ours.recv()
            steps = [float(step) for step in (Path(folder) / "data" / "steps").read_text().split()]
            with closing(sqlite3.connect(file)) as connection:
                left = dict(
                    connection.execute(
                        "SELECT CASE WHEN c.notified >= 0 THEN 'told' ELSE 'waits' END, count(*)"
                        " FROM calls c JOIN push_devices d ON d.id = c.target GROUP BY 1"
                    )
                )
    finally:
        with suppress(ProcessLookupError):
            services.kill()
    slices = in_slices(trips)
    pairs = [
        (slices[number - 1], slices[number])
        for number in used
        if number % 2 == 0 and used.keys() & slices.keys() >= {number - 1, number}
    ]
    quiet, sending = ([trip for pair in pairs for trip in pair[side]] for side in (0, 1))
    spent = [used[number] * (1 - number % 2 * 2) for number in used if number ^ 1 in used]
    requests = sum(counts.values())
    return {
        "subscriptions": subscriptions,
        "tables": tables,
        "moves_quiet": len(quiet),
        "moves_sending": len(sending),
        **percentiles("quiet_", quiet),
        **percentiles("sending_", sending),
        "ratio_p50": ratio([(statistics.median(a), statistics.median(b)) for a, b in pairs]),
        "ratio_mean": ratio([(statistics.fmean(a), statistics.fmean(b)) for a, b in pairs]),
        "ratio_longest": ratio([(max(a), max(b)) for a, b in pairs]),
        "loop_cpu_ms_per_notice": round(sum(spent) / requests * 1_000, 2),
        "steps_cpu_p999_ms": round(steps[0] * 1_000, 2),
        "steps_cpu_longest_ms": round(steps[1] * 1_000, 2),
        "notices_per_s": round(requests / (CATCHING_UP + seconds) * 2, 1),
        "requests": counts,
        "notices_recorded": left.get("told", 0),
        "subscriptions_deleted": subscriptions - sum(left.values()),
        "tried_again_later": left.get("waits", 0),
        "machine_load": round(os.getloadavg()[0], 1),
    }


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--subscriptions", type=int, default=10_000)
    parser.add_argument("--tables", type=int, default=40, help="where two people play meanwhile")
    parser.add_argument("--seconds", type=float, default=60.0, help="that are measured")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args(None if arguments is None else list(arguments))
    gc.disable()  # else the pauses of this program count as the server's
    result = measure(args.subscriptions, args.tables, args.seconds)
    print(
        orjson.dumps(result).decode()
        if args.json
        else "\n".join(f"{name:28}{value}" for name, value in result.items())
    )


if __name__ == "__main__":
    main()
