"""Environments.

The ecosystem's own checkers, the same games as ``simulate``, what is observed, and what is refused.
"""

from __future__ import annotations

import copy
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, render_test, seed_test  # noqa: E402

from families import CLEVER  # noqa: E402
from foxclover import envs, simulate  # noqa: E402
from foxclover.ai.custom_agents import CustomAgentError  # noqa: E402
from foxclover.core.game import game, game_names  # noqa: E402
from foxclover.core.rules import RANDOM  # noqa: E402
from foxclover.games.clever.ai.network import Inputs  # noqa: E402
from foxclover.games.clever.ai.players import feature_layout_of  # noqa: E402
from foxclover.games.climb.ai.workspace import MISS, TableauInputs  # noqa: E402
from foxclover.games.climb.conditions import dice_of  # noqa: E402
from foxclover.games.climb.rules.state import LEVELS, ROLLING  # noqa: E402
from foxclover.kernel.program import program  # noqa: E402
from foxclover.kernel.python_backend import link  # noqa: E402
from foxclover.kernel.wasm import WasmKernel  # noqa: E402
from foxclover.simulation.vector_game import IllegalAction, VectorGame  # noqa: E402
from foxclover.simulation.workers import KernelWorker  # noqa: E402
from kernels import build  # noqa: E402

KEYS = game_names()
GANZ = envs.env_id("ganz-schoen-clever")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "table",
    [
        {"observation": "inputs"},
        {"opponents": ("greedy", "random"), "seat": 1, "reward": "win"},
        {"opponents": ("net",)},
    ],
)
def test_gymnasium_finds_nothing_wrong(key: str, table: dict[str, Any]) -> None:
    check_env(gymnasium.make(envs.env_id(key), **table).unwrapped)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("players", [1, 2, 4])
def test_pettingzoo_finds_nothing_wrong(key: str, players: int) -> None:
    api_test(envs.aec(key, players, reward="gains"), num_cycles=150)
    api_test(envs.aec(key, players, observation="inputs"), num_cycles=50)
    seed_test(lambda: envs.aec(key, players), num_cycles=50)


@pytest.mark.parametrize(
    ("key", "players", "least", "most"),
    [
        # 60 + 56 + 66 + 96 + 66 points, and 5 foxes of 56
        ("ganz-schoen-clever", 1, 0, 624),
        # 88 + 165 + 78 + 92 + 72 points, and 6 foxes of 72; green alone can be negative: -43
        ("doppelt-so-clever", 2, -43 - 6 * 43, 927),
        # 45 markers score red cards (4) on level 5 (8), each after two more; 4 luck
        ("geht-noch-was", 5, 0, 45 * 8 // 3 * 4 + 4),
    ],
)
def test_bounds_of_points_follow_from_the_sheet_or_deck(
    key: str, players: int, least: int, most: int
) -> None:
    seen = envs.features(key, players)
    totals = [at for at, name in enumerate(seen.names) if name.endswith("total points")]
    assert [(seen.least[at], seen.most[at]) for at in totals] == [(least, most)] * players


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("observation", ["features", "inputs"])
def test_all_numbers_of_whole_games_are_within_their_bounds(key: str, observation: str) -> None:
    games = VectorGame(game(key), 50, ["", "greedy"], observation=observation)
    games.begin([3] * 50, range(50))
    for _ in range(400):
        assert (games.observations >= games.features.least).all()
        assert (games.observations <= games.features.most).all()
        games.step(games.draw())


def test_pettingzoo_observations_contain_the_mask_on_request() -> None:
    table = envs.aec("ganz", 2, mask_in_observation=True)
    table.reset(seed=1)
    observed, _, _, _, info = table.last()
    assert table.observation_space("player_0").contains(observed)
    assert (observed["action_mask"] == info["action_mask"]).all()
    assert observed["action_mask"].any()
    assert not table.observe("player_1")["action_mask"].any(), (
        "who is not to decide has no legal action"
    )


def test_actions_sampled_without_a_mask_are_legal_ones() -> None:
    table = envs.aec("ganz", 2)
    table.reset(seed=1)
    for agent in table.agent_iter():
        table.step(None if table.terminations[agent] else table.action_space(agent).sample())
    copied = pickle.loads(pickle.dumps(table.action_space("player_0")))
    assert copied == gymnasium.spaces.Discrete(len(envs.actions("ganz")))


def test_pettingzoo_renders() -> None:
    render_test(lambda render_mode: envs.aec("ganz", 2, render_mode=render_mode))


@pytest.mark.parametrize("key", KEYS)
def test_openspiel_finds_nothing_wrong(key: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    pyspiel.random_sim_test(envs.openspiel_game(key, 1), num_sims=1, serialize=True, verbose=False)
    seen = envs.features(key)
    total = next(at for at, name in enumerate(seen.names) if name.endswith("total points"))
    assert envs.openspiel_game(key, 1).max_utility() == seen.most[total]
    pyspiel.random_sim_test(envs.openspiel_game(key, 2), num_sims=1, serialize=False, verbose=False)


def test_openspiel_refuses_what_is_not_legal_and_changes_nothing() -> None:
    pytest.importorskip("pyspiel")
    state = envs.openspiel_game("ganz", 1).new_initial_state()
    for action in (6, 99):
        with pytest.raises(
            ValueError, match=f"action {action} is not legal here; legal are 0, 1, 2, 3, 4, 5"
        ):
            state.apply_action(action)
    while state.is_chance_node():
        state.apply_action(0)
    before = str(state)
    masked = next(action for action in range(145) if action not in state.legal_actions())
    for action in (masked, 145):
        with pytest.raises(ValueError, match=f"action {action} is not legal here"):
            state.clone().apply_action(action)
        with pytest.raises(ValueError, match=f"action {action} is not legal here"):
            state.apply_action(action)
    assert str(state) == before


def test_openspiel_rolls_die_by_die_with_the_odds_of_the_dice() -> None:
    pytest.importorskip("pyspiel")
    state = envs.openspiel_game("ganz", 1).new_initial_state()
    for face in (3, 0, 5, 5, 1, 2):
        assert state.is_chance_node()
        assert state.chance_outcomes() == [(number, pytest.approx(1 / 6)) for number in range(6)]
        state.apply_action(face)
    assert not state.is_chance_node()
    assert state.position.game.key == "ganz-schoen-clever"
    assert list(state.table.face)[:6] == [4, 1, 6, 6, 2, 3]


def replayed(key: str, seats: list[str], number: int, start_player: int) -> list[tuple[int, int]]:
    """The decisions of a game of ``simulate``: seats and actions."""
    worker = KernelWorker(game(key), seats, game(key).setup(start_player=start_player), None)
    worker.play(9, number, 1)
    of_move = {action.move: action.id for action in envs.actions(game(key).key)}
    return [
        (move.seat, of_move[move.number]) for move in worker.replay().moves_made if move.seat >= 0
    ]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("start_player", [0, 1, RANDOM])
def test_the_same_seeds_give_the_same_games_as_simulate(key: str, start_player: int) -> None:
    outcome = simulate(key, ["greedy", "greedy"], games=3, seed=9, start_player=start_player)
    table = envs.aec(key, 2, start_player=start_player)
    lonely = gymnasium.make(
        envs.env_id(key), opponents=("greedy",), seat=1, start_player=start_player
    ).unwrapped
    for number in range(3):
        decisions = replayed(key, ["greedy", "greedy"], number, start_player)
        table.reset(seed=9 if number == 0 else None)
        lonely.reset(seed=9 if number == 0 else None)
        reward = 0.0
        for seat, action in decisions:
            assert table.agent_selection == f"player_{seat}"
            table.step(action)
            if seat == 1:
                reward = lonely.step(action)[1]
        assert [table.rewards[agent] for agent in table.possible_agents] == outcome.scores[
            number
        ].tolist()
        assert reward == outcome.scores[number][1]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("opponent", ["net", "easy"])
def test_opponents_with_a_net_play_as_in_simulate(key: str, opponent: str) -> None:
    seats = [opponent, "greedy", opponent]
    outcome = simulate(key, seats, games=3, seed=9)
    lonely = gymnasium.make(envs.env_id(key), opponents=(opponent, opponent), seat=1).unwrapped
    for number in range(3):
        lonely.reset(seed=9 if number == 0 else None)
        rewards = [
            lonely.step(action)[1] for seat, action in replayed(key, seats, number, 0) if seat == 1
        ]
        assert rewards[-1] == outcome.scores[number][1]


@pytest.mark.parametrize("key", CLEVER)
def test_opponents_with_a_net_play_many_games_as_in_simulate(key: str) -> None:
    seats = ["net", "greedy", "medium"]
    outcome = simulate(key, seats, games=3, seed=9)
    many = gymnasium.make_vec(
        envs.env_id(key), num_envs=3, opponents=("net", "medium"), seat=1
    ).unwrapped
    many.reset(seed=9)
    choices = [
        [action for seat, action in replayed(key, seats, number, 0) if seat == 1]
        for number in range(3)
    ]
    for step in range(max(map(len, choices))):
        rewards = many.step(
            [
                chosen[step] if step < len(chosen) else many.games.masks[n].argmax()
                for n, chosen in enumerate(choices)
            ]
        )[1]
        for index, chosen in enumerate(choices):
            assert step + 1 != len(chosen) or rewards[index] == outcome.scores[index][1]


@pytest.mark.parametrize("key", KEYS)
def test_each_of_many_games_has_its_own_random_start_player(key: str) -> None:
    many = gymnasium.make_vec(
        envs.env_id(key), num_envs=60, opponents=("random", "random"), start_player=RANDOM
    ).unwrapped
    seen, _ = many.reset(seed=3)
    first = [many.games.position(index).state.first for index in range(60)]
    assert set(first) == {0, 1, 2}
    # Clever games keep their order; in Geht noch was? the fairy of the round shows it
    if game(key).family == "clever":
        assert (
            seen["observation"][:, envs.features(key, 3).names.index("player who begins")].tolist()
            == first
        )
    chosen = gymnasium.make_vec(
        envs.env_id(key), num_envs=5, opponents=("random", "random"), start_player=2
    ).unwrapped
    chosen.reset(seed=3)
    assert [chosen.games.position(index).state.first for index in range(5)] == [2] * 5


@pytest.mark.parametrize("key", KEYS)
def test_the_lot_is_a_chance_node_of_openspiel(key: str) -> None:
    pytest.importorskip("pyspiel")
    state = envs.openspiel_game(key, 3, start_player=RANDOM).new_initial_state()
    assert state.is_chance_node()
    assert state.chance_outcomes() == [(seat, pytest.approx(1 / 3)) for seat in range(3)]
    assert [state.action_to_string(state.current_player(), seat) for seat in range(3)] == [
        "begins 1",
        "begins 2",
        "begins 3",
    ]
    state.apply_action(1)
    assert state.table == envs.openspiel_game(key, 3, start_player=1).new_initial_state().table
    with pytest.raises(ValueError, match="no seat 3 can begin in a game of 3"):
        envs.openspiel_game(key, 3, start_player=3)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("players", [1, 4])
@pytest.mark.parametrize("observation", ["features", "inputs"])
def test_what_is_observed_keeps_within_its_bounds_and_names(
    key: str, players: int, observation: str
) -> None:
    seen = envs.features(key, players, observation)
    games = VectorGame(game(key), 50, [""] * players, "gains", observation)
    assert games.observations.shape == (50, len(seen.names)) == (50, len(set(seen.names)))
    games.begin(np.full(50, 4), np.arange(50))
    games.seed_draws(1)
    varied = np.zeros(len(seen.names), np.bool_)
    total = np.zeros((50, players))
    for _ in range(400):
        before = games.observations.copy()
        games.step(games.draw())
        assert (games.observations >= seen.least).all(), seen.names[
            int((games.observations < seen.least).any(axis=0).argmax())
        ]
        assert (games.observations <= seen.most).all(), seen.names[
            int((games.observations > seen.most).any(axis=0).argmax())
        ]
        varied |= (before != games.observations).any(axis=0)
        total[games.over == 0] += games.rewards[games.over == 0]
    assert varied.mean() > 0.3
    assert total.sum() > 0


def test_the_faces_of_the_dice_of_geht_noch_was_are_seen_while_a_roll_counts() -> None:
    games = VectorGame(game("geht"), 20, [""])
    at = envs.features("geht").names.index("blue die 1 face, the lowest first")
    games.begin(np.full(20, 4), np.arange(20))
    games.seed_draws(1)
    rolls = 0
    for _ in range(100):
        games.step(games.draw())
        for index, state in enumerate(games.states):
            blue, red = dice_of(int(state.outcome))
            rolled = state.phase == ROLLING and state.roll > 0
            assert games.observations[index, at : at + 7].tolist() == (
                [*blue, *red] if rolled else [0] * 7
            )
            rolls += int(rolled)
    assert rolls > 100


@pytest.mark.parametrize("key", KEYS)
def test_the_inputs_of_the_nets_are_what_the_nets_see(key: str) -> None:
    games = VectorGame(game(key), 5, ["", "random"], "points", "inputs")
    games.begin(np.full(5, 4), np.arange(5))
    games.seed_draws(1)
    functions, tables = link(game(key).family), game(key).definition.tables
    for _ in range(30):
        games.step(games.draw())
        state = games.position(2).state
        if game(key).family == "clever":
            inputs, plan = Inputs(), feature_layout_of(game(key))
            functions.collect(tables, plan, state, 0, inputs)
            seen = [*inputs.codes[: plan.slots], *inputs.scalars]
        else:
            tableau = TableauInputs()
            functions.write_tableau(tables, state, state.seats[0], tableau)
            for level in range(LEVELS):
                tableau.inputs[MISS + level] += functions.overlap(tables, state.seats[0], level, 0)
            seen = tableau.inputs
        assert games.observations[2, -len(seen) :].tolist() == pytest.approx(seen)
        table = envs.features(key, 2).names[: -len(seen) + len(games.features.names)]
        assert games.features.names[: len(table)] == table, "the shared features are first"


@pytest.mark.parametrize("key", KEYS)
def test_actions_have_different_texts(key: str) -> None:
    actions = envs.actions(key)
    assert [action.id for action in actions] == list(range(len(actions)))
    assert len({action.text for action in actions}) == len(actions)
    assert len(actions) < 300


def test_many_games_at_once_are_those_of_single_environments() -> None:
    many = gymnasium.make_vec(GANZ, num_envs=3)
    seen, _ = many.reset(seed=5)
    assert np.shares_memory(seen["observation"], many.unwrapped.games.buffers[3]), (
        "nothing is copied"
    )
    single = [gymnasium.make(GANZ).unwrapped for _ in range(3)]
    for index, env in enumerate(single):
        env._dice, env._number = 5, index - 1
        env.reset()
    over = np.zeros(3, np.bool_)
    for _ in range(150):
        actions = many.unwrapped.sample_actions().copy()
        was_over = over.copy()
        seen, rewards, over, truncated, info = many.step(actions)
        assert not truncated.any()
        for index, env in enumerate(single):
            if was_over[index]:
                env._number += 2
                observed, reward, ended = env.reset()[0], 0.0, False
            else:
                observed, reward, ended, _, _ = env.step(actions[index])
            assert (observed["observation"] == seen["observation"][index]).all()
            assert (observed["action_mask"] == info["action_mask"][index]).all()
            assert (reward, ended) == (rewards[index], over[index])


def test_rewards_are_points_gains_or_wins() -> None:
    totals = {}
    for reward in ("points", "gains", "win"):
        env = gymnasium.make(GANZ, opponents=("random",), reward=reward).unwrapped
        env.reset(seed=2)
        env.action_space.seed(1)
        env.reset(seed=2)
        total, ended = 0.0, False
        while not ended:
            _, gained, ended, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
            total += gained
        totals[reward] = total
        assert env.games.position().score(0) == total or reward == "win"
    assert totals["points"] == totals["gains"] > 0
    assert totals["win"] in (0.0, 0.5, 1.0)


def test_pictures_and_texts() -> None:
    env = gymnasium.make(GANZ, render_mode="ansi").unwrapped
    env.reset(seed=1)
    assert "yellow" in env.render()
    image = gymnasium.make(GANZ, render_mode="rgb_array").unwrapped
    image.reset(seed=1)
    assert image.render().shape[2] == 3
    assert image.render().min() < 128


def test_pictures_without_matplotlib_name_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    env = gymnasium.make(GANZ, render_mode="rgb_array").unwrapped
    env.reset(seed=1)
    with pytest.raises(ImportError, match=r"pip install 'foxclover\[pictures\]'"):
        env.render()


@pytest.mark.parametrize(
    ("make", "module", "missing"),
    [("aec", "pettingzoo", "pettingzoo"), ("openspiel_game", "openspiel", "pyspiel")],
)
def test_environments_without_their_library_name_what_to_install(
    make: str, module: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    monkeypatch.delitem(sys.modules, f"foxclover.envs.{module}", raising=False)
    with pytest.raises(
        ImportError, match=rf"environments need {missing}: pip install 'foxclover\[envs\]'"
    ):
        getattr(envs, make)("ganz")


def test_impossible_calls_are_refused() -> None:
    env = gymnasium.make(GANZ).unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded, match="before the first step"):
        env.step(0)
    env.reset(seed=1)
    masked = int(np.flatnonzero(~env.action_masks())[0])
    before = env.games.position()
    with pytest.raises(
        IllegalAction, match=rf"action {masked} \(.*\) is masked in game 0; legal are \d+ \("
    ):
        env.step(masked)
    with pytest.raises(IllegalAction, match="there is no action 999"):
        env.step(999)
    for nonsense in ("x", None, 1.5, [1, 2]):
        with pytest.raises(IllegalAction, match="an action is a whole number, not"):
            env.step(nonsense)
    assert env.games.position() == before
    ended = False
    while not ended:
        ended = env.step(env.action_space.sample())[2]
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game is over"):
        env.step(0)


def test_a_table_is_stepped_between_its_beginning_and_its_end() -> None:
    table = envs.aec("ganz", 2)
    with pytest.raises(gymnasium.error.ResetNeeded, match="before the first step"):
        table.step(0)
    table.reset(seed=1)
    for agent in table.agent_iter():
        table.step(None if table.terminations[agent] else table.action_space(agent).sample())
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game is over"):
        table.step(0)


def test_one_masked_action_among_many_changes_nothing() -> None:
    many = gymnasium.make_vec(GANZ, num_envs=3).unwrapped
    with pytest.raises(gymnasium.error.ResetNeeded, match="before the first step"):
        many.step([0, 0, 0])
    many.reset(seed=5)
    actions = many.sample_actions().copy()
    before = many.games.states.copy()
    actions[2] = np.flatnonzero(many.games.masks[2] == 0)[0]
    with pytest.raises(IllegalAction, match="masked in game 2"):
        many.step(actions)
    with pytest.raises(IllegalAction, match="actions are 3 whole numbers, not"):
        many.step(actions[:2])
    assert (many.games.states == before).all()
    with pytest.raises(ValueError, match="games at once count from 1, not 0"):
        gymnasium.make_vec(GANZ, num_envs=0)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"reward": "fame"}, "reward is one of points, gains, win"),
        ({"reward": "win"}, "nobody wins alone"),
        ({"seat": 1}, "there is no seat 1"),
        ({"observation": "pixels"}, "observation is one of features, inputs, not 'pixels'"),
        ({"opponents": ["nett"]}, "'nett' is no computer player; there are random"),
        ({"render_mode": "film"}, "render_mode is one of"),
        ({"opponents": ["random"] * 4}, "not 5"),
        ({"start_player": RANDOM}, "no start player can be drawn in a game of 1"),
        ({"opponents": ["random"], "start_player": 2}, "no seat 2 can begin in a game of 2"),
    ],
)
def test_what_cannot_be_made_is_refused(options: dict[str, Any], sentence: str) -> None:
    from foxclover.envs.gym import GameEnv

    with pytest.raises(ValueError, match=sentence):
        GameEnv("ganz", **options)


OWN_AGENTS = """
import random

class Alone:  # remembers its game: its choices depend on all earlier ones
    def __init__(self, game):
        pass
    def reset(self, seed):
        self.draws = random.Random(seed)
    def choose(self, position, seat):
        return self.draws.choice(position.legal_moves(seat))

class Many:
    calls = []
    def __init__(self, game):
        pass
    def choose_many(self, positions, seats):
        self.calls.append(len(positions))
        return [position.legal_moves(seat)[-1] for position, seat in zip(positions, seats)]

class Broken:
    def __init__(self, game):
        pass
    def choose(self, position, seat):
        return 1 / 0
"""


@pytest.mark.parametrize(
    ("key", "agent", "reward"),
    [
        ("ganz-schoen-clever", "Alone", "gains"),
        ("ganz-schoen-clever", "Many", "win"),
        ("geht-noch-was", "Many", "gains"),
        ("geht-noch-was", "Alone", "win"),
    ],
)
def test_custom_agents_play_many_games_as_single_ones(
    key: str, agent: str, reward: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_agents.py").write_text(OWN_AGENTS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "own_agents", raising=False)
    name = f"own_agents:{agent}"
    table = {"opponents": (name, "greedy"), "seat": 1, "reward": reward}
    many = gymnasium.make_vec(envs.env_id(key), num_envs=3, **table).unwrapped
    ones = [gymnasium.make(envs.env_id(key), **table).unwrapped for _ in range(3)]
    seen, _ = many.reset(seed=5)
    alone = []
    for number, env in enumerate(ones):
        first = [env.reset(seed=None if earlier else 5) for earlier in range(number + 1)]
        alone.append(first[-1][0])
    ended = 0
    for step in range(400):
        for index, observation in enumerate(alone):
            assert (seen["observation"][index] == observation["observation"]).all()
            assert (seen["action_mask"][index] == observation["action_mask"]).all()
        actions = [
            int(np.flatnonzero(mask)[step % mask.sum()]) if mask.any() else 0
            for mask in seen["action_mask"]
        ]
        over = many.games.over.astype(bool)
        if step == 20:  # copies play on like the original, with their agents
            many = copy.deepcopy(many)
        seen, rewards, _, _, _ = many.step(actions)
        for index, env in enumerate(ones):
            if over[index]:
                ended += 1
                for _ in range(3):  # game number + 3 follows
                    alone[index], _ = env.reset()
                continue
            alone[index], reward_alone, _, _, _ = env.step(actions[index])
            assert rewards[index] == reward_alone
    assert ended >= 3
    if agent == "Many":
        assert max(sys.modules["own_agents"].Many.calls) == 3


def test_a_custom_agent_that_fails_in_many_games_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_broken.py").write_text(OWN_AGENTS)
    monkeypatch.syspath_prepend(tmp_path)
    env = gymnasium.make_vec(GANZ, num_envs=2, opponents=("own_broken:Broken",), seat=1)
    with pytest.raises(CustomAgentError, match="own_broken:Broken fails in choose: ZeroDivision"):
        env.reset(seed=1)
    with pytest.raises(CustomAgentError, match="'no_such_module' cannot be imported"):
        gymnasium.make_vec(GANZ, num_envs=2, opponents=("no_such_module:Agent",))


@pytest.mark.parametrize("key", KEYS)
def test_stepping_stays_inside_its_buffers(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    checking = WasmKernel(game(key).family, build(program(game(key).family), checking=True))
    monkeypatch.setattr("foxclover.simulation.vector_game.open_kernel", lambda _: checking)
    for reward in ("gains", "win"):
        games = VectorGame(
            game(key),
            3,
            ["", "greedy", "", "medium"],
            reward,
            "inputs" if reward == "win" else "features",
        )
        games.begin(np.full(3, 4), np.arange(3))
        games.seed_draws(1)
        for _ in range(150):
            games.step(games.draw())
