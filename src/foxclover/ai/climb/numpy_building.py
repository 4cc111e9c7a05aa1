"""What ``building`` and ``plans`` work out, for all ways to lay cards out at once, in CPython."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foxclover.ai.climb.building import WORST, count_room, luck_to_roll
from foxclover.ai.climb.inputs import LEAST_OF_LEVEL, MISS, add_card, add_layout, expected, missing, net_before_rolling, overlap
from foxclover.ai.climb.plans import (
    CHANGED,
    IMPOSSIBLE,
    MOST,
    SAMPLES,
    cost_of,
    draw_samples,
    first_colour,
    give_up,
    plan_code,
    turn_in_worth,
)
from foxclover.ai.climb.vectors import clear_row
from foxclover.climb.layout import total_points
from foxclover.climb.moves import BUILD
from foxclover.climb.state import CODES, GREEN, LEVELS, NO_CARD, NO_COLOUR, RED, ROLLS, SLOTS, WORDS, YELLOW, Deck, Player, State

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Desk, Floats, Nets, Row

    Array = np.ndarray[Any, Any]


class Layouts(NamedTuple):
    """Cards laid out in many ways."""

    hidden: Array  # [plan ...][sample][hidden]
    room: Array  # [plan ...][sample][level]


def card_rows(deck: Deck, rows: list[Row], cards: Iterable[int]) -> Array:
    """What cards add to the hidden layer, [card][level]; nothing if there is no card, or on the level above all that take any."""
    added = np.zeros((CODES, deck.build_levels + 1, len(rows[0])))
    for card in cards:
        for level in range(deck.build_levels if card != NO_CARD else 0):
            add_card(deck, rows, card, level, 1.0, added[card, level])
    return added


# -- building -------------------------------------------------------------------------------------------------------------


def rate_building(deck: Deck, state: State, mine: Player, nets: Nets, desk: Desk, moves: list[int], count: int, ratings: Floats) -> None:
    """Rate each first placing by the best way to lay out all waiting cards that contains it."""
    net = net_before_rolling(deck, state)
    waiting = mine.waiting_count
    spare = count_room(deck, mine, desk.room[0])
    ways = deck.build_levels + (1 if spare < waiting else 0)
    levels = np.arange(ways**waiting) // ways ** np.arange(waiting)[:, None] % ways
    laid = np.array([np.sum(levels == level, axis=0) for level in range(deck.build_levels)])
    room = np.array(desk.room[0][: deck.build_levels])
    levels = levels[:, np.all(room >= laid.T, axis=1) & (laid.sum(axis=0) == min(waiting, spare))]
    add_layout(deck, state, mine, nets.rows[net], desk.hidden[0])
    added = card_rows(deck, nets.rows[net], mine.waiting[:waiting])
    for level in range(deck.build_levels, LEVELS):
        desk.hidden[0] += overlap(deck, mine, level, 0) * nets.rows[net][MISS + level]
    hidden = desk.hidden[0] + sum(added[card, level] for card, level in zip(mine.waiting[:waiting], levels, strict=True))
    for level in range(deck.build_levels):
        chosen = (1 << np.arange(waiting)) @ (levels == level)
        hidden = hidden + overlaps(deck, mine, level)[chosen, None] * nets.rows[net][MISS + level]
    rated: Any = total_points(deck, state, mine) - mine.luck + expected(nets, net, hidden, luck_to_roll(deck, mine))
    for n in range(count):
        index, level = divmod(moves[n] - BUILD, LEVELS)
        ratings[n] = rated[levels[index] == level].max(initial=WORST)


def overlaps(deck: Deck, mine: Player, level: int) -> Array:
    """``overlap`` for all sets of waiting cards."""
    met, independent = np.zeros((1, WORDS), np.int64), np.zeros(1)
    for card in mine.active[SLOTS * level : SLOTS * (level + 1)]:
        if card != NO_CARD:
            met, independent = met | np.array(deck.hit_words[card]), independent + missing(deck.hits[card] / ROLLS)
    for card in mine.waiting[: mine.waiting_count]:
        met = np.concatenate([met, met | np.array(deck.hit_words[card])])
        independent = np.concatenate([independent, independent + missing(deck.hits[card] / ROLLS)])
    missed = ROLLS - np.bitwise_count(met).astype(np.int64) @ np.array(deck.word_weight)
    more: Array = np.log(np.maximum(missed / ROLLS, LEAST_OF_LEVEL)) - independent
    return more


# -- plans of purchases ---------------------------------------------------------------------------------------------------


def rate_plans(
    deck: Deck,
    state: State,
    mine: Player,
    nets: Nets,
    desk: Desk,
    rng: list[int],
    left: int,
    money: int,
    luck: int,
    bonus: int,
    exchanged: int,
) -> None:
    """Expected points of every plan of purchases, after a bonus card and with the last waiting card exchanged if so wanted."""
    net = net_before_rolling(deck, state)
    rows = nets.rows[net]
    drawn = draw_all(state, rng, desk)
    waiting = mine.waiting[: mine.waiting_count - exchanged]
    added = card_rows(deck, rows, {*waiting, *drawn.ravel().tolist()})[:, : deck.build_levels]
    add_layout(deck, state, mine, rows, desk.hidden[0])
    count_room(deck, mine, desk.room[0])
    one_each = np.ones((len(drawn), 1), int)
    layouts = Layouts(one_each * desk.hidden[0], one_each * desk.room[0][: deck.build_levels])
    for card in waiting:
        layouts = lay_each(nets, net, added, luck, layouts, card * one_each[:, 0])
    first = first_colour(mine, bonus, exchanged)
    if first != NO_COLOUR:
        layouts = lay_each(nets, net, added, luck, layouts, drawn[:, first, -1])
    most = money + turn_in_worth(deck, state, mine)
    for colour in (RED, YELLOW, GREEN):
        bought = [layouts]
        for number in range(min(left, MOST - 1, most // deck.cost[colour])):
            bought.append(lay_each(nets, net, added, luck, bought[-1], drawn[:, colour, number]))
        layouts = Layouts(*map(np.stack, zip(*bought, strict=True)))
    numbers = np.indices(layouts.hidden.shape[:3])  # of green, yellow and red cards bought
    plans: Any = plan_code(*numbers)
    costs: Any = cost_of(deck, plans)
    possible = (numbers.sum(axis=0) <= left) & (costs <= most)
    plans, costs, hidden = plans[possible], costs[possible], layouts.hidden[possible]
    points = np.full(len(plans), float(total_points(deck, state, mine) - mine.luck))
    for cost in {*costs[costs > money].tolist()}:
        clear_row(desk.hidden[CHANGED])
        points[costs == cost] -= give_up(deck, state, mine, rows, desk, cost - money)
        hidden[costs == cost] += desk.hidden[CHANGED]
    to_come: Any = expected(nets, net, hidden, luck)
    ratings = np.full(len(desk.plans), IMPOSSIBLE)
    ratings[plans] = points + to_come.mean(axis=1)
    desk.plans[:] = ratings.tolist()


def draw_all(state: State, rng: list[int], desk: Desk) -> Array:
    """All samples, [sample][colour][n]."""
    drawn = []
    for _ in range(desk.facts[SAMPLES]):
        draw_samples(state, rng, desk.drawn, MOST)
        drawn.append([cards[:MOST] for cards in desk.drawn])
    return np.array(drawn)


def lay_each(nets: Nets, net: int, added: Array, luck: int, layouts: Layouts, cards: Array) -> Layouts:
    """``place_well`` for one card in each sample."""
    tried = layouts.hidden[..., None, :] + added[cards]
    best = np.where(layouts.room > 0, expected(nets, net, tried, luck), WORST).argmax(axis=-1)[..., None]
    chosen = (np.arange(layouts.room.shape[-1]) == best) & (layouts.room > 0) & (cards != NO_CARD)[:, None]
    laid = np.take_along_axis(tried, best[..., None], axis=-2)[..., 0, :]
    return Layouts(np.where(chosen.any(axis=-1, keepdims=True), laid, layouts.hidden), layouts.room - chosen)
