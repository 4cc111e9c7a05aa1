"""Goes through a game twice: first every move is rated and all luck weighed, then moves that seem to have lost something are tried out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from foxclover.ai import Ranked
from foxclover.ai.families import Judgement, family_of
from foxclover.game import CHANCE, Move, Position
from foxclover.review.account import (
    BEST,
    CLOSE,
    GOOD,
    MISTAKES,
    Decision,
    Luck,
    PartSum,
    Point,
    Review,
    RoundSum,
    SeatReview,
)
from foxclover.review.judge import Judge, Moment, moments
from foxclover.review.winning import chances_to_win

DOUBTED = 1.0  # points; what seems to lose more is tried out
POINTS_OF_A_WIN = 100.0

Tick = Callable[[float], None]
"""Is told which further share of the work is done."""


def review(
    position: Position,
    names: Sequence[str] = (),
    *,
    seats: Sequence[int] | None = None,
    tried: bool = True,
    deep: bool = False,
    tick: Tick = lambda _: None,
    judge: Judge | None = None,
) -> Review:
    """Judge a game, finished or so far; the same moves always give the same review.

    Without ``tried`` losses are what ratings say. ``seats`` are those whose decisions are tried out (all, if not given).
    """
    judge = judge or Judge(position.game, deep=deep)
    everybody = range(position.players)
    notes = [SeatNotes(position, seat) for seat in everybody]
    made = list(moments(position))
    for moment in made:
        if moment.move.seat == CHANCE:
            for seat, weighed in judge.weigh(moment, everybody).items():
                notes[seat].events.append(Luck(moment.at, moment.state.round, moment.move, *weighed))
        else:
            notes[moment.move.seat].rate(judge, moment)
        tick((0.4 if tried else 1.0) / len(made))
    if tried:
        for note in notes:
            if seats is None or note.seat in seats:
                note.try_out(judge, tick, 0.6 / len(seats or everybody))
    reviews = [note.review(names[note.seat] if names else str(note.seat + 1)) for note in notes]
    draw_curves(position, reviews)
    for found in reviews:
        sum_up(position, found)
    return Review(position.game.key, position.players, position.over, [found for found in reviews if seats is None or found.seat in seats])


class SeatNotes:
    """What is found out about a seat, in the order of the game."""

    def __init__(self, position: Position, seat: int) -> None:
        self.position = position
        self.seat = seat
        self.events: list[Luck | Decision] = []
        self.doubted: dict[int, Moment] = {}
        self.judgement: Judgement = family_of(position.game).JUDGEMENT

    def rate(self, judge: Judge, moment: Moment) -> None:
        """Rate a decision, if it is one."""
        rated = judge.rate(moment)
        if len(rated) < 2:
            return
        game, state = self.position.game, moment.state
        options = tuple(Ranked(Move(game, state, self.seat, number), expected, 0.0) for number, expected in rated)
        played = next(option for option in options if option.move.number == moment.move.number)
        loss, best, win_loss = options[0].expected - played.expected, options[0].move, 0.0
        exact, to_win = judge.is_exact(self.seat), judge.wants_win()
        if exact and to_win and (ways := judge.ways_to_win(moment)):
            best = Move(game, state, self.seat, ways[0][0])
            win_loss = ways[0][1] - dict(ways)[moment.move.number]
        elif not exact and loss >= min(DOUBTED, self.judgement.classes[0]):
            self.doubted[moment.at] = moment
        verdict = self.verdict(POINTS_OF_A_WIN * win_loss if exact and to_win else loss)
        part = game.scoring.part_of(game.book, state, self.seat, moment.move.number)
        self.events.append(Decision(moment.at, state.round, moment.move, best, options, loss, 0.0, verdict, part, win_loss))

    def try_out(self, judge: Judge, tick: Tick, share: float) -> None:
        """Try out what seems to have lost something; what that does not confirm is no loss."""
        for index, event in enumerate(self.events):
            if isinstance(event, Decision) and event.at in self.doubted:
                self.events[index] = self.tried(judge, event, self.doubted[event.at])
                tick(share / len(self.doubted))
        if not self.doubted:
            tick(share)

    def tried(self, judge: Judge, decision: Decision, moment: Moment) -> Decision:
        """A decision judged anew: the move played against the two best-rated ones."""
        ratings = {option.move.number: option.expected for option in decision.options}
        compared = dict.fromkeys([decision.move.number, *(option.move.number for option in decision.options[:2])])
        found = judge.compare(moment, [(number, ratings[number]) for number in compared])
        to_win = judge.wants_win()
        verdict = self.verdict(found.gain if to_win else found.loss)
        if verdict in MISTAKES and not found.confirmed:
            verdict = CLOSE
        best = Move(self.position.game, moment.state, self.seat, found.best)
        win_loss = found.gain / POINTS_OF_A_WIN if to_win else 0.0
        return replace(decision, best=best, loss=found.loss, error=found.error, verdict=verdict, win_loss=win_loss)

    def verdict(self, loss: float) -> str:
        """The class of a loss, in points."""
        if loss <= 0:
            return BEST
        if loss < self.judgement.classes[0]:
            return GOOD
        return MISTAKES[sum(loss >= least for least in self.judgement.classes) - 1]

    def review(self, name: str) -> SeatReview:
        """The account of the seat; its curve has no chances to win yet."""
        points: list[Point] = []
        for event in self.events:
            before, after = (event.before, event.after) if isinstance(event, Luck) else (event.options[0].expected, event.played)
            if not points:
                points.append(Point(0, before, 1.0))
            points.append(Point(event.at + 1, after, 1.0))
        over = self.position.over
        score = float(self.position.score(self.seat)) if over or not points else points[-1].expected
        if over:
            points.append(Point(len(self.position.moves_made), score, 1.0))
        decisions = [event for event in self.events if isinstance(event, Decision)]
        chances = [event for event in self.events if isinstance(event, Luck)]
        lost = sum(decision.loss for decision in decisions) / max(len(decisions), 1)
        return SeatReview(self.seat, name, score, use_of_luck(self.judgement, lost), decisions, chances, points)


def use_of_luck(judgement: Judgement, lost: float) -> float:
    """The share of its luck that a player makes use of who loses so many points a decision."""
    known = judgement.use_of_luck
    for (less, more_used), (more, less_used) in pairwise(known):
        if lost < more:
            return more_used + (less_used - more_used) * (max(lost, less) - less) / (more - less)
    return known[-1][1]


def draw_curves(position: Position, reviews: Sequence[SeatReview]) -> None:
    """Fill in the chances to win: what everybody expects at a moment, and the luck that is still to come for him."""
    if len(reviews) == 1:
        return
    for found in reviews:
        for index, point in enumerate(found.curve):
            if position.over and point.at == len(position.moves_made):
                winning = (found.seat in position.winners) / len(position.winners)
            else:
                winning = chances_to_win(
                    [expected_at(other, point.at) for other in reviews], [variance_after(position, other, point.at) for other in reviews]
                )[found.seat]
            found.curve[index] = point._replace(winning=winning)


def expected_at(found: SeatReview, at: int) -> float:
    """The final points of a seat to be expected after so many moves."""
    expected = found.start
    for point in found.curve:
        if point.at > at:
            break
        expected = point.expected
    return expected


def variance_after(position: Position, found: SeatReview, at: int) -> float:
    """How far chance will still spread the points of a seat; of a game that is on, as much a round as so far."""
    to_come = sum(chance.variance for chance in found.chances if chance.at >= at)
    if position.over:
        return to_come
    played = max(position.state.round, 1)
    left = position.view()["rounds"] - position.state.round
    return to_come + sum(chance.variance for chance in found.chances) * left / played


def sum_up(position: Position, found: SeatReview) -> None:
    """Add decisions and luck up by round and by part of the score."""
    events: list[Decision | Luck] = [*found.decisions, *found.chances]
    last = max((event.round for event in events), default=0)
    for number in range(1, last + 1):
        ends = [event.at + 1 for event in events if event.round <= number]
        reached = [point for point in found.curve if point.at <= max(ends, default=0)]
        found.rounds.append(
            RoundSum(
                number,
                sum(chance.luck for chance in found.chances if max(chance.round, 1) == number),
                sum(decision.loss for decision in found.decisions if max(decision.round, 1) == number),
                reached[-1].expected if reached else found.start,
                reached[-1].winning if reached else 1.0,
            )
        )
    lost: defaultdict[str, float] = defaultdict(float)
    for decision in found.decisions:
        lost[decision.part] += decision.loss
    found.parts = {part: PartSum(points, lost[part]) for part, points in position.breakdown(found.seat).items()}
