"""Computer players for the two Clever games: what the net sees, how it chooses, how it learns."""

from foxclover.ai.skeleton import ENTRIES, MODULES, within
from foxclover.kernel.program import Program

PROGRAM = Program(
    modules=(
        *MODULES,
        *within("foxclover.clever", "state", "bonuses", "areas", "moves", "turns", "rules", "account", "observing", "greedy"),
        *within("foxclover.ai.clever", "inputs", "network", "mind", "showing", "rating", "rollouts", "looking_back"),
        *within("foxclover.ai.clever", "learning", "self_play"),
    ),
    records={"Book": "foxclover.clever.state.Sheet", "State": "foxclover.clever.state.State", "Mind": "foxclover.ai.clever.mind.Mind"},
    entries=(*ENTRIES, "teach", "step_net", "transpose"),
)
