"""Whole games by any computer players."""

from __future__ import annotations

from foxclover.accounts import Result
from foxclover.ai.family import (
    NO_EXACT_WAY,
    ROLL_DUE,
    Mind,
    choose_to_win,
    is_forced,
    misjudge,
    rate,
    wants_win,
)
from foxclover.ai.sequential_halving import search
from foxclover.kernel.family import Tables, acting, chance_pending, draw, legal, start
from foxclover.playouts import CHANCE, CHOICE_STREAM, Batch, choose, finish, first_seat, make
from foxclover.records import Record, assign
from foxclover.rng import next32, seed_rng

WITH_NET = 2  # a policy beside those of ``playouts``
NEVER = -1  # no round


class Habit(Record):
    """How a player with a net chooses."""

    heat: float  # points by which it misjudges moves
    tries: int  # of moves, for a decision
    prior: float  # tries that a rating counts for
    to_win: int  # 1: in the last round winning counts, not points


def think(tables: Tables, mind: Mind, habit: Habit, seat: int) -> int:
    """The index of a player's move in ``mind.here``: by rating, by rating with errors, by search; to win if that is wanted and due."""
    trials = mind.trials
    trials.count = legal(tables, mind.here, seat, trials.moves)
    if is_forced(mind):
        return 0
    to_win = habit.to_win == 1 and wants_win(tables, mind.here)
    if to_win:
        chosen = choose_to_win(tables, mind, seat, mind.choice_rng)
        if chosen != NO_EXACT_WAY:
            return chosen
    best = rate(tables, mind, seat)
    if habit.heat > 0:
        return misjudge(trials.ratings, trials.count, habit.heat, mind.choice_rng)
    if habit.tries > 0 and trials.count > 1:
        seed = next32(mind.choice_rng)
        return search(tables, mind, seat, habit.tries, habit.prior, to_win, seed)
    return best


def play_on(tables: Tables, mind: Mind, batch: Batch, habits: list[Habit], until: int) -> bool:
    """Play on from ``mind.here`` to the end, or to the beginning of a round; tell whether that was reached."""
    state = mind.here
    while not batch.stop:
        if state.round == until:
            return True
        mask = acting(tables, state)
        if mask > 0:
            seat = first_seat(mask)
            if batch.policies[seat] == WITH_NET:
                move = mind.trials.moves[think(tables, mind, habits[seat], seat)]
            else:
                move = choose(
                    tables,
                    state,
                    mind.ahead,
                    batch.policies[seat],
                    seat,
                    mind.trials.moves,
                    mind.choice_rng,
                )
            make(tables, state, batch, seat, move)
        elif chance_pending(tables, state) > 0:
            if chance_pending(tables, state) == ROLL_DUE:
                assign(mind.known, state)
            make(tables, state, batch, CHANCE, draw(tables, state, mind.dice_rng))
        else:
            return True
    return False


def play_with_minds(
    tables: Tables, mind: Mind, batch: Batch, habits: list[Habit], results: list[Result]
) -> None:
    """Play the games of a batch as ``play_games`` does, with the same dice, some of the players thinking."""
    batch.made = 0
    batch.played = 0
    while batch.played < batch.count:
        game = batch.played
        seed_rng(mind.dice_rng, batch.seed, batch.first + game)
        seed_rng(mind.choice_rng, batch.seed ^ CHOICE_STREAM, batch.first + game)
        batch.logged = 0
        start(tables, mind.here, batch.players, batch.variant)
        if not play_on(tables, mind, batch, habits, NEVER):
            return
        finish(tables, mind.here, batch, results[game])
