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
from foxclover.ai.families import seat_players
from foxclover.ai.nets import make_thinker, shipped_net
from foxclover.ai.playing import NEVER, PlayerConfig
from foxclover.core.game import Game
from foxclover.kernel.batch import Batch
from foxclover.puzzles import Puzzle, read, shipped

SOLVERS = ("random", "greedy", "easy", "medium", "net", "strong")
STREAM = 0xB0A2D << 12


class Playouts:
    """Play positions to the end by ``net``."""

    def __init__(self, chosen: Game) -> None:
        self.game = chosen
        self.instance, self.tables, self.workspace = make_thinker(chosen, shipped_net(chosen))
        self.batch = self.instance.new(Batch)

    def points(self, puzzle: Puzzle, move: int, games: int) -> np.ndarray:
        """Return the final points after a move, game by game."""
        call, workspace, players = self.instance.call, self.workspace, puzzle.position.players
        configs = self.instance.new(PlayerConfig, players)
        seat_players(self.game, ["net"] * players, self.batch.policies, configs)
        position = puzzle.position.copy()
        position.push(position.move(puzzle.seat, move))
        found = []
        for number in range(games):
            self.instance.set(workspace.here, position.state)
            self.instance.set(workspace.pre_roll_state, position.pre_roll_state or position.state)
            call("seed_rng", workspace.dice_rng, STREAM + number, 0)
            call("seed_rng", workspace.choice_rng, STREAM + number, 1)
            # A cached round is that of the playout before; later rounds replace it.
            workspace.no_cache = 1
            call("play_on", self.tables, workspace, self.batch, configs, position.state.round + 1)
            workspace.no_cache = 0
            call("play_on", self.tables, workspace, self.batch, configs, NEVER)
            found.append(call("score", self.tables, workspace.here, puzzle.seat))
        return np.array(found, float)


def check(chosen: Game, puzzles: list[Puzzle], games: int) -> None:
    """Print how many puzzles keep their best move."""
    playouts, kept = Playouts(chosen), 0
    for puzzle in puzzles:
        best, second = (
            playouts.points(puzzle, option.move.number, games) for option in puzzle.options[:2]
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
