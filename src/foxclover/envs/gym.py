"""Gymnasium: a game alone, or one seat with computer players on the others; one at a time, or many in one memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from foxclover.ai import agent
from foxclover.ai.simple import POLICIES
from foxclover.envs.lanes import RENDER_MODES, SEEDS, Lanes, check_render_mode, features, render
from foxclover.game import game as find_game

if TYPE_CHECKING:
    from foxclover.ai import Agent
    from foxclover.envs.lanes import Array

Observation = dict[str, Any]


def observation_space(lanes: Lanes) -> spaces.Dict:
    """What is observed: the numbers that ``foxclover.envs.features`` names, and which actions are legal."""
    seen = features(lanes.game, lanes.players)
    mask = spaces.Box(0, 1, (len(lanes.actions),), np.int8)
    return spaces.Dict({"observation": spaces.Box(seen.least, seen.most, dtype=np.int16), "action_mask": mask})


class LegalActions(spaces.Discrete):
    """All actions of a game. Without a mask it samples among those that are legal now.

    After ``seed(s)``, and until the environment is reset, these are the first ones of game 0 of that seed: who seeds the actions before
    the environment, as Gymnasium's checker does, gets an action that can be made.
    """

    def __init__(self, env: GameEnv) -> None:
        super().__init__(len(env.lanes.actions))
        self._env = env
        self.ahead: int | None = None

    def seed(self, seed: int | None = None) -> int:
        """Let what is sampled be repeated."""
        self.ahead = seed
        return super().seed(seed)

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """Draw an action."""
        if mask is None and probability is None:
            legal = self._env.lanes.masks[0] if self.ahead is None else self._env.opening_mask(self.ahead)
            mask = legal if legal.any() else None
        return super().sample(mask, probability)


class GameEnv(gymnasium.Env[Observation, Any]):
    """One seat of a game; ``opponents`` are computer players on the other seats, ``module:Class`` too.

    ``reset(seed=s)`` begins game 0 of that seed, ``reset()`` the next one: the same dice as in ``foxclover.simulate``. The reward is
    the final ``points``, the points gained since the last decision (``gains``) or the share of the ``win``.
    ``begins`` is a seat, or ``LOT``.
    """

    metadata = {"render_modes": RENDER_MODES, "render_fps": 2}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str,
        opponents: Sequence[str] = (),
        seat: int = 0,
        reward: str = "points",
        options: Sequence[str] = (),
        begins: int = 0,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode)
        if not 0 <= seat <= len(opponents):
            raise ValueError(f"there is no seat {seat} at a table of {len(opponents) + 1}")
        chosen = find_game(game)
        names = [*opponents[:seat], "", *opponents[seat:]]
        self.seat, self.render_mode = seat, render_mode
        self.lanes = Lanes(chosen, 1, [POLICIES.get(name) for name in names], reward, chosen.variant(options, begins))
        self.thinkers: dict[int, Agent] = {
            other: agent(name, chosen, 0) for other, name in enumerate(names) if name and name not in POLICIES
        }
        self.observation_space = observation_space(self.lanes)
        self.action_space: LegalActions = LegalActions(self)
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
        for thinker in self.thinkers.values():
            thinker.reset((seed << 32) + number)  # type: ignore[attr-defined]
        self.lanes.begin([seed], [number])
        self._let_others_play()

    def opening_mask(self, seed: int) -> Array:
        """Which actions are legal at the beginning of game 0 of a seed; the game being played goes on undisturbed."""
        places = (self.lanes.lanes, self.lanes.states, self.lanes.seen)
        kept = [place.copy() for place in places]
        self._begin(seed % SEEDS, 0)
        mask: Array = self.lanes.masks[0].copy()
        for place, before in zip(places, kept, strict=True):
            place[:] = before
        return mask

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Make an action; raises ``IllegalAction`` for one that is masked and ``ResetNeeded`` after the end."""
        if not self._begun or self.lanes.over[0]:
            raise gymnasium.error.ResetNeeded("the game is over: call reset()" if self._begun else "call reset() before the first step")
        self.lanes.step(int(action))
        reward = float(self.lanes.rewards[0, self.seat]) + self._let_others_play()
        return self._observation(), reward, bool(self.lanes.over[0]), False, self._info()

    def _let_others_play(self) -> float:
        """Let the thinking players move until this seat is to decide or the game is over; return what it gained meanwhile."""
        gained = 0.0
        while not self.lanes.over[0] and self.lanes.seat() != self.seat:
            seat = int(self.lanes.seats[0])
            number = self.thinkers[seat].choose(self.lanes.position(), seat).number
            self.lanes.step(int(self.lanes.stepper.actions[number]))
            gained += float(self.lanes.rewards[0, self.seat])
        return gained

    def action_masks(self) -> Array:
        """Which actions are legal, as MaskablePPO asks for it."""
        mask: Array = self.lanes.masks[0].astype(np.bool_)
        return mask

    def action_text(self, action: int) -> str:
        """What an action does."""
        return self.lanes.actions[action].text

    def _observation(self) -> Observation:
        return {"observation": self.lanes.observations[0].copy(), "action_mask": self.lanes.masks[0].copy()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.lanes.masks[0].copy(), "seed": self._dice, "number": self._number}

    def render(self) -> Any:
        """The table drawn with letters, or as a picture."""
        return render(self.lanes, self.render_mode)


class GameVectorEnv(VectorEnv[Observation, Any, Any]):
    """Many games in one memory, stepped by one call of the kernel; ``opponents`` are ``random`` or ``greedy``.

    What ``reset`` and ``step`` return are views of that memory, not copies: the next step changes them. ``reset(seed=s)`` begins game i of
    the seed in place i; a place whose game is over begins game i + num_envs at the next step (``AutoresetMode.NEXT_STEP``).
    """

    metadata = {"render_modes": ["ansi"], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponents: Sequence[str] = (),
        seat: int = 0,
        reward: str = "points",
        options: Sequence[str] = (),
        begins: int = 0,
        render_mode: str | None = None,
    ) -> None:
        unknown = [name for name in opponents if name not in POLICIES]
        if unknown:
            raise ValueError(f"opponents of many games at once are {' or '.join(POLICIES)}, not {unknown[0]!r}")
        if not 0 <= seat <= len(opponents):
            raise ValueError(f"there is no seat {seat} at a table of {len(opponents) + 1}")
        chosen = find_game(game)
        policies: list[int | None] = [*(POLICIES[name] for name in opponents[:seat]), None, *(POLICIES[name] for name in opponents[seat:])]
        self.seat, self.num_envs, self.render_mode = seat, num_envs, render_mode
        self.lanes = Lanes(chosen, num_envs, policies, reward, chosen.variant(options, begins))
        self.single_observation_space = observation_space(self.lanes)
        self.single_action_space = spaces.Discrete(len(self.lanes.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._seen = {"observation": self.lanes.observations, "action_mask": self.lanes.masks}
        self._truncated, self._everywhere = np.zeros(num_envs, np.bool_), np.ones(num_envs, np.bool_)
        self._rewards = self.lanes.rewards[:, seat]

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
            seeds = np.array([int(self.np_random.integers(SEEDS)) if one is None else one % SEEDS for one in seed])
            numbers = np.zeros(self.num_envs, np.int64)
        self.lanes.begin(seeds, numbers)
        self.lanes.seed_draws(int(seeds[0]))
        return self._seen, self._info()

    def step(self, actions: Any) -> tuple[Observation, Array, Array, Array, dict[str, Any]]:
        """Make an action everywhere; raises ``IllegalAction``, and changes nothing, if one of them is masked."""
        self.lanes.step(actions)
        return self._seen, self._rewards, self.lanes.over.astype(np.bool_), self._truncated, self._info()

    def sample_actions(self) -> Array:
        """Draw a legal action everywhere, quickly."""
        return self.lanes.draw()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.lanes.masks, "_action_mask": self._everywhere}

    def render(self) -> tuple[str, ...] | None:
        """The tables drawn with letters."""
        return tuple(str(self.lanes.position(lane)) for lane in range(self.num_envs)) if self.render_mode else None
