"""Decks at the edge of what the checker accepts.

The computer players stay inside their tables, whatever the deck says.
"""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

from foxclover.ai import nets
from foxclover.ai.playing import WITH_NET, PlayerConfig
from foxclover.core.game import game
from foxclover.games.climb.ai.self_play import Example, SelfPlay
from foxclover.games.climb.definitions import COLOUR_NAMES, read
from foxclover.games.climb.rules.state import (
    BLACK_MARKERS,
    CLOVER,
    LEVELS,
    ROUNDS,
    SEATS,
    SLOTS,
    WAITING,
)
from foxclover.kernel.batch import Batch, Result
from foxclover.kernel.program import program
from foxclover.kernel.wasm import WasmKernel
from kernels import build

GAME = game("geht-noch-was")
STANDARD = GAME.definition.source.decode()
MISJUDGING = 20.0  # points: players who do come to see more of what may happen


@pytest.fixture(scope="module")
def kernel() -> WasmKernel:
    """The kernel that traps at every index outside its buffer."""
    return WasmKernel("climb", build(program("climb"), checking=True))


def edge_deck(rng: random.Random) -> str:
    """Return the standard deck with other values, mostly the least or greatest accepted ones."""

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
            f"{{ points = {edge(0, 100)}, cost = {edge(1, 3)}, "
            f"income = {rng.choice(['true', 'false'])} }}"
        )
    text = STANDARD
    for key, value in values.items():
        text, found = re.subn(rf"(?m)^{key} = .*$", f"{key} = {value}", text, count=1)
        assert found, key
    options = [
        f"[{', '.join({bonus(): None for _ in range(rng.randint(1, 2))})}]"
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
    instance, tables, workspace = nets.make_thinker(GAME, nets.shipped_net(GAME))
    instance.set(tables, deck)
    workspace.draws = 1
    players, variant = rng.randint(1, SEATS), rng.randint(0, 3)

    batch, configs = instance.new(Batch), instance.new(PlayerConfig, SEATS)
    batch.players, batch.variant, batch.seed, batch.count = players, variant, number, 1
    batch.policies[:SEATS] = WITH_NET
    for seat, config in enumerate(configs):
        config.to_win, config.tries, config.noise = 1, int(seat == 0), MISJUDGING * (seat == 2)
    instance.call(
        "play_with_workspaces", tables, workspace, batch, configs, instance.new(Result, 1)
    )
    assert batch.played == 1

    games, examples = instance.new(SelfPlay), instance.new(Example, 2 * players * deck.rounds)
    games.players, games.variant, games.seed, games.count, games.noise = (
        players,
        variant,
        number,
        1,
        MISJUDGING,
    )
    instance.call("play_games_to_learn", tables, workspace, games, examples)
    assert games.examples >= players * deck.rounds
