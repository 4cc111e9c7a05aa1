"""Answer requests about the daily challenge.

Open a table for each player, list results, and publish everything about a closed day.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from dataclasses import replace
from datetime import date

from foxclover.ai import FOR_PEOPLE
from foxclover.ai.nets import NetError
from foxclover.core.rules import CHANCE
from foxclover.dice import daily
from foxclover.dice.daily import day_after, day_of
from foxclover.dice.sources import keyed
from foxclover.locale import Translator
from foxclover.review.cheat_detection import SUSPICIOUS, foresight
from foxclover.review.schema import FORMAT
from foxclover.server import games
from foxclover.server.confirmed_time import CLOCK
from foxclover.server.context import ServerContext
from foxclover.server.daily.rows import DailyRows
from foxclover.server.daily.week import days_of_week, week_of
from foxclover.server.errors import RefusalError, require
from foxclover.server.logs import log_event, log_exception
from foxclover.server.people.group_stats import together
from foxclover.server.people.history import History
from foxclover.server.people.people import People
from foxclover.server.protocol.identifiers import normalize_code, token_key
from foxclover.server.protocol.people import (
    AskBoard,
    AskSolution,
    AskWeek,
    Board,
    DailyReplay,
    DailyRoll,
    DailyStarted,
    Device,
    GroupWish,
    MakeGroup,
    Solution,
    StartDaily,
    Today,
    Together,
    Week,
)
from foxclover.server.stores.store import Event, SeatRecord, StoreAway, TableRecord
from foxclover.server.tables.looking_back import Reviews
from foxclover.server.tables.master import Master
from foxclover.server.thinking import tasks as thinking

AT_ONCE = 40  # finished tables that are read per answer
LOOK_EVERY = 2.0  # seconds between checks for results of other players
KEEP_TIME_EVERY = 60.0  # seconds
STRENGTH = FOR_PEOPLE[-1]


class Challenge:
    """Requests of a device about the daily challenge."""

    def __init__(
        self, context: ServerContext, people: People, history: History, reviews: Reviews
    ) -> None:
        self.context = context
        self.reviews = reviews
        self.people = people
        self.history = history
        self.rows = DailyRows(context.store)
        # time of the last check for finished games, for days that are still open
        self._looked: dict[tuple[str, str], float] = {}
        # the computer player's running games
        self._playing: dict[tuple[str, str], asyncio.Task[None]] = {}
        self._recalled = False  # whether the stored confirmed time was read

    async def today(self, request: Device) -> Today:
        """Return today's games with the state, score and place of a person in each."""
        now = time.time()
        day = day_of(now)
        known = await self.people.known(request["token"])
        person = known.person if known else None
        found = []
        for key in _games():
            await self._gather(day, key, person)
            await self.rows.learn(day, day, key)
            promises = [daily.promise(await self.rows.key(of, key)) for of in (day, day_after(day))]
            standing = await self.rows.standing(day, key, person, now)
            if standing["score"] is not None and standing["loss"] is None and standing["table"]:
                self.reviews.queue([standing["table"]])
            found.append({"game": key, "promise": promises[0], "tomorrow": promises[1], **standing})
        return {
            "day": day,
            "left": daily.ends(day) - int(now),
            "closed": last_closed(CLOCK.now()),
            "games": found,  # type: ignore[typeddict-item]
            "groups": await self.rows.groups(person) if person else [],
            "reports": self.context.public_urls.public != "",
        }

    async def start(self, request: StartDaily, client: str) -> DailyStarted:
        """Open the table of a person's only game of today.

        The attempt is flagged if a deleted person began from the same address or device.
        """
        key = request["game"]
        require(key in _games(), "unknown_game")
        known = await self.people.person_of(request["token"])
        person, name = known.person, request.get("name", "")
        if name and not known.name:
            await self.people.call(request["token"], name)
        now = int(time.time())
        day = day_of(now)
        if await self.rows.attempt(day, key, person) is None:
            seat, secret = (
                SeatRecord(name, key=token_key(request["seat"])),
                await self.rows.key(day, key),
            )
            opened = await self.context.open(_table(key, day, secret, seat, now))
            if await self.rows.begin(
                day, key, person, opened.code, client, token_key(request["token"])
            ):
                await self.people.sit(request["token"], opened.code, request["seat"])
                log_event("daily_begun", table=opened.code, game=key, day=day)
            else:
                # Another request of the same person was faster.
                await self.context.store.remove(opened.code)
        begun = await self.rows.attempt(day, key, person)
        kept = await self.context.store.load(begun.code) if begun and begun.code else None
        if kept is None or kept.seats[0].key != token_key(request["seat"]):
            raise RefusalError("daily_begun")
        return {"table": kept.code, "day": day}

    async def board(self, request: AskBoard) -> Board:
        """Return the results of a day, of all players or of a group."""
        now = time.time()
        require(request["game"] in _games(), "unknown_game")
        day = _day(request.get("day", day_of(now)), day_of(now))
        known = await self.people.known(request["token"])
        person = known.person if known else None
        await self._gather(day, request["game"], person)
        await self.rows.learn(day, day, request["game"])
        if "group" in request:
            listed = await self.rows.of_group(
                normalize_code(request["group"]), day, request["game"], person or "", now
            )
        else:
            listed = await self.rows.best(day, request["game"], person, now)
        return {
            "day": day,
            "game": request["game"],
            "entries": listed.entries,
            "reviewing": self.reviews.queue(listed.unreviewed),
            "you": await self.rows.standing(day, request["game"], person, now),
        }

    async def solution(self, request: AskSolution, translate: Translator) -> Solution:
        """Return the key, the best game and the computer player's game of a closed day."""
        now, key = time.time(), request["game"]
        require(key in _games(), "unknown_game")
        closed = last_closed(CLOCK.now())
        day = _day(request.get("day", closed), closed)
        known = await self.people.known(request["token"])
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
            "best": await self._replay(*best[:4], await self._foreseen(best[4], day), translate)
            if best
            else None,
            "strong": await self._replay(*strong, "", "", False, translate) if strong else None,
            "you": you,
        }

    async def make_group(self, request: MakeGroup) -> Today:
        """Create a group with this person as its first member."""
        await self.rows.make_group(
            (await self.people.person_of(request["token"])).person, request["name"]
        )
        return await self.today({"token": request["token"]})

    async def join_group(self, request: GroupWish) -> Today:
        """Add this person to a group."""
        await self.rows.expect_group(request["code"])
        await self.rows.join_group(
            (await self.people.person_of(request["token"])).person, request["code"]
        )
        return await self.today({"token": request["token"]})

    async def leave_group(self, request: GroupWish) -> Today:
        """Remove this person from a group."""
        known = await self.people.known(request["token"])
        if known is not None:
            await self.rows.leave_group(known.person, request["code"])
        return await self.today({"token": request["token"]})

    async def together(self, request: GroupWish) -> Together:
        """Return the shared games and the comparison of a group's members."""
        return await together(
            self.history, request["code"], await self.people.known(request["token"])
        )

    async def week(self, request: AskWeek) -> Week:
        """Return the seven daily games of a week of a group's members, for one of them."""
        key, code, today = request["game"], normalize_code(request["code"]), day_of(time.time())
        require(key in _games(), "unknown_game")
        day = _day(request.get("day", today), today)
        known = await self.people.known(request["token"])
        person = known.person if known else ""
        await self.rows.expect_member(code, person)
        days = [each for each in days_of_week(day) if each <= today]
        for each in days:
            await self._gather(each, key, person)
        await self.rows.learn(days[0], days[-1], key)
        week, unreviewed = await week_of(self.context.store, code, key, day, person)
        return {**week, "reviewing": self.reviews.queue(unreviewed)}

    async def _gather(self, day: str, key: str, you: str | None = None) -> int:
        """Read newly finished tables: your own at once, others only every few seconds.

        Return the number of tables. Games finished before a restart of the server are found too.
        """
        found = await self.rows.unread(day, key, AT_ONCE, you) if you else []
        now, closed = time.monotonic(), last_closed(time.time())
        if day <= closed or now >= self._looked.get((day, key), -LOOK_EVERY) + LOOK_EVERY:
            if day > closed:
                kept = {of: at for of, at in self._looked.items() if of[0] > closed}
                self._looked = kept | {(day, key): now}
            others = await self.rows.unread(day, key, AT_ONCE)
            found += [other for other in others if other not in found]
        for person, code in found:
            record = await self.context.store.load(code)
            if record is not None:
                async with self.context.slow_lane():
                    master = Master(record)
                ended = master.log.events[-1].at
                await self.rows.finish(day, key, person, master.scores()[0], ended)
        return len(found)

    async def _foreseen(self, person: str, day: str) -> bool:
        """Return whether a person's reviewed games suggest that they knew the dice."""
        records = [json.loads(text) for text in await self.rows.reviews(person, day)]
        seats = [record["seats"][0] for record in records if record["format"] == FORMAT]
        return foresight(seats) > SUSPICIOUS

    async def _replay(
        self, code: str, score: int, name: str, tag: str, foreseen: bool, translate: Translator
    ) -> DailyReplay | None:
        record = await self.context.store.load(code)
        if record is None:
            return None
        async with self.context.slow_lane():
            rolls = _rolls(Master(record), translate)
        strength = record.seats[0].strength
        return {
            "table": code,
            "name": translate(f"server.level.{strength}") if strength else name,
            "tag": tag,
            "score": score,
            "rolls": rolls,
            "foreseen": foreseen,
        }

    def _play(self, day: str, key: str, secret: bytes) -> None:
        """Start a task in which the strongest computer player plays a closed day, once."""
        if (day, key) not in self._playing:
            task = asyncio.get_running_loop().create_task(self._play_and_keep(day, key, secret))
            self._playing[day, key] = task
            task.add_done_callback(lambda _: self._playing.pop((day, key), None))

    async def _play_and_keep(self, day: str, key: str, secret: bytes) -> None:
        try:
            if await self.rows.solution(day, key) is not None:
                return  # stored since the caller checked
            try:
                record, score = await self._played(day, key, secret, STRENGTH)
            except NetError:
                record, score = await self._played(day, key, secret, thinking.SIMPLER)
            await self.rows.keep_solution(day, key, (await self.context.open(record)).code, score)
        except Exception:
            log_exception("daily_not_played", day=day, game=key)

    async def _played(
        self, day: str, key: str, secret: bytes, strength: str
    ) -> tuple[TableRecord, int]:
        """Play a day's game with a computer player, each move a task of low priority.

        Return its table and score.
        """
        position, dice, at = games.find(key).start(1), keyed(secret), int(time.time())
        events: list[Event] = []
        while not position.over:
            if position.chance_due:
                move = dice.draw(position)
            else:
                number = await self.context.computers.work(
                    thinking.choose, strength, key, position.dump(), 0
                )
                move = position.move(0, number)
            events.append(Event(move.seat, move.text, at, move.number))
            position.push(move)
        record = _table(key, day, secret, SeatRecord("", strength), at)
        return replace(record, finished=True, events=events), position.score(0)

    async def recall_time(self) -> None:
        """Continue from the time that an earlier process confirmed."""
        with suppress(StoreAway):
            before = await self.rows.time()
            if before is not None:
                CLOCK.go_on_from(before)
            self._recalled = True

    async def keep_time(self) -> None:
        """Store the confirmed time for the next process, in an endless loop."""
        while True:
            if not self._recalled:
                await self.recall_time()
            if self._recalled:
                with suppress(StoreAway):
                    await self.rows.keep_time(int(CLOCK.now()))
            await asyncio.sleep(KEEP_TIME_EVERY if self._recalled else 1.0)

    def stop(self) -> None:
        """Cancel the computer player's running games and the queued reviews."""
        self.reviews.stop()
        for task in self._playing.values():
            task.cancel()


def _table(key: str, day: str, secret: bytes, seat: SeatRecord, at: int) -> TableRecord:
    return TableRecord("", key, 0, None, 0, at, [seat], "", seal=secret, dice=f"{daily.WORD} {day}")


def _rolls(master: Master, translate: Translator) -> list[DailyRoll]:
    position = master.game.start_with(master.players, master.game.unpack(master.record.variant))
    sentences, rolls = master.log.sentences(translate.language), []
    for entry, words in zip(master.log.entries, sentences, strict=True):
        if entry.seat == CHANCE:
            rolls.append(DailyRoll(round=position.state.round, words=words, text=entry.text))
        position.push_unchecked(position.move(entry.seat, entry.number))
    return rolls


def _games() -> list[str]:
    """Return the games that support a single player."""
    return [info["key"] for info in games.infos() if 1 in info["players"]]


def last_closed(now: float) -> str:
    """Return the last closed day, of which everything may be published."""
    return day_of(now - daily.GRACE - 86_400)


def _day(text: str, last: str) -> str:
    """Return the requested day if it is valid and not after ``last``.

    Raises ``RefusalError`` otherwise.
    """
    with suppress(ValueError):
        if date.fromisoformat(text).isoformat() == text <= last:
            return text
    raise RefusalError("no_such_day")
