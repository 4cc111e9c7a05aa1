"""Long duels of Geht noch was? between the engine and the referee of the tests.

``python bench/duel.py --games 500``. Every game is compared move by move: who is to act, all legal
moves, all cards that may be drawn, all scores. A third of the games each is played at random, by
a player who empties the green pile and by a player who climbs; every second game begins with thin
piles and much luck.
"""

from __future__ import annotations

import argparse
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from foxclover.core.game import game
from foxclover.games.climb.rules.state import FREE_PLACEMENT, SOLO_RULES
from referee.duel import anything
from referee.test_referee_climb import climber, collector, play

VARIANTS = {"star": 0, "solo rules": SOLO_RULES, "free placement": FREE_PLACEMENT}
HABITS = (anything, collector, climber)


def duel(players: int, variant: int, games: int) -> int:
    """Play games with seeds of their own; an assertion fails where the two disagree."""
    for number in range(games):
        play(
            players,
            variant,
            1_000_000 * players + number // len(HABITS),
            HABITS[number % len(HABITS)],
        )
    return games


def main() -> None:
    """Play all tables and print how many games agreed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--games", type=int, default=500, help="of each number of players and variant"
    )
    parser.add_argument("--players", type=int, nargs="*", default=list(game("geht").players))
    parser.add_argument("--variants", nargs="*", choices=VARIANTS, default=list(VARIANTS))
    parser.add_argument("--workers", type=int, default=1)
    args = parser.parse_args()
    tables = [(players, name) for players in args.players for name in args.variants]
    with ProcessPoolExecutor(args.workers) as pool:
        played = [
            pool.submit(duel, players, VARIANTS[name], args.games) for players, name in tables
        ]
        for (players, name), games in zip(tables, played, strict=True):
            print(f"{players} players, {name}: {games.result()} games agree", flush=True)


if __name__ == "__main__":
    main()
