"""Explain from the rules why something is not possible now, or required."""

from __future__ import annotations

from collections.abc import Iterator

from foxclover.games.clever.area_kind import Area
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules.moves import any_usable
from foxclover.games.clever.rules.state import (
    ADDING,
    ALL_DICE,
    AREAS,
    CHOOSING,
    CLOSED,
    DICE,
    EXTRA,
    FOLLOWING,
    OVER,
    PASSIVE,
    REROLL,
    RETURNING,
    ROLLING,
    TAKING,
    USES,
    WINDOWS,
    Player,
    State,
)
from foxclover.games.clever.sheet_file import AREA_KINDS
from foxclover.games.clever.text import dice_words, die_words
from foxclover.locale import Translator


def reasons(
    definition: CleverDefinition, state: State, seat: int, translate: Translator
) -> list[str]:
    """Explain why a seat is not to act, or what it must and cannot do."""
    mine = state.seats[seat]
    if state.phase == OVER:
        return []
    if mine.stage == CLOSED:
        return list(_not_asked(definition, state, seat, translate))
    if mine.heaped > 0:
        return [translate("why.clever.bonus"), translate("why.clever.bonus.lost")]
    return list(_of_stage(definition, state, mine, translate))


def about(
    definition: CleverDefinition, state: State, seat: int, thing: str, translate: Translator
) -> list[str] | None:
    """Explain why a die or field cannot be used now; None if it does not exist.

    A die is ``y``, a number of a grid ``y3a``, a field of a track ``g#5``.
    """
    mine = state.seats[seat]
    asks = state.phase != OVER and mine.heaped == 0 and mine.stage in (CHOOSING, TAKING, ADDING)
    if thing in definition.letters:
        return (
            list(_about_die(definition, state, mine, definition.letters.index(thing), translate))
            if asks
            else reasons(definition, state, seat, translate)
        )
    for area in definition.areas:
        for cell in range(len(area.cells)):
            if thing == area.letter + area.kind.field_text(area, cell):
                taken = area.kind.taken(definition, mine, area, cell, translate)
                if taken or not asks:
                    return [*taken, *([] if asks else reasons(definition, state, seat, translate))]
                return list(_about_field(definition, state, mine, area, cell, translate))
    return None


def _not_asked(
    definition: CleverDefinition, state: State, seat: int, translate: Translator
) -> Iterator[str]:
    mine = state.seats[seat]
    if state.phase == ROLLING and seat != state.active:
        yield translate("why.clever.wait")
    elif state.phase == ROLLING:
        yield translate("why.clever.roll", roll=state.roll)
    elif state.phase in (WINDOWS, PASSIVE):
        if mine.actions[EXTRA] == 0:
            yield translate("why.clever.no_extra")
        elif not any_usable(definition.tables, state, mine, ALL_DICE & ~mine.used):
            yield translate("why.clever.extra_fits_nowhere")
        yield translate("why.clever.closed")


def _of_stage(
    definition: CleverDefinition, state: State, mine: Player, translate: Translator
) -> Iterator[str]:
    sheet = definition.tables
    stage = mine.stage
    if stage in (CHOOSING, TAKING, ADDING):
        offered = _offered(definition, state, mine)
        yield from _about_dice(definition, state, mine, offered, translate)
    if stage == CHOOSING:
        must = "why.clever.may_pass" if sheet.optional else "why.clever.must_choose"
        fits = any_usable(sheet, state, mine, state.hand)
        yield translate(must if fits else "why.clever.lost")
        if state.platter:
            yield translate(
                "why.clever.platter", dice=dice_words(definition, state.platter, translate)
            )
        if mine.actions[REROLL] == 0:
            yield translate("why.clever.no_reroll")
    elif stage == TAKING:
        must = "why.clever.may_decline" if sheet.optional else "why.clever.must_take"
        fits = any_usable(sheet, state, mine, state.platter)
        yield translate(must if fits else "why.clever.take_laid")
    elif stage == ADDING:
        if mine.used:
            yield translate("why.clever.used", dice=dice_words(definition, mine.used, translate))
        yield translate("why.clever.extra")
    elif stage == FOLLOWING:
        yield translate(
            "why.clever.follow",
            area=definition.colour(definition.areas[sheet.follow_area].name, translate),
        )
    elif stage == RETURNING:
        yield translate("why.clever.return")
    if stage in (CHOOSING, TAKING, ADDING):
        yield from _about_fields(definition, translate)


def _about_fields(definition: CleverDefinition, translate: Translator) -> Iterator[str]:
    """Explain which fields of the areas can take a die at all."""
    areas = definition.areas
    topics = {
        kind.fields_message: [area for area in areas if area.kind is kind]
        for kind in AREA_KINDS.values()
    }
    topics["why.clever.fields.sum"] = [area for area in areas if area.adds_joker]
    for key, concerned in topics.items():
        if concerned:
            names = ", ".join(definition.colour(area.name, translate) for area in concerned)
            yield translate(key, areas=names[0].upper() + names[1:])


def _about_field(
    definition: CleverDefinition,
    state: State,
    mine: Player,
    area: Area,
    cell: int,
    translate: Translator,
) -> Iterator[str]:
    """Name the usable dice that fit an empty field, or explain why none does."""
    sheet = definition.tables
    uses = [use for use in range(USES) if sheet.use_area[use] == area.index]
    offered = [use for use in uses if _offered(definition, state, mine) & sheet.use_die[use]]
    shown = {
        _shown(definition, state, use, translate): state.face[sheet.use_face[use]]
        for use in offered
    }
    numbers = area.kind.fitting_numbers(mine, area, cell)
    fitting = [die for die, number in shown.items() if numbers >> number & 1]
    if not offered:
        yield translate(
            "why.clever.field.no_die",
            area=definition.colour(area.name, translate),
            dice=dice_words(definition, sum(sheet.use_die[use] for use in uses), translate),
        )
    elif fitting:
        yield translate("why.clever.field.fits", dice=", ".join(fitting))
    else:
        yield from area.kind.refuse_dice(definition, mine, area, cell, shown, translate)


def _about_die(
    definition: CleverDefinition, state: State, mine: Player, die: int, translate: Translator
) -> Iterator[str]:
    name = die_words(definition, die, state.face[die], translate)
    if _offered(definition, state, mine) >> die & 1:
        if any_usable(definition.tables, state, mine, 1 << die):
            yield translate("why.clever.die.fits", die=name)
        else:
            yield from _about_dice(definition, state, mine, 1 << die, translate)
    elif mine.stage == ADDING:
        yield translate("why.clever.used", dice=name)
    elif mine.stage == TAKING:
        yield translate(
            "why.clever.may_decline" if definition.tables.optional else "why.clever.must_take"
        )
    else:
        yield translate(
            "why.clever.platter" if state.platter >> die & 1 else "why.clever.laid", dice=name
        )


def _offered(definition: CleverDefinition, state: State, mine: Player) -> int:
    """Return the mask of the dice that may be used now, if they fit."""
    if mine.stage == CHOOSING:
        return state.hand
    if mine.stage == TAKING:
        return (
            state.platter if any_usable(definition.tables, state, mine, state.platter) else ALL_DICE
        )
    return ALL_DICE & ~mine.used


def _shown(definition: CleverDefinition, state: State, use: int, translate: Translator) -> str:
    """Return a die with its face, or the two dice that are added with their sum."""
    sheet = definition.tables
    if not sheet.paired[sheet.use_area[use]]:
        die = sheet.use_face[use]
        return die_words(definition, die, state.face[die], translate)
    both = " + ".join(
        die_words(definition, die, state.face[die], translate)
        for die in (sheet.partner, sheet.joker)
    )
    return f"{both} = {state.face[sheet.use_face[use]]}"


def _about_dice(
    definition: CleverDefinition, state: State, mine: Player, dice: int, translate: Translator
) -> Iterator[str]:
    """Explain for each of these dice why it cannot be entered."""
    sheet = definition.tables
    for die in range(DICE):
        if not dice >> die & 1 or any_usable(sheet, state, mine, 1 << die):
            continue
        uses = [use for use in range(USES) if sheet.use_die[use] == 1 << die]
        if len(uses) == AREAS:
            yield translate(
                "why.clever.joker",
                die=die_words(definition, die, state.face[die], translate),
            )
        else:
            for use in uses:
                why = _refusal(
                    definition,
                    mine,
                    sheet.use_area[use],
                    state.face[sheet.use_face[use]],
                    translate,
                )
                yield translate(
                    "why.clever.die", die=_shown(definition, state, use, translate), why=why
                )


def _refusal(
    definition: CleverDefinition, mine: Player, index: int, number: int, translate: Translator
) -> str:
    area = definition.areas[index]
    if mine.room[index] == 0:
        return translate("why.clever.area.full", area=definition.colour(area.name, translate))
    return area.kind.refuse(definition, mine, area, number, translate)
