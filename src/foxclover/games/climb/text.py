"""Moves and conditions of Geht noch was?, and what is expected of a player, in sentences of a catalogue."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from foxclover.beginning import LOT_DUE
from foxclover.climb.conditions import Condition, Term, dice_of
from foxclover.climb.deck_file import CARD_COLOURS, COLOUR_NAMES, DICE_COLOURS
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
from foxclover.climb.notation import Occasion, bonus_of, family, occasion, player_text
from foxclover.climb.state import (
    CHANCE,
    FOR_BONUS,
    FOR_CONSOLATION,
    FOR_PURCHASE,
    IDLE,
    LEVELS,
    OVER,
    ROLL_DUE,
    TO_BUILD,
    TO_BUY,
    TO_DECIDE,
    TO_EXCHANGE,
    TO_LEAVE,
    TO_LIFT,
    TO_PLACE,
    TO_PUSH,
    TO_TAKE,
    State,
)
from foxclover.climb.tables import ClimbBook
from foxclover.contract import Spelling
from foxclover.locale import Say
from foxclover.lots import lot_words

Stage = Literal["", "place", "bonus", "buy", "exchange", "build", "decide", "leave", "push", "lift"]
MoveKind = Literal[
    "bonus",
    "buy",
    "exchange",
    "keep",
    "turn_in",
    "done",
    "build",
    "fulfil",
    "pay",
    "fail",
    "stay",
    "out",
    "push",
    "score",
    "lift",
]
Reason = Literal["bonus", "purchase", "consolation"]

STAGES: dict[int, Stage] = {
    IDLE: "",
    TO_PLACE: "place",
    TO_TAKE: "bonus",
    TO_BUY: "buy",
    TO_EXCHANGE: "exchange",
    TO_BUILD: "build",
    TO_DECIDE: "decide",
    TO_LEAVE: "leave",
    TO_PUSH: "push",
    TO_LIFT: "lift",
}
SINGLE_KINDS: dict[int, MoveKind] = {
    KEEP: "keep",
    EXCHANGE: "exchange",
    DONE: "done",
    PAY: "pay",
    FAIL: "fail",
    STAY: "stay",
    LEAVE: "out",
}
CARD_KINDS: dict[int, MoveKind] = {
    FULFIL: "fulfil",
    PUSH: "push",
    SCORE: "score",
    TURN_IN: "turn_in",
    LIFT: "lift",
}
REASONS: dict[int, Reason] = {
    FOR_BONUS: "bonus",
    FOR_PURCHASE: "purchase",
    FOR_CONSOLATION: "consolation",
}
DICE_NAMES = {"B": "blue", "R": "red", "W": "any"}


def move_kind(move: int) -> MoveKind:
    """What sort of move this is."""
    if move in SINGLE_KINDS:
        return SINGLE_KINDS[move]
    if move < KEEP:
        return "bonus" if move < BUY else "buy"
    return "build" if BUILD <= move < FULFIL else CARD_KINDS[family(move)]


def move_words(book: ClimbBook, state: State, seat: int, move: int, say: Say) -> str:
    """A legal move as a sentence."""
    if seat == CHANCE:
        return chance_words(book, state, move, say)
    return player_words(book, occasion(state, seat, move), move, say)


@lru_cache(4_096)
def player_words(book: ClimbBook, when: Occasion, move: int, say: Say) -> str:
    """A player's move as a sentence."""
    kind = move_kind(move)
    if kind == "bonus":
        luck, colour = bonus_of(book, when.round, move)
        words = say("climb.luck", count=luck)
        return (
            say("climb.move.bonus.card", luck=words, card=say(f"climb.card.{colour}"))
            if colour
            else say("climb.move.bonus", luck=words)
        )
    if kind == "buy":
        return say(
            "climb.move.buy",
            card=say(f"climb.card.{COLOUR_NAMES[move - BUY]}"),
            cost=book.tables.cost[move - BUY],
        )
    if kind == "done":
        return say(f"climb.move.done.{STAGES[when.stage]}")
    return say(
        f"climb.move.{kind}",
        card=card_words(book, when.card, say) if when.card else "",
        level=when.level + 1,
    )


def chance_words(book: ClimbBook, state: State, move: int, say: Say) -> str:
    """A roll, the card drawn, or who begins."""
    if state.chance == LOT_DUE:
        return lot_words(move, say)
    if state.chance != ROLL_DUE:
        return say(
            f"climb.move.draw.{REASONS[state.draw_reason]}", card=card_words(book, move, say)
        )
    blue, red = dice_of(move)
    return say("climb.move.roll", blue=" ".join(map(str, blue)), red=" ".join(map(str, red)))


@lru_cache(4_096)
def card_words(book: ClimbBook, card: int, say: Say) -> str:
    """A card by number, colour and condition."""
    printed = book.printed(card)
    return say(
        "climb.card.named",
        colour=say(f"common.colour.{printed.colour}"),
        number=book.name(card),
        condition=condition_words(printed.condition, say),
    )


def spell(book: ClimbBook, state: State, seat: int, move: int, say: Say) -> list[Spelling]:
    """The ways to type a legal move: with the words of a language, and of the notation."""
    kind, when = move_kind(move), occasion(state, seat, move)
    luck, colour = (
        bonus_of(book, when.round, move)
        if kind == "bonus"
        else (0, COLOUR_NAMES[move - BUY] if kind == "buy" else "")
    )
    key = "climb.type.bonus.card" if kind == "bonus" and colour else f"climb.type.{kind}"
    values = {
        "luck": luck,
        "colour": say(f"common.colour.{colour}") if colour else "",
        "card": book.name(when.card),
        "level": when.level + 1,
    }
    return [((say(key, **values),),), ((player_text(book, when, move),),)]


def spell_chance(book: ClimbBook, text: str, say: Say) -> str:
    """What chance did; blue and red begin with the same letters in all languages."""
    return text


def prompt(book: ClimbBook, state: State, seat: int, say: Say) -> str:
    """What is expected of a seat now."""
    if state.phase == OVER:
        return say("common.over")
    if state.chance == LOT_DUE:
        return say("lot.prompt")
    mine = state.seats[seat]
    if mine.stage == IDLE:
        return say("climb.prompt.roll" if state.chance == ROLL_DUE else "climb.prompt.wait")
    left = book.tables.purchases - mine.bought
    return say(
        f"climb.prompt.{STAGES[mine.stage]}",
        money=mine.money,
        left=left,
        lifts=mine.lifts,
        count=mine.waiting_count,
    )


# -- conditions -----------------------------------------------------------------------------------------------------------


def part_words(book: ClimbBook, part: str, say: Say) -> str:
    """A part of the score: a level, luck or sets."""
    level = part.removeprefix("level")
    return say(f"climb.score.{part}") if level == part else say("climb.score.level", level=level)


def names(book: ClimbBook, say: Say) -> dict[str, str]:
    """Everything that the cards and the strip call by a name: colours and parts of the score."""
    parts = [f"level{level + 1}" for level in range(LEVELS)] + ["luck", "sets"]
    return {name: say(f"common.colour.{name}") for name in (*CARD_COLOURS, *DICE_COLOURS)} | {
        part: part_words(book, part, say) for part in parts
    }


def condition_words(condition: Condition, say: Say) -> str:
    """A condition explained."""
    either = []
    for terms in condition:
        words = term_words(terms[0], say)
        for term in terms[1:]:
            words = say("climb.condition.and", first=words, second=term_words(term, say))
        either.append(words)
    words = either[0]
    for other in either[1:]:
        words = say("climb.condition.or", first=words, second=other)
    return words


def term_words(term: Term, say: Say) -> str:
    """One line of a condition."""
    colours = set(term.dice)
    if term.kind == "sum":
        return say(
            "climb.condition.sum",
            dice=say(f"climb.dice.some.{DICE_NAMES[term.dice]}"),
            value=term.value,
        )
    if len(colours) == 1:
        dice = say(f"climb.dice.{DICE_NAMES[term.dice[0]]}", count=len(term.dice))
        return say(f"climb.condition.{term.kind}", dice=dice, value=term.value)
    each = ", ".join(say(f"climb.dice.{DICE_NAMES[letter]}", count=1) for letter in term.dice)
    return say(f"climb.condition.{term.kind}.mixed", dice=each)
