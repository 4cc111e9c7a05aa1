"""Computer players of Geht noch was?: a round's rolling solved exactly, nets for what a tableau is worth."""

from foxclover.kernel.program import Program
from foxclover.kernel.skeleton import ENTRIES, MODULES, within

PROGRAM = Program(
    modules=(
        *MODULES,
        *within(
            "foxclover.climb",
            "state",
            "piles",
            "tableau",
            "moves",
            "phases",
            "rules",
            "account",
            "observing",
            "solver",
            "greedy",
        ),
        *within(
            "foxclover.ai.climb",
            "vectors",
            "network",
            "inputs",
            "mind",
            "after_round",
            "rolling",
            "building",
        ),
        *within(
            "foxclover.ai.climb",
            "purchase_plans",
            "buying",
            "rating",
            "winning",
            "search",
            "self_play",
            "showing",
        ),
        "foxclover.review.climb",
    ),
    records={
        "Tables": "foxclover.climb.state.Deck",
        "State": "foxclover.climb.state.State",
        "Mind": "foxclover.ai.climb.mind.Mind",
    },
    entries=(*ENTRIES, "play_games_to_learn"),
)
