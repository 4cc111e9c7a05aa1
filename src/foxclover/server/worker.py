"""A worker process: it thinks as ``thinking`` says, and lives as long as the server."""

from __future__ import annotations

import os
import signal
from multiprocessing import parent_process
from threading import Thread


def live_with_parent() -> None:
    """Leave Ctrl+C to the server, and end when it ends, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    server = parent_process()
    if server is not None:
        server.join()
        os._exit(0)
