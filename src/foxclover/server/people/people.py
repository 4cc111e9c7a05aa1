"""Identify people without accounts, by devices that know a secret and belong to a person.

The server also stores a person's games (``history``), daily results (``daily.rows``) and puzzle
results (``puzzle_results``), and nothing else. You can link another device to all of it, export it,
and delete it (``deletion``).
Secrets are stored as hashes only.
"""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from typing import Literal

from foxclover.server.context import ServerContext
from foxclover.server.errors import RefusalError, require
from foxclover.server.people import reports
from foxclover.server.protocol.identifiers import new_code, normalize_code, token_key
from foxclover.server.protocol.people import (
    Asking,
    AskingDevices,
    Devices,
    Handover,
    KnownDevice,
    OpenTables,
    Person,
)
from foxclover.server.stores.sql import insert
from foxclover.server.stores.store import Rows, Steps

TAG_LENGTH = 4
ALONG_LENGTH = 8  # letters of the code that links another device
ALONG_SECONDS = 600
MOST_TABLES = 200  # in a list of unfinished games
CHECK_DIGITS = 4  # of the number that both devices show
INSERT_DEVICE = "INSERT INTO devices (key, person, name, added, seen) VALUES (?, ?, ?, ?, ?)"
DELETE_EMPTY_GROUPS = """DELETE FROM daily_groups
    WHERE NOT EXISTS (SELECT 1 FROM daily_members m WHERE m.code = daily_groups.code)"""
OWNED = (
    *("results", "dailies", "daily_members"),
    *("puzzle_players", "puzzle_attempts", "webhooks"),
)
"""Tables whose rows belong to a person."""
HOUR = 3_600  # seconds between updates of when a device was last seen


@dataclass(frozen=True)
class Known:
    """A person with stored data."""

    person: str
    name: str
    tag: str


class People:
    """Requests of a device about its person."""

    def __init__(self, context: ServerContext) -> None:
        self.rows: Rows = context.store

    async def who(self, token: str) -> Person:
        """Return the person of a device.

        The answer for an unknown device is empty, and nothing is stored about it.
        """
        known = await self.known(token)
        if known is None:
            return {"name": "", "tag": "", "devices": 1, "games": 0}
        ((devices,),) = await self.rows.query(
            "SELECT count(*) FROM devices WHERE person = ?", known.person
        )
        ((games,),) = await self.rows.query(
            "SELECT count(*) FROM results WHERE person = ?", known.person
        )
        return {"name": known.name, "tag": known.tag, "devices": devices, "games": games}

    async def call(self, token: str, name: str) -> Person:
        """Change the name of a person."""
        person = (await self.person_of(token)).person
        await self.rows.query("UPDATE people SET name = ? WHERE id = ?", name, person)
        return await self.who(token)

    async def sit(self, token: str, code: str, seat_token: str) -> None:
        """Link a seat to this person.

        The game becomes part of their history when it is over.
        """
        table, seat = code.lower(), token_key(seat_token)

        def steps() -> Steps[None]:
            if not (yield "SELECT 1 FROM seats WHERE code = ? AND key = ?", table, seat):
                raise RefusalError("unknown_token")
            known = yield from _person_of(token_key(token))
            yield insert("sittings", "code, key, person"), table, seat, known.person

        await self.rows.transact(steps)

    async def tables(self, token: str) -> OpenTables:
        """Return the unfinished games of the seats that a person has claimed on any device."""
        known = await self.known(token)
        found = known and await self.rows.query(
            "SELECT DISTINCT t.code, t.created FROM sittings s JOIN tables t ON t.code = s.code"
            " JOIN seats e ON e.code = s.code AND e.key = s.key"
            f" WHERE s.person = ? AND NOT t.finished ORDER BY t.created DESC LIMIT {MOST_TABLES}",
            known.person,
        )
        return {"tables": [code for code, _ in found or []]}

    async def known(self, token: str) -> Known | None:
        """Return the person of a device, ``None`` for an unknown device."""
        key, now = token_key(token), int(time.time())
        found = await self.rows.query(
            "SELECT p.id, p.name, p.tag, d.seen FROM devices d JOIN people p ON p.id = d.person"
            " WHERE d.key = ?",
            key,
        )
        if not found:
            return None
        *known, seen = found[0]
        if now >= seen + HOUR:
            await self.rows.query("UPDATE devices SET seen = ? WHERE key = ?", now, key)
        return Known(*known)

    async def person_of(self, token: str) -> Known:
        """Return the person of a device; create a person for an unknown device."""
        known = await self.known(token)
        if known is None:
            known = await self.rows.transact(partial(_person_of, token_key(token)))
        return known

    # --- devices

    async def devices(self, token: str, name: str | None = None) -> Devices:
        """Return the devices of a person, this device first; store its name if given."""
        known = await self.known(token)
        if known is None:
            return {"devices": []}
        if name is not None:
            await self.rows.query(
                "UPDATE devices SET name = ? WHERE key = ?", name, token_key(token)
            )
        found = await self.devices_of(known.person, _device_id(token_key(token)))
        return {"devices": sorted(found, key=lambda device: not device["this"])}

    async def devices_of(self, person: str, mine: str = "") -> list[KnownDevice]:
        """Return the devices of a person, oldest first."""
        rows = await self.rows.query(
            "SELECT key, name, added, seen FROM devices WHERE person = ? ORDER BY added, key",
            person,
        )
        return [
            {
                "id": _device_id(bytes(key)),
                "name": name,
                "added": added,
                "seen": seen,
                "this": _device_id(bytes(key)) == mine,
            }
            for key, name, added, seen in rows
        ]

    async def revoke(self, token: str, device: str) -> Devices:
        """Unlink a device from this person.

        Codes issued earlier become invalid.
        """
        known = await self.known(token)
        if known is None:
            raise RefusalError("not_found")
        rows = await self.rows.query("SELECT key FROM devices WHERE person = ?", known.person)
        keys = [bytes(key) for (key,) in rows if _device_id(bytes(key)) == device]
        require(token_key(token) not in keys, "only_device")
        for key in keys:
            await self.rows.query(
                "DELETE FROM devices WHERE key = ? AND person = ?", key, known.person
            )
            await self.rows.transact(partial(_stop_calls, "push_devices", "device", key))
        await self.rows.query("DELETE FROM alongs WHERE person = ?", known.person)
        return await self.devices(token)

    # --- linking another device

    async def take_along(self, token: str) -> str:
        """Return a code with which another device can ask to be linked, within a few minutes."""
        known = await self.person_of(token)
        now = int(time.time())
        await self.rows.query("DELETE FROM alongs WHERE until < ? OR person = ?", now, known.person)
        code = new_code(ALONG_LENGTH)
        await self.rows.query(
            "INSERT INTO alongs (key, person, until) VALUES (?, ?, ?)",
            token_key(code),
            known.person,
            now + ALONG_SECONDS,
        )
        return code

    async def arrive(self, token: str, code: str, name: str, agreed: bool) -> Handover:
        """Ask to link this device to the person who issued the code.

        The device is linked when both sides have agreed. Its own data moves with it.
        """
        device, key = token_key(token), token_key(normalize_code(code))
        return await self.rows.transact(
            lambda: _arrive(device, key, name, agreed, int(time.time()))
        )

    async def asking(self, token: str) -> AskingDevices:
        """Return the device that asks to be linked, if there is any."""
        known = await self.known(token)
        if known is None:
            return {"asking": []}
        rows = await self.rows.query(
            """SELECT a.device, a.name, a.agreed FROM alongs a
            LEFT JOIN devices d ON d.key = a.device AND d.person = a.person
            WHERE a.person = ? AND a.until >= ? AND a.device IS NOT NULL AND d.key IS NULL""",
            known.person,
            int(time.time()),
        )
        asking: list[Asking] = [
            {"name": name, "check": _check(bytes(device), known.person), "agreed": bool(agreed)}
            for device, name, agreed in rows
        ]
        return {"asking": asking}

    async def admit(self, token: str, check: str, admitted: bool) -> AskingDevices:
        """Admit or reject the device that shows this number."""
        known = await self.known(token)
        if known is None:
            raise RefusalError("unknown_code")
        await self.rows.transact(lambda: _admit(known.person, check, admitted, int(time.time())))
        return await self.asking(token)


def _person_of(key: bytes) -> Steps[Known]:
    found = yield (
        "SELECT p.id, p.name, p.tag FROM devices d JOIN people p ON p.id = d.person"
        " WHERE d.key = ?",
        key,
    )
    if found:
        return Known(*found[0])
    person, tag, now = secrets.token_hex(16), new_code(TAG_LENGTH), int(time.time())
    yield "INSERT INTO people (id, name, tag, created) VALUES (?, '', ?, ?)", person, tag, now
    yield INSERT_DEVICE, key, person, "", now, now
    return Known(person, "", tag)


def _arrive(device: bytes, key: bytes, name: str, agreed: bool, now: int) -> Steps[Handover]:
    """Store that a device asks to be linked, or that it agrees."""
    found = yield (
        "SELECT a.person, a.device, a.agreed, a.admitted, a.name, p.name, p.tag FROM alongs a"
        " JOIN people p ON p.id = a.person WHERE a.key = ? AND a.until >= ?",
        key,
        now,
    )
    if not found or (found[0][1] is not None and bytes(found[0][1]) != device):
        raise RefusalError("unknown_code")
    person, _, before, admitted, called, owner, tag = found[0]
    name = name or called
    state: Literal["asked", "waiting", "done"] = "waiting" if agreed or before else "asked"
    yield (
        "UPDATE alongs SET device = ?, name = ?, agreed = ? WHERE key = ?",
        device,
        name,
        int(state == "waiting"),
        key,
    )
    mine = yield "SELECT person FROM devices WHERE key = ?", device
    if mine and mine[0][0] == person:
        state = "done"
    elif state == "waiting" and admitted:
        yield from _hand_over(device, name, person, now)
        state = "done"
    ((games,),) = yield (
        "SELECT count(*) FROM results r JOIN devices d ON d.person = r.person WHERE d.key = ?",
        device,
    )
    return {
        "state": state,
        "name": owner,
        "tag": tag,
        "check": _check(device, person),
        "games": games,
    }


def _admit(person: str, check: str, admitted: bool, now: int) -> Steps[None]:
    rows = yield (
        "SELECT key, device, name, agreed FROM alongs WHERE person = ? AND until >= ?"
        " AND device IS NOT NULL",
        person,
        now,
    )
    asking = [row for row in rows if _check(bytes(row[1]), person) == check]
    require(asking, "unknown_code")
    key, device, name, agreed = asking[0]
    if not admitted:
        yield "DELETE FROM alongs WHERE key = ?", key
        return
    yield "UPDATE alongs SET admitted = 1 WHERE key = ?", key
    if agreed:
        yield from _hand_over(device, name, person, now)


def _hand_over(device: bytes, name: str, person: str, now: int) -> Steps[None]:
    """Link a device to a person; merge its old person if that has no devices left."""
    found = yield "SELECT person FROM devices WHERE key = ?", device
    if not found:
        yield INSERT_DEVICE, device, person, name, now, now
    elif found[0][0] != person:
        yield (
            "UPDATE devices SET person = ?, name = ?, added = ? WHERE key = ?",
            person,
            name,
            now,
            device,
        )
        yield "UPDATE push_devices SET person = ? WHERE device = ?", person, device
        if not (yield "SELECT 1 FROM devices WHERE person = ?", found[0][0]):
            yield from _merge(found[0][0], person)


def _merge(old: str, new: str) -> Steps[None]:
    yield "UPDATE sittings SET person = ? WHERE person = ?", new, old
    for table, columns in (
        ("results", ("id",)),
        ("dailies", ("day", "game")),
        ("daily_members", ("code",)),
        ("puzzle_players", ("game",)),
        ("puzzle_attempts", ("game", "puzzle")),
    ):
        same = " AND ".join(f"o.{column} = {table}.{column}" for column in columns)
        others = f"SELECT 1 FROM {table} o WHERE o.person = ? AND {same}"
        yield (
            f"UPDATE {table} SET person = ? WHERE person = ? AND NOT EXISTS ({others})",
            new,
            old,
            new,
        )
    yield from reports.move(old, new)
    yield from remove_person(old)


def _stop_calls(table: str, column: str, value: str | bytes) -> Steps[None]:
    """Delete the subscriptions or the webhooks of a person or a device, and their calls."""
    targets = f"SELECT id FROM {table} WHERE {column} = ?"
    yield f"DELETE FROM calls WHERE target IN ({targets})", value
    yield f"DELETE FROM {table} WHERE {column} = ?", value


def remove_person(person: str) -> Steps[None]:
    """Delete every row of a person, and groups that have no members left."""
    for table in ("push_devices", "webhooks"):
        yield from _stop_calls(table, "person", person)
    for table in ("devices", "alongs", "sittings", *OWNED):
        yield f"DELETE FROM {table} WHERE person = ?", person
    yield "DELETE FROM people WHERE id = ?", person
    yield "DELETE FROM blocks WHERE target = ?", person
    yield "DELETE FROM reports WHERE target = ?", person
    yield (DELETE_EMPTY_GROUPS,)


def _device_id(key: bytes) -> str:
    """Return the id of a device in messages, which reveals nothing about its secret."""
    return sha256(b"device" + key).hexdigest()[:16]


def _check(device: bytes, person: str) -> str:
    """Return the number that both devices show while they are being linked."""
    return str(
        int.from_bytes(sha256(device + person.encode()).digest()[:8], "big") % 10**CHECK_DIGITS
    ).zfill(CHECK_DIGITS)
