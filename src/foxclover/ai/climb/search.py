"""Looking further than the nets: the best-looking moves are carried on to the player's next rolling, which is solved exactly.

Only the cards drawn on the way are left to chance, and they are the same for all moves compared. After each turn the weaker half of the
moves is dropped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.leaves import LUCK_NOW
from foxclover.ai.climb.rating import rate
from foxclover.ai.climb.rolling import solve
from foxclover.climb.layout import total_points
from foxclover.climb.moves import BUILD, DONE, PUSH, legal
from foxclover.climb.rules import acting, apply, chance_pending, draw
from foxclover.climb.state import (
    CHANCE,
    LEVELS,
    PLACES,
    ROLL_DUE,
    TO_BUILD,
    TO_BUY,
    TO_DECIDE,
    TO_LEAVE,
    TO_LIFT,
    TO_PLACE,
    TO_PUSH,
    Deck,
    State,
)
from foxclover.playouts import first_seat
from foxclover.records import assign
from foxclover.rng import seed_rng

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Floats, Ints, Mind

WIDTH = 6  # moves tried, at most
MARGIN = 6.0  # points behind the best rating beyond which a move is not tried
ANOTHER_CARD = 1e6


def look_ahead(deck: Deck, mind: Mind, state: State, scratch: State, seat: int) -> float:
    """Carry the player's decisions on until he is about to roll, the others doing as little as possible; return what rolling is worth."""
    solver = mind.solvers[seat]
    while True:
        mask = acting(deck, state)
        if mask > 0:
            mover = seat if mask >> seat & 1 else first_seat(mask)
            count = legal(deck, state, mover, mind.look_moves)
            best = 0
            if mover == seat:
                best = rate(
                    deck, state, scratch, seat, mind.nets, solver, mind.desk, mind.look_rng, mind.look_moves, count, mind.look_ratings, 0
                )
            move = mind.look_moves[best]
            if mover != seat and state.seats[mover].stage == TO_BUY:
                move = DONE
            apply(deck, state, mover, move)
        elif chance_pending(deck, state) == ROLL_DUE and state.roll == 0:
            solve(deck, state, seat, mind.nets, solver, 0)
            return solver.roll[0][solver.facts[LUCK_NOW]]
        elif chance_pending(deck, state) > 0:
            apply(deck, state, CHANCE, draw(deck, state, mind.look_rng))
        else:
            return float(total_points(deck, state, state.seats[seat]))


def search(deck: Deck, mind: Mind, states: list[State], seat: int, count: int, tries: int, seed: int) -> int:
    """Find the best of the rated moves in ``states[1]`` by about so many tries; return its index. Rolling is exact already."""
    state = states[1]
    stage = state.seats[seat].stage
    for n in range(count):
        mind.counts[n] = 0
        mind.sums[n] = 0.0
        mind.squares[n] = 0.0
    left = list_candidates(mind.moves, mind.ratings, mind.candidates, count, stage)
    if stage in (TO_DECIDE, TO_LEAVE, TO_LIFT):
        return mind.candidates[0]
    turns = 0
    while 1 << turns < left:
        turns += 1
    while left > 1:
        number = max(1, tries // (turns * left))
        for place in range(left):
            try_move(deck, mind, states, seat, mind.candidates[place], number, seed)
        for place in range(left):
            best = place
            for other in range(place + 1, left):
                if mean(mind, other) > mean(mind, best):
                    best = other
            mind.candidates[place], mind.candidates[best] = mind.candidates[best], mind.candidates[place]
        left = (left + 1) // 2
    return mind.candidates[0]


def mean(mind: Mind, place: int) -> float:
    """What the tries of a candidate say."""
    return mind.sums[mind.candidates[place]] / mind.counts[mind.candidates[place]]


def list_candidates(moves: Ints, ratings: Floats, candidates: Ints, count: int, stage: int) -> int:
    """All moves, the best-rated first, but those about another card after all others; return how many are worth trying."""
    best = 0
    for n in range(1, count):
        if ratings[n] > ratings[best]:
            best = n
    card = card_handled(stage, moves[best])
    for n in range(count):
        candidates[n] = n
    tried = 0
    for place in range(count):
        best = place
        for other in range(place + 1, count):
            n = candidates[other]
            if standing(stage, moves[n], ratings[n], card) > standing(stage, moves[candidates[best]], ratings[candidates[best]], card):
                best = other
        candidates[place], candidates[best] = candidates[best], candidates[place]
        n = candidates[place]
        if place < WIDTH and standing(stage, moves[n], ratings[n], card) > ratings[candidates[0]] - MARGIN:
            tried = place + 1
    return tried


def card_handled(stage: int, move: int) -> int:
    """Which card a move pushes, scores or builds: cards come one after another, and their order matters little."""
    if stage == TO_PUSH:
        return (move - PUSH) % PLACES
    if stage in (TO_BUILD, TO_PLACE):
        return (move - BUILD) // LEVELS
    return 0


def standing(stage: int, move: int, rating: float, card: int) -> float:
    """A rating by which moves about another card come last."""
    return rating if card_handled(stage, move) == card else rating - ANOTHER_CARD


def try_move(deck: Deck, mind: Mind, states: list[State], seat: int, n: int, number: int, seed: int) -> None:
    """Try a move some more times; the k-th try of every move draws the same cards."""
    for _ in range(number):
        seed_rng(mind.look_rng, seed, mind.counts[n])
        assign(states[3], states[1])
        apply(deck, states[3], seat, mind.moves[n])
        points = look_ahead(deck, mind, states[3], states[2], seat)
        mind.counts[n] += 1
        mind.sums[n] += points
        mind.squares[n] += points * points
