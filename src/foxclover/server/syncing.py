"""Brings what was written to a file onto the disk, in a thread of its own: a disk that is busy may take long."""

from __future__ import annotations

import os
import queue
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path

from foxclover.server.logs import warn

PATIENCE = 0.016  # seconds to wait for the disk, as long as it is not far behind
FARTHEST_BEHIND = 1.0  # seconds; then everything waits for the disk, however long it takes
SLOW = 1.0  # seconds for one sync, of which whoever runs the server should know

_sync_data = getattr(os, "fdatasync", os.fsync)


class Syncer:
    """Syncs one file for one thread that writes to it."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._handle = os.open(file, os.O_RDWR)
        self._asked = 0
        self._open = deque[
            tuple[int, float]
        ]()  # what was asked for and is not known to be on the disk: its number, and when that was
        self._wanted: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._reached: queue.SimpleQueue[int | OSError] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._work, name="sync", daemon=True)
        self._thread.start()

    def sync(self) -> None:
        """Wait until everything written is on the disk, or for as long as patience lasts; raises ``OSError`` if it cannot be put there."""
        now = time.monotonic()
        self._asked += 1
        self._open.append((self._asked, now))
        self._wanted.put(self._asked)
        until = now + PATIENCE if now - self._open[0][1] < FARTHEST_BEHIND else None
        with suppress(queue.Empty):
            while self._open:
                self._note(
                    self._reached.get(
                        timeout=None if until is None else max(0.0, until - time.monotonic())
                    )
                )

    def close(self) -> None:
        """Sync what is left and let go of the file."""
        self._wanted.put(None)
        self._thread.join()
        os.close(self._handle)

    def _note(self, reached: int | OSError) -> None:
        if isinstance(reached, OSError):
            self._open.clear()
            raise reached
        while self._open and self._open[0][0] <= reached:
            self._open.popleft()

    def _work(self) -> None:
        last = False
        while not last and (wanted := self._wanted.get()) is not None:
            while not (last or self._wanted.empty()):
                later = self._wanted.get()
                wanted, last = (wanted, True) if later is None else (later, False)
            began = time.monotonic()
            try:
                _sync_data(self._handle)
            except OSError as error:
                self._reached.put(error)
                continue
            self._reached.put(wanted)
            if (took := time.monotonic() - began) > SLOW:
                warn("disk_slow", file=str(self.file), seconds=round(took, 1))
