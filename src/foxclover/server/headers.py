"""Headers that keep sites apart: nothing from elsewhere runs in our page, and no other page speaks for ours."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from foxclover.server.addresses import Reach
from foxclover.server.errors import RefusalError
from foxclover.server.limits import is_loopback

POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


def expect_own_host(connection: HTTPConnection) -> None:
    """Refuse what comes under a name that is not ours: a foreign page may have made its own name lead here."""
    reach: Reach = connection.app.state.reach
    if not reach.allows(connection.headers.get("host")):
        raise RefusalError("foreign_host")


def expect_own_page(connection: HTTPConnection) -> None:
    """Refuse what other sites' pages send; programs that are no browser name no origin."""
    expect_own_host(connection)
    origin = connection.headers.get("origin")
    if origin is not None and _site(origin) != connection.headers.get("host"):
        raise RefusalError("foreign_origin")


def from_this_machine(connection: HTTPConnection) -> bool:
    """Whether somebody on this machine asks, and no proxy on it for others."""
    return (
        is_loopback(connection.client.host if connection.client else "")
        and "x-forwarded-for" not in connection.headers
    )


def _site(origin: str) -> str | None:
    try:
        return urlsplit(origin).netloc
    except ValueError:  # "http://[" and the like
        return None


class SecurityHeaders:
    """Adds the headers; what does not say how long it may be kept is asked for anew."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers.setdefault("cache-control", "no-cache")
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)
