"""What is kept of the daily challenge: the secret, who has begun and reached what, groups; and how somebody stands."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass
from typing import Literal

from foxclover.daily import KEY_BYTES, closes, day_key
from foxclover.server.codes import ALPHABET
from foxclover.server.daily_protocol import DailyEntry, DailyGroup, DailyStanding
from foxclover.server.errors import RefusalError
from foxclover.server.store import Rows

GROUP_LENGTH = 8  # letters of a group's code
MOST_MEMBERS = 200  # of a group
MOST_GROUPS = 20  # of one person
SHOWN = 20  # of everybody
REVIEWED = 60  # games of a person in which foresight is looked for

TABLES = {
    "secrets": "name, value",
    "dailies": "day, game, person, code, begun, score, ended",
    "daily_solutions": "day, game, code, score",
    "daily_groups": "code, name, created",
    "daily_members": "code, person",
}
"""What a store carries to another one."""


@dataclass(frozen=True)
class Attempt:
    """A person's game of a day."""

    code: str
    begun: int
    score: int | None


class DailyRows:
    """The daily challenge as far as it is kept in a store."""

    def __init__(self, rows: Rows) -> None:
        self.rows = rows
        self._secret: bytes | None = None

    async def key(self, day: str, game: str) -> bytes:
        """The key of a day's dice; the secret it comes from is made when it is first needed, once for all processes."""
        if self._secret is None:
            made = secrets.token_bytes(KEY_BYTES)
            await self.rows.query(
                "INSERT INTO secrets (name, value) VALUES ('daily', ?) ON CONFLICT DO NOTHING", made
            )
            self._secret = bytes(
                (await self.rows.query("SELECT value FROM secrets WHERE name = 'daily'"))[0][0]
            )
        return day_key(self._secret, day, game)

    async def attempt(self, day: str, game: str, person: str) -> Attempt | None:
        """What a person has begun on a day."""
        found = await self.rows.query(
            "SELECT code, begun, score FROM dailies WHERE day = ? AND game = ? AND person = ?",
            day,
            game,
            person,
        )
        return Attempt(*found[0]) if found else None

    async def begin(self, day: str, game: str, person: str, code: str) -> bool:
        """Note that somebody has begun; ``False`` if he had already."""
        statement = "INSERT INTO dailies (day, game, person, code, begun) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING person"
        return bool(await self.rows.query(statement, day, game, person, code, int(time.time())))

    async def finish(self, day: str, game: str, person: str, score: int, ended: int) -> None:
        """Note a result, if it came in time."""
        if ended < closes(day):
            statement = "UPDATE dailies SET score = ?, ended = ? WHERE day = ? AND game = ? AND person = ? AND score IS NULL"
            await self.rows.query(statement, score, ended, day, game, person)

    async def unread(
        self, day: str, game: str, most: int, person: str = ""
    ) -> list[tuple[str, str]]:
        """Persons and tables of games that have ended since they were last looked for, of everybody or of one person."""
        statement = """SELECT d.person, d.code FROM dailies d JOIN tables t ON t.code = d.code
            WHERE d.day = ? AND d.game = ? AND d.score IS NULL AND d.ended IS NULL AND t.finished"""
        if person:
            found = await self.rows.query(f"{statement} AND d.person = ?", day, game, person)
        else:
            found = await self.rows.query(f"{statement} LIMIT {most}", day, game)
        return [(one, code) for one, code in found]

    async def too_late(self, day: str, game: str, person: str, ended: int) -> None:
        """Note that a game was finished after its day."""
        await self.rows.query(
            "UPDATE dailies SET ended = ? WHERE day = ? AND game = ? AND person = ?",
            ended,
            day,
            game,
            person,
        )

    async def standing(self, day: str, game: str, person: str | None, now: float) -> DailyStanding:
        """How somebody stands among all."""
        found = await self.attempt(day, game, person) if person else None
        of_day = "SELECT count(*) FROM dailies WHERE day = ? AND game = ?"
        ((begun,),) = await self.rows.query(of_day, day, game)
        ((finished,),) = await self.rows.query(f"{of_day} AND score IS NOT NULL", day, game)
        place = better_than = None
        if found and found.score is not None:
            ((ahead,),) = await self.rows.query(f"{of_day} AND score > ?", day, game, found.score)
            ((behind,),) = await self.rows.query(f"{of_day} AND score < ?", day, game, found.score)
            place = ahead + 1
            closed = now >= closes(day)
            others, beaten = (
                (begun - 1, behind + begun - finished) if closed else (finished - 1, behind)
            )
            better_than = beaten / others if others else None
        return {
            "state": _state(day, found is not None, found.score if found else None, now),
            "table": found.code or None if found else None,
            "score": found.score if found else None,
            "place": place,
            "finished": finished,
            "begun": begun,
            "better_than": better_than,
        }

    async def best(self, day: str, game: str, you: str | None, now: float) -> list[DailyEntry]:
        """The best of a day."""
        statement = f"""SELECT d.person, p.name, p.tag, d.score FROM dailies d JOIN people p ON p.id = d.person
            WHERE d.day = ? AND d.game = ? AND d.score IS NOT NULL ORDER BY d.score DESC, d.person LIMIT {SHOWN}"""
        return _entries(
            day, [(*row, True) for row in await self.rows.query(statement, day, game)], you, now
        )

    async def of_group(
        self, code: str, day: str, game: str, you: str, now: float
    ) -> list[DailyEntry]:
        """How the members of a group stand, also those who have not begun."""
        if not await self.rows.query(
            "SELECT 1 FROM daily_members WHERE code = ? AND person = ?", code, you
        ):
            raise RefusalError("unknown_group")
        statement = """SELECT m.person, p.name, p.tag, d.score, d.begun FROM daily_members m JOIN people p ON p.id = m.person
            LEFT JOIN dailies d ON d.person = m.person AND d.day = ? AND d.game = ? WHERE m.code = ?"""
        rows = [
            (*row[:4], row[4] is not None)
            for row in await self.rows.query(statement, day, game, code)
        ]
        return _entries(
            day, sorted(rows, key=lambda row: (row[3] is None, -(row[3] or 0), row[1])), you, now
        )

    async def winner(self, day: str, game: str) -> tuple[str, int, str, str, str] | None:
        """Table, score, name, tag and person of the best game of a day that can be looked at."""
        statement = """SELECT d.code, d.score, p.name, p.tag, d.person FROM dailies d JOIN people p ON p.id = d.person
            WHERE d.day = ? AND d.game = ? AND d.score IS NOT NULL AND d.code <> '' ORDER BY d.score DESC, d.ended, d.person LIMIT 1"""
        found = await self.rows.query(statement, day, game)
        return (found[0][0], found[0][1], found[0][2], found[0][3], found[0][4]) if found else None

    async def reviews(self, person: str, day: str) -> list[str]:
        """The last reviews that are kept of a person's games up to a day."""
        statement = f"""SELECT r.text FROM dailies d JOIN reviews r ON r.code = d.code
            WHERE d.person = ? AND d.day <= ? AND d.score IS NOT NULL ORDER BY d.day DESC LIMIT {REVIEWED}"""
        return [text for (text,) in await self.rows.query(statement, person, day)]

    async def solution(self, day: str, game: str) -> tuple[str, int] | None:
        """Table and score of the computer player's game of a day."""
        found = await self.rows.query(
            "SELECT code, score FROM daily_solutions WHERE day = ? AND game = ?", day, game
        )
        return (found[0][0], found[0][1]) if found else None

    async def keep_solution(self, day: str, game: str, code: str, score: int) -> None:
        """Keep it, if no other process was first."""
        statement = "INSERT INTO daily_solutions (day, game, code, score) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"
        await self.rows.query(statement, day, game, code, score)

    # --- groups -----------------------------------------------------------------------------------------------------------

    async def groups(self, person: str) -> list[DailyGroup]:
        """The groups of a person."""
        statement = """SELECT g.code, g.name, (SELECT count(*) FROM daily_members o WHERE o.code = g.code)
            FROM daily_members m JOIN daily_groups g ON g.code = m.code WHERE m.person = ? ORDER BY g.created, g.code"""
        return [
            {"code": row[0], "name": row[1], "members": row[2]}
            for row in await self.rows.query(statement, person)
        ]

    async def make_group(self, person: str, name: str) -> None:
        """Found a group, with oneself in it."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(GROUP_LENGTH))
        await self._expect_room(person)
        await self.rows.query(
            "INSERT INTO daily_groups (code, name, created) VALUES (?, ?, ?)",
            code,
            name,
            int(time.time()),
        )
        await self.join_group(person, code)

    async def join_group(self, person: str, code: str) -> None:
        """Belong to a group whose code one knows."""
        plain = plain_code(code)
        if not await self.rows.query("SELECT 1 FROM daily_groups WHERE code = ?", plain):
            raise RefusalError("unknown_group")
        ((members,),) = await self.rows.query(
            "SELECT count(*) FROM daily_members WHERE code = ?", plain
        )
        if members >= MOST_MEMBERS:
            raise RefusalError("too_many")
        await self._expect_room(person)
        await self.rows.query(
            "INSERT INTO daily_members (code, person) VALUES (?, ?) ON CONFLICT DO NOTHING",
            plain,
            person,
        )

    async def leave_group(self, person: str, code: str) -> None:
        """Belong to it no longer; a group without members is forgotten."""
        plain = plain_code(code)
        await self.rows.query(
            "DELETE FROM daily_members WHERE code = ? AND person = ?", plain, person
        )
        await self.rows.query(
            "DELETE FROM daily_groups WHERE code = ? AND NOT EXISTS (SELECT 1 FROM daily_members m WHERE m.code = daily_groups.code)",
            plain,
        )

    async def _expect_room(self, person: str) -> None:
        ((count,),) = await self.rows.query(
            "SELECT count(*) FROM daily_members WHERE person = ?", person
        )
        if count >= MOST_GROUPS:
            raise RefusalError("too_many")


def plain_code(code: str) -> str:
    """A group's code as it is kept, however it was typed."""
    return "".join(code.lower().split()).replace("-", "")


def _entries(
    day: str, rows: list[tuple[str, str, str, int | None, bool]], you: str | None, now: float
) -> list[DailyEntry]:
    """Rows of person, name, tag, score and whether he has begun, the best first."""
    scores = [row[3] for row in rows]
    return [
        {
            "name": name,
            "tag": tag,
            "you": person == you,
            "place": None if score is None else scores.index(score) + 1,
            "score": score,
            "state": _state(day, begun, score, now),
        }
        for person, name, tag, score, begun in rows
    ]


def _state(
    day: str, begun: bool, score: int | None, now: float
) -> Literal["none", "running", "finished", "given_up"]:
    if score is not None:
        return "finished"
    if not begun:
        return "none"
    return "given_up" if now >= closes(day) else "running"
