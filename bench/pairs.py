"""Two versions of the source against each other, in turn.

``python bench/pairs.py OLD NEW``, each the folder of a clone. On a machine that does other work too
a speed by itself says little. Here both versions play the same games one after the other, many
times, and the result is the median of the ratios of their processor times, with the quartiles:
above 1 the new one is the faster.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from pathlib import Path

# games per run, split among the players
COUNTS = {"random": 20_000, "greedy": 400, "net": 20}
PLAYER = """
import sys, time
sys.path.insert(0, sys.argv[1])
from foxclover.core.game import game
from foxclover.simulation.workers import Runner
runner = Runner(game(sys.argv[2]), [sys.argv[3]] * int(sys.argv[4]))
runner(1, 0, 1)
for line in sys.stdin:
    started = time.process_time()
    runner(1, 0, int(line))
    print(time.process_time() - started, flush=True)
"""


def begin(clone: Path, game: str, agent: str, players: int) -> subprocess.Popen[str]:
    """A process that plays with the source of a clone whenever it receives a number of games."""
    command = [sys.executable, "-c", PLAYER, str(clone / "src"), game, agent, str(players)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def go(process: subprocess.Popen[str], games: int) -> float:
    """Play games; return processor seconds."""
    assert process.stdin
    assert process.stdout
    print(games, file=process.stdin, flush=True)
    return float(process.stdout.readline())


def ratios(
    old: subprocess.Popen[str], new: subprocess.Popen[str], games: int, pairs: int
) -> list[float]:
    """How much faster the new one was, pair by pair; each begins every second pair."""
    found = []
    for number in range(pairs):
        first, second = (old, new) if number % 2 else (new, old)
        times = {first: go(first, games), second: go(second, games)}
        found.append(times[old] / times[new])
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--game", default="geht")
    parser.add_argument("--agent", choices=COUNTS, default="random")
    parser.add_argument("--players", type=int, nargs="*", default=[1, 2, 3, 4])
    parser.add_argument("--pairs", type=int, default=100)
    args = parser.parse_args()
    for players in args.players:
        both = [
            begin(clone.resolve(), args.game, args.agent, players) for clone in (args.old, args.new)
        ]
        found = ratios(both[0], both[1], max(1, COUNTS[args.agent] // players), args.pairs)
        low, median, high = statistics.quantiles(found)
        print(
            f"{args.game}, {args.agent}, {players} players: "
            f"{median:.3f} times as fast (quartiles {low:.3f} and {high:.3f})",
            flush=True,
        )
        for process in both:
            assert process.stdin
            process.stdin.close()
            process.wait()


if __name__ == "__main__":
    main()
