"""Measure reviews: time, fairness of luck, ranking by losses, accuracy of expectations.

python bench/review.py time GAME [--players 1] [--games 20]
    processor time per game of ``medium``, without and with moves tried out

python bench/review.py luck GAME [--games 200] [--tried]
    mean luck and loss of net, medium, easy, greedy and random, and their use of luck
    --tried: losses with doubtful moves tried out, else by ratings

python bench/review.py calibration GAME [--players 1] [--games 2000]
    expected points at the start and after round 3 against final ones

python bench/review.py value_bias GAME [--players 1] [--games 2000]
    final points of ``net`` less what its net expects, by how many turns a player has left
    --keep: write them into the file of the net, rounded

python bench/review.py classes GAME [--games 100]
    losses of ``medium`` per game from so many points on, by ratings
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from foxclover.ai import agent, nets
from foxclover.ai.nets import value_bias
from foxclover.core.game import Game, game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import keyed
from foxclover.review import review
from foxclover.review.analyser import Analyser, Moment, moments

AGENTS = ("net", "medium", "easy", "greedy", "random")
RUNS = 3
LIMITS = (0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)


class Players:
    """Computer players of one name, made once: a workspace is large."""

    def __init__(self, chosen: Game, name: str, players: int, seed: int) -> None:
        self.game, self.seed = chosen, seed
        self.agents = [agent(name, chosen, seed + seat) for seat in range(players)]

    def play(self, number: int) -> Position:
        """A game of theirs; every player has the same dice."""
        position, dice = (
            self.game.start(len(self.agents)),
            keyed(f"{self.seed} {number}".encode()),
        )
        while not position.over:
            if position.chance_due:
                position.roll(dice)
            else:
                seat = position.acting[0]
                position.push_unchecked(self.agents[seat].choose(position, seat))
        return position


def with_error(values: list[float]) -> str:
    """Mean and standard error."""
    return f"{np.mean(values):+.2f} ± {np.std(values, ddof=1) / len(values) ** 0.5:.2f}"


def measure_time(chosen: Game, args: argparse.Namespace) -> None:
    """Processor time of a review, the least of some runs: others may use the machine."""
    analyser, players = Analyser(chosen), Players(chosen, args.agent, args.players, args.seed)
    spent: dict[bool, list[float]] = {False: [], True: []}
    for number in range(args.games):
        position = players.play(number)
        for tried, seconds in spent.items():
            runs = []
            for _ in range(RUNS):
                started = time.process_time()
                review(position, tried=tried, analyser=analyser)
                runs.append(time.process_time() - started)
            seconds.append(min(runs))
    for tried, seconds in spent.items():
        print(
            f"{'moves tried out' if tried else 'ratings and luck'}: mean {np.mean(seconds):.2f} s, "
            f"longest {max(seconds):.2f} s a game"
        )


def measure_luck(chosen: Game, args: argparse.Namespace) -> None:
    """Is luck 0 on average, and do losses rank the players?"""
    analyser = Analyser(chosen)
    for name in args.agents.split(","):
        players = Players(chosen, name, args.players, args.seed)
        seats = [
            review(players.play(number), tried=args.tried, analyser=analyser).seats
            for number in range(args.games)
        ]
        luck = [float(np.mean([seat.dice_luck for seat in game])) for game in seats]
        loss = [float(np.mean([seat.loss for seat in game])) for game in seats]
        rest = [float(np.mean([seat.rest for seat in game])) for game in seats]
        each = [seat for game in seats for seat in game]
        lost = sum(seat.loss for seat in each) / sum(len(seat.decisions) for seat in each)
        used = np.polyfit([seat.dice_luck for seat in each], [seat.score for seat in each], 1)[0]
        spread = np.std([seat.dice_luck for seat in each], ddof=1)
        print(
            f"{name}: luck {with_error(luck)} (spread {spread:.1f}), loss {with_error(loss)}, "
            f"{lost:.2f} a decision, rest {with_error(rest)}, use {used:.2f}",
            flush=True,
        )


def expected_from(analyser: Analyser, made: list[Moment], first: int, seat: int) -> float:
    """Return the final points that a player expects from a move on."""
    for moment in made[first:]:
        if moment.move.seat == seat:
            return analyser.rate(moment).options[0][1]
        if moment.move.seat == CHANCE and seat in (weighed := analyser.evaluate_chance(moment)):
            return weighed[seat].before
    raise ValueError(f"nothing concerns seat {seat} from move {first} on")


def measure_calibration(chosen: Game, args: argparse.Namespace) -> None:
    """Final points less expected ones, by game the mean over all seats."""
    analyser, players = Analyser(chosen), Players(chosen, "net", args.players, args.seed)
    gaps: dict[str, list[list[float]]] = {"start": [], "after round 3": []}
    for number in range(args.games):
        position = players.play(number)
        made = list(moments(position))
        fourth = next(index for index, moment in enumerate(made) if moment.state.round == 4)
        for name, index in (("start", 0), ("after round 3", fourth)):
            gaps[name].append(
                [
                    position.score(seat) - expected_from(analyser, made, index, seat)
                    for seat in range(args.players)
                ]
            )
    for name, values in gaps.items():
        mean = with_error([float(np.mean(game)) for game in values])
        print(
            f"{name}: final points less expected ones {mean}, deviation {np.std(values):.1f}, "
            f"{args.games} games"
        )


def measure_value_bias(chosen: Game, args: argparse.Namespace) -> None:
    """Print final points less the rated ones, by the turns a player has left."""
    analyser, players = Analyser(chosen), Players(chosen, "net", args.players, args.seed)
    gaps: dict[int, list[float]] = {}
    for number in range(args.games):
        position, seen = players.play(number), set()
        for moment in moments(position):
            seat = moment.move.seat
            to_come = chosen.scoring.turns_to_come(chosen.definition, moment.state, seat)
            if seat == CHANCE or (seat, to_come) in seen:
                continue
            seen.add((seat, to_come))
            expected = analyser.rate(moment).options[0][1] - value_bias(chosen, moment.state, seat)
            gaps.setdefault(to_come, []).append(position.score(seat) - expected)
    measured = sorted(gaps.items())
    for to_come, values in measured:
        print(f"{to_come} turns to come: {with_error(values)}")
    if args.keep:
        means = {to_come: round(float(np.mean(values)), 1) for to_come, values in measured}
        nets.write_accuracy(
            nets.shipped(chosen),
            value_bias=[means.get(to_come, 0.0) for to_come in range(measured[-1][0] + 1)],
        )


def measure_classes(chosen: Game, args: argparse.Namespace) -> None:
    """How often losses are how large."""
    analyser, players = Analyser(chosen), Players(chosen, args.agent, args.players, args.seed)
    found = [
        seat
        for number in range(args.games)
        for seat in review(players.play(number), tried=False, analyser=analyser).seats
    ]
    losses = np.array([decision.loss for seat in found for decision in seat.decisions])
    print(f"{len(losses) / len(found):.1f} decisions a game; losses a game from so many points on:")
    print(", ".join(f"{limit:g}: {(losses >= limit).sum() / len(found):.2f}" for limit in LIMITS))


MEASURES = {
    "time": measure_time,
    "luck": measure_luck,
    "calibration": measure_calibration,
    "value_bias": measure_value_bias,
    "classes": measure_classes,
}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=MEASURES)
    parser.add_argument("game")
    parser.add_argument("--players", type=int, choices=(1, 2, 3, 4), default=1)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--tried", action="store_true")
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--agent", default="medium")
    parser.add_argument("--agents", default=",".join(AGENTS))
    parser.add_argument("--seed", type=int, default=20261115)
    args = parser.parse_args()
    chosen = game(args.game)
    print(f"{chosen.name}, {args.what}, {args.players} players", flush=True)
    MEASURES[args.what](chosen, args)


if __name__ == "__main__":
    main()
