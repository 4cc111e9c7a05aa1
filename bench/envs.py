"""Steps a second of the environments on one core, in processor time, and of games that come with OpenSpiel, in one run.

Every environment is played with actions drawn at random among the legal ones; where nothing else is said the drawing counts too.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import gymnasium
import pyspiel

import foxclover.envs
from foxclover.game import games

SECONDS = 0.5
GOES = 3
LANES = 256


def best(go: Callable[[], int]) -> float:
    """Steps a second in the fastest of a few goes: other work on the machine can only slow a go down."""
    go()
    speeds = []
    for _ in range(GOES):
        steps, started = 0, time.process_time()
        while time.process_time() - started < SECONDS:
            steps += go()
        speeds.append(steps / (time.process_time() - started))
    return max(speeds)


def vector(key: str, *, draw: bool) -> float:
    env: Any = gymnasium.make_vec(foxclover.envs.env_id(key), num_envs=LANES).unwrapped
    env.reset(seed=1)
    if draw:
        return best(lambda: sum(bool(env.step(env.sample_actions())) for _ in range(100)) * LANES)
    steps, seconds = 0, 0.0
    while seconds < SECONDS:
        actions = env.sample_actions()
        started = time.process_time()
        env.step(actions)
        seconds += time.process_time() - started
        steps += LANES
    return steps / seconds


def single(key: str) -> float:
    env: Any = gymnasium.make(foxclover.envs.env_id(key)).unwrapped
    env.reset(seed=1)

    def go() -> int:
        for _ in range(100):
            if env.step(env.action_space.sample())[2]:
                env.reset()
        return 100

    return best(go)


def pettingzoo(make: Callable[[], Any]) -> float:
    env = make()
    env.reset(seed=1)

    def go() -> int:
        for _ in range(100):
            observation, _, ended, cut, info = env.last()
            mask = observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            env.step(None if ended or cut else env.action_space(env.agent_selection).sample(mask))
            if not env.agents:
                env.reset()
        return 100

    return best(go)


def openspiel(game: Any) -> float:
    rng = random.Random(1)

    def go() -> int:
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, odds)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
            steps += 1
        return steps

    return best(go)


def main() -> None:
    for key in games():
        print(f"{key}: {LANES} at once, step alone {vector(key, draw=False):,.0f}, with drawing {vector(key, draw=True):,.0f}")
        print(f"{key}: Gymnasium, one at a time {single(key):,.0f}")
        print(f"{key}: PettingZoo, 2 players {pettingzoo(lambda key=key: foxclover.envs.aec(key, 2)):,.0f}")
        print(f"{key}: OpenSpiel in Python, 2 players {openspiel(foxclover.envs.openspiel_game(key, 2)):,.0f}")
    for name in ("backgammon", "pig", "yacht"):
        print(f"OpenSpiel's {name}: {openspiel(pyspiel.load_game(name)):,.0f}")


if __name__ == "__main__":
    main()
