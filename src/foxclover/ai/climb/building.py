"""Where new cards go: every way to lay them out is rated by the net for layouts about to roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.inputs import MISS, add_card, add_layout, expected, net_before_rolling, overlap
from foxclover.ai.climb.vectors import add_row, clear_row, copy_row
from foxclover.climb.layout import count_active, total_points
from foxclover.climb.moves import BUILD
from foxclover.climb.piles import count_bits
from foxclover.climb.state import LEVELS, TO_PLACE, Deck, Player, State

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Desk, Floats, Nets, Row

WORST = -1e9
NOWHERE = -1


def count_room(deck: Deck, mine: Player, room: list[int]) -> int:
    """How many more cards each level takes; return how many in all."""
    total = 0
    for level in range(LEVELS):
        room[level] = deck.room - count_active(mine, level) if level < deck.build_levels else 0
        total += room[level]
    return total


def luck_to_roll(deck: Deck, mine: Player) -> int:
    """The luck he will have when the round is rolled: while start cards are placed, that of the first round is still to come."""
    return mine.luck + (deck.option_luck[0][0] if mine.stage == TO_PLACE else 0)


def rate_building(deck: Deck, state: State, mine: Player, nets: Nets, desk: Desk, moves: list[int], count: int, ratings: Floats) -> None:
    """Rate each first placing by the best way to lay out all waiting cards that contains it."""
    net = net_before_rolling(deck, state)
    rows = nets.rows[net]
    waiting = mine.waiting_count
    spare = count_room(deck, mine, desk.room[0])
    add_layout(deck, state, mine, rows, desk.hidden[0])
    for index in range(waiting):
        for level in range(deck.build_levels):
            added = desk.added[LEVELS * index + level]
            clear_row(added)
            add_card(deck, rows, mine.waiting[index], level, 1.0, added)
    fill_overlaps(deck, mine, desk)
    for level in range(deck.build_levels, LEVELS):
        add_row(desk.hidden[0], rows[MISS + level], overlap(deck, mine, level, 0))
    for n in range(count):
        ratings[n] = WORST
    luck = luck_to_roll(deck, mine)
    points = total_points(deck, state, mine) - mine.luck
    ways = deck.build_levels + (1 if spare < waiting else 0)
    for code in range(ways**waiting):
        placed = lay_out(deck, rows, desk, code, ways, waiting)
        if placed == min(waiting, spare):
            rating = points + expected(nets, net, desk.hidden[1], luck)
            for n in range(count):
                entry = moves[n] - BUILD
                if desk.levels[entry // LEVELS] == entry % LEVELS:
                    ratings[n] = max(ratings[n], rating)


def fill_overlaps(deck: Deck, mine: Player, desk: Desk) -> None:
    """How much the cards of each level overlap with any waiting cards laid there that it has room for."""
    for level in range(deck.build_levels):
        for chosen in range(1 << mine.waiting_count):
            if count_bits(chosen) <= desk.room[0][level]:
                desk.overlaps[level][chosen] = overlap(deck, mine, level, chosen)


def lay_out(deck: Deck, rows: list[Row], desk: Desk, code: int, ways: int, waiting: int) -> int:
    """Lay the waiting cards out as the digits of a code say; return how many lie, or NOWHERE if a level overflows."""
    room = desk.room[1]
    for level in range(LEVELS):
        room[level] = desk.room[0][level]
    placed = 0
    for index in range(waiting):
        level = code % ways
        code //= ways
        desk.levels[index] = level
        if level < deck.build_levels:
            if room[level] == 0:
                return NOWHERE
            room[level] -= 1
            placed += 1
    copy_row(desk.hidden[1], desk.hidden[0])
    for index in range(waiting):
        if desk.levels[index] < deck.build_levels:
            add_row(desk.hidden[1], desk.added[LEVELS * index + desk.levels[index]], 1.0)
    for level in range(deck.build_levels):
        chosen = 0
        for index in range(waiting):
            chosen |= (desk.levels[index] == level) << index
        add_row(desk.hidden[1], rows[MISS + level], desk.overlaps[level][chosen])
    return placed


def place_well(deck: Deck, nets: Nets, net: int, hidden: Row, room: list[int], card: int, luck: int, trial: Row) -> None:
    """Lay one card where it seems best; without room it is left out."""
    rows = nets.rows[net]
    best = NOWHERE
    best_rating = WORST
    for level in range(deck.build_levels):
        if room[level] > 0:
            copy_row(trial, hidden)
            add_card(deck, rows, card, level, 1.0, trial)
            rating = expected(nets, net, trial, luck)
            if rating > best_rating:
                best = level
                best_rating = rating
    if best != NOWHERE:
        room[best] -= 1
        add_card(deck, rows, card, best, 1.0, hidden)
