"""The data of the computer players: value nets, their inputs, and the buffers of the search.

Inputs add up over the cards of a tableau, so moving one card changes a few rows of the hidden layer
only.
"""

from __future__ import annotations

from math import log

from foxclover.ai.candidates import Candidates
from foxclover.core.records import Record, floats, ints, one, rows, shorts
from foxclover.games.climb.rules.evaluation import PAIR, SUBSETS
from foxclover.games.climb.rules.state import (
    CLOVER,
    COLOURS,
    LEVELS,
    NO_CARD,
    ROLLS,
    ROLLS_OF_ROUND,
    SEATS,
    SLOTS,
    SPOTS,
    WAITING,
    WORDS,
    Deck,
    Player,
    State,
    colour_of,
)
from foxclover.games.climb.rules.tableau import scored_on


def clear_row(row: list[float]) -> None:
    """Set a row to zero."""
    for j in range(len(row)):
        row[j] = 0.0


def copy_row(target: list[float], source: list[float]) -> None:
    """Copy a row."""
    for j in range(len(target)):
        target[j] = source[j]


def add_row(target: list[float], row: list[float], scale: float) -> None:
    """Add a multiple of a row."""
    for j in range(len(target)):
        target[j] += scale * row[j]


def fire(hidden: list[float], extra: list[float], out: list[float]) -> float:
    """Add one more row to the hidden layer and return its weighted positive part."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(0, len(hidden), 4):
        # Four sums side by side: no addition waits for the one before.
        a += max(hidden[j] + extra[j], 0.0) * out[j]
        b += max(hidden[j + 1] + extra[j + 1], 0.0) * out[j + 1]
        c += max(hidden[j + 2] + extra[j + 2], 0.0) * out[j + 2]
        d += max(hidden[j + 3] + extra[j + 3], 0.0) * out[j + 3]
    return (a + b) + (c + d)


VERSION = 2  # of what the nets see: a net for another version is refused
HIDDEN = 32  # width of the hidden layers
MODES = 2  # star side, solo rules
MOST_LEFT = 4  # rounds to come that the nets distinguish
ROUNDS_LEFT = MOST_LEFT + 1
# Nets of a mode: before rolling with 0 to 4 rounds left, after pushing with 1 to 4 left.
KINDS = ROUNDS_LEFT + MOST_LEFT
NETS = MODES * KINDS
SCALE = 20.0  # points in an output of 1

KNOWN_LUCK = 4  # amounts of luck and
KNOWN_PLAYERS = 4  # numbers of players that the nets distinguish
ACTIVE = 0  # + cell: active cards of a colour on a level
HIT = ACTIVE + LEVELS * COLOURS  # + cell: the sum of their chances
# + level: logarithm of the chance to miss all its cards, if independent; see ``overlap``.
MISS = HIT + LEVELS * COLOURS
SCORED = MISS + LEVELS  # + cell: scored cards
LUCK = SCORED + LEVELS * COLOURS  # + luck
PLAYERS = LUCK + KNOWN_LUCK + 1  # + players - 1
ALWAYS = PLAYERS + KNOWN_PLAYERS
INPUTS = ALWAYS + 1


class Nets(Record):
    """All value nets of the game; each has one hidden layer."""

    rows: list[list[list[float]]] = floats(NETS, INPUTS, HIDDEN)
    out: list[list[float]] = floats(NETS, HIDDEN)
    bias: list[float] = floats(NETS)
    # How often a player makes that roll of a round.
    rolling: list[list[list[float]]] = floats(MODES, ROUNDS_LEFT, ROLLS_OF_ROUND)


def net_before_rolling(deck: Deck, state: State) -> int:
    """Return the net for a tableau before rolling."""
    return KINDS * state.solo + min(deck.rounds - max(state.round, 1), MOST_LEFT)


def net_after_pushing(deck: Deck, state: State) -> int:
    """Return the net for a tableau at the end of a round that is not the last one."""
    return KINDS * state.solo + MOST_LEFT + min(deck.rounds - state.round, MOST_LEFT)


def luck_input(luck: int) -> int:
    """Return the input for an amount of luck."""
    return LUCK + min(luck, KNOWN_LUCK)


def expected(nets: Nets, net: int, hidden: list[float], luck: int) -> float:
    """Return the expected further points of a tableau; luck counts as points already."""
    return luck + SCALE * (
        fire(hidden, nets.rows[net][luck_input(luck)], nets.out[net]) + nets.bias[net]
    )


LEAST_MISS = 0.02
LEAST_OF_LEVEL = LEAST_MISS**2


class TableauInputs(Record):
    """The inputs of one tableau."""

    # The unit matrix: what turns a hidden layer into the inputs themselves.
    unit: list[list[float]] = floats(INPUTS, INPUTS)
    inputs: list[float] = floats(INPUTS)


def missing(chance: float) -> float:
    """Return the logarithm of the chance that a card is missed."""
    return log(max(1.0 - chance, LEAST_MISS))


def add_active(
    rows: list[list[float]],
    colour: int,
    chance: float,
    level: int,
    sign: float,
    hidden: list[float],
) -> None:
    """Add an active card of some chance on a level, or remove it."""
    cell = COLOURS * level + colour
    add_row(hidden, rows[ACTIVE + cell], sign)
    add_row(hidden, rows[HIT + cell], sign * chance)
    add_row(hidden, rows[MISS + level], sign * missing(chance))


def add_card(
    deck: Deck, rows: list[list[float]], card: int, level: int, sign: float, hidden: list[float]
) -> None:
    """Add an active card on a level, or remove it."""
    add_active(rows, colour_of(card), deck.hits[card] / ROLLS, level, sign, hidden)


def add_tableau(
    deck: Deck, state: State, mine: Player, rows: list[list[float]], hidden: list[float]
) -> None:
    """Add everything of a tableau but luck."""
    copy_row(hidden, rows[ALWAYS])
    add_row(hidden, rows[PLAYERS + min(state.players, KNOWN_PLAYERS) - 1], 1.0)
    for spot in range(SPOTS):
        if mine.active[spot] != NO_CARD:
            add_card(deck, rows, mine.active[spot], spot // SLOTS, 1.0, hidden)
    for level in range(LEVELS):
        for colour in range(COLOURS):
            count = scored_on(state, mine, level, colour)
            if count > 0:
                add_row(hidden, rows[SCORED + COLOURS * level + colour], float(count))


def write_tableau(deck: Deck, state: State, mine: Player, tableau: TableauInputs) -> None:
    """Write the inputs of a tableau."""
    for n in range(INPUTS):
        tableau.unit[n][n] = 1.0
    add_tableau(deck, state, mine, tableau.unit, tableau.inputs)
    tableau.inputs[luck_input(mine.luck)] += 1.0


def overlap(deck: Deck, mine: Player, level: int, chosen: int) -> float:
    """Return how much cards of a level overlap, with the ``chosen`` waiting ones on it.

    This is the logarithm of the chance to miss all of them, minus that of independent cards. It is
    no sum over the cards, so only the final placing of cards includes it.
    """
    independent = 0.0
    for slot in range(SLOTS):
        if mine.active[SLOTS * level + slot] != NO_CARD:
            independent += missing(deck.hits[mine.active[SLOTS * level + slot]] / ROLLS)
    for index in range(mine.waiting_count):
        if chosen >> index & 1:
            independent += missing(deck.hits[mine.waiting[index]] / ROLLS)
    missed = ROLLS
    for word in range(WORDS):
        met = 0
        for slot in range(SLOTS):
            met |= deck.hit_words[mine.active[SLOTS * level + slot]][word]
        for index in range(mine.waiting_count):
            if chosen >> index & 1:
                met |= deck.hit_words[mine.waiting[index]][word]
        missed -= deck.word_weight[word] * met.bit_count()
    return log(max(missed / ROLLS, LEAST_OF_LEVEL)) - independent


LUCKS = CLOVER + 1  # amounts of luck
POSITIONS = 4096  # of one round looked at, at most
TABLE = 2 * POSITIONS  # slots of the table that finds them
FAILED = POSITIONS  # the ending after failing
PAIRS = LEVELS - 1  # of neighbouring levels
CELLS = LEVELS * COLOURS
WAYS = 3  # to place cards that are compared by solving the round, at most
LIFTABLE = CELLS - COLOURS  # cells below the highest level
NUMBERS = 5  # a plan buys 0 to 4 cards of each colour
PLANS = NUMBERS**COLOURS
FUTURES = 500
RIVAL = SEATS  # the solver for thinking about rivals


class Ending(Record):
    """A player's tableau after a round in which a set of cards was marked."""

    marked: int  # mask of spots
    pushed: int  # mask of those among them that are best pushed; the others are scored
    points: float  # of the scored cards
    value: list[float] = floats(LUCKS)  # [luck]
    hidden: list[float] = floats(HIDDEN)


class Solver(Record):
    """A player's round from some position on.

    Position ``i`` is a set of marked cards, with every amount of luck that may be left.
    """

    round: int  # which was solved; 0: none
    early: int  # 1: before its first roll
    last: int  # 1: it is the last round
    solo: int  # 1: by the solo rules
    to_win: int  # 1: winning counts, not points
    net: int  # for the tableaus it leads to
    most: int  # luck a player can have during the round
    luck: int  # on the clover,
    rolled: int  # rolls answered,
    marked: int  # cards marked
    lucky: int  # and luck markers among these, at the start
    cards: int  # mask of the spots with an active card
    lifts: int  # solo rules: pushes left for a card scored before
    lift_colour: int  # of that card
    count: int  # positions
    cut: int  # the first position that must stop
    masks: list[int] = ints(POSITIONS)
    table: list[int] = shorts(TABLE)  # position + 1 by the hashed set of marked cards; 0: none
    stop: list[list[float]] = floats(POSITIONS, LUCKS)  # [i][luck]: the value of dropping out
    roll: list[list[float]] = floats(POSITIONS, LUCKS)  # the value of staying in
    value: list[list[float]] = floats(POSITIONS, LUCKS)  # the better of the two
    failed: list[float] = floats(LUCKS)  # [luck]: the value of the tableau after failing
    others: list[float] = floats(ROLLS_OF_ROUND)  # [roll]: chance that another player makes it
    rival_scores: list[int] = ints(FUTURES)  # to win: what is to be beaten, in rising order
    # [pair of levels][subset of their cards]: how many rolls fulfil none of these.
    missed: list[list[int]] = ints(PAIRS, SUBSETS)
    union: list[int] = ints(SUBSETS)
    # [spot]: what scoring the card changes in the hidden layer.
    scoring: list[list[float]] = floats(SPOTS, HIDDEN)
    pushing: list[list[float]] = floats(SPOTS, HIDDEN)  # and pushing it instead;
    rising: list[list[float]] = floats(SPOTS, HIDDEN)  # this with the luck at the start,
    falling: list[list[float]] = floats(SPOTS, HIDDEN)  # and the same for the way back
    gains: list[float] = floats(SPOTS)  # points for scoring it
    colours: list[int] = ints(SPOTS)
    coloured: list[int] = ints(COLOURS)  # [colour]: mask of the spots with a card of it
    lifting: int  # mask of the spots whose scoring lifts others
    tally: list[int] = ints(CELLS)  # [cell]: scored cards
    held: list[int] = ints(COLOURS)  # [colour]: the same on all levels
    counted: list[int] = ints(CELLS)  # the same with those of this round
    order: list[int] = ints(LIFTABLE)  # cells of scored cards that may be pushed, best first
    lifted: list[float] = floats(HIDDEN)  # the hidden layer after scored cards were pushed
    children: list[int] = ints(PAIR)  # positions one card further
    best: list[float] = floats(PAIR)  # values of cards that may be fulfilled, in falling order,
    bits: list[int] = ints(PAIR)  # and the cards


class Draft(Record):
    """A tableau in the making."""

    hidden: list[float] = floats(HIDDEN)
    room: list[int] = ints(LEVELS)  # for more cards


class Building(Record):
    """Buffers to try all ways to place the waiting cards."""

    before: Draft = one(Draft)
    after: Draft = one(Draft)
    # What a card on a level changes in the hidden layer.
    adding: list[list[list[float]]] = floats(WAITING, LEVELS, HIDDEN)
    levels: list[int] = ints(WAITING)  # where each card is laid
    kept: int  # ways to place all cards that are rated best, the best first:
    best: list[list[int]] = ints(WAYS, WAITING)  # the level of each card,
    ratings: list[float] = floats(WAYS)  # and the rating
    # [level][set of waiting cards]: of the cards that would be there.
    overlaps: list[list[float]] = floats(LEVELS, 1 << WAITING)


class Plans(Record):
    """Plans of purchases, and the buffers to try them."""

    left: int  # purchases
    money: int
    most: int  # money, with what cards turned in would bring
    luck: int
    bonus: int  # colour of a card drawn before all purchases, or NO_COLOUR
    exchanged: int  # 1: the last waiting card is given back for the next one
    net: int
    points: float  # on the table
    value: list[float] = floats(PLANS)  # [plan]: the mean over all draws
    drawn: list[list[int]] = ints(COLOURS, NUMBERS)  # cards that may be drawn next
    tableau: Draft = one(Draft)
    with_red: Draft = one(Draft)
    with_yellow: Draft = one(Draft)
    with_green: Draft = one(Draft)
    changed: list[float] = floats(HIDDEN)  # after cards were turned in
    trial: list[float] = floats(HIDDEN)
    turned: list[int] = ints(LEVELS)  # green cards given up for a plan
    rng: list[int] = ints(4)


class Entrant(Record):
    """A player at the start of the futures."""

    seat: int
    answered: int  # rolls of the futures
    before: int  # rolls of the round before the futures begin
    position: int
    luck: int
    stage: int
    points: float


class Futures(Record):
    """Possible courses of the last round for all players."""

    rolls: list[list[int]] = shorts(FUTURES, ROLLS_OF_ROUND)  # [n][roll]: outcomes of the dice
    # [seat][n]: points with luck, and the tie break, on dropping out.
    final_score: list[list[int]] = ints(SEATS, FUTURES)
    ended: list[list[int]] = ints(SEATS, FUTURES)  # [seat][n]: rolls of the round by then
    luck_room: list[list[int]] = ints(SEATS, FUTURES)  # [seat][n]: room for luck
    entrant: Entrant = one(Entrant)


class Workspace(Record):
    """The nets, and the buffers of the players.

    The fields that ``ai.stubs`` declares have the same meaning here.
    """

    here: State = one(State)
    pre_roll_state: State = one(State)
    ahead: State = one(State)
    candidates: Candidates = one(Candidates)
    rate_all: int
    no_cache: int
    dice_rng: list[int] = ints(4)
    choice_rng: list[int] = ints(4)
    look_rng: list[int] = ints(4)
    net: Nets = one(Nets)  # one for each kind of tableau
    draws: int  # how often cards are drawn to try plans of purchases with
    solvers: list[Solver] = rows(Solver, SEATS + 1)  # by seat, and one for thinking about rivals
    # Of the round being solved; the last is that after failing.
    endings: list[Ending] = rows(Ending, POSITIONS + 1)
    building: Building = one(Building)
    plans: Plans = one(Plans)
    futures: Futures = one(Futures)
    # Of one player, to be observed or learnt from.
    tableau: TableauInputs = one(TableauInputs)
    after: State = one(State)  # a position after a move
    ahead_candidates: Candidates = one(Candidates)  # of ``ahead``


def write_inputs(
    deck: Deck, workspace: Workspace, state: State, seat: int, inputs: list[float], at: int
) -> None:
    """Write the inputs of a tableau as if it were about to roll, from index ``at`` on."""
    mine = state.seats[seat]
    write_tableau(deck, state, mine, workspace.tableau)
    for level in range(LEVELS):
        workspace.tableau.inputs[MISS + level] += overlap(deck, mine, level, 0)
    for n in range(INPUTS):
        inputs[at + n] = workspace.tableau.inputs[n]
