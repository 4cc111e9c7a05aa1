"""The network around this machine: let in while the server runs by whoever sits at the machine, and shut out again."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

from foxclover.server import addresses
from foxclover.server.errors import RefusalError
from foxclover.server.logs import note


class Network:
    """Listens at this machine's address in its network, for a server that was started for this machine alone."""

    def __init__(self, reach: addresses.Reach, listen: Callable[[str], socket.socket]) -> None:
        self.reach = reach
        self.listen = listen
        self.serve_at: Callable[
            [socket.socket], Awaitable[asyncio.Server]
        ]  # both by the server, as soon as it runs
        self.stop_serving: Callable[[asyncio.Server], None]
        self.server: asyncio.Server | None = None
        self.opening = asyncio.Lock()
        self.address = ""

    @property
    def is_open(self) -> bool:
        """Whether others get in. A laptop that was carried into another network has got another address since."""
        return self.server is not None and self.address in addresses.in_network()

    async def open(self) -> None:
        """Let others in."""
        async with self.opening:
            if self.is_open:
                return
            self.shut()
            found = addresses.in_network()
            if not found:
                raise RefusalError("no_network")
            listener = self.listen(found[0])
            self.server, self.address = await self.serve_at(listener), found[0]
            self.reach.network = (addresses.site(self.address, listener.getsockname()[1]),)
            note("network_opened", address=self.reach.network[0])

    def shut(self) -> None:
        """Let nobody in any more, and end the connections of those who are."""
        if self.server is not None:
            self.stop_serving(self.server)
            self.server, self.reach.network = None, ()
            note("network_shut")
