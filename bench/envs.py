"""Measure steps per second of the environments and of other libraries' games, on one core.

All are measured in one run, in processor time, with random legal actions. Drawing them counts too
unless a row says otherwise. For all rows: ``pip install 'foxclover[envs]' pygame chess pgx jax``.
What is not installed is skipped with a note.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

import gymnasium
import pyspiel

import foxclover.envs
from foxclover.core.game import game_names

SECONDS = 0.5
GOES = 5
LANES = 256
SCANNED = 100  # steps that pgx makes in one call
ONE_THREAD = {
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


def best(go: Callable[[], int]) -> float:
    """Steps a second in the fastest of a few runs.

    Other work on the machine can only slow a go down.
    """
    go()
    speeds = []
    for _ in range(GOES):
        steps, started = 0, time.process_time()
        while time.process_time() - started < SECONDS:
            steps += go()
        speeds.append(steps / (time.process_time() - started))
    return max(speeds)


def vector(key: str, *, draw: bool, **table: Any) -> float:
    env: Any = gymnasium.make_vec(foxclover.envs.env_id(key), num_envs=LANES, **table).unwrapped
    env.reset(seed=1)
    if draw:
        return best(lambda: sum(bool(env.step(env.sample_actions())) for _ in range(100)) * LANES)
    drawn = 0.0

    def go() -> int:
        nonlocal drawn
        for _ in range(100):
            started = time.process_time()
            actions = env.sample_actions()
            drawn += time.process_time() - started
            env.step(actions)
        return 100 * LANES

    speeds = []
    for _ in range(GOES):
        drawn, steps, started = 0.0, 0, time.process_time()
        while time.process_time() - started < SECONDS:
            steps += go()
        speeds.append(steps / (time.process_time() - started - drawn))
    return max(speeds)


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
            mask = (
                observation["action_mask"] if isinstance(observation, dict) else info["action_mask"]
            )
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


def pgx(name: str) -> float:
    """As pgx is meant to be used: many games in one array, many steps in one compiled call."""
    os.environ.update(ONE_THREAD)
    jax, pgx = import_module("jax"), import_module("pgx")
    env = pgx.make(name)
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def single_step(carried: Any, _: Any) -> Any:
        state, key = carried
        key, choice, chance = jax.random.split(key, 3)
        actions = jax.random.categorical(
            choice, jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        )
        return (step(state, actions, jax.random.split(chance, LANES)), key), None

    many = jax.jit(lambda carried: jax.lax.scan(single_step, carried, length=SCANNED)[0])
    carried = (
        jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(1), LANES)),
        jax.random.PRNGKey(2),
    )

    def go() -> int:
        nonlocal carried
        carried = jax.block_until_ready(many(carried))
        return SCANNED * LANES

    return best(go)


def row(name: str, measure: Callable[[], float]) -> None:
    """A line of the table, or that it is left out."""
    try:
        print(f"| {name} | {float(f'{measure():.3g}'):,.0f} |", flush=True)
    except ImportError as error:
        print(f"| {name} | not measured: {error} |")


def main() -> None:
    for key in game_names():
        row(f"{key}: {LANES} at once, step alone", lambda key=key: vector(key, draw=False))
        row(f"{key}: {LANES} at once, with drawing", lambda key=key: vector(key, draw=True))
        row(
            f"{key}: {LANES} at once, inputs of the nets",
            lambda key=key: vector(key, draw=True, observation="inputs"),
        )
        row(
            f"{key}: {LANES} at once against net",
            lambda key=key: vector(key, draw=True, opponents=("net",)),
        )
        row(f"{key}: Gymnasium, one at a time", lambda key=key: single(key))
        row(
            f"{key}: PettingZoo, 2 players",
            lambda key=key: pettingzoo(lambda: foxclover.envs.aec(key, 2)),
        )
        row(
            f"{key}: OpenSpiel in Python, 2 players",
            lambda key=key: openspiel(foxclover.envs.openspiel_game(key, 2)),
        )
    for name in ("backgammon", "pig", "yacht"):
        row(f"OpenSpiel's {name}, C++", lambda name=name: openspiel(pyspiel.load_game(name)))
    for name in ("tictactoe_v3", "connect_four_v3", "chess_v6"):
        row(
            f"PettingZoo's {name}",
            lambda name=name: pettingzoo(import_module(f"pettingzoo.classic.{name}").env),
        )
    for name in ("2048", "backgammon", "connect_four"):
        row(f"pgx's {name}, {LANES} at once", lambda name=name: pgx(name))


if __name__ == "__main__":
    main()
