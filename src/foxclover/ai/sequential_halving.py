"""Looking further than a rating: the best-looking moves are tried out, all with the same luck.

After a share of the tries the weaker half of the moves is dropped, so that most tries go to moves that are hard to tell apart.
"""

from __future__ import annotations

from foxclover.ai.family import Mind, look_ahead, standing
from foxclover.ai.trials import best_rated, drop_weaker_half, note_try, pick_candidates
from foxclover.kernel.family import Tables, apply
from foxclover.records import assign
from foxclover.rng import seed_rng


def list_candidates(mind: Mind, seat: int) -> int:
    """Order the rated moves; return how many of them, from the first on, are worth trying."""
    trials = mind.trials
    best = best_rated(trials)
    for index in range(trials.count):
        trials.standings[index] = standing(mind, seat, index, best)
    return pick_candidates(trials)


def try_candidates(
    tables: Tables, mind: Mind, seat: int, left: int, number: int, to_win: bool, seed: int
) -> None:
    """Try the first moves of the order some more times; the n-th try of every move has the same luck."""
    trials = mind.trials
    for at in range(left):
        index = trials.order[at]
        for _ in range(number):
            seed_rng(mind.look_rng, seed, trials.tries[index])
            assign(mind.ahead, mind.here)
            apply(tables, mind.ahead, seat, trials.moves[index])
            points, won = look_ahead(tables, mind, seat, to_win)
            note_try(trials, index, points, won)


def search(
    tables: Tables, mind: Mind, seat: int, tries: int, prior: float, to_win: bool, seed: int
) -> int:
    """Find the best of the rated moves with about so many tries; return its index."""
    left = list_candidates(mind, seat)
    turns = 0
    while 1 << turns < left:
        turns += 1
    while left > 1:
        try_candidates(tables, mind, seat, left, max(1, tries // (turns * left)), to_win, seed)
        left = drop_weaker_half(mind.trials, left, prior, to_win)
    return mind.trials.order[0]
