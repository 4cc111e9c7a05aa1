"""What the net has said about a position is remembered for just this position."""

from __future__ import annotations

import pytest

from foxclover.core.game import game
from foxclover.games.clever.ai.network import (
    EvalCache,
    Inputs,
    cache_slot,
    clear_cache,
    collect,
    is_cached,
)
from foxclover.games.clever.ai.players import feature_layout_of
from foxclover.review.analyser import Analyser, Moment, moments
from reviewed import played

GANZ = game("ganz")
PLAN = feature_layout_of(GANZ)


@pytest.fixture
def seen() -> Inputs:
    found = Inputs()
    collect(GANZ.definition.tables, PLAN, played(GANZ, "greedy", moves=20).state, 0, found)
    return found


@pytest.fixture
def eval_cache(seen: Inputs) -> EvalCache:
    kept = EvalCache()
    clear_cache(kept, True)
    at = kept.entries[cache_slot(PLAN, seen)]
    at.time, at.inputs = kept.time, seen.copy()
    return kept


def test_a_position_is_remembered_until_the_memory_is_cleared(
    eval_cache: EvalCache, seen: Inputs
) -> None:
    at = cache_slot(PLAN, seen)
    assert is_cached(PLAN, eval_cache, at, seen)
    clear_cache(eval_cache, True)
    assert not is_cached(PLAN, eval_cache, at, seen)


def test_positions_that_differ_in_points_or_a_single_input_are_different(
    eval_cache: EvalCache, seen: Inputs
) -> None:
    at = cache_slot(PLAN, seen)
    richer, further = seen.copy(), seen.copy()
    richer.scalars[0] += 1 / 32
    further.codes[PLAN.slots - 1] += 1
    assert not is_cached(PLAN, eval_cache, at, richer)
    assert not is_cached(PLAN, eval_cache, at, further)


def test_a_roll_is_weighed_alike_whatever_was_weighed_before() -> None:
    made = list(moments(played(GANZ, "medium", moves=40)))
    rolls: list[Moment] = [moment for moment in made if moment.move.seat < 0]
    used = Analyser(GANZ)
    for moment in made:
        used.examine(moment)
    assert used.evaluate_chance(rolls[-1]) == Analyser(GANZ).evaluate_chance(rolls[-1])
    assert used.evaluate_chance(rolls[0]) == Analyser(GANZ).evaluate_chance(rolls[0])
