"""The final account: points by area, foxes, and the order of places."""

from __future__ import annotations

from foxclover.clever.areas import total_points
from foxclover.clever.moves import ENTRIES, PASS, PLACE
from foxclover.clever.state import BY_GROUP, BY_SUM, CELLS, PASSIVE, Player, State
from foxclover.clever.tables import CleverBook
from foxclover.ratings import Level, grade_levels


def breakdown(book: CleverBook, state: State, seat: int) -> dict[str, int]:
    """Points of each area and of the foxes; they sum to the score."""
    mine = state.seats[seat]
    parts = {area.name: mine.points[index] for index, area in enumerate(book.areas)}
    return {**parts, "foxes": mine.foxes * min(mine.points)}


def part_of(book: CleverBook, state: State, seat: int, move: int) -> str:
    """The area that something is entered in."""
    if move >= PASS:
        return ""
    entry = move - PLACE if move >= PLACE else move
    return book.areas[entry % ENTRIES // CELLS].name


def turns_to_come(book: CleverBook, state: State, seat: int) -> int:
    """In how many turns a player is still to choose dice first, the one that is on included."""
    place, now = ((one - state.first) % state.players for one in (seat, state.active))
    had = place < now or (place == now and state.phase == PASSIVE)
    return book.tables.rounds[state.players] - max(state.round, 1) + (0 if had else 1)


def tallies(state: State, seat: int) -> dict[str, int]:
    """How many foxes a seat has."""
    return {"foxes": state.seats[seat].foxes}


def places(book: CleverBook, state: State) -> list[int]:
    """Place of each seat: by total, then by the best single area; equals share a place."""
    keys = [
        (total_points(state.seats[seat]), *tie_break(state, seat)) for seat in range(state.players)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def tie_break(state: State, seat: int) -> tuple[int]:
    """The points of the best area."""
    return (max(state.seats[seat].points),)


def levels(book: CleverBook) -> list[Level]:
    """The levels of a solo score, the last for everything below the others."""
    return grade_levels([*book.file.rating, None])


def recount(book: CleverBook, mine: Player) -> list[int]:
    """Points of each area counted anew from what is written on the sheet: a check on the running count."""
    result = []
    for index, area in enumerate(book.areas):
        crossed = mine.crossed[index]
        scoring = book.tables.scoring[index]
        if scoring == BY_GROUP:
            result.append(
                sum(
                    points[sum(crossed >> cell & 1 for cell in cells)]
                    for cells, points in area.groups
                )
            )
        elif scoring == BY_SUM:
            result.append(sum(mine.written[index]))
        else:
            pairs = range(0, len(area.cells), 2)
            result.append(
                sum(
                    mine.written[index][i] - mine.written[index][i + 1]
                    for i in pairs
                    if crossed >> (i + 1) & 1
                )
            )
    return result
