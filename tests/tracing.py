"""Random games that write down every move.

Run by CPython and by the kernel, the two must agree move by move. Kernel code.
"""

from __future__ import annotations

from foxclover.core.records import Record, assign, ints
from foxclover.core.rules import MAX_MOVES, below, seed_rng
from foxclover.kernel.stubs import (
    State,
    Tables,
    acting,
    apply,
    chance_pending,
    draw,
    legal,
    score,
    start,
)

LONGEST = 4000  # numbers written down for a game


class Trace(Record):
    """A game, and what happened in it.

    Seat, number of legal moves and move of every step, and the score after it.
    """

    players: int
    variant: int
    game: int
    length: int
    rng: list[int] = ints(4)
    moves: list[int] = ints(MAX_MOVES)
    steps: list[int] = ints(LONGEST + 2)


def nth_seat(mask: int, n: int) -> int:
    """The n-th seat of a mask."""
    seat = -1
    while n >= 0:
        seat += 1
        if mask >> seat & 1:
            n -= 1
    return seat


def trace_game(tables: Tables, blank: State, state: State, trace: Trace) -> None:
    """Play a game at random, anybody who may act in any order."""
    assign(state, blank)
    seed_rng(trace.rng, 11, trace.game)
    start(tables, state, trace.players, trace.variant)
    trace.length = 0
    while trace.length < LONGEST:
        mask = acting(tables, state)
        seat = -1
        count = 0
        if mask > 0:
            seat = nth_seat(mask, below(trace.rng, mask.bit_count()))
            count = legal(tables, state, seat, trace.moves)
            move = trace.moves[below(trace.rng, count)]
        elif chance_pending(tables, state) > 0:
            move = draw(tables, state, trace.rng)
        else:
            return
        apply(tables, state, seat, move)
        trace.steps[trace.length] = ((seat + 1) * 1000 + count) * 1000000 + move
        trace.steps[trace.length + 1] = score(tables, state, max(seat, 0))
        trace.length += 2
    trace.length = -1
