"""Computer players at a table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator
from os import PathLike
from typing import TypeAlias, TypeVar, cast

from foxclover.ai import Ranked, choices
from foxclover.ai.families import Strength
from foxclover.ai.nets import make_thinker, net_of, value_bias
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
        ranked = [
            Ranked(move, float(rating) + more, 0.0)
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

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        return all_at_once(self.choose_in_steps(position, seat))

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """Return all legal moves, the best first: moves with rollouts before rated ones."""
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
        more = value_bias(self.game, position.state, seat, self.net)
        return [
            self._tried(moves[index], index, more) or rated[moves[index].number] for index in order
        ]

    def _tried(self, move: Move, index: int, more: float) -> Ranked | None:
        """Return a move with the result of its rollouts plus ``more``; None after too few."""
        candidates, prior = self.workspace.candidates, self.strength.prior
        tries = int(candidates.tries[index])
        if tries < 2:
            return None
        variance = (
            float(candidates.squares[index]) / tries - (float(candidates.sums[index]) / tries) ** 2
        )
        expected: float = self.instance.call("value", candidates, index, prior, False)
        return Ranked(
            move,
            expected + more,
            math.sqrt(max(0.0, variance) / (tries - 1)) * tries / (prior + tries),
        )

    def _search(self, position: Position, seat: int) -> Steps[list[int]]:
        """Return the indices of all legal moves, the best first; results stay in the workspace."""
        started = time.perf_counter()
        tables, workspace, call = self.tables, self.workspace, self.instance.call
        strength = self.strength
        self._rate(position, seat)
        left = call("list_candidates", workspace, seat)
        seed = next32(self.rng)
        to_win = strength.to_win and bool(call("wants_win", tables, workspace.here))
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
                lambda left: call(
                    "drop_weaker_half", workspace.candidates, left, strength.prior, to_win
                ),
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
