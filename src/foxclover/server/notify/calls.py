"""Who wants to be called to which table: a browser's subscription, and its tables.

A row of ``calls`` is also the queue of the sender: ``due`` is when to look at it next.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any, NamedTuple

from foxclover.locale import catalogue
from foxclover.server import games
from foxclover.server.context import ServerContext
from foxclover.server.errors import RefusalError, require
from foxclover.server.notify.shared_limits import SharedBuckets, stored_secret
from foxclover.server.notify.webhooks import (
    AT_A_TABLE,
    NO_TURN,
    exported,
    remove_webhook,
    webhooks_of,
)
from foxclover.server.people.people import People
from foxclover.server.protocol.calls import CallMe, Calls, CallSettings
from foxclover.server.protocol.identifiers import token_key
from foxclover.server.protocol.people import ExportedCalls
from foxclover.server.stores.sql import insert
from foxclover.server.stores.store import Rows, Steps
from foxclover.server.tables.render import seats as seat_infos
from foxclover.server.tables.seating import keys_of
from foxclover.server.tables.table import Table

SECRET = "vapid"  # name of the server's private key
OF_A_DEVICE = 200
OF_A_PERSON = 10  # devices that are called
NEW_CALLS, NEW_CALL_SECONDS = 60, 10.0  # of an address
QUIET: CallSettings = {"remind": 24, "quiet_from": 22 * 60, "quiet_until": 8 * 60, "offset": 0}
"""The settings of a device that has none."""
MINUTES_OF_DAY = 1_440
_TARGET = "id, person, device, endpoint, public, auth, language, created"
_SETTINGS = ("remind", "quiet_from", "quiet_until", "offset")
_COLUMNS = ("remind", "quiet_from", "quiet_until", "utc_offset")


class Device(NamedTuple):
    """A subscription of a browser."""

    endpoint: str
    public: bytes
    auth: bytes
    language: str
    remind: int  # hours, 0 for never
    quiet_from: int  # minute of the day; equal to ``quiet_until`` for no quiet hours
    quiet_until: int
    utc_offset: int  # minutes
    failures: int
    retry_at: int


class CallBook:
    """Requests of a device about its calls."""

    def __init__(self, context: ServerContext, people: People) -> None:
        self.context = context
        self.rows: Rows = context.store
        self.people = people
        self.new = SharedBuckets(self.rows, "calls", NEW_CALLS, NEW_CALL_SECONDS)
        self._key: bytes | None = None

    async def key(self) -> bytes:
        """Return the server's private key, created on first use, once for all processes."""
        from foxclover.server.notify.web_push import new_private_key

        if self._key is None:
            self._key = await stored_secret(self.rows, SECRET, new_private_key)
        return self._key

    async def calls(self, token: str) -> Calls:
        """Return the calls of a device, and the key that its browser needs to subscribe."""
        if self.context.outgoing is None:
            return {"key": "", "tables": [], "settings": QUIET, "webhooks": []}
        from foxclover.server.notify.web_push import base64url, public_key

        found = await self.rows.query(
            f"SELECT id, {', '.join(_COLUMNS)} FROM push_devices WHERE device = ?", token_key(token)
        )
        tables: list[tuple[Any, ...]] = []
        settings = QUIET
        if found:
            tables = await self.rows.query(
                "SELECT DISTINCT code FROM calls WHERE target = ? ORDER BY code", found[0][0]
            )
            remind, quiet_from, quiet_until, offset = found[0][1:]
            settings = {
                "remind": remind,
                "quiet_from": quiet_from,
                "quiet_until": quiet_until,
                "offset": offset,
            }
        known = await self.people.known(token)
        return {
            "key": base64url(public_key(await self.key())),
            "tables": [code for (code,) in tables],
            "settings": settings,
            "webhooks": await webhooks_of(self.rows, known.person) if known else [],
        }

    async def add(self, table: Table, request: CallMe, client: str, language: str) -> Calls:
        """Call a device whenever a table waits for one of its seats."""
        from foxclover.server.notify.web_push import AUTH_BYTES, from_base64url, is_point

        outgoing = self.context.outgoing
        if outgoing is None:
            raise RefusalError("no_notices")
        endpoint = request["endpoint"]
        outgoing.expect_push_service(endpoint)
        await self.new.expect(client)
        try:
            public, auth = from_base64url(request["public"]), from_base64url(request["auth"])
        except ValueError:
            raise RefusalError("bad_message", what="public") from None
        require(is_point(public) and len(auth) == AUTH_BYTES, "bad_message", what="public")
        keys = await keys_of(table, request["seats"])
        held = {
            number: seat.key for number, seat in enumerate(table.record.seats) if seat.key in keys
        }
        require(held, "unknown_token")
        require(not table.master.over, "game_over")
        known = await self.people.person_of(request["token"])
        now, device = int(time.time()), token_key(request["token"])
        target = sha256(endpoint.encode()).hexdigest()[:32]
        row = (target, known.person, device, endpoint, public, auth, language, now)
        settings = [request["settings"][name] for name in _SETTINGS]  # type: ignore[literal-required]
        notified = {key: first_notified(table, number) for number, key in held.items()}
        await self.rows.transact(
            partial(_add, row, settings, table.record.code, notified, table.master.seq, now)
        )
        return await self.calls(request["token"])

    async def change(self, token: str, settings: CallSettings) -> Calls:
        """Change when a device is called."""
        marks = ", ".join(f"{column} = ?" for column in _COLUMNS)
        values = [settings[name] for name in _SETTINGS]  # type: ignore[literal-required]
        await self.rows.query(
            f"UPDATE push_devices SET {marks} WHERE device = ?", *values, token_key(token)
        )
        await self.rows.query(
            "UPDATE calls SET due = ? WHERE due > ? AND target IN"
            " (SELECT id FROM push_devices WHERE device = ?)",
            *(int(time.time()), int(time.time()), token_key(token)),
        )
        return await self.calls(token)

    async def stop(self, token: str, table: str | None) -> Calls:
        """Call a device no more, to one table or to all."""
        await self.rows.transact(partial(_stop, token_key(token), table))
        return await self.calls(token)

    async def exported(self, person: str) -> ExportedCalls:
        """Return what is stored about a person's calls, without secrets."""
        devices = await self.rows.query(
            f"SELECT endpoint, created, language, {', '.join(_COLUMNS)} FROM push_devices"
            " WHERE person = ? ORDER BY created",
            person,
        )
        tables = await self.rows.query(
            "SELECT DISTINCT c.code FROM calls c JOIN push_devices d ON d.id = c.target"
            " WHERE d.person = ? ORDER BY c.code",
            person,
        )
        return {
            "devices": [
                {
                    "endpoint": endpoint,
                    "created": created,
                    "language": language,
                    "remind": remind,
                    "quiet_from": quiet_from,
                    "quiet_until": quiet_until,
                    "offset": offset,
                }
                for endpoint, created, language, remind, quiet_from, quiet_until, offset in devices
            ],
            "tables": [code for (code,) in tables],
            "webhooks": await exported(self.rows, person),
        }


def first_notified(table: Table, seat: int) -> int:
    """Return the turn that a new caller knows of: the one that they see, if it is theirs."""
    waits = table.has_begun and seat in table.master.waits_for()
    return table.master.log.turn_of(seat) if waits else NO_TURN


def _add(
    row: tuple[Any, ...],
    settings: Sequence[int],
    code: str,
    notified: Mapping[bytes, int],
    seen: int,
    now: int,
) -> Steps[None]:
    target, person, device, endpoint = row[:4]
    # A browser that subscribed again has a new address.
    old = yield (
        "SELECT id FROM push_devices WHERE device = ? AND endpoint <> ?",
        *(device, endpoint),
    )
    columns = f"{_TARGET}, {', '.join(_COLUMNS)}"
    same = ", ".join(
        f"{column} = excluded.{column}" for column in columns.split(", ") if column != "id"
    )
    marks = ", ".join("?" for _ in (*row, *settings))
    yield (
        f"INSERT INTO push_devices ({columns}) VALUES ({marks}) ON CONFLICT (id) DO UPDATE"
        f" SET {same}, failures = 0, retry_at = 0",
        *row,
        *settings,
    )
    for (former,) in old:
        yield (
            "UPDATE calls SET target = ? WHERE target = ? AND NOT EXISTS (SELECT 1 FROM calls o"
            " WHERE o.code = calls.code AND o.key = calls.key AND o.target = ?)",
            *(target, former, target),
        )
        yield from remove_target(former)
    for key, turn in notified.items():
        yield (
            insert("calls", "code, target, key, seen, notified, notified_at, due"),
            *(code, target, key, seen, turn, now, now),
        )
    for statement, values, most in (
        ("calls WHERE code = ?", (code,), AT_A_TABLE),
        ("calls WHERE target = ?", (target,), OF_A_DEVICE),
        ("push_devices WHERE person = ?", (person,), OF_A_PERSON),
    ):
        ((count,),) = yield f"SELECT count(*) FROM {statement}", *values
        require(count <= most, "too_many_calls")


def _stop(device: bytes, table: str | None) -> Steps[None]:
    found = yield "SELECT id FROM push_devices WHERE device = ?", device
    for (target,) in found:
        if table is not None:
            yield "DELETE FROM calls WHERE target = ? AND code = ?", target, table.lower()
        left = yield "SELECT 1 FROM calls WHERE target = ? LIMIT 1", target
        if table is None or not left:
            yield from remove_target(target)


def remove_target(target: str) -> Steps[None]:
    """Delete a subscription or a webhook, and its calls."""
    yield from remove_webhook(target)
    yield "DELETE FROM push_devices WHERE id = ?", target


def quiet_end(device: Device, now: int) -> int:
    """Return when the quiet hours of a device end, 0 outside of them."""
    start, end = device.quiet_from, device.quiet_until
    minute = (now // 60 + device.utc_offset) % MINUTES_OF_DAY
    length = (end - start) % MINUTES_OF_DAY
    if (minute - start) % MINUTES_OF_DAY >= length:
        return 0
    return now - now % 60 + (end - minute) % MINUTES_OF_DAY * 60


def message(table: Table, seat: int, language: str) -> str:
    """Return what the browser shows: the table, the game and who waits, nothing of the position."""
    translate, master = catalogue(language), table.master
    waits = master.waits_for()
    names = [
        info["name"]
        for info, held in zip(
            seat_infos(table.record.seats, table.absent(), translate),
            table.record.seats,
            strict=True,
        )
        if held.key is not None and info["seat"] != seat and info["seat"] not in waits
    ]
    body = translate("server.notice.turn")
    if names:
        body = translate("server.notice.waiting", count=len(names), names=", ".join(names))
    title = games.find(table.record.game).name
    return json.dumps(
        {"table": table.record.code, "title": title, "body": body}, ensure_ascii=False
    )
