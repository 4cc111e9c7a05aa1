"""Measure what playing to win gains.

    python bench/playing_to_win.py GAME [--players 2] [--games 400] [--tries 120] [--seed 1]
                                        [--json]

Everybody plays as ``net`` up to the last round. The first seat then plays that round twice from the
same position with the same dice, once for points and once to win, with so many tries a move. Use
``--tries 0`` for Geht noch was?, whose rolling is not searched. The others stay ``net``. Shares of
wins are compared game by game.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

import numpy as np

from foxclover.ai.families import family_of
from foxclover.ai.nets import make_thinker, shipped_net
from foxclover.ai.playing import NEVER, WITH_NET, PlayerConfig
from foxclover.core.game import Game, game
from foxclover.kernel.batch import CHOICE_STREAM, Batch


class Table:
    """One thread's place to play at."""

    def __init__(self, chosen: Game, players: int) -> None:
        self.game = chosen
        self.players = players
        self.instance, self.tables, self.workspace = make_thinker(chosen, shipped_net(chosen))
        self.batch, self.configs = (
            self.instance.new(Batch),
            self.instance.new(PlayerConfig, players),
        )
        self.batch.policies[:] = WITH_NET
        self.configs[0].prior = family_of(chosen).STRENGTHS["search"].prior

    def play_on(self, tries: int, to_win: bool, until: int) -> None:
        """Play on; the first seat searches if it has tries."""
        self.configs[0].tries, self.configs[0].to_win = tries, int(to_win)
        self.instance.call("play_on", self.tables, self.workspace, self.batch, self.configs, until)

    def both_ways(self, tries: int, seed: int, number: int) -> list[tuple[float, float]]:
        """Play a game.

        Return the first seat's share of the win and its points when it plays for points and when it
        plays to win.
        """
        rounds, workspace, call = self.tables.rounds, self.workspace, self.instance.call
        self.instance.set(workspace.here, self.game.rules.State())
        call("start", self.tables, workspace.here, self.players, 0)
        call("seed_rng", workspace.dice_rng, seed, number)
        self.play_on(0, False, int(rounds[self.players] if np.ndim(rounds) else rounds))
        kept, dice = (
            self.instance.read(self.game.rules.State, workspace.here),
            workspace.dice_rng.copy(),
        )
        results = []
        for to_win in (False, True):
            self.instance.set(workspace.here, kept)
            workspace.dice_rng[:] = dice
            call("seed_rng", workspace.choice_rng, seed ^ CHOICE_STREAM, number)
            self.play_on(tries, to_win, NEVER)
            final = self.instance.read(self.game.rules.State, workspace.here)
            places = self.game.scoring.places(self.game.definition, final)
            results.append(
                ((places[0] == 1) / places.count(1), call("score", self.tables, workspace.here, 0))
            )
        return results


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--players", type=int, choices=(2, 3, 4), default=2)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument(
        "--tries",
        type=int,
        default=120,
        help="0 for Geht noch was?: of its last round only the rolling is played to win",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    table = Table(game(args.game), args.players)
    results = np.array(
        [table.both_ways(args.tries, args.seed, number) for number in range(args.games)]
    )
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
        print(
            "gain in wins {:+.2%} ± {:.2%}, in points {:+.2f} ± {:.2f}".format(
                *report["gain"], *report["points"]
            )
        )


if __name__ == "__main__":
    main()
