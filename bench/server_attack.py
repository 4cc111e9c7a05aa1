"""What do others notice of one address doing its worst? Some tables play, and one attack of the tests after the other goes on meanwhile.

    python bench/server_attack.py [--tables 60] [--seconds 15] [--think 2.0] [--json]

The server runs on one core with the limits it has by itself; everybody comes from an address of their own, as a proxy names them. An attack
comes from one address, from a process with several threads. A round trip is that of ``server_load.py``.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import multiprocessing
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from multiprocessing.synchronize import Event
from pathlib import Path
from typing import Any

import httpx2
import orjson
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server_load import GAMES, Guest, end, percentiles

from attacks import ATTACKS, Target

STORMS = {attack.__name__: attack for attack in ATTACKS}
THREADS = 4  # of an attack
LONGEST = 60.0  # seconds of one attack, whatever is asked for
SERVER = """
import os, sys
from pathlib import Path
from foxclover.locale import catalogue
from foxclover.server.run import serve

if __name__ == "__main__":
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, set(sorted(os.sched_getaffinity(0))[:1]))
    serve("127.0.0.1", 0, Path(sys.argv[1]), False, catalogue("en"))
"""


def rage(target: Target, name: str, seconds: float, begun: Event, storms: Any) -> None:
    """Attack a table for a while, counting how often."""
    until = time.monotonic() + seconds

    def again_and_again() -> None:
        while time.monotonic() < until:
            with suppress(
                OSError, WebSocketException, httpx2.HTTPError, TimeoutError, AssertionError
            ):  # it may be cut off
                STORMS[name](target)
            with storms.get_lock():
                storms.value += 1

    for thread in [threading.Thread(target=again_and_again, daemon=True) for _ in range(THREADS)]:
        thread.start()
    begun.set()
    time.sleep(seconds)


async def play_all(address: str, tables: int, seconds: float, think: float) -> list[dict[str, Any]]:
    """Let the tables play, first in peace, then during each attack."""
    trips: list[tuple[float, float]] = []
    guests: list[Guest] = []
    for number in range(tables):
        headers = {"x-forwarded-for": f"198.51.100.{number + 1}"}
        async with httpx2.AsyncClient(base_url=address, trust_env=False, headers=headers) as client:
            wish = {"game": GAMES[number % len(GAMES)], "seats": [{"kind": "me"}, {"kind": "here"}]}
            created = (await client.post("/api/tables", json=wish)).json()
        for seat in created["seats"]:
            wire = f"ws{address.removeprefix('http')}ws/{created['table']}"
            socket: ClientConnection = await connect(
                wire, compression=None, proxy=None, additional_headers=headers
            )
            guests.append(Guest(socket, think, trips))
            await guests[-1].sit_down(seat["token"])
    playing = [
        asyncio.create_task(guest.play(time.monotonic() + LONGEST * (len(STORMS) + 1)))
        for guest in guests
    ]
    await asyncio.sleep(think)
    found = [await phase("no attack", seconds, trips)]
    context = multiprocessing.get_context("spawn")
    for number, name in enumerate(STORMS):
        begun, storms, target = (
            context.Event(),
            context.Value("i", 0),
            await open_target(address, f"192.0.2.{number}"),
        )
        attack = context.Process(
            target=rage, args=(target, name, seconds, begun, storms), daemon=True
        )
        attack.start()
        await asyncio.to_thread(begun.wait, LONGEST)
        found.append(await phase(name, seconds, trips) | {"storms": storms.value})
        await asyncio.to_thread(attack.join)
    for task in playing:
        task.cancel()
    await asyncio.gather(*playing, return_exceptions=True)
    for guest in guests:
        await guest.socket.close()
    return found


async def open_target(address: str, client: str) -> Target:
    """Let an attacker have a table."""
    async with httpx2.AsyncClient(
        base_url=address, trust_env=False, headers={"x-forwarded-for": client}
    ) as visitor:
        made = (
            await visitor.post(
                "/api/tables", json={"game": "geht-noch-was", "seats": [{"kind": "me"}]}
            )
        ).json()
    return Target(address, made["table"], made["seats"][0]["token"], client)


async def phase(name: str, seconds: float, trips: list[tuple[float, float]]) -> dict[str, Any]:
    """Tell of the moves made in so many seconds."""
    began = time.monotonic()
    await asyncio.sleep(seconds)
    moves = [trip for at, trip in trips if at >= began]
    return {
        "attack": name,
        "moves": len(moves),
        **percentiles("", moves),
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
                play_all(address[0], args.tables, min(args.seconds, LONGEST), args.think)
            )
        finally:
            end(server)
    for line in found:
        print(
            orjson.dumps(line).decode()
            if args.json
            else "  ".join(f"{name} {value}" for name, value in line.items())
        )


if __name__ == "__main__":
    main()
