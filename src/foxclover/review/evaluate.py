"""Evaluate a game that was played: kernel code.

Rate moves, average over the outcomes of chance moves, and roll out moves with the same dice.
"""

from __future__ import annotations

from foxclover.ai.stubs import Workspace
from foxclover.core.records import Record, assign, ints
from foxclover.core.rules import CHANCE, MAX_OUTCOMES, ROLL_DUE, seed_rng
from foxclover.kernel.batch import first_seat
from foxclover.kernel.stubs import (
    Tables,
    acting,
    apply,
    chance_moves,
    chance_pending,
    draw,
    legal,
    score,
)
from foxclover.review.stubs import (
    MEAN_UNKNOWN,
    is_at_rest,
    known_mean,
    move_ahead,
    rate_through,
    see_end,
    start_rating,
    value_at_rest,
)

FEW = 216  # outcomes that are all evaluated


class ChanceEvaluation(Record):
    """The effect of a chance move on a player, and of its other outcomes."""

    after: float  # expected points after its outcome
    before: float  # the mean over all outcomes
    variance: float
    moves: list[int] = ints(MAX_OUTCOMES)
    weights: list[int] = ints(MAX_OUTCOMES)


def rate_here(tables: Tables, workspace: Workspace, seat: int, seed: int) -> int:
    """Rate the legal moves of a seat in ``workspace.here``; return the index of the best."""
    seed_rng(workspace.look_rng, seed, 0)
    workspace.rate_all = 1
    workspace.no_cache = 0  # a review follows the game from its start
    workspace.candidates.count = legal(tables, workspace.here, seat, workspace.candidates.moves)
    start_rating(workspace, False)
    return rate_through(tables, workspace, workspace.here, seat, workspace.candidates)


def foresee(tables: Tables, workspace: Workspace, seat: int) -> float:
    """Play on from ``workspace.ahead`` until a seat decides; return the value of its best move."""
    state = workspace.ahead
    candidates = workspace.ahead_candidates
    while True:
        mask = acting(tables, state)
        if mask >> seat & 1:
            candidates.count = legal(tables, state, seat, candidates.moves)
            best = rate_through(tables, workspace, state, seat, candidates)
            return candidates.ratings[best]
        if is_at_rest(tables, state, seat):
            return value_at_rest(tables, workspace, state, seat)
        if mask > 0:
            mover = first_seat(mask)
            move = move_ahead(tables, workspace, state, seat, mover)
            apply(tables, state, mover, move)
        elif chance_pending(tables, state) > 0:
            apply(tables, state, CHANCE, draw(tables, state, workspace.look_rng))
        else:
            return float(score(tables, state, seat))


def value_after(
    tables: Tables, workspace: Workspace, seat: int, outcome: int, streams: int, seed: int
) -> float:
    """Return the expected points of a seat after a chance move in ``workspace.here``.

    The mean over some continuations, the same ones for every outcome.
    """
    total = 0.0
    for stream in range(streams):
        seed_rng(workspace.look_rng, seed, stream)
        assign(workspace.ahead, workspace.here)
        apply(tables, workspace.ahead, CHANCE, outcome)
        decides = acting(tables, workspace.ahead) >> seat & 1
        value = foresee(tables, workspace, seat)
        if decides:
            return value
        total += value
    return total / streams


def evaluate_chance(
    tables: Tables,
    workspace: Workspace,
    evaluation: ChanceEvaluation,
    seat: int,
    outcome: int,
    samples: int,
    streams: int,
    seed: int,
) -> None:
    """Compare an outcome of the chance move in ``workspace.here`` with all others, or samples.

    Where a family knows the mean, samples give the variance only.
    """
    rolls = chance_pending(tables, workspace.here) == ROLL_DUE
    workspace.rate_all = 0
    # All rolls share the solution of a round; other cards make another round.
    workspace.no_cache = 0 if rolls else 1
    start_rating(workspace, True)
    known = known_mean(tables, workspace, seat)
    evaluation.after = value_after(tables, workspace, seat, outcome, streams, seed)
    count = chance_moves(tables, workspace.here, evaluation.moves, evaluation.weights)
    sampled = count > FEW
    seed_rng(workspace.dice_rng, seed, streams)
    total = 0.0
    squares = 0.0
    weight = 0
    for n in range(samples if sampled else count):
        other = draw(tables, workspace.here, workspace.dice_rng) if sampled else evaluation.moves[n]
        times = 1 if sampled else evaluation.weights[n]
        difference = value_after(tables, workspace, seat, other, streams, seed) - evaluation.after
        total += times * difference
        squares += times * difference * difference
        weight += times
    mean = total / weight
    evaluation.variance = max(0.0, squares / weight - mean * mean)
    evaluation.before = evaluation.after + mean if known == MEAN_UNKNOWN else known


def compare(
    tables: Tables,
    workspace: Workspace,
    seat: int,
    moves: list[int],
    first: int,
    tries: int,
    seed: int,
    results: list[float],
) -> None:
    """Roll out legal moves of ``workspace.here``, all with the same dice.

    Write the points of every rollout, then the shares of the win.
    """
    workspace.rate_all = 0
    workspace.no_cache = 1
    for index, move in enumerate(moves):
        for n in range(tries):
            assign(workspace.ahead, workspace.here)
            apply(tables, workspace.ahead, seat, move)
            points, won = see_end(tables, workspace, seat, seed, first + n)
            results[index * tries + n] = points
            results[(len(moves) + index) * tries + n] = won
