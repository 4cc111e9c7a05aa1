"""Bundles of arrays that the functions of this package take; ``fast`` never executes this module again.

Compiled, everything is a numpy array. In CPython (``plain``) only hidden layers are: single numbers are quicker in lists.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    Row = np.ndarray[Any, np.dtype[np.float64]]  # of a hidden layer
    Ints = list[int]
    Floats = list[float]

MODES = 2  # star side, solo rules
ROUNDS_LEFT = 5
KINDS = 2 * ROUNDS_LEFT - 1  # nets of a mode: before rolling with 0 to 4 rounds left, after pushing with 1 to 4 left
ROLLS_OF_ROUND = 16  # more than a round can have
LUCKS = 5
STATES = 4096  # positions of one round looked at, at most
PLACES = 20
LEVELS = 5
PAIRS = 4  # of neighbouring levels
SUBSETS = 256  # of the cards on two levels
CELLS = 15  # a level and a colour
WAITING = 6
PLANS = 125  # of purchases: 0 to 4 of each colour
HIGHEST = 1024  # more than anybody scores
MOVES = 256  # more than the longest list of legal moves
SEATS = 4
LIMIT, THOROUGH = 13, 14  # where the facts of a solver tell how much it looks at


class Nets(NamedTuple):
    """All value nets of the game; each has one hidden layer, fed by rows that add up."""

    rows: list[list[Row]]  # [net][input][hidden]
    out: list[Row]  # [net][hidden]
    bias: Floats  # [net]
    rolling: list[list[Floats]]  # [mode][rounds left][roll]: how often a player makes that roll of a round


class Solver(NamedTuple):
    """A player's round, from where he stands: position ``i`` is a set of marked cards, each with 0 to 4 luck."""

    facts: Ints
    masks: Ints  # [i]
    found: Ints  # [mask]: i, or -1
    pushed: Ints  # [i]: which of the marked cards are best pushed
    hidden: list[Row]  # [i][hidden]: of the layout that results
    points: Floats  # [i]: of its scored cards
    keep: list[Floats]  # [i][luck]: what the layout is worth; the last i stands for having failed
    stop: list[Floats]  # [i][luck]: what going out is worth
    roll: list[Floats]  # [i][luck]: what staying in is worth
    value: list[Floats]  # [i][luck]: the better of the two
    missed: list[Ints]  # [pair of levels][subset of their cards]: how many rolls fulfil none of these
    union: Ints  # [subset]
    moved: list[Row]  # [2 * place + (0 scored, 1 pushed)][hidden]
    colours: Ints  # [place]
    gains: Floats  # [place]: points for scoring
    others: Floats  # [roll]: chance that somebody else makes it
    tally: Ints  # [cell]: scored cards
    counted: Ints  # [cell]: the same with those of this round
    lifted: Row  # [hidden]
    trial: Row  # [hidden]
    best: Floats  # [8]: candidates in falling order
    bits: Ints  # [8]
    wins: Floats  # [points]: worth of a final score to somebody who wants to win


class Desk(NamedTuple):
    """What building and buying are worked out on."""

    facts: Ints
    hidden: list[Row]  # [depth][hidden]
    room: list[Ints]  # [depth][level]
    added: list[Row]  # [5 * waiting + level][hidden]
    drawn: list[Ints]  # [colour][n]
    plans: Floats  # [plan]: mean value
    levels: Ints  # [waiting]
    turned: Ints  # [level]: green cards given up for a plan


class Mind(NamedTuple):
    """What one thread thinks with."""

    nets: Nets
    solvers: tuple[Solver, Solver, Solver, Solver]  # by seat
    rival: Solver
    desk: Desk
    dice_rng: Ints
    choice_rng: Ints
    look_rng: Ints
    moves: Ints
    ratings: Floats  # [move]: expected final points
    look_moves: Ints  # the same while looking ahead
    look_ratings: Floats
    candidates: Ints  # moves that a search looks at, as indices of ``moves``
    counts: Ints  # [move]: how often it was tried
    sums: Floats  # [move]: points
    squares: Floats


def _numbers(kind: str, plain: bool, fill: int, *shape: int) -> Any:
    import numpy as np

    array = np.full(shape, fill, kind)
    return array.tolist() if plain else array


def _rows(array: Any) -> Any:
    """A table of rows: typed as a list of them, which it behaves like."""
    return array


def make_solver(hidden: int, plain: bool = False, limit: int = STATES, thorough: bool = True) -> Solver:
    """Room to solve a round in: at most ``limit`` positions, all their decisions looked at thoroughly or only the newest one."""
    import numpy as np

    def ints(*shape: int, fill: int = 0) -> Any:
        return _numbers("i8", plain, fill, *shape)

    def floats(*shape: int) -> Any:
        return _numbers("f8", plain, 0, *shape)

    solver = Solver(
        facts=ints(16),
        masks=ints(STATES),
        found=ints(1 << PLACES, fill=-1),
        pushed=ints(STATES),
        hidden=_rows(np.zeros((STATES, hidden))),
        points=floats(STATES),
        keep=floats(STATES + 1, LUCKS),
        stop=floats(STATES, LUCKS),
        roll=floats(STATES, LUCKS),
        value=floats(STATES, LUCKS),
        missed=ints(PAIRS, SUBSETS),
        union=ints(SUBSETS),
        moved=_rows(np.zeros((2 * PLACES, hidden))),
        colours=ints(PLACES),
        gains=floats(PLACES),
        others=floats(ROLLS_OF_ROUND),
        tally=ints(CELLS),
        counted=ints(CELLS),
        lifted=np.zeros(hidden),
        trial=np.zeros(hidden),
        best=floats(2 * LEVELS),
        bits=ints(2 * LEVELS),
        wins=floats(HIGHEST),
    )
    solver.facts[LIMIT] = limit
    solver.facts[THOROUGH] = int(thorough)
    return solver


def make_desk(hidden: int, plain: bool, samples: int) -> Desk:
    """Room to build and buy on, with so many samples of cards drawn."""
    import numpy as np

    desk = Desk(
        facts=_numbers("i8", plain, 0, 4),
        hidden=_rows(np.zeros((8, hidden))),
        room=_numbers("i8", plain, 0, 8, LEVELS),
        added=_rows(np.zeros((LEVELS * WAITING, hidden))),
        drawn=_numbers("i8", plain, 0, 3, 8),
        plans=_numbers("f8", plain, 0, PLANS),
        levels=_numbers("i8", plain, 0, WAITING),
        turned=_numbers("i8", plain, 0, LEVELS),
    )
    desk.facts[0] = samples
    return desk


def make_mind(nets: Nets, plain: bool = False, samples: int = 16, limit: int = STATES, thorough: bool = True) -> Mind:
    """Room for one thread; in CPython one solver serves all seats."""
    hidden = len(nets.out[0])
    solvers = [make_solver(hidden, plain, limit, thorough) for _ in range(2 if plain else SEATS + 1)]

    def ints(length: int) -> Any:
        return _numbers("i8", plain, 0, length)

    def floats() -> Any:
        return _numbers("f8", plain, 0, MOVES)

    return Mind(
        nets=nets,
        solvers=(solvers[0], solvers[0], solvers[0], solvers[0]) if plain else (solvers[0], solvers[1], solvers[2], solvers[3]),
        rival=solvers[-1],
        desk=make_desk(hidden, plain, samples),
        dice_rng=ints(4),
        choice_rng=ints(4),
        look_rng=ints(4),
        moves=ints(MOVES),
        ratings=floats(),
        look_moves=ints(MOVES),
        look_ratings=floats(),
        candidates=ints(MOVES),
        counts=ints(MOVES),
        sums=floats(),
        squares=floats(),
    )


class Notebook(NamedTuple):
    """Layouts to learn from, a row for each."""

    unit: list[Row]  # the unit matrix: what turns a hidden layer into the inputs themselves
    inputs: list[Row]  # [row][input]
    kinds: Ints  # [row]: which net
    targets: Floats  # [row]: points to come
    open_rows: Ints  # [seat]: a row whose worth is not yet known; -1: none
    wild: Ints  # [seat]: does he waver in this round
    rolls: list[list[Floats]]  # [mode][rounds left][roll]: how many players made it; roll 0 counts them all


def make_notebook(inputs: int, rows: int) -> Notebook:
    """An empty notebook."""
    import numpy as np

    return Notebook(
        unit=_rows(np.eye(inputs)),
        inputs=_rows(np.zeros((rows, inputs))),
        kinds=_numbers("i8", False, 0, rows),
        targets=_numbers("f8", False, 0, rows),
        open_rows=_numbers("i8", False, 0, SEATS),
        wild=_numbers("i8", False, 0, SEATS),
        rolls=_numbers("f8", False, 0, MODES, ROUNDS_LEFT, ROLLS_OF_ROUND),
    )
