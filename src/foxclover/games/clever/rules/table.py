"""The rules of the Clever games as the rest of the package uses them: start, who acts, what is legal, apply."""

from __future__ import annotations

from foxclover.beginning import BEGINS, LOT, LOT_DUE
from foxclover.clever.areas import enter, total_points
from foxclover.clever.moves import (
    DONE,
    ENTRIES,
    LOT_OF,
    PASS,
    PLACE,
    REROLL_ALL,
    ROLL,
    TAKE_BACK,
    TIE,
    legal,
)
from foxclover.clever.state import (
    ADDING,
    CELLS,
    CHANCE,
    CHOOSING,
    CLOSED,
    DICE,
    EXTRA,
    FOLLOWING,
    NO_CHANCE,
    PAIR,
    PLACED,
    REROLL,
    RETURN,
    RETURNING,
    ROLL_DUE,
    ROUND_START,
    Player,
    Sheet,
    State,
)
from foxclover.clever.turns import (
    acting,
    advance,
    clear_table,
    count_platters,
    dice_rolled,
    end_roll,
    is_platter,
    lay_out,
    nth_platter,
    prepare_sheet,
    proceed,
    roll_on,
    serve,
    start_round,
)
from foxclover.rng import below

MOVES = 256  # more than the longest list of legal moves
OUTCOMES = 6**DICE
ACTION_SPACE = TIE  # chance's moves follow those of the players

__all__ = [
    "ACTION_SPACE",
    "MOVES",
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


def start(sheet: Sheet, state: State, players: int, variant: int) -> None:
    """Begin a game on any state, up to the first decision or move of chance. All that varies in the Clever games is who begins."""
    state.players = players
    clear_table(state)
    for seat in range(players):
        prepare_sheet(sheet, state.seats[seat])
    if variant // BEGINS == LOT:
        state.first = 0
        state.active = 0
        state.phase = ROUND_START
        state.chance = LOT_DUE
    else:
        begin(sheet, state, variant // BEGINS)


def begin(sheet: Sheet, state: State, first: int) -> None:
    """Start the first round, in which this seat begins."""
    state.first = first
    start_round(sheet, state)
    advance(sheet, state)


def chance_pending(sheet: Sheet, state: State) -> int:
    """Which chance move is due: NO_CHANCE while players are to act or the game is over."""
    return state.chance


def rollers(sheet: Sheet, state: State) -> int:
    """Mask of the seats that may let the dice fall now: the active player's; anybody may draw the lot."""
    if state.chance == LOT_DUE:
        return (1 << state.players) - 1
    return 1 << state.active if state.chance == ROLL_DUE else 0


def outcomes(state: State) -> int:
    """How many outcomes the chance move due has, all equally likely."""
    if state.chance == LOT_DUE:
        return state.players
    if state.chance != ROLL_DUE:
        return count_platters(state)
    rolls: int = 6 ** state.hand.bit_count()
    return rolls


def nth_outcome(state: State, n: int) -> int:
    """The n-th chance move in ascending order."""
    if state.chance == ROLL_DUE:
        return ROLL + n
    if state.chance == LOT_DUE:
        return LOT_OF + n
    return TIE + nth_platter(state, n)


def draw(sheet: Sheet, state: State, rng: list[int]) -> int:
    """A chance move, drawn with the right odds."""
    return nth_outcome(state, below(rng, outcomes(state)))


def chance_moves(sheet: Sheet, state: State, moves: list[int], weights: list[int]) -> int:
    """Write all chance moves with their weights; return how many."""
    count = outcomes(state)
    for n in range(count):
        moves[n] = nth_outcome(state, n)
        weights[n] = 1
    return count


def is_chance_move(sheet: Sheet, state: State, move: int) -> bool:
    """Is this a chance move that is due?"""
    if state.chance == ROLL_DUE:
        return ROLL <= move < ROLL + outcomes(state)
    if state.chance == LOT_DUE:
        return LOT_OF <= move < LOT_OF + state.players
    return state.chance != NO_CHANCE and TIE <= move < ROLL and is_platter(state, move - TIE)


def score(sheet: Sheet, state: State, seat: int) -> int:
    """Points of a player as his sheet stands."""
    return total_points(state.seats[seat])


def apply(sheet: Sheet, state: State, seat: int, move: int) -> None:
    """Make a legal move (it is not checked) and go on to the next decision."""
    if seat == CHANCE:
        apply_chance(sheet, state, move)
        return
    mine = state.seats[seat]
    if move < PLACE:
        use_die(sheet, state, mine, move // ENTRIES, move % ENTRIES)
        proceed(sheet, state, mine)
    elif move < PASS:
        place_bonus(sheet, mine, (move - PLACE) // ENTRIES + PLACED, (move - PLACE) % ENTRIES)
        proceed(sheet, state, mine)
    elif move == PASS:
        proceed(sheet, state, mine)
    elif move == REROLL_ALL:
        reroll(state, mine)
    elif move == DONE:
        stop(state, mine)
    else:
        take_back(state, mine, move - TAKE_BACK)
    if mine.stage == CLOSED:
        advance(sheet, state)


def apply_chance(sheet: Sheet, state: State, move: int) -> None:
    """Let the dice fall, or settle which of tied dice are served or who begins."""
    if move >= LOT_OF:
        state.chance = NO_CHANCE
        begin(sheet, state, move - LOT_OF)
        return
    if move < ROLL:
        serve(state, move - TIE)
        return
    digits = move - ROLL
    hand = state.hand
    face = state.face
    for die in range(DICE):
        if hand >> die & 1:
            face[die] = 1 + digits % 6
            digits //= 6
    if sheet.partner >= 0:
        face[PAIR] = face[sheet.partner] + face[sheet.joker]
    dice_rolled(state)


def use_die(sheet: Sheet, state: State, mine: Player, die: int, entry: int) -> None:
    """Enter a die: lay it out, take it, use it as an extra die or cross it as a follow-up, as the stage has it."""
    if mine.stage == CHOOSING:
        lay_out(sheet, state, die, entry // CELLS)
    elif mine.stage == FOLLOWING:
        state.follow &= ~(1 << die)
    elif mine.stage == ADDING:
        mine.actions[EXTRA] -= 1
        mine.used |= 1 << die
    enter(sheet, mine, entry)


def place_bonus(sheet: Sheet, mine: Player, bonus: int, entry: int) -> None:
    """Take a bonus off the heap and enter it."""
    mine.heap[bonus] -= 1
    mine.heaped -= 1
    enter(sheet, mine, entry)


def reroll(state: State, mine: Player) -> None:
    """Pay for throwing the dice at hand again."""
    mine.actions[REROLL] -= 1
    mine.stage = CLOSED
    state.chance = ROLL_DUE


def stop(state: State, mine: Player) -> None:
    """No more follow-ups, returned dice or extra dice."""
    if mine.stage == FOLLOWING:
        state.follow = 0
        end_roll(state, mine)
    elif mine.stage == RETURNING:
        roll_on(state, mine)
    else:
        mine.stage = CLOSED


def take_back(state: State, mine: Player, die: int) -> None:
    """Return a die from the platter to the hand, to be rolled along."""
    mine.actions[RETURN] -= 1
    state.platter &= ~(1 << die)
    state.hand |= 1 << die
    end_roll(state, mine)
