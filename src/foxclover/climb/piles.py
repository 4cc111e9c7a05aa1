"""Cards as bits, and the three piles: drawing, putting under, and what happens when a pile is empty."""

from __future__ import annotations

from foxclover.climb.state import CARDS, COLOURS, FOURFOLD, LEVELS, NO_CARD, TRIPLE, State


def colour_of(card: int) -> int:
    """The colour of a card."""
    return card >> 6


def bit_of(card: int) -> int:
    """The bit of a card among those of its colour."""
    return 1 << (card & 63)


def bit_index(bit: int) -> int:
    """The position of a single bit."""
    index = 0
    while bit > 1:
        bit >>= 1
        index += 1
    return index


def nth_bit(mask: int, n: int) -> int:
    """The position of the n-th bit, the lowest being the 0th."""
    for _ in range(n):
        mask &= mask - 1
    return bit_index(mask & -mask)


def times(state: State, colour: int, cards: int) -> int:
    """How many cards a mask of scored cards stands for, x3 and x4 counted as such."""
    tripled = (cards & state.tripled[colour]).bit_count()
    fourfold = (cards & state.fourfold[colour]).bit_count()
    return cards.bit_count() + (TRIPLE - 1) * tripled + (FOURFOLD - 1) * fourfold


def pile_size(state: State, colour: int) -> int:
    """How many cards a pile holds, the known ones included."""
    count = state.shuffled[colour].bit_count()
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
    colour = colour_of(card)
    if state.shuffled[colour] & bit_of(card):
        state.shuffled[colour] &= ~bit_of(card)
        return
    at = 0
    while state.under[at] != card:
        at += 1
    state.under_count -= 1
    while at < state.under_count:
        state.under[at] = state.under[at + 1]
        at += 1
    state.under[at] = NO_CARD


def plain_cards(state: State, seat: int, level: int, colour: int) -> int:
    """The scored cards of a level without a multiplier marker."""
    return state.seats[seat].scored[level][colour] & ~state.tripled[colour] & ~state.fourfold[colour]


def is_obtainable(state: State, colour: int) -> bool:
    """Can a card of this colour be drawn, if need be after rebuilding the pile?"""
    if state.shuffled[colour] != 0 or first_under(state, colour) != NO_CARD:
        return True
    if state.multipliers == 0:
        return False
    for seat in range(state.players):
        for level in range(LEVELS):
            if plain_cards(state, seat, level, colour).bit_count() >= TRIPLE:
                return True
    return False


def rebuild_pile(state: State, wanting: int, colour: int) -> None:
    """Turn groups of scored cards into multiplied ones, the wanting player's first; what they give up is the new pile."""
    for step in range(state.players):
        seat = (wanting + step) % state.players
        for down in range(LEVELS):
            level = LEVELS - 1 - down
            count = plain_cards(state, seat, level, colour).bit_count()
            while count >= TRIPLE and state.multipliers > 0:
                size = FOURFOLD if count >= FOURFOLD else TRIPLE
                multiply_group(state, seat, level, colour, size)
                count -= size


def multiply_group(state: State, seat: int, level: int, colour: int, size: int) -> None:
    """Mark the card with the lowest number; the next ones go back to be shuffled."""
    cards = plain_cards(state, seat, level, colour)
    kept = cards & -cards
    cards ^= kept
    for _ in range(size - 1):
        given = cards & -cards
        cards ^= given
        state.seats[seat].scored[level][colour] ^= given
        state.shuffled[colour] |= given
    if size == FOURFOLD:
        state.fourfold[colour] |= kept
    else:
        state.tripled[colour] |= kept
    state.multipliers -= 1


def clear_piles(state: State) -> None:
    """Forget all cards, for a new game."""
    for n in range(CARDS):
        state.under[n] = NO_CARD
    state.under_count = 0
    for colour in range(COLOURS):
        state.shuffled[colour] = 0
        state.tripled[colour] = 0
        state.fourfold[colour] = 0
