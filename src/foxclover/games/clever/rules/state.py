"""The printed sheet, a player's sheet and the table, all in integers."""

from __future__ import annotations

from foxclover.core.records import Record, ints, one, rows
from foxclover.core.rules import FAMILY_DUE

SEATS = 4
DICE = 6
PAIR = DICE  # index of the sum of the joker and its partner in ``State.face``
ALL_DICE = 0b111111
ROLLS = 3
AREAS = 5
USES = (
    2 * AREAS
)  # a die and an area it may be entered in: each coloured die in its own, the joker in all
CELLS = 24  # at most, of a grid
FIELDS = 12  # at most, of a track
VALUES = 13  # a number entered is 0 (a plain cross) to 12 (two dice)
LINES = 16  # line 0 is no line
GROUPS = 20  # cells that score together; every cell is in one group

# Kinds of area, order of the numbers on a track, ways to score.
GRID, TRACK = range(2)
ANY_ORDER, RISING, FALLING = range(3)
BY_GROUP, BY_SUM, BY_PAIR = range(3)
TOP_FACE = 6  # on a rising track anything may follow it

# Bonuses: nothing, a fox, an action of one of the tracks; from PLACED on, entries the player
# places.
REROLL, RETURN, EXTRA = range(3)
ACTIONS = 3
NOTHING, FOX, ACTION = range(3)
PLACED = ACTION + ACTIONS
BONUSES = 16
OPTIONS = 5
FREE = -1  # value of a bonus whose number the player chooses

# Stages of a player and phases of a turn.
CLOSED, AT_START, RETURNING, CHOOSING, FOLLOWING, TAKING, ADDING = range(7)
ROUND_START, ROLLING, WINDOWS, PASSIVE, OVER = range(5)
TIE_DUE = FAMILY_DUE


class Player(Record):
    """A player's sheet and stage in the turn."""

    integer = "i4"
    stage: int
    used: int  # mask of dice used as extra dice in this turn
    foxes: int
    heaped: int  # bonuses won and not yet placed
    heap: list[int] = ints(BONUSES)  # the same by kind
    actions: list[int] = ints(ACTIONS)  # unlocked and not yet used
    unlocked: list[int] = ints(ACTIONS)
    room: list[int] = ints(AREAS)  # entries an area can still take
    open: list[int] = ints(AREAS)  # mask of the numbers an area takes right now
    last: list[int] = ints(AREAS)  # number entered last, before its factor
    points: list[int] = ints(AREAS)
    circled: list[int] = ints(AREAS)  # masks of cells
    crossed: list[int] = ints(AREAS)
    line_left: list[int] = ints(LINES)  # cells a line still lacks
    grouped: list[int] = ints(GROUPS)  # crosses or entries of a group
    written: list[list[int]] = ints(AREAS, FIELDS)  # numbers on tracks, multiplied


class State(Record):
    """The table: dice, turn and all players' sheets."""

    integer = "i4"
    players: int
    round: int
    phase: int
    first: int  # the seat that begins each round
    active: int
    chance: int  # which chance move is due
    roll: int  # 1 to 3; 0 before the first
    hand: int  # masks of dice
    platter: int
    laid: int
    follow: int  # dice that may still be crossed because the last choice sent them to the platter
    face: list[int] = ints(DICE + 1)  # by die, and of PAIR
    field: list[int] = ints(ROLLS)  # die on each dice field plus 1; 0: empty
    seats: list[Player] = rows(Player, SEATS)


class Sheet(Record):
    """The printed sheet, read from a data file.

    Areas, cells, dice and bonuses are counted from 0.
    """

    integer = "i4"
    joker: int  # the die that counts as any colour
    partner: int  # the die whose face is added to the joker's where an area asks for both; -1: none
    optional: int  # 1: a usable die may be left
    follow_area: int  # area of which the dice sent away may be crossed too; -1: none
    bonuses: int  # one more than the last bonus
    rounds: list[int] = ints(SEATS + 1)  # by number of players
    reward: list[int] = ints(7)  # bonus by round
    action_fields: list[int] = ints(ACTIONS)
    action_end: list[int] = ints(ACTIONS)  # bonus for unlocking the last field
    home: list[int] = ints(DICE)  # area of a die; -1 for the joker
    die_row: list[int] = ints(DICE)  # row of the follow-up area a die belongs to; -1: any
    kind: list[int] = ints(AREAS)
    cells: list[int] = ints(AREAS)
    paired: list[int] = ints(AREAS)  # 1: the joker and its partner are added up
    use_die: list[int] = ints(USES)  # as a mask
    use_area: list[int] = ints(USES)
    use_face: list[int] = ints(USES)  # which face is entered: that of the die, or PAIR
    use_move: list[int] = ints(USES)  # number of the first move, see moves.py
    circles: list[int] = ints(AREAS)  # 1: a number is circled before it is crossed
    order: list[int] = ints(AREAS)
    scoring: list[int] = ints(AREAS)
    showing: list[list[int]] = ints(
        AREAS * VALUES, 4
    )  # grids: cells showing a number, -1 when there are no more
    shown: list[int] = ints(AREAS * VALUES)  # the same cells as a mask
    number: list[list[int]] = ints(AREAS, CELLS)  # grids: what a cell shows
    follow_cells: list[list[int]] = ints(
        DICE, TOP_FACE + 1
    )  # by face: mask of the cells a die may cross as a follow-up
    first_line: list[list[int]] = ints(AREAS, CELLS)  # lines a cell is part of; 0: none
    second_line: list[list[int]] = ints(AREAS, CELLS)
    line_bonus: list[int] = ints(LINES)
    group: list[list[int]] = ints(AREAS, CELLS)
    gain: list[list[int]] = ints(GROUPS, FIELDS)  # points the next cross or entry of a group adds
    takes: list[list[int]] = ints(AREAS, FIELDS)  # tracks: mask of the numbers from the minimum on
    factor: list[list[int]] = ints(AREAS, FIELDS)
    bonus: list[list[int]] = ints(AREAS, FIELDS)
    bonus_minimum: list[list[int]] = ints(AREAS, FIELDS)
    options: list[int] = ints(BONUSES)  # how many areas a bonus may be placed in
    option_area: list[list[int]] = ints(BONUSES, OPTIONS)
    option_value: list[list[int]] = ints(BONUSES, OPTIONS)
    empty: Player = one(Player)  # a sheet at the start of a game
    blank: State = one(State)  # a table without players
