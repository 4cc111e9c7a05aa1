"""Computer players at a table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator
from os import PathLike
from typing import TypeAlias, TypeVar, cast

from foxclover.ai import Ranked, choices
from foxclover.ai.families import Strength
from foxclover.ai.nets import make_thinker, net_of, value_bias, value_error
from foxclover.ai.stubs import NO_EXACT_WAY
from foxclover.core.game import Game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.rules import MAX_MOVES, next32, seed_rng
from foxclover.dice.sources import fresh_seed
from foxclover.kernel.batch import CHOICE_STREAM
from foxclover.kernel.python_backend import link

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, T]
"""A computation that yields now and then, and returns its result."""
LOOKS = 50  # at the clock during rollouts, at least


def all_at_once(steps: Steps[T]) -> T:
    """Run a computation without a break."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return cast(T, end.value)


class SeededAgent:
    """A computer player with a generator for its choices."""

    def __init__(self, game: Game, seed: int | None) -> None:
        self.game = game
        self.rng = [0, 0, 0, 0]
        self.reset(fresh_seed() if seed is None else seed)

    def reset(self, seed: int) -> None:
        """Start a new game."""
        seed_rng(self.rng, seed ^ CHOICE_STREAM, 0)


class SimpleAgent(SeededAgent):
    """Choose by a policy of ``kernel.batch``, run by CPython."""

    def __init__(self, game: Game, policy: int, seed: int | None = None) -> None:
        super().__init__(game, seed)
        self.policy = policy
        self.functions = link(game.family)
        self.scratch = game.rules.State()

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        moves = choices(self.game, position, seat)
        number = self.functions.choose(
            self.game.definition.tables,
            position.state,
            self.scratch,
            self.policy,
            seat,
            [0] * MAX_MOVES,
            self.rng,
        )
        return moves[moves.numbers.index(number)]


class RatingAgent(SeededAgent):
    """Choose the move with the best rating; weak players add noise to ratings."""

    def __init__(
        self,
        game: Game,
        strength: Strength,
        seed: int | None = None,
        net: str | PathLike[str] | None = None,
    ) -> None:
        super().__init__(game, seed)
        self.strength = strength
        self.net = net  # the file of a net of your own
        self.instance, self.tables, self.workspace = make_thinker(game, net_of(game, net))
        self.workspace.no_cache = 1

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        moves = choices(self.game, position, seat)
        if len(moves) == 1:
            return moves[0]
        best = self._rate(position, seat)
        if self.strength.noise:
            self._seed(next32(self.rng))
            best = self.instance.call(
                "noisy_argmax",
                self.workspace.candidates.ratings,
                len(moves),
                self.strength.noise,
                self.workspace.choice_rng,
            )
        return moves[best]

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """Return all legal moves, the best first."""
        moves = choices(self.game, position, seat)
        self._rate(position, seat, every=True)
        more = value_bias(self.game, position.state, seat, self.net)
        error = value_error(self.game, position.state, seat, self.net)
        ranked = [
            Ranked(move, float(rating) + more, error)
            for move, rating in zip(moves, self.workspace.candidates.ratings, strict=False)
        ]
        return sorted(ranked, key=lambda value: -value.expected)

    def _rate(self, position: Position, seat: int, *, every: bool = False) -> int:
        """Rate the legal moves, or only those that may be the best; return the index of the best.

        The same position always gets the same ratings.
        """
        workspace, numbers = self.workspace, position.legal_numbers(seat)
        self.instance.set(workspace.here, position.state)
        self.instance.set(workspace.pre_roll_state, position.pre_roll_state or position.state)
        workspace.candidates.moves[: len(numbers)] = numbers
        workspace.candidates.count = len(numbers)
        workspace.rate_all = int(every)
        self._seed(0)
        return int(self.instance.call("rate", self.tables, workspace, seat))

    def _seed(self, seed: int) -> None:
        rng = [0, 0, 0, 0]
        seed_rng(rng, seed ^ CHOICE_STREAM, 0)
        self.workspace.choice_rng[:] = rng


class SearchAgent(RatingAgent):
    """Roll out the best-rated moves, limited by seconds or by a number of rollouts."""

    gaps: dict[int, float]  # by index: points of a dropped move behind the best at that time

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        return all_at_once(self.choose_in_steps(position, seat))

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """Return all legal moves, the best first.

        A dropped move is as far behind the best as when it was dropped, a move without rollouts as
        far behind the best-rated one as its rating.
        """
        return all_at_once(self.rank_in_steps(position, seat))

    def choose_in_steps(self, position: Position, seat: int) -> Steps[Move]:
        """Choose a legal move, with breaks for other work."""
        moves = choices(self.game, position, seat)
        return moves[(yield from self._search(position, seat))[0]] if len(moves) > 1 else moves[0]

    def rank_in_steps(self, position: Position, seat: int) -> Steps[list[Ranked]]:
        """Rank all legal moves, with breaks for other work."""
        rated = {value.move.number: value for value in super().rank(position, seat)}
        moves = position.legal_moves(seat)
        order = yield from self._search(position, seat)
        candidates = self.workspace.candidates
        best = self._value(order[0])
        more = value_bias(self.game, position.state, seat, self.net)
        # the best-rated move has rollouts, if any move has
        top = max(order, key=lambda index: float(candidates.ratings[index]))
        change = best - self.gaps.get(top, 0.0) - float(candidates.ratings[top])
        ranked = []
        for index in order:
            value = rated[moves[index].number]
            if candidates.tries[index]:
                expected = best - self.gaps.get(index, 0.0) + more
            else:
                expected = value.expected + (change if candidates.tries[top] else 0.0)
            ranked.append(Ranked(value.move, expected, math.hypot(value.error, self._noise(index))))
        if self._plays_to_win():
            return ranked
        return sorted(ranked, key=lambda value: -value.expected)

    def _value(self, index: int) -> float:
        """Return the expected points of a move by its rating and its rollouts."""
        candidates = self.workspace.candidates
        if not candidates.tries[index]:
            return float(candidates.ratings[index])
        return float(self.instance.call("value", candidates, index, self.strength.prior, False))

    def _noise(self, index: int) -> float:
        """Return the standard error of a move's rollouts; 0 after less than two."""
        candidates, prior = self.workspace.candidates, self.strength.prior
        tries = int(candidates.tries[index])
        if tries < 2:
            return 0.0
        variance = (
            float(candidates.squares[index]) / tries - (float(candidates.sums[index]) / tries) ** 2
        )
        return math.sqrt(max(0.0, variance) / (tries - 1)) * tries / (prior + tries)

    def _plays_to_win(self) -> bool:
        """Return whether the position of the workspace is played for the win."""
        return self.strength.to_win and bool(
            self.instance.call("wants_win", self.tables, self.workspace.here)
        )

    def _drop_weaker(self, left: int, to_win: bool) -> int:
        """Drop the weaker half of the first moves; note how far they are behind the best.

        Both had the same dice so far. Later rollouts of the best have others.
        """
        candidates = self.workspace.candidates
        kept = int(
            self.instance.call("drop_weaker_half", candidates, left, self.strength.prior, to_win)
        )
        best = self._value(candidates.order[0])
        for index in candidates.order[kept:left]:
            self.gaps[int(index)] = best - self._value(index)
        return kept

    def _search(self, position: Position, seat: int) -> Steps[list[int]]:
        """Return the indices of all legal moves, the best first; results stay in the workspace."""
        started = time.perf_counter()
        tables, workspace, call = self.tables, self.workspace, self.instance.call
        strength = self.strength
        self._rate(position, seat)
        left = call("list_candidates", workspace, seat)
        seed = next32(self.rng)
        to_win = self._plays_to_win()
        self.gaps = {}
        self._seed(seed)
        chosen = (
            call("choose_to_win", tables, workspace, seat, workspace.choice_rng)
            if to_win
            else NO_EXACT_WAY
        )
        if chosen == NO_EXACT_WAY:
            seconds = strength.seconds - (time.perf_counter() - started)
            yield from (halve if strength.seconds else halve_by_tries)(
                left,
                seconds if strength.seconds else strength.tries,
                lambda left, number: call(
                    "try_candidates", tables, workspace, seat, left, number, to_win, seed
                ),
                lambda left: self._drop_weaker(left, to_win),
            )
        order = [int(index) for index in workspace.candidates.order[: workspace.candidates.count]]
        return order if chosen == NO_EXACT_WAY else sorted(order, key=lambda index: index != chosen)


def halve(
    left: int,
    seconds: float,
    try_all: Callable[[int, int], None],
    drop_weaker: Callable[[int], int],
) -> Steps[None]:
    """Roll out candidates within a time, of which each turn of halving has the same share.

    Quick rollouts are made in larger batches.
    """
    started = now = time.perf_counter()
    turns = (left - 1).bit_length()
    number = 1
    for turn in range(1, turns + 1):
        while True:
            before = now
            try_all(left, number)
            yield
            now = time.perf_counter()
            if now - started >= seconds * turn / turns:
                break
            if now - before < seconds / LOOKS:
                number *= 2
        left = drop_weaker(left)


def halve_by_tries(
    left: int, tries: float, try_all: Callable[[int, int], None], drop_weaker: Callable[[int], int]
) -> Steps[None]:
    """Roll out candidates about ``tries`` times, shared as in ``playing.search``."""
    turns = (left - 1).bit_length()
    while left > 1:
        try_all(left, max(1, int(tries) // (turns * left)))
        yield
        left = drop_weaker(left)
