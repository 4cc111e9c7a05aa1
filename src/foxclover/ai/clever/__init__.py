"""Computer players for the two Clever games: what the net sees, how it chooses, how it learns."""

PLAYING = (
    "foxclover.ai.network",
    "foxclover.ai.clever.inputs",
    "foxclover.ai.clever.policy",
    "foxclover.ai.clever.search",
    "foxclover.ai.clever.playing",
)
LEARNING = (*PLAYING, "foxclover.ai.learning", "foxclover.ai.clever.lessons")

from foxclover.kernel.program import Program  # noqa: E402

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
    ),
    records={"Book": "foxclover.clever.state.Sheet", "State": "foxclover.clever.state.State"},
    entries=("seed_rng", "below", "play_games", "start", "acting", "chance_pending", "draw", "legal", "apply", "score"),
)
