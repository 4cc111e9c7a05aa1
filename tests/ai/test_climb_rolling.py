"""The rolling phase solved by the computer players, against a plain recursion over all outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foxclover.core.game import game
from foxclover.games.climb.ai import rolling
from foxclover.games.climb.ai.rolling import UNKNOWN, add_position, find, forget_positions
from foxclover.games.climb.ai.workspace import LUCKS, Solver, Workspace
from foxclover.games.climb.rules.state import CLOVER, ROLLS, SLOTS, SPOTS, Deck, State
from foxclover.games.climb.rules.table import start

DECK = game("geht").definition.tables


def last_round(
    deck: Deck, seat: int, luck: int, players: int, emptied: tuple[int, ...] = ()
) -> State:
    """The last round with a start set still active."""
    state = State()
    start(deck, state, players, 0)
    state.round = deck.rounds
    state.seats[seat].luck = luck
    for spot in emptied:
        state.seats[seat].active[spot] = 0
    return state


def solve(deck: Deck, state: State, seat: int, others: float = 0.0) -> Solver:
    """Solve with nets that expect nothing; others make every roll with the same chance."""
    workspace = Workspace()
    for rounds in workspace.net.rolling:
        for rolls in rounds:
            rolls[:] = [others] * len(rolls)
    rolling.solve(deck, workspace, workspace.solvers[seat], state, seat)
    return workspace.solvers[seat]


Worth = Callable[[int, int], float]  # of marked cards and luck


def by_recursion(deck: Deck, state: State, seat: int, others: float = 0.0) -> tuple[Worth, Worth]:
    """The values of having marked a set of cards, and of rolling on from there.

    With points for scored cards and luck alone.
    """
    mine = state.seats[seat]
    gains = [
        deck.points[card >> 6] * deck.factor[state.solo][spot // SLOTS] if card else 0
        for spot, card in enumerate(mine.active)
    ]
    met: Counter[int] = Counter()
    for outcome, weight in enumerate(deck.weight):
        cards = [
            spot
            for spot, card in enumerate(mine.active)
            if card and deck.met[outcome][card >> 6] >> (card & 63) & 1
        ]
        met[sum(1 << spot for spot in cards)] += weight

    def out(points: float, luck: int) -> float:
        # all the rolls that still bring luck are made, or none
        return points + luck + others * (deck.clover - luck)

    def stop(marked: int, luck: int) -> float:
        return out(sum(gains[spot] for spot in range(SPOTS) if marked >> spot & 1), luck)

    @cache
    def stand(marked: int, luck: int) -> float:
        return max(stop(marked, luck), roll(marked, luck))

    @cache
    def roll(marked: int, luck: int) -> float:
        spots = [spot for spot in range(SPOTS) if marked >> spot & 1]
        low = max((spot // SLOTS for spot in spots), default=0)
        high = low + 1 if spots else 0
        left = luck if len(spots) < deck.black_markers else luck - 1
        total = 0.0
        for cards, weight in met.items():
            best = out(0, luck)
            if luck:
                best = max(best, stand(marked, luck - 1))
            for spot in range(SPOTS):
                if (
                    cards >> spot & 1
                    and not marked >> spot & 1
                    and low <= spot // SLOTS <= high
                    and left >= 0
                ):
                    best = max(best, stand(marked | 1 << spot, left))
            total += weight * best
        return total / ROLLS

    return stand, roll


@pytest.mark.parametrize(
    ("seat", "luck", "emptied"), [(0, 0, ()), (1, 2, ()), (2, 1, (1, 9)), (3, 4, (5,))]
)
def test_the_value_of_staying_equals_a_recursion_over_all_outcomes(
    seat: int, luck: int, emptied: tuple[int, ...]
) -> None:
    state = last_round(DECK, seat, luck, 4, emptied)
    solver = solve(DECK, state, seat)
    stand, roll = by_recursion(DECK, state, seat)
    assert solver.roll[0][luck] == pytest.approx(roll(0, luck))
    for i in range(1, solver.count):
        assert solver.value[i][0] == pytest.approx(stand(solver.masks[i], 0))


def test_luck_markers_serve_when_the_black_ones_are_used_up() -> None:
    state = last_round(DECK, 0, 1, 2)
    solver = solve(DECK, state, 0)
    assert max(mask.bit_count() for mask in solver.masks[: solver.count]) == DECK.black_markers + 1
    _, roll = by_recursion(DECK, state, 0)
    assert solver.roll[0][1] == pytest.approx(roll(0, 1))


def test_being_out_brings_the_luck_of_the_others_rolls() -> None:
    state = last_round(DECK, 0, 1, 2, (1, 5, 9))
    solver = solve(DECK, state, 0, others=0.25)
    _, roll = by_recursion(DECK, state, 0, others=0.25)
    assert solver.roll[0][1] == pytest.approx(roll(0, 1))


@pytest.mark.parametrize(("clover", "luck", "others"), [(CLOVER, CLOVER, 0.0), (2, 1, 0.25)])
def test_a_deck_may_have_a_larger_or_smaller_clover(clover: int, luck: int, others: float) -> None:
    deck = DECK.copy()
    deck.clover, deck.black_markers = clover, 1
    state = last_round(deck, 0, luck, 2, (1, 5))
    solver = solve(deck, state, 0, others)
    _, roll = by_recursion(deck, state, 0, others)
    assert solver.roll[0][luck] == pytest.approx(roll(0, luck))


def test_too_many_positions_end_the_round_after_a_whole_layer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    state = last_round(DECK, 0, 0, 2)
    exact = solve(DECK, state, 0)
    monkeypatch.setattr(rolling, "POSITIONS", 12)
    solver = solve(DECK, state, 0)
    assert solver.count <= 12 < exact.count
    assert solver.cut < solver.count
    assert 0 < solver.roll[0][0] <= exact.roll[0][0] + 1e-9


SOLVER = Solver()


@given(st.lists(st.integers(0, (1 << SPOTS) - 1), min_size=2, max_size=300, unique=True))
def test_positions_are_found_by_their_marked_cards(masks: list[int]) -> None:
    forget_positions(SOLVER)
    absent, present = masks[0], masks[1:]
    assert [add_position(SOLVER, marked) for marked in present] == list(range(len(present)))
    assert [find(SOLVER, marked) for marked in present] == list(range(len(present)))
    assert find(SOLVER, absent) == UNKNOWN


def test_every_amount_of_luck_of_any_deck_has_its_place() -> None:
    assert LUCKS == CLOVER + 1 == len(SOLVER.value[0]) == len(SOLVER.failed)
