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
    members = await rows.query(
        "SELECT p.id, p.name, p.tag FROM daily_members m JOIN people p ON p.id = m.person"
        " WHERE m.code = ? ORDER BY p.name, p.id",
        plain,
    )
    numbers = {person: number for number, (person, _, _) in enumerate(members)}
    if you is None or you.person not in numbers:
        raise RefusalError("unknown_group")
    await _gather(history, plain)
    games = await _games(rows, plain)
    days, best = await _days(rows, plain)
    played, won = Counter[str](), Counter[str]()
    pairs: dict[tuple[int, int], GroupPair] = {}
    for _, _, body, seats in games:
        places = {person: body["places"][seat] for person, seat in seats.items()}
        played.update(places.keys())
        won.update(person for person in places if places[person] == min(places.values()))
        for left, right in combinations(sorted(seats, key=numbers.__getitem__), 2):
            pair = numbers[left], numbers[right]
            found = pairs.setdefault(
                pair, {"one": pair[0], "other": pair[1], "games": 0, "ahead": 0, "behind": 0}
            )
            found["games"] += 1
            found["ahead"] += places[left] < places[right]
            found["behind"] += places[left] > places[right]
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
        "games": [_group_game(*game, numbers) for game in games[:SHOWN]],
    }


async def _gather(history: History, code: str) -> None:
    """Read the members' tables that have finished since the last call."""
    unread = await history.rows.query(
        f"""SELECT DISTINCT s.person FROM daily_members m JOIN sittings s ON s.person = m.person
        JOIN tables t ON t.code = s.code WHERE m.code = ? AND t.finished AND NOT EXISTS (
            SELECT 1 FROM results r WHERE r.person = s.person AND r.id = s.code)
        LIMIT {AT_ONCE}""",
        code,
    )
    for (person,) in unread:
        await history.gather(person)


async def _games(rows: Rows, code: str) -> list[tuple[str, int, Any, dict[str, int]]]:
    """Return the tables that at least two members played at.

    Each entry has the code, the end time, the summary, and the members' seats.
    """
    played = await rows.query(
        f"""SELECT r.code, r.at, r.body, r.person FROM results r
        JOIN daily_members m ON m.person = r.person WHERE m.code = ? AND r.code IN (
            SELECT r.code FROM results r JOIN daily_members m ON m.person = r.person
            WHERE m.code = ? AND r.code <> ''
            GROUP BY r.code HAVING count(*) > 1 ORDER BY max(r.at) DESC LIMIT {GAMES})
        ORDER BY r.at DESC, r.code""",
        code,
        code,
    )
    found: dict[str, tuple[str, int, Any, dict[str, int]]] = {}
    for table, at, text, person in played:
        body = json.loads(text)
        found.setdefault(table, (table, at, body, {}))[3][person] = body["seat"]
    return list(found.values())


async def _days(rows: Rows, code: str) -> tuple[Counter[str], Counter[str]]:
    """Return the number of compared and of best daily games for each member.

    A daily game is compared if at least two members finished it. Ties count as best.
    """
    results = await rows.query(
        f"""SELECT d.day, d.game, d.person, d.score FROM dailies d
        JOIN daily_members m ON m.person = d.person
        WHERE m.code = ? AND d.score IS NOT NULL ORDER BY d.day DESC LIMIT {DAYS}""",
        code,
    )
    scores: defaultdict[tuple[str, str], dict[str, int]] = defaultdict(dict)
    for day, game, person, score in results:
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


def _group_game(
    table: str, at: int, body: Any, seats_of: dict[str, int], numbers: dict[str, int]
) -> GroupGame:
    members = {seat: numbers[person] for person, seat in seats_of.items()}
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
