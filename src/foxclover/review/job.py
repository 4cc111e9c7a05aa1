"""Review a game step by step, in one process or in several.

A step is a function with arguments that can be pickled, and takes a moment only. ``review`` runs
all steps at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from foxclover.ai.families import family_of
from foxclover.core.game import Game, game
from foxclover.core.position import Position
from foxclover.review.analyser import (
    Analyser,
    Comparison,
    Finding,
    Moment,
    RatedMoves,
    moments,
)
from foxclover.review.practice import Answer, Practice
from foxclover.review.schema import Decision, DecisionRecord, Review, ReviewRecord, as_record
from foxclover.review.summary import summarise
from foxclover.review.transcripts import Played, replayed

SLICE = 12  # moves that a step rates
RATING = 0.4  # share of the work, if rollouts follow
LONGEST_LINE = 12  # moves; a player rarely makes more without a roll in between
DOUBTFUL = 1.0  # points; a move that seems to lose more is rolled out


class Subject(NamedTuple):
    """A game under review in this process."""

    moments: tuple[Moment, ...]
    analyser: Analyser


class Step(NamedTuple):
    """The next function to call, and the share of the review that is done before it."""

    progress: float
    work: Callable[..., Any]
    arguments: tuple[Any, ...]


Findings = tuple[list[Finding], dict[int, Comparison]]
Source = Played | Subject
"""A game by value for other processes, or one in this process."""


def review(
    position: Position,
    names: Sequence[str] = (),
    *,
    seats: Sequence[int] | None = None,
    tried: bool = True,
    deep: bool = False,
    tick: Callable[[float], None] = lambda _: None,
    analyser: Analyser | None = None,
) -> Review:
    """Review a game, finished or so far; the same moves always give the same review.

    Without ``tried`` losses come from ratings alone. ``seats`` limits rollouts and results to some
    seats. ``tick`` is called with further shares of the work done.
    """
    subject = Subject(tuple(moments(position)), analyser or Analyser(position.game, deep=deep))
    steps = examine(subject, len(subject.moments), seats=seats, tried=tried)
    done, result = 0.0, None
    while True:
        try:
            step = steps.send(result)
        except StopIteration as ended:
            findings, comparisons = ended.value
            break
        tick(step.progress - done)
        done, result = step.progress, step.work(*step.arguments)
    found = summarise(position, names, subject.moments, findings, comparisons, seats)
    tick(1.0 - done)
    return found


def review_in_steps(played: Played) -> Generator[Step, Any, ReviewRecord]:
    """Yield the steps of a review, send back the result of each; return the review."""
    findings, comparisons = yield from examine(played, len(played.moves))
    record: ReviewRecord = yield Step(1.0, put_together, (played, findings, comparisons))
    return record


def examine(
    source: Source, made: int, *, seats: Sequence[int] | None = None, tried: bool = True
) -> Generator[Step, Any, Findings]:
    """Yield steps: rate every move, then roll out decisions that seem to lose something."""
    findings: list[Finding] = []
    rating = RATING if tried else 1.0
    for first in range(0, made, SLICE):
        findings += yield Step(rating * first / made, look, (source, first, first + SLICE))
    comparisons: dict[int, Comparison] = {}
    if tried:
        doubts: list[int] = yield Step(rating, list_doubts, (source, findings, seats))
        for number, at in enumerate(doubts):
            progress = rating + (1 - rating) * number / len(doubts)
            comparisons[at] = yield Step(progress, compare, (source, at, findings[at]))
    return findings, comparisons


def look(source: Source, first: int, last: int) -> list[Finding]:
    """Rate a slice of the moves."""
    subject = _open(source)
    return [subject.analyser.examine(moment) for moment in subject.moments[first:last]]


def list_doubts(
    source: Source, findings: Sequence[Finding], seats: Sequence[int] | None
) -> list[int]:
    """Return the decisions to roll out, by the number of moves before them."""
    subject = _open(source)
    least = min(DOUBTFUL, family_of(subject.analyser.game).REVIEW.classes[0])
    return [
        moment.at
        for moment, finding in zip(subject.moments, findings, strict=True)
        if isinstance(finding, RatedMoves)
        and not finding.exact
        and (seats is None or moment.move.seat in seats)
        and finding.options[0][1] - dict(finding.options)[moment.move.number] >= least
    ]


def compare(source: Source, at: int, finding: Finding) -> Comparison:
    """Roll out the move played and the two best-rated ones."""
    assert isinstance(finding, RatedMoves)
    subject, ratings = _open(source), dict(finding.options)
    moment = subject.moments[at]
    compared = dict.fromkeys([moment.move.number, *(number for number, _ in finding.options[:2])])
    return subject.analyser.compare(moment, [(number, ratings[number]) for number in compared])


def put_together(
    played: Played, findings: list[Finding], comparisons: dict[int, Comparison]
) -> ReviewRecord:
    """Return the review from its findings."""
    return as_record(summarise(replayed(played), (), _open(played).moments, findings, comparisons))


def judge_answer(played: Played, kept: DecisionRecord, number: int) -> Answer:
    """Return how good another move is in the place of a decision of a stored review."""
    made, analyser = _open(played)
    moment = made[kept["at"]]
    here, seat = Position(analyser.game, moment.state), moment.move.seat
    decision = Decision(
        moment.at,
        moment.state.round,
        moment.move,
        here.move(seat, kept["best"]),
        analyser.rate(moment).ranked(analyser.game, moment),
        kept["loss"],
        kept["error"],
        kept["verdict"],
        "",
        kept["win_loss"],
    )
    return Practice(made, analyser).answer(decision, here.move(seat, number))


def find_line(played: Played, kept: DecisionRecord) -> list[int]:
    """Return the best move instead of a decision, and the best ones that its player adds to it.

    The line ends at the next chance move, and where the player has nothing to decide.
    """
    made, analyser = _open(played)
    moment, line = made[kept["at"]], [kept["best"]]
    here, seat = Position(analyser.game, moment.state), moment.move.seat
    here.push(here.move(seat, kept["best"]))
    while seat in here.acting and len(line) < LONGEST_LINE:
        rated = analyser.rate(moment._replace(state=here.state))
        best, _ = (rated.wins or rated.options)[0]
        line.append(best)
        here.push(here.move(seat, best))
    return line


def _open(source: Source) -> Subject:
    if isinstance(source, Subject):
        return source
    return Subject(_moments(source), _analyser(game(source.game)))


@lru_cache(8)
def _moments(played: Played) -> tuple[Moment, ...]:
    return tuple(moments(replayed(played)))


@lru_cache(8)
def _analyser(chosen: Game) -> Analyser:
    return Analyser(chosen)
