"""How long a move of a computer player takes at a table, for all moves of some games.

python bench/thinking_time.py [--agent strong] [--players 2] [--games 2] [--seed 1]
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from foxclover.ai import FOR_PEOPLE, THINKING, adviser
from foxclover.core.game import Game, game, game_names
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded


def think(chosen: Game, agent: str, players: int, games: int, seed: int) -> list[float]:
    """Seconds of all decisions between at least two moves, one agent playing all seats."""
    player = adviser(agent, chosen, seed)
    seconds = []
    for number in range(games):
        position, dice = chosen.start(players), seeded(seed, number)
        while not position.over:
            seat = min(position.to_act)
            if seat == CHANCE:
                position.push(dice.draw(position))
                continue
            started = time.perf_counter()
            move = player.choose(position, seat)
            if len(position.legal_numbers(seat)) > 1:
                seconds.append(time.perf_counter() - started)
            position.push(move)
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--agent", choices=(*FOR_PEOPLE, *THINKING), default="strong")
    parser.add_argument("--players", type=int, choices=(1, 2, 3, 4), default=2)
    parser.add_argument("--games", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    for key in game_names():
        seconds = np.array(think(game(key), args.agent, args.players, args.games, args.seed))
        median, late, longest = 1000 * np.quantile(seconds, (0.5, 0.99, 1.0))
        print(
            f"{game(key).name}: {len(seconds)} moves, median {median:.0f} ms, p99 {late:.0f} ms, "
            f"longest {longest:.0f} ms",
            flush=True,
        )


if __name__ == "__main__":
    main()
