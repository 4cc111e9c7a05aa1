"""The rolling phase solved by the computer players, against a plain recursion over all outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from foxclover.ai.climb import nets
from foxclover.ai.climb.inputs import INPUTS
from foxclover.ai.climb.parts import HIDDEN, NETS, Nets, Solver, make_plain_solver
from foxclover.climb.books import load
from foxclover.climb.state import PLACES, ROLLS, SLOTS, Deck, State

BLACK_MARKERS = 5
FUNCTIONS = nets.plain_functions()


def ignorant_nets(rolling: float = 0.0) -> Nets:
    """Nets that expect nothing; others make every roll with the same chance."""
    return Nets(np.zeros((NETS, INPUTS, HIDDEN)), np.zeros((NETS, HIDDEN)), [0.0] * NETS, [[[rolling] * 16] * 5] * 2)  # type: ignore[arg-type]


def last_round(deck: Deck, seat: int, luck: int, players: int, emptied: tuple[int, ...] = ()) -> State:
    """The last round with a start set still active."""
    state = State()
    FUNCTIONS.start(deck, state, players, 0)
    state.round = deck.rounds
    state.seats[seat].luck = luck
    for place in emptied:
        state.seats[seat].active[place] = 0
    return state


def solve(deck: Deck, state: State, seat: int, thought: Nets) -> Solver:
    solver = make_plain_solver()
    FUNCTIONS.solve(deck, state, seat, thought, solver, 0)
    return solver


Worth = Callable[[int, int], float]  # of marked cards and luck


def by_recursion(deck: Deck, state: State, seat: int, others: float = 0.0) -> tuple[Worth, Worth]:
    """What having marked a set of cards, and what rolling on from there, is worth; with points for scored cards and luck alone."""
    mine = state.seats[seat]
    gains = [deck.points[card >> 6] * deck.factor[state.solo][place // SLOTS] if card else 0 for place, card in enumerate(mine.active)]
    met: Counter[int] = Counter()
    for outcome, weight in enumerate(deck.weight):
        cards = [place for place, card in enumerate(mine.active) if card and deck.met[outcome][card >> 6] >> (card & 63) & 1]
        met[sum(1 << place for place in cards)] += weight

    def out(points: float, luck: int) -> float:
        return points + luck + others * (4 - luck)  # all the rolls that still bring luck are made, or none

    def stop(marked: int, luck: int) -> float:
        return out(sum(gains[place] for place in range(PLACES) if marked >> place & 1), luck)

    @cache
    def stand(marked: int, luck: int) -> float:
        return max(stop(marked, luck), roll(marked, luck))

    @cache
    def roll(marked: int, luck: int) -> float:
        places = [place for place in range(PLACES) if marked >> place & 1]
        low = max((place // SLOTS for place in places), default=0)
        high = low + 1 if places else 0
        left = luck if len(places) < BLACK_MARKERS else luck - 1
        total = 0.0
        for cards, weight in met.items():
            best = out(0, luck)
            if luck:
                best = max(best, stand(marked, luck - 1))
            for place in range(PLACES):
                if cards >> place & 1 and not marked >> place & 1 and low <= place // SLOTS <= high and left >= 0:
                    best = max(best, stand(marked | 1 << place, left))
            total += weight * best
        return total / ROLLS

    return stand, roll


@pytest.mark.parametrize(("seat", "luck", "emptied"), [(0, 0, ()), (1, 2, ()), (2, 1, (1, 9)), (3, 4, (5,))])
def test_staying_is_worth_what_a_recursion_over_all_outcomes_says(seat: int, luck: int, emptied: tuple[int, ...]) -> None:
    deck = load("standard").tables
    state = last_round(deck, seat, luck, 4, emptied)
    solver = solve(deck, state, seat, ignorant_nets())
    stand, roll = by_recursion(deck, state, seat)
    assert solver.roll[0][luck] == pytest.approx(roll(0, luck))
    for i in range(1, solver.facts[0]):
        assert solver.value[i][0] == pytest.approx(stand(solver.masks[i], 0))


def test_luck_markers_serve_when_the_black_ones_are_used_up() -> None:
    deck = load("standard").tables
    state = last_round(deck, 0, 1, 2)
    solver = solve(deck, state, 0, ignorant_nets())
    assert max(mask.bit_count() for mask in solver.masks[: solver.facts[0]]) == BLACK_MARKERS + 1
    _, roll = by_recursion(deck, state, 0)
    assert solver.roll[0][1] == pytest.approx(roll(0, 1))


def test_being_out_brings_the_luck_of_the_others_rolls() -> None:
    deck = load("standard").tables
    state = last_round(deck, 0, 1, 2, (1, 5, 9))
    solver = solve(deck, state, 0, ignorant_nets(0.25))
    _, roll = by_recursion(deck, state, 0, others=0.25)
    assert solver.roll[0][1] == pytest.approx(roll(0, 1))


def test_too_many_positions_end_the_round_after_a_whole_layer() -> None:
    deck = load("standard").tables
    state = last_round(deck, 0, 0, 2)
    solver = make_plain_solver(limit=12)
    FUNCTIONS.solve(deck, state, 0, ignorant_nets(), solver, 0)
    exact = solve(deck, state, 0, ignorant_nets())
    assert solver.facts[0] <= 12 < exact.facts[0]
    assert 0 < solver.roll[0][0] <= exact.roll[0][0] + 1e-9
