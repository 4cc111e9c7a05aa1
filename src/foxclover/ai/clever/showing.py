"""What the net sees of a Clever game, as numbers for learning. ``envs.clever`` names them, in the same order."""

from __future__ import annotations

from foxclover.ai.clever.inputs import SCALARS, collect
from foxclover.ai.clever.mind import Mind
from foxclover.clever.state import Sheet, State


def write_inputs(
    sheet: Sheet, mind: Mind, state: State, seat: int, inputs: list[float], at: int
) -> None:
    """Write the codes and the scalars of a player, from index ``at`` on."""
    collect(sheet, mind.plan, state, seat, mind.inputs)
    for slot in range(mind.plan.slots):
        inputs[at + slot] = float(mind.inputs.codes[slot])
    at += mind.plan.slots
    for n in range(SCALARS):
        inputs[at + n] = mind.inputs.scalars[n]
