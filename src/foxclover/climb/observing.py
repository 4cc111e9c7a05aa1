"""What a seat sees of the table as plain numbers, for learning: kernel code. ``features`` names them, in the same order."""

from __future__ import annotations

from foxclover.climb.piles import bit_of, colour_of, pile_size
from foxclover.climb.state import (
    COLOURS,
    LEVELS,
    NO_CARD,
    RED_OUTCOMES,
    ROLLING,
    ROLLS,
    SPOTS,
    WAITING,
    Deck,
    Player,
    State,
)
from foxclover.climb.tableau import scored_on, total_points


def observe_table(deck: Deck, state: State, seat: int, features: list[int]) -> int:
    """Write the table; return how many numbers that are."""
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
    """Write the table, then the tableaus, the seat's own first."""
    at = observe_table(deck, state, seat, features)
    for turn in range(state.players):
        at = observe_tableau(deck, state, state.seats[(seat + turn) % state.players], features, at)


def observe_tableau(deck: Deck, state: State, mine: Player, features: list[int], at: int) -> int:
    """Write a tableau; return where it ends."""
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
    for spot in range(SPOTS):
        card = mine.active[spot]
        at = observe_card(deck, card, features, at)
        features[at] = mine.marked >> spot & 1
        features[at + 1] = mine.lucky >> spot & 1
        features[at + 2] = 0
        if (
            card != NO_CARD
            and state.phase == ROLLING
            and state.roll > 0
            and deck.met[state.outcome][colour_of(card)] & bit_of(card) != 0
        ):
            features[at + 2] = 1
        at += 3
    for level in range(LEVELS):
        for colour in range(COLOURS):
            features[at] = scored_on(state, mine, level, colour)
            at += 1
    return at


def observe_card(deck: Deck, card: int, features: list[int], at: int) -> int:
    """Write a card: its colour, its number and how many of a thousand rolls fulfil it; nothing for no card."""
    features[at] = 0
    features[at + 1] = 0
    features[at + 2] = 0
    if card != NO_CARD:
        features[at] = colour_of(card) + 1
        features[at + 1] = deck.number[card]
        features[at + 2] = deck.hits[card] * 1000 // ROLLS
    return at + 3
