"""Puzzles: real positions with one decision, and the value of every sensible move.

``load(game)`` returns the puzzles that are shipped for a game, ``foxclover puzzles build`` makes
new ones.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol, cast

from foxclover.core.game import Game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.registry import GAMES, import_part
from foxclover.locale import Translator

__all__ = [
    "Option",
    "Puzzle",
    "PuzzleError",
    "PuzzleSet",
    "explain",
    "load",
    "read",
    "themes_of",
    "write",
]

FORMAT = "foxclover puzzles 1"
ID, THEMES, RATING = 0, 4, 5  # places of these fields in a line


class PuzzleError(ValueError):
    """A file of puzzles is not usable; the message explains why."""


class FamilyThemes(Protocol):
    """The module ``themes`` of a family's package."""

    THEMES: tuple[str, ...]

    def themes(self, position: Position, seat: int, best: Move, second: Move) -> list[str]:
        """Return the themes of a decision by its best and its second best move."""

    def explain(
        self, position: Position, seat: int, best: Move, played: Move, translate: Translator
    ) -> list[str]:
        """Describe what the best move does and the move played does not."""


def themes_of(game: Game) -> FamilyThemes:
    """Return the themes that a game's family knows."""
    return cast(FamilyThemes, import_part(game.family, "themes"))


def explain(puzzle: Puzzle, played: Move, translate: Translator) -> list[str]:
    """Explain in sentences why the best move of a puzzle is better than another one."""
    position, best = puzzle.position, puzzle.best.move
    found = themes_of(position.game).explain(position, puzzle.seat, best, played, translate)
    option = puzzle.option(played)
    if option is not None:
        ahead, behind = (_score_after(position, puzzle.seat, move) for move in (best, played))
        later = round(option.loss - (ahead - behind))
        if later > 0 and ahead < behind:
            found.append(translate("puzzle.why.less", now=behind - ahead, later=later))
        elif later > 0:
            found.append(translate("puzzle.why.later", count=later))
    return found


def _score_after(position: Position, seat: int, move: Move) -> int:
    after = position.copy()
    after.push(move)
    return after.score(seat)


@dataclass(frozen=True)
class Option:
    """A sensible move of a puzzle."""

    move: Move
    value: float  # expected final points
    loss: float  # points behind the best move
    error: float  # standard error of the loss; 0 for the best move


@dataclass(frozen=True)
class Puzzle:
    """A decision with its best move."""

    id: str
    position: Position
    seat: int
    options: tuple[Option, ...]  # sensible moves, the best first
    themes: tuple[str, ...]
    rating: int  # estimated from which computer players find the best move
    source: str  # the strength of the players of its game

    @property
    def best(self) -> Option:
        """The best move."""
        return self.options[0]

    def option(self, move: Move) -> Option | None:
        """Return the evaluation of a legal move; None if it is worse than all sensible ones."""
        return next((option for option in self.options if option.move.number == move.number), None)


def shipped(game: Game) -> Path:
    """Return the path of the puzzles of a game in the package."""
    return GAMES / game.family / "puzzles" / f"{game.key}.json.gz"


class PuzzleSet(Mapping[str, Puzzle]):
    """The puzzles of a game by id, in the order of their file.

    Positions are read when they are needed: reading a thousand of them takes half a second.
    """

    def __init__(self, path: Path, game: Game) -> None:
        self.path, self.game = path, game
        self._fields: dict[str, list[Any]] = {}
        with _file_errors(path, game):
            header, *lines = gzip.decompress(path.read_bytes()).decode().splitlines()
            found = json.loads(header)
            if found["format"] != FORMAT or found["rules"] != rules(game):
                raise PuzzleError(f"the puzzles {path} are for another version of {found['game']}")
            for line in lines:
                fields = json.loads(line)
                self._fields[fields[ID]] = fields

    def __getitem__(self, name: str) -> Puzzle:
        """Return a puzzle; raise ``PuzzleError`` if its position or moves are not legal."""
        fields = self._fields[name]
        with _file_errors(self.path, self.game):
            return _from_fields(fields, self.game)

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __contains__(self, name: object) -> bool:
        return name in self._fields

    def rating(self, name: str) -> int:
        """Return the first rating of a puzzle."""
        return int(self._fields[name][RATING])

    def themes(self, name: str) -> tuple[str, ...]:
        """Return the themes of a puzzle."""
        return tuple(self._fields[name][THEMES])


@cache
def load(game: Game) -> PuzzleSet:
    """Return the puzzles that are shipped for a game, by id."""
    return PuzzleSet(shipped(game), game)


def read(path: Path, game: Game) -> list[Puzzle]:
    """Read all puzzles of a file; raise ``PuzzleError``."""
    return list(PuzzleSet(path, game).values())


@contextmanager
def _file_errors(path: Path, game: Game) -> Iterator[None]:
    """Turn what a bad file raises into ``PuzzleError``."""
    try:
        yield
    except PuzzleError:
        raise
    except FileNotFoundError:
        raise PuzzleError(f"there are no puzzles for {game.name}") from None
    except (gzip.BadGzipFile, zlib.error, EOFError, ValueError, LookupError, TypeError):
        raise PuzzleError(f"the puzzles {path} are damaged") from None
    except OSError as error:
        raise PuzzleError(f"the puzzles {path} cannot be read: {error.strerror}") from None


def write(path: Path, game: Game, puzzles: Iterable[Puzzle]) -> None:
    """Write puzzles, always the same bytes for the same puzzles."""
    header = json.dumps({"format": FORMAT, "game": game.key, "rules": rules(game)})
    lines = "\n".join([header, *(to_line(puzzle) for puzzle in puzzles)])
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(lines.encode(), 9, mtime=0))


def to_line(puzzle: Puzzle) -> str:
    """Return a puzzle as a line of JSON."""
    options = [
        [option.move.text, round(option.value, 1), round(option.loss, 1), round(option.error, 1)]
        for option in puzzle.options
    ]
    fields: list[Any] = [
        puzzle.id,
        puzzle.position.text.partition(" ")[2],
        puzzle.seat,
        options,
        puzzle.themes,
        puzzle.rating,
        puzzle.source,
    ]
    return json.dumps(fields, separators=(",", ":"))


def from_line(line: str, game: Game) -> Puzzle:
    """Read a puzzle; raise ``ValueError`` if its moves are not legal in its position."""
    return _from_fields(json.loads(line), game)


def _from_fields(fields: list[Any], game: Game) -> Puzzle:
    name, text, seat, options, themes, rating, source = fields
    position = game.read_position(f"{game.key} {text}")
    return Puzzle(
        name,
        position,
        seat,
        tuple(Option(position.parse(text, seat), *figures) for text, *figures in options),
        tuple(themes),
        rating,
        source,
    )


def rules(game: Game) -> str:
    """Return the version of a game's rules that puzzles depend on: the digest of its data file."""
    return hashlib.sha256(game.definition.source).hexdigest()[:16]
