"""Train MaskablePPO of sb3-contrib on a game for some steps.

Install sb3-contrib and torch, then run ``python maskable_ppo.py [steps]``.
"""

from __future__ import annotations

import sys

import gymnasium
import numpy as np
from gymnasium.wrappers import TransformObservation

import foxclover.envs
from foxclover import simulate


def make(reward: str) -> gymnasium.Env:
    """Make the solo game, with one row of numbers between 0 and 1 as observation."""
    env = gymnasium.make(foxclover.envs.env_id("ganz-schoen-clever"), reward=reward)
    seen = env.observation_space["observation"]
    span = seen.high.astype(np.float32) - seen.low
    space = gymnasium.spaces.Box(0, 1, seen.shape, np.float32)
    return TransformObservation(
        env,
        lambda observation: ((observation["observation"] - seen.low) / span).astype(np.float32),
        space,
    )


def main(steps: int) -> float:
    """Train, then play 100 games; return the mean score."""
    from sb3_contrib import MaskablePPO

    model = MaskablePPO("MlpPolicy", make("gains"), n_steps=256, seed=1, device="cpu")
    model.learn(steps)
    env, scores = make("points"), []
    for number in range(100):
        observed, _ = env.reset(seed=7 if number == 0 else None)
        ended, score = False, 0.0
        while not ended:
            action, _ = model.predict(
                observed, action_masks=env.unwrapped.action_masks(), deterministic=True
            )
            observed, score, ended, _, _ = env.step(action)
        scores.append(score)
    return float(np.mean(scores))


if __name__ == "__main__":
    mean = main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
    print(
        f"MaskablePPO {mean:.1f}, "
        f"random {simulate('ganz', 'random', games=100, seed=7).scores.mean():.1f} points on the "
        "same dice"
    )
