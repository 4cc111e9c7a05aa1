"""Reports of players about names and results that strangers see, for the operator.

A report names a person on a leaderboard or in a group, or a group. It is stored with the hash of
the reporting device, so that each device counts once and can be deleted.
"""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from foxclover.server.errors import RefusalError, require
from foxclover.server.logs import log_event
from foxclover.server.protocol.identifiers import normalize_code, token_key
from foxclover.server.protocol.people import ExportedReport, Report
from foxclover.server.stores.sql import insert
from foxclover.server.stores.store import Rows, Steps

PERSON, GROUP = "person", "group"
MOST_OPEN = 10_000  # reports that wait for the operator
MOST_OF_DEVICE = 20  # of these, from one device
KEPT_SECONDS = 30 * 86_400  # after a report was closed
COLUMNS = "target, kind, name, why, at, reporter"


async def report(rows: Rows, request: Report) -> None:
    """Store a report; the same one again changes nothing."""
    stored = await rows.transact(partial(_report, request, token_key(request["token"])))
    if stored:
        log_event("reported", kind=stored, why=request["why"])


def _report(request: Report, device: bytes) -> Steps[str]:
    kind, targets = yield from _targets(request, device)
    if not targets:
        raise RefusalError("not_reportable")
    ((waiting,),) = yield ("SELECT count(*) FROM reports WHERE closed IS NULL",)
    ((own,),) = yield (
        "SELECT count(*) FROM reports WHERE closed IS NULL AND reporter = ?",
        device,
    )
    require(waiting < MOST_OPEN and own < MOST_OF_DEVICE, "too_many_reports")
    stored = False
    for target in targets:
        row = target, kind, request["shown"], request["why"], int(time.time()), device
        stored |= bool((yield insert("reports", COLUMNS) + " RETURNING target", *row))
    return kind if stored else ""


def _targets(request: Report, device: bytes) -> Steps[tuple[str, list[str]]]:
    """Return what the request shows: the group, or the people with that name and tag."""
    shown, tag = request["shown"], request.get("tag", "")
    group = normalize_code(request.get("group", ""))
    if group:
        members = yield (
            """SELECT g.name FROM daily_groups g JOIN daily_members m ON m.code = g.code
            JOIN devices d ON d.person = m.person WHERE g.code = ? AND d.key = ?""",
            group,
            device,
        )
        if not members:
            raise RefusalError("unknown_group")
        if "tag" not in request:
            return GROUP, [group] if members[0][0] == shown else []
        found = yield (
            """SELECT p.id FROM daily_members m JOIN people p ON p.id = m.person
            WHERE m.code = ? AND p.name = ? AND p.tag = ?""",
            *(group, shown, tag),
        )
    else:
        found = yield (
            """SELECT p.id FROM dailies d JOIN people p ON p.id = d.person
            WHERE d.day = ? AND d.game = ? AND p.name = ? AND p.tag = ?""",
            *(request.get("day", ""), request.get("game", ""), shown, tag),
        )
    return PERSON, [person for (person,) in found]


async def listed(rows: Rows, limit: int) -> list[dict[str, Any]]:
    """Return the open reports by target, most reported first."""
    found = await rows.query(
        """SELECT r.target, r.kind, coalesce(p.name, g.name, r.name), coalesce(p.tag, ''),
            count(*), sum(CASE WHEN r.why = 'name' THEN 1 ELSE 0 END), min(r.at), max(r.at)
        FROM reports r LEFT JOIN people p ON p.id = r.target
        LEFT JOIN daily_groups g ON g.code = r.target
        WHERE r.closed IS NULL
        GROUP BY r.target, r.kind, coalesce(p.name, g.name, r.name), coalesce(p.tag, '')
        ORDER BY count(*) DESC, min(r.at), r.target LIMIT ?""",
        limit,
    )
    return [
        {
            "target": target,
            "kind": kind,
            "name": name,
            "tag": tag,
            "reports": count,
            "for_name": int(names),
            "for_cheating": count - int(names),
            "since": first,
            "last": last,
        }
        for target, kind, name, tag, count, names, first, last in found
    ]


def close(target: str) -> Steps[int]:
    """Close all open reports about a person or a group; return their number."""
    closed = yield (
        "UPDATE reports SET closed = ? WHERE target = ? AND closed IS NULL RETURNING reporter",
        int(time.time()),
        target,
    )
    return len(closed)


def move(old: str, new: str) -> Steps[None]:
    """Make the reports about a person those about another one, who has their devices now."""
    yield (
        """UPDATE reports SET target = ? WHERE target = ? AND NOT EXISTS (SELECT 1 FROM reports o
            WHERE o.target = ? AND o.name = reports.name AND o.reporter = reports.reporter)""",
        *(new, old, new),
    )


def forget_reporter(person: str) -> Steps[None]:
    """Delete the reports from the devices of a person."""
    yield (
        "DELETE FROM reports WHERE reporter IN (SELECT key FROM devices WHERE person = ?)",
        person,
    )


def tidy_reports(now: float) -> Steps[None]:
    """Delete reports that were closed long ago, and those about what no longer exists."""
    yield "DELETE FROM reports WHERE closed < ?", int(now) - KEPT_SECONDS
    yield (
        "DELETE FROM reports WHERE NOT EXISTS (SELECT 1 FROM people p WHERE p.id = reports.target)"
        " AND NOT EXISTS (SELECT 1 FROM daily_groups g WHERE g.code = reports.target)",
    )


async def exported(rows: Rows, person: str) -> list[ExportedReport]:
    """Return the reports by and about a person; those about them do not name who reported."""
    found = await rows.query(
        """SELECT name, why, at, 1 FROM reports
            WHERE reporter IN (SELECT key FROM devices WHERE person = ?)
        UNION ALL SELECT name, why, at, 0 FROM reports WHERE target = ? ORDER BY 3, 1, 4""",
        *(person, person),
    )
    return [
        {"name": name, "why": why, "at": at, "yours": bool(yours)} for name, why, at, yours in found
    ]
