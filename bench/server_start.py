"""Measure the start of a server with many stored tables: SQLite, from Python's start to listening.

python bench/server_start.py [--tables 20000] [--events 60]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.store import Event, SeatRecord, TableRecord

PROGRAM = """
import os, sys, time
from pathlib import Path
began, clock = time.process_time(), time.perf_counter()
from foxclover.server.http.run import ServerSettings, serve
def started(key, **values):
    print(f"{time.process_time() - began:.2f} {time.perf_counter() - clock:.2f}", flush=True)
    os._exit(0)
serve(ServerSettings("127.0.0.1", 0, Path(sys.argv[1])), started)
"""


async def fill(folder: Path, tables: int, events: int) -> None:
    store = SqliteStore(folder)
    seats = [SeatRecord("Ada", key=b"a" * 32), SeatRecord("Bo", key=b"b" * 32)]
    moves = [Event(number % 2, "w>y3a", int(time.time()), number) for number in range(events)]
    record = TableRecord(
        "", "ganz-schoen-clever", 0, None, 900, int(time.time()), seats, "invitation", events=moves
    )
    for first in range(0, tables, 500):
        codes = [f"t{number:05}" for number in range(first, min(tables, first + 500))]
        await asyncio.gather(
            *(store.create(TableRecord(**(record.__dict__ | {"code": code}))) for code in codes)
        )
    await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=20_000)
    parser.add_argument("--events", type=int, default=60)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(fill(Path(folder), args.tables, args.events))
        size = (Path(folder) / "foxclover.sqlite").stat().st_size / 1e6
        times = [
            subprocess.run(
                [sys.executable, "-c", PROGRAM, folder], capture_output=True, text=True, check=True
            )
            for _ in range(3)
        ]
        print(f"{args.tables} tables, {size:.0f} MB, machine load {os.getloadavg()[0]:.1f}")
        for timed in times:
            processor, clock = timed.stdout.split()
            print(f"{processor} s of processor time, {clock} s by the clock")


if __name__ == "__main__":
    main()
