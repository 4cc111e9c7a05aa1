"""The seats of a table: who holds them, who is there, and who may change what."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from foxclover.dice.fair import DICE, new_root
from foxclover.server import games, network
from foxclover.server.connection import Connection
from foxclover.server.context import ServerContext
from foxclover.server.errors import RefusalError, require
from foxclover.server.limits import rate_limits as limits
from foxclover.server.logs import log_event
from foxclover.server.protocol.identifiers import (
    new_code,
    new_invitation,
    new_token,
    same,
    token_key,
)
from foxclover.server.protocol.messages import (
    PROTOCOL,
    AskInvitation,
    ChangeSeat,
    Hello,
    InvitationMessage,
    NameWatcher,
    React,
    Reaction,
    SetNetwork,
)
from foxclover.server.protocol.tables import JoinTable
from foxclover.server.stores.store import SeatRecord, StoreAway, TableRecord
from foxclover.server.tables import computers, render
from foxclover.server.tables.dice import TYPED_DICE
from foxclover.server.tables.game_log import GameLog
from foxclover.server.tables.master import Master

if TYPE_CHECKING:
    from foxclover.server.tables.table import Table

FREE = SeatRecord("")
LONG_AWAY = 60.0  # seconds for which an absent player keeps the seat
REPEAT = 10.0  # seconds between two announcements of the same presence
FORGET = 30.0  # seconds after which an announcement is too old


class Attendance(NamedTuple):
    """Who is connected to one process, or to several."""

    seats: frozenset[int]
    spectators: int
    watchers: tuple[str, ...]  # names of the spectators who show theirs


NOBODY = Attendance(frozenset(), 0, ())


class Presence:
    """Who is at a table: connections of this process, and what other processes announce."""

    def __init__(self) -> None:
        self.connections: set[Connection] = set()
        self.left: dict[int, int] = {}  # when absent seats were seen to leave
        self._others: dict[str, tuple[float, Attendance]] = {}
        self._were_here: frozenset[int] = frozenset()  # seats, at the last look
        self._opened = int(time.time())  # in this process

    @property
    def age(self) -> float:
        """Return the seconds for which this process has known the table."""
        return time.time() - self._opened

    def here(self) -> Attendance:
        """Return who is connected to this process."""
        watching = [connection for connection in self.connections if not connection.seats]
        return Attendance(
            frozenset(seat for connection in self.connections for seat in connection.seats),
            len(watching),
            tuple(connection.name for connection in watching if connection.name),
        )

    def announced(self, process: str, there: Attendance) -> bool:
        """Keep what another process announces; return whether it changes anything."""
        before = self.everywhere()
        self._others[process] = (time.monotonic(), there)
        return self.everywhere() != before

    def others(self) -> Collection[str]:
        """Return the processes that have connections to this table."""
        self._forget()
        return self._others.keys()

    def _forget(self) -> None:
        oldest = time.monotonic() - FORGET
        self._others = {name: seen for name, seen in self._others.items() if seen[0] > oldest}

    def everywhere(self) -> Attendance:
        """Return who is connected to any process."""
        self._forget()
        seats, spectators, watchers = zip(
            self.here(), *(there for _, there in self._others.values()), strict=True
        )
        return Attendance(
            frozenset().union(*seats), sum(spectators), tuple(sorted(chain(*watchers)))
        )

    def absent(self, record: TableRecord, log: GameLog) -> dict[int, int]:
        """Return the seats of persons who are not connected, and since when."""
        here = self.everywhere().seats
        self.left |= dict.fromkeys(self._were_here - here, int(time.time()))
        self._were_here = here
        return {
            number: self.left.get(number) or log.last_at(number, record.created)
            for number, seat in enumerate(record.seats)
            if seat.key is not None and number not in here
        }

    def away(self, record: TableRecord, log: GameLog) -> dict[int, float]:
        """Return the seats of absent persons, and for how many seconds this process has seen it."""
        return {
            number: time.time() - max(since, self._opened)
            for number, since in self.absent(record, log).items()
        }

    def release(self, seat: int) -> None:
        """Take a seat from the connections that held it."""
        for connection in self.connections:
            connection.seats = tuple(held for held in connection.seats if held != seat)


async def keys_of(table: Table, tokens: Sequence[str]) -> set[bytes]:
    """Return the keys that tokens open seats with.

    A token belongs to a seat, or to a device: each device of a person opens the seats that another
    one has claimed.
    """
    keys = {token_key(token) for token in tokens}
    others = [*keys - {seat.key for seat in table.record.seats}]
    if others and table.store.keeps_people:
        marks = ", ".join("?" for _ in others)
        try:
            claimed = await table.store.query(
                "SELECT s.key FROM sittings s JOIN devices d ON d.person = s.person"
                f" WHERE s.code = ? AND d.key IN ({marks})",
                *(table.record.code, *others),
            )
        except StoreAway as error:
            raise RefusalError("store_away") from error
        keys |= {bytes(key) for (key,) in claimed}
    return keys


def hello(table: Table, connection: Connection, message: Hello, held: set[bytes]) -> None:
    """Give a connection the seats of its keys, or none to a spectator, and send it the table."""
    connection.language = message["language"]
    require(message["protocol"] == PROTOCOL, "old_page")
    keys = [seat.key for seat in table.record.seats]
    seats = tuple(number for number, key in enumerate(keys) if key in held)
    require(seats or not held, "unknown_token")
    log = table.master.log
    log_from = log.known_from(log.seq_meant(table.master.playing(seats), message["seq"]))
    if seats:
        _make_room(table, connection, seats)
    else:
        _admit_spectator(table, connection, log_from)
    connection.seats = seats
    connection.greeted = True
    table.presence.connections.add(connection)
    render.show(table, connection, log_from)
    table.presence_changed(but=connection)


def name_watcher(table: Table, connection: Connection, message: NameWatcher) -> None:
    """Show a spectator's name, or hide it."""
    require(not connection.seats, "bad_message", what="watch")
    require(connection.social.take(), "too_fast")
    table.context.names.check(message)
    connection.name = message["name"]
    render.acknowledge(table, connection, message["ref"])
    table.presence_changed()


def react(table: Table, connection: Connection, message: React) -> None:
    """Show a reaction to everybody, here and at other processes."""
    table.expect_player(connection, message["seat"])
    require(connection.social.take(), "too_fast")
    render.acknowledge(table, connection, message["ref"])
    seat, reaction = message["seat"], message["reaction"]
    show_reaction(table, seat, reaction)
    table.context.announce(table.record.code, seat=seat, reaction=reaction)


def show_reaction(table: Table, seat: int, reaction: Reaction) -> None:
    """Show a reaction to everybody who is connected to this process."""
    render.send_all(table, {"type": "reaction", "seat": seat, "reaction": reaction})


def _make_room(table: Table, connection: Connection, seats: tuple[int, ...]) -> None:
    """Close another connection of the same seats if there are too many."""
    table.context.connections.seated(connection)
    alike = [
        other
        for other in table.presence.connections
        if other is not connection and set(other.seats) & set(seats)
    ]
    if len(alike) >= table.context.limits.connections_per_seat:
        alike[0].close(RefusalError("too_many"))
        table.leave(alike[0])


def _admit_spectator(table: Table, connection: Connection, log_from: int) -> None:
    require(not table.master.hidden, "daily_hidden")
    watching = [other for other in table.presence.connections - {connection} if not other.seats]
    require(len(watching) < table.context.limits.watchers_per_table, "too_many")
    charge_log(table, connection, (), log_from)


def charge_log(table: Table, connection: Connection, seats: tuple[int, ...], log_from: int) -> None:
    """Charge a client for the lines of the log that these seats are shown."""
    lines = len(table.master.shown(table.master.playing(seats)).lines) - log_from
    table.context.charge(
        connection.client, limits.COST_OF_HELLO + lines / limits.LINES_A_MILLISECOND
    )


def expect_seat(connection: Connection) -> None:
    """Refuse a connection that holds no seat."""
    require(connection.seats, "not_your_seat")


async def join(table: Table, request: JoinTable) -> tuple[int, str]:
    """Give an open seat to an invited person; return it with its token."""
    async with table.lock:
        await table.be_certain()
        require(same(request["invitation"], table.record.invitation), "bad_invitation")
        token = request.get("token") or new_token()
        key = token_key(token)
        for number, seat in enumerate(table.record.seats):
            if seat.key == key:
                return number, token  # the answer to the same request was lost
        require(not table.master.over, "game_over")
        while True:
            open_seats = {
                number: seat for number, seat in enumerate(table.record.seats) if seat.open
            }
            require(open_seats, "table_full")
            wanted = request.get("seat", min(open_seats))
            require(wanted in open_seats, "seat_taken")
            taken = replace(open_seats[wanted], name=request.get("name", ""), key=key)
            if await table.set_seat(wanted, taken):
                return wanted, token


async def change_seat(table: Table, connection: Connection, message: ChangeSeat) -> None:
    """Change who plays a seat, if the connection may."""
    number, players = message["seat"], table.context.computers
    require(not table.record.day, "daily_alone")
    require(not table.master.over, "game_over")
    while True:
        away = table.presence.away(table.record, table.master.log)
        after = seat_after(table.master, connection.seats, away, message, players.strengths)
        if after.computer:
            players.prepare(after.strength, table.record.game)
        if await table.set_seat(number, after):
            break
    log_event("seat_changed", table=table.record.code, seat=number, change=message["change"])
    render.acknowledge(table, connection, message["ref"])
    table.presence_changed()
    computers.wake(table)


def seat_after(
    master: Master,
    held: Collection[int],
    away: Mapping[int, float],
    request: ChangeSeat,
    strengths: Collection[str],
) -> SeatRecord:
    """Return a seat after a change, or refuse it.

    The holder of the seats ``held`` asks for it, while some seats are ``away`` for some seconds.
    """
    number, change = request["seat"], request["change"]
    require(number < master.players, "bad_message", what="seat")
    seat, mine = master.record.seats[number], number in held
    if change in ("leave", "return"):
        require(mine, "not_your_seat")
        return FREE if change == "leave" else replace(seat, strength="")
    require(master.is_host(held) or (mine and change == "replace"), "not_host")
    if change == "replace":
        require("level" in request, "bad_message", what="level")
        require(request["level"] in strengths, "unknown_level")
        return replace(seat, strength=request["level"])
    if seat.key is not None and not mine:
        require(number in away, "still_here")
        require(away[number] >= LONG_AWAY, "just_left")
    return FREE


async def open_rematch(context: ServerContext, record: TableRecord, first: int) -> str:
    """Open a table for the same people and options; the seat after the ``first`` starts.

    A practice seed is not used again, since its dice are known.
    """
    typed = record.dice == TYPED_DICE
    successor = replace(
        record,
        seats=[*record.seats[first + 1 :], *record.seats[: first + 1]],
        variant=games.drop_start_player(record.game, record.variant),
        seed=None,
        seal=None if typed else new_root(),
        dice=record.dice if typed else DICE,
        created=int(time.time()),
        rematch=None,
        finished=False,
        origin="",
        script="",
    )
    while True:
        named = replace(successor, code=new_code(), invitation=new_invitation())
        code = await context.store.open_rematch(record.code, named)
        if code is not None:
            log_event("rematch", table=record.code, successor=code)
            return code


async def send_invitation(
    table: Table, connection: Connection, message: AskInvitation | SetNetwork
) -> None:
    """Send the links for friends to a connection that holds a seat."""
    expect_seat(connection)
    path = render.invitation(table.record)
    local = table.context.network if connection.here else None
    if local is not None and not local.is_open:
        local.shut()  # the machine may have moved to another network, with another address
    invitation: InvitationMessage = {
        "type": "invitation",
        "ref": message["ref"],
        "path": path,
        "links": [
            {"link": link, "qr": network.qr_svg(link)}
            for link in table.context.public_urls.links(path, connection.address)
        ],
        "network": None if local is None else "open" if local.is_open else "shut",
    }
    connection.send(invitation)


async def set_network(table: Table, connection: Connection, message: SetNetwork) -> None:
    """Open or close the server to its network, for a player at the server's machine."""
    local = table.context.network
    if local is None or not connection.here:
        raise RefusalError("not_here")
    expect_seat(connection)
    if message["open"]:
        await local.open()
    else:
        local.shut()
    await send_invitation(table, connection, message)
