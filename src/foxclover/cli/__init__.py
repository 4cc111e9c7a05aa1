"""The command line: one module per command, each with ``add(commands, say)``, which names its ``run(args, say)``.

A command is added by writing such a module and naming it in ``COMMANDS``. What it needs beyond the standard library and the rules it
imports in ``run``, so that the other commands start quickly.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from foxclover import __version__
from foxclover.cli import advise, bench, deck, odds, play, practise, replay, review, serve, simulate, train
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Parser, language_of
from foxclover.locale import Say, catalogue

COMMANDS = (play, serve, simulate, replay, review, practise, advise, odds, deck, train, bench)
USER_ERROR = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        say = catalogue(language_of(words))
        args = build(say).parse_args(words)
        code: int = args.run(args, say)
        sys.stdout.flush()
    except UserError as error:
        print(f"foxclover: {error}", file=sys.stderr)
        return USER_ERROR
    except KeyboardInterrupt:
        print(f"\nfoxclover: {say('cli.interrupted')}", file=sys.stderr)
        return USER_ERROR
    except BrokenPipeError:
        # The reader has gone; what is still buffered goes nowhere, quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def build(say: Say) -> Parser:
    """Return the parser with all commands."""
    parser = Parser(say, prog="foxclover", description=say("cli.help"))
    parser.add_argument("--version", action="version", version=f"foxclover {__version__}", help=say("cli.help.version"))
    serve.add_here(parser, say)
    commands = parser.commands()
    for command in COMMANDS:
        command.add(commands, say)
    return parser
