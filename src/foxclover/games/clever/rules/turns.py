"""The course of the game: rounds, the active turn, and the passive players' turns."""

from __future__ import annotations

from foxclover.core.rules import NO_CHANCE, ROLL_DUE
from foxclover.games.clever.rules.moves import any_follow_up, any_usable, drop_lost, grant
from foxclover.games.clever.rules.state import (
    ADDING,
    ALL_DICE,
    AT_START,
    CHOOSING,
    CLOSED,
    DICE,
    EXTRA,
    FOLLOWING,
    OVER,
    PASSIVE,
    RETURN,
    RETURNING,
    ROLLING,
    ROLLS,
    ROUND_START,
    TAKING,
    TIE_DUE,
    WINDOWS,
    Player,
    Sheet,
    State,
)

PLATTER_SIZE = 3  # dice on the platter of a solo passive turn


def acting(sheet: Sheet, state: State) -> int:
    """Return the mask of the players who may act now; 0: chance is to act, or the end."""
    mask = 0
    for seat in range(state.players):
        if state.seats[seat].stage != CLOSED:
            mask |= 1 << seat
    return mask


def start_round(sheet: Sheet, state: State) -> None:
    """Grant the reward of the round to all players.

    The first roll waits until all bonuses are placed.
    """
    state.round += 1
    state.active = state.first
    state.phase = ROUND_START
    for seat in range(state.players):
        mine = state.seats[seat]
        grant(sheet, mine, sheet.reward[state.round])
        drop_lost(sheet, mine)
        if mine.heaped > 0:
            mine.stage = AT_START


def start_turn(state: State) -> None:
    """Start an active turn: all dice in hand, the first roll due."""
    state.phase = ROLLING
    clear_dice(state)
    state.roll = 1
    state.chance = ROLL_DUE


def clear_dice(state: State) -> None:
    """Put all dice in the hand, each usable again as an extra die."""
    state.hand = ALL_DICE
    state.platter = 0
    state.laid = 0
    state.roll = 0
    for roll in range(ROLLS):
        state.field[roll] = 0
    for seat in range(state.players):
        state.seats[seat].used = 0


def lay_out(sheet: Sheet, state: State, die: int, area: int) -> None:
    """Put a die on the dice field of this roll; lower dice in hand go to the platter."""
    state.field[state.roll - 1] = die + 1
    state.laid |= 1 << die
    lower = dice_up_to(state, state.face[die] - 1)
    sent = state.hand & lower
    state.hand &= ~(lower | 1 << die)
    state.platter |= sent
    state.follow = sent if area == sheet.follow_area else 0


def end_roll(state: State, mine: Player) -> None:
    """End a roll after a choice with all its bonuses, or a lost or passed roll.

    The player may return dice, rolls again, or the rolls are over.
    """
    mine.stage = CLOSED
    if state.roll < ROLLS:
        if mine.actions[RETURN] > 0 and state.platter > 0:
            mine.stage = RETURNING
        else:
            roll_on(state, mine)


def roll_on(state: State, mine: Player) -> None:
    """Roll the dice in hand, if there are any; else the rolls are over."""
    mine.stage = CLOSED
    if state.hand > 0:
        state.roll += 1
        state.chance = ROLL_DUE


def open_windows(sheet: Sheet, state: State) -> None:
    """End the rolls.

    The active player may add extra dice while the others take theirs, in any order.
    """
    state.phase = WINDOWS
    state.platter |= state.hand
    state.hand = 0
    for seat in range(state.players):
        if seat == state.active:
            open_extra(sheet, state, state.seats[seat])
        else:
            state.seats[seat].stage = TAKING


def open_extra(sheet: Sheet, state: State, mine: Player) -> None:
    """Offer an extra die if the player can pay and use it; else close the player's turn."""
    usable = mine.actions[EXTRA] > 0 and any_usable(sheet, state, mine, ALL_DICE & ~mine.used)
    mine.stage = ADDING if usable else CLOSED


def proceed(sheet: Sheet, state: State, mine: Player) -> None:
    """Continue after a player's move: first their bonuses, then their stage."""
    if mine.heaped > 0:
        drop_lost(sheet, mine)
        if mine.heaped > 0:
            return
    stage = mine.stage
    if stage in (CHOOSING, FOLLOWING):
        if state.follow > 0 and any_follow_up(sheet, state, mine):
            mine.stage = FOLLOWING
        else:
            state.follow = 0
            end_roll(state, mine)
    elif stage in (TAKING, ADDING):
        open_extra(sheet, state, mine)
    elif stage == AT_START:
        mine.stage = CLOSED


def advance(sheet: Sheet, state: State) -> None:
    """Advance the game until a player or chance is to act."""
    while state.chance == NO_CHANCE and state.phase != OVER and acting(sheet, state) == 0:
        phase = state.phase
        if phase == ROUND_START:
            start_turn(state)
        elif phase == ROLLING:
            open_windows(sheet, state)
        elif phase == WINDOWS and state.players == 1:
            state.phase = PASSIVE
            clear_dice(state)
            state.chance = ROLL_DUE
        elif (state.active + 1) % state.players != state.first:
            state.active = (state.active + 1) % state.players
            start_turn(state)
        elif state.round < sheet.rounds[state.players]:
            start_round(sheet, state)
        else:
            state.phase = OVER


def dice_rolled(state: State) -> None:
    """Offer the active player the dice rolled.

    In a solo passive turn the lowest three go to the platter; tied ones stay in hand.
    """
    state.chance = NO_CHANCE
    if state.phase == ROLLING:
        state.seats[state.active].stage = CHOOSING
        return
    certain, possible = lowest_dice(state)
    if possible.bit_count() == PLATTER_SIZE:
        serve(state, possible)
    else:
        state.platter = certain
        state.hand = possible & ~certain
        state.laid = ALL_DICE & ~possible
        state.chance = TIE_DUE


def serve(state: State, platter: int) -> None:
    """Put three dice on the platter in a solo passive turn; the others count as chosen."""
    state.chance = NO_CHANCE
    state.hand = 0
    state.platter = platter
    state.laid = ALL_DICE & ~platter
    state.seats[0].stage = TAKING


def dice_up_to(state: State, face: int) -> int:
    """Return the mask of the dice showing at most this face."""
    mask = 0
    for die in range(DICE):
        if state.face[die] <= face:
            mask |= 1 << die
    return mask


def lowest_dice(state: State) -> tuple[int, int]:
    """Return the dice that are certainly among the three lowest, and those that may be.

    Tied ones are in the second mask only.
    """
    certain = 0
    face = 1
    possible = dice_up_to(state, face)
    while possible.bit_count() < PLATTER_SIZE:
        certain = possible
        face += 1
        possible = dice_up_to(state, face)
    return certain, possible


def count_platters(state: State) -> int:
    """Count the ways in which tied dice can fill the platter."""
    tied = state.hand.bit_count()
    ways = 1
    for n in range(PLATTER_SIZE - state.platter.bit_count()):
        ways = ways * (tied - n) // (n + 1)
    return ways


def is_platter(state: State, mask: int) -> bool:
    """Return whether these could be the dice on the platter."""
    return (
        mask.bit_count() == PLATTER_SIZE and mask & state.laid == 0 and state.platter & ~mask == 0
    )


def nth_platter(state: State, n: int) -> int:
    """Return the n-th way to fill the platter, by ascending mask."""
    possible = state.platter | state.hand
    mask = 0
    while True:
        if is_platter(state, mask):
            n -= 1
            if n < 0:
                return mask
        mask = mask - possible & possible  # the next larger part of the possible dice
