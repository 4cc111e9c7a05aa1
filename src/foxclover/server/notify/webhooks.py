"""Webhooks of group chats: whose turn it is, how a game ended, a new daily challenge.

A webhook belongs to a person and is called to tables like a device: by rows of ``calls``.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from foxclover.dice.daily import day_of
from foxclover.locale import Translator
from foxclover.server import games
from foxclover.server.context import ServerContext
from foxclover.server.errors import RefusalError, require
from foxclover.server.notify.shared_limits import SharedBuckets
from foxclover.server.people.people import People
from foxclover.server.protocol import encode
from foxclover.server.protocol.calls import (
    AddWebhook,
    AskWebhook,
    Calls,
    ChangeWebhook,
    Webhook,
    WebhookTable,
)
from foxclover.server.protocol.people import ExportedWebhook
from foxclover.server.stores.sql import insert
from foxclover.server.stores.store import Rows, Steps
from foxclover.server.tables.render import seats as seat_infos
from foxclover.server.tables.seating import keys_of
from foxclover.server.tables.table import Table

if TYPE_CHECKING:
    from foxclover.server.outgoing import Outgoing

OF_A_PERSON = 5
AT_A_TABLE = 20  # calls of devices and webhooks
TABLES_OF_WEBHOOK = 200
CHANGES, CHANGE_SECONDS = 30, 10.0  # of an address
TESTS, TEST_SECONDS = 5, 30.0  # of an address
NO_TURN = -1  # ``notified`` of a call without a notice yet
ID = "{id}"  # in an address: becomes a new id for each message, as Matrix requires
ID_BYTES = 12
MATRIX_TOKEN = "access_token"  # in an address: sent as a header, which servers do not log
MARKDOWN = re.compile(r"([\\`*_~|>\[\]])")
EVENTS = ("turns", "finished", "daily")


class WebhookRow(NamedTuple):
    """A stored webhook."""

    kind: str
    url: str
    language: str
    turns: int
    finished: int
    failures: int
    retry_at: int

    @property
    def endpoint(self) -> str:
        """The address of the next message."""
        return self.url.replace(ID, secrets.token_hex(ID_BYTES))


class WebhookRequest(NamedTuple):
    """A request to a chat service."""

    url: str
    headers: dict[str, str]
    body: bytes
    method: str = "POST"


class WebhookBook:
    """Requests of a device about the webhooks of its person."""

    def __init__(
        self,
        context: ServerContext,
        people: People,
        answer: Callable[[str], Awaitable[Calls]],
    ) -> None:
        self.context = context
        self.rows: Rows = context.store
        self.people = people
        self.answer = answer
        self.changes = SharedBuckets(self.rows, "changes", CHANGES, CHANGE_SECONDS)
        self.tests = SharedBuckets(self.rows, "tests", TESTS, TEST_SECONDS)

    @property
    def outgoing(self) -> Outgoing:
        """Return the way to other servers, or refuse the request."""
        if self.context.outgoing is None:
            raise RefusalError("no_notices")
        return self.context.outgoing

    async def add(self, table: Table, request: AddWebhook, client: str, language: str) -> Calls:
        """Add a webhook, and call it to a table."""
        url = request["url"].strip()
        self.outgoing.expect_public(url)
        await self.changes.expect(client)
        key = await held_key(table, request["seats"])
        known = await self.people.person_of(request["token"])
        now = time.time()
        target = sha256(f"{known.person} {url}".encode()).hexdigest()[:32]
        row = (target, known.person, request["kind"], url, language, int(now), request["offset"])
        await self.rows.transact(
            partial(_add, (*row, day_of(now)), _call_to(table, target, key, now))
        )
        return await self.answer(request["token"])

    async def change(self, request: ChangeWebhook) -> Calls:
        """Change what a webhook writes about."""
        await self._expect(request)
        marks = ", ".join(f"{name} = ?" for name in EVENTS)
        # A challenge of today that was open already is not new.
        await self.rows.query(
            f"UPDATE webhooks SET {marks}, day = CASE WHEN daily = 0 THEN ? ELSE day END"
            " WHERE id = ?",
            *(int(request["events"][name]) for name in EVENTS),  # type: ignore[literal-required]
            *(day_of(time.time()), request["webhook"]),
        )
        return await self.answer(request["token"])

    async def set_table(self, table: Table, request: WebhookTable, client: str) -> Calls:
        """Start or stop writing about a table."""
        await self._expect(request)
        code, target = table.record.code, request["webhook"]
        if request["on"]:
            await self.changes.expect(client)
            key = await held_key(table, request["seats"])
            await self.rows.transact(partial(_call, _call_to(table, target, key, time.time())))
        else:
            await self.rows.query(
                "DELETE FROM calls WHERE code = ? AND target = ?", *(code, target)
            )
        return await self.answer(request["token"])

    async def remove(self, request: AskWebhook) -> Calls:
        """Delete a webhook."""
        await self._expect(request)
        await self.rows.transact(partial(remove_webhook, request["webhook"]))
        return await self.answer(request["token"])

    async def test(self, request: AskWebhook, client: str, translate: Translator) -> Calls:
        """Send a test message now."""
        outgoing = self.outgoing
        await self.tests.expect(client)
        webhook = await self._expect(request)
        found = request_of(webhook, translate("server.webhook.test"), self.link(""))
        answer = await outgoing.send(*found)
        require(answer.status, "webhook_silent")
        require(answer.ok, "webhook_refused", status=answer.status)
        return await self.answer(request["token"])

    def link(self, path: str) -> str:
        """Return the address of a page for people elsewhere, "" if the server has none."""
        public = self.context.public_urls.public
        return f"{public}/{path}" if public else ""

    async def _expect(self, request: AskWebhook) -> WebhookRow:
        """Return a webhook of the person who asks, or refuse them."""
        known = await self.people.known(request["token"])
        found = known and await self.rows.query(
            f"SELECT {', '.join(WebhookRow._fields)} FROM webhooks WHERE id = ? AND person = ?",
            *(request["webhook"], known.person),
        )
        if not found:
            raise RefusalError("unknown_webhook")
        return WebhookRow(*found[0])


async def held_key(table: Table, seats: Sequence[str]) -> bytes:
    """Return the key of a seat of an unfinished game, by the secrets that a device knows."""
    keys = await keys_of(table, seats)
    held = [seat.key for seat in table.record.seats if seat.key in keys]
    require(held, "unknown_token")
    require(not table.master.over, "game_over")
    key = held[0]
    assert key is not None
    return key


def _call_to(table: Table, target: str, key: bytes, now: float) -> tuple[Any, ...]:
    """Return the row that calls a webhook to a table; who waits already is known to all."""
    waits = table.master.waits_for() if table.has_begun else []
    log = table.master.log
    turn = max(map(log.turn_of, waits), default=NO_TURN)
    return (table.record.code, target, key, table.master.seq, turn, seat_set(waits), int(now))


def seat_set(seats: Sequence[int]) -> int:
    """Return seats as the bits of one number: ``notified_at`` of a webhook's call."""
    return sum(1 << seat for seat in seats)


def _add(row: tuple[Any, ...], call: tuple[Any, ...]) -> Steps[None]:
    columns = "id, person, kind, url, language, created, utc_offset, day"
    marks = ", ".join("?" for _ in row)
    yield (
        f"INSERT INTO webhooks ({columns}) VALUES ({marks}) ON CONFLICT (id) DO UPDATE SET"
        " kind = excluded.kind, language = excluded.language, failures = 0, retry_at = 0",
        *row,
    )
    ((count,),) = yield "SELECT count(*) FROM webhooks WHERE person = ?", row[1]
    require(count <= OF_A_PERSON, "too_many_calls")
    yield from _call(call)


def _call(row: tuple[Any, ...]) -> Steps[None]:
    code, target = row[:2]
    if (yield "SELECT 1 FROM calls WHERE code = ? AND target = ?", code, target):
        return
    yield insert("calls", "code, target, key, seen, notified, notified_at, due"), *row
    ((here,),) = yield "SELECT count(*) FROM calls WHERE code = ?", code
    ((everywhere,),) = yield "SELECT count(*) FROM calls WHERE target = ?", target
    require(here <= AT_A_TABLE and everywhere <= TABLES_OF_WEBHOOK, "too_many_calls")


def remove_webhook(target: str) -> Steps[None]:
    """Delete a webhook and its calls."""
    yield "DELETE FROM calls WHERE target = ?", target
    yield "DELETE FROM webhooks WHERE id = ?", target


async def webhooks_of(rows: Rows, person: str) -> list[Webhook]:
    """Return the webhooks of a person, without their addresses."""
    tables = await _tables_of(rows, person)
    found = await rows.query(
        "SELECT id, kind, url, turns, finished, daily FROM webhooks WHERE person = ?"
        " ORDER BY created, id",
        person,
    )
    return [
        {
            "id": target,
            "kind": kind,
            "host": urlsplit(url).netloc,
            "tables": tables.get(target, []),
            "turns": bool(turns),
            "finished": bool(finished),
            "daily": bool(daily),
        }
        for target, kind, url, turns, finished, daily in found
    ]


async def exported(rows: Rows, person: str) -> list[ExportedWebhook]:
    """Return everything that is stored about a person's webhooks."""
    tables = await _tables_of(rows, person)
    found = await rows.query(
        "SELECT id, kind, url, created, language, utc_offset, turns, finished, daily FROM webhooks"
        " WHERE person = ? ORDER BY created, id",
        person,
    )
    return [
        {
            "kind": kind,
            "url": url,
            "created": created,
            "language": language,
            "offset": offset,
            "events": [name for name, on in zip(EVENTS, flags, strict=True) if on],
            "tables": tables.get(target, []),
        }
        for target, kind, url, created, language, offset, *flags in found
    ]


async def _tables_of(rows: Rows, person: str) -> dict[str, list[str]]:
    tables = dict[str, list[str]]()
    for target, code in await rows.query(
        "SELECT c.target, c.code FROM calls c JOIN webhooks w ON w.id = c.target"
        " WHERE w.person = ? ORDER BY c.code",
        person,
    ):
        tables.setdefault(target, []).append(code)
    return tables


# --- messages


def request_of(webhook: WebhookRow, text: str, link: str) -> WebhookRequest:
    """Return the request that writes a text to a chat.

    Names of players are part of the text, so nothing in it may mention or format anything.
    """
    url, headers = webhook.endpoint, {"content-type": "application/json"}
    lines = [text, link] if link else [text]
    match webhook.kind:
        case "discord":
            lines[0] = MARKDOWN.sub(r"\\\1", text)
            body = {"content": "\n".join(lines), "allowed_mentions": {"parse": []}}
            return WebhookRequest(url, headers, encode(body))
        case "slack":
            for sign, code in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;")):
                lines[0] = lines[0].replace(sign, code)
            return WebhookRequest(url, headers, encode({"text": "\n".join(lines)}))
        case "matrix":
            url, token = _without_token(url)
            if token:
                headers["authorization"] = f"Bearer {token}"
            body = {"msgtype": "m.text", "body": "\n".join(lines)}
            return WebhookRequest(
                url, headers, encode(body), "PUT" if ID in webhook.url else "POST"
            )
    headers = {"content-type": "text/plain; charset=utf-8", "title": "Fox & Clover"}
    if link:
        headers["click"] = link
    return WebhookRequest(url, headers, text.encode())


def _without_token(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    values = dict(parse_qsl(parts.query, keep_blank_values=True))
    token = values.pop(MATRIX_TOKEN, "")
    return parts._replace(query=urlencode(values)).geturl(), token


def turn_text(table: Table, named: Sequence[int], translate: Translator) -> str:
    """Return whose turn it is."""
    names = _names(table, translate)
    return translate(
        "server.webhook.turn",
        count=len(named),
        game=games.find(table.record.game).name,
        names=", ".join(names[seat] for seat in named),
    )


def result_text(table: Table, translate: Translator) -> str:
    """Return how a game ended."""
    scores = table.master.shown(()).scores
    return translate(
        "server.webhook.finished",
        game=games.find(table.record.game).name,
        scores=", ".join(
            f"{name} {score}" for name, score in zip(_names(table, translate), scores, strict=True)
        ),
    )


def _names(table: Table, translate: Translator) -> list[str]:
    return [info["name"] for info in seat_infos(table.record.seats, {}, translate)]
