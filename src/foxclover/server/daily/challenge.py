"""The daily challenge: a table for whoever begins, how everybody stands, and everything about a day when it is closed."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import date
from typing import Any

from foxclover import daily
from foxclover.addressed import addressed
from foxclover.ai import FOR_PEOPLE
from foxclover.daily import closes, day_after, day_of
from foxclover.game import CHANCE
from foxclover.locale import Say
from foxclover.net_file import NetError
from foxclover.review.foresight import SUSPICIOUS, foresight
from foxclover.review.report import FORMAT, ReviewRecord
from foxclover.server import games, thinking
from foxclover.server.codes import token_key
from foxclover.server.daily_protocol import (
    AskBoard,
    AskSolution,
    Board,
    DailyReplay,
    DailyRoll,
    DailyStarted,
    GroupWish,
    MakeGroup,
    Solution,
    StartDaily,
    Today,
    Together,
)
from foxclover.server.daily_rows import DailyRows, plain_code
from foxclover.server.errors import RefusalError
from foxclover.server.house import House
from foxclover.server.logs import fault, note
from foxclover.server.master import Master
from foxclover.server.me_protocol import Device
from foxclover.server.people import People
from foxclover.server.store import Event, SeatRecord, TableRecord
from foxclover.server.together import together

AT_ONCE = 40  # finished tables that are read for one answer
LOOK_EVERY = 2.0  # seconds between looks for the results of others
LEVEL = FOR_PEOPLE[-1]


class Challenge:
    """Everything that a device may ask about the daily challenge."""

    def __init__(self, house: House, people: People) -> None:
        self.house = house
        self.people = people
        self.rows = DailyRows(house.store)
        self._looked: dict[tuple[str, str], float] = {}  # when finished games were last looked for
        self._playing: dict[tuple[str, str], asyncio.Task[None]] = {}  # the computer player's games

    async def today(self, wish: Device) -> Today:
        """Which games there are today, and how somebody stands in them."""
        now = time.time()
        day = day_of(now)
        known = await self.people.known(wish["token"])
        person = known.person if known else None
        found = []
        for key in _games():
            await self._gather(day, key, person)
            promises = [
                daily.promise(await self.rows.key(one, key)) for one in (day, day_after(day))
            ]
            standing = await self.rows.standing(day, key, person, now)
            found.append({"game": key, "promise": promises[0], "tomorrow": promises[1], **standing})
        return {
            "day": day,
            "left": daily.ends(day) - int(now),
            "closed": _last_closed(now),
            "games": found,  # type: ignore[typeddict-item]
            "groups": await self.rows.groups(person) if person else [],
        }

    async def start(self, wish: StartDaily) -> DailyStarted:
        """Open the table of a person's game of today; there is only one."""
        key = wish["game"]
        if key not in _games():
            raise RefusalError("unknown_game")
        somebody = await self.people.somebody(wish["token"])
        person, name = somebody.person, wish.get("name", "")
        if name and not somebody.name:
            await self.people.call(wish["token"], name)
        now = int(time.time())
        day = day_of(now)
        if await self.rows.attempt(day, key, person) is None:
            seat = SeatRecord(name, key=token_key(wish["seat"]))
            opened = await self.house.open(
                _table(key, day, await self.rows.key(day, key), seat, now)
            )
            if await self.rows.begin(day, key, person, opened.code):
                await self.people.sit(wish["token"], opened.code, wish["seat"])
                note("daily_begun", table=opened.code, game=key, day=day)
            else:
                await self.house.store.remove(
                    opened.code
                )  # another wish of the same person was quicker
        begun = await self.rows.attempt(day, key, person)
        kept = await self.house.store.load(begun.code) if begun and begun.code else None
        if kept is None or kept.seats[0].key != token_key(wish["seat"]):
            raise RefusalError("daily_begun")
        return {"table": kept.code, "day": day}

    async def board(self, wish: AskBoard) -> Board:
        """Tell the results of a day, of everybody or of a group."""
        now = time.time()
        day = _day(wish.get("day", day_of(now)), day_of(now))
        known = await self.people.known(wish["token"])
        person = known.person if known else None
        await self._gather(day, wish["game"], person)
        if "group" in wish:
            entries = await self.rows.of_group(
                plain_code(wish["group"]), day, wish["game"], person or "", now
            )
        else:
            entries = await self.rows.best(day, wish["game"], person, now)
        return {
            "day": day,
            "game": wish["game"],
            "entries": entries,
            "you": await self.rows.standing(day, wish["game"], person, now),
        }

    async def solution(self, wish: AskSolution, say: Say) -> Solution:
        """Tell everything about a day that is closed."""
        now, key = time.time(), wish["game"]
        if key not in _games():
            raise RefusalError("unknown_game")
        day = _day(wish.get("day", _last_closed(now)), _last_closed(now))
        known = await self.people.known(wish["token"])
        while await self._gather(day, key):
            pass
        secret = await self.rows.key(day, key)
        best = await self.rows.winner(day, key)
        strong = await self.rows.solution(day, key)
        you = await self.rows.standing(day, key, known.person if known else None, now)
        if strong is None and you["begun"]:
            self._play(day, key, secret)
        return {
            "day": day,
            "game": key,
            "key": secret.hex(),
            "promise": daily.promise(secret),
            "best": await self._replay(*best[:4], say, await self._foreseen(best[4], day))
            if best
            else None,
            "strong": await self._replay(*strong, "", "", say) if strong else None,
            "you": you,
        }

    async def make_group(self, wish: MakeGroup) -> Today:
        """Found a group."""
        await self.rows.make_group((await self.people.somebody(wish["token"])).person, wish["name"])
        return await self.today({"token": wish["token"]})

    async def join_group(self, wish: GroupWish) -> Today:
        """Belong to a group."""
        await self.rows.join_group((await self.people.somebody(wish["token"])).person, wish["code"])
        return await self.today({"token": wish["token"]})

    async def leave_group(self, wish: GroupWish) -> Today:
        """Belong to a group no longer."""
        await self.rows.leave_group(
            (await self.people.somebody(wish["token"])).person, wish["code"]
        )
        return await self.today({"token": wish["token"]})

    async def together(self, wish: GroupWish) -> Together:
        """Tell who plays whom in a group."""
        return await together(self.people, wish["code"], await self.people.known(wish["token"]))

    async def _gather(self, day: str, key: str, you: str | None = None) -> int:
        """Read the tables that have ended since, one's own at once and others now and then; return how many.

        Whatever ends the server, a finished game is found again here.
        """
        found = await self.rows.unread(day, key, AT_ONCE, you) if you else []
        now = time.monotonic()
        if (
            day <= _last_closed(time.time())
            or now >= self._looked.get((day, key), -LOOK_EVERY) + LOOK_EVERY
        ):
            self._looked[day, key] = now
            found += [one for one in await self.rows.unread(day, key, AT_ONCE) if one not in found]
        for person, code in found:
            record = await self.house.store.load(code)
            if record is not None:
                async with self.house.slow_lane:
                    master = Master(record)
                ended = master.events[-1].at
                if ended < closes(day):
                    await self.rows.finish(day, key, person, master.scores()[0], ended)
                else:
                    await self.rows.too_late(day, key, person, ended)
        return len(found)

    async def _foreseen(self, person: str, day: str) -> bool:
        """Whether somebody seems to have known the dice, as far as his games were reviewed."""
        records: list[ReviewRecord] = [
            json.loads(text) for text in await self.rows.reviews(person, day)
        ]
        return (
            foresight([record["seats"][0] for record in records if record["format"] == FORMAT])
            > SUSPICIOUS
        )

    async def _replay(
        self, code: str, score: int, name: str, tag: str, say: Say, foreseen: bool = False
    ) -> DailyReplay | None:
        record = await self.house.store.load(code)
        if record is None:
            return None
        async with self.house.slow_lane:
            rolls = _rolls(Master(record), say)
        level = record.seats[0].level
        called = say(f"server.level.{level}") if level else name
        return {
            "table": code,
            "name": called,
            "tag": tag,
            "score": score,
            "rolls": rolls,
            "foreseen": foreseen,
        }

    def _play(self, day: str, key: str, secret: bytes) -> None:
        """Let the strongest computer player play the dice of a closed day, once."""
        if (day, key) not in self._playing:
            task = asyncio.get_running_loop().create_task(self._play_and_keep(day, key, secret))
            self._playing[day, key] = task
            task.add_done_callback(lambda _: self._playing.pop((day, key), None))

    async def _play_and_keep(self, day: str, key: str, secret: bytes) -> None:
        try:
            try:
                record, score = await self._played(day, key, secret, LEVEL)
            except NetError:
                record, score = await self._played(day, key, secret, thinking.SIMPLER)
            await self.rows.keep_solution(day, key, (await self.house.open(record)).code, score)
        except Exception:
            fault("daily_not_played", day=day, game=key)

    async def _played(
        self, day: str, key: str, secret: bytes, level: str
    ) -> tuple[TableRecord, int]:
        """A computer player's game, move by move when nobody else has anything to think about; return its table and score."""
        position, dice, at = games.find(key).start(1), addressed(secret), int(time.time())
        events: list[Event] = []
        while not position.over:
            if position.chance_due:
                move = dice.draw(position)
            else:
                move = position.move(
                    0,
                    await self.house.computers.work(
                        thinking.choose, level, key, position.dump(), 0
                    ),
                )
            events.append(Event(move.seat, move.text, at, move.number))
            position.push(move)
        record = _table(key, day, secret, SeatRecord("", level), at)
        return replace(record, finished=True, events=events), position.score(0)

    def stop(self) -> None:
        """Give up what nobody needs now."""
        for task in self._playing.values():
            task.cancel()


def _table(key: str, day: str, secret: bytes, seat: SeatRecord, at: int) -> TableRecord:
    return TableRecord("", key, 0, None, 0, at, [seat], "", seal=secret, dice=f"{daily.WORD} {day}")


def _rolls(master: Master, say: Say) -> list[DailyRoll]:
    position = master.game.start(master.players, master.record.variant)
    sentences, rolls = master.sentences(say.language), []
    for entry, words in zip(master.log, sentences, strict=True):
        if entry.seat == CHANCE:
            rolls.append(DailyRoll(round=position.state.round, words=words, text=entry.text))
        position.push_unchecked(position.move(entry.seat, entry.number))
    return rolls


def _games() -> list[str]:
    """The games one can play alone."""
    return [info["key"] for info in games.infos() if 1 in info["players"]]


def _last_closed(now: float) -> str:
    return day_of(now - daily.GRACE - 86_400)


def _day(text: str, last: str) -> str:
    """A day as it was asked for, none after the last one there can be."""
    with suppress(ValueError):
        if date.fromisoformat(text).isoformat() == text <= last:
            return text
    raise RefusalError("no_such_day")


Answer = Callable[[Challenge, Any, Say], Awaitable[Any]]
QUESTIONS: dict[str, tuple[type, Answer, float]] = {
    "": (Device, lambda challenge, wish, _: challenge.today(wish), 20),
    "start": (StartDaily, lambda challenge, wish, _: challenge.start(wish), 50),
    "board": (AskBoard, lambda challenge, wish, _: challenge.board(wish), 20),
    "solution": (AskSolution, lambda challenge, wish, say: challenge.solution(wish, say), 50),
    "group": (MakeGroup, lambda challenge, wish, _: challenge.make_group(wish), 50),
    "join": (GroupWish, lambda challenge, wish, _: challenge.join_group(wish), 50),
    "together": (GroupWish, lambda challenge, wish, _: challenge.together(wish), 60),
    "leave": (GroupWish, lambda challenge, wish, _: challenge.leave_group(wish), 20),
}
"""A question at ``/api/daily/...``: the shape of its body, who answers it, and the milliseconds charged for it."""
