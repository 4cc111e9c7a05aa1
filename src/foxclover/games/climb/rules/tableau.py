"""A player's cards and markers: room, money, luck, points, and the numbers that kernels report."""

from __future__ import annotations

from foxclover.games.climb.rules.state import (
    COLOURS,
    LEVELS,
    NO_CARD,
    RED_OUTCOMES,
    ROLLING,
    ROLLS,
    SLOTS,
    SPOTS,
    WAITING,
    Deck,
    Player,
    State,
    bit_of,
    colour_of,
    colour_of_stack,
    pile_size,
    put_under,
    stack_of,
    stacks,
    times,
)

# -- active cards


def count_active(mine: Player, level: int) -> int:
    """Count the active cards of a level."""
    count = 0
    for spot in range(level * SLOTS, level * SLOTS + SLOTS):
        if mine.active[spot] != NO_CARD:
            count += 1
    return count


def has_room(deck: Deck, mine: Player, level: int) -> bool:
    """Return whether a level has room for another active card."""
    return count_active(mine, level) < deck.room


def can_build(deck: Deck, mine: Player) -> bool:
    """Return whether any level has room for a new card."""
    for level in range(deck.build_levels):
        if has_room(deck, mine, level):
            return True
    return False


def lay_card(mine: Player, card: int, level: int) -> None:
    """Put a card on the first free spot of a level."""
    spot = level * SLOTS
    while mine.active[spot] != NO_CARD:
        spot += 1
    mine.active[spot] = card


def holds_twin(deck: Deck, mine: Player, card: int) -> bool:
    """Return whether one of the active cards is identical to a card."""
    for spot in range(SPOTS):
        if mine.active[spot] != NO_CARD and deck.likeness[mine.active[spot]] == deck.likeness[card]:
            return True
    return False


def is_met(deck: Deck, outcome: int, card: int) -> bool:
    """Return whether a roll fulfils a card."""
    return deck.met[outcome][colour_of(card)] & bit_of(card) != 0


# -- cards beside the clover


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


# -- luck and markers


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
    """Count the black markers that are on no card."""
    return deck.black_markers - (mine.marked & ~mine.lucky).bit_count()


# -- scored cards


def level_of_scored(mine: Player, card: int) -> int:
    """Return the level of a scored card."""
    level = 0
    while not mine.scored[level][stack_of(card)] >> (card & 63) & 1:
        level += 1
    return level


def income_of(deck: Deck, state: State, mine: Player) -> int:
    """Return the income of the scored cards."""
    money = 0
    for stack in range(stacks(state)):
        if deck.income[stack]:
            for level in range(LEVELS):
                money += (
                    times(state, stack, mine.scored[level][stack]) * deck.factor[state.solo][level]
                )
    return money


def can_turn_in(deck: Deck, state: State, mine: Player) -> bool:
    """Return whether a scored card may be turned in for money (solo rules)."""
    if not state.solo or mine.money >= deck.dearest or mine.bought >= deck.purchases:
        return False
    used = stacks(state)
    for level in range(LEVELS):
        for stack in range(used):
            if deck.income[stack] and mine.scored[level][stack] != 0:
                return True
    return False


def may_buy(deck: Deck, state: State, mine: Player) -> bool:
    """Return whether a player could pay for a card, whatever the piles hold.

    Under the solo rules the cards that can be turned in count as money.
    """
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
    """Return a mask of the scored cards of a level and stack that may be pushed (solo rules)."""
    if mine.lifts == 0 or level == LEVELS - 1 or colour_of_stack(stack) > colour_of(mine.lifter):
        return 0
    cards = mine.scored[level][stack]
    if stack == stack_of(mine.lifter):
        cards &= ~bit_of(mine.lifter)
    return cards


def can_lift(state: State, mine: Player) -> bool:
    """Return whether a scored card may be pushed now (solo rules)."""
    if mine.lifts == 0:
        return False
    used = stacks(state)
    for level in range(LEVELS):
        for stack in range(used):
            if liftable(mine, level, stack) != 0:
                return True
    return False


# -- points


def level_points(deck: Deck, state: State, mine: Player, level: int) -> int:
    """Return the points of the cards scored on a level."""
    points = 0
    for stack in range(stacks(state)):
        if mine.scored[level][stack] != 0:
            points += times(state, stack, mine.scored[level][stack]) * deck.points[stack]
    return points * deck.factor[state.solo][level]


def cards_scored(state: State, mine: Player, level: int, colour: int) -> int:
    """Count the scored cards of a colour on a level; a multiplied card counts once."""
    count = 0
    for stack in range(colour, stacks(state), COLOURS):
        count += mine.scored[level][stack].bit_count()
    return count


def scored_on(state: State, mine: Player, level: int, colour: int) -> int:
    """Count the scored cards of a colour on a level, with their markers x3 and x4."""
    count = 0
    for stack in range(colour, stacks(state), COLOURS):
        count += times(state, stack, mine.scored[level][stack])
    return count


def scored_of(state: State, mine: Player, colour: int) -> int:
    """Count the scored cards of a colour on all levels."""
    count = 0
    for level in range(LEVELS):
        count += scored_on(state, mine, level, colour)
    return count


def set_points(deck: Deck, state: State, mine: Player) -> int:
    """Return the points for sets of one scored card of every colour (solo rules)."""
    if not state.solo:
        return 0
    sets = scored_of(state, mine, 0)
    for colour in range(1, COLOURS):
        sets = min(sets, scored_of(state, mine, colour))
    return sets * deck.set_points


def total_points(deck: Deck, state: State, mine: Player) -> int:
    """Return all points of the tableau."""
    points = mine.luck + set_points(deck, state, mine)
    for level in range(LEVELS):
        points += level_points(deck, state, mine, level)
    return points


def write_parts(deck: Deck, state: State, seat: int, parts: list[int]) -> None:
    """Write the points of each level from the top down, of luck and of sets."""
    mine = state.seats[seat]
    for level in range(LEVELS):
        parts[LEVELS - 1 - level] = level_points(deck, state, mine, level)
    parts[LEVELS] = mine.luck
    parts[LEVELS + 1] = set_points(deck, state, mine)


def write_tallies(deck: Deck, state: State, seat: int, tallies: list[int]) -> None:
    """Write nothing: this family counts nothing else."""


def is_ahead(deck: Deck, state: State, seat: int, other: int) -> bool:
    """Return whether a seat beats another one.

    The total decides, then the active cards, from the top level down.
    """
    mine = state.seats[seat]
    theirs = state.seats[other]
    lead = total_points(deck, state, mine) - total_points(deck, state, theirs)
    level = LEVELS
    while lead == 0 and level > 0:
        level -= 1
        lead = count_active(mine, level) - count_active(theirs, level)
    return lead > 0


def observe_table(deck: Deck, state: State, seat: int, features: list[int]) -> int:
    """Write the table and return the number of features."""
    features[0] = state.round
    features[1] = state.phase
    features[2] = state.roll
    features[3] = state.solo
    features[4] = state.supply
    features[5] = state.multipliers
    features[6] = state.given_back
    features[7] = (state.fairy - seat + state.players) % state.players
    at = 8
    for colour in range(COLOURS):
        features[at] = pile_size(state, colour)
        at += 1
    rolled = state.phase == ROLLING and state.roll > 0
    blue = deck.blue_faces[state.outcome // RED_OUTCOMES]
    for die in range(len(blue)):
        features[at + die] = blue[die] if rolled else 0
    at += len(blue)
    red = deck.red_faces[state.outcome % RED_OUTCOMES]
    for die in range(len(red)):
        features[at + die] = red[die] if rolled else 0
    return at + len(red)


def observe(deck: Deck, state: State, seat: int, features: list[int]) -> None:
    """Write the table, then the tableaus, that of the seat first."""
    at = observe_table(deck, state, seat, features)
    for turn in range(state.players):
        at = observe_tableau(deck, state, state.seats[(seat + turn) % state.players], features, at)


def observe_tableau(deck: Deck, state: State, mine: Player, features: list[int], at: int) -> int:
    """Write a tableau and return the index after it."""
    features[at] = mine.stage
    features[at + 1] = mine.playing
    features[at + 2] = mine.luck
    features[at + 3] = mine.reached + 1
    features[at + 4] = mine.money
    features[at + 5] = mine.bought
    features[at + 6] = mine.lifts
    features[at + 7] = total_points(deck, state, mine)
    at += 8
    for n in range(WAITING):
        at = observe_card(deck, mine.waiting[n], features, at)
    rolled = state.phase == ROLLING and state.roll > 0
    for spot in range(SPOTS):
        card = mine.active[spot]
        at = observe_card(deck, card, features, at)
        features[at] = mine.marked >> spot & 1
        features[at + 1] = mine.lucky >> spot & 1
        met = card != NO_CARD and rolled and is_met(deck, state.outcome, card)
        features[at + 2] = 1 if met else 0
        at += 3
    for level in range(LEVELS):
        for colour in range(COLOURS):
            features[at] = scored_on(state, mine, level, colour)
            at += 1
    return at


def observe_card(deck: Deck, card: int, features: list[int], at: int) -> int:
    """Write the colour and number of a card, and how many of 1000 rolls fulfil it.

    All are 0 for no card.
    """
    features[at] = 0
    features[at + 1] = 0
    features[at + 2] = 0
    if card != NO_CARD:
        features[at] = colour_of(card) + 1
        features[at + 1] = deck.number[card]
        features[at + 2] = deck.hits[card] * 1000 // ROLLS
    return at + 3
