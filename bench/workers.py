"""Games a second of ``simulate``, all in all, with one worker and with two, by the clock.

Run it on a quiet machine with two cores. Both take turns, so that other work of the machine affects
both. The best run of each counts.
"""

from __future__ import annotations

import time

from foxclover import simulate

RUNS = {"random": 1_000_000, "greedy": 100_000, "net": 4_000}
GOES = 3


def main(share: float = 1.0) -> None:
    for agent, games in RUNS.items():
        speeds = {1: 0.0, 2: 0.0}
        simulate("ganz", agent, games=1000, workers=2)  # what is loaded once is loaded
        for _ in range(GOES):
            for workers in (1, 2):
                started, used = time.perf_counter(), time.process_time()
                simulate("ganz", agent, games=int(games * share), seed=1, workers=workers)
                seconds = time.perf_counter() - started
                speeds[workers] = max(speeds[workers], games * share / seconds)
                print(
                    f"{agent}, {workers} at work: {seconds:.2f} s, "
                    f"{time.process_time() - used:.2f} s of processor",
                    flush=True,
                )
        print(
            f"{agent}: {speeds[1]:,.0f} and {speeds[2]:,.0f} games a second, "
            f"{speeds[2] / speeds[1]:.2f} times as fast with two"
        )


if __name__ == "__main__":
    main()
