"""``foxclover serve`` and plain ``foxclover``: the game in the browser."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from foxclover.cli.arguments import number
from foxclover.cli.errors import UserError
from foxclover.cli.folders import data_folder
from foxclover.cli.parser import Commands, Parser
from foxclover.data_file import DataError
from foxclover.game import game, games
from foxclover.locale import Say
from foxclover.shelf import offer_folder

LOCAL = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
KEEP = 365
PORT = 8000
FREE_PORT = 0


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("serve", run)
    parser.add_argument("--host", default=LOCAL, help=say("cli.serve.host"))
    parser.add_argument(
        "--port", type=number(say, 0, 65535), default=PORT, help=say("cli.serve.port")
    )
    parser.add_argument(
        "--data", type=Path, default=data_folder(), metavar="DIR", help=say("cli.serve.data")
    )
    parser.add_argument("--database", default="", metavar="URL", help=say("cli.serve.database"))
    parser.add_argument(
        "--workers", type=number(say, 1, 256), default=1, metavar="N", help=say("cli.serve.workers")
    )
    parser.add_argument("--public", type=address(say), metavar="URL", help=say("cli.serve.public"))
    parser.add_argument(
        "--keep",
        type=number(say, 1, 36500),
        default=KEEP,
        metavar="DAYS",
        help=say("cli.serve.keep"),
    )
    parser.add_argument("--sheets", type=Path, metavar="DIR", help=say("cli.serve.sheets"))
    parser.add_argument("--open", action="store_true", help=say("cli.serve.open"))


def run(args: Namespace, say: Say) -> int:
    """Serve until stopped."""
    if args.sheets is not None:
        offer(args.sheets, say)
    return _serve(
        args.host,
        args.port,
        args.data,
        args.open,
        say,
        public=args.public or "",
        keep=args.keep,
        database=args.database,
        workers=args.workers,
    )


def offer(folder: Path, say: Say) -> None:
    """Offer the games of a folder too; a file that cannot be played with is told before anything starts."""
    if not folder.is_dir():
        raise UserError(say("cli.serve.no_folder", folder=folder))
    offer_folder(folder)
    try:
        for key in games():
            game(key)
    except OSError as error:
        offer_folder(None)
        raise UserError(say("cli.error.read", file=error.filename, why=error.strerror)) from None
    except DataError as error:
        offer_folder(None)
        raise UserError(say("cli.error.data", file=error.key, why=error.words(say))) from None


def add_here(parser: Parser, say: Say) -> None:
    """Declare what plain ``foxclover`` understands."""
    parser.add_argument("--lan", action="store_true", help=say("cli.lan"))
    parser.set_defaults(run=run_here)


def run_here(args: Namespace, say: Say) -> int:
    """Serve on this machine only, or for its network, on a free port, and open the browser."""
    return _serve(EVERYWHERE if args.lan else LOCAL, FREE_PORT, data_folder(), True, say)


def address(say: Say) -> Callable[[str], str]:
    """Return what reads the address of a site from the command line."""

    def read(text: str) -> str:
        split = urlsplit(text)
        if split.scheme not in ("http", "https") or not split.hostname or split.path.strip("/"):
            raise ArgumentTypeError(say("cli.serve.no_address", text=text))
        return text

    return read


def _serve(host: str, port: int, data: Path, open_browser: bool, say: Say, **settings: Any) -> int:
    from foxclover.server.errors import StartError
    from foxclover.server.run import serve

    try:
        serve(host, port, data, open_browser, say, **settings)
    except StartError as error:
        raise UserError(error.words(say)) from None
    return 0
