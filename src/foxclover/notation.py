"""Whole games as text: a transcript a person can read, and that replays exactly.

    Fox & Clover transcript 1
    game: ganz-schoen-clever
    players: Ada, Bo
    dice: seed 7

    # round 1
    chance: y3b2g4o1p6w5
    1: w>y3a
    ...

After the header every line is one move: ``chance:`` or the number of a seat, a colon, the move in the notation of its game. ``#`` begins
a remark. Moves may be shortened as long as they stay unambiguous.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from foxclover.errors import IllegalMove, MoveError, UnreadableMove
from foxclover.game import CHANCE, Game, Position, UnknownGame, game

TITLE = "Fox & Clover transcript 1"
TYPED = "typed"
CHANCE_NAME = "chance"
BOOK_WORDS = ("sheet", "deck")  # what families call their books


class TranscriptError(ValueError):
    """A transcript whose frame is wrong: header, players, or the text is no transcript at all. Names the line."""

    def __init__(self, line: int, problem: str) -> None:
        self.line = line
        super().__init__(f"line {line}: {problem}")


@dataclass
class Header:
    """What stands above the moves."""

    game: Game
    players: list[str]
    dice: str = TYPED  # "seed N", or where else the rolls came from
    variant: int = 0

    def lines(self) -> list[str]:
        """The header as text."""
        names = ", ".join(plain_name(name, seat) for seat, name in enumerate(self.players))
        lines = [TITLE, f"game: {self.game.key}", f"players: {names}", f"dice: {self.dice}"]
        if self.variant:
            lines.append(f"variant: {', '.join(name.replace('_', '-') for name in self.game.chosen(self.variant))}")
        if self.game.file:
            lines.append(f"{self.game.parts.book_word}: {self.game.file}")
        return lines


@dataclass
class Transcript:
    """A transcript that was read: its header and the position it ends in."""

    header: Header
    position: Position
    lines: list[int] = field(default_factory=list)  # line of each move


def plain_name(name: str, seat: int) -> str:
    """A name without the signs that part the names of a header; who has none left is called by his seat."""
    return " ".join(name.replace(",", " ").replace("#", " ").split()) or f"Player {seat + 1}"


def write(header: Header, position: Position) -> str:
    """Write a game up to a position."""
    lines = [*header.lines(), ""]
    shown = 0
    for before, move in position.history():
        if before.round != shown:
            shown = before.round
            lines.append(f"# round {shown}")
        lines.append(f"{CHANCE_NAME if move.seat == CHANCE else move.seat + 1}: {move.text}")
    if position.over:
        lines.append("# " + ", ".join(f"{name} {position.score(seat)}" for seat, name in enumerate(header.players)))
    return "\n".join(lines) + "\n"


def read(text: str, shelf: Collection[str] | None = None) -> Transcript:
    """Read and replay a transcript. Raises ``TranscriptError`` or one of the three ``MoveError`` with the line set.

    With a ``shelf`` its games alone are known, by their whole keys, others raise ``UnknownGame``, and no file the text names is opened.
    """
    lines = [None if line.lstrip().startswith("#") else line.partition("#")[0].strip() for line in text.splitlines()]
    if not lines or lines[0] != TITLE:
        raise TranscriptError(1, f"this is no transcript; the first line must be {TITLE!r}")
    header, first = _read_header(lines, shelf)
    transcript = Transcript(header, header.game.start(len(header.players), header.variant))
    for number, line in enumerate(lines[first:], start=first + 1):
        if line:
            _push_line(transcript.position, line, number)
            transcript.lines.append(number)
    return transcript


def _push_line(position: Position, line: str, number: int) -> None:
    who, colon, text = (part.strip() for part in line.partition(":"))
    seats = {CHANCE_NAME: CHANCE} | {str(seat + 1): seat for seat in range(position.players)}
    try:
        if not colon or who not in seats:
            raise UnreadableMove(line, expected=f"{' or '.join(seats)}, a colon and a move")
        if not position.to_act:
            raise IllegalMove(line, expected="nothing more: the game is over")
        position.push_text(text, seats[who])
    except MoveError as error:
        error.line = number
        raise


def _read_header(lines: list[str | None], shelf: Collection[str] | None) -> tuple[Header, int]:
    """Read the header, up to the first empty line (remarks are None); return it and the index of the first line after it."""
    entries: dict[str, tuple[int, str]] = {}
    index = 1
    while index < len(lines) and lines[index] != "":
        line = lines[index]
        index += 1
        if line is not None:
            name, colon, value = (part.strip() for part in line.partition(":"))
            if not colon or name not in ("game", "players", "dice", "variant", *BOOK_WORDS) or name in entries:
                raise TranscriptError(index, f"{line!r} does not belong into the header")
            entries[name] = (index, value)
    for name in ("game", "players", "dice"):
        if name not in entries:
            raise TranscriptError(index + 1, f"the header has no line '{name}: ...'")
    found = _find_game(entries) if shelf is None else _find_on(shelf, entries["game"][1])
    number, names = entries["players"]
    players = [name.strip() for name in names.split(",")]
    if len(players) not in found.players or not all(players):
        raise TranscriptError(number, f"{found.name} is for {found.players[0]} to {found.players[-1]} named players, not {names!r}")
    return Header(found, players, entries["dice"][1], _read_variant(found, *entries.get("variant", (0, "")))), index


def _find_game(entries: dict[str, tuple[int, str]]) -> Game:
    """The game that a header names, with a sheet or deck of one's own if it names one."""
    line, wanted = entries["game"]
    own = [(*entries[word], word) for word in BOOK_WORDS if word in entries]
    try:
        if not own:
            return game(wanted)
        line, file, word = own[0]
        found = game(file) if word == "sheet" else game(wanted, file)
    except UnknownGame as error:
        raise TranscriptError(entries["game"][0], str(error)) from None
    except (OSError, ValueError) as error:
        raise TranscriptError(line, f"the {own[0][2]} cannot be loaded: {error}") from None
    if found.parts.book_word != word:
        raise TranscriptError(line, f"{found.name} has no {word}")
    return found


def _find_on(shelf: Collection[str], key: str) -> Game:
    if key not in shelf:
        raise UnknownGame(key)
    return game(key)


def _read_variant(found: Game, line: int, text: str) -> int:
    names = [part.strip().replace("-", "_") for part in text.split(",") if part.strip()]
    try:
        return found.variant(names)
    except ValueError as error:
        raise TranscriptError(line, str(error)) from None
