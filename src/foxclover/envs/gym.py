"""Gymnasium: one seat of a game, with computer players on the others.

One game at a time, or many in one memory.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from foxclover.core.game import game as find_game
from foxclover.dice.sources import check_seed
from foxclover.simulation.vector_game import (
    FRESH_SEEDS,
    RENDER_MODES,
    Array,
    VectorGame,
    check_render_mode,
    render,
)

Observation = dict[str, Any]


def observation_space(games: VectorGame) -> spaces.Dict:
    """Return the space of the numbers named by ``foxclover.envs.features``, and of the mask."""
    numbers = spaces.Box(
        games.features.least, games.features.most, dtype=games.observations.dtype.type
    )
    return spaces.Dict(
        {"observation": numbers, "action_mask": spaces.Box(0, 1, (len(games.actions),), np.int8)}
    )


@dataclass(frozen=True)
class TableOptions:
    """Options of all environments."""

    # "points": final, "gains": since the last decision, "win": 1 or a share of it
    reward: str = "points"
    observation: str = "features"  # "inputs": those of the nets
    options: Sequence[str] = ()  # names of options of the game
    start_player: int = 0  # a seat, or RANDOM

    def open(self, game: str, count: int, names: Sequence[str]) -> VectorGame:
        """Return ``count`` games with these computer players on the seats; "" is outside."""
        chosen = find_game(game)
        setup = chosen.setup(self.options, self.start_player)
        return VectorGame(chosen, count, names, self.reward, self.observation, setup)


@dataclass(frozen=True)
class SeatOptions(TableOptions):
    """Options of environments for one seat."""

    opponents: Sequence[str] = ()  # computer players on the other seats
    seat: int = 0

    def names(self) -> list[str]:
        """Return the players of all seats; "" is the seat from outside."""
        if not 0 <= self.seat <= len(self.opponents):
            raise ValueError(
                f"there is no seat {self.seat} at a table of {len(self.opponents) + 1}"
            )
        return [*self.opponents[: self.seat], "", *self.opponents[self.seat :]]


class LegalActions(spaces.Discrete):
    """All actions of a game.

    Without a mask it samples the actions that are legal now; copies of it sample all.
    """

    def __init__(self, count: int, legal: Callable[[], Array]) -> None:
        super().__init__(count)
        self.legal = legal

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Draw an action."""
        if mask is None and probability is None:
            legal = self.legal()
            mask = legal if legal.any() else None
        return super().sample(mask, probability)

    def __reduce__(self) -> Any:
        return spaces.Discrete, (int(self.n),)


class OwnActions(LegalActions):
    """The actions of a seat.

    After ``seed(s)``, and until the environment is reset, it samples the first legal actions of
    game 0 of that seed: Gymnasium's checker seeds the actions before the environment.
    """

    def __init__(self, env: GameEnv) -> None:
        super().__init__(
            len(env.games.actions),
            lambda: env.games.masks[0] if self.ahead is None else env.opening_mask(self.ahead),
        )
        self.ahead: int | None = None

    def seed(self, seed: int | None = None) -> int:
        """Seed the samples."""
        self.ahead = seed
        return super().seed(seed)


def reset_needed(begun: bool) -> gymnasium.error.ResetNeeded:
    """Return the error of a step without a running game."""
    return gymnasium.error.ResetNeeded(
        "the game is over: call reset()" if begun else "call reset() before the first step"
    )


class GameEnv(gymnasium.Env[Observation, Any]):
    """One seat of a game with ``SeatOptions``; opponents may be ``module:Class`` too.

    ``reset(seed=s)`` starts game 0 of that seed, ``reset()`` the next one: the games of
    ``foxclover.simulate``.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, game: str, render_mode: str | None = None, **table: Any) -> None:
        check_render_mode(render_mode)
        options = SeatOptions(**table)
        self.seat, self.render_mode, names = options.seat, render_mode, options.names()
        self.games = options.open(game, 1, names)
        self.observation_space = observation_space(self.games)
        self.action_space: OwnActions = OwnActions(self)
        self._dice, self._number, self._begun = -1, 0, False

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but the action space, which refers to the environment."""
        return {name: value for name, value in vars(self).items() if name != "action_space"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.action_space = OwnActions(self)

    def reset(  # the checker wants the name of the unused parameter
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """Start the next game, or the first one of a seed."""
        super().reset(seed=None if seed is None else check_seed(seed))
        if seed is not None or self._dice < 0:
            self._dice = int(self.np_random.integers(FRESH_SEEDS)) if seed is None else seed
            self._number = -1
        self._number += 1
        self.games.begin([self._dice], [self._number])
        self._begun = True
        self.action_space.ahead = None
        return self._observation(), self._info()

    def opening_mask(self, seed: int) -> Array:
        """Return the first mask of game 0 of a seed; the running game is restored."""
        kept = [buffer.copy() for buffer in self.games.buffers]
        self.games.begin([check_seed(seed)], [0])
        mask: Array = self.games.masks[0].copy()
        for buffer, before in zip(self.games.buffers, kept, strict=True):
            buffer[:] = before
        return mask

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Apply an action.

        Raises ``IllegalAction`` for a masked one and ``ResetNeeded`` after the end.
        """
        if not self._begun or self.games.over[0]:
            raise reset_needed(self._begun)
        self.games.step(action)
        reward = float(self.games.rewards[0, self.seat])
        return self._observation(), reward, bool(self.games.over[0]), False, self._info()

    def action_masks(self) -> Array:
        """Which actions are legal, as MaskablePPO asks for it."""
        return np.asarray(self.games.masks[0], np.bool_)

    def _observation(self) -> Observation:
        return {
            "observation": self.games.observations[0].copy(),
            "action_mask": self.games.masks[0].copy(),
        }

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.games.masks[0].copy(),
            "seed": self._dice,
            "number": self._number,
        }

    def render(self) -> Any:
        """Return the table as text, or as a picture."""
        return render(self.games, self.render_mode)


class GameVectorEnv(VectorEnv[Observation, Any, Any]):
    """Many games with ``SeatOptions`` in one memory, stepped by one call of the kernel.

    ``reset`` and ``step`` return views of that memory, not copies: the next step changes them.
    ``reset(seed=s)`` starts games 0, 1, 2, ... of the seed; a finished game i is replaced by game
    i + num_envs at the next step (``AutoresetMode.NEXT_STEP``). Of opponents ``module:Class`` each
    game has its own, except that an agent with ``choose_many`` plays all games.
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self, game: str, num_envs: int = 1, render_mode: str | None = None, **table: Any
    ) -> None:
        options = SeatOptions(**table)
        self.num_envs, self.render_mode = num_envs, render_mode
        self.games = options.open(game, num_envs, options.names())
        self.single_observation_space = observation_space(self.games)
        self.single_action_space = spaces.Discrete(len(self.games.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seat = options.seat
        self._connect()
        self._truncated, self._everywhere = (
            np.zeros(num_envs, np.bool_),
            np.ones(num_envs, np.bool_),
        )
        self._begun = False

    def _connect(self) -> None:
        """Take the views of the memory of the games."""
        self._seen = {"observation": self.games.observations, "action_mask": self.games.masks}
        self._rewards = self.games.rewards[:, self.seat]

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but views of the memory of the games."""
        apart = ("_seen", "_rewards")
        return {name: value for name, value in vars(self).items() if name not in apart}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._connect()

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, Any]:
        """Start games 0, 1, 2, ... of a seed, or game 0 of each of a list of seeds."""
        super().reset(seed=check_seed(seed) if isinstance(seed, int) else None)
        if seed is None or isinstance(seed, int):
            chosen = int(self.np_random.integers(FRESH_SEEDS)) if seed is None else seed
            seeds, numbers = np.full(self.num_envs, chosen), np.arange(self.num_envs)
        else:
            seeds = np.array(
                [
                    int(self.np_random.integers(FRESH_SEEDS))
                    if given is None
                    else check_seed(given)
                    for given in seed
                ]
            )
            numbers = np.zeros(self.num_envs, np.int64)
        self.games.begin(seeds, numbers)
        self.games.seed_draws(int(seeds[0]))
        self._begun = True
        return self._seen, self._info()

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Apply an action to each game.

        Raises ``IllegalAction``, and changes nothing, if one of them is masked.
        """
        if not self._begun:
            raise reset_needed(False)
        self.games.step(actions)
        return (
            self._seen,
            self._rewards,
            self.games.over.astype(np.bool_),
            self._truncated,
            self._info(),
        )

    def sample_actions(self) -> Array:
        """Draw a legal action for each game, quickly."""
        return self.games.draw()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.games.masks, "_action_mask": self._everywhere}

    def render(self) -> tuple[str, ...] | None:
        """Return the tables as text."""
        return (
            tuple(str(self.games.position(index)) for index in range(self.num_envs))
            if self.render_mode
            else None
        )
