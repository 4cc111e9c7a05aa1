"""The command line: one module per command, each with ``add(commands, say)``, which names its ``run(args, say)``.

A command is added by writing such a module and naming it in ``COMMANDS``. Its module is imported when it is used, what it needs beyond the
standard library and the rules in ``run``, so that every command starts quickly.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from typing import TextIO

from foxclover import __version__
from foxclover.cli import serve
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Parser, language_of
from foxclover.data_file import DataError
from foxclover.locale import Say, catalogue
from foxclover.own_agents import OwnAgentError

COMMANDS = (
    *"play daily serve build-site simulate merge replay verify review practise advise".split(),
    *"odds deck sheet train bench backup copy-data completion".split(),
)
EXTRAS = {
    "starlette": "server",
    "uvicorn": "server",
    "websockets": "server",
    "orjson": "server",
    "segno": "server",
    "matplotlib": "pictures",
    "ray": "ray",
}
USER_ERROR = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
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
    """Show a warning for users as a plain sentence, any other as Python does."""
    plain = f"foxclover: {message}\n"
    text = (
        plain
        if issubclass(category, UserWarning)
        else warnings.formatwarning(message, category, filename, lineno, line)
    )
    (file or sys.stderr).write(text)


def run(argv: Sequence[str] | None) -> int:
    """Run one command; what the user can mend is told in a sentence."""
    words = sys.argv[1:] if argv is None else list(argv)
    try:
        say = catalogue(language_of(words))
        args = build(say, words).parse_args(words)
        code: int = args.run(args, say)
        sys.stdout.flush()
    except UserError as error:
        print(f"foxclover: {error}", file=sys.stderr)
        return USER_ERROR
    except DataError as error:  # in a folder of one's own games
        print(
            f"foxclover: {say('cli.error.data', file=error.key, why=error.words(say))}",
            file=sys.stderr,
        )
        return USER_ERROR
    except OwnAgentError as error:
        print(f"foxclover: {say('cli.error.net', problem=error)}", file=sys.stderr)
        return USER_ERROR
    except ModuleNotFoundError as error:
        module = (error.name or "").partition(".")[0]
        if module not in EXTRAS:
            raise
        print(
            f"foxclover: {say('cli.needs_extra', module=module, extra=EXTRAS[module])}",
            file=sys.stderr,
        )
        return USER_ERROR
    except KeyboardInterrupt:
        print(f"\nfoxclover: {say('cli.interrupted')}", file=sys.stderr)
        return USER_ERROR
    except BrokenPipeError:
        # The reader has gone; what is still buffered goes nowhere, quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return code


def build(say: Say, words: Sequence[str] | None = None) -> Parser:
    """Return the parser with all commands; those that ``words`` do not name are only listed."""
    parser = Parser(say, prog="foxclover", description=say("cli.help"))
    parser.add_argument(
        "--version",
        action="version",
        version=f"foxclover {__version__}",
        help=say("cli.help.version"),
    )
    serve.add_here(parser, say)
    commands = parser.commands()
    for name in COMMANDS:
        if words is None or name in words:
            import_module(f"foxclover.cli.{name.replace('-', '_')}").add(commands, say)
        else:
            commands.add(name, serve.run)
    return parser
