"""Goes through a game twice: first every move is rated and all luck weighed, then moves that seem to have lost something are tried out."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

from foxclover.ai.families import Judgement, family_of
from foxclover.ai.trials import POINTS_OF_A_WIN
from foxclover.game import Game, Position
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
from foxclover.review.judge import Finding, Judge, Moment, Rated, Tried, moments
from foxclover.review.winning import chances_to_win

DOUBTED = 1.0  # points; what seems to lose more is tried out
NOTHING = 0.005  # points; whoever loses less has lost nothing

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
    made = list(moments(position))
    findings = []
    for moment in made:
        findings.append(judge.find_out(moment))
        tick((0.4 if tried else 1.0) / len(made))
    trials = {}
    doubts = doubted(position.game, made, findings, seats) if tried else []
    for at in doubts:
        trials[at] = try_out(judge, made[at], findings[at])
        tick(0.6 / len(doubts))
    if tried and not doubts:
        tick(0.6)
    return account(position, names, made, findings, trials, seats)


def doubted(
    game: Game,
    made: Sequence[Moment],
    findings: Sequence[Finding],
    seats: Sequence[int] | None = None,
) -> list[int]:
    """The decisions that seem to have lost something and are to be tried out, by how many moves were made before."""
    least = min(DOUBTED, family_of(game).JUDGEMENT.classes[0])
    found = []
    for moment, finding in zip(made, findings, strict=True):
        if (
            isinstance(finding, Rated)
            and not finding.exact
            and (seats is None or moment.move.seat in seats)
        ):
            played = dict(finding.options)[moment.move.number]
            if finding.options[0][1] - played >= least:
                found.append(moment.at)
    return found


def try_out(judge: Judge, moment: Moment, finding: Finding) -> Tried:
    """Try the move played out against the two best-rated ones."""
    assert isinstance(finding, Rated)
    ratings = dict(finding.options)
    compared = dict.fromkeys([moment.move.number, *(number for number, _ in finding.options[:2])])
    return judge.compare(moment, [(number, ratings[number]) for number in compared])


def account(
    position: Position,
    names: Sequence[str],
    made: Sequence[Moment],
    findings: Sequence[Finding],
    trials: Mapping[int, Tried],
    seats: Sequence[int] | None = None,
) -> Review:
    """Put together what was found out about the moves of a game, and what trials of some of them have shown."""
    notes = [SeatNotes(position, seat) for seat in range(position.players)]
    for moment, finding in zip(made, findings, strict=True):
        if isinstance(finding, Rated):
            notes[moment.move.seat].decide(moment, finding, trials.get(moment.at))
        else:
            for seat, weighed in finding.items():
                notes[seat].events.append(
                    Luck(moment.at, moment.state.round, moment.move, *weighed)
                )
    reviews = [note.review(names[note.seat] if names else str(note.seat + 1)) for note in notes]
    draw_curves(position, reviews)
    for found in reviews:
        sum_up(position, found)
    return Review(
        position.game.key,
        position.players,
        position.over,
        [found for found in reviews if seats is None or found.seat in seats],
    )


class SeatNotes:
    """What is found out about a seat, in the order of the game."""

    def __init__(self, position: Position, seat: int) -> None:
        self.position = position
        self.seat = seat
        self.events: list[Luck | Decision] = []
        self.judgement: Judgement = family_of(position.game).JUDGEMENT

    def decide(self, moment: Moment, rated: Rated, tried: Tried | None) -> None:
        """Note a move, if there was a choice; what trying it out does not confirm is no loss."""
        if len(rated.options) < 2:
            return
        game, state = self.position.game, moment.state
        played = dict(rated.options)[moment.move.number]
        best, loss, error, win_loss = rated.options[0][0], rated.options[0][1] - played, 0.0, 0.0
        if rated.ways:
            best = rated.ways[0][0]
            win_loss = rated.ways[0][1] - dict(rated.ways)[moment.move.number]
        if tried:
            best, loss, error = tried.best, tried.loss, tried.error
            win_loss = tried.gain / POINTS_OF_A_WIN if rated.to_win else 0.0
        verdict = self.verdict(
            POINTS_OF_A_WIN * win_loss if rated.to_win and (tried or rated.exact) else loss
        )
        if tried and verdict in MISTAKES and not tried.confirmed:
            verdict = CLOSE
        part = game.scoring.part_of(game.book, state, self.seat, moment.move.number)
        better = Position(game, state).move(self.seat, best)
        self.events.append(
            Decision(
                moment.at,
                state.round,
                moment.move,
                better,
                rated.ranked(game, moment),
                loss,
                error,
                verdict,
                part,
                win_loss,
            )
        )

    def verdict(self, loss: float) -> str:
        """The class of a loss, in points."""
        if loss < NOTHING:
            return BEST
        if loss < self.judgement.classes[0]:
            return GOOD
        return MISTAKES[sum(loss >= least for least in self.judgement.classes) - 1]

    def review(self, name: str) -> SeatReview:
        """The account of the seat; its curve has no chances to win yet."""
        points: list[Point] = []
        for event in self.events:
            before, after = (
                (event.before, event.after)
                if isinstance(event, Luck)
                else (event.options[0].expected, event.played)
            )
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
        return SeatReview(
            self.seat, name, score, use_of_luck(self.judgement, lost), decisions, chances, points
        )


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
                    [expected_at(other, point.at) for other in reviews],
                    [variance_after(position, other, point.at) for other in reviews],
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
                sum(
                    decision.loss
                    for decision in found.decisions
                    if max(decision.round, 1) == number
                ),
                reached[-1].expected if reached else found.start,
                reached[-1].winning if reached else 1.0,
            )
        )
    lost: defaultdict[str, float] = defaultdict(float)
    for decision in found.decisions:
        lost[decision.part] += decision.loss
    found.parts = {
        part: PartSum(points, lost[part]) for part, points in position.breakdown(found.seat).items()
    }
