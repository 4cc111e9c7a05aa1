"""Whole games played by simple computer players, for any rules package.

The functions of a package's rules named below are bound by ``fast.link``: plain in CPython, compiled under numba.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.records import assign
from foxclover.rng import below, seed_rng

if TYPE_CHECKING:
    from foxclover.clever.greedy import greedy
    from foxclover.clever.rules import acting, apply, chance_pending, draw, legal, score, start
    from foxclover.clever.state import Sheet, State

CHANCE = -1
RANDOM, GREEDY = range(2)
CHOICE_STREAM = 0x5EED  # choices of computer players do not disturb the dice


def first_seat(mask: int) -> int:
    """The lowest seat of a mask."""
    seat = 0
    while mask >> seat & 1 == 0:
        seat += 1
    return seat


def choose(book: Sheet, state: State, scratch: State, policy: int, seat: int, moves: list[int], choice_rng: list[int]) -> int:
    """The move a simple computer player makes."""
    count = legal(book, state, seat, moves)
    if policy == RANDOM:
        return moves[below(choice_rng, count)]
    return moves[greedy(book, state, scratch, seat, moves, count)]


def play_out(
    book: Sheet, state: State, scratch: State, policies: list[int], dice_rng: list[int], choice_rng: list[int], moves: list[int]
) -> int:
    """Play on to the end of the game; return how many moves were made, chance's included."""
    count = 0
    while True:
        if chance_pending(book, state) > 0:
            apply(book, state, CHANCE, draw(book, state, dice_rng))
        else:
            mask = acting(book, state)
            if mask == 0:
                return count
            seat = first_seat(mask)
            apply(book, state, seat, choose(book, state, scratch, policies[seat], seat, moves, choice_rng))
        count += 1


def play_games(
    books: list[Sheet],
    scratch: list[State],
    tables: list[State],
    players: int,
    variant: int,
    policies: list[int],
    seed: int,
    first: int,
    count: int,
    dice_rng: list[int],
    choice_rng: list[int],
    moves: list[int],
    scores: list[list[int]],
) -> int:
    """Play games ``first`` to ``first + count - 1`` of a seed, each in its own one of the blank ``tables``; return the moves made.

    ``scores`` has a row for each game. How games ended is left on the tables.
    """
    book = books[0]
    made = 0
    for game in range(count):
        state = tables[game]
        seed_rng(dice_rng, seed, first + game)
        seed_rng(choice_rng, seed ^ CHOICE_STREAM, first + game)
        start(book, state, players, variant)
        made += play_out(book, state, scratch[0], policies, dice_rng, choice_rng, moves)
        for seat in range(players):
            scores[game][seat] = score(book, state, seat)
    return made


def continue_games(
    books: list[Sheet],
    states: list[State],
    policies: list[int],
    seed: int,
    count: int,
    dice_rng: list[int],
    choice_rng: list[int],
    moves: list[int],
    scores: list[list[int]],
) -> int:
    """Play ``count`` games on from the position in ``states[0]``, each with other dice. Return the moves made."""
    made = 0
    for game in range(count):
        seed_rng(dice_rng, seed, game)
        seed_rng(choice_rng, seed ^ CHOICE_STREAM, game)
        assign(states[1], states[0])
        made += play_out(books[0], states[1], states[2], policies, dice_rng, choice_rng, moves)
        for seat in range(states[0].players):
            scores[game][seat] = score(books[0], states[1], seat)
    return made
