"""A table in use: its master, the connections to it, and what other processes do at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from foxclover.core.rules import CHANCE
from foxclover.locale import Translator
from foxclover.server.connection import Connection
from foxclover.server.context import ServerContext
from foxclover.server.errors import RefusalError, require
from foxclover.server.logs import log_error
from foxclover.server.protocol.messages import (
    AskRematch,
    ClientMessage,
    CorrectChance,
    EnterChance,
    MakeMove,
    Roll,
    SetLanguage,
    SetPace,
    Undo,
)
from foxclover.server.protocol.tables import OwnTable, TableInfo
from foxclover.server.stores.store import Conflict, Event, SeatRecord, StoreAway, TableRecord
from foxclover.server.tables import computers, looking_back, questions, render, seating
from foxclover.server.tables.looking_back import Replay, Reviews
from foxclover.server.tables.master import Master
from foxclover.server.tables.seating import Attendance, Presence

Act = MakeMove | Roll | Undo | EnterChance | CorrectChance


class Table:
    """A table of this process.

    Changes happen one after the other under its lock, and are stored before anybody sees them.
    """

    def __init__(self, record: TableRecord, context: ServerContext, reviews: Reviews) -> None:
        self.master = Master(record)
        self.context = context
        self.store = context.store
        self.reviews = reviews
        self.lock = asyncio.Lock()
        self.presence = Presence()
        self.tasks: set[asyncio.Task[None]] = set()
        self.driving = False  # the computer players
        self.uncertain = False  # whether the store may contain more than we know
        self.touched = time.monotonic()
        self.replay: Replay | None = None  # of the finished game, once it is asked for

    @property
    def record(self) -> TableRecord:
        """Return the stored table without its events."""
        return self.master.record

    @property
    def in_use(self) -> bool:
        """Return whether anybody is connected or anything is running here."""
        return bool(self.presence.connections or self.tasks)

    @property
    def idle_for(self) -> float:
        """Return the seconds since the table was last in use."""
        return 0.0 if self.in_use else time.monotonic() - self.touched

    @property
    def has_begun(self) -> bool:
        """Return whether the table waits for its players, not for friends to join.

        A seat that was left in the middle of a game keeps nobody from their turn.
        """
        vacant = any(seat.open for seat in self.record.seats)
        return not vacant or any(event.seat != CHANCE for event in self.master.log.events)

    def start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """Run a background task of the table."""
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def leave(self, connection: Connection) -> None:
        """Forget a connection that is closed."""
        self.touched = time.monotonic()
        if connection in self.presence.connections:
            self.presence.connections.discard(connection)
            self.presence_changed()

    def you(self, connection: Connection) -> list[int]:
        """Return the seats that a connection plays."""
        return self.master.playing(connection.seats)

    def seq_for(self, connection: Connection) -> int:
        """Return the sequence number that a connection knows the table by."""
        return self.master.log.seq_for(self.you(connection))

    def seq_meant(self, connection: Connection, seq: int) -> int:
        """Return how many events there were when a connection knew the table by this number."""
        return self.master.log.seq_meant(self.you(connection), seq)

    def expect_player(self, connection: Connection, seat: int) -> None:
        """Refuse a connection that does not play this seat."""
        require(seat in self.you(connection), "not_your_seat")

    def absent(self) -> dict[int, int]:
        """Return the seats of persons who are not connected, and since when."""
        return self.presence.absent(self.record, self.master.log)

    async def info(self, translate: Translator) -> TableInfo:
        """Return what anybody with the code may know.

        A running daily challenge hides its score.
        """
        async with self.lock:
            await self.be_certain()
            master, record = self.master, self.record
            return {
                "table": record.code,
                "game": record.game,
                "seats": render.seats(record.seats, self.absent(), translate),
                "seq": 0 if master.hidden else master.log.seq_for(()),
                "scores": [] if master.hidden else master.shown(()).scores,
                "over": master.over,
                "practice": master.dice.practice,
                "sealing": render.sealing(master.dice.fair),
                "created": record.created,
                "touched": master.log.last_public_at(record.created),
                "waits_for": [] if master.hidden else master.waits_for(),
                "waiting_since": master.log.waiting_since(record.created),
                "deadline": master.deadline(),
            }

    async def own_info(self, tokens: Sequence[str], translate: Translator) -> OwnTable:
        """Return the same, the seats of these tokens, and what they may know of the position."""
        keys = await seating.keys_of(self, tokens)
        info = await self.info(translate)
        you = [seat for seat, held in enumerate(self.record.seats) if held.key in keys]
        hidden = self.master.hidden and not you
        position = None if hidden else self.master.shown(self.master.playing(you)).position.text
        return {**info, "you": you, "position": position}

    async def transcript(self, translate: Translator) -> str:
        """Return the game so far as text."""
        require(not self.master.hidden, "daily_hidden")
        async with self.lock:
            await self.be_certain()
            return self.master.transcript(render.plain_names(self.master, translate))

    # --- messages

    async def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Carry out a message, or refuse it."""
        if message["type"] == "hello":
            # A connection that moves here from another process must not see an older table.
            if self.uncertain or self.store.shared:
                await self.catch_up()
            keys = await seating.keys_of(self, message["tokens"])
            async with self.context.slow_lane():
                seating.hello(self, connection, message, keys)
                computers.wake(self)
            return
        require(connection.greeted, "no_hello")
        if message["type"] in AT_ONCE:
            AT_ONCE[message["type"]](self, connection, message)
            return
        async with self.lock:
            await self.be_certain()
            await IN_TURN[message["type"]](self, connection, message)

    async def act(self, connection: Connection, message: Act) -> None:
        """Change the game, and show it to everybody."""
        seat, seq = message["seat"], self.seq_meant(connection, message["seq"])
        self.expect_player(connection, seat)
        before = await self.commit(lambda master: self._apply(master, message, seat, seq))
        render.acknowledge(self, connection, message["ref"])
        render.show_all(self, before)
        computers.wake(self)

    def _apply(self, master: Master, message: Act, seat: int, seq: int) -> None:
        if message["type"] == "move":
            require(("move" in message) != ("text" in message), "bad_message", what="move")
            master.move(seat, seq, message["move"] if "move" in message else message["text"])
        elif message["type"] == "roll":
            salt, pool = message.get("salt", ""), message.get("pool", "")
            master.roll(seat, seq, bytes.fromhex(salt), bytes.fromhex(pool))
        elif message["type"] == "enter":
            master.enter(seat, seq, message["text"])
        else:
            take_back = master.undo if message["type"] == "undo" else master.correct
            take_back(seat, seq, self.context.limits.undos)

    async def set_language(self, connection: Connection, message: SetLanguage) -> None:
        """Show a connection everything in another language."""
        seating.charge_log(self, connection, connection.seats, 0)
        connection.language = message["language"]
        render.acknowledge(self, connection, message["ref"])
        render.show(self, connection, 0)

    async def set_pace(self, connection: Connection, message: SetPace) -> None:
        """Change the pace of the computer players."""
        seating.expect_seat(connection)
        await self.store.set_pace(self.record.code, message["pace"])
        self.master.record = replace(self.record, pace=message["pace"])
        self.context.announce(self.record.code)
        render.acknowledge(self, connection, message["ref"])
        render.send_all(self, {"type": "pace", "pace": message["pace"]})

    async def open_rematch(self, connection: Connection, message: AskRematch) -> None:
        """Open the table of the next game, unless there is one."""
        seating.expect_seat(connection)
        require(self.master.over, "not_over")
        if self.record.rematch is None:
            code = await seating.open_rematch(
                self.context, self.record, self.master.position.state.first
            )
            self.master.record = replace(self.record, rematch=code)
            self.context.announce(self.record.code)
        render.acknowledge(self, connection, message["ref"])
        render.send_all(self, {"type": "rematch", "table": self.record.rematch})

    async def commit(self, act: Callable[[Master], None]) -> int:
        """Change the game and store it; only then has it happened. Return the seq before it."""
        while True:
            before, after = self.master.seq, self.master.copy()
            act(after)
            events = after.log.events[before:]
            try:
                await self.store.append(self.record.code, before, events, after.over)
            except Conflict:
                await self.read_news()  # another process was first; the act may still be possible
                continue
            except StoreAway as error:
                self.uncertain = True
                log_error(
                    "not_saved", table=self.record.code, problem=str(error.__cause__ or error)
                )
                raise RefusalError("not_saved") from error
            self.master = after
            self.touched = time.monotonic()
            self.context.metrics.count_move()
            self.context.moved(self.record.code)
            if self.presence.others():
                self.context.announce(self.record.code, seq=before, events=list(map(tuple, events)))
            return before

    async def set_seat(self, number: int, after: SeatRecord) -> bool:
        """Store a changed seat, unless another process has changed it, and show it to everybody."""
        code, before = self.record.code, self.record.seats[number]
        if not await self.store.change_seat(code, number, before, after):
            await self.read_news()
            return False
        seats = [*self.record.seats]
        seats[number] = after
        self.master.record = replace(self.record, seats=seats)
        if before.key != after.key:
            self.presence.left[number] = int(time.time())
            self.presence.release(number)
        self.context.announce(code)
        self.context.moved(code)
        render.show_all(self, self.master.seq, changed=True)
        return True

    # --- what other processes do

    def follow(self, seq: int, events: list[Event]) -> bool:
        """Repeat events of another process; return ``False`` if earlier events are missing."""
        if not self.in_use:
            self.uncertain = True  # the next connection will read the store
            return True
        if self.uncertain or seq != self.master.seq:
            return seq + len(events) <= self.master.seq and not self.uncertain
        after = self.master.copy()
        after.follow(events)
        self.master = after
        render.show_all(self, seq)
        computers.wake(self)
        return True

    async def catch_up(self) -> None:
        """Read what other processes have stored, and show it to those who are here."""
        async with self.lock:
            await self.read_news()
        computers.wake(self)

    async def be_certain(self) -> None:
        """Read the store where something may have happened elsewhere.

        A table without connections receives no announcements.
        """
        if self.uncertain or (self.store.shared and not self.presence.connections):
            await self.read_news()

    async def read_news(self) -> None:
        """Read what is new in the store, with the lock held."""
        asked = self.master.seq
        try:
            found = await self.store.load(self.record.code, asked)
        except StoreAway as error:
            self.uncertain = True
            raise RefusalError("store_away") from error
        if found is None:
            raise RefusalError("no_such_table")
        before, known, after = self.master.seq, self.record, self.master.copy()
        news = found.events[before - asked :]  # some may have been announced meanwhile
        after.follow(news)
        after.record = replace(found, events=[])
        self.master, self.uncertain = after, False
        for number, (was, now) in enumerate(zip(known.seats, found.seats, strict=True)):
            if was.key != now.key:
                self.presence.release(number)
        if news or after.record != known:
            render.show_all(self, before, changed=after.record != known)
        if found.pace != known.pace:
            render.send_all(self, {"type": "pace", "pace": found.pace})
        if found.rematch is not None and known.rematch is None:
            render.send_all(self, {"type": "rematch", "table": found.rematch})

    def presence_announced(self, process: str, seq: int, there: Attendance) -> bool:
        """Store who is connected to another process; return ``False`` if it knows more events.

        A process that is new or knows less gets an announcement back: it may not know of us.
        """
        if self.in_use and (seq < self.master.seq or process not in self.presence.others()):
            self.announce_presence()
        if self.presence.announced(process, there):
            render.show_seats(self)
        return seq <= self.master.seq or not self.in_use

    def announce_presence(self) -> None:
        """Announce to other processes who is connected here, and how many events we know."""
        here = self.presence.here()
        self.context.announce(
            self.record.code,
            seq=self.master.seq,
            seats=sorted(here.seats),
            spectators=here.spectators,
            watchers=here.watchers,
        )

    def presence_changed(self, but: Connection | None = None) -> None:
        """Announce a new presence to other processes, and to everybody here but one connection."""
        self.announce_presence()
        render.show_seats(self, but)


AT_ONCE: dict[str, Callable[[Table, Connection, Any], None]] = {
    "ping": lambda _, connection, message: connection.send({"type": "pong", "ref": message["ref"]}),
    "hint": questions.answer_hint,
    "review": partial(questions.answer_later, looking_back.send_review),
    "verdict": partial(questions.answer_later, looking_back.send_verdict),
    "line": partial(questions.answer_later, looking_back.send_line),
    "moments": looking_back.send_moments,
    "react": seating.react,
    "watch": seating.name_watcher,
}
"""Handlers of messages that need not wait for the lock of the table."""

IN_TURN: dict[str, Callable[[Table, Connection, Any], Awaitable[None]]] = {
    **dict.fromkeys(("move", "roll", "undo", "enter", "correct"), Table.act),
    "odds": questions.answer_odds,
    "why": questions.answer_why,
    "preview": questions.answer_preview,
    "language": Table.set_language,
    "seat": seating.change_seat,
    "pace": Table.set_pace,
    "rematch": Table.open_rematch,
    "invite": seating.send_invitation,
    "network": seating.set_network,
}
"""Handlers of messages that are carried out one after the other, with the lock held."""
