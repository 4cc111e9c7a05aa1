"""A table in use: its master, the connections around it, and the computer players that sit at it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from dataclasses import replace

from foxclover.locale import Say
from foxclover.net_file import NetError
from foxclover.server import inviting, limits, looking_back, render
from foxclover.server.codes import new_token, same, token_key
from foxclover.server.connection import Connection
from foxclover.server.encoding import encode
from foxclover.server.errors import RefusalError
from foxclover.server.house import House
from foxclover.server.logs import fault, note
from foxclover.server.master import Master
from foxclover.server.past import Past
from foxclover.server.presence import Presence
from foxclover.server.protocol import (
    PROTOCOL,
    AskHint,
    AskOdds,
    AskPreview,
    AskWhy,
    ChangeSeat,
    ClientMessage,
    CorrectChance,
    EnterChance,
    Hello,
    JoinTable,
    MakeMove,
    Roll,
    SeatsMessage,
    TableInfo,
    Undo,
)
from foxclover.server.seating import seat_after
from foxclover.server.store import Conflict, Event, SeatRecord, StoreAway, TableRecord
from foxclover.server.thinking import SIMPLER
from foxclover.server.validate import bad

Act = MakeMove | Roll | Undo | EnterChance | CorrectChance
RETRY_AFTER = 5.0  # seconds, when a computer player has failed


class Table:
    """Whatever changes a table does so under its lock, one after the other, and is kept before anybody hears of it."""

    def __init__(self, record: TableRecord, house: House) -> None:
        self.master = Master(record)
        self.house = house
        self.store = house.store
        self.lock = asyncio.Lock()
        self.connections: set[Connection] = set()
        self.presence = Presence()  # of those whom other processes serve
        self.were_here: set[int] = set()  # seats, when that was last looked at
        self.left: dict[
            int, int
        ] = {}  # when those who are not here any more went, as far as noticed
        self.tasks: set[asyncio.Task[None]] = set()
        self.driving = False
        self.uncertain = False  # whether the store may know more than we do
        self.touched = time.monotonic()
        self.past: Past | None = (
            None  # the game from its beginning, when somebody has looked back at it
        )

    @property
    def record(self) -> TableRecord:
        """What is stored of the table, save its events."""
        return self.master.record

    @property
    def in_use(self) -> bool:
        """Whether anybody or anything is busy here."""
        return bool(self.connections or self.tasks)

    @property
    def idle_for(self) -> float:
        """Seconds since anybody or anything was busy here."""
        return 0.0 if self.in_use else time.monotonic() - self.touched

    # --- people come and go -------------------------------------------------------------------------------------------

    def leave(self, connection: Connection) -> None:
        """Somebody's socket is closed."""
        self.touched = time.monotonic()
        if connection in self.connections:
            self.connections.discard(connection)
            self._presence_changed()

    async def join(self, wish: JoinTable) -> tuple[int, str]:
        """Give an open seat to somebody who was invited; return it with its token."""
        async with self.lock:
            await self._be_certain()
            if not same(wish["invitation"], self.record.invitation):
                raise RefusalError("bad_invitation")
            token = wish.get("token") or new_token()
            key = token_key(token)
            for number, seat in enumerate(self.record.seats):
                if seat.key == key:
                    return number, token  # the answer to the same wish was lost
            if self.master.over:
                raise RefusalError("game_over")
            return await self._take_seat(wish, key), token

    async def _take_seat(self, wish: JoinTable, key: bytes) -> int:
        name = wish.get("name", "")
        while True:
            open_seats = [number for number, seat in enumerate(self.record.seats) if seat.open]
            if not open_seats:
                raise RefusalError("table_full")
            seat = wish.get("seat", open_seats[0])
            if seat not in open_seats:
                raise RefusalError("seat_taken")
            if await self._seat(seat, replace(self.record.seats[seat], name=name, key=key)):
                return seat

    async def _seat(self, number: int, after: SeatRecord) -> bool:
        """Let somebody sit in a seat, if nothing has changed there; all are told."""
        before = self.record.seats[number]
        if not await self.store.change_seat(self.record.code, number, before, after):
            await self._catch_up()  # another process was first
            return False
        self.record.seats[number] = after
        if before.key != after.key:
            self.left[number] = int(time.time())
            self._let_go(number)
        self.house.announce_record(self.record.code)
        self._tell_state(self.master.seq)
        return True

    def _let_go(self, seat: int) -> None:
        """Whoever held a seat does no longer."""
        for connection in self.connections:
            connection.seats = tuple(held for held in connection.seats if held != seat)

    async def info(self, say: Say) -> TableInfo:
        """Return what anybody with the code may know: of a daily challenge that is still on, not how it goes."""
        async with self.lock:
            await self._be_certain()
            master = self.master
            return {
                "table": self.record.code,
                "game": self.record.game,
                "seats": render.seats(self.record.seats, self._absent(), say),
                "seq": 0 if master.hidden else master.seq,
                "scores": [] if master.hidden else master.shown(()).scores,
                "over": master.over,
                "practice": master.practice,
                "sealing": render.sealing(master.sealed),
                "created": self.record.created,
                "touched": master.events[-1].at if master.events else self.record.created,
            }

    async def transcript(self, say: Say) -> str:
        """Return the game so far as text."""
        if self.master.hidden:
            raise RefusalError("daily_hidden")
        async with self.lock:
            await self._be_certain()
            return self.master.transcript(render.plain_names(self.master, say))

    # --- messages -----------------------------------------------------------------------------------------------------

    async def receive(self, connection: Connection, message: ClientMessage) -> None:
        """Do what a message asks, or refuse it."""
        if message["type"] == "hello":
            if (
                self.uncertain or self.store.shared
            ):  # who comes from another process must not find an older table here
                await self.catch_up()
            seats = self._seats_of(connection, message)
            if (
                "salt" in message
            ):  # it stands in the cup before the page sees the table: of the first roll it sees it can be sure
                await self._stir(seats, bytes.fromhex(message["salt"]))
            async with self.house.slow_lane:
                self._hello(
                    connection, message, self._seats_of(connection, message)
                )  # it may have lost some meanwhile
            return
        if not connection.greeted:
            raise RefusalError("no_hello")
        ref = message["ref"]
        if message["type"] == "ping":
            connection.send({"type": "pong", "ref": ref})
        elif message["type"] == "hint":
            self._hint(connection, message)
        elif message["type"] == "review":
            self._later(connection, ref, looking_back.tell_review(self, connection, ref))
        elif message["type"] == "verdict":
            self._later(connection, ref, looking_back.tell_verdict(self, connection, message))
        elif message["type"] == "moments":
            looking_back.tell_moments(self, connection, message)
        else:
            async with self.lock:
                await self._be_certain()
                await self._change(connection, message)

    async def _change(self, connection: Connection, message: ClientMessage) -> None:
        if message["type"] in ("move", "roll", "undo", "enter", "correct"):
            await self._act(connection, message)
        elif message["type"] == "why":
            self._why(connection, message)
        elif message["type"] == "odds":
            self._odds(connection, message)
        elif message["type"] == "preview":
            self._preview(connection, message)
        elif message["type"] == "language":
            self._charge_log(connection, 0)
            connection.language = message["language"]
            self._ack(connection, message["ref"])
            self._show(connection, 0)
        elif message["type"] == "seat":
            await self._change_seat(connection, message)
        elif message["type"] == "pace":
            await self._set_pace(connection, message["ref"], message["pace"])
        elif message["type"] == "rematch":
            await self._rematch(connection, message["ref"])
        elif message["type"] == "invite":
            inviting.tell_invitation(self, connection, message["ref"])
        elif message["type"] == "network":
            await inviting.set_network(self, connection, message)

    def _seats_of(self, connection: Connection, message: Hello) -> tuple[int, ...]:
        connection.language = message["language"]
        if message["protocol"] != PROTOCOL:
            raise RefusalError("old_page")
        keys = [seat.key for seat in self.record.seats]
        held = {token_key(token) for token in message["tokens"]}
        if held and not held & set(keys):
            raise RefusalError("unknown_token")
        return tuple(number for number, key in enumerate(keys) if key in held)

    def _hello(self, connection: Connection, message: Hello, seats: tuple[int, ...]) -> None:
        log_from = self.master.log_from(message["seq"])
        if seats:
            self._make_room(connection, seats)
        else:
            if self.master.hidden:
                raise RefusalError("daily_hidden")
            if (
                sum(1 for other in self.connections if other is not connection and not other.seats)
                >= self.house.limits.watchers_per_table
            ):
                raise RefusalError("too_many")
            self._charge_log(connection, log_from)
        connection.seats = seats
        connection.greeted = True
        self.connections.add(connection)
        self._show(connection, log_from)
        self._presence_changed(but=connection)
        self.wake()

    def _make_room(self, connection: Connection, seats: tuple[int, ...]) -> None:
        """Whoever holds a seat gets in; if there are too many connections of it, another of them ends."""
        self.house.doors.seated(connection)
        alike = [
            other
            for other in self.connections
            if other is not connection and set(other.seats) & set(seats)
        ]
        if len(alike) >= self.house.limits.connections_per_seat:
            alike[0].bid_farewell(RefusalError("too_many"))
            self.leave(alike[0])

    def _charge_log(self, connection: Connection, log_from: int) -> None:
        lines = len(self.master.log) - log_from
        self.house.charge(
            connection.client, limits.COST_OF_HELLO + lines / limits.LINES_A_MILLISECOND
        )

    async def _act(self, connection: Connection, message: Act) -> None:
        seat, seq = message["seat"], message["seq"]
        self._expect_player(connection, seat)
        if message["type"] == "move":
            if ("move" in message) == ("text" in message):
                raise bad("move")
            wanted = message["move"] if "move" in message else message["text"]
            before = await self._happen(lambda master: master.move(seat, seq, wanted))
        elif message["type"] == "roll":
            salt = bytes.fromhex(message.get("salt", ""))
            before = await self._happen(lambda master: master.roll(seat, seq, salt))
        elif message["type"] == "enter":
            text = message["text"]
            before = await self._happen(lambda master: master.enter(seat, seq, text))
        elif message["type"] == "correct":
            before = await self._happen(
                lambda master: master.correct(seat, seq, self.house.limits.undos)
            )
        else:
            before = await self._happen(
                lambda master: master.undo(seat, seq, self.house.limits.undos)
            )
        self._ack(connection, message["ref"])
        self._tell_state(before)
        self.wake()

    async def _stir(self, seats: tuple[int, ...], salt: bytes) -> None:
        """Put the salt of a page that has said hello into the cup, if its seats have not given one yet."""
        async with self.lock:
            if self.master.without_salt(seats):
                await self._happen(lambda master: master.stir(seats, salt))

    async def _happen(self, act: Callable[[Master], None]) -> int:
        """Let something happen, if it may, and keep it; only then it has happened. Return the seq before it."""
        while True:
            before, after = self.master.seq, self.master.copy()
            act(after)
            try:
                await self.store.append(self.record.code, before, after.events[before:], after.over)
            except Conflict:
                await (
                    self._catch_up()
                )  # another process was first; what is wanted may still be possible
                continue
            except StoreAway as error:
                self.uncertain = True
                fault("not_saved", table=self.record.code)
                raise RefusalError("not_saved") from error
            self.master = after
            self.touched = time.monotonic()
            self.house.metrics.moves += 1
            if self.presence.anybody():
                self.house.announce_events(self.record.code, before, after.events[before:])
            return before

    async def _change_seat(self, connection: Connection, message: ChangeSeat) -> None:
        number, levels = message["seat"], self.house.computers.levels
        if self.record.day:
            raise RefusalError("daily_alone")
        if self.master.over:
            raise RefusalError("game_over")
        while True:
            after = seat_after(self.record, connection.seats, self._connected(), message, levels)
            if after.computer:
                self.house.computers.prepare(after.level, self.record.game)
            if await self._seat(number, after):
                break
        note("seat_changed", table=self.record.code, seat=number, change=message["change"])
        self._ack(connection, message["ref"])
        self._presence_changed()
        self.wake()

    async def _set_pace(self, connection: Connection, ref: int, pace: int) -> None:
        if not connection.seats:
            raise RefusalError("not_your_seat")
        await self.store.set_pace(self.record.code, pace)
        self.master.record = replace(self.record, pace=pace)
        self.house.announce_record(self.record.code)
        self._ack(connection, ref)
        self._tell({"type": "pace", "pace": pace})

    async def _rematch(self, connection: Connection, ref: int) -> None:
        if not connection.seats:
            raise RefusalError("not_your_seat")
        if not self.master.over:
            raise RefusalError("not_over")
        if self.record.rematch is None:
            self.master.record = replace(
                self.record,
                rematch=await self.house.open_rematch(
                    self.record, self.master.position.state.first
                ),
            )
            self.house.announce_record(self.record.code)
        self._ack(connection, ref)
        self._tell({"type": "rematch", "table": self.record.rematch})

    def _expect_player(self, connection: Connection, seat: int) -> None:
        if seat not in connection.seats or self.record.seats[seat].computer:
            raise RefusalError("not_your_seat")

    def _hint(self, connection: Connection, message: AskHint) -> None:
        """Let somebody think about it."""
        if connection.thoughts:
            raise RefusalError("too_fast")
        self._expect_player(connection, message["seat"])
        if self.master.hidden:
            raise RefusalError("daily_alone")
        self.house.charge(connection.client, limits.COST_OF_HINT)
        self._later(connection, message["ref"], self._advise(connection, message))

    def _later(self, connection: Connection, ref: int, work: Coroutine[None, None, None]) -> None:
        """Work an answer out while others are served; who leaves does not want to know any more."""
        connection.thoughts[ref] = self._start(self._think(connection, ref, work))
        connection.thoughts[ref].add_done_callback(lambda _: connection.thoughts.pop(ref, None))

    async def _think(
        self, connection: Connection, ref: int, work: Coroutine[None, None, None]
    ) -> None:
        try:
            await work
        except RefusalError as refusal:
            connection.refuse(refusal, ref, self.master.seq)
        except NetError:
            connection.refuse(RefusalError("no_advisor"), ref, self.master.seq)
        except Exception:
            fault("thought_failed", table=self.record.code)
            connection.refuse(RefusalError("internal"), ref, self.master.seq)

    async def _advise(self, connection: Connection, message: AskHint) -> None:
        seat = message["seat"]
        async with self.lock:
            position = self.master.decision_of(seat, message["seq"])
            seq = self.master.seq
        ranked = await self.house.computers.rank(position, seat, connection.client)
        moves = render.ranked(position, seat, ranked, connection.say)
        connection.send(
            {"type": "hint", "ref": message["ref"], "seq": seq, "seat": seat, "moves": moves}
        )

    def _odds(self, connection: Connection, message: AskOdds) -> None:
        self.house.charge(connection.client, limits.COST_OF_ODDS)
        seat = message["seat"]
        cards, fail = self.master.odds(seat, message["seq"])
        connection.send(
            {
                "type": "odds",
                "ref": message["ref"],
                "seq": self.master.seq,
                "seat": seat,
                "cards": cards,
                "fail": fail,
            }
        )

    def _why(self, connection: Connection, message: AskWhy) -> None:
        seat = message["seat"]
        self._expect_player(connection, seat)
        self.house.charge(connection.client, limits.COST_OF_PREVIEW)
        position = self.master.position
        words = (
            position.reasons_about(seat, message["about"], connection.say)
            if "about" in message
            else None
        )
        if words is None:  # asked about nothing that is there
            words = position.reasons(seat, connection.say)
        connection.send({"type": "why", "ref": message["ref"], "seat": seat, "words": words})

    def _preview(self, connection: Connection, message: AskPreview) -> None:
        seat = message["seat"]
        self._expect_player(connection, seat)
        position = self.master.decision_of(seat, message["seq"])
        self.house.charge(connection.client, limits.COST_OF_PREVIEW)
        moves = [move.preview() for move in position.legal_moves(seat)]
        connection.send(
            {
                "type": "preview",
                "ref": message["ref"],
                "seq": self.master.seq,
                "seat": seat,
                "moves": moves,
            }
        )

    # --- what other processes do --------------------------------------------------------------------------------------

    def follow(self, seq: int, events: list[Event]) -> bool:
        """Let happen here what another process has kept; ``False`` if something before it is missing."""
        if not self.in_use:
            self.uncertain = True  # whoever comes will look
            return True
        if self.uncertain or seq != self.master.seq:
            return seq + len(events) <= self.master.seq and not self.uncertain
        after = self.master.copy()
        after.follow(events)
        self.master = after
        self._tell_state(seq)
        self.wake()
        return True

    async def catch_up(self) -> None:
        """Learn what has happened at the table elsewhere, and tell it to those who are here."""
        async with self.lock:
            await self._catch_up()
        self.wake()

    async def _be_certain(self) -> None:
        """Look whether something has happened elsewhere, where it may have: a table that nobody is at hears of nothing."""
        if self.uncertain or (self.store.shared and not self.connections):
            await self._catch_up()

    async def _catch_up(self) -> None:
        asked = self.master.seq
        try:
            found = await self.store.load(self.record.code, asked)
        except StoreAway as error:
            self.uncertain = True
            raise RefusalError("store_away") from error
        if found is None:
            raise RefusalError("no_such_table")
        before, known, after = self.master.seq, self.record, self.master.copy()
        news = found.events[before - asked :]  # some of it may have been announced meanwhile
        after.follow(news)
        after.record = replace(found, events=[])
        self.master, self.uncertain = after, False
        for number, (was, now) in enumerate(zip(known.seats, found.seats, strict=True)):
            if was.key != now.key:
                self._let_go(number)
        if news or after.record != known:
            self._tell_state(before)
        if found.pace != known.pace:
            self._tell({"type": "pace", "pace": found.pace})
        if found.rematch is not None and known.rematch is None:
            self._tell({"type": "rematch", "table": found.rematch})

    def others_are_here(self, process: str, seq: int, seats: list[int], spectators: int) -> bool:
        """Another process tells whom it serves at this table; ``False`` if it knows of more than we do.

        One that is new or knows of less is told the same: it may not have heard of us.
        """
        if self.in_use and (seq < self.master.seq or not self.presence.knows(process)):
            self.tell_others()
        if self.presence.tell(process, seats, spectators):
            self._tell_seats()
        return seq <= self.master.seq or not self.in_use

    def tell_others(self) -> None:
        """Let other processes know whom this one serves here, and how far the game has come."""
        seats, watching = self.here()
        self.house.announce_presence(self.record.code, self.master.seq, sorted(seats), watching)

    def here(self) -> tuple[set[int], int]:
        """Return whom this process serves: seats, and how many watch."""
        seats = {seat for connection in self.connections for seat in connection.seats}
        return seats, sum(not connection.seats for connection in self.connections)

    # --- telling ------------------------------------------------------------------------------------------------------

    def _ack(self, connection: Connection, ref: int) -> None:
        connection.send({"type": "ack", "ref": ref, "seq": self.master.seq})

    def _tell(self, message: dict[str, object]) -> None:
        text = encode(message)
        for connection in self.connections:
            connection.send_text(text)

    def _tell_state(self, before: int) -> None:
        """Show everybody the table, with the log since ``before``; whoever sees the same gets the same text."""
        telling = self._telling(self.master.log_from(before))
        texts: dict[tuple[str, tuple[int, ...]], bytes] = {}
        for connection in self.connections:
            same_to = connection.language, connection.seats
            if same_to not in texts:
                texts[same_to] = encode(telling.state(connection.seats, connection.language))
            connection.send_text(texts[same_to])

    def _presence_changed(self, but: Connection | None = None) -> None:
        self.tell_others()
        self._tell_seats(but)

    def _tell_seats(self, but: Connection | None = None) -> None:
        texts: dict[str, bytes] = {}
        for connection in self.connections - {but}:
            if connection.language not in texts:
                message: SeatsMessage = {
                    "type": "seats",
                    "seats": render.seats(self.record.seats, self._absent(), connection.say),
                    "spectators": self._spectators(),
                }
                texts[connection.language] = encode(message)
            connection.send_text(texts[connection.language])

    def _show(self, connection: Connection, log_from: int) -> None:
        connection.send(self._telling(log_from).state(connection.seats, connection.language))

    def _telling(self, log_from: int) -> render.Telling:
        return render.Telling(self.master, log_from, self._absent(), self._spectators())

    def _connected(self) -> set[int]:
        return self.here()[0] | self.presence.seats()

    def _absent(self) -> dict[int, int]:
        """Return the seats of persons who are not here, and since when."""
        here = self._connected()
        if gone := self.were_here - here:
            self.left |= dict.fromkeys(gone, int(time.time()))
        self.were_here = here
        absent = [
            number
            for number, seat in enumerate(self.record.seats)
            if seat.key is not None and number not in here
        ]
        return {number: self.left.get(number) or self.master.last_act(number) for number in absent}

    def _spectators(self) -> int:
        return self.here()[1] + self.presence.spectators()

    # --- computer players ---------------------------------------------------------------------------------------------

    def _start(self, work: Coroutine[None, None, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def wake(self) -> None:
        """Let the computer players go on, if it is their turn."""
        if not self.driving and self.master.computer_due() is not None:
            self.driving = True
            self._start(self._drive())

    async def _drive(self) -> None:
        code = self.record.code
        try:
            if not await self.store.hold(code):
                return  # another process drives them, and is woken by what happens
            try:
                await self._drive_on()
            finally:
                await self.store.release(code)
        except StoreAway:
            self.uncertain = True
        finally:
            self.driving = False

    async def _drive_on(self) -> None:
        while (due := self.master.computer_due()) is not None:
            try:
                await self._computer_acts(due)
            except NetError:
                await self._weaken(due)
            except Exception:
                fault("computer_player_failed", table=self.record.code)
                await asyncio.sleep(RETRY_AFTER)

    async def _weaken(self, seat: int) -> None:
        """A player whose net cannot be used goes on as a simpler one, and everybody is told."""
        fault("net_unusable", table=self.record.code, level=self.record.seats[seat].level)
        async with self.lock:
            if not self.record.seats[seat].computer or not await self._seat(
                seat, replace(self.record.seats[seat], level=SIMPLER)
            ):
                return
        for connection in self.connections:
            connection.refuse(RefusalError("weaker_player", number=seat + 1), -1, self.master.seq)

    async def _computer_acts(self, seat: int) -> None:
        """Think, wait for the rest of the pace, and act if nothing has changed for this seat meanwhile."""
        started, seq, code = time.monotonic(), self.master.seq, self.record.code
        rolls = bool(self.master.rollers)
        level, position = self.record.seats[seat].level, self.master.position.copy()
        move = -1 if rolls else await self.house.computers.choose(level, position, seat, code)
        await asyncio.sleep(max(0.0, self.record.pace / 1000 - (time.monotonic() - started)))
        async with self.lock:
            await self._be_certain()
            if not self.record.seats[seat].computer:
                return  # whose seat it is has come back
            try:
                before = await self._happen(
                    lambda master: master.roll(seat, seq) if rolls else master.move(seat, seq, move)
                )
            except RefusalError as refusal:
                if refusal.reason == "stale":
                    return
                raise
            self._tell_state(before)
