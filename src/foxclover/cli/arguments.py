"""Kinds of arguments that several commands take, and how they answer."""

from __future__ import annotations

import json
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from foxclover import notation
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Parser
from foxclover.cli.words import move_error
from foxclover.errors import MoveError
from foxclover.game import Game, find_family, game, games
from foxclover.locale import Say
from foxclover.shelf import shelf


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


SEEDS = 2**32  # what fits the generator of every reproducible game


def add_game(parser: Parser, optional: bool = False) -> None:
    """Take the name of a game, and the options of the one game that has some."""
    say = parser.say
    parser.add_argument("game", metavar="GAME", nargs="?" if optional else None, help=say("cli.help.game", games=", ".join(games())))
    parser.add_argument("--deck", metavar="FILE", help=say("cli.help.deck"))
    for name in option_names():
        parser.add_argument(f"--{name.replace('_', '-')}", action="store_true", help=say(f"cli.help.{name}"))


@cache
def option_names() -> list[str]:
    """The options of all games."""
    families = {item.head.family for item in shelf().values()}
    return sorted({option.name for family in families for option in find_family(family).options})


def find_game(args: Namespace, say: Say) -> Game:
    """Find the game by any unambiguous beginning of its name, with its deck."""
    wanted = args.game.strip().lower()
    found = [key for key in games() if key.startswith(wanted)]
    if not found:
        raise UserError(say("cli.error.game", text=args.game, games=", ".join(games())))
    if len(found) > 1:
        raise UserError(say("cli.error.game_ambiguous", text=args.game, games=", ".join(found)))
    chosen = game(found[0])
    if not chosen.options and (args.deck or any(getattr(args, name) for name in option_names())):
        raise UserError(say("cli.error.no_options", game=chosen.name))
    try:
        return game(found[0], args.deck) if args.deck else chosen
    except OSError as error:
        raise UserError(say("cli.error.read", file=args.deck, why=error.strerror)) from None
    except ValueError as error:
        raise UserError(str(error)) from None


def find_variant(args: Namespace, chosen: Game) -> int:
    """The options of the table."""
    return chosen.variant([name for name in option_names() if getattr(args, name)])


def add_json(parser: Parser) -> None:
    """Let a command answer as JSON."""
    parser.add_argument("--json", action="store_true", help=parser.say("cli.help.json"))


def print_json(result: Any) -> None:
    """Print a result for programs."""
    print(json.dumps(result, ensure_ascii=False, indent=2))


def read_text(path: Path, say: Say) -> str:
    """Read a text file, or say in one sentence why not."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UserError(say("cli.error.not_text", file=path)) from None
    except OSError as error:
        raise UserError(say("cli.error.read", file=path, why=error.strerror)) from None


def read_transcript(path: Path, say: Say) -> notation.Transcript:
    """Read and replay a transcript, or say in one sentence what is wrong with it."""
    try:
        return notation.read(read_text(path, say))
    except MoveError as error:
        raise UserError(f"{path}: {move_error(error, say)}") from None
    except notation.TranscriptError as error:
        raise UserError(f"{path}: {error}") from None
