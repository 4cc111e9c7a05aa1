"""Learn a Clever game by TD(0) on afterstates, in minutes, with numpy alone.

The agent values the position after each of its moves, and makes the best one. The value is the
points so far plus a sum of table entries: for each feature of the sheet one of all rounds and one
of this round. After each move the entries learn from the value of the next position.

Run ``python td_afterstate.py 8000 [--game ganz]``: it writes ``td-ganz.npz`` and a curve,
``td-ganz.csv``, and continues an earlier run. Measure it in the same folder:
``foxclover benchmark td_afterstate:TDAgent --task ganz-v1``.
"""

from __future__ import annotations

import argparse
import csv
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from foxclover import Game, Position
from foxclover import game as find_game
from foxclover.dice.sources import seeded

SEED = 33  # of the games to learn from; the benchmark's games have others
ROUNDS, WIDTH = 7, 256  # the first layer is for all rounds; most values of a feature
RATE, HALVED = 1.0, 5000  # share of the error that is learned; games until it is half of that


def features(state: Any, seat: int) -> list[int]:
    """Return what the seat's sheet looks like, each feature as a number below ``WIDTH``."""
    mine = state.seats[seat]
    lowest = max(0, min(mine.points))
    dice = state.hand.bit_count() if state.active == seat else 0
    found = [
        state.phase * 32 + state.roll * 8 + dice,
        (state.active == seat) * 8 + mine.stage,
        mine.foxes * 32 + min(31, lowest // 2),
        mine.points.index(min(mine.points)) * 8 + mine.foxes,
        mine.heaped,
    ]
    found += [now * 16 + all_in for now, all_in in zip(mine.actions, mine.unlocked, strict=True)]
    found += [room * 16 + last % 16 for room, last in zip(mine.room, mine.last, strict=True)]
    found += [min(WIDTH - 1, max(0, points)) for points in mine.points]
    for crossed in (*mine.crossed, *mine.circled):
        found += [crossed & 255, crossed >> 8 & 255]
    left = [min(15, max(0, count)) for count in mine.line_left]
    found += left
    found += [one * 16 + other for one, other in pairwise(left)]
    return [min(WIDTH - 1, value) for value in found]


class Values:
    """The expected points of afterstates."""

    def __init__(self, game: Game) -> None:
        self.rules, self.tables = game.rules, game.definition.tables
        self.count = len(features(game.start(1).state, 0))
        self.table = np.zeros((self.count, ROUNDS, WIDTH), np.float32)
        self.columns = np.arange(self.count)

    def after(self, position: Position, seat: int, number: int) -> tuple[np.ndarray, int, int]:
        """Return the features, the round and the points after a move."""
        state = position.state.copy()
        self.rules.apply(self.tables, state, seat, number)
        points = self.rules.score(self.tables, state, seat)
        return np.array(features(state, seat)), state.round, points

    def value(self, seen: np.ndarray, at: int) -> float:
        """Return the points that are expected after an afterstate."""
        return float(self.entries(seen, at).sum())

    def entries(self, seen: np.ndarray, at: np.ndarray | int) -> np.ndarray:
        """Return the entries of each feature, of all rounds and of one round together."""
        found: np.ndarray = self.table[self.columns, at, seen] + self.table[self.columns, 0, seen]
        return found

    def best(self, position: Position, seat: int) -> tuple[int, tuple[np.ndarray, int, int], float]:
        """Return the best move, its afterstate, and the expected final points."""
        numbers = position.legal_numbers(seat)
        afterstates = [self.after(position, seat, number) for number in numbers]
        seen = np.array([afterstate[0] for afterstate in afterstates])
        rounds = np.array([afterstate[1] for afterstate in afterstates])
        values = self.entries(seen, rounds[:, None]).sum(axis=1)
        values += [afterstate[2] for afterstate in afterstates]
        at = int(values.argmax())
        return numbers[at], afterstates[at], float(values[at])

    def learn(self, afterstate: tuple[np.ndarray, int, int], target: float, rate: float) -> None:
        """Move the value of an afterstate towards the final points expected one move later."""
        seen, at, points = afterstate
        error = target - points - self.value(seen, at)
        for layer in (0, at):
            self.table[self.columns, layer, seen] += rate * error / (2 * self.count)


def play(values: Values, game: Game, number: int) -> tuple[int, int]:
    """Learn from a solo game; return its points and the number of moves."""
    position, dice, last, moves = game.start(1), seeded(SEED, number), None, 0
    rate = RATE / (1 + number / HALVED)
    while not position.over:
        if position.chance_due:
            position.roll(dice)
            continue
        move, afterstate, expected = values.best(position, 0)
        if last is not None:
            values.learn(last, expected, rate)
        last, moves = afterstate, moves + 1
        position.push_unchecked(position.move(0, move))
    if last is not None:
        values.learn(last, position.score(0), rate)
    return position.score(0), moves


def file_of(game: Game) -> Path:
    """Return the file of the table of a game."""
    return Path(f"td-{game.key.partition('-')[0]}.npz")


def train(game: Game, games: int) -> None:
    """Learn from games up to a number, and write a line of the curve after every 100."""
    path, values, first, steps = file_of(game), Values(game), 0, 0
    if path.exists():
        with np.load(path) as stored:
            values.table, first, steps = stored["table"], int(stored["games"]), int(stored["steps"])
    scores, started = list[int](), time.process_time()
    for number in range(first, games):
        score, moves = play(values, game, number)
        scores.append(score)
        steps += moves
        if number % 100 == 99 or number == games - 1:
            seconds = round(time.process_time() - started, 1)
            with path.with_suffix(".csv").open("a", newline="") as file:
                row = [number + 1, steps, round(float(np.mean(scores[-100:])), 1), seconds]
                csv.writer(file).writerow(row)
            np.savez_compressed(path, table=values.table, games=number + 1, steps=steps)


class TDAgent:
    """The agent for the benchmark."""

    def __init__(self, game: Game) -> None:
        self.values = Values(game)
        with np.load(file_of(game)) as stored:
            self.values.table = stored["table"]

    def choose(self, position: Position, seat: int) -> int:
        """Return the move with the best afterstate."""
        return self.values.best(position, seat)[0]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", type=int)
    parser.add_argument("--game", default="ganz")
    given = parser.parse_args()
    train(find_game(given.game), given.games)
