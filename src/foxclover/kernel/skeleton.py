"""What the kernels of all families have in common."""


def within(package: str, *modules: str) -> tuple[str, ...]:
    """The whole names of modules."""
    return tuple(f"{package}.{name}" for name in modules)


MODULES = (
    *within("foxclover", "rng", "beginning", "kernel.family", "accounts", "playouts"),
    *within("foxclover.ai", "family", "trials", "sequential_halving", "playing"),
    *within("foxclover", "simulation.stepping", "review.family", "review.hindsight"),
)
ENTRIES = (
    *(
        "seed_rng",
        "below",
        "play_games",
        "start",
        "acting",
        "chance_pending",
        "draw",
        "legal",
        "apply",
        "score",
        "write_result",
    ),
    *("play_with_minds", "play_on", "rate", "misjudge", "wants_win", "choose_to_win"),
    *("rate_here", "weigh_chance", "compare", "concerns", "is_exact"),
    *("begin_lanes", "step_lanes", "draw_actions", "look", "observe"),
    *("list_candidates", "try_candidates", "drop_weaker_half", "worth"),
)
