"""Playing the last round of Geht noch was? to win."""

from __future__ import annotations

import pytest

from foxclover.ai.stubs import NO_EXACT_WAY
from foxclover.core.game import game
from foxclover.core.rules import NO_CHANCE
from foxclover.games.climb.ai.after_round import POINTS, WIN, value_of_score
from foxclover.games.climb.ai.rating import rate
from foxclover.games.climb.ai.winning import (
    POINT,
    choose_to_win,
    list_rival_scores,
    score_with,
    value_of_future,
    wants_win,
)
from foxclover.games.climb.ai.workspace import FUTURES, Futures, Solver, Workspace
from foxclover.games.climb.rules.moves import LEAVE, STAY
from foxclover.games.climb.rules.state import (
    GREEN,
    ROLLING,
    SLOTS,
    SPOTS,
    TO_BUY,
    TO_LEAVE,
    YELLOW,
    State,
)
from foxclover.games.climb.rules.table import legal, start

DECK = game("geht-noch-was").definition.tables
ME, RIVAL_SEAT = 0, 1
LEVEL_3 = 2 * SLOTS


def last_round(points: int, rival_points: int, rival_luck: int) -> State:
    """The first roll of the last round has been answered; the rival was out before it."""
    state = State()
    start(DECK, state, 2, 0)
    state.round, state.phase, state.chance, state.roll = DECK.rounds, ROLLING, NO_CHANCE, 1
    state.seats[ME].luck, state.seats[RIVAL_SEAT].luck = 0, rival_luck
    state.seats[ME].playing, state.seats[RIVAL_SEAT].playing = 1, 0
    state.seats[ME].stage = TO_LEAVE
    state.busy = 1 << ME
    state.seats[ME].scored[0][GREEN] = ((1 << points) - 1) << 20
    state.seats[RIVAL_SEAT].scored[0][GREEN] = ((1 << rival_points) - 1) << 40
    return state


def mark(state: State, *spots: int) -> None:
    mine = state.seats[ME]
    mine.marked = sum(1 << spot for spot in spots)
    mine.reached = max(spots) // SLOTS


def keep_only(state: State, *spots: int) -> None:
    mine = state.seats[ME]
    for spot in range(SPOTS):
        if spot not in spots:
            mine.active[spot] = 0


def stay_or_leave(state: State) -> tuple[int, int]:
    """The better move for points, and to win."""
    workspace = Workspace()
    workspace.here, workspace.pre_roll_state = state, state.copy()
    workspace.pre_roll_state.roll -= 1
    workspace.candidates.count = legal(DECK, state, ME, workspace.candidates.moves)
    for_points = rate(DECK, workspace, ME)
    to_win = choose_to_win(DECK, workspace, ME, [1, 0, 0, 1])
    return workspace.candidates.moves[for_points], workspace.candidates.moves[to_win]


def test_leaves_with_the_win_where_more_points_would_risk_it() -> None:
    state = last_round(points=5, rival_points=2, rival_luck=4)
    mark(state, 0, 1)  # 7 to 6 points; after failing 5 to 6
    assert stay_or_leave(state) == (STAY, LEAVE)


def test_stays_where_leaving_loses_though_staying_costs_points() -> None:
    state = last_round(points=0, rival_points=7, rival_luck=0)
    keep_only(state, 0, SLOTS, LEVEL_3, LEVEL_3 + 1)
    mark(state, 0, SLOTS, LEVEL_3)  # 6 to 8 points; with another card 10 to 9
    assert state.seats[ME].active[LEVEL_3] >> 6 == YELLOW
    assert stay_or_leave(state) == (LEAVE, STAY)


def futures_with(
    standings: tuple[int, ...], ended: tuple[int, ...], luck_room: tuple[int, ...]
) -> Futures:
    """Futures that all end alike."""
    futures = Futures()
    for seat, (points, rolls, room) in enumerate(zip(standings, ended, luck_room, strict=True)):
        futures.final_score[seat] = [points] * FUTURES
        futures.ended[seat] = [rolls] * FUTURES
        futures.luck_room[seat] = [room] * FUTURES
    return futures


@pytest.mark.parametrize(
    ("standings", "share"),
    [
        ((20 * POINT, 19 * POINT), 1.0),
        ((20 * POINT, 21 * POINT), 0.0),
        ((20 * POINT + 8, 20 * POINT + 7), 1.0),  # one card left on level 2 beats seven on level 1
        ((20 * POINT + 8, 20 * POINT + 8, 20 * POINT + 8), 1 / 3),
    ],
)
def test_a_future_is_won_by_points_then_by_cards_left(
    standings: tuple[int, ...], share: float
) -> None:
    players = len(standings)
    futures = futures_with(standings, (3,) * players, (0,) * players)
    assert value_of_future(futures, players, 0, 0) == pytest.approx(WIN * share + POINTS * 20)


def test_who_is_out_takes_luck_for_every_further_roll_with_room_for_it() -> None:
    futures = futures_with((20 * POINT, 18 * POINT), (6, 2), (0, 4))
    assert value_of_future(futures, 2, 0, 0) == POINTS * 20
    futures.luck_room[1][0] = 2
    assert value_of_future(futures, 2, 0, 0) == WIN / 2 + POINTS * 20


def test_cards_left_on_higher_levels_count_more() -> None:
    mine = last_round(0, 0, 0).seats[ME]
    gains = [0.0] * SPOTS
    everything = score_with(mine, gains, 3.0, 0)
    assert everything // POINT == 3
    assert everything - score_with(mine, gains, 3.0, 1 << LEVEL_3) == 64
    assert everything - score_with(mine, gains, 3.0, 1) == 1


@pytest.mark.parametrize("lowest", [0, 50, 5_000_000])  # decks may have large factors
def test_the_value_of_a_final_score_is_the_futures_in_which_it_wins(lowest: int) -> None:
    state, solver = last_round(0, 0, 0), Solver()
    # 0 to 9 more, each in a tenth of all futures
    scores = [lowest + 7 * n % 10 for n in range(FUTURES)]
    futures = futures_with((0, 0), (0, 1), (0, 0))
    futures.final_score[RIVAL_SEAT] = [POINT * points + 5 for points in scores]
    list_rival_scores(futures, state, ME, solver)
    assert solver.rival_scores == sorted(scores)
    for points, won in ((lowest + 3, 0.35), (lowest + 9, 0.95), (lowest + 10, 1.0)):
        assert value_of_score(solver, points) == pytest.approx(WIN * won + POINTS * points)
    assert value_of_score(solver, lowest) == pytest.approx(WIN * 0.05 + POINTS * lowest)


def test_only_rolling_has_an_exact_way_to_win() -> None:
    workspace = Workspace()
    workspace.here = last_round(0, 0, 0)
    workspace.here.seats[ME].stage = TO_BUY
    assert choose_to_win(DECK, workspace, ME, [1, 0, 0, 1]) == NO_EXACT_WAY


def test_the_solo_rules_have_no_winner_to_play_for() -> None:
    state = last_round(0, 0, 0)
    assert wants_win(DECK, state)
    state.solo = 1
    assert not wants_win(DECK, state)
