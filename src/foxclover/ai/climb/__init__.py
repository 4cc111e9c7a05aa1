"""Computer players of Geht noch was?: a round's rolling solved exactly, nets for what a layout is worth."""

VECTORS = "foxclover.ai.climb.vectors"
NUMPY_VECTORS = "foxclover.ai.climb.numpy_vectors"
NUMPY_ROLLING = "foxclover.ai.climb.numpy_rolling"
SOLVING = (
    "foxclover.ai.climb.inputs",
    "foxclover.ai.climb.leaves",
    "foxclover.ai.climb.rolling",
)
RATING = (
    "foxclover.ai.climb.building",
    "foxclover.ai.climb.buying",
    "foxclover.ai.climb.rating",
    "foxclover.ai.climb.winning",
    "foxclover.ai.climb.search",
    "foxclover.ai.climb.playing",
)
COMPILED = (VECTORS, *SOLVING, *RATING, "foxclover.ai.climb.lessons")
PLAIN = (NUMPY_VECTORS, *SOLVING, "foxclover.ai.climb.numpy_leaves", NUMPY_ROLLING, *RATING)
