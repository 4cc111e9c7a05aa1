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
from foxclover.clever.tables import CleverBook, colour
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


def about(book: CleverBook, state: State, seat: int, thing: str, say: Say) -> list[str] | None:
    """Why a die (``y``), a number of a grid (``y3a``) or a field of a track (``g#5``) cannot be used now; None: there is no such thing."""
    mine = state.seats[seat]
    asks = state.phase != OVER and mine.heaped == 0 and mine.stage in (CHOOSING, TAKING, ADDING)
    if thing in book.letters:
        return (
            list(_about_die(book, state, mine, book.letters.index(thing), say))
            if asks
            else reasons(book, state, seat, say)
        )
    for area, printed in enumerate(book.areas):
        for cell, field in enumerate(printed.cells):
            if thing == printed.letter + (field.name if printed.kind == "grid" else f"#{cell + 1}"):
                taken = _taken(book, mine, area, cell, say)
                if taken or not asks:
                    return [*taken, *([] if asks else reasons(book, state, seat, say))]
                return list(_about_field(book, state, mine, area, cell, say))
    return None


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
        yield say(
            "why.clever.lost"
            if not fits
            else "why.clever.may_pass"
            if sheet.optional
            else "why.clever.must_choose"
        )
        if state.platter:
            yield say("why.clever.platter", dice=_names(book, state.platter, say))
        if mine.actions[REROLL] == 0:
            yield say("why.clever.no_reroll")
    elif stage == TAKING:
        fits = any_usable(sheet, state, mine, state.platter)
        yield from _about_dice(book, state, mine, _offered(book, state, mine), say)
        yield say(
            "why.clever.take_laid"
            if not fits
            else "why.clever.may_decline"
            if sheet.optional
            else "why.clever.must_take"
        )
    elif stage == ADDING:
        yield from _about_dice(book, state, mine, _offered(book, state, mine), say)
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


def _taken(book: CleverBook, mine: Player, area: int, cell: int, say: Say) -> list[str]:
    """Why a field is out of the question, whatever the dice show."""
    name = colour(book, book.areas[area].name, say)
    if mine.crossed[area] >> cell & 1:
        return [
            say(
                "why.clever.field.crossed"
                if book.tables.kind[area] == GRID
                else "why.clever.field.filled",
                area=name,
            )
        ]
    if book.tables.kind[area] != GRID and cell > next_field(book.tables, mine, area):
        return [
            say("why.clever.field.later", area=name, number=next_field(book.tables, mine, area) + 1)
        ]
    return []


def _about_field(
    book: CleverBook, state: State, mine: Player, area: int, cell: int, say: Say
) -> Iterator[str]:
    """Which of the dice that may be used now go into an empty field, or why none does."""
    sheet = book.tables
    name = colour(book, book.areas[area].name, say)
    uses = [use for use in range(USES) if sheet.use_area[use] == area]
    offered = [use for use in uses if _offered(book, state, mine) & sheet.use_die[use]]
    grid = sheet.kind[area] == GRID
    numbers = 1 << sheet.number[area][cell] if grid else mine.open[area]
    fitting = [
        _shown(book, state, use, say)
        for use in offered
        if numbers >> state.face[sheet.use_face[use]] & 1
    ]
    if not offered:
        yield say(
            "why.clever.field.no_die",
            area=name,
            dice=_names(book, sum(sheet.use_die[use] for use in uses), say),
        )
    elif fitting:
        yield say("why.clever.field.fits", dice=", ".join(dict.fromkeys(fitting)))
    elif grid:
        shown = dict.fromkeys(_shown(book, state, use, say) for use in offered)
        yield say("why.clever.field.number", number=sheet.number[area][cell], dice=", ".join(shown))
    else:
        refused = {
            _shown(book, state, use, say): _refusal(
                book, mine, area, state.face[sheet.use_face[use]], say
            )
            for use in offered
        }
        for shown_die, why in refused.items():
            yield say("why.clever.die", die=shown_die, why=why)


def _about_die(book: CleverBook, state: State, mine: Player, die: int, say: Say) -> Iterator[str]:
    """Why a die cannot be used now."""
    name = f"{colour(book, book.dice[die], say)} {state.face[die]}"
    if _offered(book, state, mine) >> die & 1:
        if any_usable(book.tables, state, mine, 1 << die):
            yield say("why.clever.die.fits", die=name)
        else:
            yield from _about_dice(book, state, mine, 1 << die, say)
    elif mine.stage == ADDING:
        yield say("why.clever.used", dice=name)
    elif mine.stage == TAKING:
        yield say("why.clever.may_decline" if book.tables.optional else "why.clever.must_take")
    else:
        yield say(
            "why.clever.platter" if state.platter >> die & 1 else "why.clever.laid", dice=name
        )


def _offered(book: CleverBook, state: State, mine: Player) -> int:
    """Mask of the dice that may be used now, if they can be entered."""
    if mine.stage == CHOOSING:
        return state.hand
    if mine.stage == TAKING:
        return state.platter if any_usable(book.tables, state, mine, state.platter) else ALL_DICE
    return ALL_DICE & ~mine.used


def _shown(book: CleverBook, state: State, use: int, say: Say) -> str:
    """A die with what it shows, or the two that are added up with their sum."""
    sheet = book.tables
    if not sheet.paired[sheet.use_area[use]]:
        die = sheet.use_face[use]
        return f"{colour(book, book.dice[die], say)} {state.face[die]}"
    both = " + ".join(
        f"{colour(book, book.dice[die], say)} {state.face[die]}"
        for die in (sheet.partner, sheet.joker)
    )
    return f"{both} = {state.face[sheet.use_face[use]]}"


def _names(book: CleverBook, dice: int, say: Say) -> str:
    return ", ".join(colour(book, book.dice[die], say) for die in range(DICE) if dice >> die & 1)


def _about_dice(book: CleverBook, state: State, mine: Player, dice: int, say: Say) -> Iterator[str]:
    """Why each of these dice that cannot be entered cannot."""
    sheet = book.tables
    for die in range(DICE):
        if not dice >> die & 1 or any_usable(sheet, state, mine, 1 << die):
            continue
        uses = [use for use in range(USES) if sheet.use_die[use] == 1 << die]
        if len(uses) == AREAS:
            yield say(
                "why.clever.joker", die=f"{colour(book, book.dice[die], say)} {state.face[die]}"
            )
        else:
            for use in uses:
                why = _refusal(
                    book, mine, sheet.use_area[use], state.face[sheet.use_face[use]], say
                )
                yield say("why.clever.die", die=_shown(book, state, use, say), why=why)


def _refusal(book: CleverBook, mine: Player, area: int, number: int, say: Say) -> str:
    """Why an area does not take a number."""
    sheet = book.tables
    name = colour(book, book.areas[area].name, say)
    if mine.room[area] == 0:
        return say("why.clever.area.full", area=name)
    if sheet.kind[area] == GRID:
        return say("why.clever.area.crossed", area=name, number=number)
    if not sheet.takes[area][next_field(sheet, mine, area)] >> number & 1:
        return say(
            "why.clever.area.minimum",
            area=name,
            number=sheet.minimum[area][next_field(sheet, mine, area)],
        )
    if sheet.order[area] == RISING and mine.last[area] != TOP_FACE:
        return say("why.clever.area.higher", area=name, number=mine.last[area])
    assert sheet.order[area] == FALLING, open_numbers(sheet, mine, area)
    return say("why.clever.area.not_higher", area=name, number=mine.last[area])
