"""What the computer players need of a family in Python; ``stubs`` declares the kernel's side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from foxclover.ai.playing import WITH_NET
from foxclover.core.contract import Feature
from foxclover.core.game import Game
from foxclover.core.records import Record
from foxclover.core.registry import import_part
from foxclover.kernel import Instance
from foxclover.kernel.batch import GREEDY, RANDOM

if TYPE_CHECKING:
    from foxclover.ai.nets import Array, Net

POLICIES = {"random": RANDOM, "greedy": GREEDY}


class Strength(NamedTuple):
    """The parameters of a computer player."""

    noise: float = 0.0  # in points, added to ratings
    seconds: float = 0.0  # for rollouts at a table
    tries: int = 0  # rollouts, where games must be repeatable
    prior: float = 0.0  # rollouts that a rating counts for
    to_win: bool = False  # in the last round winning counts, not points


class ReviewSettings(NamedTuple):
    """The parameters of a review."""

    classes: tuple[float, float, float]  # least loss of an inaccuracy, a mistake, a blunder
    tries: int  # rollouts of a move that seems to lose points
    dice_luck_used: tuple[tuple[float, float], ...]  # points lost a decision -> share of luck used
    shared_rolls: bool = False  # every roll counts for all players


class PuzzleSettings(NamedTuple):
    """When the best move of a decision is clear enough for a puzzle."""

    margin: float  # points that it is ahead of the second best
    span: float  # moves further behind by their ratings are not sensible
    tries: int  # rollouts of a move, at most
    games: int  # whole games after a move, at most


class Node(NamedTuple):
    """An operation of ONNX, by its name there."""

    operation: str
    inputs: tuple[str, ...]  # arrays, inputs, or outputs of earlier nodes
    output: str
    attributes: Mapping[str, Any] = {}


class NetGraph(NamedTuple):
    """A net as operations of ONNX on batches, with the texts of its model card in English."""

    arrays: Mapping[str, Array]
    nodes: Sequence[Node]  # the last one computes ``points``
    rates: str  # what the output means
    units: str  # of the inputs
    learnt: str  # how the net was trained
    page: str  # of the documents, about the training
    kinds: str = ""  # the meaning of the input ``kind``, if there is one


class Family(Protocol):
    """The module ``players`` of a family's package."""

    STRENGTHS: Mapping[str, Strength]  # by name of the player
    REVIEW: ReviewSettings
    PUZZLES: PuzzleSettings
    INPUTS: int  # version of the inputs of its net
    COARSE: tuple[str, ...]  # arrays of its net stored as bytes
    STEPS: Mapping[str, float]  # of arrays stored as multiples of a power of two
    Workspace: type[Record]  # its field ``net`` is a record with a field for each array of the net

    def shapes(self, game: Game) -> dict[str, tuple[int, ...]]:
        """Return the shapes of the net's arrays for a game."""

    def equip(self, instance: Instance, workspace: Any, game: Game) -> None:
        """Fill in what a workspace needs beside the net."""

    def name_inputs(self, game: Game) -> Iterable[Feature]:
        """Return the names and bounds of the inputs of the net."""

    def graph(self, game: Game, net: Net) -> NetGraph:
        """Return a net as operations of ONNX."""


def seat_players(game: Game, names: Sequence[str], policies: Any, configs: Any) -> None:
    """Write the policies and parameters of the computer players on the seats."""
    strengths = family_of(game).STRENGTHS
    for seat, name in enumerate(names):
        policies[seat] = POLICIES.get(name, WITH_NET)
        strength, config = strengths.get(name, Strength()), configs[seat]
        config.noise, config.tries, config.prior, config.to_win = (
            strength.noise,
            strength.tries,
            strength.prior,
            int(strength.to_win),
        )


def family_of(game: Game) -> Family:
    """Return the computer players of a game's family."""
    return cast(Family, import_part(game.family, "ai.players"))
