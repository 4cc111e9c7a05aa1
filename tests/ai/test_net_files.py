"""Nets in files: written, read back, and refused in one sentence when they cannot be used."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from families import CLEVER
from foxclover.ai import agent, nets
from foxclover.core.game import game, game_names
from foxclover.games.clever.ai import players

ARRAYS = {
    "rows": np.array([[0.5, -1.0, 0.25], [0.0, 0.0, 0.0]], np.float32),
    "bias": np.array([4.0], np.float32),
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "some.net"
    nets.write_net(path, "ganz-schoen-clever", 3, ARRAYS, coarse=("rows",))
    return path


def test_numbers_come_back_as_exactly_as_their_kind_allows(file: Path) -> None:
    arrays = nets.read_net(file, "ganz-schoen-clever", 3)
    assert list(arrays) == ["rows", "bias"]
    assert arrays["rows"] == pytest.approx(ARRAYS["rows"], abs=1 / 127)
    assert arrays["bias"] == ARRAYS["bias"]


def test_the_measured_accuracy_is_part_of_the_file(file: Path) -> None:
    assert nets.read_accuracy(file) == nets.Accuracy()
    before = nets.read_net(file, "ganz-schoen-clever", 3)
    digest = nets.net_digest(file)
    nets.write_accuracy(file, value_bias=[0.0, 4.3])
    nets.write_accuracy(file, rmse=[1.0, 2.5])
    assert nets.net_digest(file) == digest
    assert nets.read_accuracy(file) == ((0.0, 4.3), (1.0, 2.5))
    for name, numbers in nets.read_net(file, "ganz-schoen-clever", 3).items():
        assert numbers.tobytes() == before[name].tobytes()
    nets.write_net(file, "ganz-schoen-clever", 3, before)
    assert nets.read_accuracy(file) == nets.Accuracy(), "a newly trained net is not measured"


def test_damage_is_noticed(file: Path) -> None:
    whole = file.read_bytes()
    for damaged in (
        whole[:-1],
        whole[:-1] + bytes([whole[-1] ^ 1]),
        whole.replace(b'"sha256"', b'"sha255"'),
    ):
        file.write_bytes(damaged)
        with pytest.raises(nets.NetError, match="damaged"):
            nets.read_net(file, "ganz-schoen-clever", 3)
    for other in (b"", b"hello", b"hello\nworld\n!"):
        file.write_bytes(other)
        with pytest.raises(nets.NetError, match="is no net"):
            nets.read_net(file, "ganz-schoen-clever", 3)


def test_a_net_for_other_inputs_or_another_game_is_refused(file: Path) -> None:
    with pytest.raises(nets.NetError, match="version 3 of the inputs of ganz-schoen-clever, not 4"):
        nets.read_net(file, "ganz-schoen-clever", 4)
    with pytest.raises(nets.NetError, match="is for ganz-schoen-clever, not for doppelt-so-clever"):
        nets.read_net(file, "doppelt-so-clever", 3)


def test_a_missing_net_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(nets.NetError, match="cannot be read: No such file"):
        nets.read_net(tmp_path / "none.net", "ganz-schoen-clever", 1)


def test_a_net_that_does_not_fit_the_game_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    net = nets.shipped_net(game("doppelt"))
    monkeypatch.setattr(players, "INPUTS", 3)
    with pytest.raises(nets.NetError, match="damaged"):
        nets.load(file, game("ganz"))
    nets.write_net(file, "ganz-schoen-clever", 3, net)
    with pytest.raises(nets.NetError, match="does not fit Ganz schön clever"):
        nets.load(file, game("ganz"))


def test_no_thinking_player_without_its_net(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nets, "shipped", lambda key: tmp_path / f"{key}.net")
    nets.shipped_net.cache_clear()
    with pytest.raises(nets.NetError):
        agent("net", game("ganz"))
    monkeypatch.undo()
    nets.shipped_net.cache_clear()
    agent("net", game("ganz"))


@pytest.mark.parametrize("key", CLEVER)
def test_the_shipped_nets_are_small(key: str) -> None:
    assert nets.shipped(game(key)).stat().st_size < 500_000


@pytest.mark.parametrize("key", game_names())
def test_nets_are_the_same_without_numpy(key: str) -> None:
    file = nets.shipped(game(key))
    _, header, body = file.read_bytes().split(b"\n", 2)
    found = json.loads(header)
    plain, net = (
        nets.unpack_plainly(found["arrays"], body),
        nets.read_net(file, key, found["inputs"]),
    )
    assert {name: (entry.shape, list(entry.numbers)) for name, entry in plain.items()} == {
        name: (numbers.shape, numbers.ravel().tolist()) for name, numbers in net.items()
    }


def test_numbers_are_multiples_of_their_step(tmp_path: Path) -> None:
    rng = np.random.default_rng(4)
    net = {
        "rows": rng.normal(0, 1, (40, 16)) * rng.choice([0.0, 0.001, 1.0, 5.0], (40, 1)),
        "first": rng.normal(0, 0.01, 16),
    }
    nets.write_net(
        tmp_path / "a.net",
        "ganz-schoen-clever",
        3,
        net,
        ("rows",),
        {"rows": 2.0**-16, "first": 2.0**-11},
    )
    read = nets.read_net(tmp_path / "a.net", "ganz-schoen-clever", 3)
    assert not (read["rows"] * 2**16 % 1).any()
    assert not (read["first"] * 2**11 % 1).any()
    assert (
        np.abs(read["rows"] - net["rows"])
        <= np.abs(net["rows"]).max(axis=1, keepdims=True) / 200 + 2**-10
    ).all()
