"""PettingZoo: all seats of a table, one decision after the other."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from foxclover.dice.sources import check_seed, fresh_seed
from foxclover.envs.gym import LegalActions, TableOptions, observation_space, reset_needed
from foxclover.simulation.stepping import NetObservation, Observation
from foxclover.simulation.vector_game import RENDER_MODES, Array, check_render_mode, render


class TableEnv(AECEnv[str, Any, int]):  # type: ignore[misc] # PettingZoo has no types
    """A table of ``player_0`` to ``player_3``.

    Simultaneous decisions are asked for in the order of the seats. ``infos`` contain the masks;
    with ``mask_in_observation=True`` observations do too, as dictionaries, like PettingZoo's own
    board games. ``reset(seed=s)`` starts game 0 of that seed, ``reset()`` the next one. ``table``
    are ``envs.gym.TableOptions``.
    """

    def __init__(
        self,
        game: str,
        players: int = 2,
        *,
        mask_in_observation: bool = False,
        render_mode: str | None = None,
        **table: Any,
    ) -> None:
        super().__init__()
        check_render_mode(render_mode)
        self.games = TableOptions(**table).open(game, 1, [""] * players)
        self.metadata = {
            "name": f"{self.games.game.key}_v0",
            "render_modes": RENDER_MODES,
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.mask_in_observation = mask_in_observation
        space = observation_space(self.games)
        observed: spaces.Space[Any] = space if mask_in_observation else space["observation"]
        self.observation_spaces = dict.fromkeys(self.possible_agents, observed)
        self._connect()
        self._dice, self._number = -1, 0

    def _connect(self) -> None:
        """Prepare what refers to the memory of the games."""
        players = len(self.possible_agents)
        self.action_spaces = {
            agent: LegalActions(len(self.games.actions), partial(self._mask, agent))
            for agent in self.possible_agents
        }
        instance = self.games.instance
        written = (instance.new(Observation), instance.new(NetObservation))
        self._observation = self.games.view(*written)
        shared = (self.games.tables, self.games.stepper, self.games.workspace, self.games.states[0])
        self._observe = [
            instance.prepare("observe_seat", *shared, seat, *written) for seat in range(players)
        ]

    def __getstate__(self) -> dict[str, Any]:
        """Return everything but what refers to the memory of the games."""
        apart = ("action_spaces", "_observation", "_observe")
        return {name: value for name, value in vars(self).items() if name not in apart}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._connect()

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the action space of an agent."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo passes it
        """Start the next game, or the first one of a seed."""
        if seed is not None or self._dice < 0:
            self._dice, self._number = fresh_seed() if seed is None else check_seed(seed), -1
        self._number += 1
        self.games.begin([self._dice], [self._number])
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """Apply an action of the selected agent; raises ``IllegalAction`` for a masked one."""
        if not self.agents:
            raise reset_needed(self._dice >= 0)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.games.step(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {
            name: float(self.games.rewards[0, self._seat(name)]) for name in self.agents
        }
        self._accumulate_rewards()
        self._select()

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _select(self) -> None:
        seat = self.games.seat()
        self.terminations = dict.fromkeys(self.agents, seat is None)
        self.agent_selection = self.agents[0] if seat is None else self.possible_agents[seat]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> Array:
        deciding = self.games.seat() == self._seat(agent)
        return np.where(deciding, self.games.masks[0], np.int8(0))

    def observe(self, agent: str) -> Any:
        """Return the observation of an agent; its mask is empty while another one decides."""
        self._observe[self._seat(agent)]()
        seen = self._observation.copy()
        if self.mask_in_observation:
            return {"observation": seen, "action_mask": self._mask(agent)}
        return seen

    def render(self) -> Any:
        """Return the table as text, or as a picture."""
        return render(self.games, self.render_mode)

    def close(self) -> None:
        """Do nothing: no resource is open."""
