"""Computer players for the two Clever games: what the net sees, how it chooses, how it learns."""

COMPILED = (
    "foxclover.ai.network",
    "foxclover.ai.learning",
    "foxclover.ai.clever.inputs",
    "foxclover.ai.clever.policy",
    "foxclover.ai.clever.search",
    "foxclover.ai.clever.lessons",
    "foxclover.ai.clever.playing",
)
