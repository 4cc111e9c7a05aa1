"""Why something cannot be done now, or must be: what a player who asks is told, from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from foxclover.climb.deck_file import COLOUR_NAMES
from foxclover.climb.moves import has_marker, is_met, may_push, reachable_spots
from foxclover.climb.piles import bit_of, colour_of, is_obtainable, stack_of
from foxclover.climb.state import (
    BONUS,
    BUILDING,
    BUYING,
    LEVELS,
    NO_CARD,
    NO_CHANCE,
    NO_COLOUR,
    NO_LEVEL,
    OVER,
    PUSHING,
    ROLLING,
    SLOTS,
    SPOTS,
    Player,
    State,
)
from foxclover.climb.tableau import black_left, can_turn_in, count_active, has_room, level_of_scored
from foxclover.climb.tables import ClimbBook
from foxclover.climb.words import STAGES, condition_words
from foxclover.locale import Say


def reasons(book: ClimbBook, state: State, seat: int, say: Say) -> list[str]:
    """Why a seat is not asked, or what it must and cannot do."""
    if state.phase == OVER:
        return []
    mine = state.seats[seat]
    stage = STAGES[mine.stage]
    if stage in ("exchange", "leave", "lift"):
        return [say(f"why.climb.{stage}")]
    asked = {
        "": _not_asked,
        "bonus": _taking,
        "buy": _buying,
        "build": _building,
        "place": _building,
        "decide": _deciding,
        "push": _pushing,
    }
    return list(asked[stage](book, state, mine, say))


def about(book: ClimbBook, state: State, seat: int, thing: str, say: Say) -> list[str] | None:
    """Why one of a seat's cards (``25``) or a level (``#3``) cannot be used now; None: it has no such thing."""
    mine = state.seats[seat]
    card = book.code_of.get(thing, NO_CARD)
    if card != NO_CARD and card in mine.active:
        found = list(_about_active(book, state, mine, mine.active.index(card), say))
    elif card != NO_CARD and any(row[stack_of(card)] & bit_of(card) for row in mine.scored):
        found = list(_about_scored(book, state, mine, card, say))
    elif thing in {f"#{level + 1}" for level in range(LEVELS)}:
        found = list(_about_level(book, mine, int(thing[1:]) - 1, say))
    else:
        return None
    return found or reasons(book, state, seat, say)


def _about_active(
    book: ClimbBook, state: State, mine: Player, spot: int, say: Say
) -> Iterator[str]:
    """What holds for an active card now."""
    name, stage = book.name(mine.active[spot]), STAGES[mine.stage]
    if stage == "decide":
        yield _about_fulfilling(book, state, mine, spot, say)
    elif stage == "push" and not mine.marked >> spot & 1:
        yield say("why.climb.unmarked", card=name)
    elif stage == "push":
        yield _must_be_scored(book, mine, spot, say) or say("why.climb.push")
    elif stage in ("build", "place"):
        yield say("why.climb.lies", card=name)


def _about_fulfilling(book: ClimbBook, state: State, mine: Player, spot: int, say: Say) -> str:
    """Whether a card may be fulfilled by the roll, and why not."""
    deck, card = book.tables, mine.active[spot]
    if not (mine.marked | reachable_spots(mine)) >> spot & 1:
        return _out_of_reach(mine, say)
    if not has_marker(deck, mine):
        return say("why.climb.no_marker", count=deck.black_markers)
    return _refused(book, state, mine, spot, say) or say("why.climb.fulfils", card=book.name(card))


def _about_scored(
    book: ClimbBook, state: State, mine: Player, card: int, say: Say
) -> Iterator[str]:
    """What holds for a scored card now."""
    deck, name, stage = book.tables, book.name(card), STAGES[mine.stage]
    if stage == "buy" and state.solo:
        if not deck.income[stack_of(card)]:
            yield say("why.climb.turn_in.green", card=name)
        elif not can_turn_in(deck, state, mine):
            yield say("why.climb.no_turn_in", money=deck.dearest)
    elif stage == "lift":
        if card == mine.lifter:
            yield say("why.climb.lift.itself", card=name)
        elif level_of_scored(mine, card) == LEVELS - 1:
            yield say("why.climb.lift.top", card=name)
        elif colour_of(card) > colour_of(mine.lifter):
            yield say("why.climb.lift.harder", card=name)
    elif stage != "buy":
        yield say("why.climb.scored", card=name)


def _about_level(book: ClimbBook, mine: Player, level: int, say: Say) -> Iterator[str]:
    """Whether new cards may be laid on a level."""
    deck = book.tables
    if STAGES[mine.stage] in ("build", "place"):
        if level >= deck.build_levels:
            yield say("why.climb.build", level=deck.build_levels)
        elif not has_room(deck, mine, level):
            yield say("why.climb.level_full", level=level + 1, count=deck.room)


def _not_asked(book: ClimbBook, state: State, mine: Player, say: Say) -> Iterator[str]:
    if state.phase == ROLLING and not mine.playing:
        yield say("why.climb.out")
    elif state.chance != NO_CHANCE or state.phase == ROLLING:
        return
    elif state.phase == BUYING:
        yield say("why.climb.no_money.solo" if state.solo else "why.climb.no_money")
    elif state.phase == BUILDING:
        yield say("why.climb.nothing_to_build")
    elif state.phase == PUSHING:
        yield say("why.climb.nothing_to_push")
    elif state.phase == BONUS:
        yield say("why.climb.wait")


def _taking(book: ClimbBook, state: State, mine: Player, say: Say) -> Iterator[str]:
    deck, row = book.tables, state.round - 1
    room = deck.clover - mine.luck
    if room < max(deck.option_luck[row][: deck.options[row]]):
        yield say("why.climb.clover", count=deck.clover, room=room)
    for option in range(deck.options[row]):
        colour = deck.option_colour[row][option]
        if colour != NO_COLOUR and not is_obtainable(state, colour):
            yield say("why.climb.pile_empty", colour=say(f"common.colour.{COLOUR_NAMES[colour]}"))
    yield say("why.climb.bonus")


def _buying(book: ClimbBook, state: State, mine: Player, say: Say) -> Iterator[str]:
    deck = book.tables
    for colour, name in enumerate(COLOUR_NAMES):
        word = say(f"common.colour.{name}")
        if mine.money < deck.cost[colour]:
            yield say("why.climb.too_dear", colour=word, cost=deck.cost[colour], money=mine.money)
        elif not is_obtainable(state, colour):
            yield say("why.climb.pile_empty", colour=word)
    if state.solo and not can_turn_in(deck, state, mine):
        yield say("why.climb.no_turn_in", money=deck.dearest)
    yield say("why.climb.buy", count=deck.purchases)


def _building(book: ClimbBook, state: State, mine: Player, say: Say) -> Iterator[str]:
    deck = book.tables
    for level in range(deck.build_levels):
        if not has_room(deck, mine, level):
            yield say("why.climb.level_full", level=level + 1, count=deck.room)
    yield say("why.climb.build", level=deck.build_levels)


def _deciding(book: ClimbBook, state: State, mine: Player, say: Say) -> Iterator[str]:
    deck = book.tables
    near = mine.marked | reachable_spots(mine)
    for spot in range(SPOTS):
        if near >> spot & 1 and (refused := _refused(book, state, mine, spot, say)):
            yield refused
    if any(card != NO_CARD and not near >> spot & 1 for spot, card in enumerate(mine.active)):
        yield _out_of_reach(mine, say)
    if not has_marker(deck, mine):
        yield say("why.climb.no_marker", count=deck.black_markers)
    elif black_left(deck, mine) == 0:
        yield say("why.climb.luck_marks", count=deck.black_markers)
    if mine.luck == 0:
        yield say("why.climb.no_luck")


def _refused(book: ClimbBook, state: State, mine: Player, spot: int, say: Say) -> str:
    """Why the roll does not fulfil a card within reach; empty if it does."""
    card = mine.active[spot]
    if mine.marked >> spot & 1:
        return say("why.climb.once", card=book.name(card))
    if not is_met(book.tables, state.outcome, card):
        return say(
            "why.climb.not_met",
            card=book.name(card),
            condition=condition_words(book.printed(card).condition, say),
        )
    return ""


def _out_of_reach(mine: Player, say: Say) -> str:
    """Which levels the next card lies on."""
    key = "why.climb.first_level" if mine.reached == NO_LEVEL else "why.climb.next_level"
    return say(key, level=mine.reached + 1, next=min(mine.reached + 2, LEVELS))


def _pushing(book: ClimbBook, state: State, mine: Player, say: Say) -> Iterator[str]:
    for spot in range(SPOTS):
        if mine.marked >> spot & 1 and (forced := _must_be_scored(book, mine, spot, say)):
            yield forced
    yield say("why.climb.push")


def _must_be_scored(book: ClimbBook, mine: Player, spot: int, say: Say) -> str:
    """Why a marked card cannot be pushed; empty if it can."""
    if may_push(book.tables, mine, spot):
        return ""
    level, card = spot // SLOTS + 1, book.name(mine.active[spot])
    if level == LEVELS:
        return say("why.climb.top", card=card)
    return say("why.climb.above_full", card=card, level=level + 1, count=count_active(mine, level))
