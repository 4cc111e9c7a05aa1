"""Read games and positions from outside, and pass games between processes by value."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from typing import NamedTuple
from urllib.parse import unquote

from foxclover import transcripts
from foxclover.core.errors import MoveError
from foxclover.core.game import game, game_names
from foxclover.core.position import Position
from foxclover.core.position_text import PositionError, game_of, is_position
from foxclover.core.registry import UnknownGame
from foxclover.core.setup import Setup
from foxclover.dice.sources import record

LARGEST = 1 << 20  # characters; games are far smaller
FIRST_LINE = {"title": "foreign", "version": "version"}
"""What is wrong with the first line, by the key of the ``TranscriptError``."""
# NUL and lone surrogates, which files and databases refuse
NO_TEXT = re.compile("[\x00\ud800-\udfff]")
# a transcript behind "#", deflated, in base64url; or a position as text
LINK = re.compile(r"https?://[^\s#]+#(\S+)", re.ASCII)
CODE = re.compile(r"[\w-]+", re.ASCII)


class NotReplayable(ValueError):
    """A text without a game, or without a finished game.

    ``reason`` is "large", "link", "signs", "foreign", "version", "game", "unfinished", "begun",
    "position" with a ``problem``, or "damaged" with a ``line``.
    """

    def __init__(self, reason: str, line: int = 0, problem: PositionError | None = None) -> None:
        self.reason = reason
        self.line = line
        self.problem = problem
        super().__init__(reason, line, problem)


class Played(NamedTuple):
    """A game by value."""

    game: str
    players: int
    setup: Setup
    moves: tuple[tuple[int, int], ...]  # seat and number


class ReplayedTranscript(NamedTuple):
    """The content of a transcript."""

    played: Played
    texts: list[str]  # of its moves
    names: list[str]
    script: str  # its rolls, as ``dice.sources.recorded`` expects them
    over: bool
    to_act: list[int]  # seats that are to move or to roll


def replayed(played: Played) -> Position:
    """Return the position after all moves, which are known to be legal."""
    position = game(played.game).start_with(played.players, played.setup)
    for seat, number in played.moves:
        position.push_unchecked(position.move(seat, number))
    return position


def read_finished(text: str) -> transcripts.Transcript:
    """Read and replay the transcript of a finished game.

    Raise what ``transcripts.read`` raises, or ``NotReplayable``.
    """
    if len(text) > LARGEST:
        raise NotReplayable("large")
    transcript = transcripts.read(text)
    if not transcript.position.over:
        raise NotReplayable("unfinished")
    return transcript


def read_for_others(text: str) -> transcripts.Transcript:
    """Read and replay a transcript, or a position as text, of a game in the registry.

    Open none of the files that it names. The players of a position have no names. Raise
    ``NotReplayable``.
    """
    if len(text) > LARGEST:
        raise NotReplayable("large")
    if NO_TEXT.search(text):
        raise NotReplayable("signs")
    try:
        if is_position(text):
            position = _set_up(text)
            header = transcripts.Header(
                position.game, [""] * position.players, setup=position.setup
            )
            return transcripts.Transcript(header, position)
        return transcripts.read(text, games=game_names())
    except UnknownGame:
        raise NotReplayable("game") from None
    except transcripts.TranscriptError as error:
        raise NotReplayable(FIRST_LINE.get(error.key, "damaged"), error.line) from None
    except MoveError as error:
        raise NotReplayable("damaged", error.line or 0) from None


def _set_up(text: str) -> Position:
    try:
        key = game_of(text)
        if key not in game_names():
            raise UnknownGame(key)
        return game(key).read_position(text)
    except PositionError as error:
        raise NotReplayable("position", problem=error) from None


def replay_transcript(text: str) -> ReplayedTranscript:
    """Read and replay what ``read_for_others`` reads; raise ``NotReplayable``."""
    transcript = read_for_others(text)
    position, header = transcript.position, transcript.header
    made = position.moves_made
    numbers = tuple((move.seat, move.number) for move in made)
    return ReplayedTranscript(
        Played(header.game.key, position.players, position.setup, numbers),
        [move.text for move in made],
        header.players,
        record(position),
        position.over,
        sorted({*position.acting, *position.rollers}),
    )


def text_in_link(link: str) -> str:
    """Return the transcript or the position inside a link; raise ``NotReplayable``."""
    found = LINK.fullmatch(link.strip())
    if found is None or len(found[1]) > LARGEST:
        raise NotReplayable("link")
    if is_position(text := unquote(found[1])):
        return text
    if not CODE.fullmatch(found[1]):
        raise NotReplayable("link")
    code, unpacker = found[1], zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        packed = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
        text = unpacker.decompress(packed, LARGEST + 1).decode()
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        raise NotReplayable("link") from None
    if not unpacker.eof:
        raise NotReplayable("link")
    return text
