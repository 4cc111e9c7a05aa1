"""What playing to win gains: the same last round twice, with the same dice, once for points and once to win.

    python bench/playing_to_win.py GAME [--players 2] [--games 400] [--tries 120] [--seed 1] [--json]

Everybody plays as ``net`` up to the last round. That is then played from the same position in both ways by the first seat, which searches
with so many tries a move (Geht noch was? has nothing to search there); the others stay ``net``. Shares of wins are compared game by game.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np
from foxclover.ai.clever.playing import NEVER, THINKING
from foxclover.fast import from_array, to_array

from foxclover.ai.batch import SEATS
from foxclover.game import Game, game
from foxclover.playouts import CHOICE_STREAM
from foxclover.rng import seed_rng


def clever_workplace(chosen: Game) -> tuple[Any, ...]:
    """What the compiled functions of the Clever games work on."""
    from foxclover.ai.clever.policy import HERE

    from foxclover.ai.clever import nets

    return *nets.workplace(chosen, nets.shipped_net(chosen)), HERE, nets.functions()


def climb_workplace(chosen: Game) -> tuple[Any, ...]:
    """What those of Geht noch was? work on."""
    from foxclover.ai.climb.batch import SAMPLES
    from foxclover.ai.climb.playing import HERE

    from foxclover.ai.climb import nets

    return *nets.workplace(chosen, nets.shipped_nets(chosen.key), SAMPLES), HERE, nets.functions()


class Table:
    """One thread's place to play at."""

    def __init__(self, chosen: Game) -> None:
        self.game = chosen
        places = clever_workplace if chosen.family == "clever" else climb_workplace
        books, self.mind, self.states, self.here, self.functions = places(chosen)
        self.book = books[0]
        by_name = self.mind._asdict() if chosen.family == "clever" else self.mind
        self.dice_rng, self.choice_rng = by_name["dice_rng"], by_name["choice_rng"]

    def play_on(self, tries: int, to_win: bool, until: int) -> None:
        """Play on; the first seat searches if it has tries."""
        first = np.eye(1, SEATS, dtype=np.int64)[0]
        thinking, heats = np.full(SEATS, THINKING), np.zeros(SEATS)
        self.functions.play_on(self.book, self.mind, self.states, thinking, heats, tries * first, to_win * first, until)

    def both_ways(self, players: int, tries: int, seed: int, number: int) -> list[tuple[float, float]]:
        """Play a game; return the first seat's share of the win and its points when it plays for points and when it plays to win."""
        rounds = self.book["rounds"]
        self.states[self.here] = to_array(self.game.rules.State())[0]
        self.functions.start(self.book, self.states[self.here], players, 0)
        seed_rng(self.dice_rng, seed, number)
        self.play_on(0, False, int(rounds[players] if rounds.shape else rounds))
        kept, dice = self.states[self.here].copy(), self.dice_rng.copy()
        results = []
        for to_win in (False, True):
            self.states[self.here], self.dice_rng[:] = kept, dice
            seed_rng(self.choice_rng, seed ^ CHOICE_STREAM, number)
            self.play_on(tries, to_win, NEVER)
            final = from_array(self.game.rules.State, self.states[self.here])
            places = self.game.scoring.places(self.game.book, final)
            results.append(((places[0] == 1) / places.count(1), self.functions.score(self.book, self.states[self.here], 0)))
        return results


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--tries", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    table = Table(game(args.game))
    if table.game.family == "climb":
        args.tries = 0  # of the last round only the rolling is played to win, and that is not searched
    results = np.array([table.both_ways(args.players, args.tries, args.seed, number) for number in range(args.games)])
    gains = results[:, 1] - results[:, 0]
    errors = gains.std(axis=0, ddof=1) / args.games**0.5
    report: dict[str, Any] = {
        "game": table.game.key,
        "players": args.players,
        "games": args.games,
        "seed": args.seed,
        "wins": results[:, :, 0].mean(axis=0).tolist(),
        "gain": [float(gains[:, 0].mean()), float(errors[0])],
        "points": [float(gains[:, 1].mean()), float(errors[1])],
    }
    if args.json:
        print(json.dumps(report))
    else:
        print(f"{table.game.name}, {args.players} players, {args.games} last rounds")
        print("wins playing for points {:.2%}, to win {:.2%}".format(*report["wins"]))
        print("gain in wins {:+.2%} ± {:.2%}, in points {:+.2f} ± {:.2f}".format(*report["gain"], *report["points"]))


if __name__ == "__main__":
    main()
