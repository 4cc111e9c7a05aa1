"""The format of transcripts: whole games as readable text that replays exactly.

    Fox & Clover transcript 1
    game: ganz-schoen-clever
    players: Ada, Bo
    dice: seed 7

    # round 1
    chance: y3b2g4o1p6w5
    1: w>y3a
    ...

After the header every line is a move: ``chance:`` or the number of a seat, then the move in the
notation of its game. ``#`` starts a comment. Moves may be shortened while they are unambiguous. A
draw of provably fair dice follows the roll (``roll 1: SALT`` or ``roll 2: computer``) and its
secret (``seal: ...``). The header may have any other entries, such as ``date: 2026-11-18``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from foxclover.core.errors import Picklable
from foxclover.core.game import Game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE, RANDOM
from foxclover.core.setup import DEFAULT_SETUP, Setup
from foxclover.dice.fair import DICE, SECRET_BYTES, VERSION, Seal
from foxclover.dice.sources import SEEDS, STREAMS, draw_again, seeded
from foxclover.locale import FALLBACK, Translator, catalogue, lazy_message

TITLE = "Fox & Clover transcript 1"
TYPED = "typed"
CHANCE_NAME = "chance"
SEALED = "sealed"
ROLL_NAME = "roll"
SEAL_NAME = "seal"
COMPUTER = "computer"
LOT = "lot"
IN_HEADER = -1
ROLLS_OF = "rolls of "  # and the file of another game

_SEED = re.compile(r"seed ([0-9]{1,16})(?: game ([0-9]{1,10}))?(?: from move ([0-9]{1,6}))?")
_SEALING = re.compile(rf"{SEALED}(?: ([0-9]))? ([^ ]+) ([0-9a-f]{{{2 * SECRET_BYTES}}})")


class TranscriptError(Picklable, ValueError):
    """A transcript with a wrong header or frame, with the line and the key of a message."""

    def __init__(self, line: int, key: str, **values: object) -> None:
        self.line = line
        self.key = key
        self.problem = lazy_message(f"transcript.{key}", **values)
        super().__init__(self.words(catalogue(FALLBACK)))

    def __str__(self) -> str:
        return self.words(catalogue(FALLBACK))  # the line may have been set later

    def words(self, translate: Translator) -> str:
        """Describe the error in a sentence."""
        return translate("transcript.line", line=self.line, problem=self.problem.words(translate))


class Seed(NamedTuple):
    """Seeded dice in a header."""

    number: int
    game: int = 0  # of a batch
    first: int = 0  # moves made before these dice were taken

    def __str__(self) -> str:
        game = f" game {self.game}" if self.game else ""
        return f"seed {self.number}{game}" + (f" from move {self.first + 1}" if self.first else "")


def read_seed(text: str) -> Seed | None:
    """Return the seed in a header; None if the rolls are taken as written."""
    found = _SEED.fullmatch(text)
    if not found:
        return None
    number, game, move = (int(digits or 0) for digits in found.groups())
    if number >= SEEDS or game >= STREAMS:
        return None
    return Seed(number, game, max(0, move - 1))


class Comment(NamedTuple):
    """A comment: on a line of its own, or behind a move."""

    text: str
    behind: bool = False


@dataclass
class Header:
    """The entries above the moves, and the comments of the whole transcript."""

    game: Game
    players: list[str]
    # a ``Seed``, "sealed 2 TABLE COMMITMENT", "rolls of FILE", or another source of the rolls
    dice: str = TYPED
    setup: Setup = DEFAULT_SETUP
    more: dict[str, str] = field(default_factory=dict)  # other entries, such as ``date``
    comments: dict[int, list[Comment]] = field(default_factory=dict)
    """By the index of the move that they precede or follow; ``IN_HEADER`` for the header's."""

    def lines(self) -> list[str]:
        """Return the lines of the header."""
        names = ", ".join(plain_name(name, seat) for seat, name in enumerate(self.players))
        lines = [
            TITLE,
            f"game: {self.game.key}",
            f"players: {names}",
            f"dice: {_quoted(self.dice)}",
        ]
        if self.setup.position:  # which names options and start player
            lines.append(f"position: {self.setup.position}")
        elif self.setup.options:
            lines.append(f"variant: {', '.join(self.setup.options).replace('_', '-')}")
        if (start_player := self.setup.start_player) and not self.setup.position:
            lines.append(f"begins: {LOT if start_player == RANDOM else start_player + 1}")
        if self.game.file:
            file = _quoted(str(Path(self.game.file).absolute()))
            lines += [f"{self.game.contract.kind}: {file}", f"digest: {self.game.digest}"]
        lines += [f"{name}: {_quoted(value)}" for name, value in self.more.items()]
        return [*lines, *self.comment_lines(IN_HEADER)]

    def comment_lines(self, index: int) -> list[str]:
        """Return the lines of the comments before a move."""
        return [
            f"# {comment.text}" for comment in self.comments.get(index, ()) if not comment.behind
        ]

    def remark(self, index: int) -> str:
        """Return the comments behind a move."""
        texts = [comment.text for comment in self.comments.get(index, ()) if comment.behind]
        return f"  # {' '.join(texts)}" if texts else ""


class Sealing(NamedTuple):
    """Provably fair dice in a header."""

    code: str  # of the table
    commitment: bytes
    version: int = VERSION


@dataclass
class Transcript:
    """A transcript after reading: its header and its last position."""

    header: Header
    position: Position
    lines: list[int] = field(default_factory=list)  # line of each move
    seals: dict[int, Seal] = field(default_factory=dict)  # by the index of the move

    @property
    def text(self) -> str:
        """The transcript as text, with its comments and other entries."""
        return write(self.header, self.position, self.seals)

    @property
    def sealing(self) -> Sealing | None:
        """The table and its first commitment, if the dice were provably fair."""
        found = _SEALING.fullmatch(self.header.dice)
        return Sealing(found[2], bytes.fromhex(found[3]), int(found[1] or 1)) if found else None

    def follow_seed(self) -> Followed | None:
        """Roll the dice of the header again, and compare; None without a seed."""
        seed = read_seed(self.header.dice)
        if seed is None:
            return None
        dice = seeded(seed.number, seed.game)
        different = [
            (index, drawn)
            for index, drawn, move in draw_again(dice, self.position, seed.first)
            if drawn.number != move.number
        ]
        return (
            Followed(dice, different[0][0], different[0][1].text) if different else Followed(dice)
        )


class Followed(NamedTuple):
    """Seeded dice after the rolls of a transcript."""

    dice: seeded
    foreign: int | None = None  # index of the first move with another roll
    drawn: str = ""  # the roll of the dice instead


def plain_name(name: str, seat: int) -> str:
    """Remove the separators of a header from a name; an empty name becomes that of its seat."""
    return " ".join(name.replace(",", " ").replace("#", " ").split()) or f"Player {seat + 1}"


def sealed_dice(code: str, commitment: bytes) -> str:
    """Return the header entry of provably fair dice."""
    return f"{DICE} {code} {commitment.hex()}"


def write(header: Header, position: Position, seals: Mapping[int, Seal] | None = None) -> str:
    """Write a game up to a position, with the seals of its moves if it has any."""
    lines = [*header.lines(), ""]
    shown = 0
    for index, (before, move) in enumerate(position.history()):
        if before.round != shown:
            shown = before.round
            lines.append(f"# {round_comment(shown)}")
        lines += header.comment_lines(index)
        if seals and index in seals:
            lines += _seal_lines(seals[index])
        who = CHANCE_NAME if move.seat == CHANCE else move.seat + 1
        lines.append(f"{who}: {move.text}{header.remark(index)}")
    lines += header.comment_lines(len(position.moves_made))
    if position.over:
        lines.append(f"# {score_comment(header.players, position)}")
    return "\n".join(lines) + "\n"


def round_comment(number: int) -> str:
    """Return the comment at the start of a round."""
    return f"round {number}"


def score_comment(players: Sequence[str], position: Position) -> str:
    """Return the comment with the final scores."""
    return ", ".join(f"{name} {position.score(seat)}" for seat, name in enumerate(players))


def _seal_lines(seal: Seal) -> list[str]:
    rolled = (
        [f"{ROLL_NAME} {seal.roller.seat + 1}: {seal.roller.salt.hex() or COMPUTER}"]
        if seal.roller
        else []
    )
    return [
        *rolled,
        f"{SEAL_NAME}: {seal.secret.hex()}" + (f" {seal.next.hex()}" if seal.next else ""),
    ]


def _quoted(value: str) -> str:
    """Write an entry, in quotes if it would not be read back otherwise."""
    plain = (
        "#" not in value
        and value.isprintable()
        and value == value.strip()
        and not value.startswith('"')
    )
    return value if plain else json.dumps(value)
