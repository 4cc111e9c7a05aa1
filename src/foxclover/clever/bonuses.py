"""Bonuses: actions and foxes are recorded at once, everything else waits on a heap until the player has placed it."""

from __future__ import annotations

from foxclover.clever.state import ACTION, FOX, NOTHING, PLACED, Player, Sheet


def grant(sheet: Sheet, mine: Player, bonus: int) -> None:
    """Give a bonus; the last field of an action track gives another one."""
    while bonus != NOTHING:
        following = NOTHING
        if bonus == FOX:
            mine.foxes += 1
        elif bonus < PLACED:
            action = bonus - ACTION
            mine.actions[action] += 1
            mine.unlocked[action] += 1
            if mine.unlocked[action] == sheet.action_fields[action]:
                following = sheet.action_end[action]
        else:
            mine.heap[bonus] += 1
            mine.heaped += 1
        bonus = following


def can_be_placed(sheet: Sheet, mine: Player, bonus: int) -> bool:
    """Has any of the areas a bonus may go to room for it?"""
    for option in range(sheet.options[bonus]):
        if mine.room[sheet.option_area[bonus][option]] > 0:
            return True
    return False


def drop_lost(sheet: Sheet, mine: Player) -> None:
    """Bonuses without room are lost."""
    for bonus in range(PLACED, sheet.bonuses):
        if mine.heap[bonus] > 0 and not can_be_placed(sheet, mine, bonus):
            mine.heaped -= mine.heap[bonus]
            mine.heap[bonus] = 0
