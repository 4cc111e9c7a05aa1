"""Moves, conditions and prompts of Geht noch was? in sentences of a language."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

from foxclover.core.contract import Spelling
from foxclover.core.rules import CHANCE, ROLL_DUE, START_PLAYER_DUE
from foxclover.core.setup import describe_start_player
from foxclover.games.climb.conditions import Condition, Term, dice_of
from foxclover.games.climb.definitions import (
    CARD_COLOURS,
    COLOUR_NAMES,
    DICE_COLOURS,
    ClimbDefinition,
)
from foxclover.games.climb.notation import (
    SINGLE,
    WITH_CARD,
    MoveKind,
    Occasion,
    bonus_of,
    move_group,
    occasion,
    player_text,
)
from foxclover.games.climb.rules.moves import (
    BUILD,
    BUY,
    FULFIL,
    KEEP,
)
from foxclover.games.climb.rules.state import (
    FOR_BONUS,
    FOR_CONSOLATION,
    FOR_PURCHASE,
    IDLE,
    LEVELS,
    OVER,
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
from foxclover.locale import Translator

EXAMPLE = "climb.example"

Stage = Literal["", "place", "bonus", "buy", "exchange", "build", "decide", "leave", "push", "lift"]
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
REASONS: dict[int, Reason] = {
    FOR_BONUS: "bonus",
    FOR_PURCHASE: "purchase",
    FOR_CONSOLATION: "consolation",
}
DICE_NAMES = {"B": "blue", "R": "red", "W": "any"}


def move_kind(move: int) -> MoveKind:
    """Return the kind of a move."""
    if move in SINGLE:
        return SINGLE[move]
    if move < KEEP:
        return "bonus" if move < BUY else "buy"
    return "build" if BUILD <= move < FULFIL else WITH_CARD[move_group(move)]


def move_words(
    definition: ClimbDefinition, state: State, seat: int, move: int, translate: Translator
) -> str:
    """Describe a legal move in a sentence."""
    if seat == CHANCE:
        return chance_words(definition, state, move, translate)
    return player_words(definition, occasion(state, seat, move), move, translate)


@lru_cache(4_096)
def player_words(
    definition: ClimbDefinition, when: Occasion, move: int, translate: Translator
) -> str:
    """Describe a player's move in a sentence."""
    kind = move_kind(move)
    if kind == "bonus":
        luck, colour = bonus_of(definition, when.round, move)
        words = translate("climb.luck", count=luck)
        return (
            translate("climb.move.bonus.card", luck=words, card=translate(f"climb.card.{colour}"))
            if colour
            else translate("climb.move.bonus", luck=words)
        )
    if kind == "buy":
        words = translate(
            "climb.move.buy",
            card=translate(f"climb.card.{COLOUR_NAMES[move - BUY]}"),
            cost=definition.tables.cost[move - BUY],
        )
        return words[0].upper() + words[1:]
    if kind == "done":
        return translate(f"climb.move.done.{STAGES[when.stage]}")
    words = translate(
        f"climb.move.{kind}",
        card=card_words(definition, when.card, translate) if when.card else "",
        level=when.level + 1,
    )
    return words[0].upper() + words[1:]


def chance_words(
    definition: ClimbDefinition, state: State, move: int, translate: Translator
) -> str:
    """Describe a roll, a drawn card, or the start player."""
    if state.chance == START_PLAYER_DUE:
        return describe_start_player(move, translate)
    if state.chance != ROLL_DUE:
        return translate(
            f"climb.move.draw.{REASONS[state.draw_reason]}",
            card=card_words(definition, move, translate),
        )
    blue, red = dice_of(move)
    return translate("climb.move.roll", blue=" ".join(map(str, blue)), red=" ".join(map(str, red)))


@lru_cache(4_096)
def card_words(definition: ClimbDefinition, card: int, translate: Translator) -> str:
    """Describe a card by number, colour and condition."""
    printed = definition.printed(card)
    return translate(
        "climb.card.named",
        colour=translate(f"common.colour.{printed.colour}"),
        number=definition.name(card),
        condition=condition_words(printed.condition, translate),
    )


def spell(
    definition: ClimbDefinition, state: State, seat: int, move: int, translate: Translator
) -> list[Spelling]:
    """Return the ways to type a legal move: in a language, and in the notation."""
    kind, when = move_kind(move), occasion(state, seat, move)
    luck, colour = (
        bonus_of(definition, when.round, move)
        if kind == "bonus"
        else (0, COLOUR_NAMES[move - BUY] if kind == "buy" else "")
    )
    key = "climb.type.bonus.card" if kind == "bonus" and colour else f"climb.type.{kind}"
    values = {
        "luck": luck,
        "colour": translate(f"common.colour.{colour}").lower() if colour else "",
        "card": definition.name(when.card),
        "level": when.level + 1,
    }
    return [((translate(key, **values),),), ((player_text(definition, when, move),),)]


def spell_chance(definition: ClimbDefinition, text: str, translate: Translator) -> str:
    """Return a chance move as typed; blue and red have the same initials in all languages."""
    return text


def prompt(definition: ClimbDefinition, state: State, seat: int, translate: Translator) -> str:
    """Describe what is expected of a seat now."""
    if state.phase == OVER:
        return translate("common.over")
    if state.chance == START_PLAYER_DUE:
        return translate("start_player.prompt")
    mine = state.seats[seat]
    if mine.stage == IDLE:
        return translate("climb.prompt.roll" if state.chance == ROLL_DUE else "climb.prompt.wait")
    left = definition.tables.purchases - mine.bought
    return translate(
        f"climb.prompt.{STAGES[mine.stage]}",
        money=mine.money,
        left=left,
        lifts=mine.lifts,
        count=mine.waiting_count,
    )


def part_words(definition: ClimbDefinition, part: str, translate: Translator) -> str:
    """Name a part of the score: a level, luck or sets."""
    level = part.removeprefix("level")
    return (
        translate(f"climb.score.{part}")
        if level == part
        else translate("climb.score.level", level=level)
    )


def names(definition: ClimbDefinition, translate: Translator) -> dict[str, str]:
    """Return the names of colours, in the forms for dice too, and of the parts of the score."""
    parts = [f"level{level + 1}" for level in range(LEVELS)] + ["luck", "sets"]
    colours = {name: translate(f"common.colour.{name}") for name in (*CARD_COLOURS, *DICE_COLOURS)}
    of_dice = {
        f"{name} {form}": translate(f"common.colour.{name}.{form}")
        for name in DICE_COLOURS
        for form in ("adjective", "nominative")
    }
    return colours | of_dice | {part: part_words(definition, part, translate) for part in parts}


# -- conditions


def condition_words(condition: Condition, translate: Translator) -> str:
    """Explain a condition."""
    either = []
    for terms in condition:
        words = term_words(terms[0], translate)
        for term in terms[1:]:
            words = translate(
                "climb.condition.and", first=words, second=term_words(term, translate)
            )
        either.append(words)
    words = either[0]
    for other in either[1:]:
        words = translate("climb.condition.or", first=words, second=other)
    return words


def term_words(term: Term, translate: Translator) -> str:
    """Explain one term of a condition."""
    colours = set(term.dice)
    if term.kind == "sum":
        return translate(
            "climb.condition.sum",
            dice=translate(f"climb.dice.some.{DICE_NAMES[term.dice]}"),
            value=term.value,
        )
    if len(colours) == 1:
        dice = translate(f"climb.dice.{DICE_NAMES[term.dice[0]]}", count=len(term.dice))
        return translate(f"climb.condition.{term.kind}", dice=dice, value=term.value)
    each = ", ".join(translate(f"climb.dice.{DICE_NAMES[letter]}", count=1) for letter in term.dice)
    return translate(f"climb.condition.{term.kind}.mixed", dice=each)
