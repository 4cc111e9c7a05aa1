"""Arguments, files and output that several commands share."""

from __future__ import annotations

import io
import json
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover import transcripts
from foxclover.cli.output import can_be_printed
from foxclover.cli.parser import BadTranscript, Parser, UserError
from foxclover.cli.reading import move_error
from foxclover.core import registry as game_entries
from foxclover.core.data_file import DataError, DataFile
from foxclover.core.errors import MoveError, quote
from foxclover.core.game import Game, game, game_names, open_file
from foxclover.core.registry import UnknownGame, all_families, kinds
from foxclover.core.setup import Setup
from foxclover.locale import Translator
from foxclover.transcripts import CONTROL_SIGN

if TYPE_CHECKING:
    from foxclover.simulation.cluster import Cluster


def number(translate: Translator, least: int, most: int | None = None) -> Callable[[str], int]:
    """Return a reader of whole numbers within bounds."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if most is None and value < least:
            raise ArgumentTypeError(translate("cli.error.number", text=text, least=least))
        if most is not None and not least <= value <= most:
            raise ArgumentTypeError(translate("cli.error.range", text=text, least=least, most=most))
        return value

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
    for word in kinds():
        parser.add_argument(f"--{word}", metavar="FILE", help=translate(f"cli.help.{word}"))
    for name in option_names():
        parser.add_argument(
            f"--{name.replace('_', '-')}", action="store_true", help=translate(f"cli.help.{name}")
        )


@cache
def option_names() -> list[str]:
    """Return the names of the options of all games."""
    return sorted({option.name for family in all_families() for option in family.options})


def own_books(args: Namespace) -> dict[str, str]:
    """Return the files of custom sheets and decks, by their kind."""
    return {word: file for word in kinds() if (file := getattr(args, word)) is not None}


def find_game(args: Namespace, translate: Translator) -> Game:
    """Find the game by any unambiguous beginning of its name, or by a custom sheet or deck."""
    own = own_books(args)
    alone = [
        file
        for family in all_families()
        if family.needs_header and (file := own.get(family.kind)) is not None
    ]
    if args.game is None and not alone:
        raise UserError(translate("cli.play.no_game", games=", ".join(game_names())))
    by_file = args.game is None or args.game.endswith(".toml")
    chosen = (
        _open(args.game or alone[0], "", translate)
        if by_file
        else game(find_key(args.game, translate))
    )
    for word, file in own.items():
        if word != chosen.contract.kind:
            raise UserError(translate(f"cli.error.no_{word}", game=chosen.name))
        chosen = _open(file, "" if chosen.contract.needs_header else chosen.key, translate)
    if not chosen.options and any(getattr(args, name) for name in option_names()):
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
        return open_file(file, key)
    except OSError as error:
        raise UserError(translate("cli.error.read", file=file, why=error.strerror)) from None
    except DataError as error:
        raise UserError(
            translate("cli.error.data", file=file, why=error.words(translate))
        ) from None


def add_begins(parser: Parser) -> None:
    """Add the choice of the start player."""
    parser.add_argument("--begins", metavar="N|lot", help=parser.translate("cli.help.begins"))


def find_setup(args: Namespace, chosen: Game, players: int, translate: Translator) -> Setup:
    """Return the options and the start player that the arguments name."""
    try:
        begins = transcripts.read_start_player(args.begins or "1", players)
    except ValueError:
        raise UserError(translate("cli.error.begins", text=args.begins, count=players)) from None
    return chosen.setup([name for name in option_names() if getattr(args, name)], begins)


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


def add_json(parser: Parser) -> None:
    """Add the option to print JSON."""
    parser.add_argument("--json", action="store_true", help=parser.translate("cli.help.json"))


def print_json(result: Any) -> None:
    """Print a result for programs: the same data in every encoding."""
    text = json.dumps(result, ensure_ascii=False, indent=2)
    print(text if can_be_printed(text) else json.dumps(result, indent=2))


def read_bytes(path: Path, translate: Translator) -> bytes:
    """Read a file, or raise one sentence with the reason."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(translate("cli.error.read", file=path, why=error.strerror)) from None


def read_text(path: Path, translate: Translator) -> str:
    """Read a text file, or standard input for ``-``, as UTF-8; raise one sentence if not."""
    try:
        if str(path) == "-":
            return (
                sys.stdin.buffer.read().decode()
                if isinstance(sys.stdin, io.TextIOWrapper)
                else sys.stdin.read()
            )
        return read_bytes(path, translate).decode()
    except UnicodeDecodeError:
        raise UserError(translate("cli.error.not_text", file=path)) from None


def report(path: Path, file: DataFile, translate: Translator) -> bool:
    """Print the findings of the checker of a data file; return whether it is usable."""
    for finding in file.findings:
        print(
            f"{path}: {finding.words(translate)}", file=sys.stderr if finding.error else sys.stdout
        )
    if file.errors:
        print(
            f"foxclover: {translate('cli.data.unusable', file=path, count=len(file.errors))}",
            file=sys.stderr,
        )
    return not file.errors


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


def connect_cluster(address: str, translate: Translator) -> Cluster:
    """Connect to a Ray cluster, or raise one sentence with the reason."""
    from foxclover.simulation.cluster import Cluster, ClusterError

    try:
        return Cluster(address)
    except ClusterError as error:
        raise UserError(translate("cli.error.cluster", problem=error)) from None


@dataclass(frozen=True)
class Seat:
    """A seat: the player's name, and the agent of a computer player."""

    name: str
    agent: str = ""

    def __str__(self) -> str:
        return f"{self.name}:{self.agent}" if self.agent else self.name


def read_seats(
    texts: Sequence[str], agents: Sequence[str], translate: Translator, own: bool = False
) -> list[Seat]:
    """Read seats like ``Ada`` or ``computer:greedy``; ``own`` allows custom agents.

    Players of the same name get a number.
    """
    seats: list[Seat] = []
    for text in texts:
        name, _, agent = (part.strip() for part in text.partition(":"))
        if agent and agent not in agents and not (own and ":" in agent):
            raise UserError(translate("cli.error.agent", text=agent, agents=", ".join(agents)))
        if not name:
            raise UserError(translate("cli.play.no_name"))
        if CONTROL_SIGN.search(name):
            raise UserError(translate("cli.play.bad_name", name=quote(name)))
        taken = [seat.name for seat in seats]
        number, unique = 1, name
        while unique in taken:
            number += 1
            unique = f"{name} {number}"
        seats.append(Seat(unique, agent))
    return seats
