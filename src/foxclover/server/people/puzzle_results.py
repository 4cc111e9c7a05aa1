"""Keep a person's puzzle rating and attempts, and the ratings of the puzzles.

A first answer changes both ratings in one transaction, and no answer counts twice.
"""

from __future__ import annotations

import json
import time
from typing import Any

from foxclover.locale import Translator
from foxclover.puzzles.glicko import Rating
from foxclover.server import puzzles
from foxclover.server.context import ServerContext
from foxclover.server.people.people import People
from foxclover.server.protocol.people import OwnPuzzles
from foxclover.server.protocol.puzzles import AnswerPuzzle, AskPuzzle, PuzzleAnswer, PuzzleQuestion
from foxclover.server.puzzles import Judged, Progress
from foxclover.server.stores.store import Rows, Steps

KEEP_PLAYER = """INSERT INTO puzzle_players (person, game, body) VALUES (?, ?, ?)
    ON CONFLICT (person, game) DO UPDATE SET body = excluded.body"""
KEEP_ATTEMPT = """INSERT INTO puzzle_attempts (person, game, puzzle, made, at)
    VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (person, game, puzzle) DO UPDATE SET made = excluded.made"""
KEEP_PUZZLE = """INSERT INTO puzzle_ratings (game, puzzle, body) VALUES (?, ?, ?)
    ON CONFLICT (game, puzzle) DO UPDATE SET body = excluded.body"""


class PuzzleResults:
    """Requests of a device about puzzles."""

    def __init__(self, context: ServerContext, people: People) -> None:
        self.rows: Rows = context.store
        self.people = people

    async def ask(self, request: AskPuzzle, translate: Translator) -> PuzzleQuestion:
        """Return a puzzle that suits a person; nothing is stored about an unknown device."""
        known = await self.people.known(request["token"])
        progress = Progress()
        if known is not None:
            person, game = known.person, request["game"]
            progress = await self.rows.transact(lambda: _progress(person, game))
        return puzzles.ask(request, progress, translate)

    async def answer(self, request: AnswerPuzzle, translate: Translator) -> PuzzleAnswer:
        """Rate an answer and return the solution."""
        every = puzzles.find_set(request["game"])
        puzzle = puzzles.find_puzzle(every, request["id"])
        first = puzzles.first_rating(every, puzzle.id)
        # Refuse an illegal move before a person is created for an unknown device.
        _, move = puzzles.judge(request, puzzle, Progress(), first)
        person = (await self.people.person_of(request["token"])).person
        now = int(time.time())

        def steps() -> Steps[Judged]:
            game, name = request["game"], puzzle.id
            before = yield from _progress(person, game)
            found = yield (
                "SELECT body FROM puzzle_ratings WHERE game = ? AND puzzle = ?",
                game,
                name,
            )
            rating = Rating(*json.loads(found[0][0])) if found else first
            judged, _ = puzzles.judge(request, puzzle, before, rating)
            # A person may have been deleted since the device was looked up.
            if not (yield "SELECT 1 FROM people WHERE id = ?", person):
                return judged
            yield KEEP_ATTEMPT, person, game, name, judged.progress.attempts[name], now
            if judged.rated:
                yield KEEP_PLAYER, person, game, judged.progress.text()
                yield KEEP_PUZZLE, game, name, json.dumps(judged.puzzle)
            return judged

        judged = await self.rows.transact(steps)
        return puzzles.explain(every, puzzle, move, judged, translate)


def _progress(person: str, game: str) -> Steps[Progress]:
    stored = yield (
        "SELECT body FROM puzzle_players WHERE person = ? AND game = ?",
        person,
        game,
    )
    made = yield (
        "SELECT puzzle, made FROM puzzle_attempts WHERE person = ? AND game = ?"
        " ORDER BY at, puzzle",
        person,
        game,
    )
    attempts: dict[str, int] = dict(made)
    return puzzles.read_progress(stored[0][0], attempts) if stored else Progress(attempts=attempts)


def bring_in(person: str, own: OwnPuzzles) -> Steps[int]:
    """Store imported results of a game that a person lacks; return how many attempts are new.

    A rating that the person already has stays, and no imported attempt is rated again.
    """
    if not (yield "SELECT 1 FROM people WHERE id = ?", person):
        return 0
    before = yield from _progress(person, own["game"])
    new = [each for each in own["attempts"] if each["id"] not in before.attempts]
    for each in new:
        yield KEEP_ATTEMPT, person, own["game"], each["id"], each["made"], each["at"]
    if own["results"] and not before.attempts:
        yield KEEP_PLAYER, person, own["game"], own["results"]
    return len(new)


def readable(own: OwnPuzzles, now: int) -> OwnPuzzles:
    """Return imported results without puzzles of another version, or refuse damaged ones."""
    every = puzzles.find_set(own["game"])
    made = {each["id"]: each for each in own["attempts"]}
    found = puzzles.read_results(
        own["results"], {name: each["made"] for name, each in made.items()}
    )
    return {
        "game": own["game"],
        "results": found.text() if own["results"] else "",
        # A damaged file may contain a time in the future.
        "attempts": [
            {"id": name, "made": each["made"], "at": min(each["at"], now)}
            for name, each in made.items()
            if name in every
        ],
    }


async def exported(rows: Rows, person: str) -> list[dict[str, Any]]:
    """Return the puzzle results of a person for an export."""
    players = await rows.query("SELECT game, body FROM puzzle_players WHERE person = ?", person)
    made = await rows.query(
        "SELECT game, puzzle, made, at FROM puzzle_attempts WHERE person = ? ORDER BY at, puzzle",
        person,
    )
    bodies = dict(players)
    return [
        {
            "game": game,
            "results": bodies.get(game, ""),
            "attempts": [
                {"id": name, "made": how, "at": at} for of, name, how, at in made if of == game
            ],
        }
        for game in sorted({*bodies, *(row[0] for row in made)})
    ]
