"""Computer players for the two Clever games: what the net sees, how it chooses, how it learns."""

from foxclover.kernel.program import Program
from foxclover.kernel.skeleton import ENTRIES, MODULES, within

PROGRAM = Program(
    modules=(
        *MODULES,
        *within(
            "foxclover.clever",
            "state",
            "bonuses",
            "areas",
            "moves",
            "turns",
            "rules",
            "account",
            "observing",
            "greedy",
        ),
        *within(
            "foxclover.ai.clever",
            "inputs",
            "network",
            "memory",
            "mind",
            "showing",
            "rating",
            "rollouts",
            "learning",
            "self_play",
        ),
        "foxclover.review.clever",
    ),
    records={
        "Tables": "foxclover.clever.state.Sheet",
        "State": "foxclover.clever.state.State",
        "Mind": "foxclover.ai.clever.mind.Mind",
    },
    entries=(*ENTRIES, "teach", "step_net", "transpose"),
)
