"""Where new cards go: every way to lay them out is rated by the net for tableaus about to roll."""

from __future__ import annotations

from foxclover.ai.climb.inputs import add_card, add_tableau, overlap
from foxclover.ai.climb.mind import Building, Draft, Mind
from foxclover.ai.climb.network import MISS, Nets, expected, net_before_rolling
from foxclover.ai.climb.vectors import add_row, clear_row, copy_row
from foxclover.ai.trials import Trials
from foxclover.climb.moves import BUILD
from foxclover.climb.state import LEVELS, TO_PLACE, Deck, Player, State
from foxclover.climb.tableau import count_active, total_points
from foxclover.records import assign

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


def rate_building(deck: Deck, mind: Mind, state: State, mine: Player, trials: Trials) -> None:
    """Rate each first placing by the best way to lay out all waiting cards that contains it."""
    nets = mind.net
    net = net_before_rolling(deck, state)
    building = mind.building
    waiting = mine.waiting_count
    spare = count_room(deck, mine, building.before.room)
    add_tableau(deck, state, mine, nets.rows[net], building.before.hidden)
    prepare_cards(deck, nets.rows[net], building, mine)
    for n in range(trials.count):
        trials.ratings[n] = WORST
    luck = luck_to_roll(deck, mine)
    points = total_points(deck, state, mine) - mine.luck
    ways = deck.build_levels + (1 if spare < waiting else 0)
    for code in range(ways**waiting):
        placed = lay_out(deck, nets.rows[net], building, code, ways, waiting)
        if placed == min(waiting, spare):
            rating = points + expected(nets, net, building.after.hidden, luck)
            for n in range(trials.count):
                entry = trials.moves[n] - BUILD
                if building.levels[entry // LEVELS] == entry % LEVELS:
                    trials.ratings[n] = max(trials.ratings[n], rating)


def prepare_cards(deck: Deck, rows: list[list[float]], building: Building, mine: Player) -> None:
    """What each waiting card adds on each level, and how much the cards of each level overlap with any of them it has room for."""
    for index in range(mine.waiting_count):
        for level in range(deck.build_levels):
            clear_row(building.adding[index][level])
            add_card(deck, rows, mine.waiting[index], level, 1.0, building.adding[index][level])
    for level in range(deck.build_levels):
        for chosen in range(1 << mine.waiting_count):
            if chosen.bit_count() <= building.before.room[level]:
                building.overlaps[level][chosen] = overlap(deck, mine, level, chosen)
    for level in range(deck.build_levels, LEVELS):
        add_row(building.before.hidden, rows[MISS + level], overlap(deck, mine, level, 0))


def lay_out(
    deck: Deck, rows: list[list[float]], building: Building, code: int, ways: int, waiting: int
) -> int:
    """Lay the waiting cards out as the digits of a code say; return how many lie, or NOWHERE if a level overflows."""
    after = building.after
    assign(after, building.before)
    placed = 0
    for index in range(waiting):
        level = code % ways
        code //= ways
        building.levels[index] = level
        if level < deck.build_levels:
            if after.room[level] == 0:
                return NOWHERE
            after.room[level] -= 1
            placed += 1
    for index in range(waiting):
        if building.levels[index] < deck.build_levels:
            add_row(after.hidden, building.adding[index][building.levels[index]], 1.0)
    for level in range(deck.build_levels):
        chosen = 0
        for index in range(waiting):
            if building.levels[index] == level:
                chosen |= 1 << index
        add_row(after.hidden, rows[MISS + level], building.overlaps[level][chosen])
    return placed


def place_well(
    deck: Deck, nets: Nets, net: int, draft: Draft, card: int, luck: int, trial: list[float]
) -> None:
    """Lay one card where it seems best; without room it is left out."""
    rows = nets.rows[net]
    best = NOWHERE
    best_rating = WORST
    for level in range(deck.build_levels):
        if draft.room[level] > 0:
            copy_row(trial, draft.hidden)
            add_card(deck, rows, card, level, 1.0, trial)
            rating = expected(nets, net, trial, luck)
            if rating > best_rating:
                best = level
                best_rating = rating
    if best != NOWHERE:
        draft.room[best] -= 1
        add_card(deck, rows, card, best, 1.0, draft.hidden)
