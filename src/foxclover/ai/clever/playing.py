"""Whole games by any computer players, compiled."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from foxclover.ai.clever.policy import AFTER, BLANK, HERE, rate
from foxclover.ai.clever.search import is_last_round, search
from foxclover.clever.moves import legal
from foxclover.clever.rules import acting, apply, chance_pending, draw, score, start
from foxclover.clever.state import CHANCE, Sheet, State
from foxclover.playouts import CHOICE_STREAM, choose, first_seat
from foxclover.records import assign
from foxclover.rng import next32, seed_rng

if TYPE_CHECKING:
    from foxclover.ai.clever.mind import Mind
    from foxclover.ai.parts import Buffer

THINKING = 2  # a policy beside those of ``playouts``
NEVER = -1  # no round


def uniform(rng: list[int]) -> float:
    """A number between 0 and 1, both excluded."""
    return (next32(rng) + 0.5) / 4294967296.0


def choose_with_errors(ratings: list[float], count: int, heat: float, rng: list[int]) -> int:
    """A move by a rating that is off by some points, as a person's is."""
    chosen = 0
    highest = -1e9
    for index in range(count):
        rating = ratings[index] - heat * log(-log(uniform(rng)))
        if rating > highest:
            highest = rating
            chosen = index
    return chosen


def think(sheet: Sheet, mind: Mind, states: list[State], seat: int, heat: float, rollouts: int, to_win: bool) -> int:
    """The move of a player with a net: by rating, by rating with errors, or by search."""
    state = states[HERE]
    count = legal(sheet, state, seat, mind.moves)
    chosen = 0
    if count > 1 and rollouts > 0:
        return search(sheet, mind, states, seat, rollouts, to_win and is_last_round(sheet, state), next32(mind.choice_rng))
    if count > 1:
        chosen = rate(sheet, mind, states, HERE, seat, count)
        if heat > 0:
            chosen = choose_with_errors(mind.ratings, count, heat, mind.choice_rng)
    move: int = mind.moves[chosen]
    return move


def play_on(
    sheet: Sheet, mind: Mind, states: list[State], policies: Buffer, heats: Buffer, rollouts: Buffer, to_win: Buffer, until: int
) -> None:
    """Play on from ``states[HERE]`` with a player on each seat, to the end or to the beginning of a round."""
    state = states[HERE]
    while state.round != until:
        mask = acting(sheet, state)
        if mask > 0:
            seat = first_seat(mask)
            if policies[seat] == THINKING:
                move = think(sheet, mind, states, seat, heats[seat], rollouts[seat], to_win[seat] == 1)
            else:
                move = choose(sheet, state, states[AFTER], policies[seat], seat, mind.moves, mind.choice_rng)
            apply(sheet, state, seat, move)
        elif chance_pending(sheet, state) > 0:
            apply(sheet, state, CHANCE, draw(sheet, state, mind.dice_rng))
        else:
            break


def play_with_minds(
    books: list[Sheet],
    mind: Mind,
    states: list[State],
    players: int,
    policies: Buffer,
    heats: Buffer,
    rollouts: Buffer,
    to_win: Buffer,
    seed: int,
    first: int,
    count: int,
    scores: Buffer,
    finals: list[State],
) -> None:
    """Play games ``first`` to ``first + count - 1`` of a seed with a player on each seat; the dice are those of ``play_games``."""
    sheet = books[0]
    state = states[HERE]
    for game in range(count):
        seed_rng(mind.dice_rng, seed, first + game)
        seed_rng(mind.choice_rng, seed ^ CHOICE_STREAM, first + game)
        assign(states[HERE], states[BLANK])
        start(sheet, state, players, 0)
        play_on(sheet, mind, states, policies, heats, rollouts, to_win, NEVER)
        for seat in range(players):
            scores[game][seat] = score(sheet, state, seat)
        assign(finals[game], state)
