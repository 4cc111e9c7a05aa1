"""Requests of the server to other servers: only to public addresses, without redirects.

A client names the address, so it must not reach the network of the server (SSRF). The name is
resolved once and the connection goes to the address that was checked, whatever the name resolves
to a moment later.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import Collection, Mapping
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from foxclover import __version__
from foxclover.server.errors import RefusalError, require

SECONDS = 8.0  # for a whole request
MOST_BYTES = 65_536  # of an answer's head that are read
LONGEST_URL = 1_000
NO_ANSWER = 0  # status: unreachable, too slow, or forbidden
NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
PUSH_SERVICES = (
    "fcm.googleapis.com",  # Chrome, Edge on Android, Opera, Samsung
    ".push.services.mozilla.com",
    ".notify.windows.com",
    ".push.apple.com",
)
"""Hosts of the browsers' push services; a leading dot stands for all hosts below a domain."""


class Answer(NamedTuple):
    """The status of an answer, ``NO_ANSWER`` without one, and the seconds it asks to wait."""

    status: int
    retry_after: int = 0

    @property
    def ok(self) -> bool:
        """Return whether the request was accepted."""
        return 200 <= self.status < 300


class Outgoing:
    """Send requests; the operator may allow ``hosts`` beside public ones, as NAME or NAME:PORT."""

    def __init__(self, hosts: Collection[str] = ()) -> None:
        self.hosts = frozenset(host.lower() for host in hosts)
        self._tls: ssl.SSLContext | None = None

    def prepare(self) -> None:
        """Import and read what takes long, before players wait for it."""
        import h11  # noqa: F401

        self._tls = ssl.create_default_context()

    def expect_push_service(self, url: str) -> None:
        """Refuse an address that is not one of a known push service."""
        parts = _split(url)
        host = parts.hostname or ""
        known = any(
            host.endswith(service) if service.startswith(".") else host == service
            for service in PUSH_SERVICES
        )
        standard = parts.scheme == "https" and parts.port in (None, 443)
        require((known and standard) or self.allows(parts), "foreign_push_service")

    def expect_public(self, url: str) -> None:
        """Refuse an address that cannot be a public one; its name is checked again when used."""
        parts = _split(url)
        require(parts.scheme == "https" or self.allows(parts), "bad_address")
        try:
            literal = ipaddress.ip_address(parts.hostname or "")
        except ValueError:
            return
        require(is_public(str(literal)) or self.allows(parts), "bad_address")

    def allows(self, parts: SplitResult) -> bool:
        """Return whether the operator has allowed a host explicitly."""
        port = parts.port or (443 if parts.scheme == "https" else 80)
        return not self.hosts.isdisjoint({parts.hostname or "", f"{parts.hostname}:{port}"})

    async def send(
        self, url: str, headers: Mapping[str, str], body: bytes, method: str = "POST"
    ) -> Answer:
        """Send a body; every failure is an answer."""
        try:
            async with asyncio.timeout(SECONDS):
                return await self._send(_split(url), headers, body, method)
        except (OSError, RefusalError, TimeoutError, ValueError):
            return Answer(NO_ANSWER)

    async def _send(
        self, parts: SplitResult, headers: Mapping[str, str], body: bytes, method: str
    ) -> Answer:
        allowed, secure = self.allows(parts), parts.scheme == "https"
        if not secure and not allowed:
            return Answer(NO_ANSWER)
        host = parts.hostname or ""
        port = parts.port or (443 if secure else 80)
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(entry[4][0]) for entry in found]
        if not allowed and not all(map(is_public, addresses)):
            return Answer(NO_ANSWER)
        if secure and self._tls is None:
            self._tls = ssl.create_default_context()
        reader, writer = await asyncio.open_connection(
            addresses[0],
            port,
            ssl=self._tls if secure else None,
            server_hostname=host if secure else None,
            limit=MOST_BYTES,
        )
        try:
            return await _exchange(reader, writer, parts, headers, body, method)
        finally:
            writer.close()


def is_public(address: str) -> bool:
    """Return whether an IP address belongs to the public internet."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast


def _split(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        _ = parts.port  # raises for a port out of range
    except ValueError:
        raise RefusalError("bad_address") from None
    plain = url.isascii() and url.isprintable() and " " not in url and len(url) <= LONGEST_URL
    whole = parts.scheme in ("http", "https") and parts.hostname and not parts.username
    require(plain and whole, "bad_address")
    return parts


async def _exchange(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    parts: SplitResult,
    headers: Mapping[str, str],
    body: bytes,
    method: str,
) -> Answer:
    """Send a request and read the head of its answer; a redirect is not followed."""
    import h11

    connection = h11.Connection(h11.CLIENT)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    own = {
        "host": parts.netloc,
        "user-agent": f"foxclover/{__version__}",
        "content-length": str(len(body)),
        "connection": "close",
    }
    request = h11.Request(method=method, target=path, headers=list((own | dict(headers)).items()))
    for part in (request, h11.Data(data=body), h11.EndOfMessage()):
        writer.write(connection.send(part) or b"")
    await writer.drain()
    read = 0
    while read <= MOST_BYTES:
        try:
            event = connection.next_event()
        except h11.RemoteProtocolError:
            break
        if isinstance(event, h11.Response):
            wait = dict(event.headers).get(b"retry-after", b"")
            return Answer(event.status_code, int(wait) if wait.isdigit() else 0)
        if event is h11.NEED_DATA:
            data = await reader.read(MOST_BYTES)
            read += len(data)
            connection.receive_data(data)
        elif not isinstance(event, h11.InformationalResponse):
            break
    return Answer(NO_ANSWER)
