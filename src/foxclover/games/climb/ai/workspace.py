"""What the functions of this package work on."""

from __future__ import annotations

from foxclover.ai.climb.inputs import TableauInputs
from foxclover.ai.climb.network import HIDDEN, Nets
from foxclover.ai.trials import Trials
from foxclover.climb.solver import PAIR, SUBSETS
from foxclover.climb.state import (
    CLOVER,
    COLOURS,
    LEVELS,
    ROLLS_OF_ROUND,
    SEATS,
    SPOTS,
    WAITING,
    State,
)
from foxclover.records import Record, floats, ints, one, rows, shorts

LUCKS = CLOVER + 1  # amounts of luck
POSITIONS = 4096  # of one round looked at, at most
TABLE = 2 * POSITIONS  # slots of the table that finds them
FAILED = POSITIONS  # the ending of whoever fails
PAIRS = LEVELS - 1  # of neighbouring levels
CELLS = LEVELS * COLOURS
NUMBERS = 5  # a plan buys 0 to 4 cards of each colour
PLANS = NUMBERS**COLOURS
FUTURES = 500
RIVAL = SEATS  # the solver for thinking about rivals


class Ending(Record):
    """A player's tableau after a round in which he marked a set of cards."""

    marked: int  # mask of spots
    pushed: int  # mask of those among them that are best pushed; the others are scored
    points: float  # of the scored cards
    worth: list[float] = floats(LUCKS)  # [luck]
    hidden: list[float] = floats(HIDDEN)


class Solver(Record):
    """A player's round, from where he stood: position ``i`` is a set of marked cards, with every amount of luck that may be left."""

    round: int  # which was solved; 0: none
    early: int  # 1: before its first roll
    last: int  # 1: no round comes after it
    solo: int  # 1: by the solo rules
    to_win: int  # 1: winning counts, not points
    net: int  # for the tableaus it leads to
    clover: int  # luck a player can hold
    luck: int  # on his clover,
    rolled: int  # rolls answered,
    marked: int  # cards marked
    lucky: int  # and luck markers among these, where he stood
    cards: int  # mask of the spots with an active card
    lifts: int  # solo rules: scored cards he may still push for a card scored before
    lift_colour: int  # of that card
    count: int  # positions
    cut: int  # the first position that must stop
    masks: list[int] = ints(POSITIONS)
    table: list[int] = shorts(TABLE)  # position + 1 by the hashed set of marked cards; 0: none
    stop: list[list[float]] = floats(POSITIONS, LUCKS)  # [i][luck]: what going out is worth
    roll: list[list[float]] = floats(POSITIONS, LUCKS)  # what staying in is worth
    value: list[list[float]] = floats(POSITIONS, LUCKS)  # the better of the two
    failed: list[float] = floats(LUCKS)  # [luck]: what the tableau is worth after failing
    others: list[float] = floats(ROLLS_OF_ROUND)  # [roll]: chance that somebody else makes it
    rival_scores: list[int] = ints(FUTURES)  # to win: what is to be beaten, in rising order
    missed: list[list[int]] = ints(
        PAIRS, SUBSETS
    )  # [pair of levels][subset of their cards]: how many rolls fulfil none of these
    union: list[int] = ints(SUBSETS)
    scoring: list[list[float]] = floats(
        SPOTS, HIDDEN
    )  # [spot]: what scoring the card changes in the hidden layer
    pushing: list[list[float]] = floats(SPOTS, HIDDEN)  # and pushing it
    gains: list[float] = floats(SPOTS)  # points for scoring it
    colours: list[int] = ints(SPOTS)
    tally: list[int] = ints(CELLS)  # [cell]: scored cards
    counted: list[int] = ints(CELLS)  # the same with those of this round
    lifted: list[float] = floats(HIDDEN)  # the hidden layer after scored cards were pushed
    children: list[int] = ints(PAIR)  # positions one card further
    best: list[float] = floats(PAIR)  # values of cards that may be fulfilled, in falling order,
    bits: list[int] = ints(PAIR)  # and the cards


class Draft(Record):
    """A tableau in the making."""

    hidden: list[float] = floats(HIDDEN)
    room: list[int] = ints(LEVELS)  # for more cards


class Building(Record):
    """Room to try all ways to lay the waiting cards out."""

    before: Draft = one(Draft)
    after: Draft = one(Draft)
    adding: list[list[list[float]]] = floats(
        WAITING, LEVELS, HIDDEN
    )  # what a card on a level changes in the hidden layer
    levels: list[int] = ints(WAITING)  # where each card is laid
    overlaps: list[list[float]] = floats(
        LEVELS, 1 << WAITING
    )  # [level][set of waiting cards]: of the cards that would lie there


class Plans(Record):
    """Plans of purchases, and what they are tried with."""

    left: int  # purchases
    money: int
    most: int  # money, with what cards turned in would bring
    luck: int
    bonus: int  # colour of a card that comes before all purchases, or NO_COLOUR
    exchanged: int  # 1: the last waiting card is given back for the next one
    net: int
    points: float  # on the table
    worth: list[float] = floats(PLANS)  # [plan]: the mean over all draws
    drawn: list[list[int]] = ints(COLOURS, NUMBERS)  # cards that may come up next
    tableau: Draft = one(Draft)
    with_red: Draft = one(Draft)
    with_yellow: Draft = one(Draft)
    with_green: Draft = one(Draft)
    changed: list[float] = floats(HIDDEN)  # after cards were turned in
    trial: list[float] = floats(HIDDEN)
    turned: list[int] = ints(LEVELS)  # green cards given up for a plan
    rng: list[int] = ints(4)


class Entrant(Record):
    """A player as he enters the futures."""

    seat: int
    answered: int  # rolls of the futures
    before: int  # rolls of the round before the futures begin
    position: int
    luck: int
    stage: int
    points: float


class Futures(Record):
    """How the last round may go on for everybody."""

    rolls: list[list[int]] = shorts(FUTURES, ROLLS_OF_ROUND)  # [n][roll]: outcomes of the dice
    standing: list[list[int]] = ints(
        SEATS, FUTURES
    )  # [seat][n]: points, with luck, and what breaks ties, when he goes out
    ended: list[list[int]] = ints(SEATS, FUTURES)  # [seat][n]: rolls of the round by then
    luck_room: list[list[int]] = ints(SEATS, FUTURES)  # [seat][n]: luck he still has room for
    entrant: Entrant = one(Entrant)


class Mind(Record):
    """The nets, and room to work with them; the fields that ``ai.family`` names mean the same here."""

    here: State = one(State)
    known: State = one(State)
    ahead: State = one(State)
    trials: Trials = one(Trials)
    every: int
    fresh: int
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)
    look_rng: list[int] = ints(4)
    net: Nets = one(Nets)  # one for each kind of tableau
    draws: int  # how often cards are drawn to try plans of purchases with
    solvers: list[Solver] = rows(Solver, SEATS + 1)  # by seat, and one for thinking about rivals
    endings: list[Ending] = rows(
        Ending, POSITIONS + 1
    )  # of the round being solved; the last stands for having failed
    building: Building = one(Building)
    plans: Plans = one(Plans)
    futures: Futures = one(Futures)
    tableau: TableauInputs = one(
        TableauInputs
    )  # of the player looked at, to be shown or learnt from
    after: State = one(State)  # a position after a move
    ahead_trials: Trials = one(Trials)  # of ``ahead``
