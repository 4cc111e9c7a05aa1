"""One range of seeds everywhere.

The same seed rolls the same dice in all ways to play, and what lies outside is refused.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from foxclover import simulate, transcripts
from foxclover.ai import agent
from foxclover.cli import main
from foxclover.core.game import game
from foxclover.dice.sources import SEEDS, STREAMS, game_seed, seeded
from foxclover.envs.gym import GameEnv, GameVectorEnv
from foxclover.envs.pettingzoo import TableEnv
from foxclover.server.protocol.validate import LARGEST

HIGH = [2**32, 2**32 + 1, SEEDS - 1]
OUTSIDE = [-1, SEEDS, 2**64]


def first_roll(seed: int, number: int = 0) -> str:
    return game("ganz").start().roll(seeded(seed, number)).text


@pytest.mark.parametrize("outside", OUTSIDE)
def test_seeds_outside_the_range_are_refused_everywhere(
    outside: int, capsys: pytest.CaptureFixture[str]
) -> None:
    ganz = game("ganz")
    ways: list[Any] = [
        lambda: seeded(outside),
        lambda: simulate("ganz", games=1, seed=outside),
        lambda: agent("random", ganz, outside),
        lambda: GameEnv("ganz").reset(seed=outside),
        lambda: GameVectorEnv("ganz", 2).reset(seed=outside),
        lambda: GameVectorEnv("ganz", 2).reset(seed=[1, outside]),
        lambda: TableEnv("ganz", players=2).reset(seed=outside),
    ]
    for way in ways:
        with pytest.raises(ValueError, match=r"seed"):
            way()
    for command in (["simulate", "ganz", "--games", "1"], ["play", "ganz"], ["train", "ganz"]):
        assert main([*command, "--seed", str(outside)]) == 2
        assert "seed" in capsys.readouterr().err


@pytest.mark.parametrize("seed", HIGH)
def test_high_seeds_are_seeds_of_their_own_and_the_same_everywhere(seed: int) -> None:
    assert first_roll(seed) != first_roll(seed % 2**32)
    env = GameEnv("ganz")
    env.reset(seed=seed)
    assert env.games.episodes.seed[0] == seed
    one, other = (simulate("ganz", "random", games=3, seed=seed).scores for _ in range(2))
    assert (one == other).all()
    assert (one != simulate("ganz", "random", games=3, seed=seed % 2**32).scores).any()


def test_the_server_takes_the_same_seeds() -> None:
    assert LARGEST == SEEDS - 1


@pytest.mark.parametrize(
    "text",
    [f"seed {SEEDS}", "seed 99999999999999999999", "seed 7 game 4294967296", "seed 7 of mine"],
)
def test_a_transcript_with_a_seed_outside_the_range_is_refused(text: str) -> None:
    with pytest.raises(
        transcripts.TranscriptError,
        match=r"line 4: .* is not a seed: expected a whole number from 0 to 9007199254740991",
    ):
        transcripts.read(f"{transcripts.TITLE}\ngame: ganz\nplayers: Ada\ndice: {text}\n\n")


def test_the_highest_seed_of_a_transcript_is_read() -> None:
    seed = transcripts.Seed(SEEDS - 1, STREAMS - 1)
    roll = first_roll(seed.number, seed.game)
    followed = transcripts.read(
        f"{transcripts.TITLE}\ngame: ganz\nplayers: Ada\ndice: {seed}\n\nchance: {roll}\n"
    ).follow_seed()
    assert followed is not None
    assert followed.foreign is None


@pytest.mark.parametrize("number", [-1, STREAMS])
def test_games_of_a_seed_have_numbers_below_2_to_the_32(number: int) -> None:
    with pytest.raises(ValueError, match="the games of a seed have numbers from 0 to 4294967295"):
        seeded(1, number)
    with pytest.raises(ValueError, match=r"games|first"):
        simulate("ganz", games=1, seed=1, first=number)


@pytest.mark.parametrize("wrong", ["7", 7.0, None])
def test_what_is_no_number_is_no_seed(wrong: Any) -> None:
    with pytest.raises(TypeError, match="a seed is a whole number from 0 to"):
        seeded(wrong)


def test_numbers_of_numpy_are_seeds() -> None:
    assert first_roll(np.int64(7)) == first_roll(7)  # type: ignore[arg-type]


def test_agents_are_reset_with_64_bits_that_tell_games_and_seeds_apart() -> None:
    seeds = [game_seed(seed, number) for seed in (0, 1, 7, *HIGH) for number in (0, 1, STREAMS - 1)]
    assert len(set(seeds)) == len(seeds)
    assert all(0 <= seed < 2**64 for seed in seeds)
    assert game_seed(7, 3) == (7 << 32) + 3
