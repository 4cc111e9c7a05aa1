"""Responses that never change: the files of the page, texts, rules and layouts.

Each is read, compressed and named by its content once per process.
"""

from __future__ import annotations

import mimetypes
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

import orjson
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from foxclover.core.registry import families, find_family
from foxclover.locale import RULES, rules_texts, texts
from foxclover.server import games, tours
from foxclover.server.http.legal import Legal
from foxclover.server.http.requests import Fixed, limited_lobby, translator
from foxclover.server.protocol import validate

# Python's own types: a system's may be wrong, as those of Windows for scripts often are
KINDS = mimetypes.MimeTypes()
KINDS.add_type("application/manifest+json", ".webmanifest")
KINDS.add_type("font/woff2", ".woff2")

JSON = "application/json"
FOREVER = "public, max-age=31536000, immutable"
A_WHILE = "public, max-age=3600"  # browsers ask for the icon again at each address of the page
INDEX = "index.html"
ASSETS = "assets/"  # their names change with their content
BROTLI = ".br"  # of a file compressed when the page was built

NOT_OF_PAGES = (
    *(RULES, "cli.", "transcript.", "site.", "page.site.", "data.", "number.", "expected."),
    *("legal.", "position.", "puzzle."),
    *("server.refused.", "server.problem.", "server.headline.", "dice_check."),
    *("server.notice.", "server.webhook."),
)
"""Prefixes of texts that a page never shows: those of the terminal, the server and the rules."""

LATER = (
    *("page.puzzles.", "page.skill", "page.week"),
    *("page.me.", "page.daily.", "page.group.", "page.look.", "page.practice.", "page.replay."),
    *("page.review.", "page.share.", "page.try.", "page.report.", "daily.", "practice.", "review."),
    *("page.tour.step", "page.tour.back", "page.tour.leave", "page.tour.play"),
    *("page.result.", "page.reaction", "page.switch.", "page.theme", "page.watching.name"),
    *("page.call", "page.webhook", "page.invite.", "page.pace", "page.table.", "page.entry."),
    *("page.shortcuts", "page.setup.", "page.join."),
    *("page.fair.none.meaning", "page.fair.elsewhere", "page.fair.meaning", "page.fair.limits"),
    *("page.fair.checked", "page.fair.verify", "page.fair.download", "page.fair.witness"),
)
"""Prefixes of texts that neither the start page nor tables show: of other pages and dialogs."""

NOT_LATER = ("page.setup.name", "page.daily.late", "page.puzzles.about", "page.puzzles.there")
"""Texts with these prefixes that they do show."""

OF_PAGES = ("server.refused.too_long",)
"""Texts of the server that a page shows itself: it checks the length before it sends a text."""


def read_files(directory: Path, base: str = "/") -> dict[str, Fixed]:
    """Return all files of the built page, by their path in it; ``base`` is its path on the host."""
    files = {path.relative_to(directory).as_posix(): path for path in directory.rglob("*")}
    return {
        name: _read(name, path, base)
        for name, path in files.items()
        if path.is_file() and path.suffix != BROTLI
    }


def _read(name: str, path: Path, base: str) -> Fixed:
    kind = KINDS.guess_type(path.name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind == "application/javascript":
        kind += "; charset=utf-8"
    cached = A_WHILE if kind.startswith("image/") else "no-cache"
    content = path.read_bytes()
    if name == INDEX:  # it is sent for all addresses of the page, so that its links are absolute
        content = content.replace(b'="./', f'="{base}'.encode())
    compressed = path.with_name(path.name + BROTLI)
    brotli = compressed.read_bytes() if compressed.is_file() else None
    return Fixed(content, kind, FOREVER if name.startswith(ASSETS) else cached, brotli)


async def show_page(request: Request) -> Response:
    """Send the page, which finds its table in its address."""
    limited_lobby(request)
    return _page(request, 200)


async def show_file(request: Request) -> Response:
    """Send a file of the page; for unknown addresses, the page to browsers and 404 to programs."""
    limited_lobby(request)
    found: Fixed | None = request.app.state.files.get(request.path_params["path"])
    if found is not None:
        return found.answer(request)
    for_people = "text/html" in request.headers.get("accept", "")
    if for_people and not request.path_params["path"].startswith("api/"):
        return _page(request, 404)
    raise HTTPException(404)


def _page(request: Request, status: int) -> Response:
    index: Fixed | None = request.app.state.files.get(INDEX)
    if index is None:
        return PlainTextResponse(translator(request)("server.problem.no_page"), 503)
    legal: Legal = request.app.state.legal
    return legal.with_links(index, translator(request)).answer(request, status)


async def show_games(request: Request) -> Response:
    """Return the games of this server."""
    return _games(orjson.dumps(limited_lobby(request).games())).answer(request)


async def show_layout(request: Request) -> Response:
    """Return the printed parts of a game's sheets or cards."""
    limited_lobby(request)
    key = games.find(request.path_params["key"]).key
    return _layout(key, translator(request).language).answer(request)


async def show_tour(request: Request) -> Response:
    """Return the scripted round of a game."""
    limited_lobby(request)
    key = games.find(request.path_params["key"]).key
    return _tour(key, translator(request).language).answer(request)


async def show_texts(request: Request) -> Response:
    """Return the texts of the start page and of tables."""
    limited_lobby(request)
    language = validate.language(request.path_params["language"])
    return _texts(language, later=False).answer(request)


async def show_more_texts(request: Request) -> Response:
    """Return the texts of all other pages."""
    limited_lobby(request)
    language = validate.language(request.path_params["language"])
    return _texts(language, later=True).answer(request)


async def show_rules(request: Request) -> Response:
    """Return the rules, which few open."""
    limited_lobby(request)
    return _rules(validate.language(request.path_params["language"])).answer(request)


@lru_cache(1)
def _games(content: bytes) -> Fixed:
    return Fixed(content, JSON)


@cache
def _layout(key: str, language: str) -> Fixed:
    return Fixed(orjson.dumps(games.layout(key, language)), JSON)


@cache
def _tour(key: str, language: str) -> Fixed:
    return Fixed(orjson.dumps(tours.tour(key, language)), JSON)


@cache
def _texts(language: str, *, later: bool) -> Fixed:
    contracts = [find_family(name) for name in families()]
    named = {*OF_PAGES, *(key for family in contracts for key in family.page_texts)}
    prefixes = [(f"{family.name}.", f"why.{family.name}.") for family in contracts]
    hidden = tuple(chain(NOT_OF_PAGES, *prefixes))
    shown = {
        key: text
        for key, text in texts(language).items()
        if (key in named or not key.startswith(hidden))
        and later == (key.startswith(LATER) and key not in NOT_LATER)
    }
    return Fixed(orjson.dumps(shown), JSON)


@cache
def _rules(language: str) -> Fixed:
    return Fixed(orjson.dumps(rules_texts(language)), JSON)
