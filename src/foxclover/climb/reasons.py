"""Why something cannot be done now, or must be: what a player who asks is told, from the rules."""

from __future__ import annotations

from collections.abc import Iterator

from foxclover.climb.deck_file import COLOUR_NAMES
from foxclover.climb.layout import black_left, can_turn_in, count_active, has_room
from foxclover.climb.moves import has_marker, is_met, may_push, reachable_places
from foxclover.climb.piles import is_obtainable
from foxclover.climb.state import (
    BONUS,
    BUILDING,
    BUYING,
    IDLE,
    LEVELS,
    NO_CARD,
    NO_CHANCE,
    NO_COLOUR,
    NO_LEVEL,
    OVER,
    PLACES,
    PUSHING,
    ROLLING,
    SLOTS,
    TO_BUILD,
    TO_BUY,
    TO_DECIDE,
    TO_EXCHANGE,
    TO_LEAVE,
    TO_LIFT,
    TO_PLACE,
    TO_PUSH,
    TO_TAKE,
    Player,
    State,
)
from foxclover.climb.tables import ClimbBook
from foxclover.locale import Say


def reasons(book: ClimbBook, state: State, seat: int, say: Say) -> list[str]:
    """Why a seat is not asked, or what it must and cannot do."""
    mine = state.seats[seat]
    if state.phase == OVER:
        return []
    if mine.stage == IDLE:
        return list(_not_asked(book, state, mine, say))
    asked = {
        TO_TAKE: _taking,
        TO_BUY: _buying,
        TO_EXCHANGE: lambda *_: iter([say("why.climb.exchange")]),
        TO_BUILD: _building,
        TO_PLACE: _building,
        TO_DECIDE: _deciding,
        TO_LEAVE: lambda *_: iter([say("why.climb.leave")]),
        TO_PUSH: _pushing,
        TO_LIFT: lambda *_: iter([say("why.climb.lift")]),
    }
    return list(asked[mine.stage](book, state, mine, say))


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
    reachable = reachable_places(mine)
    beyond = False
    for place in range(PLACES):
        card = mine.active[place]
        if card == NO_CARD:
            continue
        if mine.marked >> place & 1:
            yield say("why.climb.once", card=book.name(card))
        elif not reachable >> place & 1:
            beyond = True
        elif not is_met(deck, state.outcome, card):
            yield say("why.climb.not_met", card=book.name(card))
    if beyond:
        key = "why.climb.first_level" if mine.reached == NO_LEVEL else "why.climb.next_level"
        yield say(key, level=mine.reached + 1, next=min(mine.reached + 2, LEVELS))
    if not has_marker(deck, mine):
        yield say("why.climb.no_marker", count=deck.black_markers)
    elif black_left(deck, mine) == 0:
        yield say("why.climb.luck_marks", count=deck.black_markers)
    if mine.luck == 0:
        yield say("why.climb.no_luck")


def _pushing(book: ClimbBook, state: State, mine: Player, say: Say) -> Iterator[str]:
    deck = book.tables
    for place in range(PLACES):
        if mine.marked >> place & 1 and not may_push(deck, mine, place):
            level, card = place // SLOTS + 1, book.name(mine.active[place])
            if level == LEVELS:
                yield say("why.climb.top", card=card)
            else:
                yield say("why.climb.above_full", card=card, level=level + 1, count=count_active(mine, level))
    yield say("why.climb.push")
