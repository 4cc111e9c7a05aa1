"""What the nets see of Geht noch was?, as numbers for learning. ``envs.climb`` names them, in the same order."""

from __future__ import annotations

from foxclover.ai.climb.inputs import overlap, write_tableau
from foxclover.ai.climb.mind import Mind
from foxclover.ai.climb.network import INPUTS, MISS
from foxclover.climb.state import LEVELS, Deck, State


def write_inputs(
    deck: Deck, mind: Mind, state: State, seat: int, inputs: list[float], at: int
) -> None:
    """Write the inputs of a player's tableau as if he were about to roll, from index ``at`` on."""
    mine = state.seats[seat]
    write_tableau(deck, state, mine, mind.tableau)
    for level in range(LEVELS):
        mind.tableau.inputs[MISS + level] += overlap(deck, mine, level, 0)
    for n in range(INPUTS):
        inputs[at + n] = mind.tableau.inputs[n]
