"""Measure how attacks from one address slow down the moves of others.

    python bench/server_attack.py [--tables 60] [--seconds 15] [--think 2.0]
                                  [--only pongs chunks] [--json]

The server runs on one core with its default limits. Each player has an address of their own, as a
proxy names it. The attacks are those of the tests, one after the other, from one address and a
process with several threads. A round trip is that of ``server_load.py``. ``ratio`` compares the
99th percentile with the quiet time before and after the attacks. The exit code is 1 if a ratio is
above ``--most``.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import multiprocessing
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import AsyncExitStack, suppress
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import httpx2
import orjson
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server_load import GAMES, Guest, end, percentiles, processor_seconds

from attacks import ATTACKS, Target

STORMS = {attack.__name__: attack for attack in ATTACKS}
QUIET = "no attack"
THREADS = 4  # of an attack
LONGEST = 60.0  # seconds of one attack, whatever is asked for
SERVER = """
import os, sys
from pathlib import Path
from foxclover.locale import catalogue
from foxclover.server.http.run import ServerSettings, serve

if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:1]))
    serve(ServerSettings("127.0.0.1", 0, Path(sys.argv[1])), catalogue("en"))
"""


def rage(target: Target, name: str, seconds: float, begun: Event, storms: Any) -> None:
    """Attack a table for a while, and count the attacks."""
    until = time.monotonic() + seconds

    def again_and_again() -> None:
        while time.monotonic() < until:
            # the server may close the connection
            with suppress(
                OSError, WebSocketException, httpx2.HTTPError, TimeoutError, AssertionError
            ):
                STORMS[name](target)
            with storms.get_lock():
                storms.value += 1

    for thread in [threading.Thread(target=again_and_again, daemon=True) for _ in range(THREADS)]:
        thread.start()
    begun.set()
    time.sleep(seconds)


async def keep_playing(
    address: str, number: int, think: float, trips: list[tuple[float, float]]
) -> None:
    """Play one game after the other at the tables of one address."""
    headers = {"x-forwarded-for": f"198.51.100.{number + 1}"}
    request = {"game": GAMES[number % len(GAMES)], "seats": [{"kind": "me"}, {"kind": "here"}]}
    while True:
        async with httpx2.AsyncClient(
            base_url=address, trust_env=False, headers=headers, timeout=LONGEST
        ) as client:
            created = (await client.post("/api/tables", json=request)).json()
        async with AsyncExitStack() as opened:
            guests: list[Guest] = []
            for seat in created["seats"]:
                wire = f"ws{address.removeprefix('http')}ws/{created['table']}"
                socket = await opened.enter_async_context(
                    connect(
                        wire,
                        compression=None,
                        proxy=None,
                        additional_headers=headers,
                        open_timeout=LONGEST,
                    )
                )
                guests.append(Guest(socket, think, trips))
                await guests[-1].sit_down(seat["token"])
            await asyncio.gather(*(guest.play(math.inf) for guest in guests))


async def play_all(
    address: str, tables: int, seconds: float, think: float, attacks: list[str], server: int
) -> list[dict[str, Any]]:
    """Play in peace, during each attack, and in peace again."""
    trips: list[tuple[float, float]] = []
    targets = {
        name: await open_target(address, f"192.0.2.{number}") for number, name in enumerate(attacks)
    }
    playing = [
        asyncio.create_task(keep_playing(address, number, think, trips)) for number in range(tables)
    ]
    while len(trips) < tables:
        await asyncio.sleep(think)
    found = [await phase(QUIET, seconds, trips, server)]
    context = multiprocessing.get_context("spawn")
    for name, target in targets.items():
        begun, storms = context.Event(), context.Value("i", 0)
        attack = context.Process(
            target=rage, args=(target, name, seconds, begun, storms), daemon=True
        )
        attack.start()
        await asyncio.to_thread(begun.wait, LONGEST)
        found.append(await phase(name, seconds, trips, server) | {"storms": storms.value})
        await asyncio.to_thread(attack.join)
    found.append(await phase(QUIET, seconds, trips, server))
    for task in playing:
        task.cancel()
    await asyncio.wait(playing)
    if failed := [
        error for task in playing if not task.cancelled() and (error := task.exception())
    ]:
        raise failed[0]
    return found


async def open_target(address: str, client: str) -> Target:
    """Open a table for the attacker."""
    async with httpx2.AsyncClient(
        base_url=address, trust_env=False, headers={"x-forwarded-for": client}
    ) as visitor:
        made = (
            await visitor.post(
                "/api/tables", json={"game": "geht-noch-was", "seats": [{"kind": "me"}]}
            )
        ).json()
    return Target(address, made["table"], made["seats"][0]["token"], client)


async def phase(
    name: str, seconds: float, trips: list[tuple[float, float]], server: int
) -> dict[str, Any]:
    """Return figures of the moves made in some seconds, and the server's share of a core."""
    began, used = time.monotonic(), processor_seconds(server)
    await asyncio.sleep(seconds)
    used = (processor_seconds(server) - used) / (time.monotonic() - began)
    moves = [trip for at, trip in trips if at >= began]
    return {
        "attack": name,
        "moves": len(moves),
        **percentiles("", moves),
        "server_core": round(used, 2),
        "machine_load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=60)
    parser.add_argument("--seconds", type=float, default=15.0, help="of each attack")
    parser.add_argument(
        "--think", type=float, default=2.0, help="seconds a person thinks on average"
    )
    parser.add_argument(
        "--only",
        nargs="+",
        choices=STORMS,
        default=list(STORMS),
        metavar="ATTACK",
        help="some of the attacks",
    )
    parser.add_argument(
        "--most", type=float, default=5.0, help="how many times as long a round trip may take"
    )
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    gc.disable()  # else the pauses of this program count as the server's
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "server.py"
        program.write_text(SERVER)
        command = [sys.executable, str(program), f"{folder}/data"]
        server = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        assert server.stdout is not None
        try:
            address = re.search(r"http://\S+", server.stdout.readline())
            assert address
            found = asyncio.run(
                play_all(
                    address[0],
                    args.tables,
                    min(args.seconds, LONGEST),
                    args.think,
                    args.only,
                    server.pid,
                )
            )
        finally:
            end(server)
    for line in found:
        line.setdefault("p99_ms", args.seconds * 1000)  # no player could move twice
    quiet = statistics.mean(line["p99_ms"] for line in found if line["attack"] == QUIET)
    for line in found:
        line["ratio"] = round(line["p99_ms"] / quiet, 1)
        print(
            orjson.dumps(line).decode()
            if args.json
            else "  ".join(f"{name} {value}" for name, value in line.items())
        )
    sys.exit(any(line["ratio"] > args.most for line in found))


if __name__ == "__main__":
    main()
