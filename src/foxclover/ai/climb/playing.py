"""Whole games by any computer players of Geht noch was?."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.rating import rate
from foxclover.ai.climb.search import search
from foxclover.ai.climb.winning import choose_to_win, wants_win
from foxclover.climb.moves import legal
from foxclover.climb.rules import acting, apply, chance_pending, draw, score, start
from foxclover.climb.state import CHANCE, ROLL_DUE, TO_DECIDE, TO_LEAVE, Deck, State
from foxclover.playouts import CHOICE_STREAM, choose, first_seat
from foxclover.records import assign
from foxclover.rng import below, next32, seed_rng

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Floats, Ints, Mind

THINKING = 2  # a policy beside those of ``playouts``
PARTS = 1 << 20
NEVER = -1  # no round
RIVAL = 4  # the solver for thinking about rivals
# States to work on, by number.
BLANK, HERE, SCRATCH, AHEAD, KNOWN = range(5)
STATES_TO_WORK_ON = 5


def waver(rng: Ints, ratings: Floats, count: int, heat: float) -> int:
    """The best move after every rating was mistaken by up to ``heat`` points either way."""
    best = 0
    best_rating = 0.0
    for n in range(count):
        rating = ratings[n] + heat * (below(rng, 2 * PARTS) / PARTS - 1.0)
        if n == 0 or rating > best_rating:
            best = n
            best_rating = rating
    return best


def rate_here(deck: Deck, mind: Mind, states: list[State], seat: int, count: int, solved: int) -> int:
    """Rate the legal moves in ``states[HERE]`` by expected final points; return the best."""
    return rate(
        deck,
        states[HERE],
        states[SCRATCH],
        seat,
        mind.nets,
        mind.solvers[seat],
        mind.desk,
        mind.choice_rng,
        mind.moves,
        count,
        mind.ratings,
        solved,
    )


def think(deck: Deck, mind: Mind, states: list[State], seat: int, count: int, heat: float, tries: int, to_win: int, solved: int) -> int:
    """The index of a player's move: by rating, by rating with errors, by search; in the last round to win if so wanted.

    ``states[KNOWN]`` is the table as it was when the dice last fell: nobody looks at decisions of the same roll.
    """
    state = states[HERE]
    if to_win and wants_win(deck, state) and state.seats[seat].stage in (TO_DECIDE, TO_LEAVE):
        seed = next32(mind.choice_rng)
        return choose_to_win(deck, mind, state, states[KNOWN], seat, count, mind.solvers[RIVAL], seed)
    best = rate_here(deck, mind, states, seat, count, solved)
    if heat > 0:
        return waver(mind.choice_rng, mind.ratings, count, heat)
    if tries > 0 and count > 1:
        return search(deck, mind, states, seat, count, tries, next32(mind.choice_rng))
    return best


def play_on(deck: Deck, mind: Mind, states: list[State], policies: Ints, heats: Floats, tries: Ints, to_win: Ints, until: int) -> None:
    """Play on from ``states[HERE]`` with a player on each seat, to the end or to the beginning of a round."""
    state = states[HERE]
    while state.round != until:
        mask = acting(deck, state)
        if mask > 0:
            seat = first_seat(mask)
            if policies[seat] == THINKING:
                total = legal(deck, state, seat, mind.moves)
                solved = 1 if state.roll > 1 or state.seats[seat].stage == TO_LEAVE else 0
                move = mind.moves[think(deck, mind, states, seat, total, heats[seat], tries[seat], to_win[seat], solved)]
            else:
                move = choose(deck, state, states[SCRATCH], policies[seat], seat, mind.moves, mind.choice_rng)  # type: ignore[arg-type]
            apply(deck, state, seat, move)
        elif chance_pending(deck, state) > 0:
            if chance_pending(deck, state) == ROLL_DUE:
                assign(states[KNOWN], states[HERE])
            apply(deck, state, CHANCE, draw(deck, state, mind.dice_rng))
        else:
            break


def play_with_minds(
    books: list[Deck],
    mind: Mind,
    states: list[State],
    players: int,
    variant: int,
    policies: Ints,
    heats: Floats,
    tries: Ints,
    to_win: Ints,
    seed: int,
    first: int,
    count: int,
    scores: list[Ints],
    finals: list[State],
) -> None:
    """Play games ``first`` to ``first + count - 1`` of a seed with a player on each seat; the dice are those of ``play_games``."""
    deck = books[0]
    state = states[HERE]
    for game in range(count):
        seed_rng(mind.dice_rng, seed, first + game)
        seed_rng(mind.choice_rng, seed ^ CHOICE_STREAM, first + game)
        assign(states[HERE], states[BLANK])
        start(deck, state, players, variant)
        play_on(deck, mind, states, policies, heats, tries, to_win, NEVER)
        for seat in range(players):
            scores[game][seat] = score(deck, state, seat)
        assign(finals[game], state)
