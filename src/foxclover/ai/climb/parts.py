"""What the functions of this package work on; ``fast`` never executes this module again.

The classes say which fields there are. Compiled, a mind is one numpy record, passed by its address, whose sizes the compiler knows. In
CPython (``plain``) it is made of these classes: lists for single numbers, which are quicker there, and numpy arrays for hidden layers and
what is worked out for many positions at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from foxclover.ai.climb.inputs import INPUTS

if TYPE_CHECKING:
    import numpy as np

    Row = np.ndarray[Any, np.dtype[np.float64]]  # of a hidden layer
    Ints = list[int]
    Floats = list[float]
    Number = Any  # a float; where CPython works on many positions at once, an array of them
    PlainSolver = Any  # a solver whose tables are arrays, see ``make_plain_solver``

HIDDEN = 32  # width of the hidden layers
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
FUTURES = 500
MOVES = 256  # more than the longest list of legal moves
SEATS = 4
SOLVERS = SEATS + 1
NETS = MODES * KINDS
LIMIT = 13  # where the facts of a solver tell how many positions it looks at


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
    spare: list[Row]  # [2][hidden]
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
    overlaps: list[Floats]  # [level][set of waiting cards]: of the cards that would lie there
    turned: Ints  # [level]: green cards given up for a plan


class Outlook(NamedTuple):
    """How the last round may go on for everybody."""

    futures: list[Ints]  # [n][roll]: outcomes of the dice
    standing: list[Ints]  # [seat][n]: points, with luck, and what breaks ties, when he goes out
    ended: list[Ints]  # [seat][n]: rolls of the round by then
    thirst: list[Ints]  # [seat][n]: luck he still has room for


class Mind(NamedTuple):
    """What one thread thinks with."""

    nets: Nets
    solvers: list[Solver]  # by seat, and one for thinking about rivals
    desk: Desk
    outlook: Outlook
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


# -- sizes ----------------------------------------------------------------------------------------------------------------

NETS_SHAPE = {"rows": (NETS, INPUTS, HIDDEN), "out": (NETS, HIDDEN), "bias": (NETS,), "rolling": (MODES, ROUNDS_LEFT, ROLLS_OF_ROUND)}
SOLVER_SHAPE = {
    "facts": (16,),
    "masks": (STATES,),
    "found": (1 << PLACES,),
    "pushed": (STATES,),
    "hidden": (STATES, HIDDEN),
    "points": (STATES,),
    "keep": (STATES + 1, LUCKS),
    "stop": (STATES, LUCKS),
    "roll": (STATES, LUCKS),
    "value": (STATES, LUCKS),
    "missed": (PAIRS, SUBSETS),
    "union": (SUBSETS,),
    "moved": (2 * PLACES, HIDDEN),
    "colours": (PLACES,),
    "gains": (PLACES,),
    "others": (ROLLS_OF_ROUND,),
    "tally": (CELLS,),
    "counted": (CELLS,),
    "spare": (2, HIDDEN),
    "best": (8,),
    "bits": (8,),
    "wins": (HIGHEST,),
}
DESK_SHAPE = {
    "facts": (4,),
    "hidden": (8, HIDDEN),
    "room": (8, LEVELS),
    "added": (LEVELS * WAITING, HIDDEN),
    "drawn": (3, 8),
    "plans": (PLANS,),
    "levels": (WAITING,),
    "overlaps": (LEVELS, 1 << WAITING),
    "turned": (LEVELS,),
}
OUTLOOK_SHAPE = {
    "futures": (FUTURES, ROLLS_OF_ROUND),
    "standing": (SEATS, FUTURES),
    "ended": (SEATS, FUTURES),
    "thirst": (SEATS, FUTURES),
}
MIND_SHAPE = {
    "dice_rng": (4,),
    "choice_rng": (4,),
    "look_rng": (4,),
    "moves": (MOVES,),
    "ratings": (MOVES,),
    "look_moves": (MOVES,),
    "look_ratings": (MOVES,),
    "candidates": (MOVES,),
    "counts": (MOVES,),
    "sums": (MOVES,),
    "squares": (MOVES,),
}
FLOATS = {*NETS_SHAPE, "points", "keep", "stop", "roll", "value", "gains", "others", "best", "wins", "plans", "overlaps"}
FLOATS |= {"ratings", "look_ratings", "sums", "squares"}
ROWS = {"hidden", "moved", "spare", "added"}  # of hidden layers
TABLES = {"found", "stop", "roll", "value", "missed"}


def _dtype(shapes: Mapping[str, tuple[int, ...]]) -> list[Any]:
    return [(name, "f8" if name in FLOATS | ROWS else "i8", shape) for name, shape in shapes.items()]


def _plain(shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Any]:
    import numpy as np

    arrays = {name: np.zeros(shape, "f8" if name in FLOATS | ROWS else "i8") for name, shape in shapes.items()}
    return {name: array if name in ROWS | TABLES else array.tolist() for name, array in arrays.items()}


def make_mind(nets: Nets, samples: int) -> Any:
    """Room to think for one thread, compiled, with so many samples of the cards drawn."""
    import numpy as np

    nets_type, solver, desk, outlook = (np.dtype(_dtype(shape)) for shape in (NETS_SHAPE, SOLVER_SHAPE, DESK_SHAPE, OUTLOOK_SHAPE))
    fields = [("nets", nets_type), ("solvers", solver, (SOLVERS,)), ("desk", desk), ("outlook", outlook), *_dtype(MIND_SHAPE)]
    minds: Any = np.zeros(1, np.dtype(fields))
    for name, array in nets._asdict().items():
        minds["nets"][name][0] = array
    minds["solvers"]["found"] = -1
    minds["solvers"]["facts"][..., LIMIT] = STATES
    minds["desk"]["facts"][..., 0] = samples
    return minds[0]


def make_plain_mind(nets: Nets, samples: int) -> Mind:
    """Room to think in CPython; one solver serves all seats, for one player is asked at a time."""
    numbers: Any = nets
    solver, rival = make_plain_solver(), make_plain_solver()
    desk = Desk(**_plain(DESK_SHAPE))
    desk.facts[0] = samples
    return Mind(
        nets=nets._replace(bias=numbers.bias.tolist(), rolling=numbers.rolling.tolist()),
        solvers=[solver, solver, solver, solver, rival],
        desk=desk,
        outlook=Outlook(**_plain(OUTLOOK_SHAPE)),
        **_plain(MIND_SHAPE),
    )


def make_plain_solver(limit: int = STATES) -> PlainSolver:
    """Room to solve a round in, in CPython."""
    import numpy as np

    solver: PlainSolver = Solver(**_plain(SOLVER_SHAPE) | {"found": np.full(SOLVER_SHAPE["found"], -1, np.int32)})
    solver.facts[LIMIT] = limit
    return solver


class Notebook(NamedTuple):
    """Layouts to learn from, a row for each."""

    unit: list[Row]  # the unit matrix: what turns a hidden layer into the inputs themselves
    inputs: list[Row]  # [row][input]
    kinds: Ints  # [row]: which net
    targets: Floats  # [row]: points to come
    open_rows: Ints  # [seat]: a row whose worth is not yet known; -1: none
    wild: Ints  # [seat]: does he waver in this round
    rolls: list[list[Floats]]  # [mode][rounds left][roll]: how many players made it; roll 0 counts them all


def make_notebook(rows: int) -> Notebook:
    """An empty notebook."""
    import numpy as np

    arrays: dict[str, Any] = {
        "unit": np.eye(INPUTS),
        "inputs": np.zeros((rows, INPUTS)),
        "kinds": np.zeros(rows, np.int64),
        "targets": np.zeros(rows),
        "open_rows": np.zeros(SEATS, np.int64),
        "wild": np.zeros(SEATS, np.int64),
        "rolls": np.zeros((MODES, ROUNDS_LEFT, ROLLS_OF_ROUND)),
    }
    return Notebook(**arrays)
