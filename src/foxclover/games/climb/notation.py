"""Moves of Geht noch was? as short texts, both ways. Cards go by their printed number, in a second copy with a ``b``; levels from 1 to 5.

take 2 luck, take 1 luck + green   the bonus of the round       buy green      keep   exchange   turn in 35 (solo rules)
build 35 on 2                      lay a new card on level 2    done           no more purchases, or pushes of scored cards
fulfil 35   pay   fail             on a roll                    stay   out     after it
push 35   score 35                 a marked card                lift 35        a scored card (solo rules)
B1336 R225                         a roll (chance)              card 35b       a card drawn (chance), here one of the second copy
begins 2                           the lot: who begins (chance)
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from foxclover.beginning import LOT_DUE
from foxclover.climb.conditions import BLUE_DICE, RED_DICE, dice_of, outcome_of
from foxclover.climb.deck_file import COLOUR_NAMES
from foxclover.climb.moves import (
    BUILD,
    BUY,
    DONE,
    EXCHANGE,
    FAIL,
    FULFIL,
    KEEP,
    LEAVE,
    LIFT,
    PAY,
    PUSH,
    SCORE,
    STAY,
    TURN_IN,
)
from foxclover.climb.piles import bit_of, stack_of
from foxclover.climb.rules import is_chance_move
from foxclover.climb.state import (
    CHANCE,
    LEVELS,
    NO_CARD,
    NO_COLOUR,
    NO_LEVEL,
    ROLL_DUE,
    SLOTS,
    State,
)
from foxclover.climb.tables import ClimbBook
from foxclover.errors import IllegalMove, UnreadableMove
from foxclover.locale import phrase
from foxclover.lots import lot_text, parse_lot

SINGLE = {
    KEEP: "keep",
    EXCHANGE: "exchange",
    DONE: "done",
    PAY: "pay",
    FAIL: "fail",
    STAY: "stay",
    LEAVE: "out",
}
WITH_CARD = {FULFIL: "fulfil", PUSH: "push", SCORE: "score", TURN_IN: "turn in", LIFT: "lift"}
VERBS = (
    "take",
    "buy",
    "build",
    *SINGLE.values(),
    *(verb.replace(" ", "") for verb in WITH_CARD.values()),
)

_READABLE = re.compile(
    r"take\d*[a-z+]*|buy[a-z]+|build\d+b?(o|on\d?)?|(fulfil|push|score|turnin|lift)\d+b?"
)
_ROLL = re.compile(rf"b(?P<blue>[1-6]{{{BLUE_DICE}}})r(?P<red>[1-6]{{{RED_DICE}}})")
_BARE_ROLL = re.compile(rf"(?P<blue>[1-6]{{{BLUE_DICE}}})(?P<red>[1-6]{{{RED_DICE}}})")


def is_readable(text: str) -> bool:
    """Could this be a player's move, or the beginning of one?"""
    return _READABLE.fullmatch(text) is not None or any(verb.startswith(text) for verb in VERBS)


@cache
def family(move: int) -> int:
    """The first move of the family a move with a card belongs to."""
    return max(first for first in WITH_CARD if first <= move)


def card_and_level(state: State, seat: int, move: int) -> tuple[int, int]:
    """The card a move touches, and the level where it lies or comes to lie; none for moves without a card."""
    mine = state.seats[seat]
    if move in (KEEP, EXCHANGE):
        return mine.waiting[mine.waiting_count - 1], NO_LEVEL
    if move < BUILD:
        return NO_CARD, NO_LEVEL
    if move < FULFIL:
        return mine.waiting[(move - BUILD) // LEVELS], (move - BUILD) % LEVELS
    first = family(move)
    if first >= TURN_IN:
        card = move - first
        level = next(
            level for level in range(LEVELS) if mine.scored[level][stack_of(card)] & bit_of(card)
        )
        return card, level + (first == LIFT)
    spot = move - first
    return mine.active[spot], spot // SLOTS + (first == PUSH)


class Occasion(NamedTuple):
    """What of a position a player's move is told by."""

    round: int
    stage: int
    card: int  # that the move touches
    level: int  # where it lies or comes to lie


def occasion(state: State, seat: int, move: int) -> Occasion:
    """On what occasion somebody makes a move."""
    return Occasion(state.round, state.seats[seat].stage, *card_and_level(state, seat, move))


def move_text(book: ClimbBook, state: State, seat: int, move: int) -> str:
    """The canonical text of a legal move."""
    if seat == CHANCE:
        return chance_text(book, state, move)
    return player_text(book, occasion(state, seat, move), move)


def player_text(book: ClimbBook, when: Occasion, move: int) -> str:
    """The canonical text of a player's move."""
    if move in SINGLE:
        return SINGLE[move]
    if move < BUY:
        luck, colour = bonus_of(book, when.round, move)
        return f"take {luck} luck" + (f" + {colour}" if colour else "")
    if move < KEEP:
        return f"buy {COLOUR_NAMES[move - BUY]}"
    if move < FULFIL:
        return f"build {book.name(when.card)} on {when.level + 1}"
    return f"{WITH_CARD[family(move)]} {book.name(when.card)}"


def bonus_of(book: ClimbBook, number: int, option: int) -> tuple[int, str]:
    """Luck and the colour of the card ("" for none) of one of the bonuses of a round."""
    row = number - 1
    colour = book.tables.option_colour[row][option]
    return book.tables.option_luck[row][option], "" if colour == NO_COLOUR else COLOUR_NAMES[colour]


def chance_text(book: ClimbBook, state: State, move: int) -> str:
    """A roll, the card drawn, or who begins."""
    if state.chance == LOT_DUE:
        return lot_text(move)
    if state.chance != ROLL_DUE:
        return f"card {book.name(move)}"
    blue, red = dice_of(move)
    return f"B{''.join(map(str, blue))} R{''.join(map(str, red))}"


def parse_chance(book: ClimbBook, state: State, text: str) -> int:
    """Read a roll (its dice in any order, or just seven numbers, blue ones first), or the number of the card drawn."""
    if state.chance == LOT_DUE:
        return parse_lot(text, state.players)
    bare = re.sub(r"[\s,]+", "", text.lower())
    if state.chance == ROLL_DUE:
        return _parse_roll(bare, text)
    colour = phrase(f"common.colour.{COLOUR_NAMES[state.draw_colour]}")
    found = re.fullmatch(r"(card)?0*(\d{1,3}b?)", bare)
    if found is None:
        raise UnreadableMove(text, wanted=phrase("expected.card", colour=colour))
    card = book.code_of.get(found[2], NO_CARD)
    if card == NO_CARD or not is_chance_move(book.tables, state, card):
        possible = sorted(
            (book.tables.number[code], name)
            for name, code in book.code_of.items()
            if is_chance_move(book.tables, state, code)
        )
        raise IllegalMove(
            text,
            wanted=phrase(
                "expected.possible_card",
                colour=colour,
                cards=", ".join(name for _, name in possible),
            ),
        )
    return card


def _parse_roll(bare: str, text: str) -> int:
    wanted = phrase("expected.two_colours", blue=BLUE_DICE, red=RED_DICE)
    found = _ROLL.fullmatch(bare) or _BARE_ROLL.fullmatch(bare)
    if found:
        return outcome_of(map(int, found["blue"]), map(int, found["red"]))
    if re.fullmatch(r"(b\d*)?(r\d*)?|\d+", bare):
        raise IllegalMove(text, wanted=wanted)
    raise UnreadableMove(text, wanted=wanted)
