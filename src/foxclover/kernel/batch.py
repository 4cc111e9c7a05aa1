"""Play whole games with simple computer players and write their results: kernel code.

Nothing here depends on a family of games.
"""

from __future__ import annotations

from foxclover.core.records import Record, assign, flag, ints
from foxclover.core.rules import (
    CHANCE,
    MAX_MOVES,
    MAX_PARTS,
    MAX_PLAYERS,
    MAX_TALLIES,
    below,
    seed_rng,
)
from foxclover.kernel.stubs import (
    State,
    Tables,
    acting,
    apply,
    chance_pending,
    draw,
    greedy,
    is_ahead,
    legal,
    score,
    start,
    write_parts,
    write_tallies,
)

RANDOM, GREEDY = range(2)
CHOICE_STREAM = 0x5EED  # choices of computer players do not disturb the dice
LOG = 4096  # moves of a game that are remembered
LOG_SEATS = 16  # a move in the log is number * LOG_SEATS + seat + 1


class Batch(Record):
    """Games ``first`` to ``first + count - 1`` of a seed, and how far they are."""

    players: int
    variant: int
    seed: int
    first: int
    count: int
    played: int  # finished games, counted one by one so that a trap loses none
    made: int  # moves, with those of chance
    logged: int  # moves of the present game
    stop: int = flag()  # set by another thread to end the batch early
    policies: list[int] = ints(MAX_PLAYERS)
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)
    moves: list[int] = ints(MAX_MOVES)
    log: list[int] = ints(LOG)


class Result(Record):
    """The result of a game.

    Parts and tallies have the order in which the family's scoring names them.
    """

    integer = "i4"
    rounds: int
    points: list[int] = ints(MAX_PLAYERS)
    places: list[int] = ints(MAX_PLAYERS)  # 1 is first, equals share a place
    parts: list[list[int]] = ints(MAX_PLAYERS, MAX_PARTS)
    tallies: list[list[int]] = ints(MAX_PLAYERS, MAX_TALLIES)


def make(tables: Tables, state: State, batch: Batch, seat: int, move: int) -> None:
    """Make a move and log it."""
    if batch.logged < LOG:
        batch.log[batch.logged] = move * LOG_SEATS + seat + 1
    batch.logged += 1
    apply(tables, state, seat, move)


def first_seat(mask: int) -> int:
    """Return the lowest seat of a mask."""
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
    """Return the move of a simple computer player."""
    count = legal(tables, state, seat, moves)
    if policy == RANDOM:
        return moves[below(rng, count)]
    return moves[greedy(tables, state, scratch, seat, moves, count)]


def play_out(tables: Tables, state: State, scratch: State, batch: Batch) -> bool:
    """Play on; return whether the game is over."""
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
    """Play the games of a batch, one after the other."""
    batch.made = 0
    batch.played = 0
    start(tables, opening, batch.players, batch.variant)
    while batch.played < batch.count:
        game = batch.played
        seed_rng(batch.dice_rng, batch.seed, batch.first + game)
        seed_rng(batch.choice_rng, batch.seed ^ CHOICE_STREAM, batch.first + game)
        batch.logged = 0
        assign(state, opening)  # quicker than a new start, and equal in all games of a batch
        if not play_out(tables, state, scratch, batch):
            return
        finish(tables, state, batch, results[game])


def finish(tables: Tables, state: State, batch: Batch, result: Result) -> None:
    """Write the result of a finished game and count it."""
    write_result(tables, state, result)
    batch.made += batch.logged
    batch.played += 1


def write_result(tables: Tables, state: State, result: Result) -> None:
    """Write the current result of a table."""
    result.rounds = state.round
    for seat in range(state.players):
        result.points[seat] = score(tables, state, seat)
        result.places[seat] = 1
        write_parts(tables, state, seat, result.parts[seat])
        write_tallies(tables, state, seat, result.tallies[seat])
        for other in range(state.players):
            if is_ahead(tables, state, other, seat):
                result.places[seat] += 1
