"""``foxclover build-site``: the game as a folder of files, for any web host, without a server."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.locale import Say, say_number


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("build-site", run)
    parser.add_argument("folder", metavar="DIR", type=Path, help=say("cli.build-site.folder"))


def run(args: Namespace, say: Say) -> int:
    """Write the folder."""
    from foxclover.site.build import NotBuilt, NotOurs, build_site

    try:
        size = build_site(args.folder)
    except NotBuilt:
        raise UserError(say("cli.build-site.not_built")) from None
    except NotOurs:
        raise UserError(say("cli.build-site.not_ours", folder=args.folder)) from None
    except OSError as error:
        raise UserError(
            say("cli.build-site.failed", folder=args.folder, problem=error.strerror)
        ) from None
    print(say("cli.build-site.done", folder=args.folder, size=say_number(size / 1e6, ".1f", say)))
    return 0
