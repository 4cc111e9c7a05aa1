"""Playing the last round of Geht noch was? to win."""

from __future__ import annotations

from typing import Any

import pytest

from foxclover.ai.climb import nets
from foxclover.ai.climb.parts import Outlook, make_plain_mind
from foxclover.ai.climb.playing import HERE, RIVAL, STATES_TO_WORK_ON
from foxclover.ai.climb.winning import POINT, POINTS, WIN, standing_with, worth_of_future
from foxclover.climb.moves import LEAVE, STAY
from foxclover.climb.state import GREEN, NO_CHANCE, PLACES, ROLLING, SLOTS, TO_LEAVE, YELLOW, State
from foxclover.game import game

GAME = game("geht-noch-was")
DECK: Any = GAME.book.tables
FUNCTIONS = nets.plain_functions()
ME, RIVAL_SEAT = 0, 1
LEVEL_3 = 2 * SLOTS


def last_round(points: int, rival_points: int, rival_luck: int) -> State:
    """The first roll of the last round has been answered; the rival was out before it."""
    state = State()
    FUNCTIONS.start(DECK, state, 2, 0)
    state.round, state.phase, state.chance, state.roll = DECK.rounds, ROLLING, NO_CHANCE, 1
    state.seats[ME].luck, state.seats[RIVAL_SEAT].luck = 0, rival_luck
    state.seats[ME].playing, state.seats[RIVAL_SEAT].playing = 1, 0
    state.seats[ME].stage = TO_LEAVE
    state.busy = 1 << ME
    state.seats[ME].scored[0][GREEN] = ((1 << points) - 1) << 20
    state.seats[RIVAL_SEAT].scored[0][GREEN] = ((1 << rival_points) - 1) << 40
    return state


def mark(state: State, *places: int) -> None:
    mine = state.seats[ME]
    mine.marked = sum(1 << place for place in places)
    mine.reached = max(places) // SLOTS


def keep_only(state: State, *places: int) -> None:
    mine = state.seats[ME]
    for place in range(PLACES):
        if place not in places:
            mine.active[place] = 0


def stay_or_leave(state: State) -> tuple[int, int]:
    """The better move for points, and to win."""
    mind = make_plain_mind(nets.shipped_nets(GAME.key), samples=1)
    states = [State() for _ in range(STATES_TO_WORK_ON)]
    states[HERE] = state
    count = FUNCTIONS.legal(DECK, state, ME, mind.moves)
    for_points = FUNCTIONS.rate_here(DECK, mind, states, ME, count, 0)
    known = state.copy()
    known.roll -= 1
    to_win = FUNCTIONS.choose_to_win(DECK, mind, state, known, ME, count, mind.solvers[RIVAL], 1)
    return mind.moves[for_points], mind.moves[to_win]


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


@pytest.mark.parametrize(
    ("standings", "share"),
    [
        ((20 * POINT, 19 * POINT), 1.0),
        ((20 * POINT, 21 * POINT), 0.0),
        ((20 * POINT + 8, 20 * POINT + 7), 1.0),  # one card left on level 2 beats seven on level 1
        ((20 * POINT + 8, 20 * POINT + 8, 20 * POINT + 8), 1 / 3),
    ],
)
def test_a_future_is_won_by_points_then_by_cards_left(standings: tuple[int, ...], share: float) -> None:
    outlook = Outlook([[0]], [[standing] for standing in standings], [[3] for _ in standings], [[0] for _ in standings])
    assert worth_of_future(outlook, len(standings), 0, 0) == pytest.approx(WIN * share + POINTS * 20)


def test_who_is_out_takes_luck_for_every_further_roll_he_has_room_for() -> None:
    outlook = Outlook([[0]], [[20 * POINT], [18 * POINT]], [[6], [2]], [[0], [4]])
    assert worth_of_future(outlook, 2, 0, 0) == POINTS * 20
    outlook.thirst[1][0] = 2
    assert worth_of_future(outlook, 2, 0, 0) == WIN / 2 + POINTS * 20


def test_cards_left_on_higher_levels_count_more() -> None:
    mine = last_round(0, 0, 0).seats[ME]
    gains = [0.0] * PLACES
    everything = standing_with(mine, gains, 3.0, 0)
    assert everything // POINT == 3
    assert everything - standing_with(mine, gains, 3.0, 1 << LEVEL_3) == 64
    assert everything - standing_with(mine, gains, 3.0, 1) == 1


def test_the_solo_rules_have_no_winner_to_play_for() -> None:
    state = last_round(0, 0, 0)
    assert FUNCTIONS.wants_win(DECK, state)
    state.solo = 1
    assert not FUNCTIONS.wants_win(DECK, state)
