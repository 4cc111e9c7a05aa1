"""The command line.

A command ``NAME`` has two functions in a module of this package: ``add_NAME(parser, translate)``
declares its arguments, ``run_NAME(args, translate)`` runs it and returns the exit code.
``COMMANDS`` names the module, which is imported only when the command is used. Libraries are
imported in the functions that need them, so that every command starts quickly.
"""

from __future__ import annotations

import os
import shlex
import sys
import warnings
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module
from itertools import chain
from typing import TextIO

from foxclover import __version__
from foxclover.cli import serve
from foxclover.cli.arguments import print_cause, using_net
from foxclover.cli.output import print_anything
from foxclover.cli.parser import (
    GROUPS,
    INTERRUPTED,
    USER_ERROR,
    Parser,
    UserError,
    language_of,
    program,
)
from foxclover.core.data_file import DataError
from foxclover.locale import Translator, catalogue

COMMANDS = {  # in the groups and the order of the help, each with its module
    "play": {"play": "play", "daily": "daily", "puzzle": "puzzle"},
    "analyse": {
        "replay": "check",
        "review": "review",
        "practise": "practise",
        "advise": "review",
        "odds": "review",
        "draw": "draw",
        "verify": "check",
    },
    "host": {
        "serve": "serve",
        "build-site": "serve",
        "admin": "admin",
        "backup": "serve",
        "copy-data": "serve",
    },
    "research": {
        "simulate": "simulate",
        "merge": "simulate",
        "train": "train",
        "export-net": "train",
        "benchmark": "benchmark",
        "mcp": "mcp",
        "decisions": "benchmark",
        "bench": "bench",
        "puzzles": "puzzle",
        "sheet": "check",
        "deck": "check",
    },
    "other": {"completion": "parser"},
}
ALIASES = {"practise": ["practice"]}
EXAMPLES = {  # of each command in its help
    "play": 'play ganz --players "Ada,Bo,computer:medium"',
    "daily": "daily ganz",
    "puzzle": "puzzle ganz --theme reroll",
    "replay": "replay game.txt",
    "review": "review game.txt --seat 1",
    "practise": "practise game.txt",
    "advise": "advise game.txt",
    "odds": 'odds "3*W4+"',
    "draw": "draw game.txt --out game.svg",
    "verify": "verify game.txt --witness witness.json",
    "serve": "serve --port 8080 --data games",
    "build-site": "build-site site",
    "admin": "admin people Ada",
    "backup": "backup copy.sqlite",
    "copy-data": "copy-data games postgresql://localhost/foxclover",
    "simulate": "simulate ganz --agent greedy,net --games 1000",
    "merge": "merge one.csv two.csv --results both.csv",
    "train": "train ganz --episodes 1000",
    "export-net": "export-net ganz --format onnx",
    "benchmark": "benchmark net --task ganz-v1 --games 100",
    "mcp": "mcp",
    "decisions": "decisions build ganz --count 100",
    "bench": "bench",
    "puzzles": "puzzles build ganz --count 100",
    "sheet": "sheet my-sheet.toml",
    "deck": "deck my-deck.toml",
    "completion": "completion bash",
}
EXTRAS = {
    "asyncpg": "asyncpg",
    "gymnasium": "gymnasium",
    "h5py": "h5py",
    "matplotlib": "matplotlib",
    "mcp": "mcp>=2",
    "minari": "minari[hdf5]",
    "onnx": "onnx",
    "pyarrow": "pyarrow",
    "ray": "ray",
    "resvg_py": "resvg-py",
    "safetensors": "safetensors",
    "textual": "textual",
}
"""Modules of extras, with the packages that have them."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    print_anything()
    with warnings.catch_warnings():
        warnings.showwarning = print_warning
        return run(argv)


def print_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning for users as a plain sentence, any other as Python does."""
    text = (
        f"{program()}: {message}\n"
        if issubclass(category, UserWarning)
        else warnings.formatwarning(message, category, filename, lineno, line)
    )
    (file or sys.stderr).write(text)


def run(argv: Sequence[str] | None) -> int:
    """Run one command; print errors that the user can fix as one sentence."""
    words = sys.argv[1:] if argv is None else list(argv)
    translate = catalogue(language_of(words))
    try:
        args = build(translate, words).parse_args(words, Namespace(words=words))
        with using_net(args):
            code: int = args.run(args, translate)
        sys.stdout.flush()
    except UserError as error:
        print(f"{program()}: {error}", file=sys.stderr)
        return error.code
    except KeyboardInterrupt:
        print(f"\n{program()}: {translate('cli.interrupted')}", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader of the pipe has gone: drop the buffered rest.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        sentence = explain(error, translate)
        if sentence is None:
            raise
        if "--traceback" in words:
            print_cause(error)
        print(f"{program()}: {sentence}", file=sys.stderr)
        return USER_ERROR
    return code


def explain(error: Exception, translate: Translator) -> str | None:
    """Return the sentence for an error of the package that the user can fix, else None."""
    from foxclover.ai.custom_agents import CustomAgentError
    from foxclover.ai.nets import NetError
    from foxclover.server.errors import StartError
    from foxclover.simulation.cluster import ClusterError

    match error:
        case StartError():
            return error.words(translate)
        case DataError():  # in a folder of custom games
            return translate("cli.error.data", file=error.key, why=error.words(translate))
        case CustomAgentError() | NetError():
            return translate("cli.error.net", problem=error)
        case ClusterError():
            return translate("cli.error.cluster", problem=error)
        case ModuleNotFoundError(name=str(name)) if name.partition(".")[0] in EXTRAS:
            module = name.partition(".")[0]
            command = [sys.executable, "-m", "pip", "install", EXTRAS[module]]
            return translate("cli.needs_extra", module=module, command=shlex.join(command))
    return None


def build(translate: Translator, words: Sequence[str] | None = None) -> Parser:
    """Return the parser of all commands; those not in ``words`` are only listed."""
    parser = Parser(
        translate,
        prog=program(),
        description=translate("cli.help"),
        epilog=example("--lan", translate),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"foxclover {__version__}",
        help=translate("cli.help.version"),
    )
    serve.add_here(parser, translate)
    commands = parser.add_subparsers(
        metavar=translate("cli.help.command"), title=translate("cli.help.commands")
    )
    setattr(commands, GROUPS, COMMANDS)
    for name, module_name in chain.from_iterable(group.items() for group in COMMANDS.values()):
        text = translate(f"cli.{name}.help")
        aliases = ALIASES.get(name, [])
        command = commands.add_parser(
            name,
            aliases=aliases,
            translate=translate,
            help=text,
            description=text,
            epilog=example(EXAMPLES[name], translate),
        )
        if words is None or not {name, *aliases}.isdisjoint(words):
            module = import_module(f"foxclover.cli.{module_name}")
            add, run = (
                getattr(module, f"{verb}_{name.replace('-', '_')}") for verb in ("add", "run")
            )
            add(command, translate)
            command.set_defaults(command=name, run=run)
    return parser


def example(text: str, translate: Translator) -> str:
    """Return the last line of a help: a command to try."""
    return translate("cli.help.example", command=f"{program()} {text}")
