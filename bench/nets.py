"""Two nets against each other on the same dice: ``python bench/nets.py GAME NET [OTHER]``.

OTHER is the net of the package. Each plays every seat of the same games. Prints means, the tenth
percentile (p10), and the mean difference with its standard error. Choose nets on seeds below 1000
and report others.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from foxclover.ai import nets
from foxclover.ai.nets import load
from foxclover.core.game import game
from foxclover.simulation.workers import MOST, Runner


def main() -> None:
    """Play and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("net", type=Path)
    parser.add_argument("other", type=Path, nargs="?")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--players", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    chosen = game(args.game)
    scores = []
    for path in (args.net, args.other or nets.shipped(chosen)):
        runner = Runner(chosen, ["net"] * args.players, net=load(path, chosen))
        parts = [
            runner(args.seed, first, min(MOST, args.games - first))
            for first in range(0, args.games, MOST)
        ]
        scores.append(np.concatenate(parts))
        error = scores[-1].mean(axis=1).std(ddof=1) / args.games**0.5
        print(
            f"{path}: {scores[-1].mean():.2f} ± {error:.2f}, "
            f"p10 {np.percentile(scores[-1], 10):.0f}",
            flush=True,
        )
    gains = (scores[0] - scores[1]).mean(axis=1)
    print(
        f"difference {gains.mean():+.2f} ± {gains.std(ddof=1) / args.games**0.5:.2f} "
        f"({args.games} games, seed {args.seed})"
    )


if __name__ == "__main__":
    main()
