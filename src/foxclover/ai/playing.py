"""Whole games by any computer players."""

from __future__ import annotations

from foxclover.ai.family import NO_EXACT_WAY, ROLL_DUE, Mind, choose_to_win, is_forced, misjudge, rate, wants_win
from foxclover.ai.sequential_halving import search
from foxclover.kernel.family import Book, State, acting, apply, chance_pending, draw, legal, score, start
from foxclover.playouts import CHANCE, CHOICE_STREAM, choose, first_seat
from foxclover.records import Record, assign, ints, rows
from foxclover.rng import next32, seed_rng

SEATS = 4
THINKING = 2  # a policy beside those of ``playouts``
NEVER = -1  # no round


class Habit(Record):
    """How a seat is played."""

    policy: int
    heat: float  # points by which it misjudges moves
    tries: int  # of moves, for a decision
    prior: float  # tries that a rating counts for
    to_win: int  # 1: in the last round winning counts, not points


class Batch(Record):
    """Games ``first`` to ``first + count - 1`` of a seed; ``played`` tells how many of them are finished."""

    players: int
    variant: int
    seed: int
    first: int
    count: int
    played: int
    habits: list[Habit] = rows(Habit, SEATS)


class Result(Record):
    """The points of each seat at the end of a game."""

    points: list[int] = ints(SEATS)


def think(book: Book, mind: Mind, habit: Habit, seat: int) -> int:
    """The index of a player's move in ``mind.here``: by rating, by rating with errors, by search; to win if that is wanted and due."""
    trials = mind.trials
    trials.count = legal(book, mind.here, seat, trials.moves)
    if is_forced(mind):
        return 0
    to_win = habit.to_win == 1 and wants_win(book, mind.here)
    if to_win:
        chosen = choose_to_win(book, mind, seat, mind.choice_rng)
        if chosen != NO_EXACT_WAY:
            return chosen
    best = rate(book, mind, seat)
    if habit.heat > 0:
        return misjudge(trials.ratings, trials.count, habit.heat, mind.choice_rng)
    if habit.tries > 0 and trials.count > 1:
        seed = next32(mind.choice_rng)
        return search(book, mind, seat, habit.tries, habit.prior, to_win, seed)
    return best


def play_on(book: Book, mind: Mind, habits: list[Habit], until: int) -> None:
    """Play on from ``mind.here`` with a player on each seat, to the end or to the beginning of a round."""
    state = mind.here
    while state.round != until:
        mask = acting(book, state)
        if mask > 0:
            seat = first_seat(mask)
            if habits[seat].policy == THINKING:
                chosen = think(book, mind, habits[seat], seat)
                move = mind.trials.moves[chosen]
            else:
                move = choose(book, state, mind.ahead, habits[seat].policy, seat, mind.trials.moves, mind.choice_rng)
            apply(book, state, seat, move)
        elif chance_pending(book, state) > 0:
            if chance_pending(book, state) == ROLL_DUE:
                assign(mind.known, state)
            apply(book, state, CHANCE, draw(book, state, mind.dice_rng))
        else:
            break


def play_with_minds(book: Book, mind: Mind, batch: Batch, tables: list[State], results: list[Result]) -> None:
    """Play the games of a batch, each on its own one of the blank ``tables``; the dice are those of ``play_games``."""
    for game in range(batch.count):
        seed_rng(mind.dice_rng, batch.seed, batch.first + game)
        seed_rng(mind.choice_rng, batch.seed ^ CHOICE_STREAM, batch.first + game)
        assign(mind.here, tables[game])
        start(book, mind.here, batch.players, batch.variant)
        play_on(book, mind, batch.habits, NEVER)
        for seat in range(batch.players):
            results[game].points[seat] = score(book, mind.here, seat)
        assign(tables[game], mind.here)
        batch.played = game + 1
