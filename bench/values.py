"""How true the values of hints are, by the source of positions.

Bias, rmse and the largest error against playouts of ``net``. python bench/values.py GAME
[--positions 200] [--playouts 300] [--sources net,medium,easy,random] [--net FILE] [--players 1]
[--seed 1] [--keep]

Each position comes from a game of its own: the source plays for a random number of decisions
(``random`` for at most 20). The value is the rating of the best move, plus the shortfall that the
file of the net records. The rmse excludes the noise of the playouts. Choose nets on seeds below
1000 and report others. ``--keep`` writes the rmse after all sources into the file of the net, by
the turns left; positions with a turn more or less count, too.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import NamedTuple

import numpy as np

from foxclover.ai import nets
from foxclover.ai.families import family_of
from foxclover.ai.nets import load, make_thinker
from foxclover.ai.playing import NEVER, WITH_NET, PlayerConfig
from foxclover.core.game import Game, game
from foxclover.kernel.batch import Batch

# most decisions of each player before a position is taken
DECISIONS = {"net": 60, "medium": 60, "easy": 60, "random": 20}
PREFIX_STREAM, PLAYOUT_STREAM = 0x5EED << 20, 0xD1CE << 20
FAR_OFF = 40.0  # points


class Measured(NamedTuple):
    """What was found for one position."""

    value: float
    mean: float  # of the playouts
    variance: float  # of that mean
    turns: int  # that the player has left


class Table:
    """Where positions are reached, rated and played to the end."""

    def __init__(self, chosen: Game, net: Path, players: int) -> None:
        self.game, self.players = chosen, players
        self.value_bias = nets.read_accuracy(net).value_bias
        self.instance, self.tables, self.workspace = make_thinker(chosen, load(net, chosen))
        self.batch, self.configs = (
            self.instance.new(Batch),
            self.instance.new(PlayerConfig, players),
        )
        self.batch.policies[:] = WITH_NET

    def reach(self, source: str, seed: int) -> int:
        """Play to a random decision of a game with more than one legal move, in ``workspace.here``.

        Return the seat that decides.
        """
        rng = np.random.default_rng(seed)
        noise = 0.0 if source == "random" else family_of(self.game).STRENGTHS[source].noise
        workspace, candidates, call = self.workspace, self.workspace.candidates, self.instance.call
        call("seed_rng", workspace.dice_rng, seed, 0)
        call("seed_rng", workspace.choice_rng, seed, 1)
        while True:
            left = int(rng.integers(0, DECISIONS[source] * self.players))
            call("start", self.tables, workspace.here, self.players, 0)
            while seat := self._next_seat():
                candidates.count = count = call(
                    "legal", self.tables, workspace.here, seat - 1, candidates.moves
                )
                if count > 1 and left == 0:
                    return seat - 1
                chosen = 0
                if count > 1:
                    left -= 1
                    chosen = (
                        int(rng.integers(count))
                        if source == "random"
                        else call("rate", self.tables, workspace, seat - 1)
                    )
                    if noise > 0:
                        chosen = call(
                            "noisy_argmax", candidates.ratings, count, noise, workspace.choice_rng
                        )
                call("apply", self.tables, workspace.here, seat - 1, int(candidates.moves[chosen]))

    def _next_seat(self) -> int:
        """Roll the dice until a player must act.

        Return 1 + the seat, or 0 at the end of the game.
        """
        call, workspace = self.instance.call, self.workspace
        while not (mask := call("acting", self.tables, workspace.here)):
            if not call("chance_pending", self.tables, workspace.here):
                return 0
            call(
                "apply",
                self.tables,
                workspace.here,
                -1,
                call("draw", self.tables, workspace.here, workspace.dice_rng),
            )
        return (mask & -mask).bit_length()

    def measure(self, source: str, playouts: int, seed: int) -> Measured:
        """Compare the value of a hint in one position with playouts."""
        seat = self.reach(source, PREFIX_STREAM + seed)
        workspace, call = self.workspace, self.instance.call
        state = self.instance.read(self.game.rules.State, workspace.here)
        best = call("rate", self.tables, workspace, seat)
        value = float(workspace.candidates.ratings[best])
        turns = self.game.scoring.turns_to_come(self.game.definition, state, seat)
        if self.value_bias:
            value += self.value_bias[turns]
        scores = []
        for number in range(playouts):
            self.instance.set(workspace.here, state)
            call("seed_rng", workspace.dice_rng, PLAYOUT_STREAM + seed, number)
            call("play_on", self.tables, workspace, self.batch, self.configs, NEVER)
            scores.append(call("score", self.tables, workspace.here, seat))
        variance = float(np.var(scores, ddof=1)) / playouts
        return Measured(value, float(np.mean(scores)), variance, turns)


def rmse_of(found: list[Measured]) -> float:
    """Return the root mean square of the errors without the noise of the playouts."""
    squares = [(one.value - one.mean) ** 2 - one.variance for one in found]
    return max(0.0, float(np.mean(squares))) ** 0.5


def rmse_by_turns(found: list[Measured]) -> list[float]:
    """Return the rmse by the turns left."""
    most = max(one.turns for one in found)
    return [
        round(rmse_of([one for one in found if abs(one.turns - turns) <= 1]), 1)
        for turns in range(most + 1)
    ]


def summary(found: list[Measured]) -> str:
    """Bias with its standard error, rmse, and errors that are far off."""
    error = np.array([one.value - one.mean for one in found])
    worst = error[np.abs(error).argmax()]
    bias = f"bias {error.mean():+.2f} ± {error.std(ddof=1) / len(error) ** 0.5:.2f}"
    return (
        f"{bias}, rmse {rmse_of(found):.2f}, largest {worst:+.1f}, "
        f"{int((np.abs(error) > FAR_OFF).sum())} over {FAR_OFF:.0f}"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--playouts", type=int, default=300)
    parser.add_argument("--sources", default=",".join(DECISIONS))
    parser.add_argument("--net", type=Path)
    parser.add_argument("--players", type=int, choices=(1, 2, 3, 4), default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", action="store_true")
    args = parser.parse_args()
    chosen = game(args.game)
    net = args.net or nets.shipped(chosen)
    table = Table(chosen, net, args.players)
    every: list[Measured] = []
    print(
        f"{chosen.name}, {args.players} players, {args.positions} positions, "
        f"{args.playouts} playouts each, seed {args.seed}",
        flush=True,
    )
    for source in args.sources.split(","):
        started = time.process_time()
        found = [
            table.measure(source, args.playouts, args.seed * 100_000 + number)
            for number in range(args.positions)
        ]
        print(
            f"after {source}: {summary(found)} ({time.process_time() - started:.0f} s)", flush=True
        )
        every += found
    by_turns = rmse_by_turns(every)
    print(f"rmse by turns left: {by_turns}")
    if args.keep:
        nets.write_accuracy(net, rmse=by_turns)


if __name__ == "__main__":
    main()
