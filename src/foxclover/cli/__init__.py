"""The command line.

A command is a function ``add_COMMAND(commands, translate)`` in a module of this package, which
declares its arguments and its ``run_COMMAND(args, translate)``. ``COMMANDS`` names the module,
which is imported only when the command is used. Libraries are imported in the functions that need
them, so that every command starts quickly.
"""

from __future__ import annotations

import os
import sys
import warnings
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from typing import TextIO

from foxclover import __version__
from foxclover.ai.custom_agents import CustomAgentError
from foxclover.cli import serve
from foxclover.cli.output import print_anything
from foxclover.cli.parser import INTERRUPTED, USER_ERROR, Parser, UserError, language_of
from foxclover.core.data_file import DataError
from foxclover.locale import Translator, catalogue

COMMANDS = {  # in the order of the help, each with the module of its ``add_COMMAND``
    "play": "play",
    "daily": "daily",
    "serve": "serve",
    "build-site": "serve",
    "simulate": "simulate",
    "merge": "simulate",
    "replay": "replay",
    "verify": "replay",
    "review": "review",
    "practise": "practise",
    "advise": "review",
    "odds": "odds",
    "deck": "definition_file",
    "sheet": "definition_file",
    "train": "train",
    "bench": "bench",
    "backup": "backup",
    "copy-data": "backup",
    "completion": "parser",
}
EXTRAS = {
    "starlette": "server",
    "uvicorn": "server",
    "websockets": "server",
    "orjson": "server",
    "segno": "server",
    "matplotlib": "pictures",
    "ray": "ray",
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    print_anything()
    with warnings.catch_warnings():
        warnings.showwarning = tell
        return run(argv)


def tell(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning for users as a plain sentence, any other as Python does."""
    plain = f"foxclover: {message}\n"
    text = (
        plain
        if issubclass(category, UserWarning)
        else warnings.formatwarning(message, category, filename, lineno, line)
    )
    (file or sys.stderr).write(text)


def run(argv: Sequence[str] | None) -> int:
    """Run one command; print errors that the user can fix as one sentence."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        translate = catalogue(language_of(words))
        args = build(translate, words).parse_args(words, Namespace(words=words))
        code: int = args.run(args, translate)
        sys.stdout.flush()
    except UserError as error:
        print(f"foxclover: {error}", file=sys.stderr)
        return error.code
    except DataError as error:  # in a folder of custom games
        print(
            f"foxclover: {translate('cli.error.data', file=error.key, why=error.words(translate))}",
            file=sys.stderr,
        )
        return USER_ERROR
    except CustomAgentError as error:
        print(f"foxclover: {translate('cli.error.net', problem=error)}", file=sys.stderr)
        return USER_ERROR
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        print(
            f"foxclover: {translate('cli.needs_extra', module=module, extra=EXTRAS[module])}",
            file=sys.stderr,
        )
        return USER_ERROR
    except KeyboardInterrupt:
        print(f"\nfoxclover: {translate('cli.interrupted')}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the pipe has gone: drop the buffered rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def build(translate: Translator, words: Sequence[str] | None = None) -> Parser:
    """Return the parser of all commands; those not in ``words`` are only listed."""
    parser = Parser(translate, prog="foxclover", description=translate("cli.help"))
    parser.add_argument(
        "--version",
        action="version",
        version=f"foxclover {__version__}",
        help=translate("cli.help.version"),
    )
    serve.add_here(parser, translate)
    commands = parser.commands()
    for name, module in COMMANDS.items():
        if words is None or name in words:
            declare = f"add_{name.replace('-', '_')}"
            getattr(import_module(f"foxclover.cli.{module}"), declare)(commands, translate)
        else:
            commands.add(name, serve.run_serve)
    return parser
