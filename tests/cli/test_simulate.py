"""Many games: the figures, their names for programs, and that they can be repeated."""

from __future__ import annotations

import json
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import foxclover
from cli.conftest import Run
from foxclover import transcripts
from foxclover.ai import AGENTS, UnknownAgent, adviser, agent
from foxclover.cli.results import describe
from foxclover.core.game import game, game_names
from foxclover.dice.sources import seeded
from foxclover.simulation import batch

KEYS = (
    "game agent players games seed mean std se p10 median p90 min max areas foxes ms_per_game"
).split()


def figures(run: Run, capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    assert run("simulate", *words, "--json") == 0
    result: dict[str, Any] = json.loads(capsys.readouterr().out)
    return result


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("name", ["random", "greedy"])
def test_the_figures_have_exactly_their_names(
    run: Run, capsys: pytest.CaptureFixture[str], key: str, name: str
) -> None:
    result = figures(run, capsys, key, "--agent", name, "--games", 40, "--seed", 5)
    assert list(result) == [
        name for name in KEYS if name != "foxes" or game(key).family == "clever"
    ]
    assert (
        result["game"],
        result["agent"],
        result["games"],
        result["seed"],
        result["players"],
    ) == (key, name, 40, 5, 1)
    assert result["min"] <= result["p10"] <= result["median"] <= result["p90"] <= result["max"]
    assert result["ms_per_game"] > 0


def test_the_figures_are_those_of_the_games_cpython_plays(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen, seed = game("doppelt"), 9
    scores, areas, foxes = [], dict.fromkeys((area.name for area in chosen.definition.areas), 0), 0
    for stream in range(5):
        position, dice, player = chosen.start(), seeded(seed, stream), agent("greedy", chosen)
        while not position.over:
            position.push(
                dice.draw(position)
                if position.chance_due
                else player.choose(position, position.acting[0])
            )
        scores.append(position.score(0))
        foxes += position.view()["sheets"][0]["foxes"]
        areas = {name: points + position.breakdown(0)[name] for name, points in areas.items()}
    result = figures(run, capsys, "doppelt", "--agent", "greedy", "--games", 5, "--seed", seed)
    assert result["mean"] == pytest.approx(sum(scores) / 5)
    assert (result["min"], result["max"]) == (min(scores), max(scores))
    assert result["areas"] == pytest.approx({name: points / 5 for name, points in areas.items()})
    assert result["foxes"] == pytest.approx(foxes / 5)


def test_workers_do_not_change_the_result(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    one, three = (
        figures(
            run, capsys, "ganz", "--games", 600, "--seed", 1, "--players", 2, "--workers", workers
        )
        for workers in (1, 3)
    )
    for result in (one, three):
        del result["ms_per_game"]
    assert one == three


def test_workers_are_the_threads_that_the_help_speaks_of(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[int] = []

    class Counted(ThreadPoolExecutor):
        def __init__(self, count: int) -> None:
            started.append(count)
            super().__init__(count)

    monkeypatch.setattr(batch, "ThreadPoolExecutor", Counted)
    figures(run, capsys, "ganz", "--games", 4, "--seed", 1, "--workers", 3)
    assert started == [3]
    for command in ("simulate", "train"):
        with pytest.raises(SystemExit):
            run(command, "--help", "--lang", "en")
        assert "number of threads" in " ".join(capsys.readouterr().out.split())


def test_every_transcript_has_a_header_of_its_own(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    both, write = threading.Barrier(2, timeout=60), transcripts.write

    def write_together(*arguments: Any) -> str:
        both.wait()  # two threads have set their headers up
        return write(*arguments)

    monkeypatch.setattr(transcripts, "write", write_together)
    assert (
        run(
            "simulate",
            "ganz",
            "--games",
            2,
            "--seed",
            3,
            "--workers",
            2,
            "--transcripts",
            tmp_path / "games",
        )
        == 0
    )
    dice = [
        transcripts.read(file.read_text(encoding="utf-8")).header.dice
        for file in sorted((tmp_path / "games").iterdir())
    ]
    assert dice == ["seed 3 game 0", "seed 3 game 1"]


def test_several_agents_are_compared_on_the_same_dice(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    result = figures(run, capsys, "ganz", "--agent", "random,greedy", "--games", 50, "--seed", 1)
    first, second = result["agents"]
    (difference,) = result["differences"]
    assert difference["difference"] == pytest.approx(second["mean"] - first["mean"])
    assert 0 < difference["se"] < 10
    assert run("simulate", "ganz", "--agent", "random,greedy", "--games", 50, "--seed", 1) == 0
    assert "greedy against random on the same dice: +" in capsys.readouterr().out


def test_agents_at_one_table_share_the_wins(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    result = figures(run, capsys, "ganz", "--seats", "greedy,random", "--games", 99, "--seed", 1)
    assert [seat["agent"] for seat in result["seats"]] == ["greedy", "random"]
    assert result["games"] == 100
    assert sum(seat["wins"] for seat in result["seats"]) == pytest.approx(1)
    assert result["seats"][0]["wins"] > 0.8
    assert run("simulate", "ganz", "--seats", "greedy,random", "--games", 99, "--seed", 1) == 0
    assert "greedy: wins" in capsys.readouterr().out


@pytest.mark.parametrize("language", ["de", "nl"])
def test_figures_have_the_signs_of_a_language(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, language: str
) -> None:
    report = tmp_path / "report.html"
    for players in (("--agent", "random,greedy", "--report", report), ("--seats", "greedy,random")):
        assert (
            run("simulate", "ganz", *players, "--games", 20, "--seed", 1, "--lang", language) == 0
        )
        shown = capsys.readouterr().out
        assert re.search(r"\d,\d", shown)
        assert not re.search(r"\d\.\d", shown)
    table = report.read_text(encoding="utf-8").partition("<svg")[0].partition("</style>")[2]
    assert re.search(r"\d,\d", table)
    assert not re.search(r"\d\.\d", table)


def test_a_report_names_its_origin_and_draws_the_differences(run: Run, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    command = ["simulate", "ganz", "--agent", "random,greedy", "--games", 20, "--seed", 1]
    assert run(*command, "--report", report) == 0
    page = report.read_text(encoding="utf-8")
    footer = page.partition("<footer>")[2]
    assert f"foxclover {' '.join(map(str, command))} --report" in footer
    assert f"foxclover {foxclover.__version__}" in footer
    assert re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", footer)
    assert page.count("<svg") == 2


def test_points_at_one_table_have_an_error(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "ganz", "--seats", "greedy,random", "--games", 99, "--seed", 1]
    assert run(*command, "--json") == 0
    for seat in json.loads(capsys.readouterr().out)["seats"]:
        assert 0 < seat["mean_se"] < 5
    assert run(*command) == 0
    assert len(re.findall(r"\d\.\d ± \d\.\d\d", capsys.readouterr().out)) == 2


def test_no_seat_profits_in_a_tournament(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run("simulate", "geht", "--seats", "random,random", "--games", 400, "--seed", 3, "--json")
        == 0
    )
    seat = json.loads(capsys.readouterr().out)["seats"][0]
    assert seat["wins"] == pytest.approx(0.5, abs=4 * seat["se"])


def test_the_error_is_that_of_the_games_not_of_the_seats() -> None:
    scores = np.array([[10, 10], [20, 20], [30, 30]])
    assert describe(scores)["se"] == pytest.approx(10 / 3**0.5)
    assert describe(scores)["mean"] == 20


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_histogram_is_drawn(run: Run, tmp_path: Path, suffix: str) -> None:
    picture = tmp_path / f"points.{suffix}"
    assert run("simulate", "ganz", "--games", 30, "--seed", 1, "--plot", picture) == 0
    assert picture.stat().st_size > 5000


@pytest.mark.parametrize(
    ("name", "sentence"),
    [("points.xyz", "ends in .png"), ("no/such/points.png", "no such folder")],
)
def test_a_picture_that_cannot_be_drawn(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, sentence: str
) -> None:
    assert run("simulate", "ganz", "--games", 3, "--seed", 1, "--plot", tmp_path / name) == 2
    assert sentence in capsys.readouterr().err


def test_unknown_agents_are_refused() -> None:
    with pytest.raises(UnknownAgent, match="'genius' is no computer player"):
        agent("genius", game("ganz"))
    with pytest.raises(
        UnknownAgent,
        match="'greedy' ranks no moves; those that do are easy, medium, strong, net, search",
    ):
        adviser("greedy", game("ganz"))
    assert {"random", "greedy"} <= set(AGENTS)


@pytest.mark.parametrize("name", ["random", "net", "search"])
def test_a_computer_player_chooses_in_its_own_game_and_where_there_is_something_to_choose(
    name: str,
) -> None:
    player, position = agent(name, game("ganz"), seed=1), game("ganz").start(2)
    with pytest.raises(ValueError, match="seat 0 has nothing to choose here"):
        player.choose(position, 0)
    other = game("doppelt").start()
    other.roll(seeded(1))
    with pytest.raises(
        ValueError, match="of ganz-schoen-clever cannot choose in a position of doppelt-so-clever"
    ):
        player.choose(other, 0)


def test_random_chooses_among_all_legal_moves() -> None:
    chosen = game("ganz")
    position, player = chosen.start(), agent("random", chosen, seed=1)
    position.push(seeded(1).draw(position))
    assert {player.choose(position, 0) for _ in range(2000)} == set(position.legal_moves(0))


def test_batches_play_variants() -> None:

    plain, solo = (
        batch.play(game("geht"), ["random"] * 2, 20, 1, setup=game("geht").setup(options))
        for options in ([], ["solo_rules"])
    )
    assert (plain.scores != solo.scores).any()
