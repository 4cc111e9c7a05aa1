"""All tables of a process: open, find, join and forget them."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from foxclover.core.position_text import is_position
from foxclover.dice.fair import DICE, new_root
from foxclover.locale import LANGUAGES, Translator
from foxclover.review.transcripts import NotReplayable, ReplayedTranscript, replay_transcript
from foxclover.server import games
from foxclover.server.confirmed_time import CLOCK
from foxclover.server.connection import Connection
from foxclover.server.context import ServerContext
from foxclover.server.daily.challenge import Challenge, last_closed
from foxclover.server.errors import RefusalError, refused_text, require
from foxclover.server.limits import rate_limits as limits
from foxclover.server.limits.rate_limits import Buckets
from foxclover.server.logs import log_event, log_exception
from foxclover.server.notify.calls import CallBook
from foxclover.server.notify.webhooks import WebhookBook
from foxclover.server.people.deletion import forget, tidy
from foxclover.server.people.finished_games import digest
from foxclover.server.people.history import History
from foxclover.server.people.people import People
from foxclover.server.people.puzzle_results import PuzzleResults
from foxclover.server.protocol import decode, identifiers, validate
from foxclover.server.protocol.messages import PROTOCOL, ClientMessage
from foxclover.server.protocol.reviews import Looked
from foxclover.server.protocol.tables import (
    CreateTable,
    GamesAnswer,
    JoinTable,
    PlayOn,
    SeatWish,
    TableCreated,
    TableJoined,
)
from foxclover.server.stores.sql import insert
from foxclover.server.stores.store import POSITION, Event, SeatRecord, StoreAway, TableRecord
from foxclover.server.tables import computers, render, seating
from foxclover.server.tables.dice import TYPED_DICE, fair_dice
from foxclover.server.tables.looking_back import Reviews, last_moment
from foxclover.server.tables.master import Master
from foxclover.server.tables.seating import REPEAT, Attendance
from foxclover.server.tables.table import Table
from foxclover.transcripts.dice_check import check_sent_dice

FORGET_AFTER = 600.0  # seconds without any connection to a table
LOOK_EVERY = 60.0
TIDY_EVERY = 6 * 3_600.0
CLOSING_SECONDS = 1.0  # for connections to end when the server stops
DEFAULT_PACE = 900  # milliseconds between the moves of computer players
REMEMBERED = 1_000  # transcripts that were looked at
UNREADABLE = -1  # ref of a message that has none


class Lobby:
    """Find every table, and open new ones."""

    def __init__(self, context: ServerContext, requests: Buckets) -> None:
        self.context = context
        self.store = context.store
        self.limits = context.limits
        self.tables: dict[str, Table] = {}
        self.loading: dict[str, asyncio.Task[Table]] = {}
        self.catching_up: set[asyncio.Task[None]] = set()
        self.new_tables = Buckets(self.limits.tables_per_client, self.limits.table_interval)
        self.messages = Buckets(
            self.limits.messages_per_client, self.limits.client_message_interval
        )
        self.refused = Buckets(self.limits.refusals_per_client, self.limits.refusal_interval)
        self.requests = requests
        # A separate limit, so that a busy address can still be monitored.
        self.health_checks = Buckets(self.limits.requests_per_client, self.limits.request_interval)
        self.looked_at: dict[bytes, str] = {}  # table of a transcript, by the hash of its text
        self.reviews = Reviews(context)
        self.people = People(context)
        self.calls = CallBook(context, self.people)
        self.webhooks = WebhookBook(context, self.people, self.calls.calls)
        self.history = History(context, self.people, self.reviews, self.calls.exported)
        self.challenge = Challenge(context, self.people, self.history, self.reviews)
        self.puzzles = PuzzleResults(context, self.people)

    def games(self) -> GamesAnswer:
        """Return what can be played here."""
        return {
            "protocol": PROTOCOL,
            "games": games.infos(),
            "levels": self.context.computers.strengths,
            "languages": list(LANGUAGES),
        }

    async def create(self, request: CreateTable, client: str) -> TableCreated:
        """Open a table."""
        options = request.get("options", {})
        seats, tokens = self._seats(request["game"], request["seats"])
        variant = games.pack_options(request["game"], options, len(seats))
        self.new_tables.expect(client)
        pace, seed = request.get("pace", DEFAULT_PACE), options.get("seed")
        record = replace(
            _new_record(request["game"], variant, seats, tokens, pace),
            seed=seed,
            days=request.get("days", 0),
        )
        if options.get("typed_dice", False):
            require(seed is None, "bad_message", what="seed")
            record = replace(record, dice=TYPED_DICE)
        elif seed is None:
            record = replace(record, dice=DICE, seal=new_root())
        return await self._open(record, tokens, client)

    async def _open(
        self, record: TableRecord, tokens: Mapping[int, str], client: str, **fields: object
    ) -> TableCreated:
        opened = await self.context.open(record)
        log_event(
            "table_created",
            table=opened.code,
            game=opened.game,
            seats=len(opened.seats),
            client=client,
            **fields,
        )
        return {
            "table": opened.code,
            "link": render.invitation(opened),
            "seats": [{"seat": seat, "token": token} for seat, token in tokens.items()],
            "sealing": render.sealing(fair_dice(opened)),
        }

    async def look_at(self, text: str, client: str, translate: Translator) -> Looked:
        """Replay a transcript, or set up a position, in a worker process.

        A finished game becomes a table without players; the same text leads to the same table.
        """
        replayed = await self._replay(text, client)
        played = replayed.played
        for player in replayed.names:
            self.context.names.expect(player.partition(":")[0])
        check = None
        if not is_position(text):
            check = await self.context.computers.work(check_sent_dice, text, translate.language)
        key = hashlib.sha256(text.encode()).digest()
        code = self.looked_at.get(key)
        moment = None
        if not replayed.over or not played.moves:
            moment = await self.context.computers.work(last_moment, played, translate.language)
        elif code is None:
            seats = [self._seat_of(player) for player in replayed.names]
            record = replace(_taken_over(replayed, len(played.moves), seats), finished=True)
            opened = await self.context.open(record)
            code = self.looked_at[key] = opened.code
            if self.store.keeps_people:  # deleted players lose their names in copies, too
                await self.store.query(
                    insert("copies", "code, digest"),
                    code,
                    digest(played.game, record.variant, played.players, played.moves, record.start),
                )
            if len(self.looked_at) > REMEMBERED:
                del self.looked_at[next(iter(self.looked_at))]
            log_event("transcript_kept", table=code, game=played.game, client=client)
        return {
            "game": played.game,
            "players": [player.partition(":")[0] for player in replayed.names],
            "moves": len(played.moves),
            "to_act": replayed.to_act,
            "over": replayed.over,
            "table": code,
            "moment": moment,
            "dice": {"ok": check[0], "words": check[1]} if check else None,
        }

    def _seat_of(self, player: str) -> SeatRecord:
        """Return the seat of a finished game for a player as its transcript names them."""
        name, _, strength = player.partition(":")
        if strength in self.context.computers.strengths:
            return SeatRecord("", strength)
        return SeatRecord(
            identifiers.presentable(name), key=identifiers.token_key(identifiers.new_token())
        )

    async def look_again(self, token: str, game: str, client: str, translate: Translator) -> str:
        """Return the table of a game in a person's history; open it from its text if needed."""
        code = await self.history.table_of(token, game)
        if not code:
            text = await self.history.transcript(token, game)
            code = (await self.look_at(text, client, translate))["table"] or ""
            await self.history.look_back_at(token, game, code)
        return code

    async def forget(self, token: str, client: str) -> None:
        """Delete everything about a person, and the name at every table; repeating is harmless."""
        known = await self.people.known(token)
        if known is not None:
            await self.forget_person(known.person, identifiers.token_key(token), client)

    async def forget_person(self, person: str, device: bytes, client: str) -> None:
        """Delete everything about a person, found by the hash of a device's secret."""
        # The history shows which tables are copies of the person's games.
        await self.history.complete(person)
        changed, gone = await self.store.transact(
            lambda: forget(device, client, time.time()), erase=True
        )
        self.tables_changed(changed)
        self._drop(gone)

    def tables_changed(self, codes: Sequence[str]) -> None:
        """Read tables again whose record was changed or removed, here and in other processes."""
        for code in codes:
            self.context.announce(code)
            if code in self.tables:
                self._catch_up(self.tables[code])

    def _drop(self, gone: Sequence[str]) -> None:
        """Close all connections to tables that were deleted."""
        for code in gone:
            if code in self.tables:
                for connection in self.tables.pop(code).presence.connections:
                    connection.close(RefusalError("no_such_table"))

    async def tidy_up(self) -> None:
        """Delete what belongs to nobody any more, again and again."""
        while True:
            with suppress(StoreAway):
                now = CLOCK.now()
                self._drop(await self.store.transact(partial(tidy, now, last_closed(now))))
            await asyncio.sleep(TIDY_EVERY)

    async def play_on(self, request: PlayOn, client: str) -> TableCreated:
        """Open a table where a game continues after some of its moves, or from a position."""
        replayed = await self._replay(request["transcript"], client)
        played, at = replayed.played, request["at"]
        if at > len(played.moves) or (at == len(played.moves) and replayed.over):
            raise RefusalError("no_such_moment")
        seats, tokens = self._seats(played.game, request["seats"])
        require(
            len(seats) == played.players, "bad_seats", least=played.players, most=played.players
        )
        record = replace(
            _taken_over(replayed, at, seats, tokens, request.get("pace", DEFAULT_PACE)),
            script=replayed.script if request["same_dice"] else "",
        )
        master = Master(record)
        master.settle()  # draw a card or break a tie that is due at this moment
        return await self._open(replace(record, events=master.log.events), tokens, client, moves=at)

    async def _replay(self, text: str, client: str) -> ReplayedTranscript:
        self.context.charge(client, limits.COST_OF_REPLAY)
        self.new_tables.expect(client)
        try:
            return await self.context.computers.work(replay_transcript, text)
        except NotReplayable as error:
            raise refused_text(error) from None

    async def join(self, code: str, request: JoinTable) -> TableJoined:
        """Take an open seat."""
        table = await self.table(code)
        seat, token = await seating.join(table, request)
        log_event("seat_taken", table=table.record.code, seat=seat)
        return {"table": table.record.code, "seat": seat, "token": token}

    async def table(self, code: str, client: str = "") -> Table:
        """Return a table; loading it from the store is charged to ``client``."""
        code = code.lower()
        table = self.tables.get(code)
        if table is None:
            require(identifiers.is_code(code), "no_such_table")
            if code not in self.loading:
                if client:
                    self.context.charge(client, limits.COST_OF_LOADING)
                self.loading[code] = asyncio.get_running_loop().create_task(self._load(code))
                self.loading[code].add_done_callback(lambda done: self._loaded(code, done))
            table = await asyncio.shield(self.loading[code])
        table.touched = time.monotonic()
        return table

    async def forget_idle_tables(self) -> None:
        """Forget idle tables, again and again; the store keeps them."""
        while True:
            await asyncio.sleep(LOOK_EVERY)
            self.tables = {
                code: table for code, table in self.tables.items() if table.idle_for < FORGET_AFTER
            }

    async def close(self) -> None:
        """Close all connections with the reason, and wait a little for that."""
        for table in self.tables.values():
            for connection in table.presence.connections:
                connection.close(RefusalError("stopping"))
        deadline = time.monotonic() + CLOSING_SECONDS
        while self.context.connections.total and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    async def receive(self, connection: Connection, table: Table, text: str | None) -> None:
        """Handle one message of a connection; a refused message has changed nothing."""
        started = time.perf_counter()
        ref, metrics = UNREADABLE, self.context.metrics
        in_time = connection.bucket.take() and self.messages.take(connection.client)
        try:
            value = self._read(text)
            ref = validate.ref_of(value, UNREADABLE)
            require(in_time, "too_fast")
            await table.receive(connection, validate.shaped(ClientMessage, value))
        except RefusalError as problem:
            # A message that is too fast counts as such, even if something else is wrong with it.
            refusal = problem if in_time else RefusalError("too_fast")
            metrics.count_refusal(refusal.reason)
            connection.refuse(refusal, ref, table.seq_for(connection))
            if refusal.reason == "too_fast":
                connection.refusals += 1
                if connection.refusals > self.limits.refusals or not self.refused.take(
                    connection.client
                ):
                    raise refusal from None
            elif refusal.reason == "too_many":
                raise
        except Exception:
            log_exception("message_failed", table=table.record.code)
            connection.refuse(RefusalError("internal"), ref, table.seq_for(connection))
        metrics.observe_message(time.perf_counter() - started)

    def _read(self, text: str | None) -> Any:
        if text is None:
            raise RefusalError("bad_message", what="bytes")
        most = self.limits.message
        if len(text) > most or (
            not text.isascii() and len(text.encode(errors="surrogatepass")) > most
        ):
            raise RefusalError("too_long")
        return validate.decode(text)

    # --- other processes

    async def stay_in_touch(self) -> None:
        """Follow other processes until stopped: listen, announce presence, find missed events."""
        if not self.store.shared:
            return
        await self.store.listen(self.heard, self.lost, self.reconnected)
        while True:
            await asyncio.sleep(REPEAT)
            used = {code: table for code, table in self.tables.items() if table.in_use}
            for table in used.values():
                table.announce_presence()
            with suppress(StoreAway):
                lengths = await self.store.lengths(list(used))
                for code, table in used.items():
                    if lengths.get(code, 0) > table.master.seq:
                        self._catch_up(table)
                    else:
                        computers.wake(table)

    def heard(self, text: str) -> None:
        """Handle what another process has announced about a table."""
        message = decode(text)
        table = self.tables.get(message["table"])
        if table is None or message["from"] == self.context.process:
            return
        if "seats" in message:
            there = Attendance(
                frozenset(message["seats"]),
                message["spectators"],
                tuple(message.get("watchers", ())),
            )
            current = table.presence_announced(message["from"], message["seq"], there)
        elif "reaction" in message:
            seating.show_reaction(table, message["seat"], message["reaction"])
            current = True
        else:
            current = "events" in message and table.follow(
                message["seq"], [Event(*event) for event in message["events"]]
            )
        if not current:
            self._catch_up(table)

    def lost(self) -> None:
        """Send to all connections that the store cannot be reached."""
        for table in self.tables.values():
            for connection in table.presence.connections:
                connection.refuse(RefusalError("store_away"), -1, table.seq_for(connection))

    def reconnected(self) -> None:
        """Catch up after the store was away: other processes, or we, may have written something."""
        for table in self.tables.values():
            table.uncertain = True
            self._catch_up(table)

    def _catch_up(self, table: Table) -> None:
        async def work() -> None:
            try:
                await table.catch_up()
            except RefusalError as refusal:
                log_event("not_caught_up", table=table.record.code, reason=refusal.reason)
                if refusal.reason == "no_such_table":
                    self._drop([table.record.code])
            except Exception:
                log_exception("not_caught_up", table=table.record.code)

        task = asyncio.get_running_loop().create_task(work())
        self.catching_up.add(task)
        task.add_done_callback(self.catching_up.discard)

    # --- finding and opening

    def _seats(
        self, game: str, wanted: Sequence[SeatWish]
    ) -> tuple[list[SeatRecord], dict[int, str]]:
        """Return the seats of a new table, and the tokens of the creator's own seats."""
        allowed = games.find(game).players
        require(
            len(wanted) in allowed and any(seat["kind"] != "computer" for seat in wanted),
            "bad_seats",
            least=allowed[0],
            most=allowed[-1],
        )
        seats: list[SeatRecord] = []
        tokens: dict[int, str] = {}
        for number, seat in enumerate(wanted):
            name = seat.get("name", "")
            if seat["kind"] == "computer":
                require("level" in seat, "bad_message", what="level")
                require(seat["level"] in self.context.computers.strengths, "unknown_level")
                seats.append(SeatRecord(name, seat["level"]))
            elif seat["kind"] == "friend":
                seats.append(SeatRecord(name))
            else:
                tokens[number] = identifiers.new_token()
                seats.append(SeatRecord(name, key=identifiers.token_key(tokens[number])))
        return seats, tokens

    async def _load(self, code: str) -> Table:
        try:
            record = await self.store.load(code)
        except StoreAway as error:
            raise RefusalError("store_away") from error
        if record is None:
            raise RefusalError("no_such_table")
        for strength in {seat.strength for seat in record.seats if seat.computer}:
            self.context.computers.prepare(strength, record.game)
        async with self.context.slow_lane():
            return Table(record, self.context, self.reviews)

    def _loaded(self, code: str, done: asyncio.Task[Table]) -> None:
        del self.loading[code]
        if not done.cancelled() and done.exception() is None:
            self.tables[code] = done.result()


def _new_record(
    game: str, variant: int, seats: Sequence[SeatRecord], tokens: Mapping[int, str], pace: int
) -> TableRecord:
    """Return a new table without a code; the holder of the first token is its host."""
    host = seats[min(tokens)].key if tokens else None
    return TableRecord("", game, variant, None, pace, int(time.time()), seats, "", host=host)


def _taken_over(
    replayed: ReplayedTranscript,
    at: int,
    seats: Sequence[SeatRecord],
    tokens: Mapping[int, str] | None = None,
    pace: int = DEFAULT_PACE,
) -> TableRecord:
    played = replayed.played
    variant = games.find(played.game).pack(played.setup)
    record = _new_record(played.game, variant, seats, tokens or {}, pace)
    events = [
        Event(seat, text, record.created, number)
        for (seat, number), text in zip(played.moves[:at], replayed.texts[:at], strict=True)
    ]
    start = played.setup.position
    return replace(record, origin=f"{POSITION} {start}" if start else "transcript", events=events)
