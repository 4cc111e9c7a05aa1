"""A response that never changes, compressed and named by its content once."""

from __future__ import annotations

import gzip
import hashlib

from starlette.requests import Request
from starlette.responses import Response

WORTH_PACKING = 2_000  # bytes


class Fixed:
    """One response, plain and compressed."""

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
        """Return the response to a request, or 304 if the browser has it already."""
        if status == 200 and self.headers["etag"] in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=self.headers)
        if self.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(self.packed, status, self.headers | {"content-encoding": "gzip"})
        return Response(self.plain, status, self.headers)
