"""What a game that was played is judged by: ratings, what chance would have given on average, and moves tried out with the same dice."""

from __future__ import annotations

from foxclover.ai.family import ROLL_DUE, Mind
from foxclover.kernel.family import (
    Tables,
    acting,
    apply,
    chance_moves,
    chance_pending,
    draw,
    legal,
    score,
)
from foxclover.playouts import CHANCE, first_seat
from foxclover.records import Record, assign, ints
from foxclover.review.family import (
    MEAN_UNKNOWN,
    is_at_rest,
    known_mean,
    move_ahead,
    rate_through,
    see_end,
    start_rating,
    value_at_rest,
)
from foxclover.rng import seed_rng

OUTCOMES = 46656  # as many as any chance move has
FEW = 216  # outcomes that are all looked at


class Weighing(Record):
    """A move of chance, and what it might have brought a player."""

    after: float  # expected points after what it did bring
    before: float  # the mean over what it might have brought
    variance: float
    moves: list[int] = ints(OUTCOMES)
    weights: list[int] = ints(OUTCOMES)


def rate_here(tables: Tables, mind: Mind, seat: int, seed: int) -> int:
    """Rate the legal moves of a player in ``mind.here``; return the index of the best."""
    seed_rng(mind.look_rng, seed, 0)
    mind.every = 1
    mind.fresh = 0  # games are judged from their beginning on
    mind.trials.count = legal(tables, mind.here, seat, mind.trials.moves)
    start_rating(mind, False)
    return rate_through(tables, mind, mind.here, seat, mind.trials)


def foresee(tables: Tables, mind: Mind, seat: int) -> float:
    """Carry the game on from ``mind.ahead`` until a player decides; return what his best move is worth."""
    state = mind.ahead
    trials = mind.ahead_trials
    while True:
        mask = acting(tables, state)
        if mask >> seat & 1:
            trials.count = legal(tables, state, seat, trials.moves)
            best = rate_through(tables, mind, state, seat, trials)
            return trials.ratings[best]
        if is_at_rest(tables, state, seat):
            return value_at_rest(tables, mind, state, seat)
        if mask > 0:
            mover = first_seat(mask)
            move = move_ahead(tables, mind, state, seat, mover)
            apply(tables, state, mover, move)
        elif chance_pending(tables, state) > 0:
            apply(tables, state, CHANCE, draw(tables, state, mind.look_rng))
        else:
            return float(score(tables, state, seat))


def worth_after(
    tables: Tables, mind: Mind, seat: int, outcome: int, streams: int, seed: int
) -> float:
    """What a player may expect after chance's move in ``mind.here``: the mean of some ways to go on, the same ones for every outcome."""
    total = 0.0
    for stream in range(streams):
        seed_rng(mind.look_rng, seed, stream)
        assign(mind.ahead, mind.here)
        apply(tables, mind.ahead, CHANCE, outcome)
        decides = acting(tables, mind.ahead) >> seat & 1
        worth = foresee(tables, mind, seat)
        if decides:
            return worth
        total += worth
    return total / streams


def weigh_chance(
    tables: Tables,
    mind: Mind,
    weighing: Weighing,
    seat: int,
    outcome: int,
    samples: int,
    streams: int,
    seed: int,
) -> None:
    """Compare what chance did in ``mind.here`` with what it might have done: all of it where that is little, else samples.

    Where a family knows the mean, samples only tell how far outcomes lie apart.
    """
    rolls = chance_pending(tables, mind.here) == ROLL_DUE
    mind.every = 0
    mind.fresh = (
        0 if rolls else 1
    )  # one roll or another, the round is solved once; other cards are another round
    start_rating(mind, True)
    known = known_mean(tables, mind, seat)
    weighing.after = worth_after(tables, mind, seat, outcome, streams, seed)
    count = chance_moves(tables, mind.here, weighing.moves, weighing.weights)
    sampled = count > FEW
    seed_rng(mind.dice_rng, seed, streams)
    total = 0.0
    squares = 0.0
    weight = 0
    for n in range(samples if sampled else count):
        other = draw(tables, mind.here, mind.dice_rng) if sampled else weighing.moves[n]
        times = 1 if sampled else weighing.weights[n]
        difference = worth_after(tables, mind, seat, other, streams, seed) - weighing.after
        total += times * difference
        squares += times * difference * difference
        weight += times
    mean = total / weight
    weighing.variance = max(0.0, squares / weight - mean * mean)
    weighing.before = weighing.after + mean if known == MEAN_UNKNOWN else known


def compare(
    tables: Tables,
    mind: Mind,
    seat: int,
    moves: list[int],
    first: int,
    tries: int,
    seed: int,
    results: list[float],
) -> None:
    """Try legal moves of ``mind.here`` out, all with the same luck; write the points of each, then its shares of the win."""
    mind.every = 0
    mind.fresh = 1
    for index, move in enumerate(moves):
        for n in range(tries):
            assign(mind.ahead, mind.here)
            apply(tables, mind.ahead, seat, move)
            points, won = see_end(tables, mind, seat, seed, first + n)
            results[index * tries + n] = points
            results[(len(moves) + index) * tries + n] = won
