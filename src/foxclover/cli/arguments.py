"""Arguments, files and output that several commands share."""

from __future__ import annotations

import io
import json
import os
import sys
import traceback
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain, count
from pathlib import Path
from typing import Any, TypeVar

from foxclover import AGENTS, Position, PositionError, read_position, transcripts
from foxclover.ai import is_custom, read_name
from foxclover.cli.output import can_be_printed
from foxclover.cli.parser import BadTranscript, Parser, UserError
from foxclover.cli.reading import move_error
from foxclover.core import registry as game_entries
from foxclover.core.data_file import DataError
from foxclover.core.errors import MoveError, quote
from foxclover.core.game import Game, game, game_names, open_file
from foxclover.core.position_text import is_position
from foxclover.core.registry import UnknownGame, all_families, kinds
from foxclover.core.setup import Setup
from foxclover.locale import Translator
from foxclover.transcripts import CONTROL_SIGN
from foxclover.transcripts.format import LOT

T = TypeVar("T")


def number(translate: Translator, least: int, most: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers within bounds."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if value >= least and (most is None or value <= most):
            return value
        key = "cli.error.number" if most is None else "cli.error.range"
        raise ArgumentTypeError(translate(key, text=text, least=least, most=most))

    return read


def reader(translate: Translator, key: str, parse: Callable[[str], T]) -> Callable[[str], T]:
    """Return a reader that explains a ``ValueError`` of ``parse`` with the sentence of a key."""

    def read(text: str) -> T:
        try:
            return parse(text)
        except ValueError:
            raise ArgumentTypeError(translate(key, text=text)) from None

    return read


def add_game(parser: Parser, optional: bool = False) -> None:
    """Add the name of a game, a custom sheet or deck, and the options of games."""
    translate = parser.translate
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?" if optional else None,
        help=translate("cli.help.game", games=", ".join(game_names())),
    )
    for kind in kinds():
        parser.add_argument(f"--{kind}", metavar="FILE", help=translate(f"cli.help.{kind}"))
    for name in option_names():
        parser.add_argument(
            f"--{name.replace('_', '-')}", action="store_true", help=translate(f"cli.help.{name}")
        )


@cache
def option_names() -> list[str]:
    """Return the names of the options of all games."""
    return sorted({option.name for family in all_families() for option in family.options})


def chosen_options(args: Namespace) -> list[str]:
    """Return the names of the options of games that the arguments contain."""
    return [name for name in option_names() if getattr(args, name)]


def definition_files(args: Namespace) -> dict[str, str]:
    """Return the files of custom sheets and decks, by their kind."""
    return {kind: file for kind in kinds() if (file := getattr(args, kind)) is not None}


def find_game(args: Namespace, translate: Translator) -> Game:
    """Find the game by any unambiguous beginning of its name, or by a custom sheet or deck."""
    files = definition_files(args)
    complete = [
        files[family.kind]
        for family in all_families()
        if family.needs_header and family.kind in files
    ]
    if args.game is None and not complete:
        raise UserError(translate("cli.play.no_game", games=", ".join(game_names())))
    chosen = (
        _open(args.game or complete[0], "", translate)
        if args.game is None or args.game.endswith(".toml")
        else game(find_key(args.game, translate))
    )
    for kind, file in files.items():
        if kind != chosen.contract.kind:
            raise UserError(translate(f"cli.error.no_{kind}", game=chosen.name))
        chosen = _open(file, "" if chosen.contract.needs_header else chosen.key, translate)
    if not chosen.options and chosen_options(args):
        raise UserError(translate("cli.error.no_options", game=chosen.name))
    return chosen


def find_key(name: str, translate: Translator) -> str:
    """Return the key of a game by any unambiguous beginning of it."""
    try:
        return game_entries.find_key(name)
    except UnknownGame as error:
        key = "cli.error.game_ambiguous" if error.found else "cli.error.game"
        raise UserError(
            translate(key, text=quote(name), games=", ".join(error.found or game_names()))
        ) from None


def _open(file: str, key: str, translate: Translator) -> Game:
    """Open a game with a custom file."""
    try:
        with file_errors("read", file, translate):
            return open_file(file, key)
    except DataError as error:
        raise UserError(
            translate("cli.error.data", file=file, why=error.words(translate))
        ) from None


def add_first_player(parser: Parser) -> None:
    """Add the choice of the start player."""
    parser.add_argument(
        "--first-player", metavar="N|random", help=parser.translate("cli.help.first_player")
    )


def find_setup(args: Namespace, chosen: Game, players: int, translate: Translator) -> Setup:
    """Return the options and the start player that the arguments name."""
    named = args.first_player or "1"
    try:
        if named == LOT:  # the transcript's word, not the option's
            raise ValueError(named)
        start_player = transcripts.read_start_player(LOT if named == "random" else named, players)
    except ValueError:
        raise UserError(translate("cli.error.first_player", text=named, count=players)) from None
    return chosen.setup(chosen_options(args), start_player)


def check_players(chosen: Game, count: int, translate: Translator) -> None:
    """Raise for a number of players that a game does not allow."""
    if count not in chosen.players:
        raise UserError(
            translate(
                "cli.error.players",
                game=chosen.name,
                least=chosen.players[0],
                most=chosen.players[-1],
                count=count,
            )
        )


def add_net(parser: Parser) -> None:
    """Add the option to use your own net, which ``using_net`` applies."""
    parser.add_argument(
        "--net", dest="own_net", type=Path, metavar="FILE", help=parser.translate("cli.help.net")
    )


@contextmanager
def using_net(args: Namespace) -> Iterator[None]:
    """Give all computer players the net that the arguments name, in child processes too."""
    if not getattr(args, "own_net", None):
        yield
        return
    from foxclover.ai.nets import NET_VARIABLE

    before = os.environ.get(NET_VARIABLE)
    os.environ[NET_VARIABLE] = str(args.own_net.absolute())
    try:
        yield
    finally:
        os.environ.pop(NET_VARIABLE)
        if before is not None:
            os.environ[NET_VARIABLE] = before


def add_traceback(parser: Parser) -> None:
    """Add the option to print where a custom agent failed."""
    parser.add_argument(
        "--traceback", action="store_true", help=parser.translate("cli.help.traceback")
    )


def print_cause(error: BaseException) -> None:
    """Print the traceback of the error of a custom agent, with the position as its note."""
    if error.__cause__:
        traceback.print_exception(error.__cause__)


def add_json(parser: Parser) -> None:
    """Add the option to print JSON."""
    parser.add_argument("--json", action="store_true", help=parser.translate("cli.help.json"))


def print_json(result: Any) -> None:
    """Print a result for programs: the same data in every encoding."""
    text = json.dumps(result, ensure_ascii=False, indent=2)
    print(text if can_be_printed(text) else json.dumps(result, indent=2))


@contextmanager
def file_errors(verb: str, file: object, translate: Translator) -> Iterator[None]:
    """Turn an error of the file system into one sentence; ``verb`` is "read" or "write"."""
    try:
        yield
    except OSError as error:
        raise UserError(translate(f"cli.error.{verb}", file=file, why=error.strerror)) from None


def read_bytes(path: Path, translate: Translator) -> bytes:
    """Read a file, or raise one sentence with the reason."""
    with file_errors("read", path, translate):
        return path.read_bytes()


def read_text(path: Path, translate: Translator) -> str:
    """Read a text file, or standard input for ``-``, as UTF-8; raise one sentence if not."""
    if str(path) == "-" and not isinstance(sys.stdin, io.TextIOWrapper):
        return sys.stdin.read()
    source = sys.stdin.buffer.read() if str(path) == "-" else read_bytes(path, translate)
    try:
        return source.decode()
    except UnicodeDecodeError:
        raise UserError(translate("cli.error.not_text", file=path)) from None


@contextmanager
def refusing_bad_transcripts(path: Path, translate: Translator) -> Iterator[None]:
    """Turn errors of a transcript into one sentence."""
    try:
        yield
    except MoveError as error:
        raise BadTranscript(f"{path}: {move_error(error, translate)}") from None
    except transcripts.TranscriptError as error:
        raise BadTranscript(f"{path}: {error.words(translate)}") from None


def read_transcript(path: Path, translate: Translator) -> transcripts.Transcript:
    """Read and replay a transcript, or raise one sentence with its error."""
    with refusing_bad_transcripts(path, translate):
        return transcripts.read(read_text(path, translate))


def read_situation(source: str, translate: Translator) -> tuple[Position, list[str]]:
    """Return a position and the names of its players.

    ``source`` is the file of a transcript or position, ``-``, or the text of a position itself.
    """
    is_text = is_position(source) and not Path(source).exists()
    text = source if is_text else read_text(Path(source), translate)
    if not is_position(text):
        with refusing_bad_transcripts(Path(source), translate):
            transcript = transcripts.read(text)
        return transcript.position, transcript.header.players
    try:
        position = read_position(text)
    except PositionError as error:
        raise BadTranscript(error.words(translate)) from None
    except UnknownGame:
        find_key(text.split()[0], translate)
        raise
    names = [translate("position.player", seat=seat + 1) for seat in range(position.players)]
    return position, [name[0].upper() + name[1:] for name in names]


@dataclass(frozen=True)
class Seat:
    """A seat: the player's name, and the agent of a computer player."""

    name: str
    agent: str = ""

    def __str__(self) -> str:
        return f"{self.name}:{self.agent}" if self.agent else self.name


def read_seats(texts: Sequence[str], translate: Translator, custom: bool = False) -> list[Seat]:
    """Read seats like ``Ada`` or ``computer:greedy``; ``custom`` allows custom agents.

    Players of the same name get a number.
    """
    seats: list[Seat] = []
    for text in texts:
        name, _, agent = (part.strip() for part in text.partition(":"))
        if agent and not read_name(agent).is_known and not (custom and is_custom(agent)):
            raise UserError(translate("cli.error.agent", text=agent, agents=", ".join(AGENTS)))
        if not name:
            raise UserError(translate("cli.play.no_name"))
        if CONTROL_SIGN.search(name):
            raise UserError(translate("cli.play.bad_name", name=quote(name)))
        taken = [seat.name for seat in seats]
        names = chain([name], (f"{name} {number}" for number in count(2)))
        unique = next(found for found in names if found not in taken)
        seats.append(Seat(unique, agent))
    return seats
