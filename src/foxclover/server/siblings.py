"""Processes of one server hand websockets to each other, so that all who sit at a table meet in one of them.

Any process serves any table, and nothing depends on this: but a table that is at one process only is kept up and shown by one. Where that
process cannot be reached, or on another machine, a table is served by whoever was asked.
"""

from __future__ import annotations

import asyncio
import re
import socket
from array import array
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from foxclover.server.codes import code_number, is_code

TABLE = re.compile(rb"/ws/(\w+)")
LONGEST = 1 << 17  # bytes of a request
RETRY = 0.01  # seconds until one who could not take a socket is asked again
PATIENCE = 100  # times


class Siblings:
    """The processes of a server, by their places. Each listens at a name in a folder that only they can open."""

    def __init__(self, folder: Path, place: int, count: int) -> None:
        self.folder = folder
        self.place = place
        self.count = count
        self._way = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._door = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)

    def home(self, target: bytes) -> int:
        """Return the place of the process at which those meet who ask for the same table."""
        found = TABLE.search(target)
        code = found[1].decode().lower() if found else ""
        return code_number(code) % self.count if is_code(code) else self.place

    async def give(self, place: int, handle: int, request: bytes) -> bool:
        """Hand a socket over with what was read from it; ``False`` if nobody takes it."""
        name, with_handle = (
            str(self.folder / str(place)),
            (socket.SOL_SOCKET, socket.SCM_RIGHTS, array("i", [handle])),
        )
        for _ in range(PATIENCE):
            try:
                self._way.sendmsg([request], [with_handle], socket.MSG_DONTWAIT, name)
            except BlockingIOError:
                await asyncio.sleep(RETRY)
            except OSError:  # it has just ended
                return False
            else:
                return True
        return False

    def listen(self, take: Callable[[socket.socket, bytes], None]) -> None:
        """From now on take what others hand over."""
        name = self.folder / str(self.place)
        name.unlink(missing_ok=True)  # of a process that was killed
        self._door.setblocking(False)
        self._door.bind(str(name))
        asyncio.get_running_loop().add_reader(self._door, self._receive, take)

    def _receive(self, take: Callable[[socket.socket, bytes], None]) -> None:
        with suppress(BlockingIOError):
            request, handles, _, _ = socket.recv_fds(self._door, LONGEST, 1)
            for handle in handles:
                take(socket.socket(fileno=handle), request)

    def close(self) -> None:
        """Take nothing any more."""
        (self.folder / str(self.place)).unlink(missing_ok=True)
        asyncio.get_running_loop().remove_reader(self._door)
        self._door.close()
        self._way.close()
