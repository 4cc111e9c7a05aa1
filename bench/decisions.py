"""How true the losses of a decision set are.

Some decisions, drawn by a seed, get rollouts with other dice. The loss of the set's best moves is
what noise alone costs an agent. Then the two best moves of some decisions are played to the end:
the bias is what the set's losses differ from those of whole games.
python bench/decisions.py [GAME ...] [--decisions 300] [--playouts 100] [--games 400] [--seed 2]
[--file FILE]
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import numpy as np

from foxclover import game, game_names
from foxclover.benchmark.decisions import Decision, read, shipped
from foxclover.benchmark.rollouts import Evaluator
from foxclover.core.game import Game


def mean(values: list[float]) -> str:
    """Return a mean with its standard error."""
    return f"{np.mean(values):.2f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.2f}"


def repeat(chosen: Game, decisions: list[Decision], seed: int) -> None:
    """Print what the best moves of the set lose by rollouts with other dice."""
    started, evaluator, losses, same = time.process_time(), Evaluator(chosen, seed), [], 0
    for decision in decisions:
        position = chosen.read_position(decision.position)
        again = evaluator.evaluate(position, decision.seat, decision.source, decision.number)
        losses.append(again.loss(decision.moves[0].move))
        same += losses[-1] == 0
    print(
        f"{chosen.name}: the best moves of {len(decisions)} decisions lose {mean(losses)} with "
        f"other dice, {100 * same / len(decisions):.0f} % stay the best "
        f"({time.process_time() - started:.0f} s)",
        flush=True,
    )


def play_out(chosen: Game, decisions: list[Decision], games: int, seed: int) -> None:
    """Print what the losses of second best moves differ from those of whole games."""
    started, evaluator, known, found = time.process_time(), Evaluator(chosen, seed), [], []
    moves, points = evaluator.instance.ints(2), evaluator.instance.floats(4 * games)
    for decision in decisions:
        position = chosen.read_position(decision.position)
        evaluator.instance.set(evaluator.workspace.here, position.state)
        best_two = [position.parse(each.move, decision.seat) for each in decision.moves[:2]]
        moves[:] = [move.number for move in best_two]
        given = (decision.seat, moves, 0, games, seed ^ decision.number, points)
        evaluator.instance.call("compare", evaluator.tables, evaluator.workspace, *given)
        known.append(decision.moves[1].loss)
        found.append(float(points[:games].mean() - points[games : 2 * games].mean()))
    bias = [one - other for one, other in zip(known, found, strict=True)]
    print(
        f"{chosen.name}: second best moves of {len(decisions)} decisions lose {mean(known)}, in "
        f"{games} whole games each {mean(found)}; difference {mean(bias)} "
        f"({time.process_time() - started:.0f} s)",
        flush=True,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="*", default=game_names())
    parser.add_argument("--decisions", type=int, default=300)
    parser.add_argument("--playouts", type=int, default=100)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seed", type=int, default=2)
    parser.add_argument("--file", type=Path)
    args = parser.parse_args()
    for key in args.game:
        chosen = game(key)
        decisions = read(args.file or shipped(chosen), chosen).decisions
        drawn = random.Random(args.seed).sample(decisions, len(decisions))
        repeat(chosen, drawn[: args.decisions], args.seed)
        play_out(chosen, drawn[: args.playouts], args.games, args.seed)


if __name__ == "__main__":
    main()
