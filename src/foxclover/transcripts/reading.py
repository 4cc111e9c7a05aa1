"""Read transcripts: check the header, replay the moves, collect the seals."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from foxclover.core.data_file import DataError
from foxclover.core.errors import IllegalMove, MoveError, UnreadableMove, expect_type, quote
from foxclover.core.game import Game, game, game_names, open_file
from foxclover.core.position import Position
from foxclover.core.position_text import PositionError
from foxclover.core.registry import UnknownGame, kinds
from foxclover.core.rules import CHANCE, RANDOM
from foxclover.core.setup import DEFAULT_SETUP, Setup
from foxclover.dice.fair import SALT_BYTES, SECRET_BYTES, VERSION, Roller, Seal
from foxclover.dice.sources import SEEDS
from foxclover.locale import lazy_message, one_of
from foxclover.transcripts.format import (
    CHANCE_NAME,
    COMPUTER,
    IN_HEADER,
    LOT,
    ROLL_NAME,
    SEAL_NAME,
    TITLE,
    Comment,
    Header,
    Transcript,
    TranscriptError,
    read_seed,
    score_comment,
)

ANY_TITLE = TITLE.rstrip("0123456789")
OLD_SALT_NAME = "salt"  # of the first version of sealed dice
# Entries of a header; the kind of a custom definition is one more.
ENTRIES = ("game", "players", "dice", "variant", "begins", "position", "digest")
BYTE_ORDER_MARK = "\ufeff"
_SALT, _SECRET = rf"[0-9a-f]{{{2 * SALT_BYTES}}}", rf"[0-9a-f]{{{2 * SECRET_BYTES}}}"
_SEAL_LINE = re.compile(
    rf"{ROLL_NAME} ([0-9]{{1,2}}): ({_SALT}|{COMPUTER})|{SEAL_NAME}: ({_SECRET})(?: ({_SECRET}))?"
)
_OLD_SEAL_LINE = re.compile(rf"{OLD_SALT_NAME} [0-9]{{1,2}}: {_SALT}|{SEAL_NAME}: {_SECRET}")
_OF_SEAL = re.compile(rf"(?:{ROLL_NAME}|{SEAL_NAME}|{OLD_SALT_NAME})\b")
_QUOTED = re.compile(r'\s*([\w-]+)\s*:\s*("(?:[^"\\]|\\.)*")\s*(?:#(.*))?')
CONTROL_SIGN = re.compile(r"[\x00-\x1f\x7f-\x9f]")  # would control a terminal

RESERVED = (CHANCE_NAME, SEAL_NAME, OLD_SALT_NAME)  # begin lines behind the header
_FREE = re.compile(r"[A-Za-z][\w-]{0,39}", re.ASCII)
_ROUND = re.compile(r"round [0-9]+")
ALIKE = 0.8  # an entry more similar to a known one is a slip

Entries = dict[str, tuple[int, str]]


class Line(NamedTuple):
    """A line: its content (None for a comment alone), and its comment."""

    content: str | None
    comment: str | None


def read(text: str, games: Collection[str] | None = None, first_line: int = 1) -> Transcript:
    """Read and replay a transcript.

    Raises ``TranscriptError`` or one of the three ``MoveError`` with the line set. With ``games``,
    only these whole keys are allowed, others raise ``UnknownGame``, and no file is opened.
    ``first_line`` is the number of the first line, in a file of several games.
    """
    expect_type(str, text, "a transcript is read from its text")
    whole = text.removeprefix(BYTE_ORDER_MARK).splitlines()
    try:
        return _read_lines([*map(_split_comment, whole)], games)
    except (MoveError, TranscriptError) as error:
        if error.line is not None:
            error.line += first_line - 1
        raise


def _read_lines(lines: list[Line], games: Collection[str] | None) -> Transcript:
    contents = [line.content for line in lines]
    header, first = _read_header(contents, _read_title(contents) + 1, games)
    transcript = Transcript(header, header.game.start_with(len(header.players), header.setup))
    header.comments[IN_HEADER] = [
        Comment(line.comment) for line in lines[:first] if line.comment is not None
    ]
    seals = _SealReader(transcript)
    for number, (content, comment) in enumerate(lines[first:], start=first + 1):
        if content and _OF_SEAL.match(content):
            seals.take(content, number)
        elif content:
            seals.expect_draw(content.startswith(CHANCE_NAME))
            _push_line(transcript.position, content, number)
            transcript.lines.append(number)
        if comment is not None:
            at = len(transcript.lines) - bool(content)
            header.comments.setdefault(at, []).append(Comment(comment, bool(content)))
    seals.expect_draw(False)
    _drop_generated(transcript)
    return transcript


def _drop_generated(transcript: Transcript) -> None:
    """Drop the comments that ``write`` writes by itself."""
    header, position = transcript.header, transcript.position
    scores = score_comment(header.players, position) if position.over else None
    for index, comments in [*header.comments.items()]:
        kept = [
            comment
            for comment in comments
            if comment.behind or not (_ROUND.fullmatch(comment.text) or comment.text == scores)
        ]
        header.comments[index] = kept
        if not kept:
            del header.comments[index]


def _split_comment(line: str) -> Line:
    """Split a line into its content and the comment behind it."""
    bare = line.strip()
    if bare.startswith("#"):
        return Line(None, _plain(bare[1:]))
    quoted = _QUOTED.fullmatch(line)
    if quoted:
        return Line(f"{quoted[1]}: {quoted[2]}", _plain(quoted[3]) if quoted[3] else None)
    content, sign, comment = line.partition("#")
    return Line(content.strip(), _plain(comment) if sign else None)


def _plain(comment: str) -> str:
    return CONTROL_SIGN.sub("\N{REPLACEMENT CHARACTER}", comment.strip())


def _unquoted(name: str, value: str) -> str:
    """Return an entry as it was before ``_quoted``; raises ``ValueError``."""
    return str(json.loads(value)) if name != "players" and value.startswith('"') else value


def _read_title(lines: list[str | None]) -> int:
    """Return the index of the line with the title: the first that is not blank."""
    index, title = next(
        ((index, line or "") for index, line in enumerate(lines) if line != ""), (0, "")
    )
    if title != TITLE:
        raise TranscriptError(
            index + 1, "version" if title.startswith(ANY_TITLE) else "title", title=TITLE
        )
    return index


def last_move(lines: list[str]) -> int:
    """Return the number of lines up to the last move, without the lines of a pending draw."""
    return next(
        (
            at
            for at in range(len(lines), 0, -1)
            if lines[at - 1].strip() and not _OF_SEAL.match(lines[at - 1].strip())
        ),
        0,
    )


class _SealReader:
    """Read the lines right before a draw. A line without a draw could hide a salt."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.roller: Roller | None = None
        self.line = 0  # of the first line that waits for its draw
        sealing = transcript.sealing
        self.old = sealing is None or sealing.version != VERSION  # proves nothing, is skipped

    def take(self, line: str, number: int) -> None:
        if self.old and _OLD_SEAL_LINE.fullmatch(line):
            return
        found = _SEAL_LINE.fullmatch(line)
        if found is None or (
            found[1] and not 0 < int(found[1]) <= self.transcript.position.players
        ):
            raise TranscriptError(number, "seal", text=quote(line))
        if self.old:
            return
        index = len(self.transcript.lines)
        if index in self.transcript.seals or (found[1] and self.roller):
            raise TranscriptError(self.line, "stray")
        self.line = self.line or number
        if found[1]:
            self.roller = Roller(
                int(found[1]) - 1, b"" if found[2] == COMPUTER else bytes.fromhex(found[2])
            )
        else:
            self.transcript.seals[index] = Seal(
                bytes.fromhex(found[3]), self.roller, bytes.fromhex(found[4] or "")
            )
            self.roller = None

    def expect_draw(self, is_draw: bool) -> None:
        """Refuse lines, or a roll without a secret, that no draw follows."""
        if self.line and (not is_draw or self.roller):
            raise TranscriptError(self.line, "stray")
        self.line = 0


def _push_line(position: Position, line: str, number: int) -> None:
    who, colon, text = (part.strip() for part in line.partition(":"))
    seats = {CHANCE_NAME: CHANCE} | {str(seat + 1): seat for seat in range(position.players)}
    try:
        if not colon or who not in seats:
            raise UnreadableMove(
                line, wanted=lazy_message("expected.line", who=one_of(list(seats)))
            )
        if not position.to_act:
            raise IllegalMove(line, wanted=lazy_message("expected.nothing_more"))
        position.push_text(text, seats[who])
    except MoveError as error:
        error.line = number
        raise


def _read_header(
    lines: list[str | None], index: int, games: Collection[str] | None
) -> tuple[Header, int]:
    """Read the header up to the first empty line; return it and the index of the next line."""
    entries: Entries = {}
    while index < len(lines) and lines[index] != "":
        line = lines[index]
        index += 1
        if line is not None:
            name, colon, value = (part.strip() for part in line.partition(":"))
            if not colon or name in entries or not _is_entry(name):
                raise TranscriptError(index, "foreign", text=quote(line))
            try:
                entries[name] = (index, _unquoted(name, value))
            except ValueError:
                raise TranscriptError(index, "foreign", text=quote(line)) from None
    for name in ("game", "players", "dice"):
        if name not in entries:
            raise TranscriptError(index + 1, "missing", name=name)
    key = entries["game"][1]
    if games is not None and key not in games:
        raise UnknownGame(key)
    found = _find_game(entries) if games is None else game(key)
    number, dice = entries["dice"]
    if re.match(r"seed [0-9]", dice) and read_seed(dice) is None:
        raise TranscriptError(number, "seed", text=quote(dice), most=SEEDS - 1)
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
    if "position" in entries:
        setup = _read_start(found, entries, len(players))
    else:
        setup = _read_options(found, entries)._replace(
            start_player=_read_start_player(entries, len(players))
        )
    more = {
        name: CONTROL_SIGN.sub(" ", value)
        for name, (_, value) in entries.items()
        if name not in (*ENTRIES, *kinds())
    }
    return Header(found, players, dice, setup, more), index


def _is_entry(name: str) -> bool:
    """Return whether a header may have an entry: a known one, or a free one unlike them."""
    known = (*ENTRIES, *kinds())
    return name in known or (
        _FREE.fullmatch(name) is not None
        and name not in RESERVED
        and not get_close_matches(name.lower(), known, 1, ALIKE)
    )


def _find_game(entries: Entries) -> Game:
    """Return the game of a header, with its custom sheet or deck if it names one."""
    line, wanted = entries["game"]
    own = [word for word in kinds() if word in entries]
    try:
        found = game(wanted)
    except UnknownGame:
        if own:  # a custom game
            return _open_custom(entries, own[0], "")
        raise TranscriptError(
            line, "game", text=quote(wanted), games=", ".join(game_names())
        ) from None
    for word in own:
        if word != found.contract.kind:
            raise TranscriptError(
                entries[word][0], "no_definition", game=found.name, entry=f"{word}:"
            )
    if own:
        return _open_custom(entries, own[0], "" if found.contract.needs_header else found.key)
    if "digest" in entries:
        raise TranscriptError(entries["digest"][0], "foreign", text="digest:")
    return found


def _open_custom(entries: Entries, word: str, key: str) -> Game:
    """Open the file that a header names, or one of the same name in the current folder."""
    line, file = entries[word]
    if not Path(file).exists() and Path(Path(file).name).exists():
        file = Path(file).name
    try:
        found = open_file(file, key)
    except DataError as error:
        raise TranscriptError(
            line, "bad_definition", file=quote(Path(file).name), why=error.words
        ) from None
    except (OSError, ValueError) as error:
        raise TranscriptError(
            line,
            "bad_definition",
            file=quote(Path(file).name),
            why=getattr(error, "strerror", None) or error,
        ) from None
    if found.contract.kind != word or not found.key.startswith(entries["game"][1].lower()):
        raise TranscriptError(line, "other_game", file=quote(Path(file).name), game=found.name)
    if "digest" in entries and entries["digest"][1] != found.digest:
        raise TranscriptError(
            entries["digest"][0], "changed_definition", file=quote(Path(file).name)
        )
    return found


def _read_start(found: Game, entries: Entries, players: int) -> Setup:
    """Return the setup of a game that starts from a position, which names its options."""
    line, text = entries["position"]
    for name in ("variant", "begins"):
        if name in entries:
            raise TranscriptError(entries[name][0], "foreign", text=f"{name}:")
    try:
        position = found.read_position(text)
    except PositionError as error:
        raise TranscriptError(line, "position", problem=error.words) from None
    if position.players != players:
        raise TranscriptError(line, "position_players", count=position.players)
    return position.setup


def _read_options(found: Game, entries: Entries) -> Setup:
    if "variant" not in entries:
        return DEFAULT_SETUP
    line, text = entries["variant"]
    names = [part.strip().replace("-", "_") for part in text.split(",")]
    try:
        return found.setup(names)
    except ValueError:
        known = ", ".join(option.name.replace("_", "-") for option in found.options)
        key = "variant" if known else "no_variants"
        raise TranscriptError(line, key, game=found.name, text=quote(text), options=known) from None


def _read_start_player(entries: Entries, players: int) -> int:
    if "begins" not in entries:
        return 0
    line, text = entries["begins"]
    try:
        return read_start_player(text, players)
    except ValueError:
        raise TranscriptError(line, "start_player", count=players, text=quote(text)) from None


def read_start_player(text: str, players: int) -> int:
    """Return the seat of a number from 1 on, or ``RANDOM``; raises ``ValueError`` for others."""
    seats = {str(seat + 1): seat for seat in range(players)} | (
        {LOT: RANDOM} if players > 1 else {}
    )
    if text not in seats:
        raise ValueError(f"{text} cannot begin in a game of {players}")
    return seats[text]
