"""What the net of a Clever game sees."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from families import CLEVER
from foxclover.ai.nets import NetError
from foxclover.core.game import Game, game
from foxclover.core.position import Position
from foxclover.core.rules import below
from foxclover.dice.sources import seeded
from foxclover.games.clever.ai.network import Inputs, collect, next_roll, passives_left, turns_left
from foxclover.games.clever.ai.players import feature_layout_of, make_feature_layout
from foxclover.games.clever.ai.rating import may_stop
from foxclover.games.clever.area_kind import Cell
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules.state import AREAS, CELLS, GRID, State


def random_game(chosen: Game, players: int, stream: int) -> Iterator[tuple[Position, int]]:
    """The positions after each move, and who made it."""
    position, dice, choices = chosen.start(players), seeded(11, stream), seeded(12, stream).rng
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
        else:
            seat = position.acting[0]
            moves = position.legal_moves(seat)
            position.push(moves[below(choices, len(moves))])
            yield position, seat


def inputs(chosen: Game, state: State, seat: int) -> tuple[list[int], bool]:
    seen = Inputs()
    goes_on = collect(chosen.definition.tables, feature_layout_of(chosen), state, seat, seen)
    return seen.codes, goes_on


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("key", CLEVER)
def test_every_code_has_a_row_of_its_slot(key: str, players: int) -> None:
    chosen = game(key)
    layout = feature_layout_of(chosen)
    starts = [*layout.base[: layout.slots], layout.rows - 1]
    rooms = [after - start for start, after in pairwise(starts)]
    for stream in range(3):
        for position, seat in random_game(chosen, players, stream):
            codes, _ = inputs(chosen, position.state, seat)
            assert all(0 <= code <= room for code, room in zip(codes, rooms, strict=False))
            assert not any(codes[layout.slots :])


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("key", CLEVER)
def test_a_sheet_is_finished_exactly_when_it_changes_no_more(key: str, players: int) -> None:
    chosen = game(key)
    seen: list[tuple[int, bool, bool, int]] = []
    for position, seat in random_game(chosen, players, 7):
        goes_on = inputs(chosen, position.state, seat)[1]
        seen.append((seat, goes_on, may_stop(position.state, seat), position.score(seat)))
    for seat in range(players):
        mine = [entry for entry in seen if entry[0] == seat]
        finals = [entry for entry in mine if not entry[1] and not entry[2]]
        assert finals, "the last position of every player is finished"
        assert {entry[3] for entry in finals} == {position.score(seat)}


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_turns_count_down_to_none(players: int) -> None:
    chosen = game("ganz")
    sheet = chosen.definition.tables
    rounds = sheet.rounds[players]
    position = chosen.start(players)
    assert [turns_left(sheet, position.state, seat) for seat in range(players)] == [
        rounds - (seat == 0) for seat in range(players)
    ]
    assert next_roll(position.state, 0) == 1
    every = rounds if players == 1 else rounds * (players - 1)
    assert [passives_left(sheet, position.state, seat) for seat in range(players)] == [
        every
    ] * players
    for last, _ in random_game(chosen, players, 1):
        position = last
    assert [turns_left(sheet, position.state, seat) for seat in range(players)] == [0] * players
    assert [passives_left(sheet, position.state, seat) for seat in range(players)] == [0] * players


def test_a_sheet_with_too_many_inputs_is_refused_in_one_sentence() -> None:
    definition = game("ganz").definition
    assert isinstance(definition, CleverDefinition)
    sheet, cells = definition.tables.copy(), [Cell(0, column) for column in range(CELLS)]
    areas = [replace(area, circles=True, cells=cells) for area in definition.areas]
    sheet.showing[:] = [[-1, -1, -1, -1]] * len(sheet.showing)
    for area in range(AREAS):
        sheet.kind[area], sheet.circles[area], sheet.cells[area] = GRID, 1, CELLS
        for cell in range(CELLS):
            # six cells, each blank, circled or crossed: 729 states of a line
            sheet.first_line[area][cell] = 1 + cell // 6
    with pytest.raises(NetError, match="more than the 128 and 4096 a net can take"):
        make_feature_layout(replace(definition, tables=sheet, areas=areas))
