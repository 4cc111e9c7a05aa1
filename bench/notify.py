"""Measure whether notices delay moves: 10,000 subscriptions, with dead and slow push services.

    python bench/notify.py [--subscriptions 10000] [--tables 40] [--seconds 30] [--json]

All subscriptions are due at one moment. Of a hundred, 85 push services accept the notice, 5 have
deleted the subscription (410), 5 never answer, and 5 redirect to a private address. Meanwhile two
players play at each of the tables, as in ``server_load.py``. A round trip is the time from sending
a move to reading both its acknowledgement and the next state: "quiet" before that moment, "sending"
after it.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import multiprocessing
import os
import re
import sqlite3
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
from server_load import GAMES, Guest, end, notice_lag, percentiles
from websockets.asyncio.client import connect

from foxclover.server.notify.web_push import new_private_key, public_key
from foxclover.server.protocol.identifiers import token_key
from foxclover.server.stores.sqlite_files import FILE

OF_A_TABLE = 20  # subscriptions, as many as the server allows
SETTLING = 25.0  # seconds from the start of the server to the notices, at least
THINK = 1.0  # seconds that a player thinks on average
ANSWERS = {
    "accepts": b"HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n",
    "gone": b"HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n",
    "silent": b"",
    "redirects": b"HTTP/1.1 302 Found\r\nlocation: http://10.0.0.1/\r\ncontent-length: 0\r\n\r\n",
}
SHARES = {"accepts": 85, "gone": 5, "silent": 5, "redirects": 5}  # of a hundred
SERVER = """
import sys
from pathlib import Path
from foxclover.locale import catalogue
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.http.run import ServerSettings, serve

many = 1_000_000
limits = Limits(
    connections_per_client=many, tables_per_client=many, requests_per_client=many,
    messages_per_client=many, work_per_client=many, silence=300.0,
)
settings = ServerSettings(
    "127.0.0.1", 0, Path(sys.argv[1]), limits=limits, notify=True, notify_hosts=tuple(sys.argv[2:])
)
serve(settings, catalogue("en"))
"""


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
def running(folder: str, hosts: Iterable[str]) -> Iterator[str]:
    """Run a server and return its address."""
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
        yield found[0]
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
    address: str, tables: int, due: float, seconds: float
) -> tuple[list[tuple[float, float]], list[float]]:
    """Play at tables until some seconds after the notices; return the round trips by time."""
    trips: list[tuple[float, float]] = []
    lags: list[float] = []
    seats = await open_tables(address, tables, 2)
    base = "ws" + address.removeprefix("http")
    sockets = [await connect(f"{base}ws/{code}", compression=None, proxy=None) for code, _ in seats]
    guests = [Guest(socket, THINK, trips) for socket in sockets]
    await asyncio.gather(
        *(guest.sit_down(token) for guest, (_, token) in zip(guests, seats, strict=True))
    )
    until = time.monotonic() + (due + seconds - time.time())
    playing = [asyncio.create_task(guest.play(until + seconds)) for guest in guests]
    await notice_lag(until, lags)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for socket in sockets:
        await socket.close()
    return trips, lags


def measure(subscriptions: int, tables: int, seconds: float) -> dict[str, Any]:
    ours, theirs = multiprocessing.Pipe()
    services = multiprocessing.Process(target=push_services, args=(theirs,), daemon=True)
    services.start()
    ports = ours.recv()
    hosts = [f"127.0.0.1:{port}" for port in ports.values()]
    try:
        with tempfile.TemporaryDirectory() as folder:
            with running(folder, hosts) as address:
                waiting = -(-subscriptions // OF_A_TABLE)
                seats = asyncio.run(open_tables(address, waiting, 1))
            file = Path(folder) / "data" / FILE
            due = time.time() + SETTLING + seconds
            subscribe(file, seats, ports, subscriptions, int(due))
            with running(folder, hosts) as address:
                trips, lags = asyncio.run(play(address, tables, due, seconds))
            ours.send("count")
            counts = ours.recv()
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
    border = time.monotonic() - time.time() + due
    quiet = [trip for at, trip in trips if border - seconds <= at < border]
    sending = [trip for at, trip in trips if at >= border]
    return {
        "subscriptions": subscriptions,
        "tables": tables,
        "moves_per_s": round(len(sending) / seconds, 1),
        **percentiles("quiet_", quiet),
        **percentiles("sending_", sending),
        "requests": counts,
        "notices_recorded": left.get("told", 0),
        "subscriptions_deleted": subscriptions - sum(left.values()),
        "tried_again_later": left.get("waits", 0),
        "machine_lag_p99_ms": round(sorted(lags)[len(lags) * 99 // 100] * 1000, 2),
        "machine_load": round(os.getloadavg()[0], 1),
    }


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--subscriptions", type=int, default=10_000)
    parser.add_argument("--tables", type=int, default=40, help="where two people play meanwhile")
    parser.add_argument("--seconds", type=float, default=30.0, help="before and after the notices")
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
