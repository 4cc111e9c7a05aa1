"""Send bad messages and hints to a table, and check that it neither fails, changes nor grows.

python bench/server_hostile.py [--messages 1000000]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import orjson

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from foxclover.server.connection import Connection
from foxclover.server.context import ServerContext
from foxclover.server.limits.rate_limits import Buckets
from foxclover.server.lobby import Lobby
from foxclover.server.logs import Metrics
from foxclover.server.network import PublicUrls
from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.store import SeatRecord, TableRecord
from foxclover.server.tables import render
from foxclover.server.tables.table import Table
from foxclover.server.thinking.computer_players import ComputerPlayers
from server.test_refusals import malformed
from tables import GANZ, QUICK

HINT_EVERY = 1_000


def memory() -> float:
    """Return the megabytes that this process uses."""
    found = re.search(r"VmRSS:\s+(\d+) kB", Path("/proc/self/status").read_text())
    return int(found[1]) / 1024 if found else 0.0


async def bombard(folder: Path, messages: int) -> None:
    store, computers = SqliteStore(folder), ComputerPlayers()
    limits = replace(QUICK, refusals=messages)
    lobby = Lobby(ServerContext(store, computers, limits, PublicUrls(), Metrics()), Buckets(1, 1.0))
    seats = [SeatRecord("Ada", key=b"a"), SeatRecord("Bo", key=b"b")]
    table = Table(
        TableRecord("bcdfgh", GANZ, 0, 2, 0, 0, seats, "invitation"), lobby.context, lobby.reviews
    )
    table.master.roll(0, 0)
    before = render.StateRenderer(table.master, 0, {}, 0).state([0, 1], "en")
    connection, reasons = Connection(limits), Counter[str]()
    connection.seats, connection.greeted = (0, 1), True
    table.presence.connections.add(connection)
    hint = '{"type":"hint","ref":5,"seq":1,"seat":0}'
    marks, began = [], time.process_time()
    for number, text in enumerate(malformed(dict(before), messages)):
        await lobby.receive(connection, table, hint if number % HINT_EVERY == 0 else text)
        if number % HINT_EVERY == 0:
            await asyncio.sleep(0)  # the answers to earlier ones arrive
        for answer in connection.outbox:
            content = orjson.loads(answer)
            reasons[content.get("reason", content["type"])] += 1
        connection.outbox, connection.waiting = [], 0
        if number % (messages // 4) == messages // 8:
            marks.append(memory())
    spent = time.process_time() - began
    unchanged = (
        render.StateRenderer(table.master, 0, {}, 0).state([0, 1], "en") == before
        and table.master.seq == 1
    )
    connection.close()
    await asyncio.sleep(0)
    await store.close()
    computers.close()
    print(
        f"{messages} messages, {spent / messages * 1e6:.0f} us of processor time each, "
        f"machine load {os.getloadavg()[0]:.1f}"
    )
    print(f"answers: {dict(reasons)}")
    print(
        f"the table is {'as it was' if unchanged else 'CHANGED'}; "
        f"memory in MB on the way: {', '.join(f'{mark:.0f}' for mark in marks)}"
    )
    sys.exit(not unchanged or "internal" in reasons)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=1_000_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(bombard(Path(folder), args.messages))


if __name__ == "__main__":
    main()
