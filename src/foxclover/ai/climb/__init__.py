"""Computer players of Geht noch was?: a round's rolling solved exactly, nets for what a layout is worth."""

from foxclover.kernel.program import Program

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
        "foxclover.ai.family",
        "foxclover.ai.trials",
        "foxclover.ai.sequential_halving",
        "foxclover.ai.playing",
        "foxclover.ai.climb.vectors",
        "foxclover.ai.climb.network",
        "foxclover.ai.climb.inputs",
        "foxclover.ai.climb.mind",
        "foxclover.ai.climb.after_round",
        "foxclover.ai.climb.rolling",
        "foxclover.ai.climb.building",
        "foxclover.ai.climb.purchase_plans",
        "foxclover.ai.climb.buying",
        "foxclover.ai.climb.rating",
        "foxclover.ai.climb.winning",
        "foxclover.ai.climb.search",
        "foxclover.ai.climb.self_play",
    ),
    records={
        "Book": "foxclover.climb.state.Deck",
        "State": "foxclover.climb.state.State",
        "Mind": "foxclover.ai.climb.mind.Mind",
    },
    entries=(
        *("seed_rng", "below", "play_games", "start", "acting", "chance_pending", "draw", "legal", "apply", "score"),
        *("play_with_minds", "play_on", "rate", "misjudge", "wants_win", "choose_to_win"),
        *("list_candidates", "try_candidates", "drop_weaker_half", "worth"),
        "play_games_to_learn",
    ),
)
