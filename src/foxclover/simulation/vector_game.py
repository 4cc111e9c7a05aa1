"""Games side by side in the kernel's memory, seen as numpy arrays: what all environments step."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from foxclover.accounts import Result
from foxclover.ai import AGENTS, UnknownAgent
from foxclover.ai.families import family_of, seat_players
from foxclover.ai.nets import make_mind, shipped_net
from foxclover.ai.simple import POLICIES
from foxclover.contract import Feature
from foxclover.game import Game, Position, game
from foxclover.kernel import open_kernel
from foxclover.simulation.stepping import (
    ALL_DONE,
    FOR_GAINS,
    FOR_POINTS,
    FOR_WINS,
    NOBODY,
    OUTSIDE,
    Lane,
    Seen,
    Sight,
    Stepper,
)

if TYPE_CHECKING:
    Array = np.ndarray[Any, np.dtype[Any]]

REWARDS = {"points": FOR_POINTS, "gains": FOR_GAINS, "win": FOR_WINS}
OBSERVATIONS = ("features", "inputs")
SEEDS = 2**32
RENDER_MODES = ["human", "ansi", "rgb_array"]


class Action(NamedTuple):
    """An action as agents count them, and the move it stands for."""

    id: int
    move: int
    text: str


class Features(NamedTuple):
    """What is observed, number by number."""

    names: list[str]
    least: Array
    most: Array


@cache
def actions(played: str | Game, players: int = 1) -> tuple[Action, ...]:
    """All actions of a game for so many, in order: the table between numbers and texts."""
    chosen = game(played) if isinstance(played, str) else played
    features = chosen.contract.features
    moves = features.player_moves(chosen.book, players)
    return tuple(
        Action(number, move, features.name_move(chosen.book, move))
        for number, move in enumerate(moves)
    )


def features(played: str | Game, players: int = 1, observation: str = "features") -> Features:
    """The names and bounds of what is observed of a game: its features, or the inputs of its nets after what all see."""
    if observation not in OBSERVATIONS:
        raise ValueError(f"observation is one of {', '.join(OBSERVATIONS)}, not {observation!r}")
    chosen = game(played) if isinstance(played, str) else played
    chosen.start(players)  # refuses what cannot be played
    named: list[Feature]
    if observation == "inputs":
        named = [
            *chosen.contract.features.name_table(chosen.book, players),
            *import_module(f"foxclover.envs.{chosen.family}").name_inputs(chosen),
        ]
    else:
        named = chosen.contract.features.name_features(chosen.book, players)
    kind = np.float32 if observation == "inputs" else np.int16
    least, most = (
        np.array([getattr(feature, bound) for feature in named], kind)
        for bound in ("least", "most")
    )
    return Features(
        [feature.name for feature in named], least, np.maximum(most, least + 1)
    )  # checkers warn of numbers that cannot vary


class IllegalAction(ValueError):
    """An action that the mask does not allow, or that there is not."""


class Lanes:
    """``count`` games; computer players have the seats with a name, the actions of the others come from outside.

    ``observations``, ``masks``, ``rewards``, ``over`` and ``seats`` are views of the kernel's memory: they change with every step.
    """

    def __init__(
        self,
        played: Game,
        count: int,
        names: Sequence[str],
        reward: str = "points",
        observation: str = "features",
        variant: int = 0,
    ) -> None:
        check(count, names, reward)
        kernel = open_kernel(played.family)
        if not kernel.built:
            raise RuntimeError("environments need the built kernel and wasmtime")
        self.game, self.count, self.players = played, count, len(names)
        self.variant = played.start(self.players, variant).variant  # refuses what cannot be played
        self.actions = actions(played, self.players)
        self.instance = kernel.instance()
        new = self.instance.new
        self.tables, self.stepper, self.account = (
            new(type(played.book.tables)),
            new(Stepper),
            new(Result),
        )
        self.instance.set(self.tables, played.book.tables)
        state = played.rules.State
        self.lanes, self.states, self.known = new(Lane, count), new(state, count), new(state, count)
        self.seen, self.sights = new(Seen, count), new(Sight, count)
        self.chosen, self.rng = self.instance.ints(count), self.instance.ints(4)
        self._fill(names, REWARDS[reward])
        self.mind = self._mind(observation)
        buffers = (
            self.tables,
            self.stepper,
            self.mind,
            self.lanes,
            self.states,
            self.known,
            self.seen,
            self.sights,
        )
        self._begin = self.instance.prepare("begin_lanes", *buffers)
        self._step = self.instance.prepare("step_lanes", *buffers, self.chosen, self.account)
        self._draw = self.instance.prepare("draw_actions", self.seen, self.chosen, self.rng)
        self.features = features(played, self.players, observation)
        self.observations: Array = self.look_at(self.seen, self.sights)
        self.masks: Array = np.asarray(self.seen.mask)[:, : len(self.actions)]
        self.rewards: Array = np.asarray(self.seen.rewards)[:, : self.players]
        self.over: Array = np.asarray(self.lanes.over)
        self.seats: Array = np.asarray(self.lanes.seat)

    def look_at(self, seen: Any, sights: Any) -> Array:
        """What is observed, where the kernel writes it."""
        place = sights.inputs if self.stepper.shows_inputs else seen.features
        return np.asarray(place)[..., : len(self.features.names)]

    def _mind(self, observation: str) -> Any:
        """What the players with a net think with, and what the inputs of the nets are worked out with."""
        self.stepper.shows_inputs = int(observation == "inputs")
        if not self.stepper.thinkers and not self.stepper.shows_inputs:
            return self.instance.new(
                family_of(self.game).Mind
            )  # whose room for positions is used; pages never touched cost nothing
        mind = make_mind(
            self.instance, self.game, shipped_net(self.game) if self.stepper.thinkers else {}
        )
        mind.fresh = int(self.count > 1)  # one mind thinks about all games in turn
        return mind

    def _fill(self, names: Sequence[str], reward: int) -> None:
        stepper = self.stepper
        stepper.players, stepper.variant, stepper.reward, stepper.stride = (
            self.players,
            self.variant,
            reward,
            self.count,
        )
        stepper.actions_count = len(self.actions)
        seat_players(self.game, names, stepper.policies, stepper.habits)
        stepper.thinkers = sum(bool(name) and name not in POLICIES for name in names)
        for seat, name in enumerate(names):
            if not name:
                stepper.policies[seat] = OUTSIDE
        for action in self.actions:
            stepper.moves[action.id], stepper.actions[action.move] = action.move, action.id

    def begin(self, seeds: Sequence[int] | Array, numbers: Sequence[int] | Array) -> None:
        """Set up game number ``numbers[i]`` of seed ``seeds[i]`` in each lane: the same dice as in ``foxclover.simulate``."""
        self.lanes.seed[:] = seeds
        self.lanes.number[:] = numbers
        self._begin()

    def step(self, chosen: Any) -> None:
        """Make an action in each lane; where a game was over the next one begins instead."""
        if chosen is not self.chosen:
            numbers = np.asarray(chosen)
            fits = numbers.shape == (self.count,) or (self.count == 1 and numbers.ndim == 0)
            if numbers.dtype.kind not in "iu" or not fits:
                wanted = (
                    "an action is a whole number"
                    if self.count == 1
                    else f"actions are {self.count} whole numbers"
                )
                raise IllegalAction(f"{wanted}, not {chosen!r}")
            self.chosen[:] = numbers
        wrong = self._step()
        if wrong != ALL_DONE:
            raise IllegalAction(self._complaint(wrong))

    def _complaint(self, lane: int) -> str:
        number = int(self.chosen[lane])
        legal = ", ".join(
            f"{action.id} ({action.text})" for action in self.actions if self.masks[lane, action.id]
        )
        if not 0 <= number < len(self.actions):
            return f"there is no action {number}: they are 0 to {len(self.actions) - 1}; in lane {lane} these are legal: {legal}"
        return f"action {number} ({self.actions[number].text}) is masked in lane {lane}; legal are {legal}"

    def draw(self) -> Array:
        """Draw a legal action for each lane, as a buffer that ``step`` takes without copying."""
        self._draw()
        drawn: Array = self.chosen
        return drawn

    def seed_draws(self, seed: int) -> None:
        """Let what ``draw`` draws be repeated."""
        self.instance.call("seed_rng", self.rng, seed, 0)

    def position(self, lane: int = 0) -> Position:
        """A copy of a lane's position."""
        return Position(
            self.game, self.instance.read(self.game.rules.State, self.states[lane]), self.variant
        )

    def seat(self, lane: int = 0) -> int | None:
        """Who is to decide; None when the game is over."""
        seat = int(self.seats[lane])
        return None if seat == NOBODY else seat


def check(count: int, names: Sequence[str], reward: str) -> None:
    """Refuse numbers of games, players and rewards that there are not."""
    if count < 1:
        raise ValueError(f"games at once count from 1, not {count}")
    unknown = [name for name in names if name and name not in AGENTS]
    if unknown:
        raise UnknownAgent(f"{unknown[0]!r} is no computer player; there are {', '.join(AGENTS)}")
    if reward not in REWARDS:
        raise ValueError(f"reward is one of {', '.join(REWARDS)}, not {reward!r}")
    if reward == "win" and len(names) == 1:
        raise ValueError("nobody wins alone: reward points or gains")


def check_render_mode(mode: str | None) -> None:
    """Refuse a way to render that there is not."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {mode!r}")


def render(lanes: Lanes, mode: str | None) -> Any:
    """The first lane drawn with letters, or as a picture; ``human`` prints it."""
    if mode is None:
        return None
    text = str(lanes.position())
    if mode == "human":
        return print(text)
    return text if mode == "ansi" else picture(text)


def picture(text: str) -> Array:
    """A drawing with letters as an array of pixels."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install 'foxclover[pictures]'") from None

    lines = text.splitlines() or [""]
    figure = Figure(figsize=(0.085 * max(map(len, lines)) + 0.4, 0.17 * len(lines) + 0.4), dpi=100)
    figure.text(0.02, 0.98, text, family="monospace", fontsize=9, va="top", linespacing=1.15)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.asarray(canvas.buffer_rgba())[:, :, :3].copy()  # type: ignore[no-untyped-call]
