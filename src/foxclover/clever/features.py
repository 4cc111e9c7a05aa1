"""Names and bounds of what ``observing`` writes, and every move that a player can ever make: for learning."""

from __future__ import annotations

from collections.abc import Iterator

from foxclover.clever.moves import DONE, ENTRIES, PASS, PLACE, REROLL_ALL, TAKE_BACK
from foxclover.clever.notation import dice_at_hand, move_text
from foxclover.clever.sheet_file import ACTION_NAMES
from foxclover.clever.state import (
    ACTIONS,
    ADDING,
    CELLS,
    DICE,
    FREE,
    GRID,
    OVER,
    PLACED,
    ROLLS,
    USES,
    State,
)
from foxclover.clever.tables import CleverBook
from foxclover.contract import Feature

MOST_POINTS = 2000
MOST_FOXES = 9
MOST_OF_A_BONUS = 12
HIGHEST_ENTRY = 36  # 12 with the greatest factor


def name_features(book: CleverBook, players: int) -> list[Feature]:
    """What a seat sees: the table, then the sheets, its own first."""
    return [
        *name_table(book, players),
        *(feature for turn in range(players) for feature in _sheet(book, f"sheet{turn}")),
    ]


def name_table(book: CleverBook, players: int) -> Iterator[Feature]:
    """What all see."""
    yield Feature("round", 0, max(book.tables.rounds))
    yield Feature("phase", 0, OVER)
    yield Feature("roll", 0, ROLLS)
    yield Feature("active player", 0, players - 1)
    yield Feature("player who begins", 0, players - 1)
    for letter in book.letters:
        yield Feature(f"die {letter} face", 0, 6)
        yield Feature(f"die {letter} lies (0 hand, 1 platter, 2 field)", 0, 2)
        yield Feature(f"die {letter} may follow", 0, 1)


def _sheet(book: CleverBook, owner: str) -> Iterator[Feature]:
    sheet = book.tables
    yield Feature(f"{owner} stage", 0, ADDING)
    yield Feature(f"{owner} foxes", 0, MOST_FOXES)
    yield Feature(f"{owner} total points", -MOST_POINTS, MOST_POINTS)
    for letter in book.letters:
        yield Feature(f"{owner} die {letter} used as extra", 0, 1)
    for bonus in range(PLACED, sheet.bonuses):
        yield Feature(f"{owner} bonus {book.bonus_name(bonus)} to place", 0, MOST_OF_A_BONUS)
    for action in range(ACTIONS):
        yield Feature(f"{owner} {ACTION_NAMES[action]} left", 0, sheet.action_fields[action])
        yield Feature(f"{owner} {ACTION_NAMES[action]} unlocked", 0, sheet.action_fields[action])
    for index, area in enumerate(book.areas):
        yield Feature(f"{owner} {area.name} points", -MOST_POINTS, MOST_POINTS)
        yield Feature(f"{owner} {area.name} room", 0, 2 * CELLS)
        yield Feature(f"{owner} {area.name} last", 0, 12)
        for cell in range(sheet.cells[index]):
            if sheet.kind[index] == GRID:
                yield Feature(
                    f"{owner} {area.name} {area.cells[cell].name or cell + 1} (1 circled, 2 crossed)",
                    0,
                    2,
                )
            else:
                yield Feature(f"{owner} {area.name} field {cell + 1}", 0, HIGHEST_ENTRY)


def player_moves(book: CleverBook, players: int) -> list[int]:
    """Every move that a player may make in some position, in ascending order."""
    sheet = book.tables
    found = {PASS, REROLL_ALL, DONE, *range(TAKE_BACK, TAKE_BACK + DICE)}
    for use in range(USES):
        area = sheet.use_area[use]
        found |= {sheet.use_move[use] + slot for slot in _slots(book, area, FREE)}
    if sheet.follow_area >= 0:
        for die in range(DICE):
            cells = range(sheet.cells[sheet.follow_area])
            reached = [
                cell for cell in cells if any(mask >> cell & 1 for mask in sheet.follow_cells[die])
            ]
            found |= {die * ENTRIES + sheet.follow_area * CELLS + cell for cell in reached}
    for bonus in range(PLACED, sheet.bonuses):
        for option in range(sheet.options[bonus]):
            area = sheet.option_area[bonus][option]
            first = PLACE + (bonus - PLACED) * ENTRIES + area * CELLS
            found |= {
                first + slot for slot in _slots(book, area, sheet.option_value[bonus][option])
            }
    return sorted(found)


def _slots(book: CleverBook, area: int, value: int) -> list[int]:
    """The slots of an area that an entry may have."""
    sheet = book.tables
    if sheet.kind[area] == GRID:
        return list(range(sheet.cells[area]))
    return [value] if value != FREE else list(range(2, 13) if sheet.paired[area] else range(1, 7))


def name_move(book: CleverBook, move: int) -> str:
    """A move as a text that no other move has, in whatever position it is made."""
    text = move_text(book, State(), 0, move)
    return (
        f"{text} ({book.bonus_name(PLACED + (move - PLACE) // ENTRIES)})"
        if PLACE <= move < PASS
        else text
    )


def dice_due(state: State) -> int:
    """How many dice are rolled next."""
    return len(dice_at_hand(state))
