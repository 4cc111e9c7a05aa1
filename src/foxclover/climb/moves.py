"""The moves of the players as numbers, and which of them are legal."""

from __future__ import annotations

from foxclover.climb.piles import bit_of, colour_of, is_obtainable, lowest_bit, stacks
from foxclover.climb.state import (
    CODES,
    COLOURS,
    IDLE,
    LEVELS,
    NO_CARD,
    NO_LEVEL,
    OPTIONS,
    SLOTS,
    SPOTS,
    TO_BUILD,
    TO_BUY,
    TO_DECIDE,
    TO_EXCHANGE,
    TO_LEAVE,
    TO_PLACE,
    TO_PUSH,
    TO_TAKE,
    WAITING,
    Deck,
    Player,
    State,
)
from foxclover.climb.tableau import black_left, can_turn_in, has_room, liftable

# Single moves and the first of each family; a family's moves follow it.
TAKE = 0  # + option
BUY = TAKE + OPTIONS  # + colour
KEEP = BUY + COLOURS
EXCHANGE = KEEP + 1
DONE = EXCHANGE + 1
PAY = DONE + 1
FAIL = PAY + 1
STAY = FAIL + 1
LEAVE = STAY + 1
BUILD = LEAVE + 1  # + 5 * index of the waiting card + level
FULFIL = BUILD + WAITING * LEVELS  # + spot
PUSH = FULFIL + SPOTS  # + spot
SCORE = PUSH + SPOTS  # + spot
TURN_IN = SCORE + SPOTS  # + card
LIFT = TURN_IN + CODES  # + card


def legal(deck: Deck, state: State, seat: int, moves: list[int]) -> int:
    """Write the legal moves of a seat; return how many."""
    mine = state.seats[seat]
    stage = mine.stage
    if stage == IDLE or state.chance != 0 or (state.exchanging != 0 and stage != TO_EXCHANGE):
        return 0
    if stage == TO_DECIDE:
        return legal_on_roll(deck, state, mine, moves)
    if stage == TO_LEAVE:
        return two_moves(moves, STAY, LEAVE)
    if stage == TO_EXCHANGE:
        return two_moves(moves, KEEP, EXCHANGE)
    if stage == TO_TAKE:
        for option in range(deck.options[state.round - 1]):
            moves[option] = TAKE + option
        return deck.options[state.round - 1]
    if stage == TO_BUY:
        return legal_buying(deck, state, mine, moves)
    if stage in (TO_BUILD, TO_PLACE):
        return legal_building(deck, mine, moves)
    if stage == TO_PUSH:
        return legal_pushing(deck, mine, moves)
    return legal_lifting(state, mine, moves)


def two_moves(moves: list[int], first: int, second: int) -> int:
    """Write two moves."""
    moves[0] = first
    moves[1] = second
    return 2


def is_met(deck: Deck, outcome: int, card: int) -> bool:
    """Does a roll fulfil a card?"""
    return deck.met[outcome][colour_of(card)] & bit_of(card) != 0


def reachable_spots(mine: Player) -> int:
    """Mask of the spots whose card may be the next one fulfilled, were the dice to allow it."""
    low = 0 if mine.reached == NO_LEVEL else mine.reached
    high = 0 if mine.reached == NO_LEVEL else min(mine.reached + 1, LEVELS - 1)
    spots = 0
    for spot in range(low * SLOTS, (high + 1) * SLOTS):
        if mine.active[spot] != NO_CARD:
            spots |= 1 << spot
    return spots & ~mine.marked


def has_marker(deck: Deck, mine: Player) -> bool:
    """Is there a marker for another card?"""
    return mine.luck > 0 or black_left(deck, mine) > 0


def legal_on_roll(deck: Deck, state: State, mine: Player, moves: list[int]) -> int:
    """Fulfil a card, pay luck or fail."""
    count = 0
    if has_marker(deck, mine):
        spots = reachable_spots(mine)
        while spots != 0:
            spot = lowest_bit(spots)
            spots &= spots - 1
            if is_met(deck, state.outcome, mine.active[spot]):
                moves[count] = FULFIL + spot
                count += 1
    if mine.luck > 0:
        moves[count] = PAY
        count += 1
    moves[count] = FAIL
    return count + 1


def legal_buying(deck: Deck, state: State, mine: Player, moves: list[int]) -> int:
    """Buy a card, turn one in for money (solo rules), or stop."""
    count = 0
    for colour in range(COLOURS):
        if mine.money >= deck.cost[colour] and is_obtainable(state, colour):
            moves[count] = BUY + colour
            count += 1
    moves[count] = DONE
    count += 1
    if can_turn_in(deck, state, mine):
        count_stacks = stacks(state)
        for level in range(LEVELS):
            for stack in range(count_stacks):
                if deck.income[stack]:
                    count = write_cards(
                        moves, count, TURN_IN + 64 * stack, mine.scored[level][stack]
                    )
    return count


def write_cards(moves: list[int], count: int, first: int, cards: int) -> int:
    """Write a move for each card of a mask."""
    while cards != 0:
        moves[count] = first + lowest_bit(cards)
        count += 1
        cards &= cards - 1
    return count


def legal_building(deck: Deck, mine: Player, moves: list[int]) -> int:
    """Lay one of the waiting cards on a level with room."""
    count = 0
    for level in range(deck.build_levels):
        if has_room(deck, mine, level):
            for index in range(mine.waiting_count):
                moves[count] = BUILD + LEVELS * index + level
                count += 1
    return count


def may_push(deck: Deck, mine: Player, spot: int) -> bool:
    """May the card on this spot move up a level?"""
    level = spot // SLOTS
    return level < LEVELS - 1 and has_room(deck, mine, level + 1)


def legal_pushing(deck: Deck, mine: Player, moves: list[int]) -> int:
    """Push or score a marked card."""
    count = 0
    spots = mine.marked
    while spots != 0:
        spot = lowest_bit(spots)
        spots &= spots - 1
        if may_push(deck, mine, spot):
            moves[count] = PUSH + spot
            count += 1
        moves[count] = SCORE + spot
        count += 1
    return count


def legal_lifting(state: State, mine: Player, moves: list[int]) -> int:
    """Push a scored card, or let the rest lapse (solo rules)."""
    moves[0] = DONE
    count = 1
    for level in range(LEVELS):
        for stack in range(stacks(state)):
            count = write_cards(moves, count, LIFT + 64 * stack, liftable(mine, level, stack))
    return count
