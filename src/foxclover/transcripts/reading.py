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
a remark. Moves may be shortened as long as they stay unambiguous. Where dice were sealed, the salts (``salt 1: ...``) and the secret
(``seal: ...``) of a draw stand before it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from foxclover.beginning import BEGINS, LOT
from foxclover.chance import seeded
from foxclover.data_file import DataError
from foxclover.errors import IllegalMove, MoveError, UnreadableMove, quote
from foxclover.game import CHANCE, Game, Position, UnknownGame, game, games, open_file
from foxclover.locale import FALLBACK, Say, catalogue, one_of, phrase
from foxclover.seal import SALT_BYTES, SECRET_BYTES, Salt, Seal
from foxclover.shelf import book_words

TITLE = "Fox & Clover transcript 1"
ANY_TITLE = TITLE.rstrip("0123456789")
TYPED = "typed"
CHANCE_NAME = "chance"
SEALED = "sealed"
SALT_NAME = "salt"
SEAL_NAME = "seal"
ENTRIES = (
    "game",
    "players",
    "dice",
    "variant",
    "begins",
    "digest",
)  # of a header; the word for a book of one's own is one more
LOT_WORD = "lot"
ROLLS_OF = "rolls of "  # and the file of another game
BYTE_ORDER_MARK = "\ufeff"

_SEED = re.compile(r"seed ([0-9]{1,16})(?: game ([0-9]{1,10}))?(?: from move ([0-9]{1,6}))?")
_SEALING = re.compile(rf"{SEALED} (\S+) ([0-9a-f]{{{2 * SECRET_BYTES}}})")
_SEAL_LINE = re.compile(
    rf"{SALT_NAME} ([0-9]{{1,2}}): ([0-9a-f]{{{2 * SALT_BYTES}}})|{SEAL_NAME}: ([0-9a-f]{{{2 * SECRET_BYTES}}})"
)
CONTROL_SIGN = re.compile(
    r"[\x00-\x1f\x7f-\x9f]"
)  # in a name it would steer the terminal that shows it


class TranscriptError(ValueError):
    """A transcript whose frame is wrong: header, players, or the text is no transcript at all. Names the line and the key of a text."""

    def __init__(self, line: int, key: str, **values: object) -> None:
        self.line = line
        self.problem = phrase(f"transcript.{key}", **values)
        super().__init__(self.words(catalogue(FALLBACK)))

    def words(self, say: Say) -> str:
        """What is wrong, as a sentence."""
        return say("transcript.line", line=self.line, problem=self.problem.words(say))


class Seed(NamedTuple):
    """Seeded dice as a header names them."""

    number: int
    game: int = 0  # of a batch
    first: int = 0  # moves made before these dice were taken

    def __str__(self) -> str:
        game, first = (
            f" game {self.game}" if self.game else "",
            f" from move {self.first + 1}" if self.first else "",
        )
        return f"seed {self.number}{game}{first}"


def read_seed(text: str) -> Seed | None:
    """The seed that a header names; None where rolls are taken as they are written."""
    found = _SEED.fullmatch(text)
    if not found:
        return None
    number, game, move = (int(digits or 0) for digits in found.groups())
    return Seed(number, game, max(0, move - 1))


@dataclass
class Header:
    """What stands above the moves."""

    game: Game
    players: list[str]
    dice: str = TYPED  # a ``Seed``, "sealed TABLE ANCHOR", "rolls of FILE", or where else the rolls came from
    variant: int = 0

    def lines(self) -> list[str]:
        """The header as text."""
        names = ", ".join(plain_name(name, seat) for seat, name in enumerate(self.players))
        lines = [TITLE, f"game: {self.game.key}", f"players: {names}", f"dice: {self.dice}"]
        if self.variant % BEGINS:
            lines.append(
                f"variant: {', '.join(name.replace('_', '-') for name in self.game.chosen(self.variant))}"
            )
        if begins := self.variant // BEGINS:
            lines.append(f"begins: {LOT_WORD if begins == LOT else begins + 1}")
        if self.game.file:
            lines += [
                f"{self.game.contract.book_word}: {Path(self.game.file).absolute()}",
                f"digest: {self.game.digest}",
            ]
        return lines


@dataclass
class Transcript:
    """A transcript that was read: its header and the position it ends in."""

    header: Header
    position: Position
    lines: list[int] = field(default_factory=list)  # line of each move
    seals: dict[int, Seal] = field(
        default_factory=dict
    )  # of sealed draws, by the index of the move

    @property
    def sealing(self) -> tuple[str, bytes] | None:
        """The table and the anchor of its chain, if the dice of the game were sealed."""
        found = _SEALING.fullmatch(self.header.dice)
        return (found[1], bytes.fromhex(found[2])) if found else None

    def follow_seed(self) -> Followed | None:
        """Let the dice that the header names make the rolls of the game once more; None if it names no seed."""
        seed = read_seed(self.header.dice)
        if seed is None:
            return None
        dice, foreign, drawn = seeded(seed.number, seed.game), None, ""
        replay = self.header.game.start(self.position.players, self.header.variant)
        for index, move in enumerate(self.position.moves_made):
            if move.seat == CHANCE and index >= seed.first:
                roll = dice.draw(replay)
                if foreign is None and roll.number != move.number:
                    foreign, drawn = index, roll.text
            replay.push_unchecked(move)
        return Followed(dice, foreign, drawn)


class Followed(NamedTuple):
    """Seeded dice that have come as far as a transcript."""

    dice: seeded
    foreign: int | None  # index of the first move that is not theirs
    drawn: str  # what they gave instead


def plain_name(name: str, seat: int) -> str:
    """A name without the signs that part the names of a header; who has none left is called by his seat."""
    return " ".join(name.replace(",", " ").replace("#", " ").split()) or f"Player {seat + 1}"


def sealed_dice(code: str, anchor: bytes) -> str:
    """What a header says of sealed dice."""
    return f"{SEALED} {code} {anchor.hex()}"


def write(header: Header, position: Position, seals: Mapping[int, Seal] | None = None) -> str:
    """Write a game up to a position, with the seals of its moves if it has any."""
    lines = [*header.lines(), ""]
    shown = 0
    for index, (before, move) in enumerate(position.history()):
        if before.round != shown:
            shown = before.round
            lines.append(f"# round {shown}")
        if seals and index in seals:
            lines += [
                f"{SALT_NAME} {salt.seat + 1}: {salt.salt.hex()}" for salt in seals[index].salts
            ]
            lines.append(f"{SEAL_NAME}: {seals[index].secret.hex()}")
        lines.append(f"{CHANCE_NAME if move.seat == CHANCE else move.seat + 1}: {move.text}")
    if position.over:
        lines.append(
            "# "
            + ", ".join(
                f"{name} {position.score(seat)}" for seat, name in enumerate(header.players)
            )
        )
    return "\n".join(lines) + "\n"


def read(text: str, shelf: Collection[str] | None = None) -> Transcript:
    """Read and replay a transcript. Raises ``TranscriptError`` or one of the three ``MoveError`` with the line set.

    With a ``shelf`` its games alone are known, by their whole keys, others raise ``UnknownGame``, and no file the text names is opened.
    """
    whole = text.removeprefix(BYTE_ORDER_MARK).splitlines()
    lines = [
        None if line.lstrip().startswith("#") else line.partition("#")[0].strip() for line in whole
    ]
    title = next(iter(lines), None) or ""
    if title != TITLE:
        raise TranscriptError(1, "version" if title.startswith(ANY_TITLE) else "title", title=TITLE)
    header, first = _read_header(lines, shelf)
    transcript = Transcript(header, header.game.start(len(header.players), header.variant))
    salts: list[Salt] = []
    for number, line in enumerate(lines[first:], start=first + 1):
        if not line:
            continue
        if line.startswith((SALT_NAME, SEAL_NAME)):
            _read_seal(transcript, salts, line, number)
            continue
        _push_line(transcript.position, line, number)
        transcript.lines.append(number)
    return transcript


def _read_seal(transcript: Transcript, salts: list[Salt], line: str, number: int) -> None:
    """Read a line that seals the next move: salts are gathered until the secret of the draw comes."""
    found = _SEAL_LINE.fullmatch(line)
    if found is None or (found[1] and not 0 < int(found[1]) <= transcript.position.players):
        raise TranscriptError(number, "seal", text=quote(line))
    if found[1]:
        salts.append(Salt(int(found[1]) - 1, bytes.fromhex(found[2])))
    else:
        transcript.seals[len(transcript.lines)] = Seal(bytes.fromhex(found[3]), tuple(salts))
        salts.clear()


def _push_line(position: Position, line: str, number: int) -> None:
    who, colon, text = (part.strip() for part in line.partition(":"))
    seats = {CHANCE_NAME: CHANCE} | {str(seat + 1): seat for seat in range(position.players)}
    try:
        if not colon or who not in seats:
            raise UnreadableMove(line, wanted=phrase("expected.line", who=one_of(list(seats))))
        if not position.to_act:
            raise IllegalMove(line, wanted=phrase("expected.nothing_more"))
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
            if not colon or name not in (*ENTRIES, *book_words()) or name in entries:
                raise TranscriptError(index, "foreign", text=quote(line))
            entries[name] = (index, value)
    for name in ("game", "players", "dice"):
        if name not in entries:
            raise TranscriptError(index + 1, "missing", name=name)
    found = _find_game(entries) if shelf is None else _find_on(shelf, entries["game"][1])
    number, names = entries["players"]
    players = [name.strip() for name in names.split(",")]
    if len(players) not in found.players or not all(players) or CONTROL_SIGN.search(names):
        raise TranscriptError(
            number,
            "players",
            game=found.name,
            least=found.players[0],
            most=found.players[-1],
            text=quote(names),
        )
    variant = _read_variant(found, entries) + BEGINS * _read_beginner(entries, len(players))
    return Header(found, players, entries["dice"][1], variant), index


def _find_game(entries: dict[str, tuple[int, str]]) -> Game:
    """The game that a header names, with a sheet or deck of one's own if it names one."""
    line, wanted = entries["game"]
    own = [word for word in book_words() if word in entries]
    try:
        found = game(wanted)
    except UnknownGame:
        if own:  # a game of one's own
            return _open_own(entries, own[0], "")
        raise TranscriptError(line, "game", text=quote(wanted), games=", ".join(games())) from None
    for word in own:
        if word != found.contract.book_word:
            raise TranscriptError(entries[word][0], "no_book", game=found.name, entry=f"{word}:")
    if own:
        return _open_own(entries, own[0], found.key if found.contract.headless else "")
    if "digest" in entries:
        raise TranscriptError(entries["digest"][0], "foreign", text="digest:")
    return found


def _find_on(shelf: Collection[str], key: str) -> Game:
    if key not in shelf:
        raise UnknownGame(key)
    return game(key)


def _open_own(entries: dict[str, tuple[int, str]], word: str, key: str) -> Game:
    """A game with the file that a header names: where it was, or of the same name in the folder one works in."""
    line, file = entries[word]
    if not Path(file).exists() and Path(Path(file).name).exists():
        file = Path(file).name
    try:
        found = open_file(file, key)
    except DataError as error:
        raise TranscriptError(
            line, "bad_book", file=quote(Path(file).name), why=error.words
        ) from None
    except (OSError, ValueError) as error:
        raise TranscriptError(
            line,
            "bad_book",
            file=quote(Path(file).name),
            why=getattr(error, "strerror", None) or error,
        ) from None
    if found.contract.book_word != word or not found.key.startswith(entries["game"][1].lower()):
        raise TranscriptError(line, "other_game", file=quote(Path(file).name), game=found.name)
    if "digest" in entries and entries["digest"][1] != found.digest:
        raise TranscriptError(entries["digest"][0], "changed_book", file=quote(Path(file).name))
    return found


def _read_variant(found: Game, entries: dict[str, tuple[int, str]]) -> int:
    if "variant" not in entries:
        return 0
    line, text = entries["variant"]
    names = [part.strip().replace("-", "_") for part in text.split(",")]
    try:
        return found.variant(names)
    except ValueError:
        known = ", ".join(option.name.replace("_", "-") for option in found.options)
        key = "variant" if known else "no_variants"
        raise TranscriptError(line, key, game=found.name, text=quote(text), options=known) from None


def _read_beginner(entries: dict[str, tuple[int, str]], players: int) -> int:
    """The seat that begins; LOT: it is drawn."""
    if "begins" not in entries:
        return 0
    line, text = entries["begins"]
    try:
        return read_beginner(text, players)
    except ValueError:
        raise TranscriptError(line, "begins", count=players, text=quote(text)) from None


def read_beginner(text: str, players: int) -> int:
    """The seat that begins, by its number from 1 on, or ``LOT``; raises ``ValueError`` for nobody's, and for a lot among one."""
    seats = {str(seat + 1): seat for seat in range(players)} | (
        {LOT_WORD: LOT} if players > 1 else {}
    )
    if text not in seats:
        raise ValueError(f"{text} cannot begin in a game of {players}")
    return seats[text]
