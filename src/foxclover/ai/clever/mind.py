"""What one thread thinks with about a Clever game."""

from __future__ import annotations

from foxclover.ai.clever.inputs import Inputs, Plan
from foxclover.ai.clever.memory import Memory
from foxclover.ai.clever.network import Activations, Net
from foxclover.ai.trials import Trials
from foxclover.clever.state import State
from foxclover.records import Record, ints, one


class Mind(Record):
    """The net, and room for it to work; the fields that ``ai.family`` names mean the same here."""

    here: State = one(State)
    known: State = one(State)
    ahead: State = one(State)
    trials: Trials = one(Trials)
    every: int
    fresh: int
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)
    look_rng: list[int] = ints(4)
    plan: Plan = one(Plan)
    net: Net = one(Net)
    at_work: Activations = one(Activations)
    inputs: Inputs = one(Inputs)  # of a position after a move
    memory: Memory = one(Memory)
    after: State = one(State)  # a position after a move
    ahead_trials: Trials = one(Trials)  # of ``ahead``
    further: State = one(State)  # a position after a move and what may follow it at once
    further_trials: Trials = one(Trials)
