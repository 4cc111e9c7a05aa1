"""How the searching players of the Clever games see the end of a game."""

from __future__ import annotations

import pytest

from families import CLEVER
from foxclover.ai.agents import SearchAgent
from foxclover.ai.families import Strength
from foxclover.core.game import game
from foxclover.dice.sources import seeded
from foxclover.games.clever.ai.rating import share_of_win, wants_win
from foxclover.games.clever.rules.state import CHOOSING, OVER, TAKING, Sheet, State


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


def test_no_move_is_shown_above_the_recommended_one() -> None:
    chosen = game("ganz")
    searching = SearchAgent(chosen, Strength(tries=12), seed=1)
    position, dice, compared = chosen.start(), seeded(5), 0
    while position.state.round < 3:
        if position.chance_due:
            position.push(dice.draw(position))
            continue
        ranked = searching.rank(position, 0)
        expected = [value.expected for value in ranked]
        assert expected == sorted(expected, reverse=True)
        compared += len(searching.gaps)
        position.push(ranked[0].move)
    assert compared > 20


def test_a_dropped_move_stays_as_far_behind_as_when_it_was_dropped() -> None:
    position = game("ganz").start()
    position.roll(seeded(1))
    searching = SearchAgent(position.game, Strength(tries=60, prior=5.0), seed=1)
    ranked = {value.move.number: value.expected for value in searching.rank(position, 0)}
    numbers, candidates = position.legal_numbers(0), searching.workspace.candidates
    best = max(ranked.values())
    assert len({int(candidates.tries[index]) for index in searching.gaps}) > 1, "dropped at once"
    for index, gap in searching.gaps.items():
        assert gap >= 0
        assert ranked[numbers[index]] == pytest.approx(best - gap)
    top = max(range(len(numbers)), key=lambda index: candidates.ratings[index])
    rated = [index for index in range(len(numbers)) if not candidates.tries[index]]
    assert rated
    for index in rated:
        if candidates.ratings[index] > -1e6:
            assert ranked[numbers[top]] - ranked[numbers[index]] == pytest.approx(
                candidates.ratings[top] - candidates.ratings[index]
            )


@pytest.mark.parametrize("key", CLEVER)
def test_a_rollout_ends_where_a_die_is_chosen_not_while_bonuses_or_actions_are_open(
    key: str,
) -> None:
    chosen = game(key)
    searching = SearchAgent(chosen, Strength(), seed=1)
    workspace, call = searching.workspace, searching.instance.call
    position, dice, stages = chosen.start(2), seeded(6), set()
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
            continue
        seat = position.acting[0]
        best = position.legal_moves(seat)[searching._rate(position, seat)]
        call("list_candidates", workspace, seat)
        call("try_candidates", searching.tables, workspace, seat, 1, 1, False, 7)
        end = searching.instance.read(State, workspace.ahead)
        if end.phase != OVER:
            assert end.seats[seat].heaped == 0
            stages.add(end.seats[seat].stage)
        position.push(best)
    assert stages == {CHOOSING, TAKING}
