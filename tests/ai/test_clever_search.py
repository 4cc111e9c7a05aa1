"""How the searching players of the Clever games see the end of a game."""

from __future__ import annotations

import pytest

from foxclover.core.game import game
from foxclover.games.clever.ai.rating import share_of_win, wants_win
from foxclover.games.clever.rules.state import Sheet, State


def finished(*sheets: list[int]) -> State:
    """A finished game, from the points of all areas; there are no foxes."""
    state = State()
    state.players = len(sheets)
    for seat, points in enumerate(sheets):
        state.seats[seat].points[:] = points
    return state


@pytest.mark.parametrize(
    ("sheets", "share"),
    [
        (([50, 50, 50, 50, 51], [50, 50, 50, 50, 50]), 1.0),
        (([50, 50, 50, 50, 50], [50, 50, 50, 50, 51]), 0.0),
        (([48, 52, 50, 50, 50], [49, 51, 50, 50, 50]), 1.0),  # equal totals, a higher highest area
        (([49, 51, 50, 50, 50], [48, 52, 50, 50, 50]), 0.0),
        (([49, 51, 50, 50, 50], [50, 50, 50, 49, 51], [51, 49, 50, 50, 50]), 1 / 3),
        (([49, 51, 50, 50, 50], [50, 50, 50, 49, 51], [10, 10, 10, 10, 10]), 1 / 2),
    ],
)
def test_a_win_goes_by_points_then_by_the_highest_area_and_may_be_shared(
    sheets: tuple[list[int], ...], share: float
) -> None:
    assert share_of_win(Sheet(), finished(*sheets), 0) == pytest.approx(share)


@pytest.mark.parametrize(("players", "last"), [(2, 6), (3, 5), (4, 4)])
def test_only_the_last_round_of_several_players_is_played_to_win(players: int, last: int) -> None:
    sheet = game("ganz").definition.tables
    state = game("ganz").start(players).state
    assert not wants_win(sheet, state)
    state.round = last
    assert wants_win(sheet, state)
    state.players = 1
    assert not wants_win(sheet, state)
