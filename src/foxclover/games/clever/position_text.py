"""Positions of the Clever games as text, see ``docs/notation.md``.

A text contains what is on the table and on the sheets. Everything else in a state follows from it
by the rules: points, foxes, unlocked actions, and which numbers an area takes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from foxclover.core.errors import quote
from foxclover.core.position_text import Section, join, word
from foxclover.core.rules import NO_CHANCE, ROLL_DUE, START_PLAYER_DUE
from foxclover.core.setup import Setup
from foxclover.games.clever.area_kind import Area
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.notation import bits_of
from foxclover.games.clever.rules.moves import can_be_placed, enter, grant
from foxclover.games.clever.rules.state import (
    ADDING,
    ALL_DICE,
    AT_START,
    CELLS,
    CHOOSING,
    CLOSED,
    DICE,
    EXTRA,
    FOLLOWING,
    GRID,
    OVER,
    PAIR,
    PASSIVE,
    PLACED,
    RETURN,
    RETURNING,
    ROLLING,
    ROLLS,
    ROUND_START,
    TAKING,
    TIE_DUE,
    WINDOWS,
    Player,
    State,
)
from foxclover.games.clever.rules.turns import PLATTER_SIZE, lowest_dice
from foxclover.games.clever.sheet_file import ACTION_NAMES
from foxclover.games.clever.text import STAGES
from foxclover.locale import lazy_message

PHASES = {
    "start": ROUND_START,
    "rolling": ROLLING,
    "taking": WINDOWS,
    "passive": PASSIVE,
    "over": OVER,
}
DUE = {"": NO_CHANCE, "roll": ROLL_DUE, "tie": TIE_DUE, "lot": START_PLAYER_DUE}
STAGE_NUMBERS = {str(name): number for number, name in STAGES.items()}
STAGES_OF_PHASE = {  # of the active player, of the others
    ROUND_START: ({AT_START}, {AT_START}),
    ROLLING: ({CHOOSING, FOLLOWING, RETURNING}, set[int]()),
    WINDOWS: ({ADDING}, {TAKING, ADDING}),
    PASSIVE: ({TAKING, ADDING}, set[int]()),
    OVER: (set[int](), set[int]()),
}
NO_DIE = "-"


# -- write


def write(definition: CleverDefinition, state: State) -> list[list[str]]:
    """Return the words of the table, then those of each player."""
    phase = next(name for name, number in PHASES.items() if number == state.phase)
    due = next(name for name, number in DUE.items() if number == state.chance)
    on_fields = [die - 1 for die in state.field]
    aside = state.laid & ~sum(1 << die for die in on_fields if die >= 0)
    fields = [_dice(definition, state, [die]) if die >= 0 else NO_DIE for die in on_fields]
    table = [
        f"round:{state.round}",
        f"phase:{phase}",
        *word("active", state.active + 1, state.first + 1),
        *word("roll", state.roll),
        *word("due", due, ""),
        *word("hand", _dice(definition, state, bits_of(state.hand)), ""),
        *word("platter", _dice(definition, state, bits_of(state.platter)), ""),
        *(join("fields", fields) if any(state.field) else []),
        *word("aside", _dice(definition, state, bits_of(aside)), ""),
        *word("follow", "".join(definition.letters[die] for die in bits_of(state.follow)), ""),
    ]
    return [table, *(_write_sheet(definition, mine) for mine in state.seats[: state.players])]


def _dice(definition: CleverDefinition, state: State, dice: Sequence[int]) -> str:
    return "".join(f"{definition.letters[die]}{state.face[die] or ''}" for die in dice)


def _write_sheet(definition: CleverDefinition, mine: Player) -> list[str]:
    words = word("stage", STAGES[mine.stage], STAGES[CLOSED])
    for area in definition.areas:
        words += join(area.letter, list(_entries(area, mine)))
    spent = [
        name
        for action, name in enumerate(ACTION_NAMES)
        for _ in range(mine.unlocked[action] - mine.actions[action])
    ]
    bonuses = [
        label for label, bonus in bonus_labels(definition).items() for _ in range(mine.heap[bonus])
    ]
    used = "".join(definition.letters[die] for die in bits_of(mine.used))
    return [*words, *join("spent", spent), *join("bonus", bonuses), *word("extra", used, "")]


def _entries(area: Area, mine: Player) -> Iterator[str]:
    crossed, circled = mine.crossed[area.index], mine.circled[area.index]
    is_grid = area.kind.kernel_kind == GRID
    for cell, printed in enumerate(area.cells):
        if crossed >> cell & 1 and is_grid:
            yield area.kind.slot_text(area, cell)
        elif crossed >> cell & 1:
            yield str(mine.written[area.index][cell] // printed.factor or "x")
        elif circled >> cell & 1:
            yield f"({area.kind.slot_text(area, cell)})"


def bonus_labels(definition: CleverDefinition) -> dict[str, int]:
    """Return the bonuses that are placed, by a short name: ``y?``, ``bx``, ``o4``, ``black``."""
    letters = {area.name: area.letter for area in definition.areas}
    labels = {}
    for bonus in range(PLACED, definition.tables.bonuses):
        area, _, gives = definition.bonus_names[bonus].partition(" ")
        labels[f"{letters[area]}{gives}" if gives else area] = bonus
    return labels


# -- read


def read(
    definition: CleverDefinition, table: Section, players: Sequence[Section], setup: Setup
) -> State:
    """Build the state from its words; raises ``PositionError``."""
    sheet = definition.tables
    state = State()
    state.players = len(players)
    state.first = setup.start_player
    state.chance = table.choice("due", DUE)
    least = 0 if state.chance == START_PLAYER_DUE else 1
    state.round = table.number("round", least, least and sheet.rounds[len(players)], least)
    state.phase = table.choice("phase", PHASES, "start")
    state.active = table.number("active", 1, len(players), state.first + 1) - 1
    state.roll = table.number("roll", 0, ROLLS, 0)
    _read_dice(definition, table, state)
    state.follow = _mask(definition, table, "follow")
    for seat, words in enumerate(players):
        _read_sheet(definition, words, state.round, state.seats[seat])
    _check_table(definition, table, state)
    for seat, words in enumerate(players):
        _check_player(definition, words, state, seat)
    return state


def _read_dice(definition: CleverDefinition, table: Section, state: State) -> None:
    places = {
        "hand": [table.take("hand")],
        "platter": [table.take("platter")],
        "fields": table.items("fields"),
        "aside": [table.take("aside")],
    }
    if len(places["fields"]) not in (0, ROLLS):
        raise table.error("fields", lazy_message("position.fields", count=ROLLS))
    seen = 0
    for name, texts in places.items():
        mask = 0
        for index, text in enumerate(texts):
            if name == "fields" and text == NO_DIE:
                continue
            dice = _parse_dice(definition, table, name, text)
            if name == "fields":
                if len(dice) != 1:
                    raise table.error(name, lazy_message("position.fields", count=ROLLS))
                state.field[index] = dice[0][0] + 1
            for die, face in dice:
                if seen >> die & 1:
                    letter = definition.letters[die]
                    raise table.error(name, lazy_message("position.die_twice", die=letter))
                state.face[die] = face
                seen |= 1 << die
                mask |= 1 << die
        if name == "hand":
            state.hand = mask
        elif name == "platter":
            state.platter = mask
        else:
            state.laid |= mask
    if seen not in (0, ALL_DICE):
        missing = ", ".join(definition.letters[die] for die in bits_of(ALL_DICE & ~seen))
        raise table.error("", lazy_message("position.dice_missing", dice=missing))
    if definition.tables.partner >= 0:
        state.face[PAIR] = (
            state.face[definition.tables.partner] + state.face[definition.tables.joker]
        )


def _parse_dice(
    definition: CleverDefinition, table: Section, name: str, text: str
) -> list[tuple[int, int]]:
    """Return the dice of a text such as ``y4b1``, each with its face; 0: not rolled yet."""
    if not re.fullmatch(r"([a-z][1-6]?)*", text):
        raise table.error(name, lazy_message("position.dice", text=quote(text)))
    found = []
    for letter, face in re.findall(r"([a-z])([1-6]?)", text):
        if letter not in definition.letters:
            names = ", ".join(definition.letters)
            raise table.error(name, lazy_message("position.choice", names=names, text=letter))
        found.append((definition.letters.index(letter), int(face or 0)))
    return found


def _mask(definition: CleverDefinition, words: Section, name: str) -> int:
    """Return the mask of dice named by their letters alone."""
    dice = _parse_dice(definition, words, name, words.take(name))
    return sum(1 << die for die in {die for die, _ in dice})


def _read_sheet(definition: CleverDefinition, words: Section, rounds: int, mine: Player) -> None:
    """Enter everything on an empty sheet by the rules, then set what cannot be derived."""
    sheet = definition.tables
    sheet.empty.twin(mine)
    mine.stage = words.choice("stage", STAGE_NUMBERS, STAGES[CLOSED])
    for area in definition.areas:
        _read_entries(definition, words, area, mine)
    for number in range(1, rounds + 1):
        grant(sheet, mine, sheet.reward[number])
    for name in words.items("spent"):
        numbers = {name: number for number, name in enumerate(ACTION_NAMES)}
        action = words.as_choice("spent", name, numbers)
        mine.actions[action] -= 1
        if mine.actions[action] < 0:
            problem = lazy_message("position.spent", action=name, count=mine.unlocked[action])
            raise words.error("spent", problem)
    mine.heap = [0] * len(mine.heap)
    labels = bonus_labels(definition)
    for label in words.items("bonus"):
        bonus = words.as_choice("bonus", label, labels)
        if not can_be_placed(sheet, mine, bonus):
            raise words.error("bonus", lazy_message("position.no_room", text=label))
        mine.heap[bonus] += 1
    mine.heaped = sum(mine.heap)
    mine.used = _mask(definition, words, "extra")


def _read_entries(definition: CleverDefinition, words: Section, area: Area, mine: Player) -> None:
    sheet, name = definition.tables, area.letter
    texts = words.items(name)
    if area.kind.kernel_kind != GRID:
        if len(texts) > len(area.cells):
            raise words.error(name, lazy_message("position.full", count=len(area.cells)))
        least, most = area.numbers[0], area.numbers[-1]
        for text in texts:
            value = 0 if text == "x" else words.as_number(name, text, least, most)
            enter(sheet, mine, area.index * CELLS + value)
        return
    cells = {area.kind.slot_text(area, cell): cell for cell in range(len(area.cells))}
    seen = set[int]()
    for text in texts:
        bare = text[1:-1] if area.circles and re.fullmatch(r"\(.+\)", text) else text
        cell = words.as_choice(name, bare, cells)
        if cell in seen:
            raise words.error(name, lazy_message("position.field_twice", text=quote(bare)))
        seen.add(cell)
        for _ in range(1 + (area.circles and bare == text)):
            enter(sheet, mine, area.index * CELLS + cell)


# -- checks


def _check_table(definition: CleverDefinition, table: Section, state: State) -> None:
    rolled = [die for die in range(DICE) if state.face[die]]
    in_use = state.platter | state.laid | (0 if state.chance == ROLL_DUE else state.hand)
    unknown = [die for die in bits_of(in_use) if die not in rolled]
    if unknown:
        letters = ", ".join(definition.letters[die] for die in unknown)
        raise table.error("", lazy_message("position.no_face", dice=letters))
    waits = {
        ROUND_START: (NO_CHANCE, START_PLAYER_DUE),
        ROLLING: (NO_CHANCE, ROLL_DUE),
        PASSIVE: (NO_CHANCE, ROLL_DUE, TIE_DUE),
    }
    if state.chance not in waits.get(state.phase, (NO_CHANCE,)):
        raise table.error("due", lazy_message("position.due"))
    if state.phase == PASSIVE and state.players > 1:
        raise table.error("phase", lazy_message("position.alone"))
    if state.phase == OVER and state.round != definition.tables.rounds[state.players]:
        raise table.error("phase", lazy_message("position.not_over"))
    if state.phase == ROLLING and not state.roll:
        problem = lazy_message("position.number", least=1, most=ROLLS, text=0)
        raise table.error("roll", problem)
    if state.phase == ROLLING and any(state.field[state.roll :]):
        raise table.error("fields", lazy_message("position.later_field", roll=state.roll))
    if state.chance == ROLL_DUE and not state.hand:
        raise table.error("hand", lazy_message("position.no_dice"))
    if state.phase == WINDOWS and state.hand:
        raise table.error("hand", lazy_message("position.hand"))
    if state.phase in (ROLLING, WINDOWS, PASSIVE) and not (state.hand | state.platter | state.laid):
        letters = ", ".join(definition.letters)
        raise table.error("", lazy_message("position.dice_missing", dice=letters))
    if state.chance == TIE_DUE or (state.phase == PASSIVE and state.chance == NO_CHANCE):
        _check_served(table, state)


def _check_served(table: Section, state: State) -> None:
    """Check the dice of a solo passive turn: the lowest three are on the platter."""
    certain, possible = lowest_dice(state)
    fits = (
        (state.platter, state.hand) == (certain, possible & ~certain)
        if state.chance == TIE_DUE
        else state.platter.bit_count() == PLATTER_SIZE
        and certain & ~state.platter == 0
        and state.platter & ~possible == 0
    )
    if not fits:
        raise table.error("platter", lazy_message("position.served", count=PLATTER_SIZE))


def _check_player(definition: CleverDefinition, words: Section, state: State, seat: int) -> None:
    mine = state.seats[seat]
    allowed = STAGES_OF_PHASE[state.phase][seat != state.active and state.phase != ROUND_START]
    if state.chance != NO_CHANCE:
        allowed = set()
    if mine.stage != CLOSED and mine.stage not in allowed:
        names = ", ".join(STAGES[stage] for stage in sorted(allowed | {CLOSED}))
        problem = lazy_message("position.choice", names=names, text=STAGES[mine.stage])
        raise words.error("stage", problem)
    if mine.heaped and mine.stage == CLOSED:
        raise words.error("bonus", lazy_message("position.closed_bonus"))
    if mine.heaped:
        return
    actions = {RETURNING: RETURN, ADDING: EXTRA}
    if mine.stage in actions and not mine.actions[actions[mine.stage]]:
        action = ACTION_NAMES[actions[mine.stage]]
        raise words.error("stage", lazy_message("position.no_action", action=action))
    if mine.stage == RETURNING and (not state.platter or state.roll >= ROLLS):
        raise words.error("stage", lazy_message("position.nothing_to_return"))
    if mine.stage == FOLLOWING and (not state.follow or definition.tables.follow_area < 0):
        raise words.error("stage", lazy_message("position.nothing_follows"))
    if mine.stage == AT_START:
        raise words.error("stage", lazy_message("position.no_bonus"))
