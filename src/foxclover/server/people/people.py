"""Who somebody is, without an account: devices that know a secret, the person they belong to, and the games that person has finished.

Nothing else is kept about people, and all of it can be taken along, taken out and deleted. Secrets are stored as hashes only.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, cast

from foxclover.locale import Say, catalogue
from foxclover.review.report import FORMAT, ReviewRecord
from foxclover.review.report import SeatRecord as SeatReview
from foxclover.review.transcripts import NotReplayable, read_for_others
from foxclover.server import render
from foxclover.server.codes import ALPHABET, token_key
from foxclover.server.daily_protocol import DailyResult
from foxclover.server.errors import RefusalError, refused_text
from foxclover.server.house import House
from foxclover.server.master import Master
from foxclover.server.me_protocol import (
    Export,
    FinishedGame,
    GameReview,
    ImportedGame,
    Imports,
    Person,
)
from foxclover.server.store import Rows, TableRecord

TAG_LENGTH = 4
ALONG_LENGTH = 8  # letters of the code that lets another device in
ALONG_SECONDS = 600
MOST_GAMES = 5_000  # of one person
AT_ONCE = 40  # finished tables that are read for one answer
LONGEST_TRANSCRIPT = 60_000
IMPORTED = "import-"
EXPORT = 1  # version of what is taken out

TABLES = {
    "people": "id, name, tag, created",
    "devices": "key, person",
    "alongs": "key, person, until",
    "sittings": "code, key, person",
    "results": "person, id, at, body, transcript, code, review",
}
"""What is kept about people; a store carries it to another one."""


@dataclass(frozen=True)
class Known:
    """Somebody of whom something is kept."""

    person: str
    name: str
    tag: str


class People:
    """Everything that a device may ask about the person it belongs to."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.rows: Rows = house.store

    async def who(self, token: str) -> Person:
        """Tell a device whom it belongs to; of one that nobody knows nothing is kept until there is something to keep."""
        known = await self.known(token)
        if known is None:
            return {"name": "", "tag": "", "devices": 1, "games": 0}
        devices = await self.rows.query(
            "SELECT count(*) FROM devices WHERE person = ?", known.person
        )
        results = await self.rows.query(
            "SELECT count(*) FROM results WHERE person = ?", known.person
        )
        return {
            "name": known.name,
            "tag": known.tag,
            "devices": devices[0][0],
            "games": results[0][0],
        }

    async def call(self, token: str, name: str) -> Person:
        """Give a person another name."""
        known = await self.somebody(token)
        await self.rows.query("UPDATE people SET name = ? WHERE id = ?", name, known.person)
        return await self.who(token)

    async def sit(self, token: str, code: str, seat_token: str) -> None:
        """Remember that the holder of a seat is this person; the game counts as his when it is over."""
        known = await self.somebody(token)
        key = token_key(seat_token)
        if not await self.rows.query(
            "SELECT 1 FROM seats WHERE code = ? AND key = ?", code.lower(), key
        ):
            raise RefusalError("unknown_token")
        await self.rows.query(
            "INSERT INTO sittings (code, key, person) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            code.lower(),
            key,
            known.person,
        )

    # --- another device ---------------------------------------------------------------------------------------------------

    async def take_along(self, token: str) -> str:
        """Return a code that lets another device in, once and for a few minutes."""
        known = await self.somebody(token)
        now = int(time.time())
        await self.rows.query("DELETE FROM alongs WHERE until < ? OR person = ?", now, known.person)
        code = "".join(secrets.choice(ALPHABET) for _ in range(ALONG_LENGTH))
        await self.rows.query(
            "INSERT INTO alongs (key, person, until) VALUES (?, ?, ?)",
            token_key(code),
            known.person,
            now + ALONG_SECONDS,
        )
        return code

    async def arrive(self, token: str, code: str) -> Person:
        """Let this device belong to the person whose code it knows; what it had itself goes with it."""
        plain = "".join(code.lower().split()).replace("-", "")
        statement = "DELETE FROM alongs WHERE key = ? AND until >= ? RETURNING person"
        found = await self.rows.query(statement, token_key(plain), int(time.time()))
        if not found:
            raise RefusalError("unknown_code")
        (person,) = found[0]
        before = await self.known(token)
        key = token_key(token)
        if before is None:
            await self.rows.query("INSERT INTO devices (key, person) VALUES (?, ?)", key, person)
        elif before.person != person:
            await self.rows.query("UPDATE devices SET person = ? WHERE key = ?", person, key)
            if not await self.rows.query("SELECT 1 FROM devices WHERE person = ?", before.person):
                await self._merge(before.person, person)
        return await self.who(token)

    async def _merge(self, old: str, new: str) -> None:
        await self.rows.query("UPDATE sittings SET person = ? WHERE person = ?", new, old)
        await self.rows.query(
            "UPDATE results SET person = ? WHERE person = ? AND id NOT IN (SELECT id FROM results WHERE person = ?)",
            new,
            old,
            new,
        )
        for table, columns in (("dailies", ("day", "game")), ("daily_members", ("code",))):
            same = " AND ".join(f"o.{column} = {table}.{column}" for column in columns)
            await self.rows.query(
                f"UPDATE {table} SET person = ? WHERE person = ? AND NOT EXISTS (SELECT 1 FROM {table} o WHERE o.person = ? AND {same})",
                new,
                old,
                new,
            )
        await self._forget(old)

    # --- games ------------------------------------------------------------------------------------------------------------

    async def games(self, token: str) -> list[FinishedGame]:
        """Return the finished games of a person, the last one first."""
        known = await self.known(token)
        if known is None:
            return []
        await self.gather(known.person)
        await self._learn_from_reviews(known.person)
        statement = (
            "SELECT id, at, body, code, review FROM results WHERE person = ? ORDER BY at DESC, id"
        )
        return [_finished(*row) for row in await self.rows.query(statement, known.person)]

    async def transcript(self, token: str, game: str) -> str:
        """Return one of them as text."""
        known = await self.known(token)
        found = known and await self.rows.query(
            "SELECT transcript FROM results WHERE person = ? AND id = ?", known.person, game
        )
        if not found:
            raise RefusalError("not_found")
        return str(found[0][0])

    async def table_of(self, token: str, game: str) -> str:
        """Return the table at which one of them can be looked back at, "" if there is none yet."""
        known = await self.known(token)
        statement = "SELECT t.code FROM results r JOIN tables t ON t.code = r.code WHERE r.person = ? AND r.id = ?"
        found = known and await self.rows.query(statement, known.person, game)
        return str(found[0][0]) if found else ""

    async def look_back_at(self, token: str, game: str, code: str) -> None:
        """Remember the table at which one of them can be looked back at."""
        known = await self.somebody(token)
        await self.rows.query(
            "UPDATE results SET code = ? WHERE person = ? AND id = ?", code, known.person, game
        )

    async def _learn_from_reviews(self, person: str) -> None:
        """Note what reviews say of this person's luck and losses, of those worked out since."""
        statement = f"""SELECT r.id, r.body, v.text FROM results r JOIN reviews v ON v.code = r.code
            WHERE r.person = ? AND r.review = '' ORDER BY r.at DESC LIMIT {AT_ONCE}"""
        for game, body, text in await self.rows.query(statement, person):
            record: ReviewRecord = json.loads(text)
            if record["format"] == FORMAT:
                learnt = json.dumps(_of_review(record["seats"][json.loads(body)["seat"]]))
                await self.rows.query(
                    "UPDATE results SET review = ? WHERE person = ? AND id = ?",
                    learnt,
                    person,
                    game,
                )

    async def gather(self, person: str) -> None:
        """Read the tables of this person that have ended since; a table that cannot be read now is tried the next time."""
        statement = """SELECT DISTINCT s.code FROM sittings s JOIN tables t ON t.code = s.code
            JOIN seats e ON e.code = s.code AND e.key = s.key
            WHERE s.person = ? AND t.finished AND NOT EXISTS (SELECT 1 FROM results r WHERE r.person = s.person AND r.id = s.code)"""
        for (code,) in (await self.rows.query(statement, person))[:AT_ONCE]:
            record = await self.house.store.load(code)
            keys = {
                row[0]
                for row in await self.rows.query(
                    "SELECT key FROM sittings WHERE code = ? AND person = ?", code, person
                )
            }
            if record is not None:
                async with self.house.slow_lane:
                    at, body, text = _of_table(record, keys)
                await self._keep(person, code, at, body, text, code)

    async def _keep(
        self, person: str, game: str, at: int, body: dict[str, Any], text: str, code: str = ""
    ) -> bool:
        statement = """INSERT INTO results (person, id, at, body, transcript, code) VALUES (?, ?, ?, ?, ?, ?)
            ON CONFLICT DO NOTHING RETURNING id"""
        return bool(
            await self.rows.query(
                statement, person, game, at, json.dumps(body, ensure_ascii=False), text, code
            )
        )

    # --- taken out, brought in, deleted -----------------------------------------------------------------------------------

    async def take_out(self, token: str) -> Export:
        """Return everything that is kept about a person."""
        known = await self.known(token)
        if known is None:
            return {"foxclover": EXPORT, "name": "", "tag": "", "games": [], "daily": []}
        await self.gather(known.person)
        found = await self.rows.query(
            "SELECT at, transcript, body FROM results WHERE person = ? ORDER BY at, id",
            known.person,
        )
        kept: list[ImportedGame] = [
            {"at": at, "transcript": text, "seat": json.loads(body)["seat"]}
            for at, text, body in found
        ]
        days = await self.rows.query(
            "SELECT day, game, score FROM dailies WHERE person = ? ORDER BY day, game", known.person
        )
        daily: list[DailyResult] = [
            {"day": day, "game": game, "score": score} for day, game, score in days
        ]
        return {
            "foxclover": EXPORT,
            "name": known.name,
            "tag": known.tag,
            "games": kept,
            "daily": daily,
        }

    async def bring_in(self, token: str, brought: Sequence[ImportedGame], say: Say) -> Imports:
        """Add finished games as text, of the terminal or of another server; what is known already is not added again."""
        known = await self.somebody(token)
        (count,) = (
            await self.rows.query("SELECT count(*) FROM results WHERE person = ?", known.person)
        )[0]
        if count + len(brought) > MOST_GAMES:
            raise RefusalError("too_many")
        added = 0
        refused: list[str] = []
        for game in brought:
            try:
                async with self.house.slow_lane:
                    name, body, sealing = _of_text(game["transcript"], game.get("seat"), known.name)
            except RefusalError as error:
                refused.append(error.words(say))
                continue
            if await self._was_played_here(known.person, game, sealing):
                continue
            now = int(time.time())
            ended = min(
                game.get("at", now), now
            )  # none ends in the future, whatever a damaged file says
            added += await self._keep(known.person, name, ended, body, game["transcript"])
        return {"added": added, "known": len(brought) - added - len(refused), "refused": refused}

    async def _was_played_here(
        self, person: str, game: ImportedGame, sealing: tuple[str, bytes] | None
    ) -> bool:
        """Whether somebody brings in what he has played at a table of this server: by its chain, or as it was taken out."""
        code, anchor = sealing or ("", b"")
        statement = "SELECT 1 FROM results WHERE person = ? AND ((id = ? AND transcript LIKE ?) OR (at = ? AND transcript = ?))"
        return bool(
            await self.rows.query(
                statement, person, code, f"%{anchor.hex()}%", game.get("at", -1), game["transcript"]
            )
        )

    async def forget(self, token: str) -> None:
        """Delete everything about a person, and his name at the tables where he sat."""
        known = await self.known(token)
        if known is not None:
            await self.rows.query(
                "UPDATE seats SET name = '' WHERE EXISTS "
                "(SELECT 1 FROM sittings s WHERE s.code = seats.code AND s.key = seats.key AND s.person = ?)",
                known.person,
            )
            brought = f"SELECT r.code FROM results r WHERE r.person = ? AND r.id LIKE '{IMPORTED}%'"
            await self.rows.query(
                f"UPDATE seats SET name = '' WHERE code IN ({brought})", known.person
            )
            await self._forget(known.person)

    async def _forget(self, person: str) -> None:
        for table in ("devices", "alongs", "sittings", "results", "dailies", "daily_members"):
            await self.rows.query(f"DELETE FROM {table} WHERE person = ?", person)
        await self.rows.query("DELETE FROM people WHERE id = ?", person)
        await self.rows.query(
            "DELETE FROM daily_groups WHERE NOT EXISTS (SELECT 1 FROM daily_members m WHERE m.code = daily_groups.code)"
        )

    # --- devices ----------------------------------------------------------------------------------------------------------

    async def known(self, token: str) -> Known | None:
        """Whom a device belongs to."""
        statement = "SELECT p.id, p.name, p.tag FROM devices d JOIN people p ON p.id = d.person WHERE d.key = ?"
        found = await self.rows.query(statement, token_key(token))
        return Known(*found[0]) if found else None

    async def somebody(self, token: str) -> Known:
        """Whom a device belongs to; one that nobody knows is somebody from now on."""
        return await self.known(token) or await self._begin(token)

    async def _begin(self, token: str) -> Known:
        person, tag = (
            secrets.token_hex(16),
            "".join(secrets.choice(ALPHABET) for _ in range(TAG_LENGTH)),
        )
        await self.rows.query(
            "INSERT INTO people (id, name, tag, created) VALUES (?, '', ?, ?)",
            person,
            tag,
            int(time.time()),
        )
        await self.rows.query(
            "INSERT INTO devices (key, person) VALUES (?, ?) ON CONFLICT DO NOTHING",
            token_key(token),
            person,
        )
        return await self.known(token) or Known(person, "", tag)


def _of_table(record: TableRecord, keys: set[bytes]) -> tuple[int, dict[str, Any], str]:
    """Return when a table's game ended, what is told of it, and its text."""
    master, say = Master(record), catalogue("en")
    seat = next(number for number, one in enumerate(record.seats) if one.key in keys)
    dice = (
        "sealed"
        if master.sealed
        else "seed"
        if record.seed is not None
        else record.dice.partition(" ")[0] or "system"
    )
    body = _body(
        master.position,
        seat,
        [one.name for one in record.seats],
        [one.level for one in record.seats],
        dice,
    )
    return master.events[-1].at, body, master.transcript(render.plain_names(master, say))


def _finished(game: str, at: int, body: str, code: str, review: str) -> FinishedGame:
    """A row of the results as it is told."""
    told = (
        {"id": game, "at": at}
        | json.loads(body)
        | {"table": code or None, "review": json.loads(review) if review else None}
    )
    return cast(FinishedGame, told)


def _of_review(seat: SeatReview) -> GameReview:
    """What statistics want to know of a review."""
    return {
        "luck": seat["luck"],
        "loss": seat["loss"],
        "adjusted": seat["adjusted"],
        "decisions": len(seat["decisions"]),
        "best": sum(decision["loss"] == 0 for decision in seat["decisions"]),
    }


def _of_text(
    text: str, seat: int | None, name: str
) -> tuple[str, dict[str, Any], tuple[str, bytes] | None]:
    """Return the name under which a transcript is kept, what is told of it, and the table of its sealed dice."""
    if len(text) > LONGEST_TRANSCRIPT:
        raise RefusalError("too_long")
    try:
        read = read_for_others(text)
    except NotReplayable as error:
        raise refused_text(error) from None
    if not read.position.over:
        raise RefusalError("unfinished_transcript")
    called = [player.partition(":") for player in read.header.players]
    names, levels = [who for who, _, _ in called], [level for _, _, level in called]
    people = [number for number, level in enumerate(levels) if not level] or [0]
    mine = next((number for number in people if names[number].lower() == name.lower()), people[0])
    if seat is not None and seat < len(names):
        mine = seat
    dice = read.header.dice.partition(" ")[0]
    return (
        IMPORTED + sha256(text.encode()).hexdigest()[:20],
        _body(read.position, mine, names, levels, dice),
        read.sealing,
    )


def _body(
    position: Any, seat: int, names: list[str], levels: list[str], dice: str
) -> dict[str, Any]:
    return {
        "game": position.game.key,
        "variant": position.variant,
        "dice": dice,
        "seat": seat,
        "names": names,
        "levels": levels,
        "scores": [position.score(number) for number in range(position.players)],
        "places": position.places(),
        "parts": position.breakdown(seat),
    }


async def copy_rows(tables: Mapping[str, str], source: Rows, target: Rows) -> None:
    """Carry whole tables, given with their columns, from one store to another."""
    for table, columns in tables.items():
        marks = ", ".join("?" for _ in columns.split(", "))
        for row in await source.query(f"SELECT {columns} FROM {table}"):
            await target.query(
                f"INSERT INTO {table} ({columns}) VALUES ({marks}) ON CONFLICT DO NOTHING", *row
            )
            await asyncio.sleep(0)
