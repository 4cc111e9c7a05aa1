"""Computer players of Geht noch was?: a round's rolling solved exactly, nets for what a layout is worth.

Compiled and in CPython the same modules think; in CPython the ``NUMPY`` ones replace a few functions by twins that work on whole arrays.
"""

VECTORS = ("foxclover.ai.climb.vectors",)
SOLVING = ("foxclover.ai.climb.inputs", "foxclover.ai.climb.leaves", "foxclover.ai.climb.rolling")
PLANNING = ("foxclover.ai.climb.building", "foxclover.ai.climb.plans")
RATING = (
    "foxclover.ai.climb.buying",
    "foxclover.ai.climb.rating",
    "foxclover.ai.climb.winning",
    "foxclover.ai.climb.search",
    "foxclover.ai.climb.playing",
)
NUMPY_VECTORS = ("foxclover.ai.climb.numpy_vectors",)
NUMPY_SOLVING = ("foxclover.ai.climb.numpy_leaves", "foxclover.ai.climb.numpy_rolling")
NUMPY_PLANNING = ("foxclover.ai.climb.numpy_building",)
COMPILED = (*VECTORS, *SOLVING, *PLANNING, *RATING, "foxclover.ai.climb.lessons")
PLAIN = (*NUMPY_VECTORS, *SOLVING, *NUMPY_SOLVING, *PLANNING, *NUMPY_PLANNING, *RATING)

from foxclover.kernel.program import Program  # noqa: E402

PROGRAM = Program(
    modules=(
        "foxclover.rng",
        "foxclover.kernel.family",
        "foxclover.climb.state",
        "foxclover.climb.piles",
        "foxclover.climb.layout",
        "foxclover.climb.moves",
        "foxclover.climb.phases",
        "foxclover.climb.rules",
        "foxclover.climb.solver",
        "foxclover.climb.greedy",
        "foxclover.playouts",
    ),
    records={"Book": "foxclover.climb.state.Deck", "State": "foxclover.climb.state.State"},
    entries=("seed_rng", "below", "play_games", "start", "acting", "chance_pending", "draw", "legal", "apply", "score"),
)
