"""The documentation site at ``/docs``, if ``tools/docs`` has built it.

Its links are relative, so that it works under every path. Files are read when they are asked for
first: few people open them.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from foxclover.server.http.pages import A_WHILE, FOREVER, KINDS
from foxclover.server.http.requests import Fixed, limited_lobby, translator
from foxclover.server.network import PublicUrls

DOCS = Path(__file__).parents[2] / "docs"
PATH = "/docs"
INDEX = "index.html"


class Docs:
    """The files of the documentation site."""

    def __init__(self, folder: Path = DOCS) -> None:
        self.paths = {
            path.relative_to(folder).as_posix(): path
            for path in folder.rglob("*")
            if path.is_file()
        }
        self.read: dict[tuple[str, str], Fixed] = {}

    @property
    def built(self) -> bool:
        """Whether the site is there."""
        return INDEX in self.paths

    def add_link(self, files: dict[str, Fixed], urls: PublicUrls) -> None:
        """Add the address of the documentation to the game's page: ``<link rel="help">``."""
        page = files.get(INDEX)
        if not self.built or page is None:
            return
        link = f'<link rel="help" href="{urlsplit(urls.public).path.rstrip("/")}{PATH}/"></head>'
        content = page.plain.replace(b"</head>", link.encode(), 1)
        files[INDEX] = Fixed(content, page.headers["content-type"], page.headers["cache-control"])

    def find(self, name: str, version: str) -> Fixed | None:
        """Return a file; one with a version in its address, ``?v=``, never changes."""
        name = f"{name}{INDEX}" if name.endswith("/") or not name else name
        path = self.paths.get(name)
        if path is None:
            return None
        kind = KINDS.guess_type(path.name)[0] or "application/octet-stream"
        cached = FOREVER if version else A_WHILE if kind.startswith("image/") else "no-cache"
        if (name, cached) not in self.read:
            if kind.startswith("text/") or kind == "application/javascript":
                kind += "; charset=utf-8"
            try:
                self.read[name, cached] = Fixed(path.read_bytes(), kind, cached)
            except OSError:  # a new build has no such file
                return None
        return self.read[name, cached]


async def show_docs(request: Request) -> Response:
    """Send a file of the documentation site."""
    limited_lobby(request)
    docs: Docs = request.app.state.docs
    found = docs.find(request.path_params["path"], request.query_params.get("v", ""))
    if found is not None:
        return found.answer(request)
    problem = "server.problem.no_docs_page" if docs.built else "server.problem.no_docs"
    return PlainTextResponse(translator(request)(problem), 404)


async def redirect_to_docs(request: Request) -> Response:
    """Add the slash that relative links need; the address is relative too, for any sub-path."""
    limited_lobby(request)
    return RedirectResponse(f"{PATH.lstrip('/')}/", 308)
