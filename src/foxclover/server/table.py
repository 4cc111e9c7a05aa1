"""A table in use: its master, the connections around it, and the computer players that sit at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import replace

from foxclover.ai.files import NetError
from foxclover.locale import Say
from foxclover.server import render
from foxclover.server.codes import new_token, token_key
from foxclover.server.computer_players import ComputerPlayers
from foxclover.server.connection import Connection, encode
from foxclover.server.errors import RefusalError
from foxclover.server.logs import fault
from foxclover.server.master import Master
from foxclover.server.protocol import PROTOCOL, AskHint, AskOdds, ClientMessage, Hello, MakeMove, Roll, SeatsMessage, TableInfo, Undo
from foxclover.server.store import Store, TableRecord
from foxclover.server.validate import bad

SIMPLER = "greedy"
RETRY_AFTER = 5.0  # seconds, when a computer player has failed

OpenRematch = Callable[[TableRecord], Awaitable[str]]


class Table:
    """Whatever changes a table does so under its lock, one after the other, and is on disk before anybody hears of it."""

    def __init__(self, record: TableRecord, store: Store, computers: ComputerPlayers, open_rematch: OpenRematch) -> None:
        self.master = Master(record)
        self.store = store
        self.computers = computers
        self.open_rematch = open_rematch
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.driving = False
        self.touched = time.monotonic()

    @property
    def record(self) -> TableRecord:
        """What is stored of the table, save its events."""
        return self.master.record

    @property
    def idle_for(self) -> float:
        """Seconds since anybody or anything was busy here."""
        return 0.0 if self.connections or self.tasks else time.monotonic() - self.touched

    # --- people come and go -------------------------------------------------------------------------------------------

    def enter(self, connection: Connection) -> None:
        """Somebody has opened a socket."""
        self.connections.add(connection)

    def leave(self, connection: Connection) -> None:
        """Somebody's socket is closed."""
        self.connections.discard(connection)
        self.touched = time.monotonic()
        if connection.greeted:
            self._tell_seats()

    async def join(self, name: str, wanted: int | None) -> tuple[int, str]:
        """Give an open seat away; return it with its token."""
        async with self.lock:
            if self.master.over:
                raise RefusalError("game_over")
            open_seats = [number for number, seat in enumerate(self.record.seats) if seat.open]
            if not open_seats:
                raise RefusalError("table_full")
            seat = open_seats[0] if wanted is None else wanted
            token = new_token()
            if seat not in open_seats or not await self.store.take_seat(self.record.code, seat, name, token_key(token)):
                raise RefusalError("seat_taken")
            self.record.seats[seat] = replace(self.record.seats[seat], name=name, key=token_key(token))
            self._tell_state(self.master.seq)
            return seat, token

    async def info(self, say: Say) -> TableInfo:
        """Return what anybody with the code may know."""
        async with self.lock:
            master = self.master
            return {
                "table": self.record.code,
                "game": self.record.game,
                "seats": render.seats(master, self._connected(), say),
                "seq": master.seq,
                "scores": master.scores(),
                "over": master.over,
                "practice": self.record.seed is not None,
                "created": self.record.created,
                "touched": master.events[-1].at if master.events else self.record.created,
            }

    async def transcript(self, say: Say) -> str:
        """Return the game so far as text."""
        async with self.lock:
            return self.master.transcript(render.plain_names(self.master, say))

    # --- messages -----------------------------------------------------------------------------------------------------

    async def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Do what a message asks, or refuse it."""
        if message["type"] == "hello":
            async with self.lock:
                self._hello(connection, message)
            return
        if not connection.greeted:
            raise RefusalError("no_hello")
        ref = message["ref"]
        if message["type"] == "ping":
            connection.send({"type": "pong", "ref": ref})
        elif message["type"] == "hint":
            self._start(self._hint(connection, message))
        else:
            async with self.lock:
                await self._change(connection, message)

    async def _change(self, connection: Connection, message: ClientMessage) -> None:
        if message["type"] == "move" or message["type"] == "roll" or message["type"] == "undo":
            await self._act(connection, message)
        elif message["type"] == "odds":
            self._odds(connection, message)
        elif message["type"] == "language":
            connection.language = message["language"]
            self._ack(connection, message["ref"])
            connection.send_text(self._state_for(connection, 0))
        elif message["type"] == "pace":
            await self._set_pace(connection, message["ref"], message["pace"])
        elif message["type"] == "rematch":
            await self._rematch(connection, message["ref"])

    def _hello(self, connection: Connection, message: Hello) -> None:
        connection.language = message["language"]
        if message["protocol"] != PROTOCOL:
            raise RefusalError("old_page")
        keys = [seat.key for seat in self.record.seats]
        held = {token_key(token) for token in message["tokens"]}
        if not held <= set(keys):
            raise RefusalError("unknown_token")
        connection.seats = tuple(number for number, key in enumerate(keys) if key in held)
        connection.greeted = True
        connection.send_text(self._state_for(connection, self.master.log_from(message["seq"])))
        self._tell_seats(but=connection)
        self._wake()

    async def _act(self, connection: Connection, message: MakeMove | Roll | Undo) -> None:
        seat, seq, before = message["seat"], message["seq"], self.master.seq
        _expect_holder(connection, seat)
        if message["type"] == "move":
            if ("move" in message) == ("text" in message):
                raise bad("move")
            self.master.move(seat, seq, message["move"] if "move" in message else message["text"])
        elif message["type"] == "roll":
            self.master.roll(seat, seq)
        else:
            self.master.undo(seat, seq)
        await self._save(before)
        self._ack(connection, message["ref"])
        self._tell_state(before)
        self._wake()

    async def _save(self, before: int) -> None:
        """Put what happened since ``before`` on disk; if the disk refuses, it has not happened."""
        try:
            await self.store.append(self.record.code, before, self.master.events[before:])
        except Exception as error:
            fault("not_saved", table=self.record.code)
            self.master = Master(replace(self.record, events=self.master.events[:before]))
            raise RefusalError("not_saved") from error
        self.touched = time.monotonic()

    async def _set_pace(self, connection: Connection, ref: int, pace: int) -> None:
        if not connection.seats:
            raise RefusalError("not_your_seat")
        await self.store.set_pace(self.record.code, pace)
        self.master.record = replace(self.record, pace=pace)
        self._ack(connection, ref)
        self._tell({"type": "pace", "pace": pace})

    async def _rematch(self, connection: Connection, ref: int) -> None:
        if not connection.seats:
            raise RefusalError("not_your_seat")
        if not self.master.over:
            raise RefusalError("not_over")
        if self.record.rematch is None:
            successor = await self.open_rematch(self.record)
            await self.store.set_rematch(self.record.code, successor)
            self.master.record = replace(self.record, rematch=successor)
        self._ack(connection, ref)
        self._tell({"type": "rematch", "table": self.record.rematch})

    async def _hint(self, connection: Connection, message: AskHint) -> None:
        try:
            if connection.asking:
                raise RefusalError("too_fast")
            connection.asking = True
            try:
                await self._advise(connection, message)
            finally:
                connection.asking = False
        except RefusalError as refusal:
            connection.refuse(refusal, message["ref"], self.master.seq)
        except Exception:
            fault("hint_failed", table=self.record.code)
            connection.refuse(RefusalError("internal"), message["ref"], self.master.seq)

    async def _advise(self, connection: Connection, message: AskHint) -> None:
        seat = message["seat"]
        async with self.lock:
            _expect_holder(connection, seat)
            position = self.master.decision(seat, message["seq"])
            seq = self.master.seq
        try:
            ranked = await self.computers.rank(position, seat)
        except NetError:
            raise RefusalError("no_advisor") from None
        moves = render.ranked(position, seat, ranked, connection.say)
        connection.send({"type": "hint", "ref": message["ref"], "seq": seq, "seat": seat, "moves": moves})

    def _odds(self, connection: Connection, message: AskOdds) -> None:
        seat = message["seat"]
        cards, fail = self.master.odds(seat, message["seq"])
        connection.send({"type": "odds", "ref": message["ref"], "seq": self.master.seq, "seat": seat, "cards": cards, "fail": fail})

    # --- telling ------------------------------------------------------------------------------------------------------

    def _ack(self, connection: Connection, ref: int) -> None:
        connection.send({"type": "ack", "ref": ref, "seq": self.master.seq})

    def _tell(self, message: dict[str, object]) -> None:
        for connection in self._greeted():
            connection.send(message)

    def _tell_state(self, before: int) -> None:
        """Show everybody the table, with the log since ``before``; whoever sees the same gets the same text."""
        log_from = self.master.log_from(before)
        texts: dict[tuple[str, tuple[int, ...]], str] = {}
        for connection in self._greeted():
            same = connection.language, connection.seats
            if same not in texts:
                texts[same] = self._state_for(connection, log_from)
            connection.send_text(texts[same])

    def _tell_seats(self, but: Connection | None = None) -> None:
        for connection in self._greeted():
            if connection is not but:
                message: SeatsMessage = {
                    "type": "seats",
                    "seats": render.seats(self.master, self._connected(), connection.say),
                    "spectators": self._spectators(),
                }
                connection.send(message)

    def _state_for(self, connection: Connection, log_from: int) -> str:
        return encode(render.state(self.master, connection.seats, connection.language, log_from, self._connected(), self._spectators()))

    def _greeted(self) -> list[Connection]:
        return [connection for connection in self.connections if connection.greeted]

    def _connected(self) -> set[int]:
        return {seat for connection in self._greeted() for seat in connection.seats}

    def _spectators(self) -> int:
        return sum(1 for connection in self._greeted() if not connection.seats)

    # --- computer players ---------------------------------------------------------------------------------------------

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def _wake(self) -> None:
        """Let the computer players go on, if it is their turn."""
        if not self.driving and self.master.computer_due() is not None:
            self.driving = True
            self._start(self._drive())

    async def _drive(self) -> None:
        try:
            while (due := self.master.computer_due()) is not None:
                try:
                    await self._computer_acts(due)
                except NetError:
                    self._weaken(due)
                except Exception:
                    fault("computer_player_failed", table=self.record.code)
                    await asyncio.sleep(RETRY_AFTER)
        finally:
            self.driving = False

    def _weaken(self, seat: int) -> None:
        """A player whose net cannot be used goes on as a simpler one, and everybody is told."""
        fault("net_unusable", table=self.record.code, level=self.record.seats[seat].level)
        self.record.seats[seat] = replace(self.record.seats[seat], level=SIMPLER)
        self._tell_state(self.master.seq)
        for connection in self._greeted():
            connection.refuse(RefusalError("weaker_player", number=seat + 1), -1, self.master.seq)

    async def _computer_acts(self, seat: int) -> None:
        """Think, wait for the rest of the pace, and act if nothing has changed for this seat meanwhile."""
        started, seq = time.monotonic(), self.master.seq
        rolls = bool(self.master.rollers())
        move = -1 if rolls else await self.computers.choose(self.record.seats[seat].level, self.master.position.copy(), seat)
        await asyncio.sleep(max(0.0, self.record.pace / 1000 - (time.monotonic() - started)))
        async with self.lock:
            before = self.master.seq
            try:
                if rolls:
                    self.master.roll(seat, seq)
                else:
                    self.master.move(seat, seq, move)
            except RefusalError as refusal:
                if refusal.reason == "stale":
                    return
                raise
            await self._save(before)
            self._tell_state(before)


def _expect_holder(connection: Connection, seat: int) -> None:
    if seat not in connection.seats:
        raise RefusalError("not_your_seat")
