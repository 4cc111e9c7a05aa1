"""The moves of the players as numbers, which of them are legal, and how a round runs."""

from __future__ import annotations

from foxclover.core.rules import NO_CHANCE, ROLL_DUE
from foxclover.games.climb.rules.state import (
    BONUS,
    BUILDING,
    BUYING,
    CODES,
    COLOURS,
    DRAW_DUE,
    FOR_BONUS,
    FOR_CONSOLATION,
    IDLE,
    LEVELS,
    NO_CARD,
    NO_COLOUR,
    NO_LEVEL,
    OPTIONS,
    OVER,
    PLACING,
    PUSHING,
    ROLLING,
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
    is_obtainable,
    lowest_bit,
    pile_size,
    put_under,
    rebuild_pile,
    stacks,
    take_from_pile,
)
from foxclover.games.climb.rules.tableau import (
    add_waiting,
    black_left,
    can_build,
    can_turn_in,
    has_room,
    holds_twin,
    income_of,
    is_met,
    lay_card,
    liftable,
    may_buy,
    return_waiting,
    take_luck,
)

# Single moves and the first of each family; a family's moves follow it.
TAKE = 0  # + option
BUY = TAKE + OPTIONS  # + colour
KEEP, EXCHANGE, DONE, PAY, FAIL, STAY, LEAVE = range(BUY + COLOURS, BUY + COLOURS + 7)
BUILD = LEAVE + 1  # + 5 * index of the waiting card + level
FULFIL = BUILD + WAITING * LEVELS  # + spot
PUSH = FULFIL + SPOTS  # + spot
SCORE = PUSH + SPOTS  # + spot
TURN_IN = SCORE + SPOTS  # + card
LIFT = TURN_IN + CODES  # + card


def legal(deck: Deck, state: State, seat: int, moves: list[int]) -> int:
    """Write the legal moves of a seat and return their number."""
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


def reachable_spots(mine: Player) -> int:
    """Return a mask of the spots whose cards may be fulfilled next."""
    low = max(mine.reached, 0)
    high = 0 if mine.reached == NO_LEVEL else min(mine.reached + 1, LEVELS - 1)
    spots = 0
    for spot in range(low * SLOTS, (high + 1) * SLOTS):
        if mine.active[spot] != NO_CARD:
            spots |= 1 << spot
    return spots & ~mine.marked


def has_marker(deck: Deck, mine: Player) -> bool:
    """Return whether a marker is left for another card."""
    return mine.luck > 0 or black_left(deck, mine) > 0


def legal_on_roll(deck: Deck, state: State, mine: Player, moves: list[int]) -> int:
    """List the moves on a roll: fulfil a card, pay luck or fail."""
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
    """List the moves while buying: buy, turn in a card (solo rules), or stop."""
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
    """List the levels with room for each waiting card."""
    count = 0
    for level in range(deck.build_levels):
        if has_room(deck, mine, level):
            for index in range(mine.waiting_count):
                moves[count] = BUILD + LEVELS * index + level
                count += 1
    return count


def may_push(deck: Deck, mine: Player, spot: int) -> bool:
    """Return whether the card on a spot may move up a level."""
    level = spot // SLOTS
    return level < LEVELS - 1 and has_room(deck, mine, level + 1)


def legal_pushing(deck: Deck, mine: Player, moves: list[int]) -> int:
    """List the ways to push or score each marked card."""
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
    """List the scored cards that may be pushed (solo rules), and stopping."""
    moves[0] = DONE
    count = 1
    for level in range(LEVELS):
        for stack in range(stacks(state)):
            count = write_cards(moves, count, LIFT + 64 * stack, liftable(mine, level, stack))
    return count


def ask(state: State, seat: int, stage: int) -> None:
    """Wait for a player's decision, or no longer (``IDLE``)."""
    state.seats[seat].stage = stage
    if stage == IDLE:
        state.busy &= ~(1 << seat)
    else:
        state.busy |= 1 << seat


def from_fairy(state: State, step: int) -> int:
    """Return the seat a number of steps clockwise from the lucky fairy."""
    return (state.fairy + step) % state.players


def advance(deck: Deck, state: State) -> None:
    """Continue until a player or chance has something to do."""
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
    """Start a round with its bonus; without a choice every player takes the luck."""
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
    """Set the income of all players; the solo rules have none."""
    state.phase = BUYING
    for seat in range(state.players):
        mine = state.seats[seat]
        mine.bought = 0
        mine.money = 0 if state.solo else income_of(deck, state, mine)
        go_on_buying(deck, state, seat)


def go_on_buying(deck: Deck, state: State, seat: int) -> None:
    """Ask again unless the player can buy nothing more."""
    ask(state, seat, TO_BUY if may_buy(deck, state, state.seats[seat]) else IDLE)


def start_building(deck: Deck, state: State) -> None:
    """Drop the money that is left, and start placing the waiting cards."""
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
    """Put all players in, and make a roll due."""
    state.phase = ROLLING
    for seat in range(state.players):
        state.seats[seat].playing = 1
        state.seats[seat].reached = NO_LEVEL
    state.chance = ROLL_DUE


def let_roll(deck: Deck, state: State, outcome: int) -> None:
    """Apply a roll: players who are out take luck, the others decide."""
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
    """Roll again while any player is in, then handle the marked cards."""
    for seat in range(state.players):
        if state.seats[seat].playing:
            state.chance = ROLL_DUE
            return
    state.phase = PUSHING
    for seat in range(state.players):
        if state.seats[seat].marked != 0:
            ask(state, seat, TO_PUSH)


# -- drawing


def request_card(state: State, seat: int, colour: int, reason: int) -> None:
    """Make a draw due, after rebuilding an empty pile.

    Do nothing if no card is left.
    """
    if not is_obtainable(state, colour):
        return
    if pile_size(state, colour) == 0:
        rebuild_pile(state, seat, colour)
    state.chance = DRAW_DUE
    state.draw_seat = seat
    state.draw_colour = colour
    state.draw_reason = reason


def receive_card(deck: Deck, state: State, card: int) -> None:
    """Take a drawn card.

    It waits beside the clover, but the consolation card is placed on the lowest level at once.
    """
    seat, colour, reason = state.draw_seat, state.draw_colour, state.draw_reason
    mine = state.seats[seat]
    state.chance = NO_CHANCE
    state.draw_seat, state.draw_colour, state.draw_reason = 0, 0, 0
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
    """Keep the bought card."""
    state.exchanging = 0
    state.given_back = 0
    go_on_buying(deck, state, seat)
