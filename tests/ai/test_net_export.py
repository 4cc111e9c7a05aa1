"""Exported nets compute in other programs what ours compute."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import onnxruntime
import pytest
from safetensors.numpy import load_file

from families import CLEVER
from foxclover.ai.export import export
from foxclover.ai.nets import save, shipped_net
from foxclover.cli import main
from foxclover.core.game import Game, game, game_names
from foxclover.core.position import Position
from foxclover.core.rules import below
from foxclover.dice.sources import seeded
from foxclover.games.clever.ai import network, rating
from foxclover.games.clever.ai.players import feature_layout_of
from foxclover.games.climb.ai import workspace as tableaus
from foxclover.simulation.vector_game import features

CLIMB = "geht-noch-was"


def positions(chosen: Game, players: int) -> Iterator[tuple[Position, int]]:
    """The positions after each move of a random game, and who made it."""
    position, dice, choices = chosen.start(players), seeded(3, 1), seeded(3, 2).rng
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
        else:
            seat = position.acting[0]
            moves = position.legal_moves(seat)
            position.push(moves[below(choices, len(moves))])
            yield position, seat


def run(file: Path, **inputs: np.ndarray) -> np.ndarray:
    return onnxruntime.InferenceSession(file).run(["points"], inputs)[0]


@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize("key", CLEVER)
def test_onnxruntime_rates_positions_of_the_clever_games_as_we_do(
    key: str, players: int, tmp_path: Path
) -> None:
    chosen, workspace = game(key), network.Workspace()
    workspace.feature_layout, workspace.net = feature_layout_of(chosen), network.Net()
    for name, numbers in shipped_net(chosen).items():
        getattr(workspace.net, name)[: len(numbers)] = numbers.tolist()
    seen, ours = [], []
    for position, seat in positions(chosen, players):
        tables, inputs = chosen.definition.tables, [0.0] * 256
        network.restart_sums(workspace.net, workspace.feature_layout, workspace.activations)
        if network.collect(
            tables, workspace.feature_layout, position.state, seat, workspace.inputs
        ):
            ours.append(rating.value_of(tables, workspace, position.state, seat))
            rating.write_inputs(tables, workspace, position.state, seat, inputs, 0)
            seen.append(inputs[: workspace.feature_layout.slots + network.SCALARS])
    export(chosen, "onnx", tmp_path / "net.onnx")
    theirs = run(tmp_path / "net.onnx", inputs=np.array(seen, np.float32))
    assert len(ours) > 20
    assert np.ptp(ours) > 20
    assert theirs == pytest.approx(ours, abs=0.01)


@pytest.mark.parametrize("players", [1, 3])
def test_onnxruntime_rates_tableaus_as_we_do(players: int, tmp_path: Path) -> None:
    chosen = game(CLIMB)
    deck, net, workspace = chosen.definition.tables, shipped_net(chosen), tableaus.Workspace()
    nets = SimpleNamespace(**net)
    seen, kinds, ours = [], [], []
    for position, seat in positions(chosen, players):
        state, mine, hidden = position.state, position.state.seats[seat], [0.0] * tableaus.HIDDEN
        kind = tableaus.net_before_rolling(deck, state)
        tableaus.add_tableau(deck, state, mine, net["rows"][kind], hidden)
        for level in range(tableaus.LEVELS):
            row = net["rows"][kind][tableaus.MISS + level]
            tableaus.add_row(hidden, row, tableaus.overlap(deck, mine, level, 0))
        ours.append(tableaus.expected(nets, kind, hidden, mine.luck) - mine.luck)
        inputs = [0.0] * tableaus.INPUTS
        tableaus.write_inputs(deck, workspace, state, seat, inputs, 0)
        seen.append(inputs)
        kinds.append(kind)
    export(chosen, "onnx", tmp_path / "net.onnx")
    theirs = run(tmp_path / "net.onnx", inputs=np.array(seen, np.float32), kind=np.array(kinds))
    assert len(set(kinds)) > 2
    assert theirs == pytest.approx(ours, abs=0.01)


@pytest.mark.parametrize("key", game_names())
def test_safetensors_hold_the_arrays_of_the_net(key: str, tmp_path: Path) -> None:
    export(game(key), "safetensors", tmp_path / "net.safetensors")
    found = load_file(tmp_path / "net.safetensors")
    for name, numbers in shipped_net(game(key)).items():
        assert (found.pop(name) == numbers).all()
    assert not found


def test_the_model_card_names_inputs_and_the_strength(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foxclover.cli.train.GAMES", 20)
    file = tmp_path / "ganz.onnx"
    command = ["export-net", "ganz", "--out", str(file), "--lang", "en"]
    assert main(command) == 0
    written = (tmp_path / "ganz.onnx.md").read_text(encoding="utf-8")
    for name in features("ganz", 1, "inputs").names[-20:]:
        assert f"| {name} |" in written
    assert "of 20 games" in written
    assert "--games 20 --seed 331001" in written
    assert main(command) == 2
    assert "--force" in capsys.readouterr().err
    assert main([*command, "--format", "safetensors"]) == 2
    assert "must end in .safetensors" in capsys.readouterr().err


def test_a_net_of_your_own_is_exported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foxclover.cli.train.GAMES", 2)
    changed = {name: numbers.copy() for name, numbers in shipped_net(game("ganz")).items()}
    changed["bias"] += 1
    save(tmp_path / "own.net", game("ganz"), changed)
    for name, options in (("own", ["--net", str(tmp_path / "own.net")]), ("ours", [])):
        assert main(["export-net", "ganz", "--out", str(tmp_path / f"{name}.onnx"), *options]) == 0
    zeros = np.zeros((1, len(features("ganz", 1, "inputs").names) - 23), np.float32)
    own, ours = (run(tmp_path / f"{name}.onnx", inputs=zeros) for name in ("own", "ours"))
    assert own - ours == pytest.approx(25, abs=0.1)


@pytest.mark.parametrize("kind", ["onnx", "safetensors"])
def test_without_the_package_one_sentence_says_what_to_install(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, kind, None)
    monkeypatch.setitem(__import__("sys").modules, f"{kind}.numpy", None)
    out = str(tmp_path / f"net.{kind}")
    assert main(["export-net", "ganz", "--format", kind, "--out", out, "--lang", "en"]) == 2
    assert f"This needs {kind}. Install it with:" in capsys.readouterr().err
