"""What ``leaves`` works out, for many sets of marked cards at once, in CPython."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foxclover.ai.climb.inputs import SCORED
from foxclover.ai.climb.leaves import CARDS, LEVEL_MASK, LUCK_NOW, NET, PENDING, PENDING_COLOUR, SOLO, rate_lifted
from foxclover.climb.state import COLOURS, LEVELS, PLACES, SLOTS, Deck

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Nets, PlainSolver

    Array = np.ndarray[Any, Any]

CELLS = LEVELS * COLOURS
ALL_PLACES = np.arange(PLACES)
OWN_LEVEL = LEVEL_MASK << SLOTS * (ALL_PLACES // SLOTS)
NEXT_LEVEL = OWN_LEVEL << SLOTS


class Leaves(NamedTuple):
    """What adds up over the marked cards of layouts that a round may leave behind, a row for each."""

    pushed: Array  # mask of those that are pushed
    codes: Array  # how many of the others, the scored ones, are of which cell
    hidden: Array
    points: Array

    def take(self, rows: Array) -> Leaves:
        """Some of the rows."""
        return Leaves(*(field.take(rows, axis=0) for field in self))

    def add(self, other: Leaves) -> Leaves:
        """Add other rows to these."""
        for field, more in zip(self, other, strict=True):
            field += more
        return self


class Steps(NamedTuple):
    """What one marked card adds, and by solo rules the scored ones together."""

    scored: Leaves  # [place]: if it is scored
    flipped: Leaves  # [place, or PLACES + place]: if it is then pushed instead, or scored after all
    lift_points: Array  # [code]
    lifted: Array  # [code][hidden]


def list_steps(deck: Deck, nets: Nets, solver: PlainSolver) -> Steps:
    """What the cards of a layout may do."""
    cells = COLOURS * (ALL_PLACES // SLOTS) + np.array(solver.colours)
    sizes = 1 + np.bincount(cells[solver.facts[CARDS] >> ALL_PLACES & 1 > 0], minlength=CELLS)
    codes = np.cumprod(sizes) // sizes
    scored = Leaves(np.zeros(PLACES, int), codes[cells], solver.moved[::2], np.array(solver.gains))
    pushed = Leaves(1 << ALL_PLACES, np.zeros(PLACES, int), solver.moved[1::2], np.zeros(PLACES))
    flipped = Leaves(*(np.concatenate([up - down, down - up]) for up, down in zip(pushed, scored, strict=True)))
    if not solver.facts[SOLO]:
        return Steps(scored, flipped, np.zeros(1), np.zeros((1, 1)))
    return Steps(scored, flipped, *lift_all(deck, nets, solver, np.arange(sizes.prod()) // codes[:, None] % sizes[:, None]))


def rate_leaves(nets: Nets, solver: PlainSolver, steps: Steps, leaves: Leaves, low: int, high: int) -> Any:
    """What each layout is worth, [luck][row]."""
    ratings: Any = np.zeros((high + 1, len(leaves.points)))
    hidden, points = leaves.hidden, leaves.points
    if solver.facts[SOLO]:
        hidden = steps.lifted.take(leaves.codes, axis=0)
        hidden += leaves.hidden
        points = points + steps.lift_points[leaves.codes]
    rate_lifted(nets, solver, hidden, points, low, high, ratings)
    return ratings


def improve_all(deck: Deck, nets: Nets, solver: PlainSolver, steps: Steps, masks: Array, leaves: Leaves) -> None:
    """Change the decision about one marked card after another wherever that is better; each row has as many of them."""
    luck = solver.facts[LUCK_NOW]
    ratings = rate_leaves(nets, solver, steps, leaves, luck, luck)[luck]
    unmarked = solver.facts[CARDS] & ~masks
    marked = np.nonzero(masks[:, None] >> ALL_PLACES & 1)[1].reshape(len(masks), -1)
    for places in np.ascontiguousarray(marked.T):
        pushed = leaves.pushed >> places & 1
        above = unmarked & NEXT_LEVEL[places] | leaves.pushed & OWN_LEVEL[places]
        may_rise = (places < PLACES - SLOTS) & (np.bitwise_count(above) < deck.room)
        rows = np.flatnonzero(pushed | may_rise)
        tried = leaves.take(rows).add(steps.flipped.take((places + PLACES * pushed)[rows]))
        rated = rate_leaves(nets, solver, steps, tried, luck, luck)[luck]
        better = np.flatnonzero(rated > ratings[rows])
        rows = rows[better]
        ratings[rows] = rated[better]
        for field, new in zip(leaves, tried.take(better), strict=True):
            field[rows] = new


# -- solo rules -----------------------------------------------------------------------------------------------------------


def lift_all(deck: Deck, nets: Nets, solver: PlainSolver, scored: Array) -> tuple[Array, Array]:
    """``lift_for_best`` for numbers of cards scored in this round, [cell][code]: the points gained and the change of the hidden layer."""
    facts = solver.facts
    worth = [factor * points for factor in deck.factor[facts[SOLO]] for points in deck.points]  # of a card, by cell
    before = (scored + np.array(solver.tally)[:, None]).astype(np.int8)
    counted = before.copy()
    for colour in range(COLOURS):
        if facts[PENDING_COLOUR] == colour:
            for _ in range(facts[PENDING]):
                lift_each(worth, counted, np.full(len(scored.T), True), colour, LEVELS)
        for level in range(LEVELS):
            lifts = deck.lifts[level] * scored[COLOURS * level + colour]
            for used in range(lifts.max()):
                lift_each(worth, counted, lifts > used, colour, level)
    sets = counted.reshape(LEVELS, COLOURS, -1).sum(axis=0).min(axis=0)
    change = (counted - before).T.astype(float)
    columns = np.array(nets.rows[facts[NET]][SCORED : SCORED + CELLS]).T
    # Column by column: for a product of matrices BLAS would start threads, which costs more than all the rest.
    return change @ worth + sets * deck.set_points, np.stack([change @ column for column in columns], axis=1)


def lift_each(worth: list[int], counted: Array, wanted: Array, highest: int, own_level: int) -> None:
    """``lift_one`` where it is ``wanted``."""
    gains = {cell: worth[cell + COLOURS] - worth[cell] for cell in range(CELLS - COLOURS) if cell % COLOURS <= highest}
    for cell in sorted(gains, key=lambda cell: -gains[cell]):
        if gains[cell] > 0:
            lifted = wanted & (counted[cell] > (1 if cell == COLOURS * own_level + highest else 0))
            wanted = wanted & ~lifted
            counted[cell] -= lifted
            counted[cell + COLOURS] += lifted
