"""How good the shipped puzzles are.

Some puzzles, drawn by a seed, are played to the end after each of their two best moves, with dice
that building them did not use. Then every computer player solves the same puzzles.
python bench/puzzles.py [GAME ...] [--puzzles 10] [--games 2000] [--solve 300] [--seed 1]
[--file FILE]
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import numpy as np

from foxclover import agent, game, game_names
from foxclover.core.game import Game
from foxclover.puzzles import Puzzle, read, shipped
from foxclover.puzzles.build import Playouts

SOLVERS = ("random", "greedy", "easy", "medium", "net", "strong")
SEED = 0xB0A2D << 12  # of dice that no set was built with


def check(chosen: Game, puzzles: list[Puzzle], games: int) -> None:
    """Print how many puzzles keep their best move."""
    playouts, kept = Playouts(chosen), 0
    for puzzle in puzzles:
        best, second = (
            np.array(
                playouts.points(
                    puzzle.position, puzzle.seat, option.move.number, range(games), SEED
                )
            )
            for option in puzzle.options[:2]
        )
        gain = best - second
        kept += gain.mean() > 0
        print(
            f"  {puzzle.id}: {puzzle.options[1].loss:.1f} points by building, "
            f"{gain.mean():.1f} ± {gain.std(ddof=1) / games**0.5:.1f} here",
            flush=True,
        )
    print(f"{chosen.name}: {kept} of {len(puzzles)} keep their best move in {games} games each")


def solve(chosen: Game, puzzles: list[Puzzle]) -> None:
    """Print the share of puzzles that every computer player solves."""
    for name in SOLVERS:
        started, player, solved = time.perf_counter(), agent(name, chosen, seed=1), 0
        for puzzle in puzzles:
            made = player.choose(puzzle.position, puzzle.seat)
            solved += made.number == puzzle.best.move.number
        share = solved / len(puzzles)
        error = (share * (1 - share) / len(puzzles)) ** 0.5
        print(
            f"{chosen.name}: {name} solves {100 * share:.1f} ± {100 * error:.1f} % of "
            f"{len(puzzles)} ({time.perf_counter() - started:.0f} s)",
            flush=True,
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="*", default=game_names())
    parser.add_argument("--puzzles", type=int, default=10)
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--solve", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", type=Path)
    args = parser.parse_args()
    for key in args.game:
        chosen = game(key)
        puzzles = read(args.file or shipped(chosen), chosen)
        drawn = random.Random(args.seed).sample(puzzles, len(puzzles))
        check(chosen, drawn[: args.puzzles], args.games)
        solve(chosen, drawn[: args.solve])


if __name__ == "__main__":
    main()
