"""The deck, a player's tableau and the table as integers, and cards as bits in the three piles.

A card is ``64 * stack + n`` with n from 1 to 62, in the order of the printed numbers; 0 is no card.
A *stack* is all cards of one colour in one copy of the game, the bits of one integer. Stacks 0 to 2
belong to the first copy, 3 to 5 to the second one, for more than four players. Levels run from 0
(bottom) to 4; spot ``4 * level + slot`` holds an active card.
"""

from __future__ import annotations

from foxclover.core.records import Record, ints, one, rows, shorts
from foxclover.core.rules import FAMILY_DUE

COPIES = 2  # of the game on the table, at most
SEATS_OF_COPY = 4  # that a copy has start sets for
SEATS = COPIES * SEATS_OF_COPY
LEVELS = 5
SLOTS = 4  # spots of a level for active cards
SPOTS = LEVELS * SLOTS
WAITING = 6  # cards beside a clover, at most
COLOURS = 3
STACKS = COPIES * COLOURS
CARDS_OF_A_COLOUR = 62  # in a copy, at most
CODES_OF_COPY = 64 * COLOURS  # from a card to its twin in the next copy
CODES = COPIES * CODES_OF_COPY  # one more than the greatest card
CARDS = 96  # in a copy, at most
START_CARDS = 6
OUTCOMES = 7056  # of a roll, see conditions.py
RED_OUTCOMES = 56
BLUE_OUTCOMES = OUTCOMES // RED_OUTCOMES
RED_ROLLS = 6**3
WORDS = 118  # of 62 outcomes of equal weight each, see tables.py
ROLLS = 6**7
ROUNDS = 8  # at most
BLACK_MARKERS = 6  # of a player, at most
CLOVER = 8  # luck a player can hold, at most
# One more than the last roll of a round: each but it takes a marker or luck.
ROLLS_OF_ROUND = BLACK_MARKERS + CLOVER + 2
OPTIONS = 2
RANKS = 8
TRIPLE, FOURFOLD = 3, 4  # multiplier markers

GREEN, YELLOW, RED = range(COLOURS)
NO_CARD = 0
NO_COLOUR = -1
NO_LEVEL = -1

# Bits of the variant of a game.
SOLO_RULES = 1
FREE_PLACEMENT = 2

# Phases of a round, questions to a player, and reasons for a draw.
PLACING, BONUS, BUYING, BUILDING, ROLLING, PUSHING, OVER = range(7)
IDLE, TO_PLACE, TO_TAKE, TO_BUY, TO_EXCHANGE, TO_BUILD, TO_DECIDE, TO_LEAVE, TO_PUSH, TO_LIFT = (
    range(10)
)
DRAW_DUE = FAMILY_DUE
FOR_BONUS, FOR_PURCHASE, FOR_CONSOLATION = range(3)


class Player(Record):
    """The tableau of one player, and their progress in the round."""

    stage: int
    playing: int  # 1: the marker shows IN
    luck: int  # markers on the clover
    reached: int  # level of the last card fulfilled in this round; -1: none yet
    marked: int  # masks of spots whose card is fulfilled,
    lucky: int  # and of those among them that carry a luck marker
    money: int
    bought: int  # purchases of this round
    lifts: int  # pushes of scored cards left
    lifter: int  # the card whose scoring allows it
    waiting_count: int
    waiting: list[int] = shorts(WAITING)  # cards beside the clover, in the order drawn
    active: list[int] = shorts(SPOTS)
    scored: list[list[int]] = ints(LEVELS, STACKS)  # masks of cards


class State(Record):
    """The table: piles, dice, and the tableau of every seat."""

    players: int
    solo: int  # 1: the solo rules apply
    round: int  # from 1; 0 while start cards are placed
    first: int  # the fairy of the first round
    fairy: int
    phase: int
    chance: int  # which chance move is due
    busy: int  # mask of the seats that have something to do
    exchanging: int  # mask of the seat that must first decide about an exchange
    roll: int  # rolls of this round so far
    outcome: int  # of the last one
    draw_seat: int
    draw_colour: int
    draw_reason: int
    given_back: int  # cards exchanged in this purchase
    supply: int  # luck markers in the supply
    multipliers: int  # x3/x4 markers in the supply
    under_count: int
    under: list[int] = shorts(COPIES * CARDS)  # known cards under the piles, oldest first
    shuffled: list[int] = ints(STACKS)  # masks of the cards above them, in unknown order
    tripled: list[int] = ints(STACKS)  # masks of the cards marked x3
    fourfold: list[int] = ints(STACKS)
    seats: list[Player] = rows(Player, SEATS)


class Deck(Record):
    """The cards and the strip, read from a data file, and which roll fulfils which card."""

    rounds: int
    build_levels: int
    room: int  # active cards a level
    purchases: int  # a round
    dearest: int  # cost of the most expensive card
    black_markers: int
    clover: int  # luck a player can hold
    luck: int  # markers in a copy of the game
    multipliers: int  # in a copy
    set_points: int
    points: list[int] = ints(STACKS)
    cost: list[int] = ints(COLOURS)
    income: list[int] = ints(STACKS)  # 1: scored cards of this colour earn money
    factor: list[list[int]] = ints(2, LEVELS)  # star side, solo side
    lifts: list[int] = ints(LEVELS)  # solo rules: scored cards pushed for scoring here
    ranks: list[int] = ints(RANKS)
    options: list[int] = ints(ROUNDS)  # how many bonuses there are to choose from
    option_luck: list[list[int]] = ints(ROUNDS, OPTIONS)
    option_colour: list[list[int]] = ints(ROUNDS, OPTIONS)
    cards: list[int] = ints(STACKS)  # masks of all cards
    number: list[int] = ints(CODES)  # printed on the card
    likeness: list[int] = ints(CODES)  # the same for identical cards
    hits: list[int] = ints(CODES)  # how many of all rolls fulfil the card
    start_card: list[list[int]] = ints(SEATS, START_CARDS)
    start_level: list[list[int]] = ints(SEATS, START_CARDS)
    # Masks of the cards an outcome fulfils, the same in every copy.
    met: list[list[int]] = ints(OUTCOMES, COLOURS)
    weight: list[int] = ints(OUTCOMES)  # rolls that give an outcome
    hit_words: list[list[int]] = ints(CODES, WORDS)  # the outcomes that fulfil a card as masks,
    word_weight: list[int] = ints(WORDS)  # each of outcomes of one weight
    blue_outcome: list[int] = ints(6**4)  # what the blue dice add to the number of the outcome
    red_outcome: list[int] = ints(RED_ROLLS)
    blue_faces: list[list[int]] = ints(BLUE_OUTCOMES, 4)  # in rising order
    red_faces: list[list[int]] = ints(RED_OUTCOMES, 3)
    blank: State = one(State)  # a table without players


def copies(players: int) -> int:
    """Return how many copies of the game a number of players needs."""
    return 1 if players <= SEATS_OF_COPY else COPIES


def stacks(state: State) -> int:
    """Return the number of stacks in play; those of a colour are ``COLOURS`` apart."""
    return COLOURS if state.players <= SEATS_OF_COPY else STACKS


def stack_of(card: int) -> int:
    """Return the stack of a card."""
    return card >> 6


def colour_of_stack(stack: int) -> int:
    """Return the colour of the cards of a stack."""
    return stack if stack < COLOURS else stack - COLOURS


def colour_of(card: int) -> int:
    """Return the colour of a card."""
    return card >> 6 if card < CODES_OF_COPY else (card >> 6) - COLOURS


def bit_of(card: int) -> int:
    """Return the bit of a card in its stack."""
    return 1 << (card & 63)


def lowest_bit(mask: int) -> int:
    """Return the position of the lowest bit."""
    return ((mask & -mask) - 1).bit_count()


def nth_bit(mask: int, n: int) -> int:
    """Return the position of the n-th bit, the lowest being the 0th."""
    for _ in range(n):
        mask &= mask - 1
    return lowest_bit(mask)


def times(state: State, stack: int, cards: int) -> int:
    """Count the cards of a mask of scored cards, with their markers x3 and x4."""
    tripled = (cards & state.tripled[stack]).bit_count()
    fourfold = (cards & state.fourfold[stack]).bit_count()
    return cards.bit_count() + (TRIPLE - 1) * tripled + (FOURFOLD - 1) * fourfold


def count_shuffled(state: State, colour: int) -> int:
    """Count the cards of a pile whose order is unknown."""
    return state.shuffled[colour].bit_count() + state.shuffled[colour + COLOURS].bit_count()


def nth_shuffled(state: State, colour: int, n: int) -> int:
    """Return the n-th of these cards, those of the first copy first."""
    for stack in range(colour, stacks(state), COLOURS):
        count = state.shuffled[stack].bit_count()
        if n < count:
            return 64 * stack + nth_bit(state.shuffled[stack], n)
        n -= count
    return NO_CARD


def pile_size(state: State, colour: int) -> int:
    """Count the cards of a pile, the known ones included."""
    count = count_shuffled(state, colour)
    for n in range(state.under_count):
        if colour_of(state.under[n]) == colour:
            count += 1
    return count


def first_under(state: State, colour: int) -> int:
    """Return the known card of a colour that is drawn first."""
    for n in range(state.under_count):
        if colour_of(state.under[n]) == colour:
            return state.under[n]
    return NO_CARD


def put_under(state: State, card: int) -> None:
    """Put a card under its pile."""
    state.under[state.under_count] = card
    state.under_count += 1


def take_from_pile(state: State, card: int) -> None:
    """Remove a drawn card from its pile."""
    stack = stack_of(card)
    if state.shuffled[stack] & bit_of(card):
        state.shuffled[stack] &= ~bit_of(card)
        return
    at = 0
    while state.under[at] != card:
        at += 1
    state.under_count -= 1
    while at < state.under_count:
        state.under[at] = state.under[at + 1]
        at += 1
    state.under[at] = NO_CARD


def plain_cards(state: State, seat: int, level: int, stack: int) -> int:
    """Return the scored cards of a level and stack without a multiplier marker."""
    return state.seats[seat].scored[level][stack] & ~state.tripled[stack] & ~state.fourfold[stack]


def count_plain(state: State, seat: int, level: int, colour: int) -> int:
    """Count the scored cards of a level and colour without a multiplier marker."""
    count = 0
    for stack in range(colour, stacks(state), COLOURS):
        count += plain_cards(state, seat, level, stack).bit_count()
    return count


def lowest_plain(state: State, seat: int, level: int, colour: int) -> int:
    """Return the lowest of these cards; of twins that of the first copy."""
    lowest = NO_CARD
    for stack in range(colour, stacks(state), COLOURS):
        cards = plain_cards(state, seat, level, stack)
        if cards != 0:
            card = 64 * stack + lowest_bit(cards)
            if lowest == NO_CARD or card & 63 < lowest & 63:
                lowest = card
    return lowest


def is_obtainable(state: State, colour: int) -> bool:
    """Return whether a card of a colour can be drawn, perhaps after rebuilding its pile."""
    if count_shuffled(state, colour) != 0 or first_under(state, colour) != NO_CARD:
        return True
    if state.multipliers == 0:
        return False
    for seat in range(state.players):
        for level in range(LEVELS):
            if count_plain(state, seat, level, colour) >= TRIPLE:
                return True
    return False


def rebuild_pile(state: State, wanting: int, colour: int) -> None:
    """Multiply groups of scored cards, those of the wanting player first.

    The cards that they give up are the new pile.
    """
    for step in range(state.players):
        seat = (wanting + step) % state.players
        for down in range(LEVELS):
            level = LEVELS - 1 - down
            count = count_plain(state, seat, level, colour)
            while count >= TRIPLE and state.multipliers > 0:
                size = FOURFOLD if count >= FOURFOLD else TRIPLE
                multiply_group(state, seat, level, colour, size)
                count -= size


def multiply_group(state: State, seat: int, level: int, colour: int, size: int) -> None:
    """Mark the lowest card of a group; shuffle the others back into the pile."""
    kept = lowest_plain(state, seat, level, colour)
    if size == FOURFOLD:
        state.fourfold[stack_of(kept)] |= bit_of(kept)
    else:
        state.tripled[stack_of(kept)] |= bit_of(kept)
    for _ in range(size - 1):
        given = lowest_plain(state, seat, level, colour)
        state.seats[seat].scored[level][stack_of(given)] ^= bit_of(given)
        state.shuffled[stack_of(given)] |= bit_of(given)
    state.multipliers -= 1
