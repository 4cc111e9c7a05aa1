"""Games as data: files of rows in three kinds, put together again, transcripts, the report, and what is refused."""

from __future__ import annotations

import _thread
import errno
import itertools
import json
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.conftest import Run
from foxclover import notation
from foxclover.cli.statistics import BARS, bin_edges
from foxclover.game import game
from foxclover.simulation import batch, rows

KINDS = ["csv", "npz", "parquet"]


def told(run: Run, capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    assert run(*words, "--json") == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_for_each_game_and_seat(run: Run, tmp_path: Path, kind: str) -> None:
    pytest.importorskip("pyarrow") if kind == "parquet" else None
    file = tmp_path / f"games.{kind}"
    assert (
        run(
            "simulate",
            "doppelt",
            "--players",
            2,
            "--games",
            20,
            "--seed",
            4,
            "--first",
            30,
            "--out",
            file,
        )
        == 0
    )
    table = rows.read(file)
    outcome = batch.play(game("doppelt"), ["random"] * 2, 20, 4, first=30)
    assert table["number"].tolist() == [number for number in range(30, 50) for _ in range(2)]
    assert table["seat"].tolist() == [1, 2] * 20
    assert table["points"].tolist() == outcome.scores.ravel().tolist()
    assert table["place"].tolist() == outcome.places.ravel().tolist()
    assert table["foxes"].tolist() == outcome.tallies["foxes"].ravel().tolist()
    assert (
        sum(table[name] for name in table if name.startswith("points_")) == table["points"]
    ).all()
    assert set(table["agent"].tolist()) == {"random"}


@pytest.mark.parametrize("words", [("--agent", "random,greedy"), ("--seats", "greedy,random")])
def test_two_parts_merged_tell_what_the_whole_tells(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, str]
) -> None:
    one, two, both = tmp_path / "one.npz", tmp_path / "two.csv", tmp_path / "both.csv"
    shares = (
        (15, 25) if words[0] == "--agent" else (30, 50)
    )  # deals are played in each order of seats
    whole = told(run, capsys, "simulate", "ganz", *words, "--seed", 4, "--games", sum(shares))
    for file, first, games in ((one, 0, shares[0]), (two, 15, shares[1])):
        told(
            run,
            capsys,
            "simulate",
            "ganz",
            *words,
            "--seed",
            4,
            "--first",
            first,
            "--games",
            games,
            "--out",
            file,
        )
    merged = told(run, capsys, "merge", one, two, "--out", both)
    if words[0] == "--agent":
        for result in whole["agents"]:
            del result["ms_per_game"]
        del whole["differences"], merged["differences"]
    assert merged == whole
    assert len(rows.read(both)["points"]) == 2 * sum(shares)


def test_what_cannot_be_merged(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = [
        tmp_path / "ganz.csv",
        tmp_path / "doppelt.csv",
        tmp_path / "empty.csv",
        tmp_path / "other.npz",
        tmp_path / "letter.csv",
    ]
    for file in files[:2]:
        assert run("simulate", file.stem, "--games", 3, "--seed", 1, "--out", file) == 0
    files[2].write_text("a,b\n1,2\n")
    np.savez(files[3], a=[1])
    files[4].write_text("Dear Ada")
    for words, sentence in (
        ((files[0], files[0]), "game 0 of seed 1 is there twice"),
        ((files[0], files[1]), "do not belong together"),
        ((files[2],), "empty.csv cannot be read: it holds no games"),
        ((files[4],), "letter.csv cannot be read: it holds no games.\n"),
        ((files[3],), "it holds no games"),
        ((tmp_path / "none.csv",), "none.csv cannot be read"),
        ((tmp_path / "games.txt",), "must end in .csv"),
    ):
        capsys.readouterr()
        assert run("merge", *words) == 2
        assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("key", ["ganz", "geht"])
def test_transcripts_replay_to_the_same_scores(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, key: str
) -> None:
    folder, file = tmp_path / "games", tmp_path / "games.csv"
    assert (
        run(
            "simulate",
            key,
            "--seats",
            "greedy,random",
            "--games",
            6,
            "--seed",
            2,
            "--transcripts",
            folder,
            "--out",
            file,
        )
        == 0
    )
    finals = [notation.read(path.read_text(encoding="utf-8")) for path in sorted(folder.iterdir())]
    assert [final.position.score(seat) for final in finals for seat in range(2)] == rows.read(file)[
        "points"
    ].tolist()
    assert [final.header.players for final in finals] == [["greedy", "random"]] * 3 + [
        ["random", "greedy"]
    ] * 3


def test_the_report_is_one_page_with_tables_and_plot(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert (
        run(
            "simulate",
            "ganz",
            "--agent",
            "random,greedy",
            "--games",
            20,
            "--seed",
            1,
            "--report",
            page,
        )
        == 0
    )
    text = page.read_text(encoding="utf-8")
    assert text.count("<table>") == 2
    assert "<svg" in text
    assert "src=" not in text
    assert (
        run(
            "simulate",
            "ganz",
            "--seats",
            "random,greedy",
            "--games",
            20,
            "--seed",
            1,
            "--report",
            page,
        )
        == 0
    )
    assert "<th>greedy</th><td>wins " in page.read_text()


def test_agents_at_one_table_are_plotted_too(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "points.png"
    assert (
        run(
            "simulate",
            "ganz",
            "--seats",
            "greedy,random",
            "--games",
            20,
            "--seed",
            1,
            "--plot",
            picture,
        )
        == 0
    )
    assert picture.stat().st_size > 5000


@pytest.mark.parametrize(("least", "most"), [(3, 3), (0, 79), (0, 80), (18, 251), (0, 1000)])
def test_every_bar_holds_the_same_whole_number_of_points(least: int, most: int) -> None:
    edges = bin_edges(least, most)
    widths = {round(right - left, 6) for left, right in itertools.pairwise(edges)}
    assert len(widths) == 1
    assert widths.pop() % 1 == 0
    assert len(edges) - 1 <= BARS
    assert edges[0] == least - 0.5
    assert edges[-1] > most


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--out", "games.xls"], "must end in .csv"),
        (["--out", "no/such/games.csv"], "no such folder"),
        (["--out", "/proc/games.csv"], "/proc/games.csv cannot be written"),
        (["--report", "/proc/games.html"], "/proc/games.html cannot be written"),
        (["--seats", "greedy,random", "--agent", "random"], "leave --agent out"),
        (["--first", str(2**32 - 1)], "A seed has"),
        (["--agent", "no_such_module:Agent"], "cannot be imported"),
        (["--agent", "json:Agent"], "has no 'Agent'"),
        (["--agent", "math:pi"], "is no class"),
    ],
)
def test_what_cannot_be_done_is_said_before_any_game(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    sentence: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(batch, "play", lambda *_: pytest.fail("a game was played"))
    assert run("simulate", "ganz", "--games", 3, "--seed", 1, *words) == 2
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize("who", [("--agent", "random,greedy"), ("--seats", "random,greedy")])
def test_a_disk_that_is_full_in_the_end_costs_no_figures(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    who: tuple[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(rows, "write", full)
    assert (
        run("simulate", "ganz", *who, "--games", 4, "--seed", 1, "--out", tmp_path / "games.csv")
        == 2
    )
    output = capsys.readouterr()
    assert "games.csv cannot be written: No space left on device" in output.err
    assert "greedy" in output.out
    assert "mean" in output.out


def test_a_picture_without_what_draws_it_is_refused_before_any_game(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(batch, "play", lambda *_: pytest.fail("a game was played"))
    assert (
        run("simulate", "ganz", "--games", 3, "--seed", 1, "--plot", tmp_path / "points.png") == 2
    )
    assert "foxclover[pictures]" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_interrupted_run_keeps_the_games_that_were_finished(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "games.csv"
    timer = threading.Timer(1.0, _thread.interrupt_main)
    timer.start()
    assert (
        run("simulate", "ganz", "--players", 4, "--games", 20_000_000, "--seed", 1, "--out", file)
        == 2
    )
    timer.join()
    output = capsys.readouterr()
    assert "of 20000000 games were finished, then: interrupted" in output.err
    assert "mean" in output.out
    assert len(rows.read(file)["points"]) > 4
