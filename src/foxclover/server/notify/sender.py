"""Call people whose turn it is: find calls that are due, claim them, send them.

Nothing here delays a move: a table only notes that something happened. What a killed process has
not sent is found again by comparing each call with the events of its table. Several processes may
look at one store: a call is claimed by moving its ``due`` into the future, so that one of them
sends it, and another one after a while if the first has failed.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from foxclover.locale import catalogue
from foxclover.server import games
from foxclover.server.errors import RefusalError
from foxclover.server.limits.rate_limits import Buckets
from foxclover.server.logs import log_event, log_exception
from foxclover.server.notify.calls import NO_TURN, CallBook, remove_target
from foxclover.server.stores.store import StoreAway
from foxclover.server.tables.render import seats as seat_infos
from foxclover.server.tables.seating import REPEAT
from foxclover.server.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from foxclover.server.outgoing import Answer

PAUSE = 2.0  # seconds between two looks
DELAY = 10  # seconds from a move to its notice, longer than a request may take
LEASE = 120  # seconds until another process may try a call again
SCAN_EVERY = 60.0  # seconds between comparisons of all calls with the events
A_PAGE = 500  # rows that one statement reads
AT_ONCE = 64  # requests
STILL_HERE = 60  # seconds until an open page is checked again
MOST_FAILURES = 10  # in a row until a subscription counts as dead
FIRST_RETRY, LAST_RETRY = 30, 6 * 3_600  # seconds
PAUSED_SECONDS = 60  # of a push service that does not answer
FAILURES_OF_SERVICE = 5  # in a row until it is paused
NOTICES_OF_TABLE, NOTICE_SECONDS = 30, 60.0  # at once, then one in so many seconds
TTL = 7 * 86_400  # seconds for which a push service keeps a notice
GONE = (404, 410)
HOUR, MINUTES_OF_DAY = 3_600, 1_440
_SEEN = "coalesce((SELECT max(seq) + 1 FROM events e WHERE e.code = calls.code), 0)"


class Call(NamedTuple):
    """A claimed call."""

    code: str
    target: str
    key: bytes
    notified: int  # the turn of the last notice
    notified_at: int  # when; 0 after a reminder


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


class Later(NamedTuple):
    """When to look at a call again, ``None`` after the next move only."""

    due: int | None


class Notice(NamedTuple):
    """A notice to send: the turn it is about, and whether it is a reminder."""

    turn: int
    reminder: bool


class Sender:
    """Look for calls that are due, again and again."""

    def __init__(
        self, book: CallBook, find_table: Callable[[str], Awaitable[Table]], contact: str
    ) -> None:
        self.book = book
        self.context = book.context
        self.rows = book.rows
        self.find_table = find_table
        self.contact = contact
        self.moved: set[str] = set()  # codes of tables with new events
        self.sending: set[asyncio.Task[None]] = set()
        self.notices = Buckets(NOTICES_OF_TABLE, NOTICE_SECONDS)
        self.paused: dict[str, float] = {}  # push services, and until when
        self.failed: dict[str, int] = {}  # push services, and how often in a row
        self._scanned = float("-inf")

    async def run(self) -> None:
        """Send until the server stops."""
        if self.context.outgoing is None:
            return
        self.context.moved = self.moved.add
        while True:
            try:
                await self.look()
            except StoreAway:
                pass
            except Exception:
                log_exception("notices_failed")
            await asyncio.sleep(PAUSE)

    async def look(self) -> None:
        """Queue the calls of tables where something happened, and send those that are due."""
        codes = list(self.moved)
        self.moved.clear()
        try:
            if time.monotonic() - self._scanned >= SCAN_EVERY:
                codes += await self._missed()
                self._scanned = time.monotonic()
            for first in range(0, len(codes), A_PAGE):
                await self._queue(codes[first : first + A_PAGE])
        except StoreAway:
            self.moved.update(codes)
            raise
        while calls := await self._claim(AT_ONCE - len(self.sending)):
            for call in calls:
                task = asyncio.get_running_loop().create_task(self._handle(call))
                self.sending.add(task)
                task.add_done_callback(self.sending.discard)
                await asyncio.sleep(0)
            if len(self.sending) >= AT_ONCE:
                await asyncio.wait(self.sending, return_when=asyncio.FIRST_COMPLETED)

    async def _missed(self) -> list[str]:
        """Return the tables whose last events no process has noted, page by page."""
        missed, last = list[str](), ""
        while rows := await self.rows.query(
            f"SELECT code, min(seen), {_SEEN} FROM calls WHERE code > ? GROUP BY code"
            f" ORDER BY code LIMIT {A_PAGE}",
            last,
        ):
            missed += [code for code, seen, now in rows if seen < now]
            last = rows[-1][0]
        return missed

    async def _queue(self, codes: Sequence[str]) -> None:
        due = int(time.time()) + DELAY
        marks = ", ".join("?" for _ in codes)
        if not await self.rows.query(
            f"SELECT 1 FROM calls WHERE code IN ({marks}) LIMIT 1", *codes
        ):
            return
        await self.rows.query(
            f"UPDATE calls SET seen = {_SEEN}, due = CASE WHEN due IS NULL OR due > ? THEN ?"
            f" ELSE due END WHERE code IN ({marks})",
            *(due, due, *codes),
        )

    async def _claim(self, most: int) -> list[Call]:
        now = int(time.time())
        rows = await self.rows.query(
            "UPDATE calls SET due = ? WHERE due <= ? AND (code, target, key) IN"
            " (SELECT code, target, key FROM calls WHERE due <= ? ORDER BY due LIMIT ?)"
            " RETURNING code, target, key, notified, notified_at",
            *(now + LEASE, now, now, max(0, most)),
        )
        return [Call(code, target, bytes(key), *rest) for code, target, key, *rest in rows]

    async def _handle(self, call: Call) -> None:
        with suppress(StoreAway):
            try:
                await self._answer(call)
            except RefusalError as refusal:
                log_event("notice_dropped", table=call.code, reason=refusal.reason)
                if refusal.reason == "no_such_table":
                    await self._forget(call)
            except Exception:  # tried again after the lease
                log_exception("notice_failed", table=call.code)

    async def _answer(self, call: Call) -> None:
        device = await self._device(call.target)
        if device is None:
            await self._forget(call)
            return
        table = await self.find_table(call.code)
        async with table.lock:
            await table.be_certain()
            seat = seat_of(table, call.key)
            if seat is None or table.master.over:
                found: Later | Notice | None = None
            else:
                found = self._wanted(table, seat, call, device)
            plain = b"" if seat is None else message(table, seat, device.language)
        if found is None:
            await self._forget(call)
        elif isinstance(found, Later):
            await self._look_later(call, found.due)
        else:
            await self._send(call, device, found, plain)

    def _wanted(self, table: Table, seat: int, call: Call, device: Device) -> Later | Notice:
        """Return the notice for a person, or when to look again."""
        now = int(time.time())
        log, shared = table.master.log, self.context.store.shared
        waits = seat in table.master.waits_for() and not table.master.hidden
        if not waits:
            return Later(None)
        if any(other.open for other in table.record.seats):
            return Later(now + HOUR)  # a killed process may not have noted who has joined
        if shared and table.presence.age < REPEAT + 2:  # other processes have not announced theirs
            return Later(now + int(REPEAT) + 2)
        if seat not in table.absent():
            return Later(now + STILL_HERE)
        turn = log.turn_of(seat)
        notified = call.notified != NO_TURN and (
            turn <= call.notified or not log.acted(seat, call.notified)
        )
        if notified:
            if not device.remind or not call.notified_at:
                return Later(None)
            remind_at = call.notified_at + device.remind * HOUR
            if now < remind_at:
                return Later(remind_at)
        later = max(quiet_end(device, now), device.retry_at, self._service_free(device.endpoint))
        if later > now:
            return Later(later)
        if not self.notices.take(table.record.code):
            return Later(now + int(NOTICE_SECONDS))
        return Notice(turn, notified)

    def _service_free(self, endpoint: str) -> int:
        return int(self.paused.get(urlsplit(endpoint).netloc, 0.0))

    async def _send(self, call: Call, device: Device, notice: Notice, plain: bytes) -> None:
        from foxclover.server.notify import web_push

        outgoing = self.context.outgoing
        assert outgoing is not None
        headers = {
            "authorization": web_push.authorization(
                await self.book.key(), device.endpoint, self.contact, time.time()
            ),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(TTL),
            "urgency": "normal",
            "topic": call.code,  # a newer notice replaces one that was not delivered yet
        }
        body = web_push.encrypt(plain, web_push.Receiver(device.public, device.auth))
        answer = await outgoing.post(device.endpoint, headers, body)
        await self._record(call, device, notice, answer)

    async def _record(self, call: Call, device: Device, notice: Notice, answer: Answer) -> None:
        now, service = int(time.time()), urlsplit(device.endpoint).netloc
        log_event("notice", table=call.code, service=service, status=answer.status)
        if answer.ok:
            self.failed.pop(service, None)
            await self.rows.query(
                "UPDATE push_devices SET failures = 0, retry_at = 0 WHERE id = ?", call.target
            )
            again = now + device.remind * HOUR if device.remind and not notice.reminder else None
            await self.rows.query(
                "UPDATE calls SET notified = ?, notified_at = ? WHERE code = ? AND target = ?"
                " AND key = ?",
                *(notice.turn, 0 if notice.reminder else now, call.code, call.target, call.key),
            )
            await self._look_later(call, again)
            return
        if answer.status in GONE or device.failures + 1 >= MOST_FAILURES:
            await self.rows.transact(partial(remove_target, call.target))
            return
        if not answer.status or answer.status >= 500:
            self.failed[service] = self.failed.get(service, 0) + 1
            if self.failed[service] >= FAILURES_OF_SERVICE:
                self.paused[service] = now + PAUSED_SECONDS
                self.failed.pop(service)
        wait = min(LAST_RETRY, max(FIRST_RETRY * 2**device.failures, answer.retry_after))
        await self.rows.query(
            "UPDATE push_devices SET failures = failures + 1, retry_at = ? WHERE id = ?",
            now + wait,
            call.target,
        )
        await self._look_later(call, now + wait)

    async def _look_later(self, call: Call, due: int | None) -> None:
        """Release a call, unless a move has queued it again meanwhile."""
        await self.rows.query(
            "UPDATE calls SET due = ? WHERE code = ? AND target = ? AND key = ? AND due > ?",
            *(due, call.code, call.target, call.key, int(time.time()) + DELAY),
        )

    async def _forget(self, call: Call) -> None:
        await self.rows.query(
            "DELETE FROM calls WHERE code = ? AND target = ? AND key = ?",
            *(call.code, call.target, call.key),
        )

    async def _device(self, target: str) -> Device | None:
        found = await self.rows.query(
            f"SELECT {', '.join(Device._fields)} FROM push_devices WHERE id = ?", target
        )
        if not found:
            return None
        device = Device(*found[0])
        return device._replace(public=bytes(device.public), auth=bytes(device.auth))


def seat_of(table: Table, key: bytes) -> int | None:
    """Return the seat of a key, ``None`` after its holder has left."""
    return next((seat for seat, held in enumerate(table.record.seats) if held.key == key), None)


def quiet_end(device: Device, now: int) -> int:
    """Return when the quiet hours of a device end, 0 outside of them."""
    start, end = device.quiet_from, device.quiet_until
    minute = (now // 60 + device.utc_offset) % MINUTES_OF_DAY
    length = (end - start) % MINUTES_OF_DAY
    if (minute - start) % MINUTES_OF_DAY >= length:
        return 0
    return now - now % 60 + (end - minute) % MINUTES_OF_DAY * 60


def message(table: Table, seat: int, language: str) -> bytes:
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
    ).encode()
