"""The computer players play recorded games as before.

A kernel built otherwise must not change a single move. The scores were first written down from
another build of the same players. ``python tests/golden.py`` records them again.
"""

from __future__ import annotations

import hashlib

import pytest

import golden
from foxclover.ai import AGENTS
from foxclover.core.game import game, game_names
from foxclover.games.clever.ai import training

LINES = golden.SCORES.read_text(encoding="utf-8").splitlines()[1:]
WEIGHTS = {  # sha256 of all weights and memories after two short iterations
    "ganz-schoen-clever": "f42aa6d1c9999d0e331841fb4df4b8cab72dad51db35a3d01caac5954c2080cc",
    "doppelt-so-clever": "3aebf6e0062a10e79ca518b8cdc03ca49e637fd78ca6be67b3d992de5f86adf2",
}


def test_every_player_and_every_game_is_there() -> None:
    assert {line.split()[0] for line in LINES} == set(AGENTS) - {"strong"}, (
        "strong thinks like search"
    )
    assert {line.split()[1] for line in LINES} == set(game_names())


@pytest.mark.parametrize("line", LINES, ids=[line.partition(":")[0] for line in LINES])
def test_a_recorded_game_ends_as_before(line: str) -> None:
    table, _, scores = line.partition(": ")
    assert golden.scores(table, len(scores.split(", "))) == scores


@pytest.mark.parametrize("key", WEIGHTS)
def test_a_training_takes_the_same_steps(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "GAMES_PER_ITERATION", 80)
    student = training.Training(game(key), 3, 4)
    for _ in range(2):
        student.run_iteration(1, lambda _: None)
    digest = hashlib.sha256(b"".join(array.tobytes() for array in student.arrays().values()))
    assert digest.hexdigest() == WEIGHTS[key]
