"""All tables: opened, found again, joined, and forgotten when nobody is there (the store remembers)."""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress

from foxclover.locale import LANGUAGES
from foxclover.seal import new_last
from foxclover.server import codes, games, limits, render
from foxclover.server.errors import RefusalError
from foxclover.server.house import House
from foxclover.server.limits import Buckets
from foxclover.server.logs import fault, note
from foxclover.server.master import TYPED_DICE, sealed_dice
from foxclover.server.people import People
from foxclover.server.presence import REPEAT
from foxclover.server.protocol import PROTOCOL, CreateTable, GamesAnswer, JoinTable, SeatKey, TableCreated, TableJoined
from foxclover.server.store import Event, SeatRecord, StoreAway, TableRecord
from foxclover.server.table import Table
from foxclover.server.validate import bad

FORGET_AFTER = 600.0  # seconds without anybody at a table
LOOK_EVERY = 60.0
SWEEP_EVERY = 6 * 3_600.0
DAY = 86_400
FAREWELL = 1.0
DEFAULT_PACE = 900  # milliseconds between the moves of computer players


class Lobby:
    """The way to every table."""

    def __init__(self, house: House, requests: Buckets) -> None:
        self.house = house
        self.store = house.store
        self.limits = house.limits
        self.tables: dict[str, Table] = {}
        self.loading: dict[str, asyncio.Task[Table]] = {}
        self.catching_up: set[asyncio.Task[None]] = set()
        self.new_tables = Buckets(self.limits.tables_per_client, self.limits.table_interval)
        self.messages = Buckets(self.limits.messages_per_client, self.limits.client_message_interval)
        self.requests = requests
        self.people = People(house)

    def games(self) -> GamesAnswer:
        """Return what can be played here."""
        return {"protocol": PROTOCOL, "games": games.infos(), "levels": self.house.computers.levels, "languages": list(LANGUAGES)}

    async def create(self, wish: CreateTable, client: str) -> TableCreated:
        """Open a table."""
        options = wish.get("options", {})
        seats, tokens = self._seats(wish)
        variant = games.variant(wish["game"], options, len(seats))
        if not self.new_tables.take(client):
            raise RefusalError("too_fast")
        pace = wish.get("pace", DEFAULT_PACE)
        seed = options.get("seed")
        typed = options.get("typed_dice", False)
        if typed and seed is not None:
            raise bad("seed")
        seal = new_last() if seed is None and not typed else None
        host = seats[min(tokens)].key if tokens else None
        dice = TYPED_DICE if typed else ""
        table = TableRecord("", wish["game"], variant, seed, pace, int(time.time()), seats, "", seal=seal, dice=dice, host=host)
        record = await self.house.open(table)
        note("table_created", table=record.code, game=wish["game"], seats=len(seats), client=client)
        keys: list[SeatKey] = [{"seat": seat, "token": token} for seat, token in tokens.items()]
        return {"table": record.code, "link": render.invitation(record), "seats": keys, "sealing": render.sealing(sealed_dice(record))}

    async def join(self, code: str, wish: JoinTable) -> TableJoined:
        """Sit down at an open seat."""
        table = await self.table(code)
        seat, token = await table.join(wish)
        note("seat_taken", table=table.record.code, seat=seat)
        return {"table": table.record.code, "seat": seat, "token": token}

    async def table(self, code: str, client: str = "") -> Table:
        """Return a table, from the store if nobody was there lately, which ``client`` pays for."""
        code = code.lower()
        table = self.tables.get(code)
        if table is None:
            if not codes.is_code(code):
                raise RefusalError("no_such_table")
            if code not in self.loading:
                if client:
                    self.house.charge(client, limits.COST_OF_LOADING)
                self.loading[code] = asyncio.get_running_loop().create_task(self._load(code))
                self.loading[code].add_done_callback(lambda done: self._loaded(code, done))
            table = await asyncio.shield(self.loading[code])
        table.touched = time.monotonic()
        return table

    async def forget_idle_tables(self) -> None:
        """Run for ever; tables that come back are replayed from the store."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self.tables = {code: table for code, table in self.tables.items() if table.idle_for < FORGET_AFTER}

    async def remove_old_tables(self, days: int) -> None:
        """Run for ever; unfinished tables that nobody has touched for so many days go, finished ones are kept."""
        while True:
            with suppress(StoreAway):
                for code in await self.store.untouched(int(time.time()) - days * DAY):
                    await self._remove_if_unfinished(code)
            await asyncio.sleep(SWEEP_EVERY)

    async def _remove_if_unfinished(self, code: str) -> None:
        record = None if code in self.tables else await self.store.load(code)
        if record is None:
            return
        try:
            async with self.house.slow_lane:
                over = Table(record, self.house).master.over
        except RefusalError:  # what cannot be replayed may yet be mended
            return
        if over:  # finished before such games were marked
            await self.store.append(code, len(record.events), [], finished=True)
        else:
            await self.store.remove(code)
            note("table_removed", table=code)

    async def bid_farewell(self) -> None:
        """Tell everybody that the server stops, and wait a little until they know."""
        for table in self.tables.values():
            for connection in table.connections:
                connection.bid_farewell(RefusalError("stopping"))
        deadline = time.monotonic() + FAREWELL
        while self.house.doors.total and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    # --- other processes --------------------------------------------------------------------------------------------------

    async def stay_in_touch(self) -> None:
        """Hear what other processes do from now on, and run for ever: tell again who is here, and look whether something was missed."""
        if not self.store.shared:
            return
        await self.store.listen(self.heard, self.lost, self.reconnected)
        while True:
            await asyncio.sleep(REPEAT)
            for code, table in list(self.tables.items()):
                if table.connections:
                    self.house.announce_presence(code, *table.here())
            await self._look_for_missed()

    async def _look_for_missed(self) -> None:
        with suppress(StoreAway):
            lengths = await self.store.lengths(list(self.tables))
            for code, table in list(self.tables.items()):
                if lengths.get(code, 0) > table.master.seq:
                    self._catch_up(table)
                else:
                    table.wake()

    def heard(self, text: str) -> None:
        """Another process has announced something about a table."""
        message = json.loads(text)
        table = self.tables.get(message["table"])
        if table is None or message["from"] == self.house.process:
            return
        if "seats" in message:
            table.others_are_here(message["from"], message["seats"], message["spectators"])
        elif "events" not in message or not table.follow(message["seq"], [Event(*event) for event in message["events"]]):
            self._catch_up(table)

    def lost(self) -> None:
        """The store cannot be reached: everybody is told."""
        refusal = RefusalError("store_away")
        for table in self.tables.values():
            for connection in table.connections:
                connection.refuse(refusal, -1, table.master.seq)

    def reconnected(self) -> None:
        """The store is back: something may have happened meanwhile, or what we wanted to write may have been written."""
        for table in self.tables.values():
            table.uncertain = True
            self._catch_up(table)

    def _catch_up(self, table: Table) -> None:
        async def work() -> None:
            try:
                await table.catch_up()
            except RefusalError as refusal:
                note("not_caught_up", table=table.record.code, reason=refusal.reason)
            except Exception:
                fault("not_caught_up", table=table.record.code)

        task = asyncio.get_running_loop().create_task(work())
        self.catching_up.add(task)
        task.add_done_callback(self.catching_up.discard)

    # --- finding and opening ----------------------------------------------------------------------------------------------

    def _seats(self, wish: CreateTable) -> tuple[list[SeatRecord], dict[int, str]]:
        """Return the seats of a new table, and the tokens of those that are the creator's."""
        allowed = games.find(wish["game"]).players
        if len(wish["seats"]) not in allowed or all(seat["kind"] == "computer" for seat in wish["seats"]):
            raise RefusalError("bad_seats", least=allowed[0], most=allowed[-1])
        seats: list[SeatRecord] = []
        tokens: dict[int, str] = {}
        for number, seat in enumerate(wish["seats"]):
            name = seat.get("name", "")
            if seat["kind"] == "computer":
                if "level" not in seat:
                    raise bad("level")
                if seat["level"] not in self.house.computers.levels:
                    raise RefusalError("unknown_level")
                seats.append(SeatRecord(name, seat["level"]))
            elif seat["kind"] == "friend":
                seats.append(SeatRecord(name))
            else:
                tokens[number] = codes.new_token()
                seats.append(SeatRecord(name, key=codes.token_key(tokens[number])))
        return seats, tokens

    async def _load(self, code: str) -> Table:
        try:
            record = await self.store.load(code)
        except StoreAway as error:
            raise RefusalError("store_away") from error
        if record is None:
            raise RefusalError("no_such_table")
        for level in {seat.level for seat in record.seats if seat.computer}:
            self.house.computers.prepare(level, record.game)
        async with self.house.slow_lane:
            return Table(record, self.house)

    def _loaded(self, code: str, done: asyncio.Task[Table]) -> None:
        del self.loading[code]
        if not done.cancelled() and done.exception() is None:
            self.tables[code] = done.result()
