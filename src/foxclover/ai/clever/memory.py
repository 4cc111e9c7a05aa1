"""What the net has said: while all that chance might do is weighed, most positions come up again, after other rolls or moves."""

from __future__ import annotations

from foxclover.ai.clever.inputs import SCALARS, Inputs, Plan
from foxclover.records import Record, one, rows

REMEMBERED = 2048
SCATTER = 40503  # rows of inputs that are alike are kept far apart
SCATTERED = 12  # bits of the product that depend on too little


class Remembered(Record):
    """A position."""

    time: int  # when it was seen
    output: float
    inputs: Inputs = one(Inputs)


class Memory(Record):
    """The positions seen last, each kept where its inputs tell."""

    in_use: int
    time: int  # what was seen earlier is forgotten
    kept: list[Remembered] = rows(Remembered, REMEMBERED)


def clear_memory(memory: Memory, in_use: bool) -> None:
    """Forget everything; from now on remember what the net says, or not."""
    memory.in_use = 1 if in_use else 0
    memory.time += 1


def kept_at(plan: Plan, inputs: Inputs) -> int:
    """Where a position would be kept."""
    total = 0
    for slot in range(plan.slots):
        row = plan.base[slot] + inputs.codes[slot]
        total += row * row
    return (total * SCATTER >> SCATTERED) % REMEMBERED


def is_remembered(plan: Plan, memory: Memory, at: int, inputs: Inputs) -> bool:
    """Has just this position been seen?"""
    found = memory.kept[at]
    if found.time != memory.time:
        return False
    for scalar in range(SCALARS):
        if found.inputs.scalars[scalar] != inputs.scalars[scalar]:
            return False
    differing = 0
    for slot in range(plan.slots):
        differing |= found.inputs.codes[slot] ^ inputs.codes[slot]
    return differing == 0
