"""What the net has said about a position is remembered for just this position."""

from __future__ import annotations

import pytest

from foxclover.ai.clever.inputs import Inputs, collect
from foxclover.ai.clever.memory import Memory, clear_memory, is_remembered, kept_at
from foxclover.ai.clever.players import plan_of
from foxclover.game import game
from foxclover.review.judge import Judge, Moment, moments
from reviewed import played

GANZ = game("ganz")
PLAN = plan_of(GANZ)


@pytest.fixture
def seen() -> Inputs:
    found = Inputs()
    collect(GANZ.book.tables, PLAN, played(GANZ, "greedy", moves=20).state, 0, found)
    return found


@pytest.fixture
def memory(seen: Inputs) -> Memory:
    kept = Memory()
    clear_memory(kept, True)
    at = kept.kept[kept_at(PLAN, seen)]
    at.time, at.inputs = kept.time, seen.copy()
    return kept


def test_a_position_is_remembered_until_the_memory_is_cleared(memory: Memory, seen: Inputs) -> None:
    at = kept_at(PLAN, seen)
    assert is_remembered(PLAN, memory, at, seen)
    clear_memory(memory, True)
    assert not is_remembered(PLAN, memory, at, seen)


def test_positions_that_differ_in_points_or_a_single_input_are_told_apart(
    memory: Memory, seen: Inputs
) -> None:
    at = kept_at(PLAN, seen)
    richer, further = seen.copy(), seen.copy()
    richer.scalars[0] += 1 / 32
    further.codes[PLAN.slots - 1] += 1
    assert not is_remembered(PLAN, memory, at, richer)
    assert not is_remembered(PLAN, memory, at, further)


def test_a_roll_is_weighed_alike_whatever_was_weighed_before() -> None:
    made = list(moments(played(GANZ, "medium", moves=40)))
    rolls: list[Moment] = [moment for moment in made if moment.move.seat < 0]
    used = Judge(GANZ)
    for moment in made:
        used.find_out(moment)
    assert used.weigh(rolls[-1]) == Judge(GANZ).weigh(rolls[-1])
    assert used.weigh(rolls[0]) == Judge(GANZ).weigh(rolls[0])
