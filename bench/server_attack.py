"""How long do others wait while one address does its worst? Each attack of the tests in turn, by a process of its own, on loopback.

    python bench/server_attack.py [--seconds 8] [--tables 12]

A server with the limits it is started with, in one process; two people at each table play while the attack goes on. What they wait is told
as by server_load.py.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import httpx2
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server_load import GAMES, Guest, percentiles

from attacks import ATTACKS, Target
from tables import CLIMB, HERE, ME, RealHouse, limited_house

THINK = 0.5  # seconds


def rage(number: int, target: Target, until: float) -> None:
    """Attack until a time of the clock, however often one is cut off."""
    while time.time() < until:
        with suppress(OSError, WebSocketException, httpx2.HTTPError, TimeoutError, AssertionError):
            ATTACKS[number](target)


async def play(address: str, seats: list[tuple[str, str]], seconds: float) -> list[float]:
    """Let people play for some seconds; return what each move took."""
    trips: list[tuple[float, float]] = []
    base = "ws" + address.removeprefix("http")
    guests = [Guest(await connect(f"{base}ws/{code}", compression=None, proxy=None), THINK, trips) for code, _ in seats]
    for guest, (_, token) in zip(guests, seats, strict=True):
        await guest.sit_down(token)
    until = time.monotonic() + seconds
    await asyncio.gather(*(guest.play(until) for guest in guests))
    for guest in guests:
        await guest.socket.close()
    return [trip for _, trip in trips]


def measure(server: RealHouse, number: int, seats: list[tuple[str, str]], seconds: float) -> dict[str, float]:
    code, tokens = server.create(ME, game=CLIMB)
    target = Target(server.address, code, tokens[0], f"192.0.2.{number}")
    attacker = multiprocessing.get_context("spawn").Process(target=rage, args=(number, target, time.time() + seconds + 2.0))
    attacker.start()
    try:
        return percentiles("", asyncio.run(play(server.address, seats, seconds)))
    finally:
        attacker.kill()
        attacker.join()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=8.0, help="of each attack")
    parser.add_argument("--tables", type=int, default=12)
    args = parser.parse_args()
    for number, attack in enumerate(ATTACKS):
        with tempfile.TemporaryDirectory() as folder, limited_house(Path(folder), "") as server:
            made = [server.create(ME, HERE, game=GAMES[table % len(GAMES)]) for table in range(args.tables)]
            seats = [(code, token) for code, tokens in made for token in tokens]
            found = measure(server, number, seats, args.seconds)
        print(f"{attack.__name__:20} {found}, machine load {os.getloadavg()[0]:.1f}", flush=True)


if __name__ == "__main__":
    main()
