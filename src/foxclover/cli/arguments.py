"""Kinds of arguments that several commands take, and how they answer."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from foxclover import notation, shelf
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Parser
from foxclover.cli.words import move_error
from foxclover.data_file import DataError, DataFile
from foxclover.errors import MoveError, quote
from foxclover.game import Game, UnknownGame, game, games, open_file
from foxclover.locale import Say
from foxclover.shelf import all_families, book_words


def number(say: Say, least: int, most: int | None = None) -> Callable[[str], int]:
    """A whole number within bounds."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            value = least - 1
        if most is None and value < least:
            raise ArgumentTypeError(say("cli.error.number", text=text, least=least))
        if most is not None and not least <= value <= most:
            raise ArgumentTypeError(say("cli.error.range", text=text, least=least, most=most))
        return value

    return read


UNUSABLE = 1  # exit code for a data file with errors
SEEDS = 2**32  # what fits the generator of every reproducible game


def add_game(parser: Parser, optional: bool = False) -> None:
    """Take the name of a game, a sheet or deck of one's own, and the options of the one game that has some."""
    say = parser.say
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?" if optional else None,
        help=say("cli.help.game", games=", ".join(games())),
    )
    for word in book_words():
        parser.add_argument(f"--{word}", metavar="FILE", help=say(f"cli.help.{word}"))
    for name in option_names():
        parser.add_argument(
            f"--{name.replace('_', '-')}", action="store_true", help=say(f"cli.help.{name}")
        )


@cache
def option_names() -> list[str]:
    """The options of all games."""
    return sorted({option.name for family in all_families() for option in family.options})


def own_books(args: Namespace) -> dict[str, str]:
    """The files of one's own, by what they are called."""
    return {word: file for word in book_words() if (file := getattr(args, word)) is not None}


def find_game(args: Namespace, say: Say) -> Game:
    """Find the game: by any unambiguous beginning of its name, perhaps with a sheet or deck of one's own, or by the file alone."""
    own = own_books(args)
    alone = [
        file
        for family in all_families()
        if not family.headless and (file := own.get(family.book_word)) is not None
    ]
    if args.game is None and not alone:
        raise UserError(say("cli.play.no_game", games=", ".join(games())))
    by_file = args.game is None or args.game.endswith(".toml")
    chosen = _open(args.game or alone[0], "", say) if by_file else game(find_key(args.game, say))
    for word, file in own.items():
        if word != chosen.contract.book_word:
            raise UserError(say(f"cli.error.no_{word}", game=chosen.name))
        chosen = _open(file, chosen.key if chosen.contract.headless else "", say)
    if not chosen.options and any(getattr(args, name) for name in option_names()):
        raise UserError(say("cli.error.no_options", game=chosen.name))
    return chosen


def find_key(name: str, say: Say) -> str:
    """The key of a game, by any unambiguous beginning of it."""
    try:
        return shelf.find_key(name)
    except UnknownGame as error:
        key = "cli.error.game_ambiguous" if error.found else "cli.error.game"
        raise UserError(
            say(key, text=quote(name), games=", ".join(error.found or games()))
        ) from None


def _open(file: str, key: str, say: Say) -> Game:
    """A game with a file of one's own."""
    try:
        return open_file(file, key)
    except OSError as error:
        raise UserError(say("cli.error.read", file=file, why=error.strerror)) from None
    except DataError as error:
        raise UserError(say("cli.error.data", file=file, why=error.words(say))) from None


def add_begins(parser: Parser) -> None:
    """Let it be chosen who begins."""
    parser.add_argument("--begins", metavar="N|lot", help=parser.say("cli.help.begins"))


def find_variant(args: Namespace, chosen: Game, players: int, say: Say) -> int:
    """The options of the table, and who begins."""
    try:
        begins = notation.read_beginner(args.begins or "1", players)
    except ValueError:
        raise UserError(say("cli.error.begins", text=args.begins, count=players)) from None
    return chosen.variant([name for name in option_names() if getattr(args, name)], begins)


def check_players(chosen: Game, count: int, say: Say) -> None:
    """Refuse a number of players that a game is not for."""
    if count not in chosen.players:
        raise UserError(
            say(
                "cli.error.players",
                game=chosen.name,
                least=chosen.players[0],
                most=chosen.players[-1],
                count=count,
            )
        )


def add_json(parser: Parser) -> None:
    """Let a command answer as JSON."""
    parser.add_argument("--json", action="store_true", help=parser.say("cli.help.json"))


def print_json(result: Any) -> None:
    """Print a result for programs."""
    print(json.dumps(result, ensure_ascii=False, indent=2))


def read_bytes(path: Path, say: Say) -> bytes:
    """Read a file, or say in one sentence why not."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UserError(say("cli.error.read", file=path, why=error.strerror)) from None


def read_text(path: Path, say: Say) -> str:
    """Read a text file, or what comes in for ``-``; else say in one sentence why not."""
    try:
        return sys.stdin.read() if str(path) == "-" else read_bytes(path, say).decode()
    except UnicodeDecodeError:
        raise UserError(say("cli.error.not_text", file=path)) from None


def report(path: Path, file: DataFile, say: Say) -> bool:
    """Tell what the checker found in a data file; return whether it can be played with."""
    for finding in file.findings:
        print(f"{path}: {finding.words(say)}", file=sys.stderr if finding.error else sys.stdout)
    if file.errors:
        print(
            f"foxclover: {say('cli.data.unusable', file=path, count=len(file.errors))}",
            file=sys.stderr,
        )
    return not file.errors


def read_transcript(path: Path, say: Say) -> notation.Transcript:
    """Read and replay a transcript, or say in one sentence what is wrong with it."""
    try:
        return notation.read(read_text(path, say))
    except MoveError as error:
        raise UserError(f"{path}: {move_error(error, say)}") from None
    except notation.TranscriptError as error:
        raise UserError(f"{path}: {error.words(say)}") from None
