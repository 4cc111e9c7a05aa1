"""Explain from the rules why something cannot or must be done now."""

from __future__ import annotations

from collections.abc import Iterator

from foxclover.core.rules import NO_CHANCE, ROLL_DUE
from foxclover.games.climb.definitions import COLOUR_NAMES, ClimbDefinition
from foxclover.games.climb.rules.moves import has_marker, may_push, reachable_spots
from foxclover.games.climb.rules.state import (
    BONUS,
    BUILDING,
    BUYING,
    LEVELS,
    NO_CARD,
    NO_COLOUR,
    NO_LEVEL,
    OVER,
    PUSHING,
    ROLLING,
    SLOTS,
    SPOTS,
    Player,
    State,
    bit_of,
    colour_of,
    is_obtainable,
    stack_of,
)
from foxclover.games.climb.rules.tableau import (
    black_left,
    can_turn_in,
    count_active,
    has_room,
    is_met,
    level_of_scored,
)
from foxclover.games.climb.text import STAGES, condition_words
from foxclover.locale import Translator


def reasons(
    definition: ClimbDefinition, state: State, seat: int, translate: Translator
) -> list[str]:
    """Explain why a seat is not asked, or what it must and cannot do."""
    if state.phase == OVER:
        return []
    mine = state.seats[seat]
    stage = STAGES[mine.stage]
    if state.chance == ROLL_DUE and seat == state.fairy and state.players > 1:
        return [translate("why.climb.fairy"), *_not_asked(definition, state, mine, translate)]
    if stage in ("exchange", "leave", "lift"):
        return [translate(f"why.climb.{stage}")]
    asked = {
        "": _not_asked,
        "bonus": _taking,
        "buy": _buying,
        "build": _building,
        "place": _building,
        "decide": _deciding,
        "push": _pushing,
    }
    return list(asked[stage](definition, state, mine, translate))


def about(
    definition: ClimbDefinition, state: State, seat: int, thing: str, translate: Translator
) -> list[str] | None:
    """Explain why a card (``25``) or a level (``#3``) of a seat cannot be used now.

    Return None if the seat has no such thing.
    """
    mine = state.seats[seat]
    card = definition.code_of.get(thing, NO_CARD)
    if card != NO_CARD and card in mine.active:
        found = list(_about_active(definition, state, mine, mine.active.index(card), translate))
    elif card != NO_CARD and any(row[stack_of(card)] & bit_of(card) for row in mine.scored):
        found = list(_about_scored(definition, state, mine, card, translate))
    elif thing in {f"#{level + 1}" for level in range(LEVELS)}:
        found = list(_about_level(definition, mine, int(thing[1:]) - 1, translate))
    else:
        return None
    return found or reasons(definition, state, seat, translate)


def _about_active(
    definition: ClimbDefinition, state: State, mine: Player, spot: int, translate: Translator
) -> Iterator[str]:
    name, stage = definition.name(mine.active[spot]), STAGES[mine.stage]
    if stage == "decide":
        yield _about_fulfilling(definition, state, mine, spot, translate)
    elif stage == "push" and not mine.marked >> spot & 1:
        yield translate("why.climb.unmarked", card=name)
    elif stage == "push":
        yield _must_be_scored(definition, mine, spot, translate) or translate("why.climb.push")
    elif stage in ("build", "place"):
        yield translate("why.climb.lies", card=name)


def _about_fulfilling(
    definition: ClimbDefinition, state: State, mine: Player, spot: int, translate: Translator
) -> str:
    """Explain whether the roll may fulfil a card, and why not."""
    deck, card = definition.tables, mine.active[spot]
    if not (mine.marked | reachable_spots(mine)) >> spot & 1:
        return _out_of_reach(mine, translate)
    if not has_marker(deck, mine):
        return translate("why.climb.no_marker", count=deck.black_markers)
    return _refused(definition, state, mine, spot, translate) or translate(
        "why.climb.fulfils", card=definition.name(card)
    )


def _about_scored(
    definition: ClimbDefinition, state: State, mine: Player, card: int, translate: Translator
) -> Iterator[str]:
    deck, name, stage = definition.tables, definition.name(card), STAGES[mine.stage]
    if stage == "buy" and state.solo:
        if not deck.income[stack_of(card)]:
            yield translate("why.climb.turn_in.green", card=name)
        elif not can_turn_in(deck, state, mine):
            yield translate("why.climb.no_turn_in", money=deck.dearest)
    elif stage == "lift":
        if card == mine.lifter:
            yield translate("why.climb.lift.itself", card=name)
        elif level_of_scored(mine, card) == LEVELS - 1:
            yield translate("why.climb.lift.top", card=name)
        elif colour_of(card) > colour_of(mine.lifter):
            yield translate("why.climb.lift.harder", card=name)
    elif stage != "buy":
        yield translate("why.climb.scored", card=name)


def _about_level(
    definition: ClimbDefinition, mine: Player, level: int, translate: Translator
) -> Iterator[str]:
    deck = definition.tables
    if STAGES[mine.stage] in ("build", "place"):
        if level >= deck.build_levels:
            yield translate("why.climb.build", level=deck.build_levels)
        elif not has_room(deck, mine, level):
            yield translate("why.climb.level_full", level=level + 1, count=deck.room)


def _not_asked(
    definition: ClimbDefinition, state: State, mine: Player, translate: Translator
) -> Iterator[str]:
    if state.phase == ROLLING and not mine.playing:
        yield translate("why.climb.out")
    elif state.phase == ROLLING and state.chance == ROLL_DUE:
        yield translate("why.climb.roll")
    elif state.chance != NO_CHANCE or state.phase == ROLLING:
        return
    elif state.phase == BUYING:
        yield translate("why.climb.no_money.solo" if state.solo else "why.climb.no_money")
    elif state.phase == BUILDING:
        yield translate("why.climb.nothing_to_build")
    elif state.phase == PUSHING:
        yield translate("why.climb.nothing_to_push")
    elif state.phase == BONUS:
        yield translate("why.climb.wait")


def _taking(
    definition: ClimbDefinition, state: State, mine: Player, translate: Translator
) -> Iterator[str]:
    deck, row = definition.tables, state.round - 1
    room = deck.clover - mine.luck
    if room < max(deck.option_luck[row][: deck.options[row]]):
        yield translate("why.climb.clover", count=deck.clover, room=room)
    for option in range(deck.options[row]):
        colour = deck.option_colour[row][option]
        if colour != NO_COLOUR and not is_obtainable(state, colour):
            yield translate(
                "why.climb.pile_empty", colour=translate(f"common.colour.{COLOUR_NAMES[colour]}")
            )
    yield translate("why.climb.bonus")


def _buying(
    definition: ClimbDefinition, state: State, mine: Player, translate: Translator
) -> Iterator[str]:
    deck = definition.tables
    for colour, name in enumerate(COLOUR_NAMES):
        word = translate(f"common.colour.{name}")
        if mine.money < deck.cost[colour]:
            yield translate(
                "why.climb.too_dear", colour=word, cost=deck.cost[colour], money=mine.money
            )
        elif not is_obtainable(state, colour):
            yield translate("why.climb.pile_empty", colour=word)
    if state.solo and not can_turn_in(deck, state, mine):
        yield translate("why.climb.no_turn_in", money=deck.dearest)
    yield translate("why.climb.buy", count=deck.purchases)


def _building(
    definition: ClimbDefinition, state: State, mine: Player, translate: Translator
) -> Iterator[str]:
    deck = definition.tables
    for level in range(deck.build_levels):
        if not has_room(deck, mine, level):
            yield translate("why.climb.level_full", level=level + 1, count=deck.room)
    yield translate("why.climb.build", level=deck.build_levels)


def _deciding(
    definition: ClimbDefinition, state: State, mine: Player, translate: Translator
) -> Iterator[str]:
    deck = definition.tables
    near = mine.marked | reachable_spots(mine)
    for spot in range(SPOTS):
        if near >> spot & 1 and (refused := _refused(definition, state, mine, spot, translate)):
            yield refused
    if any(card != NO_CARD and not near >> spot & 1 for spot, card in enumerate(mine.active)):
        yield _out_of_reach(mine, translate)
    if not has_marker(deck, mine):
        yield translate("why.climb.no_marker", count=deck.black_markers)
    elif black_left(deck, mine) == 0:
        yield translate("why.climb.luck_marks", count=deck.black_markers)
    if mine.luck == 0:
        yield translate("why.climb.no_luck")


def _refused(
    definition: ClimbDefinition, state: State, mine: Player, spot: int, translate: Translator
) -> str:
    """Explain why the roll does not fulfil a card within reach; empty if it does."""
    card = mine.active[spot]
    if mine.marked >> spot & 1:
        return translate("why.climb.once", card=definition.name(card))
    if not is_met(definition.tables, state.outcome, card):
        return translate(
            "why.climb.not_met",
            card=definition.name(card),
            condition=condition_words(definition.printed(card).condition, translate),
        )
    return ""


def _out_of_reach(mine: Player, translate: Translator) -> str:
    """Name the levels of the next card."""
    key = "why.climb.first_level" if mine.reached == NO_LEVEL else "why.climb.next_level"
    return translate(key, level=mine.reached + 1, next=min(mine.reached + 2, LEVELS))


def _pushing(
    definition: ClimbDefinition, state: State, mine: Player, translate: Translator
) -> Iterator[str]:
    for spot in range(SPOTS):
        if mine.marked >> spot & 1 and (
            forced := _must_be_scored(definition, mine, spot, translate)
        ):
            yield forced
    yield translate("why.climb.push")


def _must_be_scored(
    definition: ClimbDefinition, mine: Player, spot: int, translate: Translator
) -> str:
    """Explain why a marked card cannot be pushed; empty if it can."""
    if may_push(definition.tables, mine, spot):
        return ""
    level, card = spot // SLOTS + 1, definition.name(mine.active[spot])
    if level == LEVELS:
        return translate("why.climb.top", card=card)
    return translate(
        "why.climb.above_full", card=card, level=level + 1, count=count_active(mine, level)
    )
