"""Addresses: the URLs of the server, its own host names, trusted proxies, and QR codes."""

from __future__ import annotations

import asyncio
import io
import ipaddress
import socket
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import urlsplit

from foxclover.server.errors import require
from foxclover.server.logs import log_event

EVERYWHERE = ("0.0.0.0", "::")
OUTSIDE = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))
"""Unused addresses: the local address of a socket to them is ours in the network."""


@dataclass
class PublicUrls:
    """The URLs of the server: ``public`` of a proxy before it, ``network`` of this machine."""

    public: str = ""
    network: tuple[str, ...] = ()
    names: frozenset[str] = field(default_factory=frozenset)

    @property
    def base(self) -> str:
        """The path of the page on its host, with a slash at its end."""
        return f"{urlsplit(self.public).path}/"

    def allows(self, host: str | None) -> bool:
        """Return whether a request may name this host; DNS rebinding uses foreign names."""
        name = _name_of(host or "")
        return name in self.names or name == "localhost" or parse_address(name) is not None

    def links(self, path: str, opened_at: str) -> list[str]:
        """Return the URLs of a path for friends, best first; none for a local server."""
        if self.public:
            return [self.public + path]
        elsewhere = not is_local_url(opened_at) and _name_of(urlsplit(opened_at).netloc)
        bases = dict.fromkeys((*([opened_at] if elsewhere else []), *self.network))
        return [base + path for base in bases]


class Network:
    """A second address of a local server, in the network of its machine, opened from the page."""

    def __init__(self, public_urls: PublicUrls, listen: Callable[[str], socket.socket]) -> None:
        self.public_urls = public_urls
        self.listen = listen
        # The server sets both as soon as it runs.
        self.serve_at: Callable[[socket.socket], Awaitable[asyncio.Server]]
        self.stop_serving: Callable[[asyncio.Server], None]
        self.server: asyncio.Server | None = None
        self.opening = asyncio.Lock()
        self.address = ""

    @property
    def is_open(self) -> bool:
        """Return whether the address is open; a laptop's address changes with its network."""
        return self.server is not None and self.address in network_addresses()

    async def open(self) -> None:
        """Listen at the address in the network."""
        async with self.opening:
            if self.is_open:
                return
            self.shut()
            found = network_addresses()
            require(found, "no_network")
            listener = self.listen(found[0])
            self.server, self.address = await self.serve_at(listener), found[0]
            self.public_urls.network = (base_url(self.address, listener.getsockname()[1]),)
            log_event("network_opened", address=self.public_urls.network[0])

    def shut(self) -> None:
        """Stop listening, and close the connections."""
        if self.server is not None:
            self.stop_serving(self.server)
            self.server, self.public_urls.network = None, ()
            log_event("network_shut")


@dataclass(frozen=True)
class Proxies:
    """The trusted proxies, on this machine and in ``networks``, which name their clients."""

    networks: tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...] = ()

    def __contains__(self, address: str) -> bool:
        """Return whether a trusted proxy may have this address."""
        found = parse_address(address)
        if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped:
            found = found.ipv4_mapped
        return found is not None and (
            found.is_loopback or any(found in network for network in self.networks)
        )

    def client_of(self, address: str, forwarded_for: str) -> str:
        """Return the client: the last address in the header that is no trusted proxy."""
        named = forwarded_for.split(",") if forwarded_for else []
        while named and address in self:
            address = named.pop().strip()
        return address

    @property
    def written(self) -> list[str]:
        """Return the networks for uvicorn; IPv4 addresses may appear as IPv6 ones."""
        return [
            *("127.0.0.0/8", "::1", "::ffff:127.0.0.0/104"),
            *map(str, self.networks),
            *(
                f"::ffff:{network.network_address}/{96 + network.prefixlen}"
                for network in self.networks
                if network.version == 4
            ),
        ]


def find_public_urls(host: str, port: int, public: str = "") -> PublicUrls:
    """Return the URLs of a server that listens at a host and port."""
    own = socket.gethostname().lower()
    names = {own, f"{own.partition('.')[0]}.local", _name_of(urlsplit(public).netloc), host.lower()}
    found = parse_address(host)
    addresses = [host] if found is not None and not found.is_loopback else []
    if host in EVERYWHERE:
        addresses = [at for at in network_addresses() if host == "::" or ":" not in at]
    return PublicUrls(
        public.rstrip("/"),
        tuple(base_url(address, port) for address in addresses),
        frozenset(names - {""}),
    )


def base_url(address: str, port: int) -> str:
    """Return the URL of the server at an IP address."""
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def is_local_url(opened_at: str) -> bool:
    """Return whether a page was opened at a loopback address."""
    host = _name_of(urlsplit(opened_at).netloc)
    found = parse_address(host)
    return host == "localhost" or (found is not None and found.is_loopback)


def network_addresses() -> list[str]:
    """Return the addresses of this machine in its network, best first."""
    return [address for target, family in OUTSIDE if (address := _way_out(target, family))]


@lru_cache(256)
def qr_svg(link: str) -> str:
    """Return a link as a QR code in SVG, dark on white so that every camera reads it."""
    import segno

    buffer = io.BytesIO()
    segno.make(link, micro=False).save(
        buffer, kind="svg", xmldecl=False, svgns=True, omitsize=True, light="#fff", border=3
    )
    return buffer.getvalue().decode()


def qr_text(link: str) -> str:
    """Return a link as a QR code of characters."""
    import segno

    buffer = io.StringIO()
    segno.make(link, micro=False).terminal(out=buffer, border=2, compact=True)
    return buffer.getvalue()


def _way_out(target: str, family: socket.AddressFamily) -> str | None:
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((target, 9))
            return str(probe.getsockname()[0]).partition("%")[0]
    except OSError:
        return None


def _name_of(netloc: str) -> str:
    name = netloc.rpartition("@")[2].lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0]


def parse_address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return an IP address, or none if the text is something else."""
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
