"""Computer players for the two Clever games: what the net sees, how it chooses, how it learns."""

from foxclover.kernel.program import Program

PROGRAM = Program(
    modules=(
        "foxclover.rng",
        "foxclover.kernel.family",
        "foxclover.clever.state",
        "foxclover.clever.bonuses",
        "foxclover.clever.areas",
        "foxclover.clever.moves",
        "foxclover.clever.turns",
        "foxclover.clever.rules",
        "foxclover.clever.greedy",
        "foxclover.playouts",
        "foxclover.ai.family",
        "foxclover.ai.trials",
        "foxclover.ai.sequential_halving",
        "foxclover.ai.playing",
        "foxclover.ai.clever.inputs",
        "foxclover.ai.clever.network",
        "foxclover.ai.clever.mind",
        "foxclover.ai.clever.rating",
        "foxclover.ai.clever.rollouts",
        "foxclover.ai.clever.learning",
        "foxclover.ai.clever.self_play",
    ),
    records={
        "Book": "foxclover.clever.state.Sheet",
        "State": "foxclover.clever.state.State",
        "Mind": "foxclover.ai.clever.mind.Mind",
    },
    entries=(
        *("seed_rng", "below", "play_games", "start", "acting", "chance_pending", "draw", "legal", "apply", "score"),
        *("play_with_minds", "play_on", "rate", "misjudge", "wants_win", "choose_to_win"),
        *("list_candidates", "try_candidates", "drop_weaker_half", "worth"),
        *("teach", "step_net", "transpose"),
    ),
)
