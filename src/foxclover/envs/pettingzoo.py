"""PettingZoo: all seats of a table, one decision after the other."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from gymnasium import spaces
from pettingzoo import AECEnv

from foxclover.envs.gym import LegalActions, observation_space, reset_needed
from foxclover.envs.lanes import RENDER_MODES, SEEDS, Lanes, check_render_mode, render
from foxclover.game import game as find_game
from foxclover.simulation.stepping import Seen, Sight

if TYPE_CHECKING:
    from foxclover.envs.lanes import Array


class TableEnv(AECEnv[str, Any, int]):  # type: ignore[misc] # PettingZoo has no types
    """A table of ``player_0`` to ``player_3``. Where several may decide at once they are asked in the order of their seats.

    Masks stand in ``infos``; with ``mask_in_observation=True`` also in the observation, which is a dictionary then, as in PettingZoo's own
    board games. ``reset(seed=s)`` begins game 0 of that seed, ``reset()`` the next one. All else is as in ``envs.gym.Table``.
    """

    def __init__(
        self,
        game: str,
        players: int = 2,
        reward: str = "points",
        observation: str = "features",
        options: Sequence[str] = (),
        begins: int = 0,
        mask_in_observation: bool = False,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        chosen = find_game(game)
        check_render_mode(render_mode)
        self.metadata = {
            "name": f"{chosen.key}_v0",
            "render_modes": RENDER_MODES,
            "render_fps": 2,
            "is_parallelizable": False,
        }
        self.lanes = Lanes(
            chosen, 1, [""] * players, reward, observation, chosen.variant(options, begins)
        )
        self.render_mode = render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        self.mask_in_observation = mask_in_observation
        space = observation_space(self.lanes)
        seen: spaces.Space[Any] = space if mask_in_observation else space["observation"]
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {
            agent: LegalActions(len(self.lanes.actions), partial(self._mask, agent))
            for agent in self.possible_agents
        }
        instance = self.lanes.instance
        told = (instance.new(Seen), instance.new(Sight))
        self._told = self.lanes.look_at(*told)
        table = (self.lanes.tables, self.lanes.stepper, self.lanes.mind, self.lanes.states[0])
        self._look = [instance.prepare("look", *table, seat, *told) for seat in range(players)]
        self._dice, self._number = -1, 0

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent observes."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What an agent may do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 - PettingZoo passes it
        """Begin the next game, or the first one of a seed."""
        if seed is not None or self._dice < 0:
            from foxclover.chance import fresh_seed

            self._dice, self._number = fresh_seed() if seed is None else seed % SEEDS, -1
        self._number += 1
        self.lanes.begin([self._dice], [self._number])
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def step(self, action: int | None) -> None:
        """Make an action of the agent whose turn it is; raises ``IllegalAction`` for one that is masked."""
        if not self.agents:
            raise reset_needed(self._dice >= 0)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.lanes.step(action)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {
            name: float(self.lanes.rewards[0, self._seat(name)]) for name in self.agents
        }
        self._accumulate_rewards()
        self._select()

    def _seat(self, agent: str) -> int:
        return self.possible_agents.index(agent)

    def _select(self) -> None:
        seat = self.lanes.seat()
        over = seat is None
        self.terminations = dict.fromkeys(self.agents, over)
        self.agent_selection = self.agents[0] if seat is None else self.possible_agents[seat]
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in self.agents}

    def _mask(self, agent: str) -> Array:
        mask: Array = self.lanes.masks[0].copy()
        if self.lanes.seat() != self._seat(agent):
            mask[:] = 0
        return mask

    def observe(self, agent: str) -> Any:
        """What an agent sees; its mask is empty while it is not to decide."""
        self._look[self._seat(agent)]()
        told = self._told.copy()
        return (
            {"observation": told, "action_mask": self._mask(agent)}
            if self.mask_in_observation
            else told
        )

    def render(self) -> Any:
        """The table drawn with letters, or as a picture."""
        return render(self.lanes, self.render_mode)

    def close(self) -> None:
        """Nothing is held open."""
