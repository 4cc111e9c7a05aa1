"""Compare the cost of a move with two processes on PostgreSQL to that with one.

    python bench/server_processes.py [--tables 200] [--seconds 30] [--think 1.0] [--rounds 3]

Both run in turn on a PostgreSQL server of this program. The cost is processor time of the server's
processes, without the database and the players. Other load on the machine changes the cost, so the
ratio compares medians of several rounds. ``server_load.py`` describes the games.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from server_load import measure

import postgres
from foxclover.server.stores.postgres import prepare

PROCESSES = 1, 2


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=30.0, help="that are measured")
    parser.add_argument(
        "--think", type=float, default=1.0, help="seconds a person thinks on average"
    )
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    found: dict[int, list[dict[str, Any]]] = {count: [] for count in PROCESSES}
    with postgres.cluster() as cluster:
        for _ in range(args.rounds):
            for count, results in found.items():
                database = cluster.database()
                asyncio.run(prepare(database))
                results.append(measure(args.tables, args.seconds, args.think, count, database))
                figures = {
                    name: results[-1][name]
                    for name in (
                        "server_cpu_ms_per_move",
                        "moves_per_s",
                        "p50_ms",
                        "p99_ms",
                        "machine_load",
                    )
                }
                print(count, figures, flush=True)
    one, two = (
        statistics.median(result["server_cpu_ms_per_move"] for result in results)
        for results in found.values()
    )
    largest = max(result["largest_share_of_a_process"] for result in found[2])
    print(
        f"a move costs {one:.2f} ms with one process, {two:.2f} ms with two: "
        f"{two / one:.2f} times as much"
    )
    print(
        f"largest share of a process in any round {largest:.2f}, "
        f"machine load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
