"""Delete a person in one transaction, and clean up rows without an owner.

After the transaction no stored data leads to the person.
"""

from __future__ import annotations

import hmac
import json
from hashlib import sha256

from foxclover.dice.daily import day_of
from foxclover.server.people.finished_games import without_name
from foxclover.server.people.history import IMPORTED
from foxclover.server.people.people import DELETE_EMPTY_GROUPS, OWNED, remove_person
from foxclover.server.people.reports import forget_reporter, tidy_reports
from foxclover.server.stores.sql import insert, remove_table
from foxclover.server.stores.store import Steps

MARKS = "marks "  # prefix of the name of the secret that keys the marks of a day

OWNERLESS_SECONDS = 2 * 86_400  # a daily table is created before its owner is stored
AT_ONCE = 100  # tables removed in one call


def forget(device: bytes, client: str, now: float) -> Steps[tuple[list[str], list[str]]]:
    """Delete the person of a device, and their name at every table.

    Return the codes of changed tables and the codes of removed tables.
    """
    found = yield "SELECT person FROM devices WHERE key = ?", device
    if not found:
        return [], []
    person: str = found[0][0]
    yield from _mark_days(person, client, now)
    changed = yield from _forget_seats(person)
    changed += yield from _forget_copies(person)
    gone = yield "SELECT code FROM dailies WHERE person = ? AND code <> ''", person
    for (code,) in gone:
        yield from remove_table(code)
    yield from forget_reporter(person)
    yield from remove_person(person)
    return changed, [code for (code,) in gone]


def _mark_days(person: str, client: str, now: float) -> Steps[None]:
    """Mark the addresses and devices of a deleted person who began today's challenge.

    A later attempt from the same address or device is flagged.
    """
    begun = yield (
        "SELECT day, game, address FROM dailies WHERE person = ? AND address IS NOT NULL",
        person,
    )
    devices = yield "SELECT key FROM devices WHERE person = ?", person
    for day, game, address in begun:
        kept = yield "SELECT value FROM secrets WHERE name = ?", f"{MARKS}{day}"
        for (secret,) in kept if day >= day_of(now) else []:
            marks = {mark(bytes(secret), "device", bytes(key)) for (key,) in devices}
            marks |= {bytes(address), mark(bytes(secret), "address", client.encode())}
            for value in marks:
                yield insert("daily_marks", "day, game, mark"), day, game, value


def _forget_seats(person: str) -> Steps[list[str]]:
    """Remove the name from the person's seats and from other people's results of those games.

    Results with the same digest are copies of the game and lose the name too.
    Return the codes of the tables.
    """
    seats = yield (
        """SELECT s.code, e.seat, coalesce(r.digest, '') FROM sittings s
        JOIN seats e ON e.code = s.code AND e.key = s.key
        LEFT JOIN results r ON r.person = s.person AND r.id = s.code WHERE s.person = ?""",
        person,
    )
    for code, seat, digest in seats:
        yield "UPDATE seats SET name = '' WHERE code = ? AND seat = ?", code, seat
        kept = yield (
            """SELECT person, id, body, transcript FROM results
            WHERE (code = ? OR (digest = ? AND digest <> '')) AND person <> ?""",
            code,
            digest,
            person,
        )
        for friend, game, body, text in kept:
            nameless, written = without_name(json.loads(body), text, seat)
            yield (
                "UPDATE results SET body = ?, transcript = ?, size = ? WHERE person = ? AND id = ?",
                json.dumps(nameless, ensure_ascii=False),
                written,
                len(written.encode()),
                friend,
                game,
            )
    return [code for code, _, _ in seats]


def _forget_copies(person: str) -> Steps[list[str]]:
    """Remove names from tables that show the person's games.

    Tables with copies lose the person's name. Tables opened for imported games lose all names.
    Return the codes of the tables.
    """
    copies = yield (
        "SELECT c.code, r.body FROM results r JOIN copies c ON c.digest = r.digest"
        " WHERE r.person = ? AND r.digest <> ''",
        person,
    )
    for code, body in copies:
        seat = json.loads(body)["seat"]
        yield "UPDATE seats SET name = '' WHERE code = ? AND seat = ?", code, seat
    opened = yield (
        f"SELECT code FROM results WHERE person = ? AND code <> '' AND id LIKE '{IMPORTED}%'",
        person,
    )
    for (code,) in opened:
        yield "UPDATE seats SET name = '' WHERE code = ?", code
    return [row[0] for row in copies + opened]


def tidy(now: float, last_closed: str) -> Steps[list[str]]:
    """Remove rows without an owner, and data that was kept only until a day closed.

    Return the codes of removed tables.
    """
    for table in ("sittings", *OWNED):
        yield (
            f"DELETE FROM {table} WHERE NOT EXISTS (SELECT 1 FROM people p"
            f" WHERE p.id = {table}.person)",
        )
    yield (
        "DELETE FROM push_devices WHERE NOT EXISTS (SELECT 1 FROM people p"
        " WHERE p.id = push_devices.person)",
    )
    yield (
        "DELETE FROM calls WHERE NOT EXISTS (SELECT 1 FROM push_devices d"
        " WHERE d.id = calls.target) AND NOT EXISTS (SELECT 1 FROM webhooks w"
        " WHERE w.id = calls.target)",
    )
    yield (DELETE_EMPTY_GROUPS,)
    yield from tidy_reports(now)
    yield "DELETE FROM alongs WHERE until < ?", int(now)
    yield "DELETE FROM daily_marks WHERE day <= ?", last_closed
    yield (
        "DELETE FROM secrets WHERE name LIKE ? AND name <= ?",
        f"{MARKS}%",
        f"{MARKS}{last_closed}",
    )
    yield "UPDATE dailies SET address = NULL WHERE address IS NOT NULL AND day <= ?", last_closed
    rows = yield (
        f"""SELECT t.code FROM tables t WHERE t.dice LIKE 'daily %' AND t.created < ?
        AND NOT EXISTS (SELECT 1 FROM dailies d
            WHERE d.day = substr(t.dice, 7) AND d.game = t.game AND d.code = t.code
        UNION ALL SELECT 1 FROM daily_solutions s
            WHERE s.day = substr(t.dice, 7) AND s.game = t.game AND s.code = t.code)
        LIMIT {AT_ONCE}""",
        int(now) - OWNERLESS_SECONDS,
    )
    for (code,) in rows:
        yield from remove_table(code)
    return [code for (code,) in rows]


def mark(secret: bytes, kind: str, who: bytes) -> bytes:
    """Return the mark of an address or a device, which reveals nothing without the day's secret."""
    return hmac.digest(secret, f"{kind} ".encode() + who, sha256)
