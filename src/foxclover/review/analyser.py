"""Asks the kernel what moves were worth and what chance might have done."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from foxclover.ai import Ranked
from foxclover.ai.families import family_of
from foxclover.ai.family import NO_EXACT_WAY
from foxclover.ai.nets import make_thinker, shipped_net
from foxclover.ai.trials import POINTS_OF_A_WIN
from foxclover.contract import ROLL_DUE, AnyState
from foxclover.game import CHANCE, Game, Move, Position
from foxclover.review.hindsight import Weighing
from foxclover.shortfall import shortfall

SAMPLES = 150  # of what many dice may show
SAMPLES_OF_OTHERS = 30  # of a roll that somebody else makes
STREAMS = 2  # ways a turn may go on until a player gets his die
BATCH = 20  # tries after which a clear difference is believed
CLEAR = 3.0  # errors
CONFIRMED = 2.0  # errors that a loss must reach
DEEP = 5  # times as many tries where time does not matter


class Moment(NamedTuple):
    """A move that was made, and the table before it."""

    at: int  # how many moves were made before
    state: AnyState
    known: AnyState  # the table when the dice last fell
    move: Move
    seed: int  # follows from the moves so far: the same game is always judged alike


class Weighed(NamedTuple):
    """What a move of chance brought a player."""

    before: float  # expected points, the mean over all that might have come
    after: float
    variance: float


class Rated(NamedTuple):
    """What ratings say about a decision."""

    options: tuple[
        tuple[int, float], ...
    ]  # all legal moves with the final points they promise, the best first
    exact: bool  # for this round
    to_win: bool  # is winning what counts?
    ways: tuple[
        tuple[int, float], ...
    ]  # moves with their shares of the win, the best first; none where only trying them out would tell

    def ranked(self, game: Game, moment: Moment) -> tuple[Ranked, ...]:
        """The legal moves with what they promise."""
        here = Position(game, moment.state)
        return tuple(
            Ranked(here.move(moment.move.seat, number), expected, 0.0)
            for number, expected in self.options
        )


Finding = Rated | dict[int, Weighed]
"""What is found out about a move that was made: a player's decision, or what chance brought each seat that it concerned."""


@dataclass
class Candidate:
    """A move that is tried out."""

    number: int
    rating: float
    points: list[float] = field(default_factory=list)  # of each try
    wins: list[float] = field(default_factory=list)  # shares of the win

    def judged(self, to_win: bool) -> list[float]:
        """What each try is worth: its points, or where winning is what counts points for a win."""
        return [POINTS_OF_A_WIN * share for share in self.wins] if to_win else self.points

    def worth(self, prior: float, to_win: bool) -> float:
        """The mean; in points the rating counts as much as some tries."""
        judged = self.judged(to_win)
        return (
            sum(judged) / len(judged)
            if to_win
            else (prior * self.rating + sum(judged)) / (prior + len(judged))
        )


class Tried(NamedTuple):
    """Moves tried out, all with the same luck."""

    best: int  # number of the move
    loss: float  # points that the one played is worth less
    error: float
    gain: float  # by the tries alone, over the best of the others: points, or where winning is what counts points for a win
    confirmed: bool  # is the loss beyond doubt, and do the tries alone point the same way?


def moments(position: Position) -> Iterator[Moment]:
    """The moves of a game in their order."""
    game = position.game
    prefix = hashlib.sha256(f"{game.key} {position.players} {position.variant}".encode())
    known = None
    for at, (state, move) in enumerate(position.history()):
        yield Moment(at, state, known or state, move, int.from_bytes(prefix.digest()[:4], "big"))
        prefix.update(f" {move.seat}:{move.number}".encode())
        if move.seat == CHANCE and game.rules.chance_pending(game.book.tables, state) == ROLL_DUE:
            known = state


class Judge:
    """One thread's judge of a game's decisions and luck."""

    def __init__(self, game: Game, *, deep: bool = False) -> None:
        self.game = game
        self.instance, self.tables, self.mind = make_thinker(game, shipped_net(game))
        self.weighing = self.instance.new(Weighing)
        family = family_of(game)
        self.tries = family.JUDGEMENT.tries * (DEEP if deep else 1)
        self.prior = family.STRENGTHS["search"].prior
        self.compared, self.results = self.instance.ints(3), self.instance.floats(6 * BATCH)

    def find_out(self, moment: Moment) -> Finding:
        """Rate a decision, or weigh what chance did."""
        return self.weigh(moment) if moment.move.seat == CHANCE else self.rate(moment)

    def weigh(self, moment: Moment) -> dict[int, Weighed]:
        """What a move of chance brought each of the seats that it concerns."""
        self.instance.set(self.mind.here, moment.state)
        weighed, weighing = {}, self.weighing
        mask = self.game.rules.rollers(self.game.book.tables, moment.state)
        for seat in range(moment.state.players):
            if self.instance.call("concerns", self.tables, self.mind.here, seat):
                samples = SAMPLES if mask >> seat & 1 else SAMPLES_OF_OTHERS
                self.instance.call(
                    "weigh_chance",
                    self.tables,
                    self.mind,
                    weighing,
                    seat,
                    moment.move.number,
                    samples,
                    STREAMS,
                    moment.seed,
                )
                more = shortfall(self.game, moment.state, seat)
                weighed[seat] = Weighed(
                    float(weighing.before) + more,
                    float(weighing.after) + more,
                    float(weighing.variance),
                )
        return weighed

    def rate(self, moment: Moment) -> Rated:
        """What all legal moves of whoever moved promise."""
        mind, seat = self.mind, moment.move.seat
        self.instance.set(mind.here, moment.state)
        self.instance.call("rate_here", self.tables, mind, seat, moment.seed)
        count = int(mind.trials.count)
        more = shortfall(self.game, moment.state, seat)
        rated = [
            (int(mind.trials.moves[index]), float(mind.trials.ratings[index]) + more)
            for index in range(count)
        ]
        exact = bool(self.instance.call("is_exact", self.tables, mind.here, seat))
        to_win = self._wants_win()
        ways = self._ways_to_win(moment) if exact and to_win and count > 1 else []
        return Rated(tuple(_best_first(rated)), exact, to_win, tuple(ways))

    def _wants_win(self) -> bool:
        """Is winning what counts in the position judged last?"""
        return bool(self.instance.call("wants_win", self.tables, self.mind.here))

    def _ways_to_win(self, moment: Moment) -> list[tuple[int, float]]:
        """The moves rated last with their shares of the win, where that can be told."""
        mind, seat = self.mind, moment.move.seat
        self.instance.set(mind.known, moment.known)
        self.instance.call("seed_rng", mind.choice_rng, moment.seed, 0)
        if (
            self.instance.call("choose_to_win", self.tables, mind, seat, mind.choice_rng)
            == NO_EXACT_WAY
        ):
            return []
        count = int(mind.trials.count)
        return _best_first(
            [
                (
                    int(mind.trials.moves[index]),
                    float(mind.ahead_trials.ratings[index]) / POINTS_OF_A_WIN,
                )
                for index in range(count)
            ]
        )

    def compare(self, moment: Moment, rated: Sequence[tuple[int, float]]) -> Tried:
        """Try moves out, of which the first was played; what ratings say counts as much as some tries.

        After the first tries the best of the others is tried on alone.
        """
        tries = max(BATCH, self.tries // moment.state.players)
        self.instance.set(self.mind.here, moment.state)
        to_win = self._wants_win()
        others = [Candidate(*pair) for pair in rated[1:]]
        played = Candidate(*rated[0])
        while True:
            self._try(moment, [played, *others])
            rival = max(others, key=lambda other: other.worth(self.prior, to_win))
            others = [rival]
            made = len(played.points)
            gain, error = _paired(rival.judged(to_win), played.judged(to_win))
            if made >= tries or abs(gain) > CLEAR * error:
                break
        difference, points_error = _paired(rival.points, played.points)
        better = rival.worth(self.prior, to_win) > played.worth(self.prior, to_win)
        loss = (
            max(
                0.0,
                (self.prior * (rival.rating - played.rating) + made * difference)
                / (self.prior + made),
            )
            if better
            else 0.0
        )
        loss_error = points_error * made / (self.prior + made)
        confirmed = (
            gain >= CONFIRMED * error if to_win else gain > 0 and loss >= CONFIRMED * loss_error
        )
        return Tried((rival if better else played).number, loss, loss_error, gain, confirmed)

    def _try(self, moment: Moment, candidates: Sequence[Candidate]) -> None:
        """Try moves some more times."""
        count, first = len(candidates), len(candidates[0].points)
        compared, results = self.compared[:count], self.results[: 2 * count * BATCH]
        compared[:] = [candidate.number for candidate in candidates]
        self.instance.call(
            "compare",
            self.tables,
            self.mind,
            moment.move.seat,
            compared,
            first,
            BATCH,
            moment.seed,
            results,
        )
        values = [float(value) for value in results]
        for index, candidate in enumerate(candidates):
            candidate.points += values[index * BATCH : (index + 1) * BATCH]
            candidate.wins += values[(count + index) * BATCH : (count + index + 1) * BATCH]


def _best_first(rated: list[tuple[int, float]]) -> list[tuple[int, float]]:
    return sorted(rated, key=lambda pair: -pair[1])


def _paired(values: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """By how much one move did better than another with the same luck, and the error of that."""
    differences = [value - other for value, other in zip(values, others, strict=True)]
    mean = sum(differences) / len(differences)
    variance = sum((difference - mean) ** 2 for difference in differences) / (len(differences) - 1)
    return mean, math.sqrt(variance / len(differences))
