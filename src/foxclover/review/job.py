"""A review cut into steps that take a moment each: plain values go in and come out, so that any process may do the next one."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import lru_cache
from typing import Any, NamedTuple

from foxclover.chance import record
from foxclover.game import Game, Position, game
from foxclover.review.account import Decision
from foxclover.review.judge import Finding, Judge, Moment, Rated, Tried, moments
from foxclover.review.practice import Answer, Practice
from foxclover.review.report import ReviewRecord, as_record
from foxclover.review.reviewing import account, doubted, try_out
from foxclover.review.transcripts import read_for_others

SLICE = 12  # moves that are looked at in one step
LOOKING = 0.4  # share of the work


class Played(NamedTuple):
    """A game as plain values."""

    game: str
    players: int
    variant: int
    moves: tuple[tuple[int, int], ...]  # seat and number


class Step(NamedTuple):
    """Something to be done next, and how much of the review is done before it."""

    progress: float
    work: Callable[..., Any]
    arguments: tuple[Any, ...]


class Retold(NamedTuple):
    """A transcript that was replayed."""

    played: Played
    texts: list[str]  # of its moves
    names: list[str]
    script: str  # its rolls, as ``chance.recorded`` takes them
    over: bool
    to_act: list[int]  # seats that are to move or to roll


def replayed(played: Played) -> Position:
    """The position after all moves, which are known to be legal."""
    position = game(played.game).start(played.players, played.variant)
    for seat, number in played.moves:
        position.push_unchecked(position.move(seat, number))
    return position


def review_in_steps(played: Played) -> Generator[Step, Any, ReviewRecord]:
    """Yield what is to be done, one step after the other; each wants its result sent back. Returns the review."""
    made = len(played.moves)
    findings: list[Finding] = []
    for first in range(0, made, SLICE):
        findings += yield Step(LOOKING * first / made, look, (played, first, first + SLICE))
    doubts: list[int] = yield Step(LOOKING, doubt, (played, findings))
    tried: dict[int, Tried] = {}
    for number, at in enumerate(doubts):
        tried[at] = yield Step(
            LOOKING + (1 - LOOKING) * number / len(doubts), compare, (played, at, findings[at])
        )
    record: ReviewRecord = yield Step(1.0, put_together, (played, findings, tried))
    return record


def look(played: Played, first: int, last: int) -> list[Finding]:
    """Rate and weigh some of the moves."""
    judge = _judge(game(played.game))
    return [judge.find_out(moment) for moment in _moments(played)[first:last]]


def doubt(played: Played, findings: list[Finding]) -> list[int]:
    """Which decisions are to be tried out."""
    return doubted(game(played.game), _moments(played), findings)


def compare(played: Played, at: int, finding: Finding) -> Tried:
    """Try a doubtful decision out."""
    return try_out(_judge(game(played.game)), _moments(played)[at], finding)


def put_together(played: Played, findings: list[Finding], tried: dict[int, Tried]) -> ReviewRecord:
    """The review of what was found out."""
    return as_record(account(replayed(played), (), _moments(played), findings, tried))


def judge_answer(
    played: Played, at: int, number: int, best: int, loss: float, error: float, win_loss: float
) -> Answer:
    """How good another move is where a decision has lost something."""
    moment = _moments(played)[at]
    chosen, seat, judge = game(played.game), moment.move.seat, _judge(game(played.game))
    rated = judge.rate(moment)
    assert isinstance(rated, Rated)
    here = Position(chosen, moment.state)
    decision = Decision(
        at,
        moment.state.round,
        moment.move,
        here.move(seat, best),
        rated.ranked(chosen, moment),
        loss,
        error,
        "",
        "",
        win_loss,
    )
    return Practice(_moments(played), judge).answer(decision, here.move(seat, number))


def retell(text: str) -> Retold:
    """Read and replay a transcript that came from outside; raises what ``read_for_others`` raises."""
    transcript = read_for_others(text)
    position, header = transcript.position, transcript.header
    made = position.moves_made
    played = Played(
        header.game.key,
        position.players,
        position.variant,
        tuple((move.seat, move.number) for move in made),
    )
    to_act = sorted({*position.acting, *position.rollers})
    return Retold(
        played,
        [move.text for move in made],
        header.players,
        record(position),
        position.over,
        to_act,
    )


@lru_cache(8)
def _moments(played: Played) -> list[Moment]:
    return list(moments(replayed(played)))


@lru_cache(8)
def _judge(chosen: Game) -> Judge:
    return Judge(chosen)
