"""Your own nets, wherever computer players are named."""

from __future__ import annotations

import importlib.util
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from foxclover import UnknownAgent, adviser, agent, game, game_names, seeded, simulate
from foxclover.ai import nets
from foxclover.core.game import Game
from foxclover.core.registry import game_entries

EXAMPLE = Path(__file__).parents[2] / "examples" / "torch_net.py"


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """A net of Ganz schön clever that prefers other moves."""
    chosen = game("ganz")
    changed = {name: array.copy() for name, array in nets.shipped_net(chosen).items()}
    changed["out"] *= -1
    nets.save(tmp_path / "other.net", chosen, changed)
    return tmp_path / "other.net"


def scores(name: str | list[str], games: int = 6) -> list[list[int]]:
    found: list[list[int]] = simulate("ganz", name, games=games, seed=4).scores.tolist()
    return found


def test_a_net_is_named_with_its_player(other: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin.net"
    shutil.copy(nets.shipped(game("ganz")), twin)
    assert scores(f"net={twin}") == scores("net")
    assert scores(f"net={other}") != scores("net")


def test_players_with_different_nets_meet_at_one_table(other: Path, tmp_path: Path) -> None:
    twin = tmp_path / "twin.net"
    shutil.copy(nets.shipped(game("ganz")), twin)
    assert scores(["net", f"net={twin}"], 2) == scores(["net", "net"], 2)
    assert scores(["net", f"net={other}"], 2) != scores(["net", "net"], 2)


def test_agents_and_advisers_take_a_net(other: Path) -> None:
    position = game("ganz").start()
    position.roll(seeded(1))
    usual = [ranked.move for ranked in adviser("net", game("ganz")).rank(position, 0)]
    for own in (
        adviser("net", game("ganz"), net=other),
        adviser(f"net={other}", game("ganz")),
    ):
        assert [ranked.move for ranked in own.rank(position, 0)] != usual
    chosen = agent("search", game("ganz"), seed=1, net=str(other)).choose(position, 0)
    assert chosen in position.legal_moves(0)


def test_a_net_that_is_written_again_is_read_again(other: Path) -> None:
    before = nets.net_of(game("ganz"), other)
    nets.save(other, game("ganz"), dict(nets.shipped_net(game("ganz"))))
    assert (nets.net_of(game("ganz"), other)["out"] != before["out"]).any()


def test_a_sheet_of_ones_own_finds_its_net_in_the_users_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = game_entries()["ganz-schoen-clever"].file.read_text(encoding="utf-8")
    sheet = tmp_path / "mine.toml"
    lines = [line for line in source.splitlines() if not line.startswith("game =")]
    sheet.write_text("\n".join(lines), encoding="utf-8")
    mine: Game = game(str(sheet))
    monkeypatch.setattr(nets, "user_folder", lambda: tmp_path / "nets")
    with pytest.raises(nets.NetError, match="cannot be read"):
        agent("net", mine)
    (tmp_path / "nets").mkdir()
    nets.save(tmp_path / "nets" / "mine.net", mine, dict(nets.shipped_net(game("ganz"))))
    assert nets.net_path(mine) == tmp_path / "nets" / "mine.net"
    agent("net", mine)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (None, "cannot be read: No such file"),
        (b"hello", "is no net"),
        (b"foxclover net 1\n{}\n", "is damaged"),
        (b"foxclover net 1\n[]\n123", "is damaged"),
    ],
)
def test_what_is_no_net_is_refused_in_a_sentence(
    tmp_path: Path, content: bytes | None, sentence: str
) -> None:
    file = tmp_path / "x.net"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(nets.NetError, match=sentence):
        agent("net", game("ganz"), net=file)
    with pytest.raises(nets.NetError, match=sentence):
        simulate("ganz", f"net={file}", games=1)


def test_a_net_of_another_game_or_sheet_is_refused(tmp_path: Path) -> None:
    with pytest.raises(nets.NetError, match="is for doppelt-so-clever, not for ganz-schoen-clever"):
        agent("net", game("ganz"), net=nets.shipped(game("doppelt")))
    arrays = dict(nets.shipped_net(game("doppelt")))
    nets.save(tmp_path / "x.net", game("ganz"), arrays)
    with pytest.raises(nets.NetError, match="does not fit Ganz schön clever"):
        agent("net", game("ganz"), net=tmp_path / "x.net")


def test_players_without_a_net_take_none() -> None:
    with pytest.raises(UnknownAgent, match="'greedy' uses no net; those that do are easy, medium"):
        agent("greedy", game("ganz"), net="x.net")
    with pytest.raises(UnknownAgent, match=r"'greedy=x\.net' is no computer player"):
        simulate("ganz", "greedy=x.net", games=1)


@pytest.mark.parametrize("key", game_names())
def test_the_loader_for_torch_reads_every_net(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        import torch  # noqa: F401
    except ImportError:  # its tensors share the memory of numpy's arrays
        monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(from_numpy=lambda array: array))
    spec = importlib.util.spec_from_file_location("torch_net", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    loaded = example.load_net(str(nets.shipped(game(key))))
    shipped = nets.shipped_net(game(key))
    assert loaded.keys() == shipped.keys()
    for name, array in shipped.items():
        assert np.array_equal(np.asarray(loaded[name]), array)
