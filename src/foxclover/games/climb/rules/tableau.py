"""A player's own cards and markers: room, money, luck, points."""

from __future__ import annotations

from foxclover.climb.piles import (
    bit_of,
    colour_of,
    colour_of_stack,
    put_under,
    stack_of,
    stacks,
    times,
)
from foxclover.climb.state import (
    COLOURS,
    LEVELS,
    NO_CARD,
    SLOTS,
    SPOTS,
    STACKS,
    WAITING,
    Deck,
    Player,
    State,
)


def clear_player(mine: Player) -> None:
    """Put everything away: of a seat that nobody has all numbers are 0."""
    mine.stage = 0
    mine.playing = 0
    mine.luck = 0
    mine.reached = 0
    mine.marked = 0
    mine.lucky = 0
    mine.money = 0
    mine.bought = 0
    mine.lifts = 0
    mine.lifter = NO_CARD
    mine.waiting_count = 0
    for n in range(WAITING):
        mine.waiting[n] = NO_CARD
    for spot in range(SPOTS):
        mine.active[spot] = NO_CARD
    for level in range(LEVELS):
        for stack in range(STACKS):
            mine.scored[level][stack] = 0


# -- active cards ---------------------------------------------------------------------------------------------------------


def count_active(mine: Player, level: int) -> int:
    """How many active cards lie on a level."""
    count = 0
    for spot in range(level * SLOTS, level * SLOTS + SLOTS):
        if mine.active[spot] != NO_CARD:
            count += 1
    return count


def has_room(deck: Deck, mine: Player, level: int) -> bool:
    """May another active card lie on this level?"""
    return count_active(mine, level) < deck.room


def can_build(deck: Deck, mine: Player) -> bool:
    """Is there room for a new card anywhere?"""
    for level in range(deck.build_levels):
        if has_room(deck, mine, level):
            return True
    return False


def lay_card(mine: Player, card: int, level: int) -> None:
    """Lay a card on the first free spot of a level."""
    spot = level * SLOTS
    while mine.active[spot] != NO_CARD:
        spot += 1
    mine.active[spot] = card


def holds_twin(deck: Deck, mine: Player, card: int) -> bool:
    """Is one of the active cards identical to this one?"""
    for spot in range(SPOTS):
        if mine.active[spot] != NO_CARD and deck.likeness[mine.active[spot]] == deck.likeness[card]:
            return True
    return False


# -- cards beside the clover ----------------------------------------------------------------------------------------------


def add_waiting(mine: Player, card: int) -> None:
    """Put a new card beside the clover."""
    mine.waiting[mine.waiting_count] = card
    mine.waiting_count += 1


def take_waiting(mine: Player, index: int) -> int:
    """Pick up one of the cards beside the clover."""
    card = mine.waiting[index]
    mine.waiting_count -= 1
    for n in range(index, mine.waiting_count):
        mine.waiting[n] = mine.waiting[n + 1]
    mine.waiting[mine.waiting_count] = NO_CARD
    return card


def return_waiting(state: State, mine: Player) -> None:
    """Put the cards beside the clover under their piles, in the order they were drawn."""
    while mine.waiting_count > 0:
        put_under(state, take_waiting(mine, 0))


# -- luck and markers -----------------------------------------------------------------------------------------------------


def take_luck(deck: Deck, state: State, mine: Player, wanted: int) -> None:
    """Take luck as far as the clover and the supply allow."""
    taken = min(wanted, deck.clover - mine.luck, state.supply)
    mine.luck += taken
    state.supply -= taken


def return_luck(state: State, mine: Player, spots: int) -> None:
    """Take the markers off cards; luck markers among them go to the supply."""
    state.supply += (mine.lucky & spots).bit_count()
    mine.marked &= ~spots
    mine.lucky &= ~spots


def black_left(deck: Deck, mine: Player) -> int:
    """Black markers that lie on no card."""
    return deck.black_markers - (mine.marked & ~mine.lucky).bit_count()


# -- scored cards ---------------------------------------------------------------------------------------------------------


def level_of_scored(mine: Player, card: int) -> int:
    """The level a scored card lies on."""
    level = 0
    while not mine.scored[level][stack_of(card)] >> (card & 63) & 1:
        level += 1
    return level


def income_of(deck: Deck, state: State, mine: Player) -> int:
    """What the scored cards earn."""
    money = 0
    for stack in range(stacks(state)):
        if deck.income[stack]:
            for level in range(LEVELS):
                money += (
                    times(state, stack, mine.scored[level][stack]) * deck.factor[state.solo][level]
                )
    return money


def can_turn_in(deck: Deck, state: State, mine: Player) -> bool:
    """Solo rules: may a scored card be turned in for money?"""
    if not state.solo or mine.money >= deck.dearest or mine.bought >= deck.purchases:
        return False
    used = stacks(state)
    for level in range(LEVELS):
        for stack in range(used):
            if deck.income[stack] and mine.scored[level][stack] != 0:
                return True
    return False


def may_buy(deck: Deck, state: State, mine: Player) -> bool:
    """Could he still pay for something, whatever the piles hold; under the solo rules with all that he could turn in?"""
    if mine.bought >= deck.purchases:
        return False
    money = mine.money
    if can_turn_in(deck, state, mine):
        money += income_of(deck, state, mine)
    for colour in range(COLOURS):
        if money >= deck.cost[colour]:
            return True
    return False


def liftable(mine: Player, level: int, stack: int) -> int:
    """Solo rules: mask of the scored cards of a level and stack that may now be pushed."""
    if mine.lifts == 0 or level == LEVELS - 1 or colour_of_stack(stack) > colour_of(mine.lifter):
        return 0
    cards = mine.scored[level][stack]
    if stack == stack_of(mine.lifter):
        cards &= ~bit_of(mine.lifter)
    return cards


def can_lift(state: State, mine: Player) -> bool:
    """Solo rules: is there a scored card that may now be pushed?"""
    if mine.lifts == 0:
        return False
    used = stacks(state)
    for level in range(LEVELS):
        for stack in range(used):
            if liftable(mine, level, stack) != 0:
                return True
    return False


# -- points ---------------------------------------------------------------------------------------------------------------


def level_points(deck: Deck, state: State, mine: Player, level: int) -> int:
    """Points of the cards scored on a level."""
    points = 0
    for stack in range(stacks(state)):
        if mine.scored[level][stack] != 0:
            points += times(state, stack, mine.scored[level][stack]) * deck.points[stack]
    return points * deck.factor[state.solo][level]


def cards_scored(state: State, mine: Player, level: int, colour: int) -> int:
    """How many scored cards of a colour lie on a level, those with a multiplier marker counted once."""
    count = 0
    for stack in range(colour, stacks(state), COLOURS):
        count += mine.scored[level][stack].bit_count()
    return count


def scored_on(state: State, mine: Player, level: int, colour: int) -> int:
    """How many cards of a colour are scored on a level, x3 and x4 counted as such."""
    count = 0
    for stack in range(colour, stacks(state), COLOURS):
        count += times(state, stack, mine.scored[level][stack])
    return count


def scored_of(state: State, mine: Player, colour: int) -> int:
    """How many cards of a colour are scored, wherever they lie."""
    count = 0
    for level in range(LEVELS):
        count += scored_on(state, mine, level, colour)
    return count


def set_points(deck: Deck, state: State, mine: Player) -> int:
    """Solo rules: points for sets of one scored card of every colour."""
    if not state.solo:
        return 0
    sets = scored_of(state, mine, 0)
    for colour in range(1, COLOURS):
        sets = min(sets, scored_of(state, mine, colour))
    return sets * deck.set_points


def total_points(deck: Deck, state: State, mine: Player) -> int:
    """All points as the tableau stands."""
    points = mine.luck + set_points(deck, state, mine)
    for level in range(LEVELS):
        points += level_points(deck, state, mine, level)
    return points
