"""All tables: opened, found again, joined, and forgotten when nobody is there (the store remembers)."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from foxclover.locale import LANGUAGES
from foxclover.server import codes, games
from foxclover.server.computer_players import ComputerPlayers
from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError
from foxclover.server.limits import Buckets, Limits
from foxclover.server.logs import note
from foxclover.server.protocol import PROTOCOL, CreateTable, GamesAnswer, JoinTable, TableCreated, TableJoined
from foxclover.server.store import SeatRecord, Store, TableRecord
from foxclover.server.table import Table
from foxclover.server.validate import bad

FORGET_AFTER = 600.0  # seconds without anybody at a table
LOOK_EVERY = 60.0
FAREWELL = 1.0
DEFAULT_PACE = 900  # milliseconds between the moves of computer players


class Lobby:
    """The way to every table."""

    def __init__(self, store: Store, computers: ComputerPlayers, limits: Limits) -> None:
        self.store = store
        self.computers = computers
        self.limits = limits
        self.tables: dict[str, Table] = {}
        self.loading = asyncio.Lock()
        self.connections = Counter[str]()  # by client
        self.new_tables = Buckets(limits.tables_per_client, limits.table_interval)
        self.requests = Buckets(limits.requests_per_client, limits.request_interval)

    def games(self) -> GamesAnswer:
        """Return what can be played here."""
        return {"protocol": PROTOCOL, "games": games.infos(), "levels": self.computers.levels, "languages": list(LANGUAGES)}

    async def create(self, wish: CreateTable, client: str) -> TableCreated:
        """Open a table."""
        options = wish.get("options", {})
        seats, tokens = self._seats(wish)
        variant = games.variant(wish["game"], options)
        if not self.new_tables.take(client):
            raise RefusalError("too_fast")
        code = await self._open(
            TableRecord("", wish["game"], variant, options.get("seed"), wish.get("pace", DEFAULT_PACE), int(time.time()), seats)
        )
        note("table_created", table=code, game=wish["game"], seats=len(seats), client=client)
        return {"table": code, "link": f"/t/{code}", "seats": [{"seat": seat, "token": token} for seat, token in tokens.items()]}

    async def join(self, code: str, wish: JoinTable) -> TableJoined:
        """Sit down at an open seat."""
        table = await self.table(code)
        seat, token = await table.join(wish.get("name", ""), wish.get("seat"))
        note("seat_taken", table=table.record.code, seat=seat)
        return {"table": table.record.code, "seat": seat, "token": token}

    async def table(self, code: str) -> Table:
        """Return a table, from the store if nobody was there lately."""
        code = code.lower()
        if code not in self.tables:
            async with self.loading:
                if code not in self.tables:
                    self.tables[code] = await self._load(code)
        table = self.tables[code]
        table.touched = time.monotonic()
        return table

    @contextmanager
    def admitted(self, client: str, table: Table, connection: Connection) -> Iterator[None]:
        """Let a connection in for as long as it lasts, if there is room."""
        limits = self.limits
        if (
            self.connections.total() >= limits.connections
            or self.connections[client] >= limits.connections_per_client
            or len(table.connections) >= limits.connections_per_table
        ):
            raise RefusalError("too_many")
        self.connections[client] += 1
        table.enter(connection)
        try:
            yield
        finally:
            table.leave(connection)
            self.connections[client] -= 1
            if not self.connections[client]:
                del self.connections[client]

    async def forget_idle_tables(self) -> None:
        """Run for ever; tables that come back are replayed from the store."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self.tables = {code: table for code, table in self.tables.items() if table.idle_for < FORGET_AFTER}

    async def bid_farewell(self) -> None:
        """Tell everybody that the server stops, and wait a little until they know."""
        for table in self.tables.values():
            for connection in table.connections:
                connection.bid_farewell(RefusalError("stopping"))
        deadline = time.monotonic() + FAREWELL
        while self.connections and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    def _seats(self, wish: CreateTable) -> tuple[list[SeatRecord], dict[int, str]]:
        """Return the seats of a new table, and the tokens of those that are the creator's."""
        allowed = games.find(wish["game"]).players
        if len(wish["seats"]) not in allowed or all(seat["kind"] == "computer" for seat in wish["seats"]):
            raise RefusalError("bad_seats", least=allowed[0], most=allowed[-1])
        seats: list[SeatRecord] = []
        tokens: dict[int, str] = {}
        for number, seat in enumerate(wish["seats"]):
            if seat["kind"] == "computer":
                if "level" not in seat:
                    raise bad("level")
                if seat["level"] not in self.computers.levels:
                    raise RefusalError("unknown_level")
                seats.append(SeatRecord(seat.get("name", ""), seat["level"]))
            elif seat["kind"] == "friend":
                seats.append(SeatRecord(seat.get("name", "")))
            else:
                tokens[number] = codes.new_token()
                seats.append(SeatRecord(seat.get("name", ""), key=codes.token_key(tokens[number])))
        return seats, tokens

    async def _open(self, record: TableRecord) -> str:
        while True:
            code = codes.new_code()
            if await self.store.create(replace(record, code=code)):
                return code

    async def _open_rematch(self, record: TableRecord) -> str:
        """The same people and options, the next one begins; a practice seed is not used twice, its dice are known."""
        seats = record.seats[1:] + record.seats[:1]
        code = await self._open(replace(record, seats=seats, seed=None, created=int(time.time()), rematch=None))
        note("rematch", table=record.code, successor=code)
        return code

    async def _load(self, code: str) -> Table:
        record = await self.store.load(code) if codes.is_code(code) else None
        if record is None:
            raise RefusalError("no_such_table")
        for level in {seat.level for seat in record.seats if seat.computer}:
            self.computers.prepare(level, record.game)
        return Table(record, self.store, self.computers, self._open_rematch)
