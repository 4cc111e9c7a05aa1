"""Ask the kernel how good moves were and what chance might have done."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from foxclover.ai import Ranked
from foxclover.ai.candidates import POINTS_OF_A_WIN
from foxclover.ai.families import family_of
from foxclover.ai.nets import make_thinker, net_of, value_bias
from foxclover.ai.stubs import NO_EXACT_WAY
from foxclover.core.contract import AnyState
from foxclover.core.game import Game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE, ROLL_DUE
from foxclover.review.evaluate import ChanceEvaluation

SAMPLES = 150  # of a roll with many outcomes
SAMPLES_OF_OTHERS = 30  # of a roll of another player
STREAMS = 2  # ways in which a turn continues until a player gets a die
BATCH = 20  # rollouts between two looks at the difference
CLEAR = 3.0  # standard errors of a difference that ends rollouts early
CONFIRMED = 2.0  # standard errors that a loss must reach
DEEP = 5  # times as many rollouts in a deep review


class Moment(NamedTuple):
    """A move that was made, and the position before it."""

    at: int  # moves made before
    state: AnyState
    pre_roll_state: AnyState
    move: Move
    seed: int  # derived from the moves so far: the same game always gets the same review


class ChanceEffect(NamedTuple):
    """The effect of a chance move on a player."""

    before: float  # expected points, the mean over all outcomes
    after: float
    variance: float


class RatedMoves(NamedTuple):
    """The ratings of a decision."""

    options: tuple[tuple[int, float], ...]  # legal moves and final points, the best first
    exact: bool  # for this round
    to_win: bool  # winning counts, not points
    wins: tuple[tuple[int, float], ...]  # moves and shares of the win; empty without exact ones

    def ranked(self, game: Game, moment: Moment) -> tuple[Ranked, ...]:
        """Return the legal moves with the points they promise."""
        here = Position(game, moment.state)
        return tuple(
            Ranked(here.move(moment.move.seat, number), expected, 0.0)
            for number, expected in self.options
        )


Finding = RatedMoves | dict[int, ChanceEffect]
"""What is known about a move: the ratings of a decision, or the effect of chance by seat."""


@dataclass
class RolledOut:
    """A move in rollouts."""

    number: int
    rating: float
    points: list[float] = field(default_factory=list)  # of each rollout
    wins: list[float] = field(default_factory=list)  # shares of the win

    def results(self, to_win: bool) -> list[float]:
        """Return the result of each rollout in points, or in points for a win."""
        return [POINTS_OF_A_WIN * share for share in self.wins] if to_win else self.points

    def value(self, prior: float, to_win: bool) -> float:
        """Return the mean result; for points the rating counts as much as ``prior`` rollouts."""
        results = self.results(to_win)
        return (
            sum(results) / len(results)
            if to_win
            else (prior * self.rating + sum(results)) / (prior + len(results))
        )


class Comparison(NamedTuple):
    """Moves compared by rollouts with the same dice."""

    best: int  # number of the move
    loss: float  # points that the move played is behind
    error: float  # standard error of the loss
    gain: float  # of the best other move by rollouts alone: points, or points for a win
    confirmed: bool  # the loss is significant, and rollouts alone agree


def moments(position: Position) -> Iterator[Moment]:
    """Yield the moves of a game in order."""
    game = position.game
    prefix = hashlib.sha256(f"{game.key} {position.players} {game.pack(position.setup)}".encode())
    pre_roll = None
    for at, (state, move) in enumerate(position.history()):
        seed = int.from_bytes(prefix.digest()[:4], "big")
        yield Moment(at, state, pre_roll or state, move, seed)
        prefix.update(f" {move.seat}:{move.number}".encode())
        if (
            move.seat == CHANCE
            and game.rules.chance_pending(game.definition.tables, state) == ROLL_DUE
        ):
            pre_roll = state


class Analyser:
    """Evaluate the decisions and the dice luck of a game, in one thread."""

    def __init__(self, game: Game, *, deep: bool = False) -> None:
        self.game = game
        self.instance, self.tables, self.workspace = make_thinker(game, net_of(game))
        self.evaluation = self.instance.new(ChanceEvaluation)
        family = family_of(game)
        self.tries = family.REVIEW.tries * (DEEP if deep else 1)
        self.shared_rolls = family.REVIEW.shared_rolls
        self.prior = family.STRENGTHS["search"].prior
        self.compared, self.results = self.instance.ints(3), self.instance.floats(6 * BATCH)

    def examine(self, moment: Moment) -> Finding:
        """Rate a decision, or evaluate a chance move."""
        return self.evaluate_chance(moment) if moment.move.seat == CHANCE else self.rate(moment)

    def evaluate_chance(self, moment: Moment) -> dict[int, ChanceEffect]:
        """Return the effect of a chance move on each seat that it concerns."""
        self.instance.set(self.workspace.here, moment.state)
        effects, evaluation = {}, self.evaluation
        rollers = self.game.rules.rollers(self.game.definition.tables, moment.state)
        for seat in range(moment.state.players):
            if self.instance.call("concerns", self.tables, self.workspace.here, seat):
                own = rollers != 0 if self.shared_rolls else rollers >> seat & 1
                self.instance.call(
                    "evaluate_chance",
                    self.tables,
                    self.workspace,
                    evaluation,
                    seat,
                    moment.move.number,
                    SAMPLES if own else SAMPLES_OF_OTHERS,
                    STREAMS,
                    moment.seed,
                )
                bias = value_bias(self.game, moment.state, seat)
                effects[seat] = ChanceEffect(
                    float(evaluation.before) + bias,
                    float(evaluation.after) + bias,
                    float(evaluation.variance),
                )
        return effects

    def rate(self, moment: Moment) -> RatedMoves:
        """Rate all legal moves of a decision."""
        workspace, seat = self.workspace, moment.move.seat
        self.instance.set(workspace.here, moment.state)
        self.instance.call("rate_here", self.tables, workspace, seat, moment.seed)
        bias = value_bias(self.game, moment.state, seat)
        rated = [(move, rating + bias) for move, rating in self._rated(workspace.candidates)]
        exact = bool(self.instance.call("is_exact", self.tables, workspace.here, seat))
        to_win = self._wants_win()
        wins = self._rate_to_win(moment) if exact and to_win and len(rated) > 1 else []
        return RatedMoves(tuple(_best_first(rated)), exact, to_win, tuple(wins))

    def _rated(self, ratings: Any) -> list[tuple[int, float]]:
        """Return the candidates rated last, with the ratings in one of the workspace's lists."""
        candidates = self.workspace.candidates
        return [
            (int(candidates.moves[index]), float(ratings.ratings[index]))
            for index in range(int(candidates.count))
        ]

    def _wants_win(self) -> bool:
        return bool(self.instance.call("wants_win", self.tables, self.workspace.here))

    def _rate_to_win(self, moment: Moment) -> list[tuple[int, float]]:
        """Return the moves rated last with exact shares of the win, or nothing."""
        workspace, seat = self.workspace, moment.move.seat
        self.instance.set(workspace.pre_roll_state, moment.pre_roll_state)
        self.instance.call("seed_rng", workspace.choice_rng, moment.seed, 0)
        chosen = self.instance.call(
            "choose_to_win", self.tables, workspace, seat, workspace.choice_rng
        )
        if chosen == NO_EXACT_WAY:
            return []
        rated = self._rated(workspace.ahead_candidates)
        return _best_first([(move, points / POINTS_OF_A_WIN) for move, points in rated])

    def compare(self, moment: Moment, rated: Sequence[tuple[int, float]]) -> Comparison:
        """Compare moves by rollouts, of which the first was played.

        Ratings count as much as some rollouts. After the first batch only the best of the other
        moves is left.
        """
        tries = max(BATCH, self.tries // moment.state.players)
        self.instance.set(self.workspace.here, moment.state)
        to_win = self._wants_win()
        others = [RolledOut(*pair) for pair in rated[1:]]
        played = RolledOut(*rated[0])
        while True:
            self._roll_out(moment, [played, *others])
            rival = max(others, key=lambda other: other.value(self.prior, to_win))
            others = [rival]
            made = len(played.points)
            gain, error = _paired(rival.results(to_win), played.results(to_win))
            if made >= tries or abs(gain) > CLEAR * error:
                break
        difference, points_error = _paired(rival.points, played.points)
        weight = self.prior + made
        loss, best = 0.0, played.number
        if rival.value(self.prior, to_win) > played.value(self.prior, to_win):
            shift = self.prior * (rival.rating - played.rating) + made * difference
            loss, best = max(0.0, shift / weight), rival.number
        loss_error = points_error * made / weight
        confirmed = (
            gain >= CONFIRMED * error if to_win else gain > 0 and loss >= CONFIRMED * loss_error
        )
        return Comparison(best, loss, loss_error, gain, confirmed)

    def _roll_out(self, moment: Moment, moves: Sequence[RolledOut]) -> None:
        count, first = len(moves), len(moves[0].points)
        compared, results = self.compared[:count], self.results[: 2 * count * BATCH]
        compared[:] = [move.number for move in moves]
        self.instance.call(
            "compare",
            self.tables,
            self.workspace,
            moment.move.seat,
            compared,
            first,
            BATCH,
            moment.seed,
            results,
        )
        values = [float(value) for value in results]
        for index, move in enumerate(moves):
            move.points += values[index * BATCH : (index + 1) * BATCH]
            move.wins += values[(count + index) * BATCH : (count + index + 1) * BATCH]


def _best_first(rated: list[tuple[int, float]]) -> list[tuple[int, float]]:
    return sorted(rated, key=lambda pair: -pair[1])


def _paired(values: Sequence[float], others: Sequence[float]) -> tuple[float, float]:
    """Return the mean difference of two moves with the same dice, and its standard error."""
    differences = [value - other for value, other in zip(values, others, strict=True)]
    mean = sum(differences) / len(differences)
    variance = sum((difference - mean) ** 2 for difference in differences) / (len(differences) - 1)
    return mean, math.sqrt(variance / len(differences))
