"""The engine and the referee agree on whole games.

They compare who is to act, every move, the weights of chance moves and every score. Players who
only move at random never fill an area. So some of them have habits that lead into the corners of
the rules, and every other game begins on sheets that are half full already.
"""

from __future__ import annotations

import random

import pytest

from clever_table import fill
from families import CLEVER
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.core.rules import RANDOM
from referee.duel import PlayerConfig, anything, draw_beginner, play_on
from referee.referee_clever import Referee

GAMES = 12  # of each game, number of players and habit


def busy(rng: random.Random, texts: list[str]) -> str:
    """Never leaves a die, an extra die or a follow-up unused, and saves all re-rolls."""
    return rng.choice([text for text in texts if text not in ("pass", "done", "reroll")] or texts)


def hoarder(rng: random.Random, texts: list[str]) -> str:
    """Fills areas one after the other and saves all actions.

    Full areas, full tracks, lost bonuses.
    """
    entries = sorted(
        text for text in texts if text not in ("pass", "done", "reroll") and text[0] != "<"
    )
    if "done" in texts or not entries:
        return "done" if "done" in texts else rng.choice(texts)
    letters = "pogby" if rng.random() < 0.5 else "ypbsg"
    return min(
        entries, key=lambda text: (letters.find(text.split(">")[-1].lstrip("+")[0]), rng.random())
    )


HABITS: list[PlayerConfig] = [anything, busy, hoarder]


def fill_sheets(position: Position, referee: Referee, rng: random.Random) -> None:
    """Random entries on all sheets; bonuses that are to be placed are thrown away."""
    for seat, player in enumerate(referee.players):
        for _ in range(rng.randrange(60)):
            entries = sorted(referee.sheet.with_bonus(player.paper, "black"))
            if not entries:
                break
            entry = rng.choice(entries)
            referee.enter(player, entry)
            player.heap.clear()
            fill(position, seat, entry)


def play(name: str, players: int, seed: int, config: PlayerConfig) -> None:
    rng = random.Random(seed)
    start_player = draw_beginner(players, rng)
    position = game(name).start(players, start_player=start_player)
    referee = Referee(position.game.key, players, None if start_player == RANDOM else start_player)
    if seed % 2:
        fill_sheets(position, referee, rng)
    play_on(position, referee, config, seed, rng)


@pytest.mark.parametrize("config", HABITS)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("name", CLEVER)
def test_engine_and_referee_agree(name: str, players: int, config: PlayerConfig) -> None:
    for seed in range(GAMES):
        play(name, players, seed, config)
