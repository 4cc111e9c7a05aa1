"""Games shared out over a Ray cluster of two nodes on this machine.

The same to the last bit, whatever is lost on the way.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from foxclover.cli import main
from foxclover.core.game import Game, game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.games.clever.ai import training as clever_training
from foxclover.games.climb.ai import training as climb_training
from foxclover.simulation import batch
from foxclover.simulation.batch import Outcome, Stopped
from foxclover.simulation.cluster import Cluster, ClusterError

MEMORY = 100_000_000  # bytes for the objects of a node
GOES = 5  # at starting a node: Ray gives it half a minute, of which a busy machine may need more


def patiently(start: Callable[[], Any]) -> Any:
    """What comes of the first go that succeeds."""
    for _ in range(GOES - 1):
        try:
            return start()
        except Exception as error:
            if "timed out" not in str(error).lower():
                raise
    return start()


def add_node(nodes: Any, cores: int) -> Any:
    return patiently(lambda: nodes.add_node(num_cpus=cores, object_store_memory=MEMORY))


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A head node with a core, to which others can be added."""
    from ray.cluster_utils import Cluster as LocalCluster

    head = {"num_cpus": 1, "object_store_memory": MEMORY}
    local = patiently(lambda: LocalCluster(initialize_head=True, head_node_args=head))
    add_node(local, 1)
    yield local
    local.shutdown()


@pytest.fixture
def cluster(nodes: Any) -> Iterator[Cluster]:
    with Cluster(nodes.address) as connected:
        yield connected


def assert_same(first: Outcome, other: Outcome) -> None:
    for name in ("numbers", "scores", "places", "rounds"):
        assert np.array_equal(getattr(first, name), getattr(other, name)), name
    for name in ("parts", "tallies"):
        mine, theirs = getattr(first, name), getattr(other, name)
        assert mine.keys() == theirs.keys()
        assert all(np.array_equal(mine[key], theirs[key]) for key in mine)
    assert (first.seats, first.seed) == (other.seats, other.seed)


@pytest.mark.parametrize(
    ("key", "seats", "games"),
    [("ganz", ["greedy", "random"], 3000), ("doppelt", ["net"], 60), ("geht", ["random"] * 3, 500)],
)
def test_a_cluster_plays_the_same_games_as_this_machine(
    cluster: Cluster, key: str, seats: list[str], games: int
) -> None:
    ticks: list[int] = []
    far = batch.play(
        game(key), seats, games, 5, cluster, first=7, callbacks=batch.Callbacks(ticks.append)
    )
    assert_same(far, batch.play(game(key), seats, games, 5, first=7))
    assert sum(ticks) == games
    assert len(ticks) > 2  # progress is reported while games are played


def test_what_is_lost_with_a_node_is_played_again(nodes: Any, cluster: Cluster) -> None:
    lost: list[object] = []

    def lose(_: int) -> None:
        if not lost:
            lost.append(add_node(nodes, 2))
            patiently(nodes.wait_for_nodes)
        elif len(lost) == 1:
            nodes.remove_node(lost[0], allow_graceful=False)
            lost.append("gone")

    far = batch.play(game("ganz"), ["net", "net"], 150, 9, cluster, callbacks=batch.Callbacks(lose))
    assert lost[1:] == ["gone"]
    assert_same(far, batch.play(game("ganz"), ["net", "net"], 150, 9))


class First:
    """Plays the first legal move; the process in which it finds a file removes that, and dies."""

    trap = ""

    def __init__(self, _: Game) -> None:
        self.moves = 0

    def choose(self, position: Position, seat: int) -> Move:
        self.moves += 1
        if self.trap and self.moves > 100 and Path(self.trap).exists():
            Path(self.trap).unlink()
            os.kill(os.getpid(), signal.SIGKILL)
        return position.legal_moves(seat)[0]


def test_a_killed_worker_is_made_up_for(cluster: Cluster, tmp_path: Path) -> None:
    trap = tmp_path / "trap"

    class Dying(First):
        pass

    Dying.trap = str(trap)
    trap.touch()
    far = batch.play(game("ganz"), [Dying], 40, 3, cluster)
    assert not trap.exists()
    assert_same(far, batch.play(game("ganz"), [Dying], 40, 3))


TRAPS = """
import sys
import wasmtime
from foxclover.kernel.wasm import engine
from foxclover.simulation.cluster import Cluster

def trap():
    store = wasmtime.Store(engine())
    module = wasmtime.Module(engine(), '(module (func (export "trap") unreachable))')
    try:
        wasmtime.Instance(store, module, []).exports(store)["trap"](store)
    except wasmtime.Trap:
        print("caught")

trap()
with Cluster(sys.argv[1]):
    trap()
trap()
"""


def test_an_error_of_the_kernel_does_not_end_the_process(nodes: Any) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TRAPS, nodes.address], capture_output=True, text=True, check=False
    )
    assert (done.stdout.split(), done.returncode) == (["caught"] * 3, 0), done.stderr


def test_an_agent_that_fails_loses_no_finished_game(cluster: Cluster) -> None:
    class Failing(First):
        def reset(self, seed: int) -> None:
            if seed & 0xFFFF_FFFF == 25:
                raise ValueError("enough")

    with pytest.raises(Stopped, match=r"enough.* in game 25 of seed 3") as caught:
        batch.play(game("ganz"), [Failing], 40, 3, cluster)
    assert caught.value.outcome is not None
    assert 25 not in caught.value.outcome.numbers


def test_every_game_can_be_written_down(cluster: Cluster) -> None:
    written: dict[int, list[str]] = {}
    here: dict[int, list[str]] = {}
    for kept, workers in ((written, cluster), (here, 1)):
        batch.play(
            game("geht"),
            ["greedy"],
            5,
            3,
            workers,
            callbacks=batch.Callbacks(
                each=lambda number, position, kept=kept: kept.update(
                    {number: list(map(str, position.moves_made))}
                )
            ),
        )
    assert written == here


@pytest.mark.parametrize("workers", [1, 3])
def test_a_clever_net_learns_the_same_on_a_cluster(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch, workers: int
) -> None:
    monkeypatch.setattr(clever_training, "GAMES_PER_ITERATION", 12)
    nets = []
    for elsewhere in (None, cluster):
        training = clever_training.Training(game("ganz"), 1, 2)
        training.run_iteration(workers, lambda _: None, elsewhere)
        nets.append(training.arrays())
    assert all(np.array_equal(nets[0][name], nets[1][name]) for name in nets[0])


def test_the_nets_of_geht_noch_was_learn_the_same_on_a_cluster(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(climb_training, "ITERATION", ((2, 0, 12), (1, 0, 30)))
    monkeypatch.setattr(climb_training, "STEPS", 5)
    nets = []
    for elsewhere in (None, cluster):
        training = climb_training.Training(game("geht"), 1, 2)
        training.run_iteration(2, lambda _: None, elsewhere)
        nets.append(training.arrays())
    assert all(np.array_equal(nets[0][name], nets[1][name]) for name in nets[0])


def test_simulate_shares_games_out(nodes: Any, capsys: pytest.CaptureFixture[str]) -> None:
    figures = []
    for more in ([], ["--ray", nodes.address]):
        assert (
            main(
                [
                    "simulate",
                    "ganz",
                    "--seats",
                    "greedy,random",
                    "--games",
                    "200",
                    "--seed",
                    "4",
                    "--json",
                    *more,
                ]
            )
            == 0
        )
        figures.append(json.loads(capsys.readouterr().out))
    assert figures[0] == figures[1]


def test_a_cluster_that_cannot_be_reached_is_one_sentence(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    assert main(["simulate", "ganz", "--ray", address]) == 2
    assert capsys.readouterr().err.startswith(
        f"foxclover: The cluster cannot compute: there is no Ray cluster at {address}: "
    )
    assert main(["train", "ganz", "--ray", "nowhere.invalid:6379", "--out", "nets"]) == 2
    assert "there is no Ray cluster at nowhere.invalid:6379" in capsys.readouterr().err
    with pytest.raises(ClusterError, match=r"there is no Ray cluster at 127\.0\.0\.1:99999"):
        Cluster("127.0.0.1:99999")
