"""Why something cannot be done now, or must be: what a player who asks is told, from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from foxclover.clever.areas import any_usable, next_field, open_numbers
from foxclover.clever.state import (
    ADDING,
    ALL_DICE,
    AREAS,
    CHOOSING,
    CLOSED,
    DICE,
    EXTRA,
    FALLING,
    FOLLOWING,
    GRID,
    OVER,
    PASSIVE,
    REROLL,
    RETURNING,
    RISING,
    ROLLING,
    TAKING,
    TOP_FACE,
    USES,
    WINDOWS,
    Player,
    State,
)
from foxclover.clever.tables import CleverBook
from foxclover.clever.words import colour
from foxclover.locale import Say


def reasons(book: CleverBook, state: State, seat: int, say: Say) -> list[str]:
    """Why a seat is not asked, or what it must and cannot do."""
    mine = state.seats[seat]
    if state.phase == OVER:
        return []
    if mine.stage == CLOSED:
        return list(_not_asked(book, state, seat, say))
    if mine.heaped > 0:
        return [say("why.clever.bonus"), say("why.clever.bonus.lost")]
    return list(_of_stage(book, state, mine, say))


def _not_asked(book: CleverBook, state: State, seat: int, say: Say) -> Iterator[str]:
    mine = state.seats[seat]
    if state.phase == ROLLING and seat != state.active:
        yield say("why.clever.wait")
    elif state.phase in (WINDOWS, PASSIVE):
        if mine.actions[EXTRA] == 0:
            yield say("why.clever.no_extra")
        elif not any_usable(book.tables, state, mine, ALL_DICE & ~mine.used):
            yield say("why.clever.extra_fits_nowhere")
        yield say("why.clever.closed")


def _of_stage(book: CleverBook, state: State, mine: Player, say: Say) -> Iterator[str]:
    sheet = book.tables
    stage = mine.stage
    if stage == CHOOSING:
        yield from _about_dice(book, state, mine, state.hand, say)
        fits = any_usable(sheet, state, mine, state.hand)
        yield say("why.clever.lost" if not fits else "why.clever.may_pass" if sheet.optional else "why.clever.must_choose")
        if state.platter:
            yield say("why.clever.platter", dice=_names(book, state.platter, say))
        if mine.actions[REROLL] == 0:
            yield say("why.clever.no_reroll")
    elif stage == TAKING:
        fits = any_usable(sheet, state, mine, state.platter)
        yield from _about_dice(book, state, mine, state.platter if fits else ALL_DICE, say)
        yield say("why.clever.take_laid" if not fits else "why.clever.may_decline" if sheet.optional else "why.clever.must_take")
    elif stage == ADDING:
        yield from _about_dice(book, state, mine, ALL_DICE & ~mine.used, say)
        if mine.used:
            yield say("why.clever.used", dice=_names(book, mine.used, say))
        yield say("why.clever.extra")
    elif stage == FOLLOWING:
        yield say("why.clever.follow", area=colour(book, book.areas[sheet.follow_area].name, say))
    elif stage == RETURNING:
        yield say("why.clever.return")
    if stage in (CHOOSING, TAKING, ADDING):
        yield from _about_fields(book, say)


def _about_fields(book: CleverBook, say: Say) -> Iterator[str]:
    """Which fields of the areas can take a die at all."""
    sheet = book.tables
    kinds = {
        "why.clever.fields.grid": [area for area in range(AREAS) if sheet.kind[area] == GRID],
        "why.clever.fields.track": [area for area in range(AREAS) if sheet.kind[area] != GRID],
        "why.clever.fields.sum": [area for area in range(AREAS) if sheet.paired[area]],
    }
    for key, areas in kinds.items():
        if areas:
            names = ", ".join(colour(book, book.areas[area].name, say) for area in areas)
            yield say(key, areas=names[0].upper() + names[1:])


def _names(book: CleverBook, dice: int, say: Say) -> str:
    return ", ".join(colour(book, book.dice[die], say) for die in range(DICE) if dice >> die & 1)


def _about_dice(book: CleverBook, state: State, mine: Player, dice: int, say: Say) -> Iterator[str]:
    """Why each of these dice that cannot be entered cannot."""
    sheet = book.tables
    for die in range(DICE):
        if not dice >> die & 1 or any_usable(sheet, state, mine, 1 << die):
            continue
        name = f"{colour(book, book.dice[die], say)} {state.face[die]}"
        uses = [use for use in range(USES) if sheet.use_die[use] == 1 << die]
        if len(uses) == AREAS:
            yield say("why.clever.joker", die=name)
        else:
            for use in uses:
                yield say("why.clever.die", die=name, why=_refusal(book, mine, sheet.use_area[use], state.face[sheet.use_face[use]], say))


def _refusal(book: CleverBook, mine: Player, area: int, number: int, say: Say) -> str:
    """Why an area does not take a number."""
    sheet = book.tables
    name = colour(book, book.areas[area].name, say)
    if mine.room[area] == 0:
        return say("why.clever.area.full", area=name)
    if sheet.kind[area] == GRID:
        return say("why.clever.area.crossed", area=name, number=number)
    if not sheet.takes[area][next_field(sheet, mine, area)] >> number & 1:
        return say("why.clever.area.minimum", area=name, number=sheet.minimum[area][next_field(sheet, mine, area)])
    if sheet.order[area] == RISING and mine.last[area] != TOP_FACE:
        return say("why.clever.area.higher", area=name, number=mine.last[area])
    assert sheet.order[area] == FALLING, open_numbers(sheet, mine, area)
    return say("why.clever.area.not_higher", area=name, number=mine.last[area])
