"""Sum up the findings about a game: decisions, dice luck, curves and totals."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise

from foxclover.ai.candidates import POINTS_OF_A_WIN
from foxclover.ai.families import ReviewSettings, family_of
from foxclover.core.position import Position
from foxclover.review.analyser import Comparison, Finding, Moment, RatedMoves
from foxclover.review.schema import (
    BEST,
    CLOSE,
    GOOD,
    MISTAKES,
    Decision,
    DiceLuck,
    PartTotal,
    Point,
    Review,
    RoundTotal,
    SeatReview,
)

NO_LOSS = 0.005  # points; a smaller loss counts as none
BINS = 161  # of a bell curve
REACH = 4.0  # standard deviations sampled on both sides
LEAST_DEVIATION = 0.5  # points, even at the end: it breaks ties
STEP = 2 * REACH / (BINS - 1)
MARKS = [number * STEP - REACH for number in range(BINS)]
WEIGHTS = [math.exp(-mark * mark / 2) for mark in MARKS]


def summarise(
    position: Position,
    names: Sequence[str],
    made: Sequence[Moment],
    findings: Sequence[Finding],
    comparisons: Mapping[int, Comparison],
    seats: Sequence[int] | None = None,
) -> Review:
    """Return the review of a game from the findings about its moves and comparisons of some."""
    events: list[list[Decision | DiceLuck]] = [[] for _ in range(position.players)]
    for moment, finding in zip(made, findings, strict=True):
        if not isinstance(finding, RatedMoves):
            for seat, effect in finding.items():
                events[seat].append(DiceLuck(moment.at, moment.state.round, moment.move, *effect))
        elif len(finding.options) > 1:
            decision = decide(position, moment, finding, comparisons.get(moment.at))
            events[moment.move.seat].append(decision)
    reviews = [
        review_seat(position, seat, names[seat] if names else str(seat + 1), found)
        for seat, found in enumerate(events)
    ]
    add_chances_to_win(position, reviews)
    for found in reviews:
        add_totals(position, found)
    wanted = [found for found in reviews if seats is None or found.seat in seats]
    return Review(position.game.key, position.players, position.over, wanted)


def decide(
    position: Position, moment: Moment, rated: RatedMoves, compared: Comparison | None
) -> Decision:
    """Return a decision with its loss; a loss that rollouts do not confirm is no mistake."""
    game, state, move = position.game, moment.state, moment.move
    best, promised = rated.options[0]
    loss, error, win_loss = promised - dict(rated.options)[move.number], 0.0, 0.0
    if rated.wins:
        best, share = rated.wins[0]
        win_loss = share - dict(rated.wins)[move.number]
    if compared:
        best, loss, error = compared.best, compared.loss, compared.error
        win_loss = compared.gain / POINTS_OF_A_WIN if rated.to_win else 0.0
    by_win = rated.to_win and (compared or rated.exact)
    verdict = classify(family_of(game).REVIEW, POINTS_OF_A_WIN * win_loss if by_win else loss)
    if compared and verdict in MISTAKES and not compared.confirmed:
        verdict = CLOSE
    return Decision(
        moment.at,
        state.round,
        move,
        Position(game, state).move(move.seat, best),
        rated.ranked(game, moment),
        loss,
        error,
        verdict,
        game.scoring.part_of(game.definition, state, move.seat, move.number),
        win_loss,
    )


def classify(settings: ReviewSettings, loss: float) -> str:
    """Return the verdict on a loss in points."""
    if loss < NO_LOSS:
        return BEST
    if loss < settings.classes[0]:
        return GOOD
    return MISTAKES[sum(loss >= least for least in settings.classes) - 1]


def review_seat(
    position: Position, seat: int, name: str, events: Sequence[Decision | DiceLuck]
) -> SeatReview:
    """Return the review of a seat, its curve without chances to win."""
    points: list[Point] = []
    for event in events:
        if not points:
            before = event.before if isinstance(event, DiceLuck) else event.options[0].expected
            points.append(Point(0, before, 1.0))
        points.append(Point(event.at + 1, event.expected, 1.0))
    over = position.over
    score = float(position.score(seat)) if over or not points else points[-1].expected
    if over:
        points.append(Point(len(position.moves_made), score, 1.0))
    decisions = [event for event in events if isinstance(event, Decision)]
    chances = [event for event in events if isinstance(event, DiceLuck)]
    lost = sum(decision.loss for decision in decisions) / max(len(decisions), 1)
    used = dice_luck_used(family_of(position.game).REVIEW, lost)
    return SeatReview(seat, name, score, used, decisions, chances, points)


def dice_luck_used(settings: ReviewSettings, lost: float) -> float:
    """Return the share of dice luck that a player uses who loses ``lost`` points a decision."""
    measured = settings.dice_luck_used
    for (less, more_used), (more, less_used) in pairwise(measured):
        if lost < more:
            return more_used + (less_used - more_used) * (max(lost, less) - less) / (more - less)
    return measured[-1][1]


# -- chances to win


def add_chances_to_win(position: Position, reviews: Sequence[SeatReview]) -> None:
    """Fill in the chances to win: from expected points and the variance still to come."""
    if len(reviews) == 1:
        return
    end, winners = len(position.moves_made) if position.over else None, position.winners
    shares = [(found.seat in winners) / len(winners) for found in reviews] if winners else []
    times = sorted({point.at for found in reviews for point in found.curve} - {end})
    expected = [expectations(found, times) for found in reviews]
    spread = [variances(position, found, times) for found in reviews]
    chances = {
        at: chances_to_win(*both)
        for at, *both in zip(
            times, zip(*expected, strict=True), zip(*spread, strict=True), strict=True
        )
    }
    for number, found in enumerate(reviews):
        for index, point in enumerate(found.curve):
            winning = shares[number] if point.at == end else chances[point.at][number]
            found.curve[index] = point._replace(winning=winning)


def expectations(found: SeatReview, times: Sequence[int]) -> list[float]:
    """Return the expected final points of a seat at rising numbers of moves."""
    points, expected, known = found.curve, [], 0
    for at in times:
        while known < len(points) and points[known].at <= at:
            known += 1
        expected.append(points[known - 1].expected if known else found.start)
    return expected


def variances(position: Position, found: SeatReview, times: Sequence[int]) -> list[float]:
    """Return the variance of a seat's points still to come at rising numbers of moves.

    A round that is not played yet counts as the mean of the rounds played.
    """
    played = max(position.state.round, 1)
    left = 0 if position.over else position.view()["rounds"] - position.state.round
    backwards = (chance.variance for chance in reversed(found.chances))
    to_come = [*accumulate(backwards, initial=0.0)][::-1]
    after = to_come[0] * left / played
    drawn = [chance.at for chance in found.chances]
    return [to_come[bisect_left(drawn, at)] + after for at in times]


def chances_to_win(expected: Sequence[float], variances: Sequence[float]) -> list[float]:
    """Return the chance of every seat to have the most points.

    Final points are taken as independent normal distributions around the expected points.
    """
    deviations = [max(math.sqrt(variance), LEAST_DEVIATION) for variance in variances]
    if len(expected) == 2:  # the difference is normally distributed, too
        below = _normal_cdf((expected[0] - expected[1]) / math.hypot(*deviations))
        return [below, 1.0 - below]
    shares = []
    for seat, (mean, deviation) in enumerate(zip(expected, deviations, strict=True)):
        total = 0.0
        for mark, weight in zip(MARKS, WEIGHTS, strict=True):
            points = mean + deviation * mark
            for other in range(len(expected)):
                if other != seat:
                    weight *= _normal_cdf((points - expected[other]) / deviations[other])
            total += weight
        shares.append(total)
    return [share / sum(shares) for share in shares]


def _normal_cdf(deviations: float) -> float:
    """Return the share of a normal distribution below a number of standard deviations."""
    return 0.5 * math.erfc(-deviations / math.sqrt(2))


# -- totals


def add_totals(position: Position, found: SeatReview) -> None:
    """Add up decisions and dice luck by round and by part of the score."""
    events: list[Decision | DiceLuck] = [*found.decisions, *found.chances]
    last = max((event.round for event in events), default=0)
    for number in range(1, last + 1):
        end = max((event.at + 1 for event in events if event.round <= number), default=0)
        reached = [point for point in found.curve if point.at <= end]
        lucks = [chance.dice_luck for chance in found.chances if max(chance.round, 1) == number]
        losses = [made.loss for made in found.decisions if max(made.round, 1) == number]
        found.rounds.append(
            RoundTotal(
                number,
                sum(lucks),
                sum(losses),
                reached[-1].expected if reached else found.start,
                reached[-1].winning if reached else 1.0,
            )
        )
    lost: defaultdict[str, float] = defaultdict(float)
    for decision in found.decisions:
        lost[decision.part] += decision.loss
    found.parts = [
        PartTotal(part, points, lost[part])
        for part, points in position.breakdown(found.seat).items()
    ]
