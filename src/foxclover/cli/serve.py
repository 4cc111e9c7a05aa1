"""``foxclover serve`` and plain ``foxclover``: the game in the browser."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from foxclover.cli.arguments import number
from foxclover.cli.errors import UserError
from foxclover.cli.folders import data_folder
from foxclover.cli.parser import Commands
from foxclover.locale import Say

LOCAL = "127.0.0.1"
PORT = 8000
FREE_PORT = 0


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("serve", run)
    parser.add_argument("--host", default=LOCAL, help=say("cli.serve.host"))
    parser.add_argument("--port", type=number(say, 0, 65535), default=PORT, help=say("cli.serve.port"))
    parser.add_argument("--data", type=Path, default=data_folder(), metavar="DIR", help=say("cli.serve.data"))
    parser.add_argument("--open", action="store_true", help=say("cli.serve.open"))


def run(args: Namespace, say: Say) -> int:
    """Serve until stopped."""
    return _serve(args.host, args.port, args.data, args.open, say)


def run_here(_: Namespace, say: Say) -> int:
    """Serve on this machine only, on a free port, and open the browser."""
    return _serve(LOCAL, FREE_PORT, data_folder(), True, say)


def _serve(host: str, port: int, data: Path, open_browser: bool, say: Say) -> int:
    from foxclover.server.errors import StartError
    from foxclover.server.run import serve

    try:
        serve(host, port, data, open_browser, say)
    except StartError as error:
        raise UserError(error.words(say)) from None
    return 0
