"""How the net plays a Clever game: every legal move is rated by the position after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.clever.inputs import collect
from foxclover.ai.network import output, restart_sums, update_sums
from foxclover.clever.areas import total_points
from foxclover.clever.moves import DONE, ENTRIES, PASS, PLACE
from foxclover.clever.rules import apply
from foxclover.clever.state import ADDING, AREAS, CELLS, GRID, RETURNING, Sheet, State
from foxclover.records import assign

if TYPE_CHECKING:
    from foxclover.ai.clever.mind import Mind

SCALE = 25.0  # points in an output of 1
WORST = -1e9
# States to work on, by number: the position, one after a move, one after stopping, one of a rollout, and a blank one.
HERE, AFTER, STOPPED, ROLLOUT, BLANK = range(5)
STATES = 5


def may_stop(state: State, seat: int) -> bool:
    """Is there nothing to decide but whether to return dice or add extra ones?"""
    mine = state.seats[seat]
    return mine.heaped == 0 and (mine.stage == ADDING or mine.stage == RETURNING)


def value_of(sheet: Sheet, mind: Mind, states: list[State], index: int, seat: int) -> float:
    """Expected final points of a player right after his move; of one who may stop, what stopping is worth."""
    if may_stop(states[index], seat):
        assign(states[STOPPED], states[index])
        index = STOPPED
        while may_stop(states[STOPPED], seat):
            apply(sheet, states[STOPPED], seat, DONE)
    mine = states[index].seats[seat]
    if not collect(sheet, mind.plan, states[index], seat, mind.desk.new_codes, mind.desk.new_values):
        return float(total_points(mine))
    update_sums(mind.net, mind.plan.base, mind.desk)
    points = 0
    for area in range(AREAS):
        points += mine.points[area]
    return points + SCALE * output(mind.net, mind.desk)


def is_dominated(sheet: Sheet, moves: list[int], count: int, index: int) -> bool:
    """Of a bonus's free numbers on a track only the lowest and the highest are worth a thought."""
    move = moves[index]
    if move < PLACE or move >= PASS or index == 0 or index + 1 == count:
        return False
    if sheet.kind[(move - PLACE) % ENTRIES // CELLS] == GRID:
        return False
    return moves[index - 1] == move - 1 and moves[index + 1] == move + 1


def rate(sheet: Sheet, mind: Mind, states: list[State], here: int, seat: int, count: int) -> int:
    """Rate the legal moves in a position; return the best."""
    restart_sums(mind.net, mind.desk)
    best = 0
    for index in range(count):
        mind.ratings[index] = WORST
        if not is_dominated(sheet, mind.moves, count, index):
            assign(states[AFTER], states[here])
            apply(sheet, states[AFTER], seat, mind.moves[index])
            mind.ratings[index] = value_of(sheet, mind, states, AFTER, seat)
        if mind.ratings[index] > mind.ratings[best]:
            best = index
    return best
