"""Store the daily challenge: the secret, attempts, scores, solutions and groups.

Compute the place of a person among all players and in a group.
"""

from __future__ import annotations

import json
import secrets
import time
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from foxclover.dice.daily import KEY_BYTES, closes, day_key
from foxclover.server.errors import RefusalError, require
from foxclover.server.people import skills
from foxclover.server.people.deletion import MARKS, mark
from foxclover.server.protocol.identifiers import new_code, normalize_code
from foxclover.server.protocol.people import DailyEntry, DailyGroup, DailyStanding
from foxclover.server.stores.sql import insert
from foxclover.server.stores.store import Rows, Steps

GROUP_LENGTH = 8  # letters of a group's code
MOST_MEMBERS = 200  # per group
MOST_GROUPS = 20  # per person
SHOWN = 20  # best results listed on the board of all players
REVIEWED = 60  # latest games of a person that cheat detection reads
LEARNT = 40  # reviews whose summaries are stored per answer


@dataclass(frozen=True)
class Attempt:
    """A person's game of a day."""

    code: str
    begun: int
    score: int | None
    again: int  # a deleted person began from the same address or device
    review: str  # its summary, "" before it is reviewed


class Listed(NamedTuple):
    """Results on a board, and the tables among them that are not reviewed yet."""

    entries: list[DailyEntry]
    unreviewed: list[str]


class DailyRows:
    """The rows of the daily challenge in a store."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._secret: bytes | None = None

    async def key(self, day: str, game: str) -> bytes:
        """Return the key of a day's dice.

        It is derived from a secret that is created on first use, once for all processes.
        """
        if self._secret is None:
            self._secret = await self._secret_named("daily")
        return day_key(self._secret, day, game)

    async def time(self) -> int | None:
        """Return the last confirmed time in seconds since 1970."""
        found = await self.rows.query("SELECT value FROM secrets WHERE name = 'time'")
        return int(bytes(found[0][0])) if found else None

    async def keep_time(self, at: int) -> None:
        """Store the confirmed time."""
        await self.rows.query(
            "INSERT INTO secrets (name, value) VALUES ('time', ?) ON CONFLICT (name) DO UPDATE"
            " SET value = excluded.value",
            str(at).encode(),
        )

    async def _secret_named(self, name: str) -> bytes:
        """Return a secret that is created on first use."""
        made = secrets.token_bytes(KEY_BYTES)
        await self.rows.query(insert("secrets", "name, value"), name, made)
        ((secret,),) = await self.rows.query("SELECT value FROM secrets WHERE name = ?", name)
        return bytes(secret)

    async def attempt(self, day: str, game: str, person: str) -> Attempt | None:
        """Return the attempt of a person on a day."""
        found = await self.rows.query(
            "SELECT code, begun, score, again, review FROM dailies WHERE day = ? AND game = ?"
            " AND person = ?",
            day,
            game,
            person,
        )
        return Attempt(*found[0]) if found else None

    async def begin(
        self, day: str, game: str, person: str, code: str, client: str = "", device: bytes = b""
    ) -> bool:
        """Store a new attempt; flag it if a deleted person began from the same address or device.

        Return ``False`` if the person had already begun.
        """
        secret = await self._secret_named(f"{MARKS}{day}")
        address, own = mark(secret, "address", client.encode()), mark(secret, "device", device)
        seen = await self.rows.query(
            "SELECT 1 FROM daily_marks WHERE day = ? AND game = ? AND (mark = ? OR mark = ?)",
            day,
            game,
            address,
            own,
        )
        columns = "day, game, person, code, begun, address, again"
        begun = await self.rows.query(
            insert("dailies", columns) + " RETURNING person",
            *(day, game, person, code, int(time.time()), address, int(bool(seen))),
        )
        return bool(begun)

    async def finish(self, day: str, game: str, person: str, score: int, ended: int) -> None:
        """Store when a game ended, and its score if that was in time."""
        await self.rows.query(
            "UPDATE dailies SET score = ?, ended = ? WHERE day = ? AND game = ?"
            " AND person = ? AND score IS NULL",
            *(score if ended < closes(day) else None, ended, day, game, person),
        )

    async def unread(
        self, day: str, game: str, most: int, person: str = ""
    ) -> list[tuple[Any, ...]]:
        """Return person and table of finished games whose result is not stored yet.

        Return at most ``most`` games of all people, or those of one person.
        """
        statement = """SELECT d.person, d.code FROM dailies d JOIN tables t ON t.code = d.code
            WHERE d.day = ? AND d.game = ? AND d.score IS NULL AND d.ended IS NULL AND t.finished"""
        if person:
            return await self.rows.query(f"{statement} AND d.person = ?", day, game, person)
        return await self.rows.query(f"{statement} LIMIT {most}", day, game)

    async def standing(self, day: str, game: str, person: str | None, now: float) -> DailyStanding:
        """Return the state, score and place of a person among all players."""
        found = await self.attempt(day, game, person) if person else None
        of_day = "SELECT count(*) FROM dailies WHERE day = ? AND game = ?"
        ((begun,),) = await self.rows.query(of_day, day, game)
        ((finished,),) = await self.rows.query(f"{of_day} AND score IS NOT NULL", day, game)
        place = better_than = None
        if found and found.score is not None:
            ((ahead,),) = await self.rows.query(f"{of_day} AND score > ?", day, game, found.score)
            ((behind,),) = await self.rows.query(f"{of_day} AND score < ?", day, game, found.score)
            place, others = ahead + 1, finished - 1
            if now >= closes(day):  # those who gave up count, too
                others, behind = begun - 1, behind + begun - finished
            better_than = behind / others if others else None
        return {
            "state": _state(day, found is not None, found.score if found else None, now),
            "table": found.code or None if found else None,
            "score": found.score if found else None,
            "place": place,
            "finished": finished,
            "begun": begun,
            "better_than": better_than,
            "loss": _loss(found.review if found else ""),
            "again": bool(found and found.again),
        }

    async def learn(self, first: str, last: str, game: str) -> None:
        """Store the losses of daily games that were reviewed since the last call."""
        found = await self.rows.query(
            f"""SELECT d.day, d.person, r.text FROM dailies d JOIN reviews r ON r.code = d.code
            WHERE d.day >= ? AND d.day <= ? AND d.game = ? AND d.review = ''
            AND d.score IS NOT NULL LIMIT {LEARNT}""",
            *(first, last, game),
        )
        for day, person, text in found:
            await self.rows.query(
                "UPDATE dailies SET review = ? WHERE day = ? AND game = ? AND person = ?",
                *(skills.summary_of(text, 0), day, game, person),
            )

    async def best(self, day: str, game: str, you: str | None, now: float) -> Listed:
        """Return the best results of a day."""
        rows = await self.rows.query(
            f"""SELECT d.person, p.name, p.tag, d.score, d.again, d.begun, d.code, d.review
            FROM dailies d JOIN people p ON p.id = d.person
            WHERE d.day = ? AND d.game = ? AND d.score IS NOT NULL
            ORDER BY d.score DESC, d.person LIMIT {SHOWN}""",
            day,
            game,
        )
        return _entries(day, rows, you, now)

    async def of_group(self, code: str, day: str, game: str, you: str, now: float) -> Listed:
        """Return the results of a group's members, including members who have not begun.

        Raises ``RefusalError`` if ``you`` is not a member.
        """
        await self.expect_member(code, you)
        rows = await self.rows.query(
            """SELECT m.person, p.name, p.tag, d.score, d.again, d.begun, d.code, d.review
            FROM daily_members m JOIN people p ON p.id = m.person
            LEFT JOIN dailies d ON d.person = m.person AND d.day = ? AND d.game = ?
            WHERE m.code = ?""",
            *(day, game, code),
        )
        rows.sort(key=lambda row: (row[3] is None, -(row[3] or 0), row[1]))
        return _entries(day, rows, you, now)

    async def winner(self, day: str, game: str) -> tuple[str, int, str, str, str] | None:
        """Return table, score, name, tag and person of the best game of a day that has a table."""
        found = await self.rows.query(
            """SELECT d.code, d.score, p.name, p.tag, d.person FROM dailies d
            JOIN people p ON p.id = d.person
            WHERE d.day = ? AND d.game = ? AND d.score IS NOT NULL AND d.code <> ''
            ORDER BY d.score DESC, d.ended, d.person LIMIT 1""",
            day,
            game,
        )
        return found[0] if found else None

    async def reviews(self, person: str, day: str) -> list[str]:
        """Return the latest stored reviews of a person's games up to a day."""
        found = await self.rows.query(
            f"""SELECT r.text FROM dailies d JOIN reviews r ON r.code = d.code
            WHERE d.person = ? AND d.day <= ? AND d.score IS NOT NULL
            ORDER BY d.day DESC LIMIT {REVIEWED}""",
            person,
            day,
        )
        return [text for (text,) in found]

    async def solution(self, day: str, game: str) -> tuple[str, int] | None:
        """Return table and score of the computer player's game of a day."""
        found = await self.rows.query(
            "SELECT code, score FROM daily_solutions WHERE day = ? AND game = ?", day, game
        )
        return found[0] if found else None

    async def keep_solution(self, day: str, game: str, code: str, score: int) -> None:
        """Store the computer player's game of a day, unless another process was faster."""
        await self.rows.query(
            insert("daily_solutions", "day, game, code, score"), day, game, code, score
        )

    # --- groups

    async def groups(self, person: str) -> list[DailyGroup]:
        """Return the groups of a person."""
        rows = await self.rows.query(
            """SELECT g.code, g.name,
            (SELECT count(*) FROM daily_members o WHERE o.code = g.code)
            FROM daily_members m JOIN daily_groups g ON g.code = m.code
            WHERE m.person = ? ORDER BY g.created, g.code""",
            person,
        )
        return [{"code": code, "name": name, "members": members} for code, name, members in rows]

    async def make_group(self, person: str, name: str) -> None:
        """Create a group with this person as its first member."""
        code, now = new_code(GROUP_LENGTH), int(time.time())

        def steps() -> Steps[None]:
            yield "INSERT INTO daily_groups (code, name, created) VALUES (?, ?, ?)", code, name, now
            yield from _join(person, code)

        await self.rows.transact(steps)

    async def expect_group(self, code: str) -> None:
        """Raise ``RefusalError`` if no group has this code."""
        if not await self.rows.query(
            "SELECT 1 FROM daily_groups WHERE code = ?", normalize_code(code)
        ):
            raise RefusalError("unknown_group")

    async def expect_member(self, code: str, person: str) -> None:
        """Raise ``RefusalError`` unless a person is a member of a group."""
        if not await self.rows.query(
            "SELECT 1 FROM daily_members WHERE code = ? AND person = ?", code, person
        ):
            raise RefusalError("unknown_group")

    async def join_group(self, person: str, code: str) -> None:
        """Add a person to the group with this code."""
        await self.rows.transact(lambda: _join(person, normalize_code(code)))

    async def leave_group(self, person: str, code: str) -> None:
        """Remove a person from a group; delete a group without members."""
        plain = normalize_code(code)

        def steps() -> Steps[None]:
            yield "DELETE FROM daily_members WHERE code = ? AND person = ?", plain, person
            if not (yield "SELECT 1 FROM daily_members WHERE code = ?", plain):
                yield "DELETE FROM daily_groups WHERE code = ?", plain

        await self.rows.transact(steps)


def _join(person: str, code: str) -> Steps[None]:
    """Add a person to a group; both must still exist."""
    if not (yield "SELECT 1 FROM daily_groups WHERE code = ?", code) or not (
        yield "SELECT 1 FROM people WHERE id = ?", person
    ):
        raise RefusalError("unknown_group")
    ((members,),) = yield "SELECT count(*) FROM daily_members WHERE code = ?", code
    ((groups,),) = yield "SELECT count(*) FROM daily_members WHERE person = ?", person
    require(members < MOST_MEMBERS and groups < MOST_GROUPS, "too_many")
    yield insert("daily_members", "code, person"), code, person


def _entries(day: str, rows: list[tuple[Any, ...]], you: str | None, now: float) -> Listed:
    """Return board entries for rows that are sorted by score, best first.

    A row has person, name, tag, score, whether it is flagged, when the person has begun, table and
    review.
    """
    scores = [row[3] for row in rows]
    entries: list[DailyEntry] = [
        {
            "name": name,
            "tag": tag,
            "you": person == you,
            "place": None if score is None else scores.index(score) + 1,
            "score": score,
            "state": _state(day, begun is not None, score, now),
            "again": bool(again),
            "loss": _loss(review),
        }
        for person, name, tag, score, again, begun, _, review in rows
    ]
    return Listed(entries, [row[6] for row in rows if row[3] is not None and row[6] and not row[7]])


def _loss(review: str | None) -> float | None:
    """Return the points that a decision of a reviewed game has lost on average."""
    lost = skills.lost(json.loads(review)) if review else None
    return lost.points / lost.decisions if lost and lost.decisions else None


def _state(
    day: str, begun: bool, score: int | None, now: float
) -> Literal["none", "running", "finished", "given_up"]:
    if score is not None:
        return "finished"
    if not begun:
        return "none"
    return "given_up" if now >= closes(day) else "running"
