"""Decks at the edge of what the checker accepts: the computer players stay inside their tables, whatever the deck says."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from foxclover.accounts import Result
from foxclover.ai import nets
from foxclover.ai.climb.self_play import Example, SelfPlay
from foxclover.ai.playing import WITH_NET, Habit
from foxclover.climb.deck_file import COLOUR_NAMES
from foxclover.climb.state import BLACK_MARKERS, CLOVER, LEVELS, ROUNDS, SEATS, SLOTS, WAITING
from foxclover.climb.tables import read
from foxclover.game import game
from foxclover.kernel.build import build
from foxclover.kernel.program import program
from foxclover.kernel.wasm import WasmKernel
from foxclover.playouts import Batch

GAME = game("geht-noch-was")
STANDARD = GAME.book.source.decode()
MISJUDGING = 20.0  # points: players who do come to see more of what may happen


@pytest.fixture(scope="module")
def kernel() -> WasmKernel:
    """The kernel that traps at every index outside its buffer."""
    return WasmKernel("climb", build(program("climb"), checking=True))


def edge_deck(rng: random.Random) -> str:
    """The standard deck with other values, most of them the least or the greatest that the checker accepts."""

    def edge(low: int, high: int) -> int:
        return rng.choice([low, high, high, rng.randint(low, high)])

    def bonus() -> str:
        card = rng.choice(["", *COLOUR_NAMES])
        return f"{{ luck = {edge(0, 100)}" + (f', card = "{card}" }}' if card else " }")

    values: dict[str, Any] = {
        "build_levels": edge(1, LEVELS),
        "room": edge(2, SLOTS),
        "purchases": edge(0, WAITING - 1),
        "black_markers": edge(0, BLACK_MARKERS),
        "clover": edge(0, CLOVER),
        "luck": edge(0, 100),
        "multipliers": edge(0, 100),
        "set_points": edge(0, 1000),
        "star": [edge(0, 100) for _ in range(LEVELS)],
        "solo": [edge(0, 100) for _ in range(LEVELS)],
        "lifts": [rng.choice([0, 1, 100]) for _ in range(LEVELS)],
    }
    for colour in COLOUR_NAMES:
        values[colour] = (
            f"{{ points = {edge(0, 100)}, cost = {edge(1, 3)}, income = {rng.choice(['true', 'false'])} }}"
        )
    text = STANDARD
    for key, value in values.items():
        text, found = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text, count=1)
        assert found, key
    options = [
        f"[{', '.join(bonus() for _ in range(rng.randint(1, 2)))}]"
        for _ in range(rng.choice([1, 2, 5, ROUNDS]))
    ]
    return re.sub(r"(?ms)^bonus = \[.*?^\]$", f"bonus = [{', '.join(options)}]", text)


@pytest.mark.parametrize("number", range(24))
def test_players_stay_inside_their_tables_with_any_deck(
    number: int, kernel: WasmKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(number)
    deck = read(GAME.head, edge_deck(rng).encode()).tables
    monkeypatch.setattr(nets, "open_kernel", lambda _: kernel)
    instance, tables, mind = nets.make_thinker(GAME, nets.shipped_net(GAME))
    instance.set(tables, deck)
    mind.draws = 1
    players, variant = rng.randint(1, SEATS), rng.randint(0, 3)

    batch, habits = instance.new(Batch), instance.new(Habit, SEATS)
    batch.players, batch.variant, batch.seed, batch.count = players, variant, number, 1
    batch.policies[:SEATS] = WITH_NET
    for seat, habit in enumerate(habits):
        habit.to_win, habit.tries, habit.heat = 1, int(seat == 0), MISJUDGING * (seat == 2)
    instance.call("play_with_minds", tables, mind, batch, habits, instance.new(Result, 1))
    assert batch.played == 1

    games, examples = instance.new(SelfPlay), instance.new(Example, 2 * players * deck.rounds)
    games.players, games.variant, games.seed, games.count, games.heat = (
        players,
        variant,
        number,
        1,
        MISJUDGING,
    )
    instance.call("play_games_to_learn", tables, mind, games, examples)
    assert games.examples >= players * deck.rounds
