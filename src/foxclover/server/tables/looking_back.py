"""Look back at a finished game: its moments, its review, and how good other moves were.

A review is computed once, in steps beside the computer players, and kept with the table.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from foxclover.ai.nets import NetError
from foxclover.core.contract import AnyState
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.locale import Translator, catalogue
from foxclover.review.job import find_line, judge_answer, review_in_steps
from foxclover.review.practice import Answer
from foxclover.review.schema import (
    DIGITS,
    FORMAT,
    MISTAKES,
    DecisionRecord,
    ReviewRecord,
    SeatRecord,
)
from foxclover.review.transcripts import Played, replayed
from foxclover.server.connection import Connection
from foxclover.server.context import ServerContext
from foxclover.server.errors import RefusalError, require
from foxclover.server.limits import rate_limits as limits
from foxclover.server.logs import log_exception
from foxclover.server.protocol.reviews import (
    AskLine,
    AskMoments,
    AskReview,
    AskVerdict,
    Moment,
    ReviewedSeat,
)
from foxclover.server.stores.store import StoreAway, TableRecord
from foxclover.server.tables.master import Master

if TYPE_CHECKING:
    from foxclover.server.tables.table import Table

Listener = Callable[[float], None]
MOST_QUEUED = 200  # reviews that nobody waits for; those beyond are queued when asked for again


class Replay:
    """All positions of a finished game, in order."""

    def __init__(self, master: Master) -> None:
        self.game = master.game
        self.played = played_at(master)
        end = replayed(self.played)
        history = list(end.history())
        self._states: list[AnyState] = [*(state for state, _ in history), end.state]
        self._moves: list[Move] = [move for _, move in history]

    def position(self, at: int) -> Position:
        """Return the position after so many moves."""
        return Position(self.game, self._states[at], self.played.setup)

    def next(self, at: int) -> Move | None:
        """Return the move made after so many moves; none at the end."""
        return self._moves[at] if at < len(self._moves) else None

    def expect_choice(self, at: int, number: int) -> None:
        """Refuse a move that no player could have made after so many moves."""
        made = self.next(at)
        if made is None:
            raise RefusalError("no_such_moment")
        require(
            made.seat != CHANCE and number in self.position(at).legal_numbers(made.seat),
            "illegal_move",
            text=number,
        )

    def moments(
        self, first: int, count: int, with_moves: bool, translate: Translator
    ) -> list[Moment]:
        """Return the game as it was at some moments."""
        require(first < len(self._states), "no_such_moment")
        last = min(first + count, len(self._states))
        return [
            _moment(self.position(at), at, self.next(at), with_moves, translate)
            for at in range(first, last)
        ]

    def line(self, at: int, moves: list[int], translate: Translator) -> list[Moment]:
        """Return the game as it would have been before and after other moves of a player."""
        made = self.next(at)
        assert made is not None
        position = self.position(at)
        shown: list[Moment] = []
        for number in moves:
            move = position.move(made.seat, number)
            shown.append(_moment(position.copy(), at + len(shown), move, False, translate))
            position.push(move)
        return [*shown, _moment(position, at + len(shown), None, False, translate)]

    def review_in_words(self, record: ReviewRecord, translate: Translator) -> list[ReviewedSeat]:
        """Return a review with its moves and parts in words."""
        game = self.game

        def reviewed(seat: SeatRecord) -> ReviewedSeat:
            parts = [
                {**part, "words": game.words.part_words(game.definition, part["part"], translate)}
                for part in seat["parts"]
            ]
            best = [
                self.position(made["at"]).move(seat["seat"], made["best"]).view(translate)
                for made in seat["decisions"]
            ]
            decisions = [
                {**made, "best": move} for made, move in zip(seat["decisions"], best, strict=True)
            ]
            return cast(ReviewedSeat, {**seat, "decisions": decisions, "parts": parts})

        return [reviewed(seat) for seat in record["seats"]]


@dataclass
class _Job:
    """A review that is being computed, and who wants to hear of its progress."""

    task: asyncio.Task[ReviewRecord]
    listeners: list[Listener] = field(default_factory=list)
    progress: float = 0.0


class Reviews:
    """The reviews of all tables of a process."""

    def __init__(self, context: ServerContext) -> None:
        self.context = context
        self._jobs: dict[str, _Job] = {}
        self._by_client = Counter[str]()
        self._queued: dict[str, None] = {}  # tables, in their order
        self._unusable = set[str]()  # tables that cannot be reviewed
        self._worker: asyncio.Task[None] | None = None

    def queue(self, codes: Iterable[str]) -> int:
        """Review finished tables one after the other, and return how many of these still wait.

        Nobody waits for these reviews: computer players at tables always come first.
        """
        wanted = [code for code in codes if code not in self._unusable]
        for code in wanted[: MOST_QUEUED - len(self._queued)]:
            self._queued.setdefault(code)
        if self._queued and self._worker is None:
            self._worker = asyncio.get_running_loop().create_task(self._work_off())
        return len(wanted)

    def stop(self) -> None:
        """Drop the queued reviews."""
        if self._worker is not None:
            self._worker.cancel()

    async def _work_off(self) -> None:
        try:
            while self._queued:
                code = next(iter(self._queued))
                try:
                    await self._review_quietly(code)
                except StoreAway:
                    return  # the next request queues them again
                except (RefusalError, NetError):
                    self._unusable.add(code)
                except Exception:
                    self._unusable.add(code)
                    log_exception("not_reviewed", table=code)
                del self._queued[code]
        finally:
            self._queued.clear()
            self._worker = None

    async def _review_quietly(self, code: str) -> None:
        record = await self.context.store.load(code)
        if record is not None and record.finished and await self._kept(code) is None:
            played = await self.context.computers.work(read_played, record)
            job = self._jobs.get(code) or self._create_job(code, played)
            job.listeners.append(lambda _: None)
            await job.task

    async def of(self, code: str, played: Played, client: str, listener: Listener) -> ReviewRecord:
        """Return the review of a table, and compute it if there is none.

        The work is cancelled when nobody waits for it any more.
        """
        kept = await self._kept(code)
        if kept is not None:
            return kept
        job = self._jobs.get(code) or self._start(code, played, client)
        job.listeners.append(listener)
        listener(job.progress)
        try:
            return await asyncio.shield(job.task)
        finally:
            job.listeners.remove(listener)
            if not job.listeners:
                job.task.cancel()

    async def judge(self, code: str, played: Played, at: int, move: int) -> Answer:
        """Return how good another move is where the review has found a mistake."""
        wrong = await self._mistake(code, at)
        return await self.context.computers.work(judge_answer, played, wrong, move)

    async def line(self, code: str, played: Played, at: int) -> list[int]:
        """Return the best line where the review has found a mistake."""
        return await self.context.computers.work(find_line, played, await self._mistake(code, at))

    async def _mistake(self, code: str, at: int) -> DecisionRecord:
        record = await self._kept(code)
        for seat in record["seats"] if record else []:
            for decision in seat["decisions"]:
                if decision["at"] == at and decision["verdict"] in MISTAKES:
                    return decision
        raise RefusalError("no_exercise")

    async def _kept(self, code: str) -> ReviewRecord | None:
        text = await self.context.store.review(code)
        record: ReviewRecord | None = json.loads(text) if text else None
        return record if record and record["format"] == FORMAT else None

    def _start(self, code: str, played: Played, client: str) -> _Job:
        require(self._by_client[client] < self.context.limits.reviews_per_client, "too_fast")
        self.context.charge(client, limits.COST_OF_REVIEW)
        self._by_client[client] += 1
        job = self._create_job(code, played)
        job.task.add_done_callback(lambda _: limits.count_down(self._by_client, client))
        return job

    def _create_job(self, code: str, played: Played) -> _Job:
        task = asyncio.get_running_loop().create_task(self._compute(code, played))

        def ended(task: asyncio.Task[ReviewRecord]) -> None:
            del self._jobs[code]
            if not task.cancelled():
                task.exception()  # the waiting coroutines raise it

        task.add_done_callback(ended)
        job = self._jobs[code] = _Job(task)
        return job

    async def _compute(self, code: str, played: Played) -> ReviewRecord:
        steps, result = review_in_steps(played), None
        try:
            while True:
                step: Any = steps.send(result)
                job = self._jobs[code]
                job.progress = step.progress
                for listener in job.listeners:
                    listener(step.progress)
                result = await self.context.computers.work(step.work, *step.arguments)
        except StopIteration as ended:
            record: ReviewRecord = ended.value
        await self.context.store.keep_review(code, json.dumps(record, separators=(",", ":")))
        return record


def last_moment(played: Played, language: str) -> Moment:
    """Return the end of an unfinished game, in a worker process."""
    position, translate = replayed(played), catalogue(language)
    shown = _moment(position, len(played.moves), None, False, translate)
    prompt = "" if position.over else translate("server.prompt.roll")
    if position.acting:
        prompt = position.prompt(position.acting[0], translate)
    return {**shown, "prompt": prompt}


def _moment(
    position: Position, at: int, made: Move | None, with_moves: bool, translate: Translator
) -> Moment:
    decided = made if made is not None and made.seat != CHANCE else None
    return {
        "at": at,
        "view": position.view(),
        "position": position.text,
        "scores": [position.score(seat) for seat in range(position.players)],
        "seat": decided.seat if decided else CHANCE,
        "next": decided.view(translate) if decided else None,
        "moves": list(position.legal_moves(decided.seat).views(translate))
        if decided and with_moves
        else [],
        "prompt": position.prompt(decided.seat, translate) if decided else "",
    }


def played_at(master: Master) -> Played:
    """Return the moves of a table."""
    moves = tuple((entry.seat, entry.number) for entry in master.log.entries)
    return Played(master.game.key, master.players, master.setup, moves)


def read_played(record: TableRecord) -> Played:
    """Return the moves of a stored table, in a worker process: replaying it is slow."""
    return played_at(Master(record))


def _mistake(record: ReviewRecord | None, at: int) -> DecisionRecord | None:
    for seat in record["seats"] if record else []:
        for decision in seat["decisions"]:
            if decision["at"] == at and decision["verdict"] in MISTAKES:
                return decision
    return None


def send_moments(table: Table, connection: Connection, message: AskMoments) -> None:
    """Send a finished game as it was at some moments."""
    replay, first, count = replay_of(table, connection), message["first"], message["count"]
    table.context.charge(connection.client, limits.COST_OF_MOMENT * count)
    moments = replay.moments(first, count, message.get("moves", False), connection.translate)
    connection.send({"type": "moments", "ref": message["ref"], "moments": moments})


async def send_review(table: Table, connection: Connection, message: AskReview) -> None:
    """Send the review of a finished game, and its progress before."""
    replay, ref = replay_of(table, connection), message["ref"]

    def report(progress: float) -> None:
        connection.send({"type": "review", "ref": ref, "progress": progress, "seats": None})

    record = await table.reviews.of(table.record.code, replay.played, connection.client, report)
    seats = replay.review_in_words(record, connection.translate)
    connection.send({"type": "review", "ref": ref, "progress": 1.0, "seats": seats})


async def send_verdict(table: Table, connection: Connection, message: AskVerdict) -> None:
    """Send how good another move would have been."""
    replay, at, move = replay_of(table, connection), message["at"], message["move"]
    replay.expect_choice(at, move)
    table.context.charge(connection.client, limits.COST_OF_VERDICT)
    answer = await table.reviews.judge(table.record.code, replay.played, at, move)
    connection.send(
        {
            "type": "verdict",
            "ref": message["ref"],
            "at": at,
            "move": move,
            "verdict": answer.verdict,
            "difference": round(answer.difference, DIGITS),
        }
    )


async def send_line(table: Table, connection: Connection, message: AskLine) -> None:
    """Send the best line instead of a mistake."""
    replay, at = replay_of(table, connection), message["at"]
    table.context.charge(connection.client, limits.COST_OF_LINE)
    line = await table.reviews.line(table.record.code, replay.played, at)
    moments = replay.line(at, line, connection.translate)
    connection.send({"type": "line", "ref": message["ref"], "moments": moments})


def replay_of(table: Table, connection: Connection) -> Replay:
    """Return all positions of a finished game; before its end they would reveal hidden moves."""
    require(table.master.over, "not_over")
    if table.replay is None:
        table.context.charge(connection.client, limits.COST_OF_LOADING)
        table.replay = Replay(table.master)
    return table.replay
