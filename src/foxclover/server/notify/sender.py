"""Call people whose turn it is: find calls that are due, claim them, send them.

Nothing here delays a move: a table only notes that something happened. What a killed process has
not sent is found again by comparing each call with the events of its table. Several processes may
look at one store: a call is claimed by moving its ``due`` into the future, so that one of them
sends it, and another one after a while if the first has failed.
"""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from foxclover.dice.daily import day_of
from foxclover.locale import catalogue
from foxclover.server.errors import RefusalError
from foxclover.server.logs import log_event, log_exception
from foxclover.server.notify.calls import (
    MINUTES_OF_DAY,
    CallBook,
    Device,
    message,
    quiet_end,
    remove_target,
)
from foxclover.server.notify.shared_limits import SharedBuckets, drop_full
from foxclover.server.notify.webhooks import (
    NO_TURN,
    WebhookBook,
    WebhookRow,
    request_of,
    result_text,
    seat_set,
    turn_text,
)
from foxclover.server.stores.store import StoreAway
from foxclover.server.tables.seating import REPEAT
from foxclover.server.tables.table import Table

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from foxclover.server.outgoing import Answer, Outgoing

PAUSE = 2.0  # seconds between two looks
DELAY = 10  # seconds from a move to its notice, longer than a request may take
LEASE = 120  # seconds until another process may try a call again
SCAN_EVERY = 60.0  # seconds between comparisons of all calls with the events
A_PAGE = 500  # rows that one statement reads
AT_ONCE = 64  # requests
BETWEEN = 0.02  # seconds between two calls
GIVE_WAY, LONGEST_WAY = 8, 2.0  # waits so many times the delay of the event loop, seconds at most
CLOSING_SECONDS = 2.0  # for requests under way to end when the server stops
STILL_HERE = 60  # seconds until an open page is checked again
MOST_FAILURES = 10  # in a row until a subscription counts as dead
FIRST_RETRY, LAST_RETRY = 30, 6 * 3_600  # seconds
PAUSED_SECONDS = 60  # of a push service that does not answer
FAILURES_OF_SERVICE = 5  # in a row until it is paused
NOTICES_OF_TABLE, NOTICE_SECONDS = 30, 60.0  # at once, then one in so many seconds
NOTICES_OF_TARGET, TARGET_SECONDS = 60, 30.0  # of a device or a webhook
MORNING = 8 * 60  # minute of the day: webhooks announce the daily challenge from then on
TTL = 7 * 86_400  # seconds for which a push service keeps a notice
GONE = (404, 410)
HOUR = 3_600
REMATCH_SECONDS = 7 * 86_400  # for which a finished game keeps its calls for a rematch
WARNING = 6 * 3_600  # seconds before a stand-in acts: the latest reminder
_SEEN = "coalesce((SELECT max(seq) + 1 FROM events e WHERE e.code = calls.code), 0)"


class Call(NamedTuple):
    """A claimed call."""

    code: str
    target: str
    key: bytes
    notified: int  # the turn of the last notice
    notified_at: int  # when, 0 after a reminder; of a webhook: the seats it named, as bits

    @property
    def row(self) -> tuple[str, str, bytes]:
        """What identifies its row."""
        return self.code, self.target, self.key


class Later(NamedTuple):
    """When to look at a call again, ``None`` after the next move only."""

    due: int | None


class Notice(NamedTuple):
    """A notice to send: the turn it is about, and what to store after it."""

    turn: int
    notified_at: int
    again: int | None = None  # when to look at the call again


class Sender:
    """Look for calls that are due, again and again."""

    def __init__(
        self,
        book: CallBook,
        webhooks: WebhookBook,
        find_table: Callable[[str], Awaitable[Table]],
        contact: str,
    ) -> None:
        self.book = book
        self.webhooks = webhooks
        self.context = book.context
        self.rows = book.context.store.patient
        self.find_table = find_table
        self.contact = contact
        self.moved: set[str] = set()  # codes of tables with new events
        self.sending: dict[asyncio.Task[None], Call] = {}
        self.of_tables = SharedBuckets(self.rows, "table", NOTICES_OF_TABLE, NOTICE_SECONDS)
        self.of_targets = SharedBuckets(self.rows, "target", NOTICES_OF_TARGET, TARGET_SECONDS)
        self.paused: dict[str, float] = {}  # push services, and until when
        self.failed: dict[str, int] = {}  # push services, and how often in a row
        self._scanned = float("-inf")

    async def run(self) -> None:
        """Send until the server stops."""
        if self.context.outgoing is None:
            return
        from foxclover.server.notify import web_push  # noqa: F401 - imported before players wait

        self.context.outgoing.prepare()
        self.context.moved = self.moved.add
        try:
            while True:
                try:
                    await self.look()
                except StoreAway:
                    pass
                except Exception:
                    log_exception("notices_failed")
                await asyncio.sleep(PAUSE)
        finally:  # what was sent but not recorded would be sent again
            if self.sending:
                await asyncio.wait(self.sending, timeout=CLOSING_SECONDS)
            for task in self.sending:
                task.cancel()

    async def look(self) -> None:
        """Queue the calls of tables where something happened, and send those that are due."""
        codes = list(self.moved)
        try:
            if time.monotonic() - self._scanned >= SCAN_EVERY:
                codes += await self._missed()
                await self._announce_day()
                await drop_full(self.rows)
                self._scanned = time.monotonic()
            # A call that is being sent would be sent again: its table is queued afterwards.
            codes = list({*codes} - {call.code for call in self.sending.values()})
            self.moved.difference_update(codes)
            for first in range(0, len(codes), A_PAGE):
                await self._queue(codes[first : first + A_PAGE])
        except StoreAway:
            self.moved.update(codes)
            raise
        while calls := await self._claim(AT_ONCE - len(self.sending)):
            for call in calls:
                if call.row in {other.row for other in self.sending.values()}:
                    self.moved.add(call.code)  # its settings have changed meanwhile
                    continue
                task = asyncio.get_running_loop().create_task(self._handle(call))
                self.sending[task] = call
                task.add_done_callback(self.sending.pop)
                await _give_way()
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
            except StoreAway:
                raise
            except Exception:  # tried again after the lease
                log_exception("notice_failed", table=call.code)

    async def _answer(self, call: Call) -> None:
        receiver = await self._receiver(call.target)
        if receiver is None:
            await self._forget(call)
            return
        table = await self.find_table(call.code)
        async with table.lock:
            await table.be_certain()
            seat, content = seat_of(table, call.key), ""
            found: Later | Notice | None = None
            if seat is None:
                pass
            elif isinstance(receiver, WebhookRow):
                found, content = self._wanted_by_group(table, call, receiver)
            elif table.master.over:
                found = until_rematch(table)
            else:
                found = self._wanted(table, seat, call, receiver)
                content = message(table, seat, receiver.language)
        if isinstance(found, Notice):
            found = await self._held_back(call, receiver) or found
        if found is None:
            await self._forget(call)
        elif isinstance(found, Later):
            await self._look_later(call, found.due)
        else:
            answer = await (
                self._push(call, receiver, content)
                if isinstance(receiver, Device)
                else self._write(receiver, content, f"t/{call.code}")
            )
            await self._record(call, receiver, found, answer)

    def _wanted_by_group(
        self, table: Table, call: Call, webhook: WebhookRow
    ) -> tuple[Later | Notice | None, str]:
        """Return the notice for a chat with its text, or when to look again."""
        master, translate = table.master, catalogue(webhook.language)
        if master.hidden:
            return Later(None), ""
        if master.over:
            if webhook.finished and call.notified < master.seq:
                return Notice(master.seq, 0, int(time.time())), result_text(table, translate)
            return until_rematch(table), ""
        waits = master.waits_for()
        known = [
            seat
            for seat in waits
            if call.notified_at >> seat & 1
            and (
                master.log.turn_of(seat) <= call.notified
                or not master.log.acted(seat, call.notified)
            )
        ]
        due = [seat for seat in waits if seat not in known]
        if not due or not webhook.turns:
            return Later(None), ""
        if later := self._not_yet(table):
            return later, ""
        absent = table.absent()
        named = [seat for seat in due if seat in absent]
        if not named:
            return Later(int(time.time()) + STILL_HERE), ""
        turn = max(map(master.log.turn_of, waits))
        again = int(time.time()) + STILL_HERE if len(named) < len(due) else None
        return Notice(turn, seat_set([*known, *named]), again), turn_text(table, named, translate)

    def _not_yet(self, table: Table) -> Later | None:
        """Return when to look again if nobody knows yet who is here."""
        now = int(time.time())
        if not table.has_begun:
            return Later(now + HOUR)  # a killed process may not have noted who has joined
        # other processes have not announced theirs
        if self.context.store.shared and table.presence.age < REPEAT + 2:
            return Later(now + int(REPEAT) + 2)
        return None

    def _wanted(self, table: Table, seat: int, call: Call, device: Device) -> Later | Notice:
        """Return the notice for a person, or when to look again."""
        now, log = int(time.time()), table.master.log
        waits = seat in table.master.waits_for() and not table.master.hidden
        if not waits:
            return Later(None)
        if later := self._not_yet(table):
            return later
        if seat not in table.absent():
            return Later(now + STILL_HERE)
        turn = log.turn_of(seat)
        notified = call.notified != NO_TURN and (
            turn <= call.notified or not log.acted(seat, call.notified)
        )
        if notified:
            if not device.remind or not call.notified_at:
                return Later(None)
            remind_at = reminder_time(table, device, call.notified_at)
            if now < remind_at:
                return Later(remind_at)
        if (end := quiet_end(device, now)) > now:
            return Later(end)
        if notified or not device.remind:
            return Notice(turn, 0 if notified else now)
        return Notice(turn, now, reminder_time(table, device, now))

    async def _held_back(self, call: Call, receiver: Device | WebhookRow) -> Later | None:
        """Return when to send a notice if that is not now: after failures, or by a limit."""
        now = int(time.time())
        free = int(self.paused.get(urlsplit(receiver.endpoint).netloc, 0.0))
        if (later := max(receiver.retry_at, free)) > now:
            return Later(later)
        if not await self.of_tables.take(call.code):
            return Later(now + int(NOTICE_SECONDS))
        if not await self.of_targets.take(call.target):
            return Later(now + int(TARGET_SECONDS))
        return None

    async def _announce_day(self) -> None:
        """Write to the chats that want to know of the new daily challenge, each in its morning."""
        now, today = int(time.time()), day_of(time.time())
        while claimed := await self.rows.query(
            "UPDATE webhooks SET due = ? WHERE due <= ? AND daily = 1 AND id IN (SELECT id FROM"
            " webhooks WHERE daily = 1 AND day < ? AND due <= ? AND retry_at <= ?"
            " AND (utc_offset + ?) % ? >= ? LIMIT ?) RETURNING id",
            *(now + LEASE, now, today, now, now),
            *(now // 60 % MINUTES_OF_DAY + MINUTES_OF_DAY, MINUTES_OF_DAY, MORNING, AT_ONCE),
        ):
            await asyncio.gather(*(self._announce_day_to(target, today) for (target,) in claimed))

    async def _announce_day_to(self, target: str, today: str) -> None:
        webhook = await self._receiver(target)
        if not isinstance(webhook, WebhookRow):
            return
        text = catalogue(webhook.language)("server.webhook.daily")
        answer = await self._write(webhook, text, "daily")
        await self._count(target, webhook, answer)
        if answer.ok:
            await self.rows.query("UPDATE webhooks SET day = ? WHERE id = ?", today, target)
        await self.rows.query("UPDATE webhooks SET due = 0 WHERE id = ?", target)

    @property
    def _outgoing(self) -> Outgoing:
        outgoing = self.context.outgoing
        assert outgoing is not None
        return outgoing

    async def _write(self, webhook: WebhookRow, text: str, path: str) -> Answer:
        """Write a text with the address of a page to a chat."""
        return await self._outgoing.send(*request_of(webhook, text, self.webhooks.link(path)))

    async def _push(self, call: Call, device: Device, text: str) -> Answer:
        """Send an encrypted notice to a device."""
        from foxclover.server.notify import web_push

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
        body = web_push.encrypt(text.encode(), web_push.Receiver(device.public, device.auth))
        return await self._outgoing.send(device.endpoint, headers, body)

    async def _record(
        self, call: Call, receiver: Device | WebhookRow, notice: Notice, answer: Answer
    ) -> None:
        if (again := await self._count(call.target, receiver, answer, table=call.code)) is None:
            call = call._replace(notified=notice.turn, notified_at=notice.notified_at)
            again = notice.again
        await self._look_later(call, again)

    async def _count(
        self, target: str, receiver: Device | WebhookRow, answer: Answer, **facts: str
    ) -> int | None:
        """Store whether a request failed; return when to repeat it, delete a dead address."""
        now, service = int(time.time()), urlsplit(receiver.endpoint).netloc
        rows = "push_devices" if isinstance(receiver, Device) else "webhooks"
        log_event("notice", service=service, status=answer.status, **facts)
        if answer.ok:
            self.failed.pop(service, None)
            if receiver.failures:
                await self.rows.query(
                    f"UPDATE {rows} SET failures = 0, retry_at = 0 WHERE id = ?", target
                )
            return None
        if answer.status in GONE or receiver.failures + 1 >= MOST_FAILURES:
            await self.rows.transact(partial(remove_target, target))
            return None
        if not answer.status or answer.status >= 500:
            self.failed[service] = self.failed.get(service, 0) + 1
            if self.failed[service] >= FAILURES_OF_SERVICE:
                self.paused[service] = now + PAUSED_SECONDS
                self.failed.pop(service)
        wait: int = min(LAST_RETRY, max(FIRST_RETRY * 2**receiver.failures, answer.retry_after))
        await self.rows.query(
            f"UPDATE {rows} SET failures = failures + 1, retry_at = ? WHERE id = ?",
            now + wait,
            target,
        )
        return now + wait

    async def _look_later(self, call: Call, due: int | None) -> None:
        """Store what a call knows, and release it unless a move has queued it again meanwhile."""
        await self.rows.query(
            "UPDATE calls SET notified = ?, notified_at = ?, due = CASE WHEN due > ? THEN ?"
            " ELSE due END WHERE code = ? AND target = ? AND key = ?",
            *(call.notified, call.notified_at, int(time.time()) + DELAY, due),
            *call.row,
        )

    async def _forget(self, call: Call) -> None:
        await self.rows.query(
            "DELETE FROM calls WHERE code = ? AND target = ? AND key = ?",
            *call.row,
        )

    async def _receiver(self, target: str) -> Device | WebhookRow | None:
        found = await self.rows.query(
            f"SELECT {', '.join(Device._fields)} FROM push_devices WHERE id = ?", target
        )
        if found:
            device = Device(*found[0])
            return device._replace(public=bytes(device.public), auth=bytes(device.auth))
        found = await self.rows.query(
            f"SELECT {', '.join(WebhookRow._fields)} FROM webhooks WHERE id = ? AND NOT EXISTS"
            " (SELECT 1 FROM blocks b WHERE b.target = webhooks.person)",
            target,
        )
        return WebhookRow(*found[0]) if found else None


async def _give_way() -> None:
    """Wait until the event loop has handled moves, longer the busier it is."""
    began = time.monotonic()
    await asyncio.sleep(BETWEEN)
    late = time.monotonic() - began - BETWEEN
    await asyncio.sleep(min(LONGEST_WAY, GIVE_WAY * late))


def seat_of(table: Table, key: bytes) -> int | None:
    """Return the seat of a key, ``None`` after its holder has left."""
    return next((seat for seat, held in enumerate(table.record.seats) if held.key == key), None)


def until_rematch(table: Table) -> Later | None:
    """Return when to forget the call of a finished game, ``None`` for now.

    A rematch copies the calls of its game.
    """
    end = table.master.log.last_public_at(table.record.created) + REMATCH_SECONDS
    return None if table.record.rematch or end <= time.time() else Later(end)


def reminder_time(table: Table, device: Device, notified_at: int) -> int:
    """Return when to send a reminder: after the chosen time, but in time before a stand-in acts."""
    chosen, deadline = notified_at + device.remind * HOUR, table.master.deadline()
    if deadline is None:
        return chosen
    return min(chosen, max(deadline - WARNING, notified_at + HOUR))
