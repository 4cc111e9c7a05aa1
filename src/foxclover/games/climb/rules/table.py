"""The rules of Geht noch was? as the other packages use them."""

from __future__ import annotations

from foxclover.core.records import assign
from foxclover.core.rules import (
    CHANCE,
    NO_CHANCE,
    RANDOM,
    ROLL_DUE,
    START_PLAYER_DUE,
    START_PLAYER_UNIT,
    below,
)
from foxclover.games.climb.rules.moves import (
    BUILD,
    BUY,
    EXCHANGE,
    FAIL,
    FULFIL,
    KEEP,
    LEAVE,
    LIFT,
    PAY,
    PUSH,
    SCORE,
    TAKE,
    TURN_IN,
    advance,
    ask,
    end_purchase,
    go_on_building,
    go_on_buying,
    legal,
    let_roll,
    receive_card,
    request_card,
    write_cards,
)
from foxclover.games.climb.rules.state import (
    CODES,
    COLOURS,
    FOR_BONUS,
    FOR_CONSOLATION,
    FOR_PURCHASE,
    FREE_PLACEMENT,
    GREEN,
    IDLE,
    LEVELS,
    NO_CARD,
    NO_COLOUR,
    NO_LEVEL,
    OUTCOMES,
    RED_ROLLS,
    ROLLS,
    SLOTS,
    SOLO_RULES,
    START_CARDS,
    TO_BUY,
    TO_LEAVE,
    TO_LIFT,
    TO_PLACE,
    TO_PUSH,
    Deck,
    Player,
    State,
    bit_of,
    colour_of,
    copies,
    count_shuffled,
    first_under,
    nth_shuffled,
    put_under,
    stack_of,
    stacks,
    times,
)
from foxclover.games.climb.rules.tableau import (
    add_waiting,
    black_left,
    can_lift,
    lay_card,
    level_of_scored,
    return_luck,
    take_luck,
    take_waiting,
    total_points,
)

ACTION_SPACE = LIFT + CODES

__all__ = [
    "ACTION_SPACE",
    "OUTCOMES",
    "State",
    "acting",
    "apply",
    "chance_moves",
    "chance_pending",
    "draw",
    "is_chance_move",
    "legal",
    "rollers",
    "score",
    "start",
]


def start(deck: Deck, state: State, players: int, variant: int) -> None:
    """Start a game on any state, up to the first decision or chance move.

    A variant is a sum of options and the start player.
    """
    assign(state, deck.blank)
    state.players = players
    state.solo = 1 if players == 1 or variant & SOLO_RULES else 0
    if variant // START_PLAYER_UNIT == RANDOM:
        state.chance = START_PLAYER_DUE
    else:
        state.first = variant // START_PLAYER_UNIT
        state.fairy = state.first
    state.supply = deck.luck * copies(players)
    state.multipliers = deck.multipliers * copies(players)
    for stack in range(stacks(state)):
        state.shuffled[stack] = deck.cards[stack]
    for seat in range(players):
        deal_start_cards(deck, state, seat, variant & FREE_PLACEMENT)
    advance(deck, state)


def deal_start_cards(deck: Deck, state: State, seat: int, free: int) -> None:
    """Place the start set of a seat as its deck says, or ask the player to place it."""
    mine = state.seats[seat]
    mine.reached = NO_LEVEL
    for n in range(START_CARDS):
        card = deck.start_card[seat][n]
        state.shuffled[stack_of(card)] &= ~bit_of(card)
        if free:
            add_waiting(mine, card)
        else:
            lay_card(mine, card, deck.start_level[seat][n])
    if free:
        ask(state, seat, TO_PLACE)


def acting(deck: Deck, state: State) -> int:
    """Return a mask of the seats that may act now."""
    if state.chance != NO_CHANCE:
        return 0
    return state.exchanging if state.exchanging else state.busy


def score(deck: Deck, state: State, seat: int) -> int:
    """Return the points of a player."""
    return total_points(deck, state, state.seats[seat])


# -- chance


def chance_pending(deck: Deck, state: State) -> int:
    """Return which chance move is due, or ``NO_CHANCE``."""
    return state.chance


def rollers(deck: Deck, state: State) -> int:
    """Return a mask of the seats that may roll: the lucky fairy, or all for the start player."""
    if state.chance == START_PLAYER_DUE:
        return (1 << state.players) - 1
    return 1 << state.fairy if state.chance == ROLL_DUE else 0


def draw(deck: Deck, state: State, rng: list[int]) -> int:
    """Draw a chance move with the right odds: an outcome, a card, or the start player."""
    if state.chance == START_PLAYER_DUE:
        return below(rng, state.players)
    if state.chance == ROLL_DUE:
        roll = below(rng, ROLLS)
        return deck.blue_outcome[roll // RED_ROLLS] + deck.red_outcome[roll % RED_ROLLS]
    colour = state.draw_colour
    count = count_shuffled(state, colour)
    if count == 0:
        return first_under(state, colour)
    return nth_shuffled(state, colour, below(rng, count))


def chance_moves(deck: Deck, state: State, moves: list[int], weights: list[int]) -> int:
    """Write all chance moves with their weights and return their number."""
    if state.chance == ROLL_DUE:
        for outcome in range(OUTCOMES):
            moves[outcome] = outcome
            weights[outcome] = deck.weight[outcome]
        return OUTCOMES
    count = 0
    if state.chance == START_PLAYER_DUE:
        count = write_cards(moves, 0, 0, (1 << state.players) - 1)
    elif count_shuffled(state, state.draw_colour) == 0:
        moves[0] = first_under(state, state.draw_colour)
        count = 1
    else:
        for stack in range(state.draw_colour, stacks(state), COLOURS):
            count = write_cards(moves, count, 64 * stack, state.shuffled[stack])
    for n in range(count):
        weights[n] = 1
    return count


def is_chance_move(deck: Deck, state: State, move: int) -> bool:
    """Return whether a chance move with this number is due."""
    if state.chance == ROLL_DUE:
        return 0 <= move < OUTCOMES
    if state.chance == START_PLAYER_DUE:
        return 0 <= move < state.players
    if count_shuffled(state, state.draw_colour) == 0:
        return move == first_under(state, state.draw_colour)
    return (
        NO_CARD < move < CODES
        and colour_of(move) == state.draw_colour
        and state.shuffled[stack_of(move)] & bit_of(move) != 0
    )


# -- apply


def apply(deck: Deck, state: State, seat: int, move: int) -> None:
    """Make a legal move without checking it, and continue to the next decision."""
    if seat == CHANCE:
        if state.chance == ROLL_DUE:
            let_roll(deck, state, move)
        elif state.chance == START_PLAYER_DUE:
            state.first = move
            state.fairy = move
            state.chance = NO_CHANCE
        else:
            receive_card(deck, state, move)
    elif move < PAY:
        trade(deck, state, seat, move)
    elif move < BUILD:
        decide(state, seat, move)
    elif move < FULFIL:
        mine = state.seats[seat]
        card = take_waiting(mine, (move - BUILD) // LEVELS)
        lay_card(mine, card, (move - BUILD) % LEVELS)
        go_on_building(deck, state, seat, mine.stage)
    elif move < PUSH:
        fulfil(deck, state.seats[seat], move - FULFIL)
        ask(state, seat, TO_LEAVE)
    elif move < TURN_IN:
        handle_marked(deck, state, seat, move)
    elif move < LIFT:
        turn_in(deck, state, state.seats[seat], move - TURN_IN)
        go_on_buying(deck, state, seat)
    else:
        lift(state.seats[seat], move - LIFT)
        go_on_pushing(state, seat)
    advance(deck, state)


def trade(deck: Deck, state: State, seat: int, move: int) -> None:
    """Take a bonus, buy, exchange, or stop."""
    mine = state.seats[seat]
    if move < BUY:
        take_bonus(deck, state, seat, move - TAKE)
    elif move < KEEP:
        mine.money -= deck.cost[move - BUY]
        mine.bought += 1
        request_card(state, seat, move - BUY, FOR_PURCHASE)
    elif move == KEEP:
        end_purchase(deck, state, seat)
    elif move == EXCHANGE:
        card = take_waiting(mine, mine.waiting_count - 1)
        put_under(state, card)
        state.given_back += 1
        state.exchanging = 0
        request_card(state, seat, colour_of(card), FOR_PURCHASE)
    elif mine.stage == TO_BUY:
        ask(state, seat, IDLE)
    else:
        mine.lifts = 0
        go_on_pushing(state, seat)


def take_bonus(deck: Deck, state: State, seat: int, option: int) -> None:
    """Take one of the bonuses of the round, as far as the supply allows."""
    row = state.round - 1
    take_luck(deck, state, state.seats[seat], deck.option_luck[row][option])
    ask(state, seat, IDLE)
    colour = deck.option_colour[row][option]
    if colour != NO_COLOUR:
        request_card(state, seat, colour, FOR_BONUS)


def turn_in(deck: Deck, state: State, mine: Player, card: int) -> None:
    """Turn in a scored card for money (solo rules), and return its multiplier marker."""
    stack = stack_of(card)
    bit = bit_of(card)
    level = level_of_scored(mine, card)
    mine.money += times(state, stack, bit) * deck.factor[state.solo][level]
    mine.scored[level][stack] &= ~bit
    if (state.tripled[stack] | state.fourfold[stack]) & bit:
        state.multipliers += 1
        state.tripled[stack] &= ~bit
        state.fourfold[stack] &= ~bit
    put_under(state, card)


def decide(state: State, seat: int, move: int) -> None:
    """Pay luck or fail; stay in or drop out."""
    mine = state.seats[seat]
    if move == PAY:
        mine.luck -= 1
        state.supply += 1
        ask(state, seat, TO_LEAVE)
        return
    ask(state, seat, IDLE)
    if move == LEAVE:
        mine.playing = 0
    elif move == FAIL:
        mine.playing = 0
        return_luck(state, mine, mine.marked)
        request_card(state, seat, GREEN, FOR_CONSOLATION)


def fulfil(deck: Deck, mine: Player, spot: int) -> None:
    """Put a marker on a card: a black one or, when all are used, one from the clover."""
    if black_left(deck, mine) == 0:
        mine.luck -= 1
        mine.lucky |= 1 << spot
    mine.marked |= 1 << spot
    mine.reached = spot // SLOTS


def handle_marked(deck: Deck, state: State, seat: int, move: int) -> None:
    """Push a marked card up a level, or score it."""
    mine = state.seats[seat]
    scoring = move >= SCORE
    spot = move - SCORE if scoring else move - PUSH
    level = spot // SLOTS
    card = mine.active[spot]
    return_luck(state, mine, 1 << spot)
    mine.active[spot] = NO_CARD
    if scoring:
        mine.scored[level][stack_of(card)] |= bit_of(card)
        mine.lifter = card
        mine.lifts = deck.lifts[level] if state.solo else 0
    else:
        lay_card(mine, card, level + 1)
    go_on_pushing(state, seat)


def lift(mine: Player, card: int) -> None:
    """Push a scored card up a level (solo rules)."""
    level = level_of_scored(mine, card)
    mine.scored[level][stack_of(card)] ^= bit_of(card)
    mine.scored[level + 1][stack_of(card)] |= bit_of(card)
    mine.lifts -= 1


def go_on_pushing(state: State, seat: int) -> None:
    """Ask for the pushes of scored cards first, then for the next marked card."""
    mine = state.seats[seat]
    if can_lift(state, mine):
        ask(state, seat, TO_LIFT)
        return
    mine.lifts = 0
    mine.lifter = NO_CARD
    ask(state, seat, TO_PUSH if mine.marked != 0 else IDLE)
