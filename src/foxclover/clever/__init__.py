"""The rules of the two Clever games, in plain integers."""

COMPILED = (
    "foxclover.rng",
    "foxclover.clever.state",
    "foxclover.clever.bonuses",
    "foxclover.clever.areas",
    "foxclover.clever.moves",
    "foxclover.clever.turns",
    "foxclover.clever.rules",
    "foxclover.clever.greedy",
)
