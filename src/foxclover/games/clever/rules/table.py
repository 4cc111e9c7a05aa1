"""The rules of the Clever games as the rest of the package uses them.

Start, legal moves and apply, then results, observations and the greedy player.
"""

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
from foxclover.games.clever.rules.moves import (
    DONE,
    ENTRIES,
    LOT_OF,
    PASS,
    PLACE,
    REROLL_ALL,
    ROLL,
    TAKE_BACK,
    TIE,
    enter,
    legal,
    total_points,
)
from foxclover.games.clever.rules.state import (
    ACTIONS,
    ADDING,
    AREAS,
    CELLS,
    CHOOSING,
    CLOSED,
    DICE,
    EXTRA,
    FOLLOWING,
    GRID,
    PAIR,
    PLACED,
    REROLL,
    RETURN,
    RETURNING,
    Player,
    Sheet,
    State,
)
from foxclover.games.clever.rules.turns import (
    acting,
    advance,
    count_platters,
    dice_rolled,
    end_roll,
    is_platter,
    lay_out,
    nth_platter,
    proceed,
    roll_on,
    serve,
    start_round,
)

OUTCOMES = 6**DICE
ACTION_SPACE = TIE  # chance's moves follow those of the players

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


def start(sheet: Sheet, state: State, players: int, variant: int) -> None:
    """Start a game on any state, up to the first decision or chance move.

    The variant contains the start player only.
    """
    assign(state, sheet.blank)
    state.players = players
    for seat in range(players):
        assign(state.seats[seat], sheet.empty)
    if variant // START_PLAYER_UNIT == RANDOM:
        state.chance = START_PLAYER_DUE
    else:
        begin(sheet, state, variant // START_PLAYER_UNIT)


def begin(sheet: Sheet, state: State, first: int) -> None:
    """Start the first round with this start player."""
    state.first = first
    start_round(sheet, state)
    advance(sheet, state)


def chance_pending(sheet: Sheet, state: State) -> int:
    """Return which chance move is due; NO_CHANCE if players are to act or at the end."""
    return state.chance


def rollers(sheet: Sheet, state: State) -> int:
    """Return the mask of the seats that may roll now.

    The active player rolls the dice; any player may draw the start player.
    """
    if state.chance == START_PLAYER_DUE:
        return (1 << state.players) - 1
    return 1 << state.active if state.chance == ROLL_DUE else 0


def outcomes(state: State) -> int:
    """Count the outcomes of the chance move due, all equally likely."""
    if state.chance == START_PLAYER_DUE:
        return state.players
    if state.chance != ROLL_DUE:
        return count_platters(state)
    rolls: int = 6 ** state.hand.bit_count()
    return rolls


def nth_outcome(state: State, n: int) -> int:
    """Return the n-th chance move in ascending order."""
    if state.chance == ROLL_DUE:
        return ROLL + n
    if state.chance == START_PLAYER_DUE:
        return LOT_OF + n
    return TIE + nth_platter(state, n)


def draw(sheet: Sheet, state: State, rng: list[int]) -> int:
    """Draw a chance move with the right odds."""
    return nth_outcome(state, below(rng, outcomes(state)))


def chance_moves(sheet: Sheet, state: State, moves: list[int], weights: list[int]) -> int:
    """Write all chance moves with their weights; return how many."""
    count = outcomes(state)
    for n in range(count):
        moves[n] = nth_outcome(state, n)
        weights[n] = 1
    return count


def is_chance_move(sheet: Sheet, state: State, move: int) -> bool:
    """Return whether this is an outcome of the chance move that is due."""
    if state.chance == ROLL_DUE:
        return ROLL <= move < ROLL + outcomes(state)
    if state.chance == START_PLAYER_DUE:
        return LOT_OF <= move < LOT_OF + state.players
    return state.chance != NO_CHANCE and TIE <= move < ROLL and is_platter(state, move - TIE)


def score(sheet: Sheet, state: State, seat: int) -> int:
    """Return the current points of a player."""
    return total_points(state.seats[seat])


def apply(sheet: Sheet, state: State, seat: int, move: int) -> None:
    """Make a move without checking it, and advance to the next decision."""
    if seat == CHANCE:
        apply_chance(sheet, state, move)
        return
    mine = state.seats[seat]
    if move < PLACE:
        use_die(sheet, state, mine, move // ENTRIES, move % ENTRIES)
    elif move < PASS:
        mine.heap[(move - PLACE) // ENTRIES + PLACED] -= 1
        mine.heaped -= 1
        enter(sheet, mine, move % ENTRIES)
    elif move == REROLL_ALL:
        mine.actions[REROLL] -= 1
        mine.stage = CLOSED
        state.chance = ROLL_DUE
    elif move == DONE:
        stop(state, mine)
    elif move >= TAKE_BACK:
        take_back(state, mine, move - TAKE_BACK)
    if move <= PASS:
        proceed(sheet, state, mine)
    if mine.stage == CLOSED:
        advance(sheet, state)


def apply_chance(sheet: Sheet, state: State, move: int) -> None:
    """Apply a roll, the tied dice that go to the platter, or the start player."""
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
    """Enter a die.

    The stage decides whether it is laid out, taken, an extra die or a follow-up.
    """
    if mine.stage == CHOOSING:
        lay_out(sheet, state, die, entry // CELLS)
    elif mine.stage == FOLLOWING:
        state.follow &= ~(1 << die)
    elif mine.stage == ADDING:
        mine.actions[EXTRA] -= 1
        mine.used |= 1 << die
    enter(sheet, mine, entry)


def stop(state: State, mine: Player) -> None:
    """End the follow-ups, returns or extra dice."""
    if mine.stage == FOLLOWING:
        state.follow = 0
        end_roll(state, mine)
    elif mine.stage == RETURNING:
        roll_on(state, mine)
    else:
        mine.stage = CLOSED


def take_back(state: State, mine: Player, die: int) -> None:
    """Return a die from the platter to the hand, to be rolled too."""
    mine.actions[RETURN] -= 1
    state.platter &= ~(1 << die)
    state.hand |= 1 << die
    end_roll(state, mine)


def write_parts(sheet: Sheet, state: State, seat: int, parts: list[int]) -> None:
    """Write the points of each area, then those of the foxes."""
    mine = state.seats[seat]
    rest = total_points(mine)
    for area in range(AREAS):
        parts[area] = mine.points[area]
        rest -= mine.points[area]
    parts[AREAS] = rest


def write_tallies(sheet: Sheet, state: State, seat: int, tallies: list[int]) -> None:
    """Write how many foxes a seat has."""
    tallies[0] = state.seats[seat].foxes


def is_ahead(sheet: Sheet, state: State, seat: int, other: int) -> bool:
    """Return whether a seat is ahead of another, by total, then by the best single area."""
    mine = state.seats[seat]
    theirs = state.seats[other]
    lead = total_points(mine) - total_points(theirs)
    return lead > 0 or (lead == 0 and best_area(mine) > best_area(theirs))


def best_area(mine: Player) -> int:
    """Return the points of the best area."""
    best = mine.points[0]
    for points in mine.points:
        best = max(best, points)
    return best


def observe_table(sheet: Sheet, state: State, seat: int, features: list[int]) -> int:
    """Write the table; return how many numbers that are."""
    features[0] = state.round
    features[1] = state.phase
    features[2] = state.roll
    features[3] = (state.active - seat + state.players) % state.players
    features[4] = (state.first - seat + state.players) % state.players
    at = 5
    for die in range(DICE):
        rolling = state.chance == ROLL_DUE and state.hand >> die & 1 == 1
        features[at] = 0 if rolling else state.face[die]
        features[at + 1] = 1 if state.platter >> die & 1 else 2 if state.laid >> die & 1 else 0
        features[at + 2] = state.follow >> die & 1
        at += 3
    return at


def observe(sheet: Sheet, state: State, seat: int, features: list[int]) -> None:
    """Write the table, then the sheets, the seat's own first."""
    at = observe_table(sheet, state, seat, features)
    for turn in range(state.players):
        at = observe_sheet(sheet, state.seats[(seat + turn) % state.players], features, at)


def observe_sheet(sheet: Sheet, mine: Player, features: list[int], at: int) -> int:
    """Write a sheet; return where it ends."""
    features[at] = mine.stage
    features[at + 1] = mine.foxes
    features[at + 2] = total_points(mine)
    at += 3
    for die in range(DICE):
        features[at + die] = mine.used >> die & 1
    at += DICE
    for bonus in range(PLACED, sheet.bonuses):
        features[at] = mine.heap[bonus]
        at += 1
    for action in range(ACTIONS):
        features[at] = mine.actions[action]
        features[at + 1] = mine.unlocked[action]
        at += 2
    for area in range(AREAS):
        features[at] = mine.points[area]
        features[at + 1] = mine.room[area]
        features[at + 2] = mine.last[area]
        at += 3
        cells = sheet.cells[area]
        if sheet.kind[area] == GRID:
            crossed = mine.crossed[area]
            circled = mine.circled[area] | crossed
            for cell in range(cells):
                features[at + cell] = (crossed >> cell & 1) + (circled >> cell & 1)
        else:
            for cell in range(cells):
                features[at + cell] = mine.written[area][cell]
        at += cells
    return at


def greedy(
    sheet: Sheet, state: State, scratch: State, seat: int, moves: list[int], count: int
) -> int:
    """Return the index of the move with the highest score right after it.

    The first of equals wins, so dice before passing.
    """
    best, best_score = 0, -1000
    for index in range(count):
        assign(scratch, state)
        apply(sheet, scratch, seat, moves[index])
        points = score(sheet, scratch, seat)
        if points > best_score:
            best, best_score = index, points
    return best
