"""The engine and the referee agree on who is to act, on every move, of chance with its weight too, and on every score, whole games long.

Players who only move at random never fill an area; so some of them have habits that lead into the corners of the rules, and every other
game begins on sheets that are half full already.
"""

from __future__ import annotations

import random

import pytest

from clever_table import fill
from families import CLEVER
from foxclover.game import LOT, Position, game
from referee.duel import Habit, anything, draw_beginner, play_on
from referee.referee_clever import Referee

GAMES = 12  # of each game, number of players and habit


def busy(rng: random.Random, texts: list[str]) -> str:
    """Never leaves a die, an extra die or a follow-up unused, and saves all re-rolls."""
    return rng.choice([text for text in texts if text not in ("pass", "done", "reroll")] or texts)


def hoarder(rng: random.Random, texts: list[str]) -> str:
    """Fills areas one after the other and saves all actions: full areas, full tracks, lost bonuses."""
    entries = sorted(
        text for text in texts if text not in ("pass", "done", "reroll") and text[0] != "<"
    )
    if "done" in texts or not entries:
        return "done" if "done" in texts else rng.choice(texts)
    letters = "pogby" if rng.random() < 0.5 else "ypbsg"
    return min(
        entries, key=lambda text: (letters.find(text.split(">")[-1].lstrip("+")[0]), rng.random())
    )


HABITS: list[Habit] = [anything, busy, hoarder]


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


def play(name: str, players: int, seed: int, habit: Habit) -> None:
    rng = random.Random(seed)
    begins = draw_beginner(players, rng)
    position = game(name).start(players, begins=begins)
    referee = Referee(position.game.key, players, None if begins == LOT else begins)
    if seed % 2:
        fill_sheets(position, referee, rng)
    play_on(position, referee, habit, seed, rng)


@pytest.mark.parametrize("habit", HABITS)
@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("name", CLEVER)
def test_engine_and_referee_agree(name: str, players: int, habit: Habit) -> None:
    for seed in range(GAMES):
        play(name, players, seed, habit)
