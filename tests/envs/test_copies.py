"""Environments are copied and pickled in the middle of a game, with their dice."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from foxclover import envs, game  # noqa: E402
from foxclover.ai import nets  # noqa: E402

WAYS = pytest.mark.parametrize(
    "twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"]
)


def legal(info: dict[str, Any], random: np.random.Generator) -> int:
    return int(random.choice(np.flatnonzero(info["action_mask"])))


@WAYS
@pytest.mark.parametrize(
    ("key", "opponents"),
    [
        ("ganz-schoen-clever", ("medium", "greedy")),
        ("doppelt-so-clever", ()),
        ("geht-noch-was", ("net",)),
    ],
)
def test_a_copy_plays_the_same_game(
    key: str, opponents: tuple[str, ...], twin_of: Callable[[Any], Any]
) -> None:
    env = gymnasium.make(envs.env_id(key), opponents=opponents).unwrapped
    _, info = env.reset(seed=1)
    random = np.random.default_rng(1)
    for _ in range(5):
        *_, info = env.step(legal(info, random))
    twin = twin_of(env)
    before = env.games.position()
    over = False
    while not over:
        action = legal(info, random)
        seen, reward, over, _, info = env.step(action)
        other, same_reward, same_over, _, _ = twin.step(action)
        assert (seen["observation"] == other["observation"]).all()
        assert (reward, over) == (same_reward, same_over)
    again = twin_of(twin)
    again.reset(seed=1)
    assert env.games.position() != before
    assert twin.games.over[0] == 1, "copies share nothing"


@WAYS
def test_many_games_are_copied_together(twin_of: Callable[[Any], Any]) -> None:
    many = gymnasium.make_vec(
        envs.env_id("ganz-schoen-clever"), num_envs=8, opponents=("greedy",)
    ).unwrapped
    many.reset(seed=1)
    many.step(many.sample_actions())
    twin = twin_of(many)
    for _ in range(60):
        chosen = many.sample_actions().copy()
        assert (twin.sample_actions() == chosen).all()
        seen, rewards, over, *_ = many.step(chosen)
        other, same_rewards, same_over, *_ = twin.step(chosen)
        assert (seen["observation"] == other["observation"]).all()
        assert (rewards == same_rewards).all()
        assert (over == same_over).all()


@WAYS
def test_a_table_of_pettingzoo_is_copied(twin_of: Callable[[Any], Any]) -> None:
    pytest.importorskip("pettingzoo")
    table = envs.aec("geht-noch-was", players=3)
    table.reset(seed=1)
    for _ in range(5):
        table.step(table.action_space(table.agent_selection).sample())
    twin = twin_of(table)
    for _ in range(40):
        assert twin.agent_selection == table.agent_selection
        action = int(np.flatnonzero(table.infos[table.agent_selection]["action_mask"])[0])
        for env in (table, twin):
            env.step(action)
        for agent in table.possible_agents:
            assert (table.observe(agent) == twin.observe(agent)).all()


def test_openspiel_counts_wins() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    loaded = envs.openspiel_game("geht", 3, utility="win")
    assert (loaded.min_utility(), loaded.max_utility()) == (0.0, 1.0)
    pyspiel.random_sim_test(loaded, num_sims=1, serialize=False, verbose=False)
    state, random = loaded.new_initial_state(), np.random.default_rng(2)
    while not state.is_terminal():
        state.apply_action(int(random.choice(state.legal_actions())))
    assert sum(state.returns()) == pytest.approx(1.0)
    assert max(state.returns()) > 0
    with pytest.raises(ValueError, match="utility is one of points, win, not 'fun'"):
        envs.openspiel_game("geht", 2, utility="fun")


def test_an_opponent_may_have_a_net_of_its_own() -> None:
    own = nets.shipped(game("ganz"))
    seen = []
    for name in ("net", f"net={own}"):
        env = gymnasium.make(envs.env_id("ganz-schoen-clever"), opponents=(name,)).unwrapped
        _, info = env.reset(seed=3)
        random = np.random.default_rng(3)
        for _ in range(20):
            observed, *_, info = env.step(legal(info, random))
        seen.append(observed["observation"])
    assert (seen[0] == seen[1]).all()
