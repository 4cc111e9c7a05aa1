"""``foxclover admin``: list, count, block, rename and delete on a running server."""

from __future__ import annotations

import json
import time
from argparse import Namespace
from pathlib import Path
from typing import Any

from foxclover.cli.arguments import add_json, number, print_json
from foxclover.cli.configuration import Configuration
from foxclover.cli.parser import Parser, UserError, program
from foxclover.cli.saves import data_folder
from foxclover.locale import Translator

REQUESTS = (
    *("stats", "tables", "people", "blocks", "block", "unblock", "rename", "delete"),
    *("reports", "close"),
)
NEEDS_TARGET = ("block", "unblock", "rename", "delete", "close")
LISTED = 20
HERE = ("127.0.0.1", "[::1]")
TIMES = ("created", "since", "last")
SECONDS = 60.0


def add_admin(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument("action", choices=REQUESTS, help=translate("cli.admin.action"))
    parser.add_argument("target", nargs="?", default="", help=translate("cli.admin.target"))
    parser.add_argument("name", nargs="?", default="", help=translate("cli.admin.name"))
    parser.add_argument(
        "--limit",
        type=number(translate, 1, 1_000),
        default=LISTED,
        metavar="N",
        help=translate("cli.admin.limit"),
    )
    add_json(parser)
    parser.add_argument(
        "--data", type=Path, default=data_folder(), metavar="DIR", help=translate("cli.serve.data")
    )
    Configuration(parser, strict=False, only=("data",))


def run_admin(args: Namespace, translate: Translator) -> int:
    """Ask the server, and print its answer."""
    translate = args.configuration.complete(args, translate)
    command = f"{program()} admin"
    if args.action in NEEDS_TARGET and not args.target:
        raise UserError(translate("cli.admin.no_target", action=args.action, command=command))
    if args.action == "rename" and not args.name:
        raise UserError(translate("cli.admin.no_name", command=command))
    try:
        key = (args.data / "admin.key").read_text("ascii").strip()
        port = int((args.data / "port").read_text("ascii"))
    except (OSError, ValueError):
        raise UserError(translate("cli.admin.no_server", folder=args.data)) from None
    body = {"target": args.target, "name": args.name, "limit": args.limit}
    rows = _ask(args.action, body, key, port, translate)
    if args.json:
        print_json(rows)
    else:
        _print(rows, translate)
    return 0


def _ask(action: str, body: dict[str, Any], key: str, port: int, translate: Translator) -> Any:
    from urllib.error import HTTPError, URLError
    from urllib.request import ProxyHandler, Request, build_opener

    opener = build_opener(ProxyHandler({}))
    for host in HERE:
        request = Request(
            f"http://{host}:{port}/api/admin/{action}",
            json.dumps(body).encode(),
            {"authorization": f"Bearer {key}", "content-type": "application/json"},
        )
        try:
            with opener.open(request, timeout=SECONDS) as answer:
                return json.load(answer)["rows"]
        except HTTPError as error:
            with error:
                if error.code == 409:
                    reason = json.load(error)["error"]
                    text = translate(
                        f"cli.admin.{reason}",
                        target=body["target"],
                        command=f"{program()} admin",
                    )
                    raise UserError(text) from None
                raise UserError(translate("cli.admin.refused", status=error.code)) from None
        except (URLError, OSError):
            continue
    raise UserError(translate("cli.admin.no_answer", port=port))


def _print(rows: list[dict[str, Any]], translate: Translator) -> None:
    """Print rows as a table of columns separated by tabs."""
    if not rows:
        print(translate("cli.admin.none"))
        return
    print("\t".join(rows[0]))
    for row in rows:
        print("\t".join(_cell(name, value) for name, value in row.items()))


def _cell(name: str, value: Any) -> str:
    if name in TIMES:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(value))
    if isinstance(value, bool):
        return "x" if value else "-"
    return ", ".join(value) if isinstance(value, list) else str(value)
