"""How the net plays a Clever game: every legal move is rated by the position after it."""

from __future__ import annotations

from math import log

from foxclover.ai.clever.inputs import collect
from foxclover.ai.clever.memory import clear_memory, is_remembered, kept_at
from foxclover.ai.clever.mind import Mind
from foxclover.ai.clever.network import output, restart_sums, update_sums
from foxclover.ai.trials import Trials
from foxclover.clever.areas import total_points
from foxclover.clever.moves import DONE, ENTRIES, PASS, PLACE, legal
from foxclover.clever.rules import apply
from foxclover.clever.state import (
    ADDING,
    AREAS,
    CELLS,
    CLOSED,
    GRID,
    RETURNING,
    Player,
    Sheet,
    State,
)
from foxclover.records import assign
from foxclover.rng import next32

SCALE = 25.0  # points in an output of 1
WORST = -1e9


def may_stop(state: State, seat: int) -> bool:
    """Is there nothing to decide but whether to return dice or add extra ones?"""
    mine = state.seats[seat]
    return mine.heaped == 0 and (mine.stage == ADDING or mine.stage == RETURNING)


def sum_of_areas(mine: Player) -> int:
    """The points of all areas."""
    points = 0
    for area in range(AREAS):
        points += mine.points[area]
    return points


def value_of(sheet: Sheet, mind: Mind, state: State, seat: int) -> float:
    """Expected final points of a player right after his move."""
    mine = state.seats[seat]
    if not collect(sheet, mind.plan, state, seat, mind.inputs):
        return float(total_points(mine))
    points = sum_of_areas(mine)
    return points + SCALE * ask_net(mind)


def ask_net(mind: Mind) -> float:
    """What the net says about ``mind.inputs``."""
    memory = mind.memory
    at = kept_at(mind.plan, mind.inputs) if memory.in_use == 1 else 0
    if memory.in_use == 1 and is_remembered(mind.plan, memory, at, mind.inputs):
        return memory.kept[at].output
    update_sums(mind.net, mind.plan, mind.at_work, mind.inputs)
    said = float(output(mind.net, mind.at_work))
    if memory.in_use == 1:
        found = memory.kept[at]
        found.time = memory.time
        found.output = said
        assign(found.inputs, mind.inputs)
    return said


def is_dominated(sheet: Sheet, moves: list[int], count: int, index: int) -> bool:
    """Of a bonus's free numbers on a track only the lowest and the highest are worth a thought."""
    move = moves[index]
    if move < PLACE or move >= PASS or index == 0 or index + 1 == count:
        return False
    if sheet.kind[(move - PLACE) % ENTRIES // CELLS] == GRID:
        return False
    return moves[index - 1] == move - 1 and moves[index + 1] == move + 1


def start_rating(mind: Mind, remembers: bool) -> None:
    """Begin with the net at rest; what it says from now on may be remembered."""
    restart_sums(mind.net, mind.plan, mind.at_work)
    clear_memory(mind.memory, remembers)


def rate_moves(sheet: Sheet, mind: Mind, state: State, trials: Trials, seat: int) -> int:
    """Rate the legal moves in a position; return the best. Where one may stop after a move, it is worth what stopping is worth."""
    start_rating(mind, False)
    return rate_as_last(sheet, mind, state, trials, seat)


def rate_as_last(sheet: Sheet, mind: Mind, state: State, trials: Trials, seat: int) -> int:
    """What ``rate_moves`` does, with the net at work where it is."""
    best = 0
    for index in range(trials.count):
        trials.ratings[index] = WORST
        if mind.every == 1 or not is_dominated(sheet, trials.moves, trials.count, index):
            assign(mind.after, state)
            apply(sheet, mind.after, seat, trials.moves[index])
            while may_stop(mind.after, seat):
                apply(sheet, mind.after, seat, DONE)
            trials.ratings[index] = value_of(sheet, mind, mind.after, seat)
        if trials.ratings[index] > trials.ratings[best]:
            best = index
    return best


def rate_through(sheet: Sheet, mind: Mind, state: State, seat: int, trials: Trials) -> int:
    """Rate the legal moves, each with what the net would do until the player rolls or others are to act; return the best.

    The net is at work where it is.
    """
    best = 0
    for index in range(trials.count):
        trials.ratings[index] = WORST
        if mind.every == 1 or not is_dominated(sheet, trials.moves, trials.count, index):
            assign(mind.further, state)
            apply(sheet, mind.further, seat, trials.moves[index])
            trials.ratings[index] = go_further(sheet, mind, seat)
        if trials.ratings[index] > trials.ratings[best]:
            best = index
    return best


def go_further(sheet: Sheet, mind: Mind, seat: int) -> float:
    """What the best-rated way on from ``mind.further`` is worth, up to the next roll or the next player."""
    state = mind.further
    trials = mind.further_trials
    while state.seats[seat].stage != CLOSED:
        trials.count = legal(sheet, state, seat, trials.moves)
        best = rate_as_last(sheet, mind, state, trials, seat) if trials.count > 1 else 0
        apply(sheet, state, seat, trials.moves[best])
    return value_of(sheet, mind, state, seat)


def rate(sheet: Sheet, mind: Mind, seat: int) -> int:
    """Rate the legal moves in ``mind.here``; return the best."""
    start_rating(mind, False)
    return rate_through(sheet, mind, mind.here, seat, mind.trials)


def forget(mind: Mind) -> None:
    """Nothing is remembered from decision to decision."""


def is_forced(mind: Mind) -> bool:
    """A single move need not be rated."""
    return mind.trials.count == 1


def uniform(rng: list[int]) -> float:
    """A number between 0 and 1, both excluded."""
    return (next32(rng) + 0.5) / 4294967296.0


def luck_of(rng: list[int], heat: float) -> float:
    """Points by which chance favours a move: if all were equal, each would be the luckiest equally often."""
    drawn = uniform(rng)
    return -heat * log(-log(drawn))


def misjudge(ratings: list[float], count: int, heat: float, rng: list[int]) -> int:
    """A move by a rating that is off by some points, as a person's is."""
    chosen = 0
    highest = WORST
    for index in range(count):
        luck = luck_of(rng, heat)
        rating = ratings[index] + luck
        if rating > highest:
            highest = rating
            chosen = index
    return chosen
