"""Computer players of Geht noch was?: a round's rolling solved exactly, nets for what a layout is worth."""

VECTORS = "foxclover.ai.climb.vectors"
NUMPY_VECTORS = "foxclover.ai.climb.numpy_vectors"
THINKING = (
    "foxclover.ai.climb.inputs",
    "foxclover.ai.climb.leaves",
    "foxclover.ai.climb.rolling",
    "foxclover.ai.climb.building",
    "foxclover.ai.climb.buying",
    "foxclover.ai.climb.rating",
    "foxclover.ai.climb.winning",
    "foxclover.ai.climb.search",
    "foxclover.ai.climb.playing",
)
COMPILED = (VECTORS, *THINKING, "foxclover.ai.climb.lessons")
PLAIN = (NUMPY_VECTORS, *THINKING)
