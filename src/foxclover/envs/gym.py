"""Gymnasium: a game alone, or one seat with computer players on the others; one at a time, or many in one memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from foxclover.ai import AGENTS
from foxclover.envs.lanes import RENDER_MODES, SEEDS, Lanes, check_render_mode, render
from foxclover.game import game as find_game
from foxclover.own_agents import OwnAgent

if TYPE_CHECKING:
    from foxclover.envs.lanes import Array

Observation = dict[str, Any]


def observation_space(lanes: Lanes) -> spaces.Dict:
    """What is observed: the numbers that ``foxclover.envs.features`` names, and which actions are legal."""
    seen = spaces.Box(
        lanes.features.least, lanes.features.most, dtype=lanes.observations.dtype.type
    )
    return spaces.Dict(
        {"observation": seen, "action_mask": spaces.Box(0, 1, (len(lanes.actions),), np.int8)}
    )


@dataclass(frozen=True)
class Table:
    """What may be chosen about the table at which a seat is taken."""

    opponents: Sequence[str] = ()  # computer players on the other seats
    seat: int = 0
    reward: str = "points"  # the final points; "gains": those since the last decision; "win": 1, or a share of it
    observation: str = "features"  # "inputs": those of the nets
    options: Sequence[str] = ()  # variants of the game
    begins: int = 0  # a seat, or LOT

    def names(self) -> list[str]:
        """Who sits where; nobody on the seat that is taken."""
        if not 0 <= self.seat <= len(self.opponents):
            raise ValueError(
                f"there is no seat {self.seat} at a table of {len(self.opponents) + 1}"
            )
        return [*self.opponents[: self.seat], "", *self.opponents[self.seat :]]

    def lanes(self, game: str, count: int) -> Lanes:
        """The game so many times; own agents play from outside."""
        chosen = find_game(game)
        names = ["" if ":" in name else name for name in self.names()]
        return Lanes(
            chosen,
            count,
            names,
            self.reward,
            self.observation,
            chosen.variant(self.options, self.begins),
        )


class LegalActions(spaces.Discrete):
    """All actions of a game. Without a mask it samples among those that are legal now; copies of it do not know which these are."""

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

    After ``seed(s)``, and until the environment is reset, the legal ones are the first ones of game 0 of that seed: who seeds the actions
    before the environment, as Gymnasium's checker does, gets an action that can be made.
    """

    def __init__(self, env: GameEnv) -> None:
        super().__init__(
            len(env.lanes.actions),
            lambda: env.lanes.masks[0] if self.ahead is None else env.opening_mask(self.ahead),
        )
        self.ahead: int | None = None

    def seed(self, seed: int | None = None) -> int:
        """Let what is sampled be repeated."""
        self.ahead = seed
        return super().seed(seed)


def reset_needed(begun: bool) -> gymnasium.error.ResetNeeded:
    """Why there is nothing to step."""
    return gymnasium.error.ResetNeeded(
        "the game is over: call reset()" if begun else "call reset() before the first step"
    )


class GameEnv(gymnasium.Env[Observation, Any]):
    """One seat of a game at a ``Table``, whose opponents may be ``module:Class`` too.

    ``reset(seed=s)`` begins game 0 of that seed, ``reset()`` the next one: the same games as in ``foxclover.simulate``.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(self, game: str, render_mode: str | None = None, **table: Any) -> None:
        check_render_mode(render_mode)
        at = Table(**table)
        self.seat, self.render_mode = at.seat, render_mode
        self.lanes = at.lanes(game, 1)
        self.own_agents = {
            seat: OwnAgent(name, self.lanes.game)
            for seat, name in enumerate(at.names())
            if ":" in name
        }
        self.observation_space = observation_space(self.lanes)
        self.action_space: OwnActions = OwnActions(self)
        self._dice, self._number, self._begun = -1, 0, False

    def reset(  # the checker asks for the name of what is not used
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin the next game, or the first one of a seed."""
        super().reset(seed=seed)
        if seed is not None or self._dice < 0:
            self._dice = seed % SEEDS if seed is not None else int(self.np_random.integers(SEEDS))
            self._number = -1
        self._number += 1
        self._begin(self._dice, self._number)
        self._begun = True
        self.action_space.ahead = None
        return self._observation(), self._info()

    def _begin(self, seed: int, number: int) -> None:
        for player in self.own_agents.values():
            player.reset((seed << 32) + number)
        self.lanes.begin([seed], [number])
        self._let_others_play()

    def opening_mask(self, seed: int) -> Array:
        """Which actions are legal at the beginning of game 0 of a seed; the game being played goes on undisturbed."""
        arrays = (
            self.lanes.lanes,
            self.lanes.states,
            self.lanes.known,
            self.lanes.seen,
            self.lanes.sights,
        )
        kept = [array.copy() for array in arrays]
        self._begin(seed % SEEDS, 0)
        mask: Array = self.lanes.masks[0].copy()
        for array, before in zip(arrays, kept, strict=True):
            array[:] = before
        return mask

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make an action; raises ``IllegalAction`` for one that is masked and ``ResetNeeded`` after the end."""
        if not self._begun or self.lanes.over[0]:
            raise reset_needed(self._begun)
        self.lanes.step(action)
        reward = float(self.lanes.rewards[0, self.seat]) + self._let_others_play()
        return self._observation(), reward, bool(self.lanes.over[0]), False, self._info()

    def _let_others_play(self) -> float:
        """Let agents of one's own move until this seat is to decide or the game is over; return what it gained meanwhile."""
        gained = 0.0
        while not self.lanes.over[0] and self.lanes.seat() != self.seat:
            seat = int(self.lanes.seats[0])
            number = self.own_agents[seat].choose(self.lanes.position(), seat).number
            self.lanes.step(int(self.lanes.stepper.actions[number]))
            gained += float(self.lanes.rewards[0, self.seat])
        return gained

    def action_masks(self) -> Array:
        """Which actions are legal, as MaskablePPO asks for it."""
        mask: Array = self.lanes.masks[0].astype(np.bool_)
        return mask

    def _observation(self) -> Observation:
        return {
            "observation": self.lanes.observations[0].copy(),
            "action_mask": self.lanes.masks[0].copy(),
        }

    def _info(self) -> dict[str, Any]:
        return {
            "action_mask": self.lanes.masks[0].copy(),
            "seed": self._dice,
            "number": self._number,
        }

    def render(self) -> Any:
        """The table drawn with letters, or as a picture."""
        return render(self.lanes, self.render_mode)


class GameVectorEnv(VectorEnv[Observation, Any, Any]):
    """Many games in one memory, stepped by one call of the kernel, which plays for the opponents at the ``Table`` too.

    What ``reset`` and ``step`` return are views of that memory, not copies: the next step changes them. ``reset(seed=s)`` begins game i of
    the seed in place i; a place whose game is over begins game i + num_envs at the next step (``AutoresetMode.NEXT_STEP``).
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self, game: str, num_envs: int = 1, render_mode: str | None = None, **table: Any
    ) -> None:
        at = Table(**table)
        own = [name for name in at.opponents if ":" in name]
        if own:
            raise ValueError(
                f"opponents of many games at once are {', '.join(AGENTS)}, not {own[0]!r}"
            )
        self.num_envs, self.render_mode = num_envs, render_mode
        self.lanes = at.lanes(game, num_envs)
        self.single_observation_space = observation_space(self.lanes)
        self.single_action_space = spaces.Discrete(len(self.lanes.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seen = {"observation": self.lanes.observations, "action_mask": self.lanes.masks}
        self._truncated, self._everywhere = (
            np.zeros(num_envs, np.bool_),
            np.ones(num_envs, np.bool_),
        )
        self._rewards = self.lanes.rewards[:, at.seat]
        self._begun = False

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[Observation, Any]:
        """Begin everywhere: games 0, 1, 2, ... of a seed, or with a list of seeds game 0 of each."""
        super().reset(seed=seed if isinstance(seed, int) else None)
        if seed is None or isinstance(seed, int):
            chosen = seed % SEEDS if seed is not None else int(self.np_random.integers(SEEDS))
            seeds, numbers = np.full(self.num_envs, chosen), np.arange(self.num_envs)
        else:
            seeds = np.array(
                [
                    int(self.np_random.integers(SEEDS)) if one is None else one % SEEDS
                    for one in seed
                ]
            )
            numbers = np.zeros(self.num_envs, np.int64)
        self.lanes.begin(seeds, numbers)
        self.lanes.seed_draws(int(seeds[0]))
        self._begun = True
        return self._seen, self._info()

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Make an action everywhere; raises ``IllegalAction``, and changes nothing, if one of them is masked."""
        if not self._begun:
            raise reset_needed(False)
        self.lanes.step(actions)
        return (
            self._seen,
            self._rewards,
            self.lanes.over.astype(np.bool_),
            self._truncated,
            self._info(),
        )

    def sample_actions(self) -> Array:
        """Draw a legal action everywhere, quickly."""
        return self.lanes.draw()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.lanes.masks, "_action_mask": self._everywhere}

    def render(self) -> tuple[str, ...] | None:
        """The tables drawn with letters."""
        return (
            tuple(str(self.lanes.position(lane)) for lane in range(self.num_envs))
            if self.render_mode
            else None
        )
