"""What sealed dice cost: a chain, a draw, and the verification of whole games, in processor time; the fastest of several goes."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time

from foxclover import game, games, system
from foxclover.game import Position
from foxclover.seal import Chain, Salt, Seal, sealed, title, verify

LAST = bytes(range(32))
DRAWS = 500


def fastest(work: Callable[[], object], goes: int = 9) -> float:
    """Seconds of the fastest go."""
    found = []
    for _ in range(goes):
        began = process_time()
        work()
        found.append(process_time() - began)
    return min(found)


def played(key: str, players: int) -> tuple[sealed, Position, dict[int, Seal]]:
    """A whole game at random with sealed dice."""
    position, chooser, seals = game(key).start(players), random.Random(1), {}
    dice = sealed(title("bcdfgh", key, players, 0), LAST)
    while not position.over:
        if position.chance_due:
            dice.stir(Salt(0, chooser.randbytes(16)))
            move = dice.draw(position)
            salts = dice.happened()
            seals[len(position.moves_made)] = Seal(dice.secret(dice.drawn), salts)
            position.push(move)
        else:
            position.push(chooser.choice(position.legal_moves(position.acting[0])))
    return dice, position, seals


def main() -> None:
    """Print a table."""
    name = title("bcdfgh", "ganz-schoen-clever", 2, 0)
    print(f"a chain: {1e3 * fastest(lambda: Chain(name, LAST)):.2f} ms")
    start = game("ganz").start(2)
    for called, make in (("sealed", lambda: sealed(name, LAST)), ("system", system)):
        dice = make()
        dice.draw(start)
        print(
            f"a draw, {called}: {1e6 * fastest(lambda dice=dice: [dice.draw(start) for _ in range(DRAWS)]) / DRAWS:.1f} µs"
        )
    for key in games():
        for players in (1, 4):
            dice, position, seals = played(key, players)
            took = fastest(
                lambda dice=dice, position=position, seals=seals: verify(
                    dice.name, dice.anchor, position, seals
                )
            )
            print(f"{key}, {players}: {len(seals)} draws verified in {1e3 * took:.2f} ms")


if __name__ == "__main__":
    main()
