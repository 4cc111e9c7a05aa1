"""Random games that write down every move: run in CPython and compiled, the two must agree move by move.

Like ``playouts``, this is bound to a rules package by ``fast.link``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.records import assign
from foxclover.rng import below, seed_rng

if TYPE_CHECKING:
    from foxclover.clever.rules import acting, apply, chance_pending, draw, legal, score, start
    from foxclover.clever.state import Sheet, State

LONGEST = 4000  # moves of a game


def nth_seat(mask: int, n: int) -> int:
    """The n-th seat of a mask."""
    seat = -1
    while n >= 0:
        seat += 1
        if mask >> seat & 1:
            n -= 1
    return seat


def count_seats(mask: int) -> int:
    """How many seats a mask holds."""
    count = 0
    while mask > 0:
        count += mask & 1
        mask >>= 1
    return count


def trace_game(
    books: list[Sheet], states: list[State], players: int, variant: int, game: int, rng: list[int], moves: list[int], trace: list[int]
) -> int:
    """Play a game at random, anybody who may act in any order; write seat, number of legal moves, move and score of every step."""
    book = books[0]
    state = states[1]
    assign(state, states[0])
    seed_rng(rng, 11, game)
    start(book, state, players, variant)
    length = 0
    while length < LONGEST:
        mask = acting(book, state)
        seat = -1
        count = 0
        if mask > 0:
            seat = nth_seat(mask, below(rng, count_seats(mask)))
            count = legal(book, state, seat, moves)
            move = moves[below(rng, count)]
        elif chance_pending(book, state) > 0:
            move = draw(book, state, rng)
        else:
            return length
        apply(book, state, seat, move)
        trace[length] = ((seat + 1) * 1000 + count) * 1000000 + move
        trace[length + 1] = score(book, state, max(seat, 0))
        length += 2
    return -1
