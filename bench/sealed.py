"""What sealed dice cost: a chain, a draw, and the verification of whole games, in processor time.

The fastest of several runs.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

from foxclover import game_names, system
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.dice.fair import DICE, Chain, Roller, Seal, context_of, sealed, verify
from foxclover.server.stores.store import SeatRecord, TableRecord
from foxclover.server.tables.master import Master

ROOT = bytes(range(32))
DRAWS = 200


def fastest(work: Callable[[], object], goes: int = 9) -> float:
    """Seconds of the fastest run."""
    found = []
    for _ in range(goes):
        began = process_time()
        work()
        found.append(process_time() - began)
    return min(found)


def played(key: str, players: int) -> tuple[sealed, Position, dict[int, Seal]]:
    """A whole game at random with sealed dice."""
    position, chooser, seals = game(key).start(players), random.Random(1), {}
    dice = sealed(context_of("bcdfgh", key, players, 0), ROOT)
    while not position.over:
        if position.chance_due:
            if position.rollers:
                dice.mix(Roller(position.rollers[0], chooser.randbytes(16)))
            move = dice.draw(position)
            roller = dice.happened()
            seals[len(position.moves_made)] = dice.seal(dice.drawn, roller)
            position.push(move)
        else:
            position.push(chooser.choice(position.legal_moves(position.acting[0])))
    return dice, position, seals


def first_roll(master: Master) -> None:
    """Roll once at a table that was just loaded, with what is published then."""
    after = master.copy()
    after.roll(0, 0, bytes(16))
    after.dice.seal_of(after.log.entries[0])


def main() -> None:
    """Print a table."""
    context = context_of("bcdfgh", "ganz-schoen-clever", 2, 0)
    print(f"a chain: {1e3 * fastest(lambda: Chain(context, ROOT)):.2f} ms")
    seats = [SeatRecord("Ada", key=b"a"), SeatRecord("Bo", key=b"b")]
    record = TableRecord(
        "bcdfgh", "ganz-schoen-clever", 0, None, 0, 0, seats, "", seal=ROOT, dice=DICE
    )
    print(f"the first roll of a table: {1e3 * fastest(lambda: first_roll(Master(record))):.2f} ms")
    master = Master(record)
    first_roll(master)
    print(
        "a roll of the server: "
        f"{1e6 * fastest(lambda: [first_roll(master) for _ in range(DRAWS)]) / DRAWS:.1f} µs"
    )
    start = game("ganz").start(2)
    for called, make in (("sealed", lambda: sealed(context, ROOT)), ("system", system)):
        dice = make()
        dice.draw(start)
        print(
            f"a draw, {called}: "
            f"""{
                1e6
                * fastest(lambda dice=dice: [dice.draw(start) for _ in range(DRAWS)])
                / DRAWS:.1f} µs"""
        )
    for key in game_names():
        for players in (1, 4):
            dice, position, seals = played(key, players)
            took = fastest(
                lambda dice=dice, position=position, seals=seals: verify(
                    dice.context, dice.commitment, position, seals
                )
            )
            print(f"{key}, {players}: {len(seals)} draws verified in {1e3 * took:.2f} ms")


if __name__ == "__main__":
    main()
