"""The vector game: games side by side in the kernel's memory, seen as numpy arrays."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from foxclover.ai import AGENTS, UnknownAgent, is_custom, read_name
from foxclover.ai.custom_agents import CustomAgent
from foxclover.ai.families import POLICIES, family_of, seat_players
from foxclover.ai.nets import make_workspace, net_of
from foxclover.core.contract import Feature
from foxclover.core.game import Game, game
from foxclover.core.position import Position
from foxclover.core.setup import DEFAULT_SETUP, Setup
from foxclover.dice.sources import game_seed
from foxclover.kernel import open_kernel
from foxclover.simulation.stepping import (
    ALL_DONE,
    FOR_GAINS,
    FOR_POINTS,
    FOR_WINS,
    NOBODY,
    OUTSIDE,
    Episode,
    NetObservation,
    Observation,
    Stepper,
)
from foxclover.simulation.workers import one_net

Array = np.ndarray[Any, np.dtype[Any]]
REWARDS = {"points": FOR_POINTS, "gains": FOR_GAINS, "win": FOR_WINS}
OBSERVATIONS = ("features", "inputs")
FRESH_SEEDS = 2**32  # environments choose their own seeds below it
RENDER_MODES = ["human", "ansi", "rgb_array"]


class Action(NamedTuple):
    """An action, and the number and text of its move."""

    id: int
    move: int
    text: str


class Features(NamedTuple):
    """The names and bounds of the numbers observed."""

    names: list[str]
    least: Array
    most: Array


@cache
def actions(played: str | Game, players: int = 1) -> tuple[Action, ...]:
    """Return all actions of a game for a number of players, in order."""
    chosen = game(played) if isinstance(played, str) else played
    features = chosen.contract.features
    moves = features.player_moves(chosen.definition, players)
    return tuple(
        Action(number, move, features.name_move(chosen.definition, move))
        for number, move in enumerate(moves)
    )


def features(played: str | Game, players: int = 1, observation: str = "features") -> Features:
    """Return the names and bounds of an observation.

    These are the features of a game, or its shared features and then the inputs of its nets.
    """
    if observation not in OBSERVATIONS:
        raise ValueError(f"observation is one of {', '.join(OBSERVATIONS)}, not {observation!r}")
    chosen = game(played) if isinstance(played, str) else played
    chosen.start(players)  # raises for wrong numbers of players
    named = chosen.contract.features
    found: list[Feature] = (
        [
            *named.name_table(chosen.definition, players),
            *family_of(chosen).name_inputs(chosen),
        ]
        if observation == "inputs"
        else named.name_features(chosen.definition, players)
    )
    kind = np.float32 if observation == "inputs" else np.int16
    least, most = (
        np.array([getattr(feature, bound) for feature in found], kind)
        for bound in ("least", "most")
    )
    # Checkers of environments warn of numbers that cannot vary.
    return Features([feature.name for feature in found], least, np.maximum(most, least + 1))


class IllegalAction(ValueError):
    """An action that is masked, or does not exist."""


class CustomSeats:
    """The custom agents of some seats.

    An agent that chooses for many positions at once plays all games. Of another kind, each game has
    an agent of its own, so that it may remember its game.
    """

    def __init__(self, played: Game, count: int, names: Sequence[str]) -> None:
        self.agents: dict[int, list[CustomAgent]] = {}
        for seat, name in enumerate(names):
            if is_custom(name):
                agent = CustomAgent(name, played)
                others = 0 if agent.kind == "choose_many" else count - 1
                self.agents[seat] = [agent, *(CustomAgent(name, played) for _ in range(others))]

    def begin(self, seeds: Array, numbers: Array) -> None:
        """Reset all agents for new games; one that plays all games, for the first of them."""
        for agents in self.agents.values():
            for agent, seed, number in zip(agents, seeds.tolist(), numbers.tolist(), strict=False):
                agent.reset(game_seed(seed, number))

    def replace(self, indices: Array, seeds: Array, numbers: Array) -> None:
        """Reset the agents of some games that follow finished ones."""
        for agents in self.agents.values():
            for index in indices.tolist() if agents[0].kind != "choose_many" else ():
                agents[index].reset(game_seed(int(seeds[index]), int(numbers[index])))

    def choose(self, seat: int, indices: Array, positions: Sequence[Position]) -> list[int]:
        """Return the numbers of the moves that a seat chooses in some games."""
        agents = self.agents[seat]
        if agents[0].kind == "choose_many":
            chosen = agents[0].choose_many(positions, [seat] * len(positions))
            return [move.number for move in chosen]
        return [
            agents[index].choose(position, seat).number
            for index, position in zip(indices.tolist(), positions, strict=True)
        ]


class VectorGame:
    """``count`` games, stepped together.

    Computer players play the seats with a name (``module:Class`` is a custom agent), actions of the
    others come from outside.
    ``observations``, ``masks``, ``rewards``, ``over``, ``seats`` and ``chosen`` are views of the
    kernel's memory: they change with every step.
    """

    def __init__(
        self,
        played: Game,
        count: int,
        names: Sequence[str],
        reward: str = "points",
        observation: str = "features",
        setup: Setup = DEFAULT_SETUP,
    ) -> None:
        check(count, names, reward)
        self._arguments = (played, count, tuple(names), reward, observation, setup)
        kernel = open_kernel(played.family)
        if not kernel.built:
            raise RuntimeError("environments need the built kernel and wasmtime")
        self.game, self.count, self.players = played, count, len(names)
        self.setup = played.start_with(self.players, setup).setup
        self.actions = actions(played, self.players)
        self.instance = kernel.instance()
        new = self.instance.new
        self.tables, self.stepper = new(type(played.definition.tables)), new(Stepper)
        self.instance.set(self.tables, played.definition.tables)
        state = played.rules.State
        self.episodes, self.states = new(Episode, count), new(state, count)
        pre_roll_states, written = new(state, count), new(Observation, count)
        net_observations, self.rng = new(NetObservation, count), self.instance.ints(4)
        self.custom = CustomSeats(played, count, names)
        named = [read_name("" if is_custom(name) else name) for name in names]
        self.net = one_net(named)
        self._fill([name.player for name in named], REWARDS[reward])
        self.stepper.observer = names.index("") if "" in names else 0
        self.workspace = self._make_workspace(observation)
        self.buffers = (self.episodes, self.states, pre_roll_states, written, net_observations)
        shared, prepare = (self.tables, self.stepper, self.workspace), self.instance.prepare
        self._begin = prepare("start_episodes", *shared, *self.buffers)
        self._step = prepare("step_episodes", *shared, *self.buffers)
        self._draw = prepare("draw_actions", written, self.episodes, self.rng)
        self.features = features(played, self.players, observation)
        self.observations: Array = self.view(written, net_observations)
        self.masks: Array = np.asarray(written.mask)[:, : len(self.actions)]
        self.rewards: Array = np.asarray(written.rewards)[:, : self.players]
        self.over: Array = np.asarray(self.episodes.over)
        self.seats: Array = np.asarray(self.episodes.seat)
        self.chosen: Array = np.asarray(self.episodes.action)
        self.waits: Array = np.asarray(self.episodes.waits)

    def view(self, written: Any, net_observations: Any) -> Array:
        """Return the observations as views of the records that the kernel writes."""
        place = net_observations.inputs if self.stepper.shows_inputs else written.features
        return np.asarray(place)[..., : len(self.features.names)]

    def _make_workspace(self, observation: str) -> Any:
        """Return the workspace of players with a net, and of the inputs of the nets."""
        self.stepper.shows_inputs = int(observation == "inputs")
        if not self.stepper.thinkers and not self.stepper.shows_inputs:
            # The simple players use its positions; untouched pages cost nothing.
            return self.instance.new(family_of(self.game).Workspace)
        workspace = make_workspace(
            self.instance, self.game, net_of(self.game, self.net) if self.stepper.thinkers else {}
        )
        workspace.no_cache = int(self.count > 1)  # games take turns in one workspace
        return workspace

    def _fill(self, names: Sequence[str], reward: int) -> None:
        stepper = self.stepper
        stepper.players, stepper.variant, stepper.reward, stepper.stride = (
            self.players,
            self.game.pack(self.setup),
            reward,
            self.count,
        )
        stepper.actions_count = len(self.actions)
        seat_players(self.game, names, stepper.policies, stepper.configs)
        stepper.thinkers = sum(bool(name) and name not in POLICIES for name in names)
        for seat, name in enumerate(names):
            if not name:
                stepper.policies[seat] = OUTSIDE
        for action in self.actions:
            stepper.moves[action.id], stepper.actions[action.move] = action.move, action.id

    def __reduce__(self) -> tuple[object, ...]:
        """Copy and pickle the games with their dice, for planners and child processes."""
        buffers = [np.asarray(buffer).copy() for buffer in self.buffers]
        rng = [int(number) for number in self.rng]
        return _restore, (self._arguments, buffers, rng, self.custom)

    def begin(self, seeds: Sequence[int] | Array, numbers: Sequence[int] | Array) -> None:
        """Start game ``numbers[i]`` of seed ``seeds[i]``: the dice of ``foxclover.simulate``."""
        self.episodes.seed[:] = seeds
        self.episodes.number[:] = numbers
        self._begin()
        self.custom.begin(np.asarray(self.episodes.seed), np.asarray(self.episodes.number))
        self._play_custom()
        self.rewards[:] = 0

    def step(self, chosen: Any) -> None:
        """Apply an action to each game; a finished game is replaced by the next one instead."""
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
        ended = self.over.copy() if self.custom.agents else self.over
        wrong = self._step()
        if wrong != ALL_DONE:
            raise IllegalAction(self._complaint(wrong))
        if self.custom.agents:
            self.custom.replace(np.flatnonzero(ended), self.episodes.seed, self.episodes.number)
            self._play_custom()

    def _play_custom(self) -> None:
        """Apply the moves of custom agents until all games are over or wait for other seats.

        The rewards are those of the whole step.
        """
        gained = self.rewards.copy()
        try:
            while asked := [seat for seat in self.custom.agents if (self.seats == seat).any()]:
                self.waits[:] = 1
                for seat in asked:
                    games = np.flatnonzero(self.seats == seat)
                    positions = [self.position(index) for index in games.tolist()]
                    numbers = self.custom.choose(seat, games, positions)
                    self.chosen[games] = [int(self.stepper.actions[number]) for number in numbers]
                    self.waits[games] = 0
                self._step()
                gained[self.waits == 0] += self.rewards[self.waits == 0]
        finally:
            self.waits[:] = 0
        self.rewards[:] = gained

    def _complaint(self, index: int) -> str:
        number = int(self.chosen[index])
        legal = ", ".join(
            f"{action.id} ({action.text})"
            for action in self.actions
            if self.masks[index, action.id]
        )
        if not 0 <= number < len(self.actions):
            last = len(self.actions) - 1
            return f"there is no action {number} (0-{last}); legal in game {index} are {legal}"
        text = self.actions[number].text
        return f"action {number} ({text}) is masked in game {index}; legal are {legal}"

    def draw(self) -> Array:
        """Draw a legal action for each game into ``chosen``, which ``step`` takes uncopied."""
        self._draw()
        return self.chosen

    def seed_draws(self, seed: int) -> None:
        """Seed ``draw``."""
        self.instance.call("seed_rng", self.rng, seed, 0)

    def position(self, index: int = 0) -> Position:
        """Return a copy of a game's position."""
        return Position(
            self.game, self.instance.read(self.game.rules.State, self.states[index]), self.setup
        )

    def seat(self, index: int = 0) -> int | None:
        """Return the seat to decide; None when the game is over."""
        seat = int(self.seats[index])
        return None if seat == NOBODY else seat


def _restore(
    arguments: Any, buffers: Sequence[Array], rng: list[int], custom: CustomSeats
) -> VectorGame:
    games = VectorGame(*arguments)
    games.custom = custom
    for buffer, content in zip(games.buffers, buffers, strict=True):
        buffer[:] = content
    games.rng[:] = rng
    return games


def check(count: int, names: Sequence[str], reward: str) -> None:
    """Raise for impossible numbers of games, unknown players and unknown rewards."""
    if count < 1:
        raise ValueError(f"games at once count from 1, not {count}")
    unknown = [
        name for name in names if name and not is_custom(name) and not read_name(name).is_known
    ]
    if unknown:
        raise UnknownAgent(f"{unknown[0]!r} is no computer player; there are {', '.join(AGENTS)}")
    if reward not in REWARDS:
        raise ValueError(f"reward is one of {', '.join(REWARDS)}, not {reward!r}")
    if reward == "win" and len(names) == 1:
        raise ValueError("nobody wins alone: reward points or gains")


def check_render_mode(mode: str | None) -> None:
    """Raise for an unknown render mode."""
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"render_mode is one of {', '.join(RENDER_MODES)}, not {mode!r}")


def render(games: VectorGame, mode: str | None) -> Any:
    """Return the first game as text or as a picture; ``human`` prints it."""
    if mode is None:
        return None
    text = str(games.position())
    if mode == "human":
        return print(text)
    return text if mode == "ansi" else picture(text)


def picture(text: str) -> Array:
    """Return a text as an array of pixels."""
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
