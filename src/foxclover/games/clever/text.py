"""Moves of the Clever games and what is expected of a player, in sentences of a catalogue."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal, NamedTuple

from foxclover.beginning import LOT_DUE
from foxclover.clever.areas import any_usable, next_field
from foxclover.clever.moves import (
    DONE,
    ENTRIES,
    LOT_OF,
    PASS,
    PLACE,
    REROLL_ALL,
    ROLL,
    TAKE_BACK,
    TIE,
)
from foxclover.clever.notation import dice_at_hand, entry_text, move_text
from foxclover.clever.sheet_file import ACTION_NAMES
from foxclover.clever.state import (
    ADDING,
    AT_START,
    CELLS,
    CHANCE,
    CHOOSING,
    CLOSED,
    FOLLOWING,
    OVER,
    PASSIVE,
    PLACED,
    RETURNING,
    ROLL_DUE,
    TAKING,
    TIE_DUE,
    State,
)
from foxclover.clever.tables import CleverBook, colour
from foxclover.contract import Spelling
from foxclover.locale import Say, shorten
from foxclover.lots import lot_words

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
    """What of a position a player's move is told by."""

    stage: int
    face: int = 0  # of the die that is used
    detail: int = 0
    """Of an entry: the next field of a track, or whether the number of a grid is circled. Of being done: whether no die is left."""


def occasion(book: CleverBook, state: State, seat: int, move: int) -> Occasion:
    """On what occasion somebody makes a move."""
    mine = state.seats[seat]
    if move >= PASS:
        return Occasion(mine.stage, 0, int(state.hand == 0))
    index, slot = divmod(move % ENTRIES if move < PLACE else (move - PLACE) % ENTRIES, CELLS)
    grid = book.areas[index].kind == "grid"
    detail = mine.circled[index] >> slot & 1 if grid else next_field(book.tables, mine, index)
    return Occasion(mine.stage, state.face[move // ENTRIES] if move < PLACE else 0, detail)


def move_words(book: CleverBook, state: State, seat: int, move: int, say: Say) -> str:
    """A legal move as a sentence."""
    if seat == CHANCE:
        return chance_words(book, state, move, say)
    return player_words(book, occasion(book, state, seat, move), move, say)


@lru_cache(8_192)
def player_words(book: CleverBook, when: Occasion, move: int, say: Say) -> str:
    """A player's move as a sentence."""
    stage = STAGES[when.stage]
    if move < PLACE:
        die = move // ENTRIES
        entry = entry_words(book, when.detail, move % ENTRIES, say)
        return say(
            f"clever.move.{stage}",
            die=colour(book, book.dice[die], say),
            face=when.face,
            entry=entry,
        )
    if move < PASS:
        bonus = bonus_words(book, book.bonus_name((move - PLACE) // ENTRIES + PLACED), say)
        return say(
            "clever.move.bonus",
            bonus=bonus,
            entry=entry_words(book, when.detail, (move - PLACE) % ENTRIES, say),
        )
    if move == PASS:
        return say(f"clever.move.pass.{stage}")
    if move == REROLL_ALL:
        return say("clever.move.reroll")
    if move == DONE:
        return say(
            "clever.move.done.stop"
            if stage == "return" and when.detail
            else f"clever.move.done.{stage}"
        )
    return say("clever.move.return", die=colour(book, book.dice[move - TAKE_BACK], say))


def entry_words(book: CleverBook, detail: int, entry: int, say: Say) -> str:
    """What an entry writes where, with the detail of its occasion."""
    index = entry // CELLS
    slot = entry % CELLS
    area = book.areas[index]
    name = colour(book, area.name, say)
    if area.kind == "grid":
        cell = area.cells[slot]
        how = "circle" if book.tables.circles[index] and not detail else "cross"
        if area.row_names:
            return say(
                "clever.entry.cross.named",
                number=cell.number,
                area=name,
                row=colour(book, area.row_names[cell.row], say),
            )
        if cell.name.isdigit():
            return say("clever.entry.cross.only", number=cell.number, area=name)
        return say(f"clever.entry.{how}", number=cell.number, area=name, row=cell.name[-1])
    if not slot or book.tables.minimum[index][0]:
        return say("clever.entry.field", field=detail + 1, area=name)
    return say(
        "clever.entry.write",
        number=slot * book.tables.factor[index][detail],
        field=detail + 1,
        area=name,
    )


def chance_words(book: CleverBook, state: State, move: int, say: Say) -> str:
    """A roll, the dice served, or who begins."""
    if move >= LOT_OF:
        return lot_words(move - LOT_OF, say)
    if move < ROLL:
        dice = [die for die in range(len(book.dice)) if (move - TIE) >> die & 1]
        return say(
            "clever.move.served", dice=", ".join(colour(book, book.dice[die], say) for die in dice)
        )
    digits = move - ROLL
    faces = []
    for die in dice_at_hand(state):
        faces.append(f"{colour(book, book.dice[die], say)} {1 + digits % 6}")
        digits //= 6
    return say("clever.move.roll", dice=", ".join(faces))


def letters(book: CleverBook, say: Say) -> list[str]:
    """The dice as short as their colours' words allow in a language; the letters of the notation where two have the same word."""
    shown = shorten([colour(book, name, say) for name in book.dice])
    return shown if all(shown) else list(book.letters)


def spell(book: CleverBook, state: State, seat: int, move: int, say: Say) -> list[Spelling]:
    """The ways to type a legal move: with the letters of a language or of the notation, and without the die."""
    if move < PLACE:
        entry = _spell_entry(book, move % ENTRIES, say)
        return [(_spell_die(book, move // ENTRIES, say), (">",), *entry), entry]
    if move < PASS:
        entry = _spell_entry(book, (move - PLACE) % ENTRIES, say)
        return [(("+",), *entry), entry]
    if move >= TAKE_BACK:
        return [(("<",), _spell_die(book, move - TAKE_BACK, say))]
    text = move_text(book, state, seat, move)
    return [((say(f"clever.type.{text}"), text),)]


def _spell_die(book: CleverBook, die: int, say: Say) -> tuple[str, ...]:
    word = colour(book, book.dice[die], say)
    return (
        letters(book, say)[die],
        book.letters[die],
        *(word[:n] for n in range(1, len(word) + 1)),
    )


def _spell_entry(book: CleverBook, entry: int, say: Say) -> Spelling:
    area = book.areas[entry // CELLS]
    here, slot = _spell_die(book, book.dice.index(area.name), say), entry % CELLS
    if area.kind == "grid" and area.row_names:
        cell = area.cells[slot]
        return (
            here,
            (str(cell.number),),
            _spell_die(book, book.dice.index(area.row_names[cell.row]), say),
        )
    return (here, (entry_text(book, entry)[len(area.letter) :],))


def spell_chance(book: CleverBook, text: str, say: Say) -> str:
    """A roll or the dice served, typed with the colours of a language, in the letters of the notation."""
    words = [colour(book, name, say) for name in book.dice]

    def replaced(found: re.Match[str]) -> str:
        meant = [die for die, word in enumerate(words) if word.startswith(found[0])]
        return book.letters[meant[0]] if len(meant) == 1 else found[0]

    return re.sub(r"[^\W\d_]+", replaced, text)


def prompt(book: CleverBook, state: State, seat: int, say: Say) -> str:
    """What is expected of a seat now."""
    mine = state.seats[seat]
    if state.phase == OVER:
        return say("common.over")
    if mine.heaped > 0:
        heap = [
            bonus_words(book, book.bonus_name(bonus), say)
            for bonus in range(PLACED, book.tables.bonuses)
            for _ in range(mine.heap[bonus])
        ]
        return say("clever.prompt.bonus", bonuses=", ".join(heap))
    if mine.stage == TAKING and not any_usable(book.tables, state, mine, state.platter):
        return say("clever.prompt.take.laid")
    if mine.stage != CLOSED:
        followed = colour(book, book.areas[max(book.tables.follow_area, 0)].name, say)
        return say(f"clever.prompt.{STAGES[mine.stage]}", roll=state.roll, area=followed)
    if state.chance == LOT_DUE:
        return say("lot.prompt")
    if state.chance == TIE_DUE:
        return say("clever.prompt.tie")
    if state.chance == ROLL_DUE and state.phase == PASSIVE:
        return say("clever.prompt.roll.passive")
    if state.chance == ROLL_DUE and seat == state.active:
        return say("clever.prompt.roll", roll=max(state.roll, 1))
    return say("clever.prompt.wait")


def part_words(book: CleverBook, part: str, say: Say) -> str:
    """A part of the score: an area by its colour, or the foxes."""
    return say("clever.score.foxes") if part == "foxes" else colour(book, part, say)


def names(book: CleverBook, say: Say) -> dict[str, str]:
    """Everything that a sheet calls by a name: colours, bonuses and parts of the score."""
    bonuses = [
        "fox",
        *ACTION_NAMES,
        *(book.bonus_name(bonus) for bonus in range(PLACED, book.tables.bonuses)),
    ]
    colours = {
        name: colour(book, name, say) for name in (*book.dice, *(area.name for area in book.areas))
    }
    return (
        colours
        | {name: bonus_words(book, name, say) for name in bonuses}
        | {"foxes": part_words(book, "foxes", say)}
    )


def bonus_words(book: CleverBook, name: str, say: Say) -> str:
    """A bonus in words."""
    area, _, what = name.partition(" ")
    if not what:
        return say(f"clever.bonus.{name}")
    return f"{colour(book, area, say)} {what.upper()}"
