"""Whole games played by simple computer players, for any family of games: kernel code."""

from __future__ import annotations

from foxclover.accounts import Result, write_result
from foxclover.kernel.family import (
    SEATS,
    State,
    Tables,
    acting,
    apply,
    chance_pending,
    draw,
    greedy,
    legal,
    start,
)
from foxclover.records import Record, assign, flag, ints
from foxclover.rng import below, seed_rng

CHANCE = -1
RANDOM, GREEDY = range(2)
CHOICE_STREAM = 0x5EED  # choices of computer players do not disturb the dice
MOVES = 256  # more than the longest list of legal moves
LOG = 4096  # moves of a game that are remembered
LOG_SEATS = 16  # a move in the log is number * LOG_SEATS + seat + 1


class Batch(Record):
    """Games ``first`` to ``first + count - 1`` of a seed, and how far they are."""

    players: int
    variant: int
    seed: int
    first: int
    count: int
    played: int  # games finished, counted one by one: what stops in the middle loses none of them
    made: int  # moves, chance's included
    logged: int  # moves of the present game
    stop: int = flag()  # set by whoever does not want to wait for the rest
    policies: list[int] = ints(SEATS)
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)
    moves: list[int] = ints(MOVES)
    log: list[int] = ints(LOG)


def make(tables: Tables, state: State, batch: Batch, seat: int, move: int) -> None:
    """Make a move and remember it."""
    if batch.logged < LOG:
        batch.log[batch.logged] = move * LOG_SEATS + seat + 1
    batch.logged += 1
    apply(tables, state, seat, move)


def first_seat(mask: int) -> int:
    """The lowest seat of a mask."""
    seat = 0
    while mask >> seat & 1 == 0:
        seat += 1
    return seat


def choose(
    tables: Tables,
    state: State,
    scratch: State,
    policy: int,
    seat: int,
    moves: list[int],
    rng: list[int],
) -> int:
    """The move a simple computer player makes."""
    count = legal(tables, state, seat, moves)
    if policy == RANDOM:
        return moves[below(rng, count)]
    return moves[greedy(tables, state, scratch, seat, moves, count)]


def play_out(tables: Tables, state: State, scratch: State, batch: Batch) -> bool:
    """Play on; tell whether the end of the game was reached."""
    while not batch.stop:
        if chance_pending(tables, state) > 0:
            make(tables, state, batch, CHANCE, draw(tables, state, batch.dice_rng))
        else:
            mask = acting(tables, state)
            if mask == 0:
                return True
            seat = first_seat(mask)
            make(
                tables,
                state,
                batch,
                seat,
                choose(
                    tables,
                    state,
                    scratch,
                    batch.policies[seat],
                    seat,
                    batch.moves,
                    batch.choice_rng,
                ),
            )
    return False


def play_games(
    tables: Tables,
    batch: Batch,
    opening: State,
    scratch: State,
    state: State,
    results: list[Result],
) -> None:
    """Play the games of a batch, one after the other on one table."""
    batch.made = 0
    batch.played = 0
    start(tables, opening, batch.players, batch.variant)
    while batch.played < batch.count:
        game = batch.played
        seed_rng(batch.dice_rng, batch.seed, batch.first + game)
        seed_rng(batch.choice_rng, batch.seed ^ CHOICE_STREAM, batch.first + game)
        batch.logged = 0
        assign(state, opening)  # quicker than setting up, and all games of a batch begin alike
        if not play_out(tables, state, scratch, batch):
            return
        finish(tables, state, batch, results[game])


def finish(tables: Tables, state: State, batch: Batch, result: Result) -> None:
    """Account for a game that is over."""
    write_result(tables, state, result)
    batch.made += batch.logged
    batch.played += 1
