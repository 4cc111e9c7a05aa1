"""A new area kind, added by the recipe in CONTRIBUTING.md."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from clever_table import recount
from foxclover.ai import nets
from foxclover.cli import main
from foxclover.core.display import FAINT, TextGrid
from foxclover.core.game import Game, game
from foxclover.core.rules import CHANCE
from foxclover.dice.sources import seeded
from foxclover.games.clever.area_kind import Area, AreaKind, AreaReader, Cell
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.drawing import SheetDrawing, draw_player
from foxclover.games.clever.notation import name_features
from foxclover.games.clever.rules.state import TRACK
from foxclover.games.clever.sheet_file import AREA_KINDS
from foxclover.games.clever.track import Track
from foxclover.kernel.python_backend import PythonKernel
from foxclover.locale import LANGUAGES, Translator, catalogue, lazy_message
from foxclover.simulation.workers import Runner
from own_sheet import write_sheet

EN = catalogue("en")
TRACK_ENTRIES = 'kind = "track"\nminimum = [1, 2, 3, 4, 5, 1, 2, 3, 4, 5, 6]\n'
STAIRS_ENTRIES = 'kind = "stairs"\nstep = 2\n'


class Stairs(Track):
    """Fields whose minimum rises by 1 after each step; the kernel plays them as a track."""

    name = "stairs"
    entries = ("bonus", "step")

    def read(self, reader: AreaReader, area: Area) -> None:
        """Read how many fields a step has."""
        file = reader.file
        step = file.whole(reader.at("step"), 2, 6)
        length = file.length(reader.at("bonus"), 1, 12, lazy_message("data.sheet.track", most=12))
        bonuses = [file.string(reader.at("bonus", cell)) for cell in range(length)]
        for cell, bonus in enumerate(bonuses):
            reader.note_bonus(bonus, "bonus", cell)
            area.cells.append(Cell(0, cell, minimum=1 + cell // step, bonus=bonus))
        area.columns = length
        self._read_points(reader, area)

    def field_text(self, area: Area, cell: int) -> str:
        """Count the fields of each step."""
        return f"#{area.cells[cell].minimum}.{cell}"

    def entry_words(
        self,
        definition: CleverDefinition,
        area: Area,
        slot: int,  # noqa: ARG002 - part of the interface
        detail: int,
        translate: Translator,
    ) -> str:
        """Name the step."""
        return f"step {area.cells[detail].minimum} of {definition.colour(area.name, translate)}"

    def draw(self, drawing: SheetDrawing, area: Area) -> TextGrid:
        """Draw a track with a sign for the stairs."""
        grid = super().draw(drawing, area)
        grid.put(1, 0, "stairs", FAINT)
        return grid

    def cell_feature(self, area: Area, cell: int) -> tuple[str, int]:
        """Name the step."""
        return f"step {area.cells[cell].minimum} field {cell + 1}", 6


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A sheet whose green area is of the new kind."""
    monkeypatch.setitem(AREA_KINDS, Stairs.name, Stairs())
    path = write_sheet(tmp_path / "own")
    text = path.read_text()
    assert text.count(TRACK_ENTRIES) == 1
    path.write_text(text.replace(TRACK_ENTRIES, STAIRS_ENTRIES))
    return path


@pytest.fixture
def stairs(file: Path) -> Game:
    return game(str(file))


def green(definition: object) -> Area:
    assert isinstance(definition, CleverDefinition)
    return definition.areas[2]


def test_it_is_read_into_tables_and_layout(stairs: Game) -> None:
    area = green(stairs.definition)
    minimum = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]
    assert area.kind.name == "stairs"
    assert stairs.definition.tables.kind[2] == TRACK
    takes = stairs.definition.tables.takes[2][:11]
    assert takes == [0b1111111111111 & -1 << lowest for lowest in minimum]
    layout = stairs.layout()["areas"][2]
    assert layout["kind"] == "track"
    assert [cell["minimum"] for cell in layout["cells"]] == minimum


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        ("step = 9", "area 3.step: expected a whole number from 2 to 6"),
        ("step = 2\nminimum = [1]", "area 3.minimum: unknown"),
    ],
)
def test_mistakes_are_found(
    file: Path, entry: str, problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--lang", "en", "sheet", str(file)]) == 0
    file.write_text(file.read_text().replace("step = 2", entry))
    assert main(["--lang", "en", "sheet", str(file)]) == 1
    assert problem in capsys.readouterr().err


def test_without_registration_the_kind_is_refused(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delitem(AREA_KINDS, Stairs.name)
    assert main(["--lang", "en", "sheet", str(file)]) == 1
    assert "expected one of grid, track, not 'stairs'" in capsys.readouterr().err


def test_it_is_drawn_described_and_explained(stairs: Game) -> None:
    position = stairs.start()
    position.push_text("y3b2g1o1u6w5", CHANCE)
    position.push_text("g>g1", 0)
    position.push_text("y3b2o1u6w5", CHANCE)
    moves = [move.number for move in position.legal_moves(0)]
    drawn = draw_player(stairs.definition, position.state, 0, moves, EN).text(False)
    row = next(line for line in drawn.splitlines() if line.startswith(" green"))
    assert row.split() == ["green", "1", "✕", "›≥1", *"≥2 ≥2 ≥3 ≥3 ≥4 ≥4 ≥5 ≥5 ≥6".split()]
    assert "stairs" in drawn
    sentences = [move.words(EN) for move in position.legal_moves(0)]
    assert any("step 1 of green" in sentence for sentence in sentences)
    assert position.reasons_about(0, "g#1.0", EN) == ["This field of green is already filled."]
    assert position.reasons_about(0, "g#1.1", EN) == ["This field fits: white 5."]
    names = [feature.name for feature in name_features(stairs.definition, 1)]
    assert "sheet0 green step 6 field 11" in names


@pytest.mark.parametrize("players", [1, 3])
def test_games_are_played_to_the_end(stairs: Game, players: int) -> None:
    position, dice, choice = stairs.start(players), seeded(players), random.Random(players)
    while not position.over:
        seat = choice.choice(sorted(position.to_act))
        move = dice.draw(position) if seat == CHANCE else choice.choice(position.legal_moves(seat))
        assert position.parse(move.text, move.seat) == move
        assert all(move.words(catalogue(language)) for language in LANGUAGES)
        position.push(move)
        for mine in position.state.seats[:players]:
            assert recount(stairs.definition, mine) == mine.points


def test_the_kernel_plays_like_cpython(stairs: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = Runner(stairs, ["greedy"] * 2)(5, 0, 4).tolist()
    monkeypatch.setattr(nets, "open_kernel", PythonKernel)
    assert Runner(stairs, ["greedy"] * 2)(5, 0, 4).tolist() == compiled


def test_every_kind_is_registered_by_its_name() -> None:
    required = AreaKind.__annotations__
    for name, kind in AREA_KINDS.items():
        assert kind.name == name
        assert all(hasattr(kind, attribute) for attribute in required)
