"""Build a decision set: sample decisions from games, and roll out their sensible moves.

A decision depends only on the seed and its number. So a set can be built in parts, by any number of
processes, and continued later.
"""

from __future__ import annotations

import math
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from foxclover.ai.families import family_of
from foxclover.ai.nets import make_thinker, net_digest, net_path, shipped_net
from foxclover.benchmark.decisions import (
    FROM_A_GAME,
    Decision,
    DecisionError,
    Header,
    Option,
    compact,
    from_line,
    read_lines,
    write_lines,
)
from foxclover.core.game import Game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.puzzles import rules, themes_of
from foxclover.simulation.workers import Runner

SOURCES = ("net", "medium", "net", "easy", "greedy", "random")  # seats take them in turn
BATCH = 2  # rollouts of each move between two looks at the errors
LEAST, MOST = 8, 64  # batches of a move
ERROR = 0.4  # points: more rollouts follow while the error of a move that may be best is greater
BEHIND = 4.0  # standard errors after which a move gets no more rollouts


class Sampler:
    """Take decisions from games between players of different strengths."""

    def __init__(self, chosen: Game, seed: int) -> None:
        self.game, self.seed = chosen, seed
        self.more = [count for count in chosen.players if count > 2]
        self.shared_rolls = family_of(chosen).REVIEW.shared_rolls
        self.runner = cache(lambda seats: Runner(chosen, seats))

    def seats(self, number: int) -> tuple[str, ...]:
        """Return the players of a game: half of the games are solo, a quarter has two players."""
        turn = number // len(SOURCES)
        players = (1, 2, 1, self.more[turn // 4 % len(self.more)])[turn % 4]
        return tuple(SOURCES[(number + seat) % len(SOURCES)] for seat in range(players))

    def take(self, number: int) -> Iterator[tuple[Position, int, str]]:
        """Yield the decisions of a game in an order drawn by its number, with who made them."""
        seats = self.seats(number)
        runner = self.runner(seats)
        runner(self.seed, number, 1)
        found = []
        moved = set[int]()  # seats that have moved since the last roll
        for state, move in runner.worker().replay().history():
            if move.seat == CHANCE:
                moved.clear()
            else:
                # Where all decide on one roll, other decisions would be hidden.
                if not (self.shared_rolls and moved - {move.seat}):
                    found.append((state, move.seat))
                moved.add(move.seat)
        random.Random(f"{self.seed} {number}").shuffle(found)
        for state, seat in found:
            position = Position(self.game, state)
            if len(position.legal_numbers(seat)) > 1:
                yield self.game.read_position(position.text), seat, seats[seat]


class Evaluator:
    """Roll out the sensible moves of decisions, in one thread."""

    def __init__(self, chosen: Game, seed: int) -> None:
        self.game, self.seed, self.span = chosen, seed, family_of(chosen).PUZZLES.span
        self.themes = themes_of(chosen).themes
        self.instance, self.tables, self.workspace = make_thinker(chosen, shipped_net(chosen))
        self.workspace.no_cache = 1

    def is_about_points(self, position: Position) -> bool:
        """Return whether the points count, not the win as in a last round with opponents."""
        self.instance.set(self.workspace.here, position.state)
        return not self.instance.call("wants_win", self.tables, self.workspace.here)

    def evaluate(self, position: Position, seat: int, source: str, number: int) -> Decision:
        """Return a decision with the losses of all legal moves."""
        moves, ratings = self._rate(position, seat)
        top = float(ratings.max())
        order = np.argsort(-ratings, kind="stable")
        sensible = max(2, int((ratings > top - self.span).sum()))
        rolled_out = [int(index) for index in order[:sensible]]
        compared = compare(self._roll_out(seat, rolled_out, number))
        found = [position.move(seat, moves[rolled_out[option.at]]) for option in compared]
        options = [
            Option(move.text, option.value, option.loss, option.error, option.rollouts)
            for move, option in zip(found, compared, strict=True)
        ]
        rest = {
            position.move(seat, moves[index]).text: top - float(ratings[index])
            for index in map(int, order[sensible:])
        }
        themes = self.themes(position, seat, found[0], found[1])
        return Decision(number, position.text, seat, source, tuple(themes), tuple(options), rest)

    def _rate(self, position: Position, seat: int) -> tuple[list[int], np.ndarray]:
        """Return the legal moves of a seat with their ratings."""
        workspace = self.workspace
        self.instance.set(workspace.here, position.state)
        self.instance.set(workspace.pre_roll_state, position.pre_roll_state or position.state)
        candidates = workspace.candidates
        moves = position.legal_numbers(seat)
        candidates.count = len(moves)
        candidates.moves[: len(moves)] = moves
        workspace.rate_all = 1
        self.instance.call("seed_rng", workspace.choice_rng, 0, 0)
        self.instance.call("rate", self.tables, workspace, seat)
        workspace.rate_all = 0
        return moves, np.array(candidates.ratings[: len(moves)], float)

    def _roll_out(self, seat: int, indices: Sequence[int], number: int) -> list[list[float]]:
        """Return the mean points of each batch of rollouts of some moves.

        Batch n of all moves has the same dice. A move that is clearly behind gets fewer batches.
        """
        candidates = self.workspace.candidates
        order, sums = np.asarray(candidates.order), np.asarray(candidates.sums)
        candidates.tries[: candidates.count] = 0
        sums[: candidates.count] = 0.0
        before, points = np.zeros(len(sums)), [list[float]() for _ in indices]
        active, seed = list(range(len(indices))), self.seed ^ number
        for made in range(1, MOST + 1):
            order[: len(active)] = [indices[at] for at in active]
            arguments = (seat, len(active), BATCH, 0, seed)
            self.instance.call("try_candidates", self.tables, self.workspace, *arguments)
            for at in active:
                index = indices[at]
                points[at].append(float(sums[index] - before[index]) / BATCH)
                before[index] = sums[index]
            if made >= LEAST and made % 4 == 0:
                compared = {option.at: option for option in compare(points)}
                active = [at for at in active if compared[at].loss <= BEHIND * compared[at].error]
                if max(compared[at].error for at in active) <= ERROR:
                    break
        return points


class Compared:
    """A move after its rollouts."""

    def __init__(self, at: int, best: list[float], own: list[float], is_best: bool) -> None:
        self.at = at
        behind = np.array(best[: len(own)]) - own
        self.loss = 0.0 if is_best else float(behind.mean())
        self.error = 0.0 if is_best else float(behind.std(ddof=1)) / math.sqrt(len(own))
        self.value = float(np.mean(best)) - self.loss
        self.rollouts = BATCH * len(own)


def compare(points: Sequence[list[float]]) -> list[Compared]:
    """Compare moves by the batches they have in common with the best one; return it first."""
    most = max(map(len, points))
    best = max(
        (at for at, own in enumerate(points) if len(own) == most), key=lambda at: sum(points[at])
    )
    found = [Compared(at, points[best], own, at == best) for at, own in enumerate(points)]
    return sorted(found, key=lambda option: (option.loss, option.at != best))


class Builder:
    """Build the decisions of games, in one thread."""

    def __init__(self, chosen: Game, seed: int) -> None:
        self.sampler, self.evaluator = Sampler(chosen, seed), Evaluator(chosen, seed)

    def lines(self, number: int) -> list[str]:
        """Return the decisions of a game as lines."""
        found = (
            decision
            for decision in self.sampler.take(number)
            if self.evaluator.is_about_points(decision[0])
        )
        first = FROM_A_GAME * number
        return [
            self.evaluator.evaluate(*decision, first + at).line
            for at, decision in enumerate(islice(found, FROM_A_GAME))
        ]


def header_of(chosen: Game, seed: int) -> Header:
    """Return what the decisions of a seed depend on."""
    net = net_digest(net_path(chosen))
    settings = {
        "span": family_of(chosen).PUZZLES.span,
        "batch": BATCH,
        "least": LEAST,
        "most": MOST,
        "error": ERROR,
        "behind": BEHIND,
    }
    return Header(chosen.key, rules(chosen), net, seed, settings)


def build(
    chosen: Game, seed: int, wanted: int, path: Path, workers: int, tick: Callable[[int], None]
) -> int:
    """Build a set and write it to a file; return the number of decisions.

    Continue a file with fewer decisions, or what an interruption left beside it. Call ``tick`` with
    the number of decisions ready.
    """
    header, partial = header_of(chosen, seed), path.with_name(f"{path.name}.partial")
    lines = list[str]()
    for earlier in (partial, path):
        if not lines and earlier.exists():
            built, lines = read_lines(earlier, chosen)
            if built != header:
                raise DecisionError(f"{earlier} was built with another seed, net or settings")
    # The last game may be incomplete, and a line may be broken.
    complete = from_line(lines[-2]).number // FROM_A_GAME if len(lines) > 1 else 0
    lines = [line for line in lines[:-1] if from_line(line).number // FROM_A_GAME < complete]
    path.parent.mkdir(parents=True, exist_ok=True)
    with partial.open("w", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in [compact(header._asdict()), *lines])
        for found in _lines_of_games(chosen, seed, range(complete, wanted), workers):
            if len(lines) >= wanted:
                break
            lines += found
            file.writelines(f"{line}\n" for line in found)
            file.flush()
            tick(len(lines))
    write_lines(path, header, lines[:wanted])
    partial.unlink()
    return len(lines[:wanted])


def _lines_of_games(chosen: Game, seed: int, numbers: range, workers: int) -> Iterator[list[str]]:
    """Yield the decisions of games in their order, built by some processes."""
    if workers == 1:
        yield from map(Builder(chosen, seed).lines, numbers)
        return
    context, given = get_context("spawn"), (chosen, seed)
    pool = ProcessPoolExecutor(workers, context, initializer=_start, initargs=given)
    try:
        yield from pool.map(_lines, numbers)
    finally:
        pool.shutdown(cancel_futures=True)


_builder: Builder


def _start(chosen: Game, seed: int) -> None:
    global _builder
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the main process stops this one
    _builder = Builder(chosen, seed)


def _lines(number: int) -> list[str]:
    return _builder.lines(number)
