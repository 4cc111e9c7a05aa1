"""Puzzles: how they are found, kept and rated."""

from __future__ import annotations

import gzip
import json
from itertools import islice
from pathlib import Path

import pytest

from foxclover import MoveError, agent
from foxclover.ai.families import family_of
from foxclover.core.game import game, game_names
from foxclover.locale import LANGUAGES, catalogue
from foxclover.puzzles import (
    PuzzleError,
    explain,
    from_line,
    load,
    read,
    shipped,
    themes_of,
    to_line,
    write,
)
from foxclover.puzzles.build import (
    Builder,
    build,
    compare,
    differences,
    estimate_rating,
    fingerprint,
)
from foxclover.puzzles.glicko import CENTRE, Rating, Result, expected_score, update
from foxclover.puzzles.sampling import SOURCES, Sampler

GAMES = game_names()
PAGE = Path(__file__).parents[1] / "docs/puzzles.md"
MOST_BYTES = 150_000  # of a game's puzzles


@pytest.fixture(scope="module", params=GAMES)
def builder(request: pytest.FixtureRequest) -> Builder:
    made = Builder(game(request.param), seed=5)
    made.criteria = made.criteria._replace(games=160)
    return made


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("source", SOURCES)
def test_a_sampled_decision_has_several_legal_moves_and_can_be_repeated(
    name: str, source: str
) -> None:
    sampler = Sampler(game(name))
    for seed in range(3):
        found = sampler.reach(source, 1 + seed, seed)
        assert len(found.position.legal_numbers(found.seat)) > 1
        assert found.position.players == 1 + seed
        again = Sampler(game(name)).reach(source, 1 + seed, seed)
        assert (again.position, again.seat) == (found.position, found.seat)


def test_a_puzzle_has_one_clearly_best_move_and_known_themes(builder: Builder) -> None:
    search = builder.search()
    for _ in range(2):
        _, puzzle = next(search)
        first, second = puzzle.options[:2]
        assert first.loss == first.error == 0
        assert second.loss >= builder.criteria.margin
        assert second.loss >= 3 * second.error
        assert all(puzzle.position.is_legal(option.move) for option in puzzle.options)
        assert set(puzzle.themes) <= set(themes_of(builder.game).THEMES)
        assert 0 < puzzle.rating < 3000


def test_a_puzzle_is_never_similar_to_an_earlier_one(builder: Builder) -> None:
    search = builder.search(500)
    number, puzzle = next(search)
    assert builder.examine(builder.decision(number), number) is None
    own = fingerprint(puzzle.position, puzzle.seat)
    assert all(differences(own, other) >= 8 for other in builder.seen if other != own)


def test_an_interrupted_build_continues_with_the_same_result(tmp_path: Path) -> None:
    ganz = game("ganz")
    whole = build(ganz, 3, 2, tmp_path / "whole.json.gz", lambda *_: None)

    class Interrupted(Exception):
        pass

    def interrupt(found: int, _: int) -> None:
        if found == 1:
            raise Interrupted

    with pytest.raises(Interrupted):
        build(ganz, 3, 2, tmp_path / "again.json.gz", interrupt)
    assert not (tmp_path / "again.json.gz").exists()
    again = build(ganz, 3, 2, tmp_path / "again.json.gz", lambda *_: None)
    assert [puzzle.id for puzzle in again] == [puzzle.id for puzzle in whole]
    assert (tmp_path / "again.json.gz").read_bytes() == (tmp_path / "whole.json.gz").read_bytes()


def test_puzzles_survive_their_file(builder: Builder, tmp_path: Path) -> None:
    _, puzzle = next(builder.search(900))
    file = tmp_path / "some.json.gz"
    write(file, builder.game, [puzzle])
    (found,) = read(file, builder.game)
    assert to_line(found) == to_line(puzzle)
    assert found.position == puzzle.position
    assert [option.move for option in found.options] == [option.move for option in puzzle.options]
    assert found.option(puzzle.options[1].move) is not None


@pytest.mark.parametrize("name", GAMES)
def test_the_shipped_puzzles_are_legal_small_and_different(name: str) -> None:
    chosen = game(name)
    found = read(shipped(chosen), chosen)
    assert len({puzzle.id for puzzle in found}) == len(found) >= 1000
    assert shipped(chosen).stat().st_size <= MOST_BYTES
    margin = family_of(chosen).PUZZLES.margin
    for puzzle in found:
        rivals = puzzle.options[1:]
        assert all(rival.loss >= max(margin, 3 * rival.error) - 0.2 for rival in rivals)
    assert {puzzle.position.players for puzzle in found} == {1, 2, 3}
    solo = sum(puzzle.position.players == 1 for puzzle in found)
    figures = f"| {len(found):,} | {solo:,} | {shipped(chosen).stat().st_size:,} |"
    assert f"| {chosen.name} {figures}" in PAGE.read_text("utf-8")
    every = load(chosen)
    assert [every.rating(puzzle.id) for puzzle in found] == [puzzle.rating for puzzle in found]
    assert [every.themes(puzzle.id) for puzzle in found] == [puzzle.themes for puzzle in found]


def test_bad_files_are_refused_with_a_sentence(tmp_path: Path) -> None:
    ganz, file = game("ganz"), tmp_path / "some.json.gz"
    with pytest.raises(PuzzleError, match="no puzzles"):
        read(file, ganz)
    file.write_bytes(b"nothing")
    with pytest.raises(PuzzleError, match="damaged"):
        read(file, ganz)
    write(file, game("doppelt"), [])
    with pytest.raises(PuzzleError, match="another version"):
        read(file, ganz)
    _, puzzle = next(Builder(ganz, 1).search())
    write(file, ganz, [puzzle])
    lines = gzip.decompress(file.read_bytes()).decode().splitlines()
    fields = json.loads(lines[1])
    fields[3][0][0] = "p>p9"  # a move that does not exist
    file.write_bytes(gzip.compress("\n".join([lines[0], json.dumps(fields)]).encode()))
    with pytest.raises(PuzzleError, match="damaged"):
        read(file, ganz)
    with pytest.raises(MoveError, match="p>p9"):
        from_line(json.dumps(fields), ganz)


def test_moves_are_compared_on_the_same_dice() -> None:
    found = compare({7: [10.0, 20.0, 30.0], 8: [9.0, 18.0, 27.0], 9: [1.0, 1.0, 1.0]})
    assert [move.number for move in found] == [7, 8, 9]
    assert found[1].loss == pytest.approx(2)
    assert found[1].error == pytest.approx((1 / 3) ** 0.5)


def test_a_puzzle_that_weak_players_solve_has_a_low_rating() -> None:
    easy = estimate_rating({"greedy": 1.0, "easy": 0.7, "medium": 0.9, "strong": 1.0})
    middle = estimate_rating({"greedy": 0.0, "easy": 0.3, "medium": 0.6, "strong": 1.0})
    hard = estimate_rating({"greedy": 0.0, "easy": 0.1, "medium": 0.1, "strong": 0.0})
    assert easy < middle < hard


def test_the_worked_example_of_the_glicko_paper() -> None:
    opponents = (Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)
    found = update(Rating(1500, 200, 0.06), [Result(*result) for result in opponents])
    assert found.value == pytest.approx(1464.06, abs=0.01)
    assert found.deviation == pytest.approx(151.52, abs=0.01)
    assert found.volatility == pytest.approx(0.05999, abs=0.00001)


def test_ratings_move_towards_results_and_grow_uncertain_without() -> None:
    player = Rating(CENTRE, 80)
    assert update(player, [Result(Rating(1600, 60), 1.0)]).value > CENTRE
    assert update(player, [Result(Rating(1600, 60), 0.0)]).value < CENTRE
    assert update(player, []).deviation > 80
    assert expected_score(player, Rating(1500, 60)) == pytest.approx(0.5)
    assert expected_score(player, Rating(1700, 60)) < 0.3


@pytest.mark.parametrize("name", GAMES)
def test_the_best_move_is_explained_against_every_other_move(name: str) -> None:
    chosen = game(name)
    every = load(chosen)
    for puzzle in islice(every.values(), 20):
        for language in LANGUAGES:
            translate = catalogue(language)
            for move in puzzle.position.legal_moves(puzzle.seat):
                if move.number != puzzle.best.move.number:
                    sentences = explain(puzzle, move, translate)
                    assert all(sentence.endswith(".") for sentence in sentences)
            assert explain(puzzle, puzzle.options[1].move, translate), puzzle.id
    assert agent("net", chosen).choose(puzzle.position, puzzle.seat) in (
        option.move for option in puzzle.options
    )
