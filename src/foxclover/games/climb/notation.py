"""Moves of Geht noch was? as short texts, both ways, keys of its dice, and names of its features.

Cards have their printed number, in a second copy with a ``b``; levels run from 1 to 5::

    take 2 luck, take 1 luck + green         the bonus of the round
    buy green, keep, exchange                a purchase
    turn in 35                               a card for money (solo rules)
    build 35 on 2                            place a new card on level 2
    done                                     no more purchases, or pushes of scored cards
    fulfil 35, pay, fail                     on a roll
    stay, out                                after it
    push 35, score 35                        a marked card
    lift 35                                  a scored card (solo rules)
    B1336 R225                               a roll (chance)
    card 35b                                 a drawn card (chance), here of the second copy
    begins 2                                 the start player (chance)
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Literal, NamedTuple

from foxclover.core.contract import Bounds, Feature, KeyedRandom
from foxclover.core.errors import UnreadableMove
from foxclover.core.rules import CHANCE, NO_MOVE, ROLL_DUE, START_PLAYER_DUE
from foxclover.core.setup import expected_start_player, parse_start_player, start_player_text
from foxclover.games.climb.conditions import BLUE_DICE, DICE, RED_DICE, dice_of, outcome_of
from foxclover.games.climb.definitions import COLOUR_NAMES, ClimbDefinition
from foxclover.games.climb.rules.moves import (
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
    TAKE,
    TURN_IN,
)
from foxclover.games.climb.rules.state import (
    CARDS,
    CLOVER,
    CODES,
    COLOURS,
    COPIES,
    FOR_CONSOLATION,
    LEVELS,
    NO_CARD,
    NO_COLOUR,
    NO_LEVEL,
    OUTCOMES,
    OVER,
    ROLLS_OF_ROUND,
    ROUNDS,
    SEATS,
    SEATS_OF_COPY,
    SLOTS,
    SPOTS,
    TO_LIFT,
    WAITING,
    Player,
    State,
    bit_of,
    copies,
    count_shuffled,
    first_under,
    nth_shuffled,
    stack_of,
)
from foxclover.games.climb.rules.table import is_chance_move
from foxclover.locale import LazyMessage, lazy_message

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

SINGLE: dict[int, MoveKind] = {
    KEEP: "keep",
    EXCHANGE: "exchange",
    DONE: "done",
    PAY: "pay",
    FAIL: "fail",
    STAY: "stay",
    LEAVE: "out",
}
WITH_CARD: dict[int, MoveKind] = {
    FULFIL: "fulfil",
    PUSH: "push",
    SCORE: "score",
    TURN_IN: "turn_in",
    LIFT: "lift",
}
VERBS = (
    "take",
    "buy",
    "build",
    *SINGLE.values(),
    *(kind.replace("_", "") for kind in WITH_CARD.values()),
)

_READABLE = re.compile(
    r"take\d*[a-z+]*|buy[a-z]+|build\d+b?(o|on\d?)?|(fulfil|push|score|turnin|lift)\d+b?"
)
_ROLL = re.compile(rf"b(?P<blue>[1-6]{{{BLUE_DICE}}})r(?P<red>[1-6]{{{RED_DICE}}})")
_BARE_ROLL = re.compile(rf"(?P<blue>[1-6]{{{BLUE_DICE}}})(?P<red>[1-6]{{{RED_DICE}}})")


def is_readable(text: str) -> bool:
    """Return whether a text could be a player's move, or the beginning of one."""
    return _READABLE.fullmatch(text) is not None or any(verb.startswith(text) for verb in VERBS)


@cache
def move_group(move: int) -> int:
    """Return the first move of the group that a move with a card belongs to."""
    return max(first for first in WITH_CARD if first <= move)


def card_and_level(state: State, seat: int, move: int) -> tuple[int, int]:
    """Return the card of a move, and its level after the move.

    Moves without a card have ``NO_CARD`` and ``NO_LEVEL``.
    """
    mine = state.seats[seat]
    if move in (KEEP, EXCHANGE):
        return mine.waiting[mine.waiting_count - 1], NO_LEVEL
    if move < BUILD:
        return NO_CARD, NO_LEVEL
    if move < FULFIL:
        return mine.waiting[(move - BUILD) // LEVELS], (move - BUILD) % LEVELS
    first = move_group(move)
    if first >= TURN_IN:
        card = move - first
        level = next(
            level for level in range(LEVELS) if mine.scored[level][stack_of(card)] & bit_of(card)
        )
        return card, level + (first == LIFT)
    spot = move - first
    return mine.active[spot], spot // SLOTS + (first == PUSH)


class Occasion(NamedTuple):
    """The part of a position that the text of a player's move depends on."""

    round: int
    stage: int
    card: int  # that the move touches
    level: int  # of that card after the move


def occasion(state: State, seat: int, move: int) -> Occasion:
    """Return the occasion of a player's move."""
    return Occasion(state.round, state.seats[seat].stage, *card_and_level(state, seat, move))


def move_text(definition: ClimbDefinition, state: State, seat: int, move: int) -> str:
    """Return the canonical text of a legal move."""
    if seat == CHANCE:
        return chance_text(definition, state, move)
    return player_text(definition, occasion(state, seat, move), move)


def player_text(definition: ClimbDefinition, when: Occasion, move: int) -> str:
    """Return the canonical text of a player's move."""
    if move in SINGLE:
        return SINGLE[move]
    if move < BUY:
        luck, colour = bonus_of(definition, when.round, move)
        return f"take {luck} luck" + (f" + {colour}" if colour else "")
    if move < KEEP:
        return f"buy {COLOUR_NAMES[move - BUY]}"
    if move < FULFIL:
        return f"build {definition.name(when.card)} on {when.level + 1}"
    return f"{card_verb(move)} {definition.name(when.card)}"


def card_verb(move: int) -> str:
    """Return the verb of a move with a card."""
    return WITH_CARD[move_group(move)].replace("_", " ")


def bonus_of(definition: ClimbDefinition, number: int, option: int) -> tuple[int, str]:
    """Return the luck and the card colour ("" for none) of a bonus of a round."""
    row = number - 1
    colour = definition.tables.option_colour[row][option]
    return definition.tables.option_luck[row][option], "" if colour == NO_COLOUR else COLOUR_NAMES[
        colour
    ]


def chance_text(definition: ClimbDefinition, state: State, move: int) -> str:
    """Return the text of a roll, of a drawn card, or of the start player."""
    if state.chance == START_PLAYER_DUE:
        return start_player_text(move)
    if state.chance != ROLL_DUE:
        return f"card {definition.name(move)}"
    blue, red = dice_of(move)
    return f"B{''.join(map(str, blue))} R{''.join(map(str, red))}"


def parse_chance(definition: ClimbDefinition, state: State, text: str) -> int:
    """Read a roll, the number of a drawn card, or the start player.

    The dice of a roll may have any order, or be seven numbers with the blue ones first. The
    outcome need not be possible here. Raises ``UnreadableMove``.
    """
    if state.chance == START_PLAYER_DUE:
        return parse_start_player(text, state.players)
    bare = re.sub(r"[\s,]+", "", text.lower())
    if state.chance == ROLL_DUE:
        return _parse_roll(bare, text)
    found = re.fullmatch(r"(card)?0*(\d{1,3}b?)", bare)
    if found is None:
        raise UnreadableMove(
            text, wanted=lazy_message("expected.card", colour=_colour_due(state, "dative"))
        )
    return definition.code_of.get(found[2], NO_MOVE)


def _parse_roll(bare: str, text: str) -> int:
    found = _ROLL.fullmatch(bare) or _BARE_ROLL.fullmatch(bare)
    if found:
        return outcome_of(map(int, found["blue"]), map(int, found["red"]))
    if re.fullmatch(r"(b\d*)?(r\d*)?|\d+", bare):
        return NO_MOVE
    raise UnreadableMove(text, wanted=_expected_roll())


def expected_chance(definition: ClimbDefinition, state: State) -> LazyMessage:
    """Describe the outcomes of the chance move due."""
    if state.chance == START_PLAYER_DUE:
        return expected_start_player(state.players)
    if state.chance == ROLL_DUE:
        return _expected_roll()
    possible = sorted(
        (definition.tables.number[code], name)
        for name, code in definition.code_of.items()
        if is_chance_move(definition.tables, state, code)
    )
    return lazy_message(
        "expected.possible_card",
        colour=_colour_due(state, "adjective"),
        cards=", ".join(name for _, name in possible),
    )


def _expected_roll() -> LazyMessage:
    return lazy_message("expected.two_colours", blue=BLUE_DICE, red=RED_DICE)


def _colour_due(state: State, form: str) -> LazyMessage:
    return lazy_message(f"common.colour.{COLOUR_NAMES[state.draw_colour]}.{form}")


def chance(definition: ClimbDefinition, state: State, keyed_random: KeyedRandom) -> int:
    """Return the chance move that is due."""
    if state.chance == START_PLAYER_DUE:
        return min(range(state.players), key=lambda seat: keyed_random.rank(f"lot/{seat}"))
    if state.chance == ROLL_DUE:
        where = f"roll/{state.round}/{state.roll + 1}"
        blue = [keyed_random.face(f"{where}/blue {die}") for die in range(BLUE_DICE)]
        return outcome_of(
            blue, [keyed_random.face(f"{where}/red {die}") for die in range(RED_DICE)]
        )
    count = count_shuffled(state, state.draw_colour)
    if count == 0:
        return first_under(state, state.draw_colour)
    cards = [nth_shuffled(state, state.draw_colour, n) for n in range(count)]
    return min(cards, key=lambda card: keyed_random.rank(_key_of(definition, card)))


def _key_of(definition: ClimbDefinition, card: int) -> str:
    """Return the key of a card: its colour and number, and its copy for the second one."""
    copy, colour = divmod(card // 64, COLOURS)
    return f"card/{COLOUR_NAMES[colour]}/{definition.tables.number[card]}" + (
        f"/{copy}" if copy else ""
    )


# -- features, moves and bounds, for learning and for states from outside

MOST_ROLLS = 100
MOST_MONEY = 1000
PER_MILLE = 1000
MOST_NUMBER = 999  # printed on a card


def point_bounds(definition: ClimbDefinition, players: int) -> tuple[int, int]:
    """Return bounds of the score: no marker of any round does less than it could.

    A card that is scored above the levels for new cards took a marker for each level. By the solo
    rules cards that are scored rise too, and sets of the colours count.
    """
    deck = definition.tables
    markers = deck.rounds * (deck.black_markers + deck.clover)
    dearest = max(deck.points)
    star = max(
        markers * factor // max(1, level - deck.build_levels + 2)
        for level, factor in enumerate(deck.factor[0])
    )
    solo = markers * max(deck.factor[1]) * dearest + markers // COLOURS * deck.set_points
    most = max(star * dearest, solo) if players <= SEATS_OF_COPY else star * dearest
    return 0, most + deck.clover


def name_features(definition: ClimbDefinition, players: int) -> list[Feature]:
    """Name what a seat sees: the table, then the tableaus, its own first."""
    cards, most = CARDS * copies(players), point_bounds(definition, players)[1]
    return [
        *name_table(definition, players),
        *(
            feature
            for turn in range(players)
            for feature in _tableau(f"tableau{turn}", cards, most)
        ),
    ]


def name_table(definition: ClimbDefinition, players: int) -> Iterator[Feature]:
    """Name what all seats see."""
    cards = CARDS * copies(players)
    bounds = {
        "round": ROUNDS,
        "phase": OVER,
        "roll": MOST_ROLLS,
        "solo rules": 1,
        "luck in supply": cards,
        "multipliers in supply": cards,
        "cards given back": cards,
        "fairy": players - 1,
        **{f"{colour} pile": cards for colour in COLOUR_NAMES},
    }
    for name, most in bounds.items():
        yield Feature(name, 0, most)
    for colour, count in (("blue", BLUE_DICE), ("red", RED_DICE)):
        for die in range(count):
            yield Feature(f"{colour} die {die + 1} face, the lowest first", 0, 6)


def _tableau(owner: str, cards: int, most_points: int) -> Iterator[Feature]:
    bounds = {
        "stage": TO_LIFT,
        "playing": 1,
        "luck": CLOVER,
        "level reached": LEVELS,
        "money": MOST_MONEY,
        "bought": CARDS,
        "lifts": CARDS,
        "total points": most_points,
    }
    for name, most in bounds.items():
        yield Feature(f"{owner} {name}", 0, most)
    for n in range(WAITING):
        yield from _card(f"{owner} waiting {n + 1}")
    for spot in range(SPOTS):
        where = f"{owner} level {spot // SLOTS + 1} slot {spot % SLOTS + 1}"
        yield from _card(where)
        for mark in ("marked", "marked by luck", "fulfilled by this roll"):
            yield Feature(f"{where} {mark}", 0, 1)
    for level in range(LEVELS):
        for colour in COLOUR_NAMES:
            yield Feature(f"{owner} level {level + 1} {colour} scored", 0, 4 * cards)


def _card(where: str) -> Iterator[Feature]:
    yield Feature(f"{where} colour (0 no card)", 0, COLOURS)
    yield Feature(f"{where} number", 0, MOST_NUMBER)
    yield Feature(f"{where} fulfilling rolls in a thousand", 0, PER_MILLE)


def player_moves(definition: ClimbDefinition, players: int) -> list[int]:
    """Return every move that a player may make in some position, in ascending order."""
    deck = definition.tables
    cards = [
        64 * stack + n
        for stack in range(COLOURS * copies(players))
        for n in range(64)
        if deck.cards[stack] >> n & 1
    ]
    return [
        *range(TAKE, TURN_IN),
        *(TURN_IN + card for card in cards),
        *(LIFT + card for card in cards),
    ]


def name_move(definition: ClimbDefinition, move: int) -> str:
    """Return a text for a move that no other move has in any position."""
    if move < BUY:
        return f"take bonus {move - TAKE + 1}"
    if move in SINGLE:
        return SINGLE[move]
    if move < BUILD:
        return f"buy {COLOUR_NAMES[move - BUY]}"
    if move < FULFIL:
        card, level = divmod(move - BUILD, LEVELS)
        return f"build waiting {card + 1} on {level + 1}"
    first = move_group(move)
    if first in (TURN_IN, LIFT):
        return f"{card_verb(move)} {definition.name(move - first)}"
    level, slot = divmod(move - first, SLOTS)
    return f"{card_verb(move)} level {level + 1} slot {slot + 1}"


def dice_due(state: State) -> int:
    """Return how many dice are rolled next."""
    return DICE


CARD = (0, CODES - 1)
MASK_OF_CARDS = (0, (1 << 63) - 1)
MASK_OF_SEATS = (0, (1 << SEATS) - 1)
MASK_OF_SPOTS = (0, (1 << SPOTS) - 1)
MARKERS = (0, 100 * COPIES)  # a deck may have 100 of a kind
COUNT = (0, 1_000)

BOUNDS: Bounds = {
    State: {
        "players": (0, 99),  # how many may play is asked of the game
        "solo": (0, 1),
        "round": (0, ROUNDS),
        "first": (0, SEATS - 1),
        "fairy": (0, SEATS - 1),
        "phase": (0, OVER),
        "chance": (0, START_PLAYER_DUE),
        "busy": MASK_OF_SEATS,
        "exchanging": MASK_OF_SEATS,
        "roll": (0, ROLLS_OF_ROUND),
        "outcome": (0, OUTCOMES - 1),
        "draw_seat": (0, SEATS - 1),
        "draw_colour": (0, COLOURS - 1),
        "draw_reason": (0, FOR_CONSOLATION),
        "given_back": (0, COPIES * CARDS),
        "supply": MARKERS,
        "multipliers": MARKERS,
        "under_count": (0, COPIES * CARDS),
        "under": CARD,
        "shuffled": MASK_OF_CARDS,
        "tripled": MASK_OF_CARDS,
        "fourfold": MASK_OF_CARDS,
    },
    Player: {
        "stage": (0, TO_LIFT),
        "playing": (0, 1),
        "luck": (0, CLOVER),
        "reached": (-1, LEVELS - 1),
        "marked": MASK_OF_SPOTS,
        "lucky": MASK_OF_SPOTS,
        "money": (0, 1_000_000),
        "bought": COUNT,
        "lifts": COUNT,
        "lifter": CARD,
        "waiting_count": (0, WAITING),
        "waiting": CARD,
        "active": CARD,
        "scored": MASK_OF_CARDS,
    },
}
