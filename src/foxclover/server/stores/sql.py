"""What SQLite and PostgreSQL share: the schema, and the statements about tables."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from functools import partial
from typing import Any, Protocol

from foxclover.server.stores.store import Event, SeatRecord, Steps, Store, TableRecord

# written in the types of PostgreSQL with the table options of SQLite
_SHARED = (
    """
ALTER TABLE tables ADD COLUMN seal BYTEA;
""",
    """
ALTER TABLE tables ADD COLUMN dice TEXT NOT NULL DEFAULT '';
""",
    """
CREATE TABLE people (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, tag TEXT NOT NULL, created BIGINT NOT NULL
) STRICT;
CREATE TABLE devices (key BYTEA PRIMARY KEY, person TEXT NOT NULL) STRICT;
CREATE TABLE alongs (key BYTEA PRIMARY KEY, person TEXT NOT NULL, until BIGINT NOT NULL) STRICT;
CREATE TABLE sittings (
    code TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, key BYTEA NOT NULL,
    person TEXT NOT NULL, PRIMARY KEY (code, key)
) STRICT;
CREATE TABLE results (
    person TEXT NOT NULL, id TEXT NOT NULL, at BIGINT NOT NULL, body TEXT NOT NULL,
    transcript TEXT NOT NULL, PRIMARY KEY (person, id)
) STRICT;
CREATE INDEX devices_of_person ON devices (person);
CREATE INDEX sittings_of_person ON sittings (person);
""",
    """
ALTER TABLE tables ADD COLUMN host BYTEA;
""",
    """
ALTER TABLE tables ADD COLUMN origin TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN script TEXT NOT NULL DEFAULT '';
CREATE TABLE reviews (
    code TEXT PRIMARY KEY REFERENCES tables ON DELETE CASCADE, text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
""",
    """
CREATE TABLE secrets (name TEXT PRIMARY KEY, value BYTEA NOT NULL) STRICT;
CREATE TABLE dailies (
    day TEXT NOT NULL, game TEXT NOT NULL, person TEXT NOT NULL, code TEXT NOT NULL,
    begun BIGINT NOT NULL, score INTEGER, ended BIGINT, PRIMARY KEY (day, game, person)
) STRICT, WITHOUT ROWID;
CREATE TABLE daily_solutions (
    day TEXT NOT NULL, game TEXT NOT NULL, code TEXT NOT NULL, score INTEGER NOT NULL,
    PRIMARY KEY (day, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE daily_groups (
    code TEXT PRIMARY KEY, name TEXT NOT NULL, created BIGINT NOT NULL
) STRICT;
CREATE TABLE daily_members (
    code TEXT NOT NULL, person TEXT NOT NULL, PRIMARY KEY (code, person)
) STRICT, WITHOUT ROWID;
CREATE INDEX dailies_by_score ON dailies (day, game, score);
CREATE INDEX dailies_of_person ON dailies (person);
CREATE INDEX groups_of_person ON daily_members (person);
""",
    """
ALTER TABLE results ADD COLUMN code TEXT NOT NULL DEFAULT '';
ALTER TABLE results ADD COLUMN review TEXT NOT NULL DEFAULT '';
UPDATE results SET code = id WHERE id NOT LIKE 'import-%';
CREATE INDEX results_of_table ON results (code);
""",
    """
ALTER TABLE devices ADD COLUMN name TEXT NOT NULL DEFAULT '';
ALTER TABLE devices ADD COLUMN added BIGINT NOT NULL DEFAULT 0;
ALTER TABLE devices ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;
DROP TABLE alongs;
CREATE TABLE alongs (
    key BYTEA PRIMARY KEY, person TEXT NOT NULL, until BIGINT NOT NULL, device BYTEA,
    name TEXT NOT NULL DEFAULT '', agreed INTEGER NOT NULL DEFAULT 0,
    admitted INTEGER NOT NULL DEFAULT 0
) STRICT;
ALTER TABLE results ADD COLUMN digest TEXT NOT NULL DEFAULT '';
ALTER TABLE results ADD COLUMN size BIGINT NOT NULL DEFAULT 0;
UPDATE results SET size = length(transcript);
CREATE INDEX results_by_time ON results (person, at, id, size);
CREATE INDEX results_of_game ON results (digest, person);
CREATE TABLE copies (
    code TEXT PRIMARY KEY REFERENCES tables ON DELETE CASCADE, digest TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX copies_of_game ON copies (digest);
ALTER TABLE dailies ADD COLUMN address BYTEA;
ALTER TABLE dailies ADD COLUMN again INTEGER NOT NULL DEFAULT 0;
CREATE TABLE daily_marks (
    day TEXT NOT NULL, game TEXT NOT NULL, mark BYTEA NOT NULL, PRIMARY KEY (day, game, mark)
) STRICT, WITHOUT ROWID;
""",
    """
CREATE TABLE blocks (target TEXT PRIMARY KEY, at BIGINT NOT NULL) STRICT;
""",
    """
CREATE TABLE reports (
    target TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, why TEXT NOT NULL,
    at BIGINT NOT NULL, reporter BYTEA NOT NULL, closed BIGINT,
    PRIMARY KEY (target, name, reporter)
) STRICT, WITHOUT ROWID;
CREATE INDEX reports_of_device ON reports (reporter);
""",
    """
CREATE TABLE push_devices (
    id TEXT PRIMARY KEY, person TEXT NOT NULL, device BYTEA NOT NULL, endpoint TEXT NOT NULL,
    public BYTEA NOT NULL, auth BYTEA NOT NULL, language TEXT NOT NULL, created BIGINT NOT NULL,
    remind INTEGER NOT NULL, quiet_from INTEGER NOT NULL, quiet_until INTEGER NOT NULL,
    utc_offset INTEGER NOT NULL, failures INTEGER NOT NULL DEFAULT 0,
    retry_at BIGINT NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE calls (
    code TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, target TEXT NOT NULL,
    key BYTEA NOT NULL, seen INTEGER NOT NULL, notified INTEGER NOT NULL,
    notified_at BIGINT NOT NULL, due BIGINT, PRIMARY KEY (code, target, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX push_devices_of_person ON push_devices (person);
CREATE INDEX push_devices_of_device ON push_devices (device);
CREATE INDEX calls_of_target ON calls (target);
CREATE INDEX calls_by_time ON calls (due);
""",
    """
CREATE TABLE puzzle_players (
    person TEXT NOT NULL, game TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (person, game)
) STRICT, WITHOUT ROWID;
CREATE TABLE puzzle_attempts (
    person TEXT NOT NULL, game TEXT NOT NULL, puzzle TEXT NOT NULL, made INTEGER NOT NULL,
    at BIGINT NOT NULL, PRIMARY KEY (person, game, puzzle)
) STRICT, WITHOUT ROWID;
CREATE TABLE puzzle_ratings (
    game TEXT NOT NULL, puzzle TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (game, puzzle)
) STRICT, WITHOUT ROWID;
""",
    """
ALTER TABLE tables ADD COLUMN days INTEGER NOT NULL DEFAULT 0;
""",
    """
CREATE TABLE webhooks (
    id TEXT PRIMARY KEY, person TEXT NOT NULL, kind TEXT NOT NULL, url TEXT NOT NULL,
    language TEXT NOT NULL, created BIGINT NOT NULL, utc_offset INTEGER NOT NULL,
    turns INTEGER NOT NULL DEFAULT 1, finished INTEGER NOT NULL DEFAULT 1,
    daily INTEGER NOT NULL DEFAULT 0, day TEXT NOT NULL, due BIGINT NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0, retry_at BIGINT NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX webhooks_of_person ON webhooks (person);
""",
    """
ALTER TABLE dailies ADD COLUMN review TEXT NOT NULL DEFAULT '';
""",
    """
CREATE TABLE notice_limits (name TEXT PRIMARY KEY, full_at BIGINT NOT NULL) STRICT;
""",
)


def _for_sqlite(statements: str) -> str:
    for postgres, sqlite in (("BYTEA", "BLOB"), ("BIGINT", "INTEGER"), (" ON DELETE CASCADE", "")):
        statements = statements.replace(postgres, sqlite)
    return statements


SQLITE_MIGRATIONS = (
    """
CREATE TABLE tables (
    code TEXT PRIMARY KEY, game TEXT NOT NULL, variant INTEGER NOT NULL, seed INTEGER,
    pace INTEGER NOT NULL, created INTEGER NOT NULL, rematch TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE seats (
    code TEXT NOT NULL REFERENCES tables, seat INTEGER NOT NULL, name TEXT NOT NULL,
    level TEXT NOT NULL, key BLOB, PRIMARY KEY (code, seat)
) STRICT, WITHOUT ROWID;
CREATE TABLE events (
    code TEXT NOT NULL REFERENCES tables, seq INTEGER NOT NULL, seat INTEGER NOT NULL, text TEXT,
    at INTEGER NOT NULL, PRIMARY KEY (code, seq)
) STRICT, WITHOUT ROWID;
""",
    """
ALTER TABLE tables ADD COLUMN invitation TEXT NOT NULL DEFAULT '';
ALTER TABLE tables ADD COLUMN finished INTEGER NOT NULL DEFAULT 0;
ALTER TABLE events ADD COLUMN number INTEGER;
UPDATE tables SET invitation = lower(hex(randomblob(16)));
""",
    *map(_for_sqlite, _SHARED),
)
"""Steps from each format of a file to the next; its format is the number of steps done."""

POSTGRES_MIGRATIONS = (
    """
CREATE TABLE tables (
    code TEXT PRIMARY KEY, game TEXT NOT NULL, variant INTEGER NOT NULL, seed BIGINT,
    pace INTEGER NOT NULL, created BIGINT NOT NULL, invitation TEXT NOT NULL, rematch TEXT,
    finished BOOLEAN NOT NULL
);
CREATE TABLE seats (
    code TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, seat INTEGER NOT NULL,
    name TEXT NOT NULL, level TEXT NOT NULL, key BYTEA, PRIMARY KEY (code, seat)
);
CREATE TABLE events (
    code TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, seq INTEGER NOT NULL,
    seat INTEGER NOT NULL, text TEXT, at BIGINT NOT NULL, number BIGINT, PRIMARY KEY (code, seq)
);
""",
    *(re.sub(r"\) STRICT(, WITHOUT ROWID)?;", ");", step) for step in _SHARED),
)
"""Steps from each format of a database to the next; the table ``format`` counts those done."""

COPIED_TABLES = {
    "people": "id, name, tag, created",
    "devices": "key, person, name, added, seen",
    "alongs": "key, person, until, device, name, agreed, admitted",
    "sittings": "code, key, person",
    "results": "person, id, at, body, transcript, code, review, digest, size",
    "copies": "code, digest",
    "secrets": "name, value",
    "dailies": "day, game, person, code, begun, score, ended, address, again, review",
    "daily_marks": "day, game, mark",
    "daily_solutions": "day, game, code, score",
    "daily_groups": "code, name, created",
    "daily_members": "code, person",
    "blocks": "target, at",
    "reports": "target, kind, name, why, at, reporter, closed",
    "push_devices": "id, person, device, endpoint, public, auth, language, created, remind,"
    " quiet_from, quiet_until, utc_offset, failures, retry_at",
    "calls": "code, target, key, seen, notified, notified_at, due",
    "webhooks": "id, person, kind, url, language, created, utc_offset, turns, finished, daily, day,"
    " due, failures, retry_at",
    "puzzle_players": "person, game, body",
    "puzzle_attempts": "person, game, puzzle, made, at",
    "puzzle_ratings": "game, puzzle, body",
}
"""Tables about people and days with their columns, copied row by row from store to store."""

PARTS_OF_TABLE = ("calls", "copies", "reviews", "sittings", "events", "seats", "tables")
"""SQL tables with rows of a game table, in the order of deletion."""

COLUMNS = (
    "code, game, variant, seed, pace, created, invitation, rematch, finished, seal, dice, host,"
    " origin, script, days"
)
_EVENTS = "INSERT INTO events (code, seq, seat, text, at, number) VALUES "
_ROWS_OF_STATEMENT = 500  # both databases bind at least 32,766 values
_KEPT_NAMES = """UPDATE seats SET name = coalesce(
        (SELECT o.name FROM seats o WHERE o.code = ? AND o.key = seats.key), name)
    WHERE code = ? AND key IS NOT NULL"""

_SEATED = "code = ? AND key IN (SELECT key FROM seats WHERE code = ?)"
_KEPT_SITTINGS = f"""INSERT INTO sittings (code, key, person)
    SELECT CAST(? AS TEXT), key, person FROM sittings WHERE {_SEATED}"""
_KEPT_CALLS = f"""INSERT INTO calls (code, target, key, seen, notified, notified_at, due)
    SELECT CAST(? AS TEXT), target, key, 0, -1, 0, CAST(? AS BIGINT) FROM calls WHERE {_SEATED}"""
REMATCH_NOTICE = 60  # seconds until a rematch calls those who still look at the game before it


def event_rows(code: str, seq: int, events: Sequence[Event]) -> list[tuple[Any, ...]]:
    """Return the rows of events that follow the first ``seq`` events of a table."""
    return [
        (code, place, event.seat, event.text, event.at, event.number)
        for place, event in enumerate(events, start=seq)
    ]


def insert(table: str, columns: str) -> str:
    """Return a statement that inserts a row, unless there is one with its key."""
    marks = ", ".join("?" for _ in columns.split(", "))
    return f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING"


def insert_events(rows: Sequence[tuple[Any, ...]]) -> tuple[str, list[Any]]:
    """Return one statement that inserts rows of events, and its values."""
    marks = ", ".join(["(?, ?, ?, ?, ?, ?)"] * len(rows))
    return _EVENTS + marks, [value for row in rows for value in row]


def remove_table(code: str) -> Steps[None]:
    """Delete every row of a table."""
    for part in PARTS_OF_TABLE:
        yield f"DELETE FROM {part} WHERE code = ?", code


def settle(done: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    """Answer a request, unless nobody waits for it any more."""
    if done.done():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)


class SqlStore(Store, Protocol):
    """The part of a ``Store`` that needs no more than ``query`` and ``transact``."""

    keeps_people: bool = True

    async def create(self, table: TableRecord) -> bool:
        return await self.transact(partial(_create, table))

    async def change_seat(
        self, code: str, seat: int, before: SeatRecord, after: SeatRecord
    ) -> bool:
        key = "key IS NULL" if before.key is None else "key = ?"
        return bool(
            await self.query(
                f"""UPDATE seats SET name = ?, level = ?, key = ?
                WHERE code = ? AND seat = ? AND name = ? AND level = ? AND {key} RETURNING seat""",
                *(after.name, after.strength, after.key, code, seat, before.name, before.strength),
                *([] if before.key is None else [before.key]),
            )
        )

    async def set_pace(self, code: str, pace: int) -> None:
        await self.query("UPDATE tables SET pace = ? WHERE code = ?", pace, code)

    async def open_rematch(self, code: str, successor: TableRecord) -> str | None:
        return await self.transact(partial(_open_rematch, code, successor))

    async def review(self, code: str) -> str | None:
        found = await self.query("SELECT text FROM reviews WHERE code = ?", code)
        return str(found[0][0]) if found else None

    async def keep_review(self, code: str, text: str) -> None:
        # The table may have been deleted while its game was reviewed.
        await self.query(
            "INSERT INTO reviews (code, text) SELECT code, CAST(? AS TEXT) FROM tables"
            " WHERE code = ? ON CONFLICT (code) DO UPDATE SET text = excluded.text",
            text,
            code,
        )

    async def codes(self) -> AsyncIterator[str]:
        for (code,) in await self.query("SELECT code FROM tables ORDER BY code"):
            yield code

    async def untouched(self, since: int) -> list[str]:
        rows = await self.query(
            """SELECT code FROM tables WHERE NOT finished AND created < ? AND coalesce((
                SELECT at FROM events WHERE events.code = tables.code ORDER BY seq DESC LIMIT 1
            ), 0) < ?""",
            since,
            since,
        )
        return [code for (code,) in rows]

    async def remove(self, code: str) -> None:
        await self.transact(partial(remove_table, code))


def _create(table: TableRecord) -> Steps[bool]:
    values = [getattr(table, column) for column in COLUMNS.split(", ")]
    if not (yield insert("tables", COLUMNS) + " RETURNING code", *values):
        return False
    statement = "INSERT INTO seats (code, seat, name, level, key) VALUES (?, ?, ?, ?, ?)"
    for number, seat in enumerate(table.seats):
        yield statement, table.code, number, seat.name, seat.strength, seat.key
    rows = event_rows(table.code, 0, table.events)
    for first in range(0, len(rows), _ROWS_OF_STATEMENT):
        statement, events = insert_events(rows[first : first + _ROWS_OF_STATEMENT])
        yield statement, *events
    return True


def _open_rematch(code: str, successor: TableRecord) -> Steps[str | None]:
    found = yield "SELECT rematch FROM tables WHERE code = ?", code
    if found and found[0][0] is not None:
        return str(found[0][0])
    if not (yield from _create(successor)):
        return None
    yield "UPDATE tables SET rematch = ? WHERE code = ?", successor.code, code
    # the process that opens the rematch may still know a name that was deleted meanwhile
    yield _KEPT_NAMES, code, successor.code
    yield _KEPT_SITTINGS, successor.code, code, successor.code
    due = successor.created + REMATCH_NOTICE
    yield _KEPT_CALLS, successor.code, due, code, successor.code
    yield "UPDATE calls SET due = ? WHERE code = ?", successor.created, code  # may end now
    return successor.code
