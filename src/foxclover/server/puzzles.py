"""Choose puzzles, show them, and rate the answers; where results are stored is not decided here."""

from __future__ import annotations

import hashlib
import json
import random
import time
from dataclasses import dataclass, field, replace
from typing import TypeVar

from foxclover import puzzles
from foxclover.core.move import Move
from foxclover.dice.daily import day_of
from foxclover.locale import Translator
from foxclover.puzzles import Puzzle, PuzzleError, PuzzleSet, load, themes_of
from foxclover.puzzles.glicko import (
    LEAST_DEVIATION,
    MOST_DEVIATION,
    Rating,
    Result,
    update,
)
from foxclover.server import games
from foxclover.server.errors import RefusalError, require
from foxclover.server.protocol.puzzles import (
    AnswerPuzzle,
    AskPuzzle,
    PuzzleAnswer,
    PuzzleProgress,
    PuzzleQuestion,
)

Shown = TypeVar("Shown", PuzzleAnswer, PuzzleQuestion)
NEAREST = 20  # puzzles near the player's rating of which one is drawn
FIRST_OF_STREAK, HARDER = 900.0, 50.0  # ratings of a streak: its first puzzle, and how they rise
MOST_LISTED = 50  # missed puzzles that the page lists
MOST_RATING = 4000.0  # that an import may contain
FIRST_DEVIATION = 150.0  # of a puzzle's rating, which is estimated from computer players
MISSED, SOLVED, REPEATED = 0, 1, 2  # REPEATED: solved after it was missed


@dataclass(frozen=True)
class Progress:
    """A person's results in the puzzles of a game."""

    rating: Rating = field(default_factory=Rating)
    tried: int = 0
    solved: int = 0
    streak: int = 0
    best: int = 0
    attempts: dict[str, int] = field(default_factory=dict)  # MISSED, SOLVED or REPEATED by id

    def text(self) -> str:
        """Return everything but the attempts, to be stored."""
        return json.dumps([*self.rating, self.tried, self.solved, self.streak, self.best])

    def record(self) -> str:
        """Return everything, for a page that stores it itself."""
        return json.dumps([self.text(), self.attempts], separators=(",", ":"))


@dataclass(frozen=True)
class Judged:
    """An answer and what it changed."""

    solved: bool
    rated: bool
    before: Progress
    progress: Progress
    puzzle: Rating


def read_progress(text: str, attempts: dict[str, int]) -> Progress:
    """Read what ``Progress.text`` has written."""
    value, deviation, volatility, *counts = json.loads(text)
    tried, solved, streak, best = map(int, counts)
    rating = Rating(float(value), float(deviation), float(volatility))
    return Progress(rating, tried, solved, streak, best, attempts)


def read_results(text: str, attempts: dict[str, int]) -> Progress:
    """Read exported results from outside, or refuse what ``Progress.text`` cannot have written."""
    try:
        found = read_progress(text, attempts) if text else Progress(attempts=attempts)
    except (ValueError, TypeError, OverflowError):
        raise RefusalError("bad_message", what="results") from None
    rating = found.rating
    require(
        0 <= rating.value <= MOST_RATING
        and LEAST_DEVIATION <= rating.deviation <= MOST_DEVIATION
        and 0 < rating.volatility < 1
        and 0 <= found.solved <= found.tried <= len(attempts)
        and 0 <= found.streak <= found.best <= found.solved,
        "bad_message",
        what="results",
    )
    return found


def read_record(text: str) -> Progress:
    """Read what ``Progress.record`` has written; begin again if the text is damaged."""
    try:
        stored, attempts = json.loads(text)
        return read_progress(stored, {str(name): int(made) for name, made in attempts.items()})
    except (ValueError, TypeError, AttributeError, OverflowError):
        return Progress()


def find_set(key: str) -> PuzzleSet:
    """Return the puzzles of a game, or refuse a game without usable puzzles."""
    try:
        return load(games.find(key))
    except PuzzleError:
        raise RefusalError("no_puzzles") from None


def find_puzzle(every: PuzzleSet, name: str) -> Puzzle:
    """Return a puzzle by its id, or refuse an unknown or damaged one."""
    require(name in every, "unknown_puzzle")
    try:
        return every[name]
    except PuzzleError:
        raise RefusalError("unknown_puzzle") from None


def first_rating(every: PuzzleSet, name: str) -> Rating:
    """Return the rating of a puzzle that nobody has tried."""
    return Rating(every.rating(name), FIRST_DEVIATION)


def ask(request: AskPuzzle, progress: Progress, translate: Translator) -> PuzzleQuestion:
    """Return a puzzle without its solution."""
    every, which = find_set(request["game"]), request["which"]
    day = day_of(time.time()) if which == "day" else ""
    name = _choose(every, which, request.get("name", ""), progress, day)
    puzzle = find_puzzle(every, name)
    position, seat = puzzle.position, puzzle.seat
    return {
        "id": name,
        "game": request["game"],
        "seat": seat,
        "moment": {
            "at": 0,
            "view": position.view(),
            "position": position.text,
            "scores": [position.score(each) for each in range(position.players)],
            "seat": seat,
            "next": None,
            "moves": list(position.legal_moves(seat).views(translate)),
            "prompt": position.prompt(seat, translate),
        },
        "rated": which not in ("theme", "missed") and name not in progress.attempts,
        "day": day,
        "themes": [
            theme
            for theme in themes_of(every.game).THEMES
            if any(theme in every.themes(each) for each in every)
        ],
        "you": _shown(progress, every),
    }


def _choose(every: PuzzleSet, which: str, name: str, progress: Progress, day: str) -> str:
    if which == "named":
        return name
    if which == "day":
        drawn = hashlib.sha256(f"{day} {every.game.key}".encode()).digest()
        return sorted(every)[int.from_bytes(drawn[:8], "big") % len(every)]
    if which == "missed":
        wanted = _missed(progress, every)
        require(wanted, "no_puzzles")
        return name if name in wanted else random.choice(wanted)
    wanted = [each for each in every if which != "theme" or name in every.themes(each)]
    require(wanted, "no_puzzles")
    new = [each for each in wanted if each not in progress.attempts]
    if which == "streak":
        require(new, "no_puzzles")
        aim = FIRST_OF_STREAK + HARDER * progress.streak
        # Always the same one: to ask again gives no easier puzzle.
        return min(new, key=lambda each: (abs(every.rating(each) - aim), each))
    new = sorted(new or wanted, key=lambda each: abs(every.rating(each) - progress.rating.value))
    return random.choice(new[:NEAREST])


def judge(
    request: AnswerPuzzle, puzzle: Puzzle, progress: Progress, rating: Rating
) -> tuple[Judged, Move | None]:
    """Return what an answer changes, and the move; only a first answer changes ratings."""
    number, move = request.get("move"), None
    if number is not None:
        legal = puzzle.position.legal_numbers(puzzle.seat)
        require(number in legal, "illegal_move", text=number)
        move = puzzle.position.move(puzzle.seat, number)
    solved = number == puzzle.best.move.number
    known = progress.attempts.get(puzzle.id)
    made = SOLVED if solved else MISSED
    if known is not None:
        made = REPEATED if solved and known == MISSED else known
    after = replace(progress, attempts=progress.attempts | {puzzle.id: made})
    rated = request["rated"] and known is None
    if not rated:
        return Judged(solved, False, progress, after, rating), move
    streak = progress.streak
    if request.get("streak", False):
        streak = streak + 1 if solved else 0
    after = replace(
        after,
        rating=update(progress.rating, [Result(rating, float(solved))]),
        tried=progress.tried + 1,
        solved=progress.solved + solved,
        streak=streak,
        best=max(progress.best, streak),
    )
    moved = update(rating, [Result(progress.rating, float(not solved))])
    return Judged(solved, True, progress, after, moved), move


def explain(
    every: PuzzleSet, puzzle: Puzzle, move: Move | None, judged: Judged, translate: Translator
) -> PuzzleAnswer:
    """Return the solution of a puzzle and what an answer changed."""
    other = puzzle.options[1].move if judged.solved or move is None else move
    option = puzzle.option(other)
    return {
        "id": puzzle.id,
        "solved": judged.solved,
        "best": puzzle.best.move.view(translate),
        "loss": 0.0 if judged.solved else (option or puzzle.options[-1]).loss,
        "exact": judged.solved or option is not None,
        "why": puzzles.explain(puzzle, other, translate),
        "options": [
            {"move": each.move.view(translate), "loss": each.loss, "error": each.error}
            for each in puzzle.options
        ],
        "themes": list(puzzle.themes),
        "rating": judged.puzzle.value,
        "deviation": judged.puzzle.deviation,
        "rated": judged.rated,
        "change": judged.progress.rating.value - judged.before.rating.value,
        "you": _shown(judged.progress, every),
    }


def answer_locally(request: AnswerPuzzle, translate: Translator) -> PuzzleAnswer:
    """Answer for a page that stores its results itself; puzzles keep their first rating."""
    every = find_set(request["game"])
    puzzle = find_puzzle(every, request["id"])
    before = read_record(request.get("record", ""))
    judged, move = judge(request, puzzle, before, first_rating(every, puzzle.id))
    found = explain(every, puzzle, move, judged, translate)
    return _with_record(found, judged.progress)


def ask_locally(request: AskPuzzle, translate: Translator) -> PuzzleQuestion:
    """Return a puzzle for a page that stores its results itself."""
    progress = read_record(request.get("record", ""))
    return _with_record(ask(request, progress, translate), progress)


def _with_record(found: Shown, progress: Progress) -> Shown:
    found["you"]["record"] = progress.record()
    return found


def _missed(progress: Progress, every: PuzzleSet) -> list[str]:
    made = reversed(progress.attempts.items())
    return [name for name, how in made if how == MISSED and name in every]


def _shown(progress: Progress, every: PuzzleSet) -> PuzzleProgress:
    missed = _missed(progress, every)
    return {
        "rating": progress.rating.value,
        "deviation": progress.rating.deviation,
        "tried": progress.tried,
        "solved": progress.solved,
        "streak": progress.streak,
        "best": progress.best,
        "missed": [
            {"id": name, "rating": every.rating(name), "themes": list(every.themes(name))}
            for name in missed[:MOST_LISTED]
        ],
        "missed_count": len(missed),
        "left": sum(name not in progress.attempts for name in every),
        "record": "",
    }
