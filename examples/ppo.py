"""Proximal policy optimisation in one file, with torch alone, on the vector environment.

Run ``python ppo.py GAME STEPS``, such as ``python ppo.py ganz-schoen-clever 1000000``. A masked
action has probability 0. The step after the end of a game only starts the next one, so it is no
part of what is learnt. At the end it plays 100 games with other dice and prints the mean.
"""

from __future__ import annotations

import sys
import time

import gymnasium
import numpy as np
import torch
from torch import nn

from foxclover.envs import env_id

GAMES, LENGTH = 64, 128  # environments, and steps of each between updates
EPOCHS, BATCH = 4, 1024
RATE, CLIP, ENTROPY = 1e-3, 0.2, 0.01
DISCOUNT, LAMBDA = 1.0, 0.95  # games end, so points are not discounted
UNIT = 25.0  # points in a reward of 1
SEED, TEST_SEED = 1, 331_000


class Agent(nn.Module):
    """A policy and a value, each of two hidden layers."""

    def __init__(self, env: gymnasium.vector.VectorEnv) -> None:
        super().__init__()
        seen = env.single_observation_space["observation"]
        self.register_buffer("low", torch.tensor(seen.low, dtype=torch.float32))
        self.register_buffer("span", torch.tensor(seen.high, dtype=torch.float32) - self.low)
        self.policy = self._layers(len(seen.low), int(env.single_action_space.n))
        self.value = self._layers(len(seen.low), 1)

    def _layers(self, inputs: int, outputs: int) -> nn.Sequential:
        hidden = 256
        return nn.Sequential(
            nn.Linear(inputs, hidden),
            nn.Tanh(),
            nn.Linear(hidden, hidden),
            nn.Tanh(),
            nn.Linear(hidden, outputs),
        )

    def forward(
        self, seen: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """Return the distribution of legal actions, and the value."""
        scaled = (seen - self.low) / self.span
        logits = self.policy(scaled).masked_fill(~mask, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(scaled)[:, 0]


def read(seen: dict[str, np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    """Copy observations and masks: the environment reuses their memory."""
    return (
        torch.tensor(seen["observation"], dtype=torch.float32),
        torch.tensor(seen["action_mask"] > 0),
    )


def train(game: str, steps: int) -> Agent:
    """Train for a number of steps of the environment."""
    torch.manual_seed(SEED)
    env = gymnasium.make_vec(env_id(game), num_envs=GAMES, reward="gains")
    agent = Agent(env)
    optimizer = torch.optim.Adam(agent.parameters(), lr=RATE)
    updates, started = max(1, steps // (GAMES * LENGTH)), time.perf_counter()
    observed, _ = env.reset(seed=SEED)
    seen, mask = read(observed)
    over = torch.zeros(GAMES, dtype=torch.bool)
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = RATE * (1 - update / updates)
        rows = []
        for _ in range(LENGTH):
            with torch.no_grad():
                chances, value = agent(seen, mask)
            action = chances.sample()
            observed, reward, ended, _, _ = env.step(action.numpy())
            gained = torch.tensor(reward, dtype=torch.float32) / UNIT
            rows.append((seen, mask, action, chances.log_prob(action), value, gained, over))
            seen, mask = read(observed)
            over = torch.tensor(ended)  # the next step starts another game
        with torch.no_grad():
            _, last = agent(seen, mask)
        learn(agent, optimizer, rows, last, over)
        if update % 10 == 9 or update == updates - 1:
            done, seconds = (update + 1) * GAMES * LENGTH, time.perf_counter() - started
            print(f"{done:,} steps, {done / seconds:,.0f} a second", file=sys.stderr)
    return agent


def learn(
    agent: Agent,
    optimizer: torch.optim.Optimizer,
    rows: list[tuple[torch.Tensor, ...]],
    last: torch.Tensor,
    over: torch.Tensor,
) -> None:
    """Estimate advantages and update the agent."""
    seen, mask, action, chance, value, reward, idle = (
        torch.stack(part) for part in zip(*rows, strict=True)
    )
    after = torch.cat([value[1:], last[None]])
    ends = torch.cat([idle[1:], over[None]])
    advantage, running = torch.zeros_like(value), torch.zeros(GAMES)
    for step in reversed(range(LENGTH)):
        goes_on = (~ends[step]).float()
        change = reward[step] + DISCOUNT * after[step] * goes_on - value[step]
        running = change + DISCOUNT * LAMBDA * goes_on * running
        running = running * (~idle[step]).float()
        advantage[step] = running
    kept = ~idle.flatten()
    flat = [part.flatten(0, 1)[kept] for part in (seen, mask, action, chance, advantage, value)]
    target = flat[4] + flat[5]
    for _ in range(EPOCHS):
        for chosen in torch.randperm(len(target)).split(BATCH):
            seen, mask, action, before, gain = (part[chosen] for part in flat[:5])
            chances, value = agent(seen, mask)
            ratio = (chances.log_prob(action) - before).exp()
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            gained = torch.min(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            error = (value - target[chosen]).pow(2).mean()
            loss = 0.5 * error - gained - ENTROPY * chances.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def evaluate(agent: Agent, game: str, games: int = 100) -> float:
    """Return the mean points of the likeliest actions, in games with other dice."""
    env = gymnasium.make_vec(env_id(game), num_envs=games, reward="points")
    observed, _ = env.reset(seed=TEST_SEED)
    points = np.full(games, np.nan)
    while np.isnan(points).any():
        with torch.no_grad():
            chances, _ = agent(*read(observed))
        observed, reward, over, _, _ = env.step(chances.probs.argmax(1).numpy())
        first = over & np.isnan(points)
        points[first] = reward[first]
    return float(points.mean())


if __name__ == "__main__":
    name = sys.argv[1] if len(sys.argv) > 1 else "ganz-schoen-clever"
    trained = train(name, int(sys.argv[2]) if len(sys.argv) > 2 else 200_000)
    print(f"{evaluate(trained, name):.1f} points on average of 100 games")
