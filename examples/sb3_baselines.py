"""Train MaskablePPO, A2C or DQN on the vector environment; a longer run continues an earlier one.

Install stable-baselines3, sb3-contrib and torch. Then run
``python sb3_baselines.py ppo 1000000 [--game ganz]``: it writes ``sb3-ppo-ganz.zip`` and a curve,
``sb3-ppo-ganz.csv``. Measure it in the same folder:
``foxclover benchmark sb3_baselines:PPO --task ganz-v1 --observation features --steps 1000000``.
"""

from __future__ import annotations

import argparse
import csv
import time
from collections import deque
from functools import cache
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3 import A2C, DQN
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.distributions import CategoricalDistribution
from stable_baselines3.common.policies import ActorCriticPolicy
from stable_baselines3.common.utils import LinearSchedule
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.dqn.policies import DQNPolicy, QNetwork

from foxclover import Game, Position, envs
from foxclover import game as find_game
from foxclover.kernel.python_backend import link

GAMES = 64  # side by side
POINTS = 100.0  # in a reward of 1
FORBIDDEN = -1e8  # value of an illegal action
torch.set_num_threads(1)


class Table(VecEnv):
    """The vector environment as Stable-Baselines3 wants it.

    An observation is a row of numbers between 0 and 1, then the mask. Each game ends with a step
    without effect, in which the next game begins.
    """

    def __init__(self, key: str, count: int = GAMES) -> None:
        self.games = gymnasium.make_vec(
            envs.env_id(key), count, vectorization_mode="vector_entry_point", reward="gains"
        )
        seen = self.games.single_observation_space["observation"]
        self.least, self.span = seen.low.astype(np.float32), seen.high.astype(np.float32) - seen.low
        actions = self.games.single_action_space
        shape = (len(self.least) + int(actions.n),)
        super().__init__(count, gymnasium.spaces.Box(0, 1, shape, np.float32), actions)
        self.scores, self.finished = np.zeros(count), deque[float](maxlen=1000)
        self.rng = np.random.default_rng(1)

    def show(self, seen: dict[str, Any]) -> np.ndarray:
        """Return observations; after the end of a game its first action is allowed."""
        self.mask = seen["action_mask"].astype(np.float32)
        self.mask[~self.mask.any(axis=1), 0] = 1
        numbers = (seen["observation"] - self.least) / self.span
        return np.concatenate([numbers, self.mask], axis=1, dtype=np.float32)

    def reset(self) -> np.ndarray:
        """Start the games."""
        return self.show(self.games.reset(seed=1)[0])

    def step_async(self, actions: np.ndarray) -> None:
        """Remember the actions. Exploration by DQN ignores masks: draw a legal one instead."""
        chosen = np.array(actions, np.int64)
        for at in np.flatnonzero(self.mask[np.arange(len(chosen)), chosen] == 0):
            chosen[at] = self.rng.choice(np.flatnonzero(self.mask[at]))
        self.chosen = chosen

    def step_wait(self) -> Any:
        """Apply the actions."""
        seen, rewards, over, _, _ = self.games.step(self.chosen)
        self.scores += rewards
        self.finished.extend(self.scores[over])
        self.scores[over] = 0
        shown = self.show(seen)
        infos = [{"terminal_observation": shown[at]} if over[at] else {} for at in range(len(over))]
        return shown, np.array(rewards, np.float32) / POINTS, np.array(over), infos

    def env_method(self, name: str, *_: Any, **__: Any) -> list[Any]:
        """Return the masks, which MaskablePPO asks for."""
        return list(self.mask.astype(bool)) if name == "action_masks" else []

    def has_attr(self, name: str) -> bool:
        """Return whether the games have an attribute."""
        return name == "action_masks"

    def get_attr(self, *_: Any, **__: Any) -> list[Any]:
        """Return an attribute of each game; there is none."""
        return [None] * self.num_envs

    def set_attr(self, *_: Any, **__: Any) -> None:
        """Do nothing."""

    def env_is_wrapped(self, *_: Any, **__: Any) -> list[bool]:
        """Return that nothing is wrapped."""
        return [False] * self.num_envs

    def close(self) -> None:
        """Do nothing."""


class MaskedActor(ActorCriticPolicy):
    """A policy of A2C that never chooses an illegal action."""

    def extract_features(self, obs: torch.Tensor, *rest: Any) -> Any:
        """Remember the mask of the observation."""
        self.legal = obs[:, -int(self.action_space.n) :] > 0
        return super().extract_features(obs, *rest)

    def get_distribution(self, obs: torch.Tensor) -> Any:
        """Remember the mask; predictions do not call ``extract_features`` of this class."""
        self.legal = obs[:, -int(self.action_space.n) :] > 0
        return super().get_distribution(obs)

    def _get_action_dist_from_latent(self, latent_pi: torch.Tensor) -> Any:
        logits = torch.where(self.legal, self.action_net(latent_pi), FORBIDDEN)
        return CategoricalDistribution(int(self.action_space.n)).proba_distribution(logits)


class MaskedValues(QNetwork):
    """Action values of DQN; illegal actions are worth nothing."""

    def forward(self, obs: torch.Tensor) -> torch.Tensor:
        """Return the values."""
        legal = obs[:, -int(self.action_space.n) :] > 0
        return torch.where(legal, super().forward(obs), FORBIDDEN)


class MaskedDQN(DQNPolicy):
    """A policy of DQN that prefers every legal action."""

    def make_q_net(self) -> QNetwork:
        """Make the net."""
        arguments = self._update_features_extractor(self.net_args, features_extractor=None)
        return MaskedValues(**arguments).to(self.device)


NETS = {"net_arch": [256, 256], "activation_fn": torch.nn.ReLU}
FALLING = LinearSchedule(1e-3, 0.0, 1.0)
KINDS: dict[str, tuple[Any, Any, dict[str, Any]]] = {
    "ppo": (
        MaskablePPO,
        "MlpPolicy",
        {
            "n_steps": 128,
            "batch_size": 1024,
            "n_epochs": 3,
            "learning_rate": FALLING,
            "ent_coef": 0.01,
        },
    ),
    "a2c": (A2C, MaskedActor, {"n_steps": 5, "learning_rate": 7e-4}),
    "dqn": (
        DQN,
        MaskedDQN,
        {  # an update for each 16 of the 256 transitions that 4 steps of 64 games give
            "buffer_size": 200_000,
            "batch_size": 256,
            "train_freq": 4,
            "gradient_steps": 16,
            "exploration_fraction": 0.3,
        },
    ),
}


class Curve(BaseCallback):
    """Write the mean points of the last 1,000 games, and the model, now and then."""

    def __init__(self, name: str, every: int) -> None:
        super().__init__()
        self.name, self.every, self.next = name, every, 0
        self.started = time.process_time()

    def _on_step(self) -> bool:
        if self.num_timesteps >= self.next:
            self.next = self.num_timesteps + self.every
            finished = self.training_env.finished
            points = round(float(np.mean(finished)), 1) if finished else ""
            seconds = round(time.process_time() - self.started)
            with Path(f"{self.name}.csv").open("a", newline="") as file:
                csv.writer(file).writerow([self.num_timesteps, points, seconds])
            self.model.save(f"{self.name}.zip")
        return True


def train(kind: str, key: str, steps: int) -> None:
    """Train up to a number of steps, from the file of an earlier run if there is one."""
    maker, policy, settings = KINDS[kind]
    name, table = f"sb3-{kind}-{key.partition('-')[0]}", Table(key)
    if Path(f"{name}.zip").exists():
        model = maker.load(f"{name}.zip", env=table, device="cpu")
    else:
        options = {"policy_kwargs": NETS, "gamma": 1.0, "seed": 1, "device": "cpu"}
        model = maker(policy, table, **options, **settings)
    model.learn(
        steps - model.num_timesteps,
        callback=Curve(name, max(GAMES, steps // 50)),
        reset_num_timesteps=False,
    )
    model.save(f"{name}.zip")


@cache
def count_features(key: str, players: int) -> int:
    """Return how many numbers a seat observes in games of some players."""
    return len(envs.features(key, players).names)


class Trained:
    """A trained agent for the benchmark."""

    kind = ""

    def __init__(self, game: Game) -> None:
        self.model = KINDS[self.kind][0].load(f"sb3-{self.kind}-{game.key.partition('-')[0]}.zip")
        self.key, seen = game.key, envs.features(game.key, 1)
        self.least, self.span = seen.least.astype(np.float32), seen.most - seen.least
        self.observe = link(game.family).observe
        self.moves = [action.move for action in envs.actions(game.key)]

    def choose(self, position: Position, seat: int) -> int:
        """Return the move that the policy prefers among the legal ones; it sees its sheet only."""
        numbers = [0] * count_features(self.key, position.players)
        self.observe(position.game.definition.tables, position.state, seat, numbers)
        mask = np.isin(self.moves, position.legal_numbers(seat)).astype(np.float32)
        own = (np.array(numbers[: len(self.least)]) - self.least) / self.span
        row = np.concatenate([own.clip(0, 1), mask])
        masked = {"action_masks": mask.astype(bool)} if self.kind == "ppo" else {}
        action, _ = self.model.predict(row.astype(np.float32), deterministic=True, **masked)
        return self.moves[int(action)]


class PPO(Trained):
    """The agent of MaskablePPO."""

    kind = "ppo"


class ActorCritic(Trained):
    """The agent of A2C."""

    kind = "a2c"


class DeepQ(Trained):
    """The agent of DQN."""

    kind = "dqn"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("steps", type=int)
    parser.add_argument("--game", default="ganz")
    given = parser.parse_args()
    train(given.kind, find_game(given.game).key, given.steps)
