"""Reviews of finished games: worked out once, in steps beside the computer players, kept with the table, and told to all who wait."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from foxclover.review.account import MISTAKES
from foxclover.review.practice import Answer
from foxclover.review.report import FORMAT, DecisionRecord, ReviewRecord
from foxclover.review.steps import Played, judge_answer, review_in_steps
from foxclover.server.errors import RefusalError
from foxclover.server.limits import COST_OF_REVIEW

if TYPE_CHECKING:
    from foxclover.server.house import House

Tell = Callable[[float], None]


class _Job:
    """A review being worked out, for those who want to hear how far it is."""

    def __init__(self, task: asyncio.Task[ReviewRecord]) -> None:
        self.task = task
        self.listeners: list[Tell] = []
        self.progress = 0.0


class Reviews:
    """The way to the review of a table."""

    def __init__(self, house: House) -> None:
        self.house = house
        self._jobs: dict[str, _Job] = {}
        self._by_client = Counter[str]()

    async def of(self, code: str, played: Played, client: str, tell: Tell) -> ReviewRecord:
        """Return the review of a table, working it out if nobody has; given up when all who wait for it have left."""
        kept = await self._kept(code)
        if kept is not None:
            return kept
        job = self._jobs.get(code) or self._begin(code, played, client)
        job.listeners.append(tell)
        tell(job.progress)
        try:
            return await asyncio.shield(job.task)
        finally:
            job.listeners.remove(tell)
            if not job.listeners:
                job.task.cancel()

    async def judge(self, code: str, played: Played, at: int, move: int) -> Answer:
        """How good another move is where a mistake was found."""
        wrong = _mistake(await self._kept(code), at)
        if wrong is None:
            raise RefusalError("no_exercise")
        arguments = (
            played,
            at,
            move,
            wrong["best"],
            wrong["loss"],
            wrong["error"],
            wrong["win_loss"],
        )
        answer: Answer = await self.house.computers.work(judge_answer, *arguments)
        return answer

    async def _kept(self, code: str) -> ReviewRecord | None:
        text = await self.house.store.review(code)
        record: ReviewRecord | None = json.loads(text) if text else None
        return record if record and record["format"] == FORMAT else None

    def _begin(self, code: str, played: Played, client: str) -> _Job:
        if self._by_client[client] >= self.house.limits.reviews_per_client:
            raise RefusalError("too_fast")
        self.house.charge(client, COST_OF_REVIEW)
        self._by_client[client] += 1
        job = self._jobs[code] = _Job(
            asyncio.get_running_loop().create_task(self._work_out(code, played))
        )

        def ended(task: asyncio.Task[ReviewRecord]) -> None:
            del self._jobs[code]
            self._by_client[client] -= 1
            if not self._by_client[client]:
                del self._by_client[client]
            if not task.cancelled():
                task.exception()  # whoever waits for it has been told

        job.task.add_done_callback(ended)
        return job

    async def _work_out(self, code: str, played: Played) -> ReviewRecord:
        steps, result = review_in_steps(played), None
        try:
            while True:
                step: Any = steps.send(result)
                job = self._jobs[code]
                job.progress = step.progress
                for tell in job.listeners:
                    tell(step.progress)
                result = await self.house.computers.work(step.work, *step.arguments)
        except StopIteration as ended:
            record: ReviewRecord = ended.value
        await self.house.store.keep_review(code, json.dumps(record, separators=(",", ":")))
        return record


def _mistake(record: ReviewRecord | None, at: int) -> DecisionRecord | None:
    decisions = (
        decision for seat in (record["seats"] if record else []) for decision in seat["decisions"]
    )
    return next(
        (
            decision
            for decision in decisions
            if decision["at"] == at and decision["verdict"] in MISTAKES
        ),
        None,
    )
