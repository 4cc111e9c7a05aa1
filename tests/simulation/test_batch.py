"""Many games at once: what comes of them, and what is left when something stops them."""

from __future__ import annotations

import _thread
import threading
import time
from typing import Any

import pytest

from foxclover.core.game import game, game_names
from foxclover.kernel import KernelError
from foxclover.simulation import batch
from foxclover.simulation.batch import Interrupted, Stopped
from foxclover.simulation.workers import KernelWorker, Runner

GANZ = game("ganz")


@pytest.mark.parametrize("agent", ["random", "net"])
def test_games_are_the_same_on_any_number_of_threads(
    agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batch, "MOST", 7)
    alone, together = (batch.play(GANZ, [agent, "random"], 30, 3, workers) for workers in (1, 3))
    assert (alone.scores == together.scores).all()
    assert (alone.places == together.places).all()
    assert all((alone.parts[name] == together.parts[name]).all() for name in alone.parts)
    assert alone.scores.shape == (30, 2)
    assert (sum(alone.parts.values()) == alone.scores).all()


def test_a_run_in_two_parts_gives_the_same_games() -> None:
    whole = batch.play(GANZ, ["random"], 40, 3)
    parts = [
        batch.play(GANZ, ["random"], games, 3, first=first) for first, games in ((0, 15), (15, 25))
    ]
    assert [*parts[0].scores.tolist(), *parts[1].scores.tolist()] == whole.scores.tolist()
    assert [*parts[0].numbers, *parts[1].numbers] == list(range(40))


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("agent", ["random", "greedy"])
@pytest.mark.parametrize("variant", ["plain", "varied"])
def test_the_kernel_accounts_as_the_rules_of_scoring_do(key: str, agent: str, variant: str) -> None:
    chosen = game(key)
    setup = chosen.setup(option.name for option in chosen.options if variant == "varied")
    for players in chosen.players:
        worker = KernelWorker(chosen, [agent] * players, setup, None)
        for number in range(12):
            worker.play(5, number, 1)
            (result,), final = worker.results(), worker.replay()
            assert final.over
            assert result.points[:players].tolist() == [
                final.score(seat) for seat in range(players)
            ]
            assert result.places[:players].tolist() == final.places()
            assert result.rounds == final.state.round
            for seat in range(players):
                parts, mine = final.breakdown(seat), final.state.seats[seat]
                tallies = [getattr(mine, name) for name in chosen.scoring.TALLIES]
                assert result.parts[seat][: len(parts)].tolist() == list(parts.values())
                assert result.tallies[seat][: len(tallies)].tolist() == tallies


def test_games_that_take_their_time_are_shared_out_one_by_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts: list[int] = []
    play = KernelWorker.play

    def slow(worker: KernelWorker, seed: int, first: int, count: int) -> None:
        counts.append(count)
        play(worker, seed, first, count)

    monkeypatch.setattr(KernelWorker, "play", slow)
    monkeypatch.setattr(batch, "CHUNK_SECONDS", 0.0)
    batch.play(GANZ, ["random"], 6, 3)
    assert counts == [1] * 6


def test_a_kernel_that_stops_in_the_middle_loses_no_game_that_was_finished(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batch, "MOST", 10)
    whole = batch.play(GANZ, ["random"], 40, 3)
    play = KernelWorker.play

    def stumble(worker: KernelWorker, seed: int, first: int, count: int) -> None:
        play(worker, seed, first, min(count, 24 - first))
        if first + count > 24:
            raise KernelError("the kernel stopped in apply (unreachable)")

    monkeypatch.setattr(KernelWorker, "play", stumble)
    with pytest.raises(Stopped, match="in game 24 of seed 3") as caught:
        batch.play(GANZ, ["random"], 40, 3)
    outcome = caught.value.outcome
    assert outcome is not None
    assert (outcome.scores[:24] == whole.scores[:24]).all()
    assert len(outcome.places) == len(outcome.scores) in range(24, 35), (
        "the last ten may have been begun before the problem was known"
    )


def test_a_kernel_that_stops_at_once_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def stumble(*_: Any) -> None:
        raise KernelError("the kernel stopped in start (unreachable)")

    monkeypatch.setattr(KernelWorker, "play", stumble)
    with pytest.raises(Stopped, match="in game 0 of seed 3") as caught:
        batch.play(GANZ, ["random"], 40, 3)
    assert caught.value.outcome is None


def test_games_that_nobody_waits_for_any_more_end_soon() -> None:
    played: list[int] = []
    for seconds in (0.3, 3.0, 30.0):  # a busy machine may not have begun by then
        runner = Runner(GANZ, ["random"] * 4)
        thread = threading.Thread(
            target=lambda runner=runner: played.append(len(runner(1, 0, 100_000)))
        )
        thread.start()
        time.sleep(seconds)
        runner.stop()
        thread.join()
        if played[-1] > 0:
            break
    assert 0 < played[-1] < 100_000


def test_an_interrupt_stops_all_threads() -> None:
    before = threading.active_count()
    done: list[int] = []
    some = threading.Event()

    def count(games: int) -> None:
        done.append(games)
        if sum(done) > 1_000:
            some.set()

    def interrupt() -> None:
        some.wait()
        _thread.interrupt_main()

    interrupter = threading.Thread(target=interrupt)
    interrupter.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt) as told:
        batch.play(
            GANZ, ["random"] * 4, 400_000, 1, workers=2, callbacks=batch.Callbacks(tick=count)
        )
    assert isinstance(told.value, Interrupted)
    assert told.value.outcome is not None
    assert 0 < len(told.value.outcome) < 400_000
    assert time.monotonic() - started < 60, "of several minutes"
    interrupter.join()
    assert threading.active_count() == before
