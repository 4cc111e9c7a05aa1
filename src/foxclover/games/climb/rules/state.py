"""Cards as bits, and the three piles: drawing, putting under, and what happens when a pile is empty."""

from __future__ import annotations

from foxclover.climb.state import (
    CARDS,
    CODES_OF_COPY,
    COLOURS,
    COPIES,
    FOURFOLD,
    LEVELS,
    NO_CARD,
    SEATS_OF_COPY,
    STACKS,
    TRIPLE,
    State,
)


def copies(players: int) -> int:
    """How many copies of the game so many players need."""
    return 1 if players <= SEATS_OF_COPY else COPIES


def stacks(state: State) -> int:
    """How many stacks are played with; those of a colour are as far apart as there are colours."""
    return COLOURS if state.players <= SEATS_OF_COPY else STACKS


def stack_of(card: int) -> int:
    """The stack of a card."""
    return card >> 6


def colour_of_stack(stack: int) -> int:
    """The colour of the cards of a stack."""
    return stack if stack < COLOURS else stack - COLOURS


def colour_of(card: int) -> int:
    """The colour of a card."""
    return card >> 6 if card < CODES_OF_COPY else (card >> 6) - COLOURS


def bit_of(card: int) -> int:
    """The bit of a card in its stack."""
    return 1 << (card & 63)


def bit_index(bit: int) -> int:
    """The position of a single bit."""
    return (bit - 1).bit_count()


def lowest_bit(mask: int) -> int:
    """The position of the lowest bit."""
    return ((mask & -mask) - 1).bit_count()


def nth_bit(mask: int, n: int) -> int:
    """The position of the n-th bit, the lowest being the 0th."""
    for _ in range(n):
        mask &= mask - 1
    return bit_index(mask & -mask)


def times(state: State, stack: int, cards: int) -> int:
    """How many cards a mask of scored cards stands for, x3 and x4 counted as such."""
    tripled = (cards & state.tripled[stack]).bit_count()
    fourfold = (cards & state.fourfold[stack]).bit_count()
    return cards.bit_count() + (TRIPLE - 1) * tripled + (FOURFOLD - 1) * fourfold


def count_shuffled(state: State, colour: int) -> int:
    """How many cards of a pile lie in an order nobody knows."""
    return state.shuffled[colour].bit_count() + state.shuffled[colour + COLOURS].bit_count()


def nth_shuffled(state: State, colour: int, n: int) -> int:
    """The n-th of these cards, those of the first copy before those of the second."""
    for stack in range(colour, stacks(state), COLOURS):
        count = state.shuffled[stack].bit_count()
        if n < count:
            return 64 * stack + nth_bit(state.shuffled[stack], n)
        n -= count
    return NO_CARD


def pile_size(state: State, colour: int) -> int:
    """How many cards a pile holds, the known ones included."""
    count = count_shuffled(state, colour)
    for n in range(state.under_count):
        if colour_of(state.under[n]) == colour:
            count += 1
    return count


def first_under(state: State, colour: int) -> int:
    """The known card of a colour that comes up first."""
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
    """The scored cards of a level and stack without a multiplier marker."""
    return state.seats[seat].scored[level][stack] & ~state.tripled[stack] & ~state.fourfold[stack]


def count_plain(state: State, seat: int, level: int, colour: int) -> int:
    """How many scored cards of a level and colour have no multiplier marker."""
    count = 0
    for stack in range(colour, stacks(state), COLOURS):
        count += plain_cards(state, seat, level, stack).bit_count()
    return count


def lowest_plain(state: State, seat: int, level: int, colour: int) -> int:
    """The one among them with the lowest number; of twins that of the first copy."""
    lowest = NO_CARD
    for stack in range(colour, stacks(state), COLOURS):
        cards = plain_cards(state, seat, level, stack)
        if cards != 0:
            card = 64 * stack + lowest_bit(cards)
            if lowest == NO_CARD or card & 63 < lowest & 63:
                lowest = card
    return lowest


def is_obtainable(state: State, colour: int) -> bool:
    """Can a card of this colour be drawn, if need be after rebuilding the pile?"""
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
    """Turn groups of scored cards into multiplied ones, the wanting player's first; what they give up is the new pile."""
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
    """Mark the card with the lowest number; the next ones go back to be shuffled."""
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


def clear_piles(state: State) -> None:
    """Forget all cards, for a new game."""
    for n in range(COPIES * CARDS):
        state.under[n] = NO_CARD
    state.under_count = 0
    for stack in range(STACKS):
        state.shuffled[stack] = 0
        state.tripled[stack] = 0
        state.fourfold[stack] = 0
