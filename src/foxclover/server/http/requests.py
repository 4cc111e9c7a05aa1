"""Requests: client, language, body, limits, origin; and responses that never change."""

from __future__ import annotations

import gzip
import hashlib
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from foxclover.locale import FALLBACK, LANGUAGES, Translator, catalogue
from foxclover.server.errors import RefusalError, require
from foxclover.server.limits.rate_limits import BYTES_A_MILLISECOND, client_of, is_loopback
from foxclover.server.lobby import Lobby
from foxclover.server.network import PublicUrls
from foxclover.server.protocol import validate

WORTH_PACKING = 1_000  # bytes


def expect_own_host(connection: HTTPConnection) -> None:
    """Refuse a host name that is not ours: a foreign page may resolve its own name to us."""
    public_urls: PublicUrls = connection.app.state.public_urls
    require(public_urls.allows(connection.headers.get("host")), "foreign_host")


def expect_own_page(connection: HTTPConnection) -> None:
    """Refuse requests of other sites' pages; programs that are no browser name no origin."""
    expect_own_host(connection)
    origin = connection.headers.get("origin")
    if origin is not None and _netloc(origin) != connection.headers.get("host"):
        raise RefusalError("foreign_origin")


def from_this_machine(connection: HTTPConnection) -> bool:
    """Return whether a program on this machine asks, and not a proxy for others."""
    client = connection.client
    return (
        client is not None
        and is_loopback(client.host)
        and "x-forwarded-for" not in connection.headers
    )


def _netloc(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # "http://[" and the like
        return None


def client_name(connection: HTTPConnection) -> str:
    """Return the client as limits count it."""
    return client_of(connection.client.host if connection.client else "local")


def limited_lobby(request: Request) -> Lobby:
    """Return the lobby; refuse foreign hosts and clients with too many requests."""
    lobby: Lobby = request.app.state.lobby
    expect_own_host(request)
    request.app.state.blocks.refuse_client(client_name(request))
    lobby.requests.expect(client_name(request))
    return lobby


def translator(request: Request) -> Translator:
    """Return the texts in the language of the URL, else the first known one of the browser."""
    header = request.headers.get("accept-language", "")
    wanted = [request.query_params.get("lang", ""), *header.split(",")]
    codes = (entry.strip()[:2].lower() for entry in wanted)
    return catalogue(next((code for code in codes if code in LANGUAGES), FALLBACK))


async def read_body(request: Request, limit: int) -> dict[str, Any]:
    """Read a JSON body that our page sent, of at most ``limit`` bytes; charge before decoding."""
    expect_own_page(request)
    declared = request.headers.get("content-length", "")
    require(not declared.isdecimal() or int(declared) <= limit, "too_long")
    body = b""
    async for chunk in request.stream():
        body += chunk
        require(len(body) <= limit, "too_long")
    lobby: Lobby = request.app.state.lobby
    lobby.context.charge(client_name(request), len(body) / BYTES_A_MILLISECOND)
    return validate.decode(body)


class Fixed:
    """A response that never changes, compressed and named by its content once."""

    def __init__(
        self, content: bytes, media_type: str, cache: str = "no-cache", brotli: bytes | None = None
    ) -> None:
        self.plain = content
        self.packed: dict[str, bytes] = {}  # by content coding, the smallest first
        if brotli is not None:
            self.packed["br"] = brotli
        if len(content) >= WORTH_PACKING:
            self.packed["gzip"] = gzip.compress(content, 9, mtime=0)
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
        accepted = request.headers.get("accept-encoding", "").split(",")
        codings = {coding.partition(";")[0].strip() for coding in accepted}
        for coding, packed in self.packed.items():
            if coding in codings:
                return Response(packed, status, self.headers | {"content-encoding": coding})
        return Response(self.plain, status, self.headers)
