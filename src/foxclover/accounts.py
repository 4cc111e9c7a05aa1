"""What came of a game, counted in the kernel, for any family of games."""

from __future__ import annotations

from foxclover.kernel.family import (
    SEATS,
    State,
    Tables,
    is_ahead,
    score,
    write_parts,
    write_tallies,
)
from foxclover.records import Record, ints

PARTS = 8  # of a score, at most
TALLIES = 2  # what else a family counts, at most


class Result(Record):
    """The final account of a game; parts and tallies come in the order in which the family's scoring names them."""

    integer = "i4"
    rounds: int
    points: list[int] = ints(SEATS)
    places: list[int] = ints(SEATS)  # 1 is first, equals share a place
    parts: list[list[int]] = ints(SEATS, PARTS)
    tallies: list[list[int]] = ints(SEATS, TALLIES)


def write_result(tables: Tables, state: State, result: Result) -> None:
    """Write the account of a table as it stands."""
    result.rounds = state.round
    for seat in range(state.players):
        result.points[seat] = score(tables, state, seat)
        result.places[seat] = 1
        write_parts(tables, state, seat, result.parts[seat])
        write_tallies(tables, state, seat, result.tallies[seat])
        for other in range(state.players):
            if is_ahead(tables, state, other, seat):
                result.places[seat] += 1
