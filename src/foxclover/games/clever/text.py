"""Sentences for moves and prompts of the Clever games."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from foxclover.core.contract import Spelling
from foxclover.core.rules import CHANCE, ROLL_DUE, START_PLAYER_DUE
from foxclover.core.setup import describe_start_player
from foxclover.games.clever.colours import ColourForm
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.notation import (
    bits_of,
    bonus_placed,
    dice_rolled,
    has_rival,
    heap_names,
    move_text,
)
from foxclover.games.clever.rules.moves import (
    DONE,
    ENTRIES,
    LOT_OF,
    PASS,
    PLACE,
    REROLL_ALL,
    ROLL,
    TAKE_BACK,
    TIE,
    any_usable,
)
from foxclover.games.clever.rules.state import (
    ADDING,
    AT_START,
    CELLS,
    CHOOSING,
    CLOSED,
    FOLLOWING,
    OVER,
    PASSIVE,
    PLACED,
    RETURNING,
    TAKING,
    TIE_DUE,
    State,
)
from foxclover.games.clever.sheet_file import ACTION_NAMES
from foxclover.locale import Translator, shorten

EXAMPLE = "clever.example"

Stage = Literal["closed", "start", "return", "choose", "follow", "take", "extra"]

STAGES: dict[int, Stage] = {
    CLOSED: "closed",
    AT_START: "start",
    RETURNING: "return",
    CHOOSING: "choose",
    FOLLOWING: "follow",
    TAKING: "take",
    ADDING: "extra",
}


class Occasion(NamedTuple):
    """The parts of a position that the sentence of a move depends on."""

    stage: int
    face: int = 0  # of the die that is used
    detail: int = 0  # of an entry: ``AreaKind.detail``; of being done: 1 if no die is left
    rival: bool = False  # of a bonus: whether another one could be placed there too


def occasion(definition: CleverDefinition, state: State, seat: int, move: int) -> Occasion:
    """Return the occasion of a move."""
    mine = state.seats[seat]
    if move >= PASS:
        return Occasion(mine.stage, 0, int(state.hand == 0))
    area = definition.areas[move % ENTRIES // CELLS]
    detail = area.kind.detail(definition.tables, mine, area, move % CELLS)
    face = state.face[move // ENTRIES] if move < PLACE else 0
    return Occasion(mine.stage, face, detail, has_rival(definition, state, seat, move))


def move_words(
    definition: CleverDefinition, state: State, seat: int, move: int, translate: Translator
) -> str:
    """Describe a legal move."""
    if seat == CHANCE:
        return chance_words(definition, state, move, translate)
    return player_words(definition, occasion(definition, state, seat, move), move, translate)


@lru_cache(8_192)
def player_words(
    definition: CleverDefinition, when: Occasion, move: int, translate: Translator
) -> str:
    """Describe a player's move."""
    stage = STAGES[when.stage]
    if move < PLACE:
        words = translate(
            f"clever.move.{stage}",
            die=definition.colour(definition.dice[move // ENTRIES], translate, "adjective"),
            face=when.face,
            entry=entry_words(definition, when.detail, move, translate),
        )
        return words[0].upper() + words[1:]
    if move < PASS:
        return translate(
            "clever.move.bonus",
            bonus=bonus_words(definition, bonus_placed(definition, move), translate),
            entry=entry_words(definition, when.detail, move, translate),
        )
    if move == PASS:
        return translate(f"clever.move.pass.{stage}")
    if move == REROLL_ALL:
        return translate("clever.move.reroll")
    if move == DONE:
        return translate(
            "clever.move.done.stop"
            if stage == "return" and when.detail
            else f"clever.move.done.{stage}"
        )
    return translate(
        "clever.move.return",
        die=definition.colour(definition.dice[move - TAKE_BACK], translate, "dative"),
    )


def entry_words(definition: CleverDefinition, detail: int, move: int, translate: Translator) -> str:
    """Describe the entry of a move, with the detail of its occasion."""
    area = definition.areas[move % ENTRIES // CELLS]
    return area.kind.entry_words(definition, area, move % CELLS, detail, translate)


def chance_words(
    definition: CleverDefinition, state: State, move: int, translate: Translator
) -> str:
    """Describe a roll, the dice on the platter, or the start player."""
    if move >= LOT_OF:
        return describe_start_player(move - LOT_OF, translate)
    if move < ROLL:
        return translate("clever.move.served", dice=dice_words(definition, move - TIE, translate))
    faces = [die_words(definition, die, face, translate) for die, face in dice_rolled(state, move)]
    return translate("clever.move.roll", dice=", ".join(faces))


def die_words(definition: CleverDefinition, die: int, face: int, translate: Translator) -> str:
    """Name a die with its face."""
    return f"{definition.colour(definition.dice[die], translate, 'adjective')} {face}"


def dice_words(definition: CleverDefinition, dice: int, translate: Translator) -> str:
    """Name the dice in a mask."""
    return ", ".join(definition.colour(definition.dice[die], translate) for die in bits_of(dice))


def letters(definition: CleverDefinition, translate: Translator) -> list[str]:
    """Return the dice as short as their colours' words allow in a language.

    Dice with the same word have the letters of the notation.
    """
    shown = shorten([definition.colour(name, translate).lower() for name in definition.dice])
    return shown if all(shown) else list(definition.letters)


def spell(
    definition: CleverDefinition, state: State, seat: int, move: int, translate: Translator
) -> list[Spelling]:
    """List the ways to type a legal move.

    Letters may be a language's or the notation's; the die may be left out.
    """
    if move < PLACE:
        entry = _spell_entry(definition, move, translate)
        return [(_spell_die(definition, move // ENTRIES, translate), (">",), *entry), entry]
    if move < PASS:
        entry = _spell_entry(definition, move, translate)
        if has_rival(definition, state, seat, move):
            bonus = bonus_placed(definition, move)
            entry = (*entry, (f" ({bonus_words(definition, bonus, translate)})", f" ({bonus})"))
        return [(("+",), *entry), entry]
    if move >= TAKE_BACK:
        return [(("<",), _spell_die(definition, move - TAKE_BACK, translate))]
    text = move_text(definition, state, seat, move)
    return [((translate(f"clever.type.{text}"), text),)]


def _spell_die(definition: CleverDefinition, die: int, translate: Translator) -> tuple[str, ...]:
    word = definition.colour(definition.dice[die], translate).lower()
    return (
        letters(definition, translate)[die],
        definition.letters[die],
        *(word[:n] for n in range(1, len(word) + 1)),
    )


def _spell_entry(definition: CleverDefinition, move: int, translate: Translator) -> Spelling:
    def spell_die(name: str) -> tuple[str, ...]:
        return _spell_die(definition, definition.dice.index(name), translate)

    area = definition.areas[move % ENTRIES // CELLS]
    return (spell_die(area.name), *area.kind.spell_slot(area, move % CELLS, spell_die))


def spell_chance(definition: CleverDefinition, text: str, translate: Translator) -> str:
    """Replace the colours of a language by the letters of the notation."""
    words = [definition.colour(name, translate).lower() for name in definition.dice]

    def replaced(found: re.Match[str]) -> str:
        meant = [die for die, word in enumerate(words) if word.startswith(found[0])]
        return definition.letters[meant[0]] if len(meant) == 1 else found[0]

    return re.sub(r"[^\W\d_]+", replaced, text)


def prompt(definition: CleverDefinition, state: State, seat: int, translate: Translator) -> str:
    """Describe what a seat is expected to do now."""
    mine = state.seats[seat]
    if state.phase == OVER:
        return translate("common.over")
    if mine.heaped > 0:
        heap = (bonus_words(definition, name, translate) for name in heap_names(definition, mine))
        return translate("clever.prompt.bonus", bonuses=", ".join(heap))
    if mine.stage == TAKING and not any_usable(definition.tables, state, mine, state.platter):
        return translate("clever.prompt.take.laid")
    if mine.stage != CLOSED:
        followed = definition.areas[max(definition.tables.follow_area, 0)].name
        return translate(
            f"clever.prompt.{STAGES[mine.stage]}",
            roll=state.roll,
            area=definition.colour(followed, translate),
        )
    if state.chance == START_PLAYER_DUE:
        return translate("start_player.prompt")
    if state.chance == TIE_DUE:
        return translate("clever.prompt.tie")
    if state.chance == ROLL_DUE and state.phase == PASSIVE:
        return translate("clever.prompt.roll.passive")
    if state.chance == ROLL_DUE and seat == state.active:
        return translate("clever.prompt.roll", roll=max(state.roll, 1))
    return translate("clever.prompt.wait")


def part_words(definition: CleverDefinition, part: str, translate: Translator) -> str:
    """Name a part of the score: an area by its colour, or the foxes."""
    return (
        translate("clever.score.foxes") if part == "foxes" else definition.colour(part, translate)
    )


def names(definition: CleverDefinition, translate: Translator) -> dict[str, str]:
    """Name everything on a sheet: colours in their forms, bonuses and parts of the score."""
    bonuses = [
        "fox",
        *ACTION_NAMES,
        *(definition.bonus_names[bonus] for bonus in range(PLACED, definition.tables.bonuses)),
    ]
    colours = {
        name: definition.colour(name, translate)
        for name in (*definition.dice, *(area.name for area in definition.areas))
    }
    forms: tuple[ColourForm, ...] = ("adjective", "nominative")
    of_dice = {
        f"{name} {form}": definition.colour(name, translate, form)
        for name in definition.dice
        for form in forms
    }
    return (
        colours
        | of_dice
        | {name: bonus_words(definition, name, translate) for name in bonuses}
        | {"foxes": part_words(definition, "foxes", translate)}
    )


def bonus_words(definition: CleverDefinition, name: str, translate: Translator) -> str:
    """Describe a bonus."""
    area, _, what = name.partition(" ")
    if not what:
        return translate(f"clever.bonus.{name}")
    return f"{definition.colour(area, translate)} {what.upper()}"
