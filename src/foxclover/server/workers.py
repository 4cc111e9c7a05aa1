"""Several processes that serve one port, and one that starts them, starts them again when they end, and ends them in good order."""

from __future__ import annotations

import logging
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.context import SpawnProcess
from pathlib import Path
from tempfile import TemporaryDirectory

from foxclover.server.logs import note, write_to_stderr
from foxclover.server.run import Settings, listen, run
from foxclover.server.siblings import Siblings
from foxclover.server.stores import open_store

PAUSE = 0.2  # seconds before a process that ended is started again
PATIENCE = 10.0  # seconds for a process to end


def watch_over(settings: Settings, count: int, started: Callable[[], None]) -> None:
    """Keep so many processes serving until a signal ends this one."""
    with TemporaryDirectory(prefix="foxclover-") as folder:
        _watch_over(settings, count, started, Path(folder))


def _watch_over(settings: Settings, count: int, started: Callable[[], None], folder: Path) -> None:
    context = multiprocessing.get_context("spawn")
    ready = context.Semaphore(0)

    def start(place: int) -> SpawnProcess:
        process = context.Process(target=_serve, args=(settings, ready, folder, place))
        process.start()
        return process

    processes = [start(place) for place in range(count)]
    try:
        for _ in processes:
            ready.acquire(timeout=PATIENCE)
        started()
        while True:
            multiprocessing.connection.wait([process.sentinel for process in processes])
            for place, process in enumerate(processes):
                if not process.is_alive():
                    note("process_ended", process=process.pid, code=process.exitcode)
                    time.sleep(PAUSE if process.exitcode else 0.0)
                    processes[place] = start(place)
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.join(PATIENCE)
            if process.is_alive():
                process.kill()


def _serve(
    settings: Settings, ready: multiprocessing.synchronize.Semaphore, folder: Path, place: int
) -> None:
    write_to_stderr(logging.INFO)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the watching process ends us
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    siblings = Siblings(folder, place, settings.workers)
    with suppress(KeyboardInterrupt), listen(settings.host, settings.port, shared=True) as listener:
        run(settings, open_store(settings.place), listener, ready.release, siblings)
    sys.stdout.flush()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
