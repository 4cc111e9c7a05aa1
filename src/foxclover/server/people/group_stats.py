"""Compare the members of a group.

Count the games they have finished together and compare their daily challenges.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from itertools import combinations
from typing import Any

from foxclover.server.errors import RefusalError
from foxclover.server.people.history import History
from foxclover.server.people.people import Known
from foxclover.server.protocol.identifiers import normalize_code
from foxclover.server.protocol.people import GroupGame, GroupPair, Together
from foxclover.server.stores.store import Rows

GAMES = 500  # most recent shared games that are counted
DAYS = 1_000  # most recent daily results that are counted
SHOWN = 20  # games listed in an answer
AT_ONCE = 10  # members whose tables are read per answer


async def together(history: History, code: str, you: Known | None) -> Together:
    """Return the shared games and the comparison of a group's members, for one of them.

    Raises ``RefusalError`` if ``you`` is not a member.
    """
    rows, plain = history.rows, normalize_code(code)
    statement = (
        "SELECT p.id, p.name, p.tag FROM daily_members m JOIN people p ON p.id = m.person"
        " WHERE m.code = ? ORDER BY p.name, p.id"
    )
    members = await rows.query(statement, plain)
    numbers = {person: number for number, (person, _, _) in enumerate(members)}
    if you is None or you.person not in numbers:
        raise RefusalError("unknown_group")
    await _gather(history, plain)
    games = await _games(rows, plain)
    days, best = await _days(rows, plain)
    played, won = Counter[str](), Counter[str]()
    pairs: dict[tuple[int, int], GroupPair] = {}
    told: list[GroupGame] = []
    for table, at, body, seats in games:
        first = min(body["places"][seat] for seat in seats.values())
        for person, seat in seats.items():
            played[person] += 1
            won[person] += body["places"][seat] == first
        for one, other in combinations(sorted(seats, key=numbers.__getitem__), 2):
            pair = numbers[one], numbers[other]
            found = pairs.setdefault(
                pair, {"one": pair[0], "other": pair[1], "games": 0, "ahead": 0, "behind": 0}
            )
            mine, his = body["places"][seats[one]], body["places"][seats[other]]
            found["games"] += 1
            found["ahead"] += mine < his
            found["behind"] += mine > his
        told.append(
            _told(table, at, body, {seat: numbers[person] for person, seat in seats.items()})
        )
    return {
        "members": [
            {
                "name": name,
                "tag": tag,
                "you": person == you.person,
                "games": played[person],
                "won": won[person],
                "days": days[person],
                "best": best[person],
            }
            for person, name, tag in members
        ],
        "pairs": sorted(pairs.values(), key=lambda pair: -pair["games"]),
        "games": told[:SHOWN],
    }


async def _gather(history: History, code: str) -> None:
    """Read the members' tables that have finished since the last call."""
    statement = (
        "SELECT DISTINCT s.person FROM daily_members m JOIN sittings s ON s.person = m.person"
        " JOIN tables t ON t.code = s.code\n"
        "        WHERE m.code = ? AND t.finished AND NOT EXISTS (SELECT 1 FROM results r"
        " WHERE r.person = s.person AND r.id = s.code)\n"
        f"        LIMIT {AT_ONCE}"
    )
    for (person,) in await history.rows.query(statement, code):
        await history.gather(person)


async def _games(rows: Rows, code: str) -> list[tuple[str, int, Any, dict[str, int]]]:
    """Return the tables that at least two members played at.

    Each entry has the code, the end time, the summary, and the members' seats.
    """
    shared = (
        "SELECT r.code FROM results r JOIN daily_members m ON m.person = r.person"
        " WHERE m.code = ? AND r.code <> ''\n"
        f"        GROUP BY r.code HAVING count(*) > 1 ORDER BY max(r.at) DESC LIMIT {GAMES}"
    )
    statement = (
        "SELECT r.code, r.at, r.body, r.person FROM results r"
        " JOIN daily_members m ON m.person = r.person\n"
        f"        WHERE m.code = ? AND r.code IN ({shared}) ORDER BY r.at DESC, r.code"
    )
    found: dict[str, tuple[str, int, Any, dict[str, int]]] = {}
    for table, at, text, person in await rows.query(statement, code, code):
        body = json.loads(text)
        found.setdefault(table, (table, at, body, {}))[3][person] = body["seat"]
    return list(found.values())


async def _days(rows: Rows, code: str) -> tuple[Counter[str], Counter[str]]:
    """Return the number of compared and of best daily games for each member.

    A daily game is compared if at least two members finished it. Ties count as best.
    """
    statement = (
        "SELECT d.day, d.game, d.person, d.score FROM dailies d"
        " JOIN daily_members m ON m.person = d.person\n"
        f"        WHERE m.code = ? AND d.score IS NOT NULL ORDER BY d.day DESC LIMIT {DAYS}"
    )
    scores: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for day, game, person, score in await rows.query(statement, code):
        scores[day, game][person] = score
    compared = [found for found in scores.values() if len(found) > 1]
    days = Counter(person for found in compared for person in found)
    best = Counter(
        person
        for found in compared
        for person, score in found.items()
        if score == max(found.values())
    )
    return days, best


def _told(table: str, at: int, body: Any, members: dict[int, int]) -> GroupGame:
    seats = zip(body["names"], body["levels"], body["scores"], body["places"], strict=True)
    return {
        "table": table,
        "game": body["game"],
        "at": at,
        "seats": [
            {"name": name or level, "member": members.get(seat), "score": score, "place": place}
            for seat, (name, level, score, place) in enumerate(seats)
        ],
    }
