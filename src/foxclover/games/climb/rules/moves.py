"""How a round runs: who is asked what, drawing cards, and what follows when everybody has finished."""

from __future__ import annotations

from foxclover.climb.piles import is_obtainable, pile_size, put_under, rebuild_pile, take_from_pile
from foxclover.climb.state import (
    BONUS,
    BUILDING,
    BUYING,
    DRAW_DUE,
    FOR_BONUS,
    FOR_CONSOLATION,
    IDLE,
    NO_CHANCE,
    NO_COLOUR,
    NO_LEVEL,
    OVER,
    PLACING,
    PUSHING,
    ROLL_DUE,
    ROLLING,
    TO_BUILD,
    TO_BUY,
    TO_DECIDE,
    TO_EXCHANGE,
    TO_PUSH,
    TO_TAKE,
    Deck,
    State,
)
from foxclover.climb.tableau import (
    add_waiting,
    can_build,
    has_room,
    holds_twin,
    income_of,
    lay_card,
    may_buy,
    return_waiting,
    take_luck,
)


def ask(state: State, seat: int, stage: int) -> None:
    """Wait for a player's decision, or no longer (IDLE)."""
    state.seats[seat].stage = stage
    if stage == IDLE:
        state.busy &= ~(1 << seat)
    else:
        state.busy |= 1 << seat


def from_fairy(state: State, step: int) -> int:
    """The seat so many steps clockwise from the lucky fairy."""
    return (state.fairy + step) % state.players


def advance(deck: Deck, state: State) -> None:
    """Go on until somebody, or chance, has something to do."""
    while state.busy == 0 and state.chance == NO_CHANCE and state.phase != OVER:
        if state.phase == BONUS:
            start_buying(deck, state)
        elif state.phase == BUYING:
            start_building(deck, state)
        elif state.phase == BUILDING:
            start_rolling(state)
        elif state.phase == ROLLING:
            roll_again_or_push(state)
        elif state.phase == PLACING or state.round < deck.rounds:
            start_round(deck, state)
        else:
            state.phase = OVER


def start_round(deck: Deck, state: State) -> None:
    """A new round begins with its bonus; where there is no choice everybody takes his luck."""
    state.round += 1
    state.fairy = (state.first + state.round - 1) % state.players
    state.phase = BONUS
    state.roll = 0
    state.outcome = 0
    row = state.round - 1
    chosen = deck.options[row] > 1 or deck.option_colour[row][0] != NO_COLOUR
    for step in range(state.players):
        seat = from_fairy(state, step)
        if chosen:
            ask(state, seat, TO_TAKE)
        else:
            take_luck(deck, state, state.seats[seat], deck.option_luck[row][0])


def start_buying(deck: Deck, state: State) -> None:
    """Fix everybody's income; the solo rules know none."""
    state.phase = BUYING
    for seat in range(state.players):
        mine = state.seats[seat]
        mine.bought = 0
        mine.money = 0 if state.solo else income_of(deck, state, mine)
        go_on_buying(deck, state, seat)


def go_on_buying(deck: Deck, state: State, seat: int) -> None:
    """Ask again unless nothing more can be bought."""
    ask(state, seat, TO_BUY if may_buy(deck, state, state.seats[seat]) else IDLE)


def start_building(deck: Deck, state: State) -> None:
    """What money is left is lost; the waiting cards are to be built in."""
    state.phase = BUILDING
    for step in range(state.players):
        seat = from_fairy(state, step)
        state.seats[seat].money = 0
        go_on_building(deck, state, seat, TO_BUILD)


def go_on_building(deck: Deck, state: State, seat: int, stage: int) -> None:
    """Ask for the next card while there is room; the rest goes under the piles."""
    mine = state.seats[seat]
    if mine.waiting_count > 0 and can_build(deck, mine):
        ask(state, seat, stage)
    else:
        return_waiting(state, mine)
        ask(state, seat, IDLE)


def start_rolling(state: State) -> None:
    """Everybody is in."""
    state.phase = ROLLING
    for seat in range(state.players):
        state.seats[seat].playing = 1
        state.seats[seat].reached = NO_LEVEL
    state.chance = ROLL_DUE


def let_roll(deck: Deck, state: State, outcome: int) -> None:
    """The dice fall: who was out takes luck, who is in decides."""
    state.chance = NO_CHANCE
    state.roll += 1
    state.outcome = outcome
    for step in range(state.players):
        seat = from_fairy(state, step)
        if state.seats[seat].playing:
            ask(state, seat, TO_DECIDE)
        else:
            take_luck(deck, state, state.seats[seat], 1)


def roll_again_or_push(state: State) -> None:
    """Roll as long as anybody is in; then the marked cards are handled."""
    for seat in range(state.players):
        if state.seats[seat].playing:
            state.chance = ROLL_DUE
            return
    state.phase = PUSHING
    for seat in range(state.players):
        if state.seats[seat].marked != 0:
            ask(state, seat, TO_PUSH)


# -- drawing --------------------------------------------------------------------------------------------------------------


def request_card(state: State, seat: int, colour: int, reason: int) -> None:
    """Have a card drawn, after rebuilding an empty pile; nothing happens if there is none to be had."""
    if not is_obtainable(state, colour):
        return
    if pile_size(state, colour) == 0:
        rebuild_pile(state, seat, colour)
    state.chance = DRAW_DUE
    state.draw_seat = seat
    state.draw_colour = colour
    state.draw_reason = reason


def receive_card(deck: Deck, state: State, card: int) -> None:
    """A card is drawn: it waits beside the clover, except that the consolation card is laid on the lowest level at once."""
    seat = state.draw_seat
    mine = state.seats[seat]
    reason = state.draw_reason
    colour = state.draw_colour
    state.chance = NO_CHANCE
    state.draw_seat = 0
    state.draw_colour = 0
    state.draw_reason = 0
    take_from_pile(state, card)
    if reason == FOR_CONSOLATION:
        if has_room(deck, mine, 0):
            lay_card(mine, card, 0)
        else:
            put_under(state, card)
        return
    add_waiting(mine, card)
    if reason == FOR_BONUS:
        return
    if holds_twin(deck, mine, card) and pile_size(state, colour) > state.given_back:
        state.exchanging = 1 << seat
        ask(state, seat, TO_EXCHANGE)
    else:
        end_purchase(deck, state, seat)


def end_purchase(deck: Deck, state: State, seat: int) -> None:
    """The bought card is kept."""
    state.exchanging = 0
    state.given_back = 0
    go_on_buying(deck, state, seat)
