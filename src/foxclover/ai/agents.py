"""Thinking computer players at a table."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Generator
from typing import TypeAlias, TypeVar

from foxclover.ai import Ranked, choices
from foxclover.ai.families import Strength
from foxclover.ai.family import NO_EXACT_WAY
from foxclover.ai.nets import make_thinker, shipped_net
from foxclover.chance import fresh_seed
from foxclover.game import Game, Move, Position
from foxclover.playouts import CHOICE_STREAM
from foxclover.rng import next32, seed_rng
from foxclover.shortfall import shortfall

T = TypeVar("T")
Steps: TypeAlias = Generator[None, None, T]
"""Thinking that lets go now and then, and ends with what was found."""
LOOKS = 50  # at the clock, at least, while moves are tried out


def all_at_once(steps: Steps[T]) -> T:
    """Think without a break."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            found: T = end.value
            return found


class RatingAgent:
    """Takes the move with the best rating, or if it is easy to beat one that it mistakes for that."""

    def __init__(self, game: Game, strength: Strength, seed: int | None = None) -> None:
        self.game = game
        self.strength = strength
        self.instance, self.tables, self.mind = make_thinker(game, shipped_net(game))
        self.mind.fresh = 1
        self.rng = [0, 0, 0, 0]
        self.reset(fresh_seed() if seed is None else seed)

    def reset(self, seed: int) -> None:
        """Begin a new game."""
        seed_rng(self.rng, seed ^ CHOICE_STREAM, 0)

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        moves = choices(self.game, position, seat)
        if len(moves) == 1:
            return moves[0]
        best = self._rate(position, seat)
        if self.strength.heat:
            self._seed(next32(self.rng))
            best = self.instance.call(
                "misjudge",
                self.mind.trials.ratings,
                len(moves),
                self.strength.heat,
                self.mind.choice_rng,
            )
        return moves[best]

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """All legal moves, the best first."""
        moves = choices(self.game, position, seat)
        self._rate(position, seat, every=True)
        more = shortfall(self.game, position.state, seat)
        ranked = [
            Ranked(move, float(rating) + more, 0.0)
            for move, rating in zip(moves, self.mind.trials.ratings, strict=False)
        ]
        return sorted(ranked, key=lambda value: -value.expected)

    def _rate(self, position: Position, seat: int, *, every: bool = False) -> int:
        """Rate the legal moves that may be the best, or every one; the same position always gives the same. Return the best."""
        mind, numbers = self.mind, position.legal_numbers(seat)
        self.instance.set(mind.here, position.state)
        self.instance.set(mind.known, position.known or position.state)
        mind.trials.moves[: len(numbers)] = numbers
        mind.trials.count = len(numbers)
        mind.every = int(every)
        self._seed(0)
        best: int = self.instance.call("rate", self.tables, mind, seat)
        return best

    def _seed(self, seed: int) -> None:
        """Start the mind's generator anew."""
        rng = [0, 0, 0, 0]
        seed_rng(rng, seed ^ CHOICE_STREAM, 0)
        self.mind.choice_rng[:] = rng


class SearchAgent(RatingAgent):
    """Tries the best-looking moves out, for as long as its strength allows."""

    def choose(self, position: Position, seat: int) -> Move:
        """Choose a legal move."""
        return all_at_once(self.choose_in_steps(position, seat))

    def rank(self, position: Position, seat: int) -> list[Ranked]:
        """All legal moves, the best first: those tried out before those that were only rated."""
        return all_at_once(self.rank_in_steps(position, seat))

    def choose_in_steps(self, position: Position, seat: int) -> Steps[Move]:
        """Choose a legal move with something else done in between."""
        moves = choices(self.game, position, seat)
        return moves[(yield from self._search(position, seat))[0]] if len(moves) > 1 else moves[0]

    def rank_in_steps(self, position: Position, seat: int) -> Steps[list[Ranked]]:
        """Rank all legal moves with something else done in between."""
        rated = {value.move.number: value for value in super().rank(position, seat)}
        moves = position.legal_moves(seat)
        order = yield from self._search(position, seat)
        more = shortfall(self.game, position.state, seat)
        return [
            self._tried(moves[index], index, more) or rated[moves[index].number] for index in order
        ]

    def _tried(self, move: Move, index: int, more: float) -> Ranked | None:
        """What the tries of a move say, and some points more; None if there were too few."""
        trials, prior = self.mind.trials, self.strength.prior
        tries = int(trials.tries[index])
        if tries < 2:
            return None
        variance = float(trials.squares[index]) / tries - (float(trials.sums[index]) / tries) ** 2
        expected: float = self.instance.call("worth", trials, index, prior, False)
        return Ranked(
            move,
            expected + more,
            math.sqrt(max(0.0, variance) / (tries - 1)) * tries / (prior + tries),
        )

    def _search(self, position: Position, seat: int) -> Steps[list[int]]:
        """The indices of all legal moves, the best first. What was found out stays in the mind."""
        started = time.perf_counter()
        tables, mind, prior, call = self.tables, self.mind, self.strength.prior, self.instance.call
        self._rate(position, seat)
        left = call("list_candidates", mind, seat)
        seed = next32(self.rng)
        to_win = self.strength.to_win and bool(call("wants_win", tables, mind.here))
        self._seed(seed)
        chosen = (
            call("choose_to_win", tables, mind, seat, mind.choice_rng) if to_win else NO_EXACT_WAY
        )
        if chosen == NO_EXACT_WAY:
            yield from halve(
                left,
                self.strength.seconds - (time.perf_counter() - started),
                lambda left, number: call(
                    "try_candidates", tables, mind, seat, left, number, to_win, seed
                ),
                lambda left: call("drop_weaker_half", mind.trials, left, prior, to_win),
            )
        order = [int(index) for index in mind.trials.order[: mind.trials.count]]
        return order if chosen == NO_EXACT_WAY else sorted(order, key=lambda index: index != chosen)


def halve(
    left: int,
    seconds: float,
    try_all: Callable[[int, int], None],
    drop_weaker: Callable[[int], int],
) -> Steps[None]:
    """Try candidates within a time, of which each turn has the same share. The quicker they are tried, the more often at once."""
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
