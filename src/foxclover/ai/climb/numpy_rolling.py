"""What ``rolling`` works out, for all positions with the same number of marked cards at once, in CPython."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foxclover.ai.climb.inputs import LUCKS
from foxclover.ai.climb.leaves import CARDS, COUNT, CUT, FAILED, LAST, LEVEL_MASK, LIMIT, LUCK_NOW, LUCKY_NOW, MARKED_NOW
from foxclover.ai.climb.numpy_leaves import ALL_PLACES, Leaves, Steps, improve_all, list_steps, rate_leaves
from foxclover.ai.climb.rolling import NEVER, PAIRS, begin, keep_with, luck_spent, out_with, rolls_answered
from foxclover.climb.state import LEVELS, ROLLS, SLOTS, Deck, State

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Nets, PlainSolver

    Array = np.ndarray[Any, Any]

PAIR = 2 * SLOTS
PAIR_MASK = (1 << PAIR) - 1


class Layer(NamedTuple):
    """All positions with so many marked cards."""

    first: int  # the number of the first one; the others follow
    marked: int
    masks: Array  # [position]
    leaves: Leaves
    keep: Any  # [luck][position]: what the layout is worth
    pairs: Array  # [position]: the lower level of the two with cards that may be marked next
    children: Array  # [position][card of these two]: the set that is marked then; 0: it may not be


def solve(deck: Deck, state: State, seat: int, nets: Nets, solver: PlainSolver, rolled: int) -> None:
    """Solve the round from where the player stands, ``rolled`` rolls having been answered."""
    begin(deck, state, seat, nets, solver, rolled)
    for layer in reversed(list_layers(deck, nets, solver)):
        settle_layer(deck, solver, layer)


# -- the positions --------------------------------------------------------------------------------------------------------


def list_layers(deck: Deck, nets: Nets, solver: PlainSolver) -> list[Layer]:
    """All positions, fewest marked cards first; if there are too many, the last whole layer must stop."""
    facts = solver.facts
    steps = list_steps(deck, nets, solver)
    code = steps.scored.codes @ ((solver.masks[0] & ~solver.pushed[0]) >> ALL_PLACES & 1)
    leaves = Leaves(*map(np.array, (solver.pushed[:1], [code], solver.hidden[:1], solver.points[:1])))
    masks, marked = np.array(solver.masks[:1]), facts[MARKED_NOW]
    markers = deck.black_markers + facts[LUCK_NOW] + facts[LUCKY_NOW]
    layers = [make_layer(nets, solver, steps, 0, marked, masks, leaves)]
    while marked < markers and layers[-1].children.any():
        marked += 1
        masks, leaves = mark_one(solver, steps, layers[-1])
        if facts[COUNT] + len(masks) > facts[LIMIT]:
            solver.found[masks] = -1
            facts[CUT] = layers[-1].first
            return layers
        if not facts[LAST]:
            improve_all(deck, nets, solver, steps, masks, leaves)
        layers.append(make_layer(nets, solver, steps, facts[COUNT], marked, masks, leaves))
    facts[CUT] = facts[COUNT]
    return layers


def make_layer(nets: Nets, solver: PlainSolver, steps: Steps, first: int, marked: int, masks: Array, leaves: Leaves) -> Layer:
    """Rate the positions of a layer and add them to the list."""
    solver.facts[COUNT] = first + len(masks)
    solver.masks[first : first + len(masks)] = masks.tolist()
    keep = rate_leaves(nets, solver, steps, leaves, 0, LUCKS - 1)
    return Layer(first, marked, masks, leaves, keep, *list_children(solver.facts[CARDS], masks))


def list_children(cards: int, masks: Array) -> tuple[Array, Array]:
    """Where the cards lie that may be marked next, and the sets of marked cards they lead to."""
    tops = np.sum([masks >> SLOTS * level > 0 for level in range(1, LEVELS)], axis=0)
    places = cards & ~masks & np.where(masks, PAIR_MASK << SLOTS * tops, LEVEL_MASK)
    pairs = np.minimum(tops, PAIRS - 1)
    bits = 1 << SLOTS * pairs[:, None] + np.arange(PAIR)
    return pairs, np.where(places[:, None] & bits, masks[:, None] | bits, 0)


def mark_one(solver: PlainSolver, steps: Steps, layer: Layer) -> tuple[Array, Leaves]:
    """The positions with one more card marked, and scored for now; each grows from the first one that leads to it."""
    parents, slots = np.nonzero(layer.children)
    masks = layer.children[parents, slots]
    numbers = np.arange(len(masks))
    solver.found[masks[::-1]] = numbers[::-1]
    new = np.flatnonzero(solver.found[masks] == numbers)
    masks, parents, slots = masks[new], parents[new], slots[new]
    solver.found[masks] = solver.facts[COUNT] + np.arange(len(masks))
    return masks, layer.leaves.take(parents).add(steps.scored.take(SLOTS * layer.pairs[parents] + slots))


# -- their values ---------------------------------------------------------------------------------------------------------


def settle_layer(deck: Deck, solver: PlainSolver, layer: Layer) -> None:
    """Find what the positions of a layer are worth with each amount of luck, those of the next layer being known."""
    facts = solver.facts
    here = slice(layer.first, layer.first + len(layer.masks))
    lucks = facts[LUCK_NOW] - luck_spent(deck, solver, layer.marked) + 1
    best, missed = order_children(solver, layer, lucks)
    for luck in range(lucks):
        rolled = rolls_answered(deck, solver, layer.marked, luck)
        solver.stop[here, luck] = keep_with(solver, layer.keep, luck, rolled)
        otherwise = np.full(len(layer.masks), out_with(solver, FAILED, luck, rolled + 1))
        if luck > 0:
            otherwise = np.maximum(otherwise, solver.value[here, luck - 1])
        left = luck if layer.marked < deck.black_markers else luck - 1
        if layer.first >= facts[CUT]:
            solver.roll[here, luck] = NEVER
        elif left < 0:
            solver.roll[here, luck] = otherwise
        else:
            solver.roll[here, luck] = rate_rolls(best[left], missed[left], otherwise)
        solver.value[here, luck] = np.maximum(solver.stop[here, luck], solver.roll[here, luck])


def order_children(solver: PlainSolver, layer: Layer, lucks: int) -> tuple[Array, Array]:
    """For each luck left and position: what the next marked card leads to, best first, and how many rolls miss it and all before it."""
    values = solver.value[:, :lucks].T.take(solver.found[layer.children], axis=1)
    worth = np.where(layer.children, values, NEVER)
    order = np.argsort(-worth)
    wanted = np.cumsum(1 << order, axis=-1)
    return np.take_along_axis(worth, order, axis=-1), solver.missed[layer.pairs[:, None], wanted]


def rate_rolls(best: Array, missed: Array, otherwise: Array) -> Array:
    """What one more roll is worth: the best card, less the step down to the next one whenever all so far are missed."""
    best = np.maximum(best, otherwise[:, None])
    worth: Array = best[:, 0] - ((best - np.column_stack([best[:, 1:], otherwise])) * missed).sum(axis=1) / ROLLS
    return worth
