"""The files of the page and other answers that never change: read, packed and named by their content once, when the server starts."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

mimetypes.add_type("application/manifest+json", ".webmanifest")

WORTH_PACKING = 2_000  # bytes
FOREVER = "public, max-age=31536000, immutable"
A_WHILE = "public, max-age=3600"  # browsers ask for the icon again at each address of the page
ASSETS = "assets/"  # their names change with their content


class Fixed:
    """One answer, plain and packed."""

    def __init__(self, content: bytes, media_type: str, cache: str = "no-cache") -> None:
        self.plain = content
        self.packed = gzip.compress(content, 9, mtime=0) if len(content) >= WORTH_PACKING else None
        self.headers = {
            "content-type": media_type,
            "cache-control": cache,
            "etag": f'"{hashlib.sha256(content).hexdigest()[:20]}"',
            "vary": "accept-encoding",
        }

    def answer(self, request: Request, status: int = 200) -> Response:
        """Return the answer to a request, or that the visitor has it already."""
        if status == 200 and self.headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=self.headers)
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, status, self.headers | {"content-encoding": "gzip"})
        return Response(self.plain, status, self.headers)


class Files:
    """All files of the built page, by the path under which they are asked for."""

    def __init__(self, directory: Path) -> None:
        self.files = {
            path.relative_to(directory).as_posix(): _read(path, directory)
            for path in directory.rglob("*")
            if path.is_file()
        }

    def find(self, path: str) -> Fixed | None:
        """Return a file."""
        return self.files.get(path)


def _read(path: Path, directory: Path) -> Fixed:
    kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    if kind.startswith("text/") or kind == "application/javascript":
        kind += "; charset=utf-8"
    in_assets = path.relative_to(directory).as_posix().startswith(ASSETS)
    return Fixed(
        path.read_bytes(),
        kind,
        FOREVER if in_assets else A_WHILE if kind.startswith("image/") else "no-cache",
    )
