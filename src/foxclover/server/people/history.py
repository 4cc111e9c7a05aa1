"""Keep the finished games of a person.

Collect them from tables, import them from transcripts, and export them in one file.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from typing import Any, NamedTuple, cast

from foxclover.core.game import game_names
from foxclover.locale import Translator
from foxclover.review.transcripts import NotReplayable
from foxclover.server.context import ServerContext
from foxclover.server.errors import Reason, RefusalError, refused_text, require
from foxclover.server.limits.rate_limits import COST_OF_IMPORT, COST_OF_MEGABYTE, Buckets
from foxclover.server.people import finished_games as finished
from foxclover.server.people import puzzle_results, reports, skills
from foxclover.server.people.finished_games import Finished
from foxclover.server.people.people import Known, People
from foxclover.server.protocol import decode, encode
from foxclover.server.protocol.people import (
    BringIn,
    ExportedCalls,
    FinishedGame,
    Imports,
    Skills,
    UnreadableGame,
)
from foxclover.server.protocol.people import History as Games
from foxclover.server.stores.sql import insert
from foxclover.server.stores.store import Steps, TableRecord
from foxclover.server.tables.looking_back import Reviews

MOST_GAMES = 5_000  # per person
MOST_BYTES = 60_000_000  # of transcripts per person
AT_ONCE = 40  # finished tables that are read per answer
A_PAGE = 20  # games of an export in memory at a time
DEAREST_EXPORT = 4_000  # milliseconds of work: below the burst limit of a client
IMPORTED = "import-"  # prefix of the ids of imported games
EXPORT = 1  # version of the export format
NOT_READABLE = "unreadable"  # stored instead of a digest


class Gathered(NamedTuple):
    """The number of games stored from finished tables, and the tables that could not be read."""

    kept: int
    unreadable: list[tuple[str, Reason]]


class History:
    """Requests of a device about the finished games of its person."""

    def __init__(
        self,
        context: ServerContext,
        people: People,
        reviews: Reviews,
        calls: Callable[[str], Awaitable[ExportedCalls]],
    ) -> None:
        self.calls = calls
        self.context = context
        self.rows = context.store
        self.people = people
        self.reviews = reviews
        self.brought = Buckets(
            context.limits.import_bytes_per_client, context.limits.import_byte_interval
        )

    async def games(self, token: str, translate: Translator) -> Games:
        """Return a person's finished games, newest first, and the tables that cannot be read."""
        known = await self.people.known(token)
        if known is None:
            return {"games": [], "unreadable": [], "skills": [], "reviewing": 0}
        gathered = await self.gather(known.person)
        await self._learn_from_reviews(known.person)
        rows = await self.rows.query(
            "SELECT id, at, body, code, review FROM results WHERE person = ? ORDER BY at DESC, id",
            known.person,
        )
        games = [_finished_game(*row) for row in rows]
        return {
            "games": games,
            "unreadable": _unreadable(gathered, translate),
            "skills": skills.ratings(games),
            "reviewing": self.reviews.queue(skills.unreviewed(games)),
        }

    async def skills(self, token: str) -> Skills:
        """Return the skill ratings of a person without their games."""
        known = await self.people.known(token)
        if known is None:
            return {"skills": []}
        await self.gather(known.person)
        await self._learn_from_reviews(known.person)
        return {"skills": skills.of_rows(await self.rows.query(skills.RATED, known.person))}

    async def transcript(self, token: str, game: str) -> str:
        """Return the transcript of a finished game."""
        known = await self.people.known(token)
        found = known and await self.rows.query(
            "SELECT transcript FROM results WHERE person = ? AND id = ?", known.person, game
        )
        if not found:
            raise RefusalError("not_found")
        return str(found[0][0])

    async def table_of(self, token: str, game: str) -> str:
        """Return the table that shows a finished game for review, "" if there is none yet."""
        known = await self.people.known(token)
        found = known and await self.rows.query(
            "SELECT t.code FROM results r JOIN tables t ON t.code = r.code WHERE r.person = ?"
            " AND r.id = ?",
            known.person,
            game,
        )
        return str(found[0][0]) if found else ""

    async def look_back_at(self, token: str, game: str, code: str) -> None:
        """Store the table that shows a finished game for review."""
        known = await self.people.known(token)
        if known is not None:
            await self.rows.query(
                "UPDATE results SET code = ? WHERE person = ? AND id = ?", code, known.person, game
            )

    async def _learn_from_reviews(self, person: str) -> None:
        """Store this person's dice luck and losses from reviews that are not stored yet."""
        rows = await self.rows.query(
            f"""SELECT r.id, r.body, v.text FROM results r JOIN reviews v ON v.code = r.code
            WHERE r.person = ? AND r.review = '' ORDER BY r.at DESC LIMIT {AT_ONCE}""",
            person,
        )
        for game, body, text in rows:
            await self.rows.query(
                "UPDATE results SET review = ? WHERE person = ? AND id = ?",
                skills.summary_of(text, json.loads(body)["seat"]),
                person,
                game,
            )

    # --- from tables

    async def gather(self, person: str, most: int = AT_ONCE) -> Gathered:
        """Read this person's tables that have finished since the last call.

        Stop after ``most`` stored games. A table that cannot be read now is tried again next time.
        """
        rows = await self.rows.query(
            """SELECT DISTINCT s.code, t.game FROM sittings s JOIN tables t ON t.code = s.code
            JOIN seats e ON e.code = s.code AND e.key = s.key
            WHERE s.person = ? AND t.finished AND substr(t.origin, 1, 8) <> 'position'
            AND NOT EXISTS (
                SELECT 1 FROM results r WHERE r.person = s.person AND r.id = s.code)""",
            person,
        )
        kept, unreadable = 0, list[tuple[str, Reason]]()
        for code, game in rows:
            if kept == most:
                break
            if game not in game_names():
                unreadable.append((code, "unknown_game"))
                continue
            record = await self.context.store.load(code)
            if record is None:
                continue
            rows = await self.rows.query(
                "SELECT key FROM sittings WHERE code = ? AND person = ?", code, person
            )
            keys = {key for (key,) in rows}
            found = await self._read(record, keys)
            if isinstance(found, str):
                unreadable.append((code, found))
            else:
                names = [seat.name for seat in record.seats]
                kept += await self.rows.transact(partial(_keep_table, person, code, found, names))
        return Gathered(kept, unreadable)

    async def _read(self, record: TableRecord, keys: set[bytes]) -> Finished | Reason:
        """Read a table in a worker process.

        Read a daily table here: a worker does not know whether its dice may be published.
        """
        if record.day:
            async with self.context.slow_lane():
                return finished.of_table(record, keys)
        return await self.context.computers.work(finished.of_table, record, keys)

    async def complete(self, person: str) -> Gathered:
        """Read all finished tables of this person, and all stored transcripts without a digest."""
        gathered = await self.gather(person, MOST_GAMES)
        statement = (
            "SELECT id, transcript, body FROM results WHERE person = ? AND digest = ''"
            f" LIMIT {AT_ONCE}"
        )
        while rows := await self.rows.query(statement, person):
            texts = [(text, json.loads(body)["seat"]) for _, text, body in rows]
            for (game, text, _), read in zip(rows, await self._read_texts(texts, ""), strict=True):
                kept, digest = text, NOT_READABLE
                if isinstance(read, Finished):
                    kept, digest = read.text, read.digest
                await self.rows.query(
                    "UPDATE results SET transcript = ?, size = ?, digest = ? WHERE person = ?"
                    " AND id = ?",
                    *(kept, len(kept.encode()), digest, person, game),
                )
        return gathered

    # --- export and import

    async def take_out(
        self, token: str, client: str, translate: Translator
    ) -> AsyncIterator[bytes]:
        """Return all stored data of a person as chunks of one JSON object."""
        known = await self.people.known(token)
        if known is None:
            return _pieces(
                {
                    "name": "",
                    "tag": "",
                    "devices": [],
                    "groups": [],
                    "running": [],
                    "unreadable": [],
                    "reports": [],
                    "calls": {"devices": [], "tables": [], "webhooks": []},
                    "daily": [],
                    "puzzles": [],
                },
                None,
            )
        _, size = await self._room(known.person)
        self.context.charge(client, min(DEAREST_EXPORT, COST_OF_MEGABYTE * size / 1_000_000))
        gathered = await self.complete(known.person)
        head = {
            "name": known.name,
            "tag": known.tag,
            **await self._belongings(known),
            "unreadable": _unreadable(gathered, translate),
        }
        return _pieces(head, self._all_games(known.person))

    async def _belongings(self, known: Known) -> dict[str, Any]:
        groups = await self.rows.query(
            "SELECT g.code, g.name FROM daily_members m JOIN daily_groups g ON g.code = m.code"
            " WHERE m.person = ? ORDER BY g.created, g.code",
            known.person,
        )
        running = await self.rows.query(
            """SELECT s.code, t.game, e.seat, e.name, t.created FROM sittings s
            JOIN tables t ON t.code = s.code JOIN seats e ON e.code = s.code AND e.key = s.key
            WHERE s.person = ? AND NOT t.finished ORDER BY t.created, s.code""",
            known.person,
        )
        days = await self.rows.query(
            "SELECT day, game, score FROM dailies WHERE person = ? ORDER BY day, game", known.person
        )
        return {
            "devices": [
                {"name": device["name"], "added": device["added"], "seen": device["seen"]}
                for device in await self.people.devices_of(known.person)
            ],
            "groups": [{"code": code, "name": name} for code, name in groups],
            "running": [
                {"table": table, "game": game, "seat": seat, "name": name, "created": created}
                for table, game, seat, name, created in running
            ],
            "reports": await reports.exported(self.rows, known.person),
            "calls": await self.calls(known.person),
            "daily": [{"day": day, "game": game, "score": score} for day, game, score in days],
            "puzzles": await puzzle_results.exported(self.rows, known.person),
        }

    async def _all_games(self, person: str) -> AsyncIterator[bytes]:
        """Yield the games of a person, oldest first.

        Only one page of them is in memory at a time.
        """
        statement = f"""SELECT r.at, r.id, r.transcript, r.body, v.text FROM results r
            LEFT JOIN reviews v ON v.code = r.code
            WHERE r.person = ? AND (r.at, r.id) > (?, ?) ORDER BY r.at, r.id LIMIT {A_PAGE}"""
        last: tuple[Any, ...] = (-1, "")
        while rows := await self.rows.query(statement, person, *last):
            for at, _, text, body, review in rows:
                yield encode(
                    {
                        "at": at,
                        "transcript": text,
                        "seat": decode(body)["seat"],
                        "review": decode(review) if review else None,
                    }
                )
            last = rows[-1][:2]

    async def bring_in(self, body: BringIn, client: str, translate: Translator) -> Imports:
        """Import finished games from the terminal or another server, and results in puzzles.

        What the person already has is skipped.
        """
        token, brought, exercises = body["token"], body["games"], body.get("puzzles", [])
        known = await self.people.known(token)
        self.context.charge(
            client,
            COST_OF_IMPORT * len(exercises)
            + sum(
                COST_OF_IMPORT + COST_OF_MEGABYTE * len(game["transcript"]) / 1_000_000
                for game in brought
            ),
        )
        if known is not None:
            await self.complete(known.person)
        count, size = await self._room(known.person) if known else (0, 0)
        added, refused, now = 0, list[str](), int(time.time())
        texts = [(game["transcript"], game.get("seat")) for game in brought]
        for game, read in zip(
            brought, await self._read_texts(texts, known.name if known else ""), strict=True
        ):
            if isinstance(read, NotReplayable):
                refused.append(refused_text(read).words(translate))
                continue
            if unwanted := [
                name for name in read.body["names"] if self.context.names.refuses(name)
            ]:
                refused.append(RefusalError("refused_name", name=unwanted[0]).words(translate))
                continue
            known = known or await self.people.person_of(token)
            if await self.rows.query(
                "SELECT 1 FROM results WHERE digest = ? AND person = ?", read.digest, known.person
            ):
                continue
            size += len(read.text.encode())
            require(count + added < MOST_GAMES and size <= MOST_BYTES, "history_full")
            self.brought.expect(client, len(read.text.encode()))
            # A damaged file may contain a time in the future.
            read = read._replace(at=min(game.get("at", now), now))
            added += await self.rows.transact(partial(_keep_text, known.person, read))
        skipped = len(brought) - added - len(refused)
        solved = 0
        for own in exercises:
            try:
                found = puzzle_results.readable(own, now)
            except RefusalError as refusal:
                refused.append(refusal.words(translate))
                continue
            known = known or await self.people.person_of(token)
            solved += await self.rows.transact(
                partial(puzzle_results.bring_in, known.person, found)
            )
        return {"added": added, "known": skipped, "puzzles": solved, "refused": refused}

    async def _read_texts(
        self, texts: Sequence[tuple[str, int | None]], name: str
    ) -> list[Finished | NotReplayable]:
        return await self.context.computers.work(finished.of_texts, texts, name)

    async def _room(self, person: str) -> tuple[int, int]:
        """Return the number of games of a person and the bytes of their transcripts.

        An index covers both, so that no transcript is read.
        """
        ((count, size),) = await self.rows.query(
            "SELECT count(*), coalesce(sum(size), 0) FROM results WHERE person = ?", person
        )
        return int(count), int(size)


def _keep_table(person: str, code: str, found: Finished, names: list[str]) -> Steps[bool]:
    """Store the game of a table, unless a player of it was deleted since it was read."""
    seats = yield "SELECT name FROM seats WHERE code = ? ORDER BY seat", code
    if [name for (name,) in seats] != names or not (
        yield "SELECT 1 FROM sittings WHERE code = ? AND person = ?", code, person
    ):
        return False
    return (yield from _keep(person, code, found, code))


def _keep_text(person: str, found: Finished) -> Steps[bool]:
    """Store an imported game, unless its owner was deleted in the meantime."""
    if not (yield "SELECT 1 FROM people WHERE id = ?", person):
        return False
    return (yield from _keep(person, IMPORTED + found.digest[:20], found, ""))


def _keep(person: str, game: str, found: Finished, code: str) -> Steps[bool]:
    body, size = json.dumps(found.body, ensure_ascii=False), len(found.text.encode())
    stored = yield (
        insert("results", "person, id, at, body, transcript, code, digest, size") + " RETURNING id",
        *(person, game, found.at, body, found.text, code, found.digest, size),
    )
    return bool(stored)


async def _pieces(head: dict[str, Any], games: AsyncIterator[bytes] | None) -> AsyncIterator[bytes]:
    """Yield the chunks of one JSON object with one chunk per game."""
    yield encode({"foxclover": EXPORT, **head})[:-1] + b',"games":['
    between = b"\n"
    if games is not None:
        async for game in games:
            yield between + game
            between = b",\n"
    yield b"]}"


def _unreadable(gathered: Gathered, translate: Translator) -> list[UnreadableGame]:
    return [
        {"table": code, "words": RefusalError(reason).words(translate)}
        for code, reason in gathered.unreadable
    ]


def _finished_game(game: str, at: int, body: str, code: str, review: str) -> FinishedGame:
    return cast(
        FinishedGame,
        {
            "id": game,
            "at": at,
            **json.loads(body),
            "table": code or None,
            "review": json.loads(review) if review else None,
        },
    )
