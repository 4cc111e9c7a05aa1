"""``foxclover serve``, plain ``foxclover``, ``build-site``, ``backup`` and ``copy-data``."""

from __future__ import annotations

import re
from argparse import BooleanOptionalAction, Namespace
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from foxclover.cli.arguments import number, reader
from foxclover.cli.configuration import Configuration
from foxclover.cli.parser import Parser, UserError
from foxclover.cli.saves import data_folder
from foxclover.core.data_file import DataError
from foxclover.core.game import game, game_names
from foxclover.core.registry import add_search_path
from foxclover.locale import Translator, format_number

if TYPE_CHECKING:
    from foxclover.server.http.run import ServerSettings

LOCAL = "127.0.0.1"
EVERYWHERE = "0.0.0.0"
KEEP = 365
PORT = 8000
FREE_PORT = 0
SITE_PATH = re.compile(r"(/[\w~-][\w.~-]*)*/?", re.ASCII)
LOGGED = ("short", "full", "off")  # as foxclover.server.logs has them


def add_serve(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("--host", default=LOCAL, help=translate("cli.serve.host"))
    parser.add_argument(
        "--port", type=number(translate, 0, 65535), default=PORT, help=translate("cli.serve.port")
    )
    parser.add_argument(
        "--data", type=Path, default=data_folder(), metavar="DIR", help=translate("cli.serve.data")
    )
    parser.add_argument(
        "--database", default="", metavar="URL", help=translate("cli.serve.database")
    )
    parser.add_argument(
        "--workers",
        type=number(translate, 1, 256),
        default=1,
        metavar="N",
        help=translate("cli.serve.workers"),
    )
    parser.add_argument(
        "--public-url",
        type=reader(translate, "cli.serve.no_address", read_address),
        metavar="URL",
        help=translate("cli.serve.public_url"),
    )
    parser.add_argument(
        "--trusted-proxy",
        type=reader(translate, "cli.serve.no_network", ip_network),
        action="append",
        default=[],
        metavar="CIDR",
        help=translate("cli.serve.trusted_proxy"),
    )
    parser.add_argument(
        "--keep",
        type=number(translate, 1, 36500),
        default=KEEP,
        metavar="DAYS",
        help=translate("cli.serve.keep"),
    )
    _add_public_options(parser, translate)
    parser.add_argument("--sheets", type=Path, metavar="DIR", help=translate("cli.serve.sheets"))
    parser.add_argument(
        "--open", action=BooleanOptionalAction, default=False, help=translate("cli.serve.open")
    )
    Configuration(parser)


def _add_public_options(parser: Parser, translate: Translator) -> None:
    """Declare what only servers for the public need."""
    parser.add_argument(
        "--log-addresses",
        choices=LOGGED,
        default=LOGGED[0],
        help=translate("cli.serve.log_addresses"),
    )
    parser.add_argument(
        "--health-any-host",
        action=BooleanOptionalAction,
        default=False,
        help=translate("cli.serve.health_any_host"),
    )
    for name in ("imprint", "privacy"):
        parser.add_argument(
            f"--{name}",
            type=reader(translate, "cli.serve.no_page", read_page_address),
            default="",
            metavar="URL",
            help=translate(f"cli.serve.{name}"),
        )
    parser.add_argument(
        "--notify",
        action=BooleanOptionalAction,
        default=False,
        help=translate("cli.serve.notify"),
    )
    parser.add_argument(
        "--notify-host",
        action="append",
        default=[],
        metavar="HOST",
        help=translate("cli.serve.notify_host"),
    )
    parser.add_argument(
        "--name-filter", type=Path, metavar="FILE", help=translate("cli.serve.name_filter")
    )


def run_serve(args: Namespace, translate: Translator) -> int:
    """Serve until stopped."""
    translate = args.configuration.complete(args, translate)
    if args.sheets is not None:
        offer(args.sheets, translate)
    from foxclover.server.http.run import ServerSettings
    from foxclover.server.network import Proxies

    settings = ServerSettings(
        args.host,
        args.port,
        args.data,
        database=args.database,
        open_browser=args.open,
        public=args.public_url or "",
        keep=args.keep,
        workers=args.workers,
        proxies=Proxies(tuple(args.trusted_proxy)),
        log_addresses=args.log_addresses,
        health_any_host=args.health_any_host,
        imprint=args.imprint,
        privacy=args.privacy,
        name_filter=args.name_filter,
        notify=args.notify,
        notify_hosts=tuple(args.notify_host),
    )
    return _serve(settings, translate)


def offer(folder: Path, translate: Translator) -> None:
    """Offer the games of a folder too; raise for an unusable file before the server starts."""
    if not folder.is_dir():
        raise UserError(translate("cli.serve.no_folder", folder=folder))
    add_search_path(folder)
    try:
        for key in game_names():
            game(key)
    except OSError as error:
        add_search_path(None)
        raise UserError(
            translate("cli.error.read", file=error.filename, why=error.strerror)
        ) from None
    except DataError:
        add_search_path(None)
        raise


def add_here(parser: Parser, translate: Translator) -> None:
    """Declare the options of plain ``foxclover``."""
    parser.add_argument("--lan", action="store_true", help=translate("cli.lan"))
    parser.set_defaults(run=run_here)


def run_here(args: Namespace, translate: Translator) -> int:
    """Serve on this machine only, or for its network, on a free port, and open the browser."""
    from foxclover.server.http.run import ServerSettings

    host = EVERYWHERE if args.lan else LOCAL
    return _serve(ServerSettings(host, FREE_PORT, data_folder(), open_browser=True), translate)


def read_address(text: str) -> str:
    """Read the address of a site, which may have a path; raises ``ValueError``."""
    split = urlsplit(text)
    site = f"{split.scheme}://{split.netloc}"
    if split.scheme not in ("http", "https") or not split.hostname or split.username is not None:
        raise ValueError(text)
    if not SITE_PATH.fullmatch(split.path) or text != site + split.path:
        raise ValueError(text)
    return text


def read_page_address(text: str) -> str:
    """Read the address of a page; raises ``ValueError``."""
    split = urlsplit(text)
    if split.scheme not in ("http", "https") or not split.hostname or text != text.strip():
        raise ValueError(text)
    return text


def _serve(settings: ServerSettings, translate: Translator) -> int:
    from foxclover.server.http.run import serve

    serve(settings, translate)
    return 0


def add_build_site(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("folder", metavar="DIR", type=Path, help=translate("cli.build-site.folder"))


def run_build_site(args: Namespace, translate: Translator) -> int:
    """Write the static site."""
    from foxclover.site.build import NotBuilt, NotOurs, build_site

    try:
        size = build_site(args.folder)
    except NotBuilt:
        raise UserError(translate("cli.build-site.not_built")) from None
    except NotOurs:
        raise UserError(translate("cli.build-site.not_ours", folder=args.folder)) from None
    except OSError as error:
        raise UserError(
            translate("cli.build-site.failed", folder=args.folder, problem=error.strerror)
        ) from None
    megabytes = format_number(size / 1e6, ".1f", translate)
    print(translate("cli.build-site.done", folder=args.folder, size=megabytes))
    return 0


def add_backup(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("target", metavar="FILE", type=Path, help=translate("cli.backup.file"))
    parser.add_argument(
        "--data", type=Path, default=data_folder(), metavar="DIR", help=translate("cli.serve.data")
    )
    Configuration(parser, strict=False)


def run_backup(args: Namespace, translate: Translator) -> int:
    """Copy the SQLite file, also while the server runs."""
    import sqlite3

    from foxclover.server.stores.sqlite_files import FILE, expect_no_lost_log

    translate = args.configuration.complete(args, translate)
    source = args.data / FILE
    expect_no_lost_log(args.data)
    if not source.is_file():
        raise UserError(translate("cli.backup.nothing", file=source))
    if args.target.exists():
        raise UserError(translate("cli.backup.exists", file=args.target))
    try:
        with (
            closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True)) as original,
            closing(sqlite3.connect(args.target)) as copy,
        ):
            original.backup(copy)
            args.target.chmod(0o600)
    except (sqlite3.Error, OSError) as error:
        args.target.unlink(missing_ok=True)
        raise UserError(translate("cli.backup.failed", problem=error)) from None
    print(translate("cli.backup.done", file=args.target))
    return 0


def add_copy_data(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("source", metavar="FROM", help=translate("cli.copy-data.place"))
    parser.add_argument("target", metavar="TO", help=translate("cli.copy-data.place"))


def run_copy_data(args: Namespace, translate: Translator) -> int:
    """Copy all tables that the target lacks."""
    import asyncio

    from foxclover.server.stores import copy_tables, is_database, open_store
    from foxclover.server.stores.sqlite_files import FILE
    from foxclover.server.stores.store import StoreAway

    if not is_database(args.source) and not (Path(args.source) / FILE).is_file():
        raise UserError(translate("cli.backup.nothing", file=args.source))

    async def copy() -> tuple[int, int]:
        try:
            return await copy_tables(*stores)
        finally:
            for store in stores:
                await store.close()

    try:
        stores = [open_store(place) for place in (args.source, args.target)]
        copied, known = asyncio.run(copy())
    except StoreAway as error:
        raise UserError(translate("cli.copy-data.lost", problem=error)) from None
    print(translate("cli.copy-data.done", count=copied, known=known))
    return 0
