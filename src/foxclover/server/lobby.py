"""All tables: opened, found again, joined, and forgotten when nobody is there (the store remembers)."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from foxclover.locale import LANGUAGES, Say
from foxclover.review.steps import Retold, retell
from foxclover.review.transcripts import NotReplayable
from foxclover.seal import new_last
from foxclover.server import codes, games, limits, names, render
from foxclover.server.challenge import Challenge
from foxclover.server.encoding import decode
from foxclover.server.errors import RefusalError, refused_text
from foxclover.server.house import House
from foxclover.server.limits import Buckets
from foxclover.server.logs import fault, note
from foxclover.server.master import TYPED_DICE, sealed_dice
from foxclover.server.people import People
from foxclover.server.presence import REPEAT
from foxclover.server.protocol import (
    PROTOCOL,
    CreateTable,
    GamesAnswer,
    JoinTable,
    SeatKey,
    SeatWish,
    TableCreated,
    TableJoined,
)
from foxclover.server.store import Event, SeatRecord, StoreAway, TableRecord
from foxclover.server.table import Table
from foxclover.server.transcript_protocol import Looked, PlayOn
from foxclover.server.validate import bad
from foxclover.verdict import judge_sent

FORGET_AFTER = 600.0  # seconds without anybody at a table
LOOK_EVERY = 60.0
SWEEP_EVERY = 6 * 3_600.0
DAY = 86_400
FAREWELL = 1.0
DEFAULT_PACE = 900  # milliseconds between the moves of computer players
REMEMBERED = 1_000  # transcripts that were looked at


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
        self.messages = Buckets(
            self.limits.messages_per_client, self.limits.client_message_interval
        )
        self.requests = requests
        self.looked_at: dict[bytes, str] = {}  # tables of transcripts, by what was sent
        self.people = People(house)
        self.challenge = Challenge(house, self.people)

    def games(self) -> GamesAnswer:
        """Return what can be played here."""
        return {
            "protocol": PROTOCOL,
            "games": games.infos(),
            "levels": self.house.computers.levels,
            "languages": list(LANGUAGES),
        }

    async def create(self, wish: CreateTable, client: str) -> TableCreated:
        """Open a table."""
        options = wish.get("options", {})
        seats, tokens = self._seats(wish["game"], wish["seats"])
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
        table = TableRecord(
            "",
            wish["game"],
            variant,
            seed,
            pace,
            int(time.time()),
            seats,
            "",
            seal=seal,
            dice=dice,
            host=host,
        )
        record = await self.house.open(table)
        note("table_created", table=record.code, game=wish["game"], seats=len(seats), client=client)
        return _created(record, tokens)

    async def look_at(self, text: str, client: str, say: Say) -> Looked:
        """Replay a transcript in a worker; a finished game becomes a table at which nobody sits, the same one for the same text."""
        told = await self._retold(text, client)
        judged: tuple[bool, str] | None = await self.house.computers.work(
            judge_sent, text, say.language
        )
        key = hashlib.sha256(text.encode()).digest()
        code = self.looked_at.get(key)
        if told.over and code is None:
            seats = [self._seat_of(player) for player in told.names]
            record = self._taken_over(told, len(told.played.moves), seats)
            code = self.looked_at[key] = (
                await self.house.open(replace(record, finished=True))
            ).code
            if len(self.looked_at) > REMEMBERED:
                del self.looked_at[next(iter(self.looked_at))]
            note("transcript_kept", table=code, game=told.played.game, client=client)
        return {
            "game": told.played.game,
            "players": [player.partition(":")[0] for player in told.names],
            "moves": len(told.played.moves),
            "to_act": told.to_act,
            "over": told.over,
            "table": code,
            "dice": {"ok": judged[0], "words": judged[1]} if judged else None,
        }

    def _seat_of(self, player: str) -> SeatRecord:
        """A seat of a game that is over, by what its transcript calls who played there."""
        name, _, level = player.partition(":")
        if level in self.house.computers.levels:
            return SeatRecord("", level)
        return SeatRecord(names.presentable(name), key=codes.token_key(codes.new_token()))

    async def look_again(self, token: str, game: str, client: str, say: Say) -> str:
        """Return the table of a game of somebody's history, opened from its text if there is none."""
        code = await self.people.table_of(token, game)
        if not code:
            code = (await self.look_at(await self.people.transcript(token, game), client, say))[
                "table"
            ] or ""
            await self.people.look_back_at(token, game, code)
        return code

    async def play_on(self, wish: PlayOn, client: str) -> TableCreated:
        """Open a table where a game goes on after some of its moves."""
        told = await self._retold(wish["transcript"], client)
        at, made = wish["at"], len(told.played.moves)
        if at > made or (at == made and told.over):
            raise RefusalError("no_such_moment")
        seats, tokens = self._seats(told.played.game, wish["seats"])
        if len(seats) != told.played.players:
            raise RefusalError("bad_seats", least=told.played.players, most=told.played.players)
        record = self._taken_over(told, at, seats)
        script = told.script if wish["same_dice"] else ""
        host = seats[min(tokens)].key if tokens else None
        opened = await self.house.open(
            replace(record, script=script, pace=wish.get("pace", DEFAULT_PACE), host=host)
        )
        note(
            "table_created",
            table=opened.code,
            game=opened.game,
            seats=len(seats),
            client=client,
            moves=at,
        )
        return _created(opened, tokens)

    async def _retold(self, text: str, client: str) -> Retold:
        self.house.charge(client, limits.COST_OF_REPLAY)
        if not self.new_tables.take(client):
            raise RefusalError("too_fast")
        try:
            told: Retold = await self.house.computers.work(retell, text)
        except NotReplayable as error:
            raise refused_text(error) from None
        return told

    def _taken_over(self, told: Retold, at: int, seats: list[SeatRecord]) -> TableRecord:
        now, played = int(time.time()), told.played
        moves = zip(played.moves[:at], told.texts[:at], strict=True)
        events = [Event(seat, text, now, number) for (seat, number), text in moves]
        return TableRecord(
            "",
            played.game,
            played.variant,
            None,
            DEFAULT_PACE,
            now,
            seats,
            "",
            origin="transcript",
            events=events,
        )

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
            self.tables = {
                code: table for code, table in self.tables.items() if table.idle_for < FORGET_AFTER
            }

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
            used = {code: table for code, table in self.tables.items() if table.in_use}
            for table in used.values():
                table.tell_others()
            await self._look_for_missed(used)

    async def _look_for_missed(self, tables: Mapping[str, Table]) -> None:
        with suppress(StoreAway):
            lengths = await self.store.lengths(list(tables))
            for code, table in tables.items():
                if lengths.get(code, 0) > table.master.seq:
                    self._catch_up(table)
                else:
                    table.wake()

    def heard(self, text: str) -> None:
        """Another process has announced something about a table."""
        message = decode(text)
        table = self.tables.get(message["table"])
        if table is None or message["from"] == self.house.process:
            return
        if "seats" in message:
            current = table.others_are_here(
                message["from"], message["seq"], message["seats"], message["spectators"]
            )
        else:
            current = "events" in message and table.follow(
                message["seq"], [Event(*event) for event in message["events"]]
            )
        if not current:
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

    def _seats(
        self, game: str, wishes: Sequence[SeatWish]
    ) -> tuple[list[SeatRecord], dict[int, str]]:
        """Return the seats of a new table, and the tokens of those that are the creator's."""
        allowed = games.find(game).players
        if len(wishes) not in allowed or all(seat["kind"] == "computer" for seat in wishes):
            raise RefusalError("bad_seats", least=allowed[0], most=allowed[-1])
        seats: list[SeatRecord] = []
        tokens: dict[int, str] = {}
        for number, seat in enumerate(wishes):
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


def _created(record: TableRecord, tokens: Mapping[int, str]) -> TableCreated:
    keys: list[SeatKey] = [{"seat": seat, "token": token} for seat, token in tokens.items()]
    return {
        "table": record.code,
        "link": render.invitation(record),
        "seats": keys,
        "sealing": render.sealing(sealed_dice(record)),
    }
