"""CPython referees the compiled rules: the same seeds give the same games, move by move, and the same final states."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from foxclover import fast
from foxclover.game import GAMES, game
from tracing import LONGEST

SEEDS = 2000
COMBINATIONS = [(key, players) for key in GAMES for players in (1, 2, 3, 4)]


@pytest.mark.parametrize(("key", "players"), COMBINATIONS)
def test_compiled_and_cpython_agree_move_by_move(key: str, players: int) -> None:
    import numpy as np

    found = game(key)
    state = found.rules.State
    plain = fast.link(found.package, False, ("tracing",))
    compiled = fast.link(found.package, True, ("tracing",))
    books, states = fast.to_array(found.book.tables), fast.to_array(state(), state())
    rng, moves, trace = np.zeros(4, "i8"), np.zeros(found.rules.MOVES, "i8"), np.zeros(LONGEST + 2, "i8")
    plain_states = [state(), state()]
    plain_trace = [0] * (LONGEST + 2)
    for seed in range(SEEDS):
        variant = seed % 4 if found.package == "climb" else 0
        length = plain.trace_game([found.book.tables], plain_states, players, variant, seed, [0] * 4, [0] * found.rules.MOVES, plain_trace)
        assert length > 0, f"seed {seed} does not end"
        assert compiled.trace_game(books, states, players, variant, seed, rng, moves, trace) == length, f"seed {seed}"
        assert trace[:length].tolist() == plain_trace[:length], f"seed {seed}"
        assert fast.from_array(state, states[1:2]) == plain_states[1], f"seed {seed}"


@pytest.mark.parametrize("key", GAMES)
def test_playouts_continue_from_a_position(key: str) -> None:
    import numpy as np

    from foxclover.chance import seeded

    found = game(key)
    position = found.start(2)
    dice = seeded(5)
    for _ in range(40):
        seat = min(position.to_act)
        position.push(dice.draw(position) if seat < 0 else position.legal_moves(seat)[0])
    state = found.rules.State
    scores = np.zeros((20, 4), "i8")
    policies, rng = np.zeros(4, "i8"), np.zeros((2, 4), "i8")
    states = fast.to_array(position.state, state(), state())
    fast.link(found.package, True).continue_games(
        fast.to_array(found.book.tables), states, policies, 3, 20, rng[0], rng[1], np.zeros(found.rules.MOVES, "i8"), scores
    )
    again = [[0] * 4 for _ in range(20)]
    plain_states = [position.state, state(), state()]
    fast.link(found.package, False).continue_games(
        [found.book.tables], plain_states, [0] * 4, 3, 20, [0] * 4, [0] * 4, [0] * found.rules.MOVES, again
    )
    assert scores.tolist() == again
    assert len({tuple(row) for row in again}) > 1, "other dice, other scores"


def test_an_edited_sheet_is_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "foxclover"
    shutil.copytree(Path(fast.__file__).parent / "clever", package / "clever")
    for name in ("fast.py", "records.py"):
        shutil.copy(Path(fast.__file__).parent / name, package)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(fast, "__file__", str(package / "fast.py"))
    names = ("foxclover.clever.rules",)
    first = fast.cache_directory("clever", names)
    assert first == fast.cache_directory("clever", names)
    sheet = package / "clever" / "sheets" / "ganz-schoen-clever.toml"
    sheet.write_text(sheet.read_text(encoding="utf-8").replace("20]", "21]"), encoding="utf-8")
    assert first != fast.cache_directory("clever", names)
