"""Shortcuts of a rating change no bit of it.

What was rated already is not rated again, and sums are carried on.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from families import CLEVER
from foxclover.ai.candidates import Candidates
from foxclover.ai.nets import load, save, shipped_net
from foxclover.core.game import Game, game
from foxclover.core.position import Position
from foxclover.games.clever.ai.network import Workspace
from foxclover.games.clever.ai.players import STEPS, feature_layout_of
from foxclover.games.clever.ai.rating import rate, rate_moves, start_rating, value_of
from foxclover.games.clever.rules.moves import legal
from foxclover.games.clever.rules.state import CLOSED, State
from foxclover.games.clever.rules.table import apply
from reviewed import played


@pytest.fixture(params=CLEVER)
def chosen(request: pytest.FixtureRequest) -> Game:
    return game(request.param)


def mind_of(chosen: Game) -> Workspace:
    workspace = Workspace()
    workspace.feature_layout = feature_layout_of(chosen)
    for name, array in shipped_net(chosen).items():
        for row, numbers in (
            zip(getattr(workspace.net, name), array.tolist(), strict=False)
            if array.ndim > 1
            else ()
        ):
            row[:] = numbers
        if array.ndim == 1:
            getattr(workspace.net, name)[:] = array.tolist()
    return workspace


def slowly(chosen: Game, workspace: Workspace, position: Position, move: int) -> float:
    """Rate a move step by step: every position from scratch, with the net at rest."""
    sheet, state, candidates = chosen.definition.tables, position.state.copy(), Candidates()
    assert isinstance(state, State)
    apply(sheet, state, 0, move)
    while state.seats[0].stage != CLOSED:
        candidates.count = legal(sheet, state, 0, candidates.moves)
        best = 0
        for index in range(candidates.count):
            single = Candidates()
            single.count, single.moves[0] = 1, candidates.moves[index]
            rate_moves(sheet, workspace, state, single, 0)
            candidates.ratings[index] = single.ratings[0]
            best = index if candidates.ratings[index] > candidates.ratings[best] else best
        apply(sheet, state, 0, candidates.moves[best])
    start_rating(workspace, False)
    return value_of(sheet, workspace, state, 0)


@pytest.mark.parametrize("moves", [25, 60, 90])
def test_ratings_equal_those_of_every_position_rated_from_scratch(chosen: Game, moves: int) -> None:
    workspace, position = mind_of(chosen), played(chosen, "medium", moves=moves)
    while position.chance_due or len(position.legal_moves(0)) == 1:
        position = played(chosen, "medium", moves=len(position.moves_made) + 1)
    numbers = position.legal_numbers(0)
    workspace.rate_all, workspace.here, workspace.candidates.count = (
        1,
        position.state.copy(),
        len(numbers),
    )
    workspace.candidates.moves[: len(numbers)] = numbers
    rate(chosen.definition.tables, workspace, 0)
    assert workspace.candidates.ratings[: len(numbers)] == [
        slowly(chosen, workspace, position, number) for number in numbers
    ]


def test_weights_of_the_first_layer_are_saved_as_multiples_of_their_steps(
    chosen: Game, tmp_path: Path
) -> None:
    save(tmp_path / "a.net", chosen, shipped_net(chosen))
    net = load(tmp_path / "a.net", chosen)
    assert all(not (net[name] / step % 1).any() for name, step in STEPS.items())
