"""Geht noch was?: conditions, decks, rules, odds."""

COMPILED = (
    "foxclover.rng",
    "foxclover.climb.state",
    "foxclover.climb.piles",
    "foxclover.climb.layout",
    "foxclover.climb.moves",
    "foxclover.climb.phases",
    "foxclover.climb.rules",
    "foxclover.climb.solver",
    "foxclover.climb.greedy",
)
