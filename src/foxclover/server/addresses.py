"""Where the server can be reached: which hosts may be asked for, what a friend elsewhere types in, and the same as a QR code."""

from __future__ import annotations

import io
import ipaddress
import socket
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import urlsplit

EVERYWHERE = ("0.0.0.0", "::")
OUTSIDE = (("192.0.2.1", socket.AF_INET), ("2001:db8::1", socket.AF_INET6))
"""Addresses of nobody; which of our own addresses would be used for them shows the way out, and nothing is sent."""


@dataclass
class Reach:
    """How others come here: ``public`` is the address of a proxy before the server, ``network`` those of this machine."""

    public: str = ""
    network: tuple[str, ...] = ()
    names: frozenset[str] = field(default_factory=frozenset)

    def allows(self, host: str | None) -> bool:
        """Whether a request may name this host. A name that is not ours may be a trick to let a foreign page speak for ours."""
        name = _name_of(host or "")
        return name in self.names or name == "localhost" or _address(name) is not None

    def links(self, path: str, opened_at: str) -> list[str]:
        """Return the addresses of a path for friends, best first: none if only this machine can reach the server."""
        if self.public:
            return [self.public + path]
        elsewhere = not is_here(opened_at) and _name_of(urlsplit(opened_at).netloc)
        bases = ([opened_at] if elsewhere else []) + list(self.network)
        return [base + path for base in dict.fromkeys(bases)]


def reach_of(host: str, port: int, public: str = "") -> Reach:
    """Return how a server that listens there can be reached."""
    own = socket.gethostname().lower()
    names = {own, f"{own.partition('.')[0]}.local", _name_of(urlsplit(public).netloc), host.lower()}
    if host in EVERYWHERE:
        addresses = [
            address for address in in_network() if not (host == "0.0.0.0" and ":" in address)
        ]
    else:
        found = _address(host)
        addresses = [host] if found is not None and not found.is_loopback else []
    return Reach(
        public.rstrip("/"),
        tuple(site(address, port) for address in addresses),
        frozenset(names - {""}),
    )


def site(address: str, port: int) -> str:
    """Return what a browser calls the server at an IP address."""
    return f"http://[{address}]:{port}" if ":" in address else f"http://{address}:{port}"


def is_here(opened_at: str) -> bool:
    """Whether a page was opened at an address by which a machine means itself."""
    host = _name_of(urlsplit(opened_at).netloc)
    found = _address(host)
    return host == "localhost" or (found is not None and found.is_loopback)


def in_network() -> list[str]:
    """Return the addresses of this machine in its network, best first."""
    return [address for target, family in OUTSIDE if (address := _way_out(target, family))]


@lru_cache(256)
def picture(link: str) -> str:
    """Return a link as a QR code in SVG, dark on white so that every camera reads it."""
    import segno

    buffer = io.BytesIO()
    segno.make(link, micro=False).save(
        buffer, kind="svg", xmldecl=False, svgns=True, omitsize=True, light="#fff", border=3
    )
    return buffer.getvalue().decode()


def in_terminal(link: str) -> str:
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
    """Return the host without its port."""
    name = netloc.rpartition("@")[2].lower()
    if name.startswith("["):
        return name[1:].partition("]")[0]
    return name.partition(":")[0]


def _address(name: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(name)
    except ValueError:
        return None
