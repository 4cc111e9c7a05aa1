"""Computer players for the two Clever games: what the net sees, how it chooses, how it learns."""

PLAYING = (
    "foxclover.ai.network",
    "foxclover.ai.clever.inputs",
    "foxclover.ai.clever.policy",
    "foxclover.ai.clever.search",
    "foxclover.ai.clever.playing",
)
LEARNING = (*PLAYING, "foxclover.ai.learning", "foxclover.ai.clever.lessons")
