"""Games as data.

Files of rows in three kinds, put together again, transcripts, the report, and what is refused.
"""

from __future__ import annotations

import _thread
import errno
import itertools
import json
import shlex
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cli.conftest import Run
from foxclover import transcripts
from foxclover.cli.output import Progress
from foxclover.cli.results import BARS, bin_edges
from foxclover.core.game import game
from foxclover.simulation import batch, table

KINDS = ["csv", "npz", "parquet"]


def json_of(run: Run, capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
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
            "--start",
            30,
            "--results",
            file,
        )
        == 0
    )
    rows = table.read(file)
    played = batch.play(game("doppelt"), ["random"] * 2, 20, 4, first=30)
    assert rows["number"].tolist() == [number for number in range(30, 50) for _ in range(2)]
    assert rows["seat"].tolist() == [1, 2] * 20
    assert rows["points"].tolist() == played.scores.ravel().tolist()
    assert rows["place"].tolist() == played.places.ravel().tolist()
    assert rows["foxes"].tolist() == played.tallies["foxes"].ravel().tolist()
    assert (sum(rows[name] for name in rows if name.startswith("points_")) == rows["points"]).all()
    assert set(rows["agent"].tolist()) == {"random"}


@pytest.mark.parametrize("words", [("--agent", "random,greedy"), ("--seats", "greedy,random")])
def test_two_merged_parts_equal_the_whole(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, words: tuple[str, str]
) -> None:
    one, two, both = tmp_path / "one.npz", tmp_path / "two.csv", tmp_path / "both.csv"
    # deals are played in each order of seats
    shares = (15, 25) if words[0] == "--agent" else (30, 50)
    whole = json_of(run, capsys, "simulate", "ganz", *words, "--seed", 4, "--games", sum(shares))
    for file, first, games in ((one, 0, shares[0]), (two, 15, shares[1])):
        json_of(
            run,
            capsys,
            "simulate",
            "ganz",
            *words,
            "--seed",
            4,
            "--start",
            first,
            "--games",
            games,
            "--results",
            file,
        )
    merged = json_of(run, capsys, "merge", one, two, "--results", both)
    if words[0] == "--agent":
        for result in whole["agents"]:
            del result["ms_per_game"]
    assert merged == whole
    assert len(table.read(both)["points"]) == 2 * sum(shares)


def test_merge_compares_agents_on_equal_dice(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = {agent: tmp_path / f"{agent}.csv" for agent in ("random", "greedy")}
    for agent, file in files.items():
        json_of(
            run,
            capsys,
            "simulate",
            "ganz",
            "--agent",
            agent,
            "--seed",
            4,
            "--games",
            60,
            "--results",
            file,
        )
    whole = json_of(
        run, capsys, "simulate", "ganz", "--agent", "random,greedy", "--seed", 4, "--games", 60
    )
    for result in whole["agents"]:
        del result["ms_per_game"]
    both = tmp_path / "both.npz"
    assert json_of(run, capsys, "merge", *files.values(), "--results", both) == whole
    assert json_of(run, capsys, "merge", both) == whole
    assert run("merge", *files.values()) == 0
    assert "greedy against random on the same dice: +" in capsys.readouterr().out


def test_merge_never_blends_runs_that_differ(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    runs = {
        "random": ("--agent", "random", "--seed", 1),
        "other": ("--agent", "greedy", "--seed", 2),
        "more": ("--agent", "random", "--players", 2, "--seed", 1),
        "table": ("--seats", "random,greedy", "--seed", 1),
        "second": ("--seats", "greedy,greedy", "--seed", 1),
    }
    for name, words in runs.items():
        assert (
            run("simulate", "ganz", *words, "--games", 10, "--results", tmp_path / f"{name}.csv")
            == 0
        )
    capsys.readouterr()
    merged = json_of(run, capsys, "merge", *(tmp_path / f"{name}.csv" for name in runs))
    assert [
        (one["agent"], one["players"], one["games"], one["seed"]) for one in merged["agents"]
    ] == [
        ("random", 1, 10, 1),
        ("greedy", 1, 10, 2),
        ("random", 2, 10, 1),
    ]
    assert merged["differences"] == [], "there are no equal dice"
    assert [[seat["agent"] for seat in table["seats"]] for table in merged["tables"]] == [
        ["random", "greedy"],
        ["greedy", "greedy"],
    ]


def test_several_seeds_of_one_agent_are_all_named(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for seed in (1, 2):
        assert (
            run(
                "simulate",
                "ganz",
                "--games",
                5,
                "--seed",
                seed,
                "--results",
                tmp_path / f"{seed}.csv",
            )
            == 0
        )
    merged = (
        json_of(run, capsys, "merge", tmp_path / "1.csv", tmp_path / "2.csv")
        if capsys.readouterr()
        else {}
    )
    assert (merged["games"], merged["seed"]) == (10, [1, 2])


def test_runs_of_other_options_are_not_merged(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    for name, words in {"one": (), "two": ("--first-player", "2")}.items():
        assert (
            run(
                "simulate",
                "ganz",
                "--players",
                2,
                "--games",
                5,
                "--seed",
                1,
                *words,
                "--results",
                tmp_path / f"{name}.csv",
            )
            == 0
        )
    assert run("merge", tmp_path / "one.csv", tmp_path / "two.csv") == 2
    assert "different variants" in capsys.readouterr().err


def test_a_file_with_half_a_game_or_changed_agents_is_refused(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "games.csv"
    assert (
        run("simulate", "ganz", "--players", 2, "--games", 5, "--seed", 1, "--results", file) == 0
    )
    whole = file.read_text(encoding="utf-8")
    for text, sentence in (
        ("".join(whole.splitlines(keepends=True)[:-1]), "not all 2 seats"),
        (whole.replace("random", "greedy", 1), "not one agent has played on seat 1"),
    ):
        file.write_text(text, encoding="utf-8")
        assert run("merge", file) == 2
        assert sentence in capsys.readouterr().err


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
        assert run("simulate", file.stem, "--games", 3, "--seed", 1, "--results", file) == 0
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
            "--results",
            file,
        )
        == 0
    )
    finals = [
        transcripts.read(path.read_text(encoding="utf-8")) for path in sorted(folder.iterdir())
    ]
    assert [final.position.score(seat) for final in finals for seat in range(2)] == table.read(
        file
    )["points"].tolist()
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
        (["--results", "games.xls"], "must end in .csv"),
        (["--results", "no/such/games.csv"], "no such folder"),
        (["--results", "/proc/games.csv"], "/proc/games.csv cannot be written"),
        (["--report", "/proc/games.html"], "/proc/games.html cannot be written"),
        (["--seats", "greedy,random", "--agent", "random"], "Leave out --agent"),
        (["--start", str(2**32 - 1)], "A seed has"),
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

    monkeypatch.setattr(table.CsvWriter, "write", full)
    assert (
        run(
            "simulate", "ganz", *who, "--games", 4, "--seed", 1, "--results", tmp_path / "games.csv"
        )
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
    assert "-m pip install matplotlib" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_an_interrupted_run_keeps_the_games_that_were_finished(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "games.csv"
    timer = threading.Timer(1.0, _thread.interrupt_main)
    timer.start()
    assert (
        run(
            "simulate",
            "ganz",
            "--players",
            4,
            "--games",
            20_000_000,
            "--seed",
            1,
            "--results",
            file,
        )
        == 130
    )
    timer.join()
    output = capsys.readouterr()
    assert "of 20000000 games were finished, then: interrupted" in output.err
    assert "mean" in output.out
    numbers = table.read(file)["number"]
    assert len(numbers) > 4
    assert (numbers == np.repeat(np.arange(len(numbers) // 4), 4)).all(), (
        "none is missing in between"
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("after", "who"),
    [(25, "--agent=random,greedy"), (80, "--agent=random,greedy"), (40, "--seats=random,greedy")],
)
def test_an_interrupted_run_names_the_command_that_plays_the_rest(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
    after: int,
    who: str,
) -> None:
    pytest.importorskip("pyarrow") if kind == "parquet" else None
    command = ("simulate", "ganz", who, "--games", 60, "--seed", 4, "--workers", 2)
    whole_file, file = tmp_path / f"whole.{kind}", tmp_path / f"games.{kind}"
    whole = json_of(run, capsys, *command, "--results", whole_file)
    done = []

    def advance(bar: Progress, steps: float, _: str) -> None:
        done.append(steps)
        if sum(done) >= after:
            monkeypatch.undo()
            raise KeyboardInterrupt

    monkeypatch.setattr(batch, "MOST", 10)
    monkeypatch.setattr(Progress, "advance", advance)
    assert run(*command, "--results", file) == 130
    last = capsys.readouterr().err.splitlines()[-1].strip()
    assert last.startswith("foxclover simulate ganz")
    resumed = json_of(run, capsys, *shlex.split(last)[1:])
    for result in whole.get("agents", []):
        del result["ms_per_game"]
    assert resumed == whole
    rows, whole_rows = table.read(file), table.read(whole_file)
    assert {name: values.tolist() for name, values in rows.items()} == {
        name: values.tolist() for name, values in whole_rows.items()
    }


RESUMED = ("simulate", "ganz", "--players", 2, "--games", 9, "--seed", 1)


def test_a_crash_costs_only_the_game_of_the_broken_line(run: Run, tmp_path: Path) -> None:
    file, draft = tmp_path / "games.csv", tmp_path / "games.csv.part"
    assert run(*RESUMED, "--results", file) == 0
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    for cut in (
        b"".join(lines[:8])[:-3],  # within a line
        b"".join(lines[:8]),  # between the seats of a game
        b"".join(lines[:5] + lines[9:]),  # in the middle, as after an error of an agent
        lines[0],
    ):
        file.unlink(missing_ok=True)
        draft.write_bytes(cut)
        assert run(*RESUMED, "--results", file) == 2, "a draft is not overwritten"
        assert draft.read_bytes() == cut
        assert run(*RESUMED, "--results", file, "--resume") == 0
        assert sorted(file.read_bytes().splitlines()) == sorted(whole.splitlines())
        assert not draft.exists()


def test_more_games_and_a_crash_while_resuming(run: Run, tmp_path: Path) -> None:
    file, draft = tmp_path / "games.csv", tmp_path / "games.csv.part"
    assert run(*RESUMED, "--results", file) == 0
    nine = file.read_bytes()
    more = ("simulate", "ganz", "--players", 2, "--games", 12, "--results", file, "--resume")
    assert run(*more) == 0, "the seed is that of the file"
    twelve = file.read_bytes()
    assert twelve.startswith(nine)
    assert len(table.read(file)["points"]) == 24
    for left in (nine[:300], twelve[:-5]):
        file.write_bytes(nine)
        draft.write_bytes(left)
        assert run(*more) == 0
        assert file.read_bytes() == twelve


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--seed", 2], "seed 1 instead of 2"),
        (["--agent", "greedy"], "random,random instead of greedy,greedy"),
        (["--players", 3], "random,random instead of random,random,random"),
        (["--games", 5], "0–8 instead of 0–4"),
        (["--first-player", 2], "variant 0 instead of"),
        (["--force"], "leave out --force"),
    ],
)
def test_other_games_are_not_resumed_and_stay_as_they_are(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    words: list[object],
    sentence: str,
) -> None:
    file, draft = tmp_path / "games.csv", tmp_path / "games.csv.part"
    assert run(*RESUMED, "--results", file) == 0
    whole = file.read_bytes()
    assert run(*RESUMED, "--results", file, "--resume", *words) == 2
    assert sentence in capsys.readouterr().err
    assert file.read_bytes() == whole
    file.replace(draft)
    assert run(*RESUMED, "--results", file, "--resume", *words) == 2
    assert draft.read_bytes() == whole


def test_a_file_that_cannot_be_resumed(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "games.csv"
    assert run(*RESUMED, "--results", file) == 0
    lines = file.read_text(encoding="utf-8").splitlines()
    for text, sentence in (
        ("\n".join([*lines[:3], "ganz,0", *lines[3:], ""]), "line 4 has 2 entries instead of"),
        ("\n".join([*lines, *lines[1:3], ""]), "game 0 of seed 1 is there twice"),
        ("\n".join(lines).replace("ganz-schoen-clever", "doppelt-so-clever"), "game doppelt"),
        ("Dear Ada\n", "it holds no games"),
    ):
        file.write_text(text, encoding="utf-8")
        capsys.readouterr()
        assert run(*RESUMED, "--results", file, "--resume") == 2
        assert sentence in capsys.readouterr().err
        assert file.read_text(encoding="utf-8") == text
    assert run(*RESUMED, "--resume") == 2
    assert "Add --results FILE" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["simulate", "merge"])
def test_a_file_that_exists_is_overwritten_by_force_only(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str
) -> None:
    file, games = tmp_path / "thesis.csv", tmp_path / "games.csv"
    assert run("simulate", "ganz", "--games", 2, "--seed", 1, "--results", games) == 0
    file.write_text("years of work", encoding="utf-8")
    words = (
        ("simulate", "ganz", "--games", 2, "--seed", 1)
        if command == "simulate"
        else ("merge", games)
    )
    assert run(*words, "--results", file) == 2
    assert "thesis.csv already exists" in capsys.readouterr().err
    assert file.read_text(encoding="utf-8") == "years of work"
    assert run(*words, "--results", file, "--force") == 0
    assert len(table.read(file)["points"]) == 2


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_written_piece_by_piece(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: str,
) -> None:
    pytest.importorskip("pyarrow") if kind == "parquet" else None
    monkeypatch.setattr(batch, "KEPT_TOGETHER", 8)
    monkeypatch.setattr(batch, "MOST_AT_ONCE", 8)
    sizes = list[int]()
    write = table.TableFile.write

    def count(file: table.TableFile, rows: Any) -> None:
        sizes.append(len(rows["points"]))
        write(file, rows)

    monkeypatch.setattr(table.TableFile, "write", count)
    monkeypatch.setattr(table, "PIECE", 5)
    file = tmp_path / f"games.{kind}"
    assert (
        run(
            "simulate",
            "ganz",
            "--agent",
            "greedy,random",
            "--games",
            100,
            "--seed",
            1,
            "--workers",
            2,
            "--results",
            file,
        )
        == 0
    )
    assert max(sizes) <= 8
    rows = table.read(file)
    assert rows["number"].tolist() == [*range(100)] * 2
    assert rows["agent"].tolist() == ["greedy"] * 100 + ["random"] * 100
    assert rows["points"].tolist() == [
        points
        for agent in ("greedy", "random")
        for points in batch.play(game("ganz"), [agent], 100, 1).scores.ravel().tolist()
    ]
    assert not list(tmp_path.glob("*.part"))


def test_longer_words_make_room_for_themselves(tmp_path: Path) -> None:
    column = table.Column(np.dtype("U2"))
    column.add(np.asarray(["ab", "c"]))
    column.add(np.asarray(["abcdef"]))
    column.add(np.asarray(["d"]))
    with (tmp_path / "column.npy").open("wb") as file:
        column.copy_to(file)
    assert np.load(tmp_path / "column.npy").tolist() == ["ab", "c", "abcdef", "d"]
