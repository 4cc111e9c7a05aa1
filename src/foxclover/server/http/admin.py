"""What the operator can do while a server runs: list, count, block, rename, delete, close reports.

Requests come from this machine and with the key of the data folder only.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from foxclover.server.errors import RefusalError
from foxclover.server.http.requests import from_this_machine, read_body
from foxclover.server.lobby import Lobby
from foxclover.server.logs import log_event
from foxclover.server.people import reports
from foxclover.server.protocol.identifiers import normalize_code, presentable, token_key
from foxclover.server.stores.store import Steps, Store, StoreAway

KEY_FILE = "admin.key"
OWNER_ONLY = 0o600
LONGEST_BODY = 4_096
REFRESH = 10.0  # seconds until other processes know of a block
MOST = 1_000  # rows of an answer
LONGEST_NAME = 24

Answer = list[dict[str, Any]]


class AdminError(Exception):
    """A request that cannot be done; the text ``cli.admin.KEY`` explains it."""


class Blocks:
    """The blocked networks and people, kept in memory."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.networks: list[ipaddress.IPv4Network | ipaddress.IPv6Network] = []
        self.people: set[str] = set()

    async def load(self) -> None:
        """Read the blocks from the store."""
        if not self.store.keeps_people:
            return
        targets = [target for (target,) in await self.store.query("SELECT target FROM blocks")]
        networks = {target: as_network(target) for target in targets}
        self.networks = [network for network in networks.values() if network is not None]
        self.people = {target for target in targets if networks[target] is None}

    async def keep_up(self, lobby: Lobby) -> None:
        """Read the blocks again and again: another process may have changed them."""
        while True:
            with suppress(StoreAway):
                await self.load()
                self.close_sockets(lobby)
            await asyncio.sleep(REFRESH)

    def close_sockets(self, lobby: Lobby) -> None:
        """Close the sockets of blocked networks."""
        for table in lobby.tables.values() if self.networks else ():
            for connection in list(table.presence.connections):
                if self.covers(connection.client):
                    connection.close(RefusalError("blocked"))

    def covers(self, client: str) -> bool:
        """Return whether a client is in a blocked network."""
        network = as_network(client) if self.networks else None
        return network is not None and any(
            blocked.version == network.version
            and int(blocked.network_address)
            <= int(network.network_address)
            <= int(blocked.broadcast_address)
            for blocked in self.networks
        )

    def refuse_client(self, client: str) -> None:
        """Refuse a client in a blocked network."""
        if self.covers(client):
            raise RefusalError("blocked")

    async def refuse_device(self, token: str) -> None:
        """Refuse a device of a blocked person."""
        if self.people:
            found = await self.store.query(
                "SELECT person FROM devices WHERE key = ?", token_key(token)
            )
            if found and found[0][0] in self.people:
                raise RefusalError("blocked")


class Admin:
    """The operator's requests."""

    def __init__(self, lobby: Lobby, blocks: Blocks) -> None:
        self.lobby = lobby
        self.store = lobby.store
        self.blocks = blocks

    async def answer(self, action: str, target: str, name: str, limit: int) -> Answer:
        """Answer one request."""
        actions: dict[str, Callable[[], Awaitable[Answer]]] = {
            "stats": self.stats,
            "tables": lambda: self.tables(limit),
            "people": lambda: self.people(target, limit),
            "blocks": self.list_blocks,
            "block": lambda: self.block(target),
            "unblock": lambda: self.unblock(target),
            "reports": lambda: reports.listed(self.store, min(limit, MOST)),
            "close": lambda: self.close(target),
            "rename": lambda: self.rename(target, name),
            "delete": lambda: self.delete(target),
        }
        if action not in actions:
            raise AdminError("unknown")
        found = await actions[action]()
        log_event("administration", action=action)
        return found

    async def stats(self) -> Answer:
        """Count what the store contains, and what is in use here."""
        counted = {}
        for name, statement in {
            "tables": "SELECT count(*) FROM tables",
            "finished": "SELECT count(*) FROM tables WHERE finished",
            "moves": "SELECT count(*) FROM events",
            "people": "SELECT count(*) FROM people",
            "devices": "SELECT count(*) FROM devices",
            "kept_games": "SELECT count(*) FROM results",
            "daily_games": "SELECT count(*) FROM dailies",
            "groups": "SELECT count(*) FROM daily_groups",
            "blocks": "SELECT count(*) FROM blocks",
            "reports": "SELECT count(*) FROM reports WHERE closed IS NULL",
        }.items():
            counted[name] = (await self.store.query(statement))[0][0]
        here = {
            "tables_in_memory": len(self.lobby.tables),
            "connections": self.lobby.context.connections.total,
        }
        return [counted | here]

    async def tables(self, limit: int) -> Answer:
        """List the newest tables."""
        rows = await self.store.query(
            "SELECT code, game, created, finished, (SELECT count(*) FROM events e"
            " WHERE e.code = t.code) FROM tables t ORDER BY created DESC, code LIMIT ?",
            min(limit, MOST),
        )
        found: Answer = []
        for code, game, created, finished, moves in rows:
            seats = await self.store.query(
                "SELECT name, level FROM seats WHERE code = ? ORDER BY seat", code
            )
            names = [name or (f"({level})" if level else "-") for name, level in seats]
            found.append(
                {
                    "table": code,
                    "game": game,
                    "created": created,
                    "finished": bool(finished),
                    "moves": moves,
                    "seats": names,
                }
            )
        return found

    async def people(self, text: str, limit: int) -> Answer:
        """List the newest people, or those whose name or tag contains a text."""
        rows = await self.store.query(
            "SELECT id, name, tag, created, (SELECT count(*) FROM devices d WHERE d.person = p.id),"
            " (SELECT count(*) FROM results r WHERE r.person = p.id) FROM people p"
            " WHERE lower(name) LIKE ? OR tag = ? OR id = ?"
            " ORDER BY created DESC, id LIMIT ?",
            f"%{text.lower()}%",
            text.lower(),
            text.lower(),
            min(limit, MOST),
        )
        names = ("person", "name", "tag", "created", "devices", "games")
        return [
            dict(zip(names, row, strict=True)) | {"blocked": row[0] in self.blocks.people}
            for row in rows
        ]

    async def list_blocks(self) -> Answer:
        """List the blocked networks and people."""
        rows = await self.store.query("SELECT target, at FROM blocks ORDER BY at, target")
        return [{"target": target, "since": at} for target, at in rows]

    async def block(self, target: str) -> Answer:
        """Block a network or a person, and close the sockets of the network."""
        network = as_network(target)
        if network is None:
            await self._expect_person(target)
        await self.store.query(
            "INSERT INTO blocks (target, at) VALUES (?, ?) ON CONFLICT DO NOTHING",
            target if network is None else str(network),
            int(time.time()),
        )
        await self.blocks.load()
        self.blocks.close_sockets(self.lobby)
        return await self.list_blocks()

    async def unblock(self, target: str) -> Answer:
        """Remove a block."""
        network = as_network(target)
        await self.store.query(
            "DELETE FROM blocks WHERE target = ?", target if network is None else str(network)
        )
        await self.blocks.load()
        return await self.list_blocks()

    async def close(self, target: str) -> Answer:
        """Close the reports about a person or a group."""
        closed = await self.store.transact(lambda: reports.close(normalize_code(target)))
        if not closed:
            raise AdminError("no_reports")
        return [{"target": target, "closed": closed}]

    async def rename(self, target: str, name: str) -> Answer:
        """Change the name of a person everywhere at tables, of a seat, or of a group.

        A seat is ``CODE/NUMBER``. Reports about the person or the group are closed.
        """
        name = presentable(name)[:LONGEST_NAME]
        code, _, seat = target.lower().partition("/")
        if seat:
            changed = await self.store.transact(lambda: _rename_seat(code, seat, name))
            if not changed:
                raise AdminError("no_seat")
        else:
            if await self._is_group(target):
                await self.store.transact(lambda: _rename_group(normalize_code(target), name))
                return [{"group": normalize_code(target)}]
            await self._expect_person(target)
            changed = await self.store.transact(lambda: _rename_person(target, name))
        self.lobby.tables_changed(changed)
        return [{"table": one} for one in changed]

    async def delete(self, target: str) -> Answer:
        """Delete a person with everything stored about them, a group, or a table."""
        found = await self.store.query(
            "SELECT key FROM devices WHERE person = ? ORDER BY key", target
        )
        if found:
            await self.lobby.forget_person(target, bytes(found[0][0]), "")
            return [{"person": target}]
        if await self._is_group(target):
            await self.store.transact(lambda: _delete_group(normalize_code(target)))
            return [{"group": normalize_code(target)}]
        code = target.lower()
        tables = await self.store.query("SELECT dice FROM tables WHERE code = ?", code)
        if not tables:
            raise AdminError("nothing")
        if tables[0][0].startswith("daily "):
            raise AdminError("daily")
        await self.store.remove(code)
        self.lobby.tables_changed([code])
        return [{"table": code}]

    async def _is_group(self, target: str) -> bool:
        return bool(
            await self.store.query(
                "SELECT 1 FROM daily_groups WHERE code = ?", normalize_code(target)
            )
        )

    async def _expect_person(self, target: str) -> None:
        if not await self.store.query("SELECT 1 FROM people WHERE id = ?", target):
            raise AdminError("nobody")


def as_network(text: str) -> ipaddress.IPv4Network | ipaddress.IPv6Network | None:
    """Return the network that a text names, ``None`` for anything else."""
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        return None


def _rename_seat(code: str, seat: str, name: str) -> Steps[list[str]]:
    """Rename a seat, counted from 1."""
    number = int(seat) - 1 if seat.isdecimal() else -1
    found = yield (
        "SELECT 1 FROM seats WHERE code = ? AND seat = ? AND level = ''",
        code,
        number,
    )
    if not found:
        return []
    yield "UPDATE seats SET name = ? WHERE code = ? AND seat = ?", name, code, number
    return [code]


def _rename_person(person: str, name: str) -> Steps[list[str]]:
    yield "UPDATE people SET name = ? WHERE id = ?", name, person
    yield from reports.close(person)
    seats = yield "SELECT code, key FROM sittings WHERE person = ?", person
    for code, key in seats:
        yield "UPDATE seats SET name = ? WHERE code = ? AND key = ?", name, code, key
    return sorted({code for code, _ in seats})


def _rename_group(code: str, name: str) -> Steps[None]:
    yield "UPDATE daily_groups SET name = ? WHERE code = ?", name, code
    yield from reports.close(code)


def _delete_group(code: str) -> Steps[None]:
    yield "DELETE FROM daily_members WHERE code = ?", code
    yield "DELETE FROM daily_groups WHERE code = ?", code
    yield "DELETE FROM reports WHERE target = ?", code


def admin_key(folder: Path) -> str:
    """Return the key of a data folder, made when it is first asked for; "" if it cannot be."""
    file = folder / KEY_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.touch(OWNER_ONLY)
        key = file.read_text("ascii").strip()
        if not key:
            key = secrets.token_urlsafe(32)
            file.write_text(key + "\n", "ascii")
    except OSError as error:
        log_event("no_admin_key", problem=error.strerror)
        return ""
    return key


async def administer(request: Request) -> Response:
    """Answer the operator; for everybody else there is nothing here."""
    key: str = request.app.state.admin_key
    shown = request.headers.get("authorization", "").removeprefix("Bearer ")
    known = bool(key) and secrets.compare_digest(shown.encode(), key.encode())
    if not (known and from_this_machine(request)):
        raise HTTPException(404)
    body = await read_body(request, LONGEST_BODY)
    target, name, limit = body.get("target", ""), body.get("name", ""), body.get("limit", 20)
    if not (isinstance(target, str) and isinstance(name, str) and isinstance(limit, int)):
        raise HTTPException(400)
    admin: Admin = request.app.state.admin
    try:
        rows = await admin.answer(request.path_params["action"], target, name, limit)
    except AdminError as error:
        return JSONResponse({"error": str(error)}, 409)
    return JSONResponse({"rows": rows})
