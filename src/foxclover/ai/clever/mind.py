"""Bundles of arrays that the compiled functions of this package take; ``fast`` never executes this module again."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from foxclover.ai.clever.inputs import SCALARS
from foxclover.ai.clever.plan import Plan
from foxclover.ai.parts import Desk, Net, make_desk

if TYPE_CHECKING:
    from foxclover.ai.parts import Buffer, Floats, Ints

MOVES = 256  # more than the longest list of legal moves
SAMPLES = 1024  # positions of a game to learn from, at most
SEATS, AREAS = 4, 5


class Mind(NamedTuple):
    """What one thread thinks with."""

    plan: Plan
    net: Net
    desk: Desk
    dice_rng: Buffer
    choice_rng: Buffer
    rollout_rng: Buffer
    moves: Buffer
    ratings: Buffer  # [move]: expected final points
    candidates: Buffer  # moves that a search looks at
    promise: Buffer  # their ratings
    counts: Buffer  # rollouts made of each
    sums: Buffer  # of points
    squares: Buffer
    wins: Buffer


class Notebook(NamedTuple):
    """Positions of a game to learn from."""

    codes: Ints  # [sample][slot]
    values: Floats  # [sample][scalar]
    owners: Buffer  # [sample]: seat
    latest: Buffer  # [seat]: sample
    points: Buffer  # [sample]: sum of the areas
    ahead: Buffer  # [sample]: value at the owner's next decision
    known: Buffer  # [sample]: 0 no decision came after it, 1 ahead counts together with the end of the game, 2 ahead alone counts
    moods: Buffer  # [seat][area]: a liking for an area in this game
    report: Buffer  # squared errors, points and number of solo games played in earnest, samples


class Recipe(NamedTuple):
    """How games to learn from are played, and how much of the end of a game counts for its beginning."""

    batch: int  # games
    solo: float  # share of games with one player; the others have two, three or four
    wild: float  # share of games played in moods
    heat: float  # points that chance adds in such a game
    mood: float  # points of liking for an area
    limited: int  # area that gets no more entries than a number drawn for each game; -1: none
    limit: float  # the highest such number
    trace: float  # lambda of TD(lambda)


class School(NamedTuple):
    """A net that learns: gradients, the two memories of Adam, the second layer's weights transposed, constants of a step."""

    grads: Net
    means: Net
    squares: Net
    flipped: Floats
    constants: Floats


def make_mind(plan: Plan, net: Net) -> Mind:
    """Room for one thread."""
    import numpy as np

    def ints(length: int) -> Buffer:
        return np.zeros(length, np.int64)

    def floats() -> Buffer:
        return np.zeros(MOVES)

    desk = make_desk(net, plan.slots)
    return Mind(
        plan, net, desk, ints(4), ints(4), ints(4), ints(MOVES), floats(), ints(MOVES), floats(), ints(MOVES), floats(), floats(), floats()
    )


def make_notebook(plan: Plan) -> Notebook:
    """An empty notebook."""
    import numpy as np

    return Notebook(
        codes=np.zeros((SAMPLES, plan.slots), np.int64),
        values=np.zeros((SAMPLES, SCALARS), np.float32),
        owners=np.zeros(SAMPLES, np.int64),
        latest=np.zeros(SEATS, np.int64),
        points=np.zeros(SAMPLES),
        ahead=np.zeros(SAMPLES),
        known=np.zeros(SAMPLES, np.int64),
        moods=np.zeros((SEATS, AREAS)),
        report=np.zeros(4),
    )


def make_school(net: Net) -> School:
    """A net's gradients and memories, all zero."""
    import numpy as np

    def blank() -> Net:
        return Net(*(np.zeros_like(array) for array in net))

    return School(blank(), blank(), blank(), np.ascontiguousarray(net.weights.T), np.zeros(5, np.float32))
