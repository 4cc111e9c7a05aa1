"""Positions of Geht noch was? as text, see ``docs/notation.md``.

A text contains the cards, markers and luck that are in sight. The piles, the supply and the lucky
fairy follow from it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from foxclover.core.errors import quote
from foxclover.core.position_text import Section, join, word
from foxclover.core.rules import NO_CHANCE, ROLL_DUE, START_PLAYER_DUE
from foxclover.core.setup import Setup
from foxclover.games.climb.conditions import BLUE_DICE, RED_DICE, dice_of, outcome_of
from foxclover.games.climb.definitions import COLOUR_NAMES, ClimbDefinition
from foxclover.games.climb.rules.state import (
    BONUS,
    BUILDING,
    BUYING,
    CARDS,
    COPIES,
    DRAW_DUE,
    FOR_BONUS,
    FOR_CONSOLATION,
    FOR_PURCHASE,
    FOURFOLD,
    IDLE,
    LEVELS,
    NO_CARD,
    NO_LEVEL,
    OVER,
    PLACING,
    PUSHING,
    ROLLING,
    ROLLS_OF_ROUND,
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
    TRIPLE,
    WAITING,
    Player,
    State,
    bit_of,
    copies,
    pile_size,
    stack_of,
    stacks,
)
from foxclover.games.climb.rules.tableau import black_left, can_lift, count_active
from foxclover.games.climb.text import REASONS, STAGES
from foxclover.locale import lazy_message

PHASES = {
    "placing": PLACING,
    "bonus": BONUS,
    "buying": BUYING,
    "building": BUILDING,
    "rolling": ROLLING,
    "pushing": PUSHING,
    "over": OVER,
}
DUE = {"": NO_CHANCE, "roll": ROLL_DUE, "draw": DRAW_DUE, "lot": START_PLAYER_DUE}
STAGE_NUMBERS = {str(name): number for number, name in STAGES.items()}
REASON_NUMBERS = {str(name): number for number, name in REASONS.items()}
STAGES_OF_PHASE = {
    PLACING: {TO_PLACE},
    BONUS: {TO_TAKE},
    BUYING: {TO_BUY, TO_EXCHANGE},
    BUILDING: {TO_BUILD},
    ROLLING: {TO_DECIDE, TO_LEAVE},
    PUSHING: {TO_PUSH, TO_LIFT},
    OVER: set[int](),
}
REASON_OF_PHASE = {BONUS: FOR_BONUS, BUYING: FOR_PURCHASE, ROLLING: FOR_CONSOLATION}
BLACK, LUCKY, EMPTY = "!", "*", "-"  # a marker behind a card, a free spot
MULTIPLIED = {"": 1, f"x{TRIPLE}": TRIPLE, f"x{FOURFOLD}": FOURFOLD}
MOST_MONEY = 100_000
_ROLL = re.compile(rf"b([1-6]{{{BLUE_DICE}}})r([1-6]{{{RED_DICE}}})")


# -- write


def write(definition: ClimbDefinition, state: State) -> list[list[str]]:
    """Return the words of the table, then those of each player."""
    phase = next(name for name, number in PHASES.items() if number == state.phase)
    due = next(name for name, number in DUE.items() if number == state.chance)
    blue, red = ("".join(map(str, dice)) for dice in dice_of(state.outcome))
    reason, colour = REASONS[state.draw_reason], COLOUR_NAMES[state.draw_colour]
    draw = (state.draw_seat + 1, colour, reason) if state.chance == DRAW_DUE else ()
    known = state.under[: state.under_count]
    table = [
        f"round:{state.round}",
        f"phase:{phase}",
        *word("due", due, ""),
        *join("draw", draw),
        *word("roll", state.roll),
        *(word("dice", f"B{blue}R{red}") if state.roll else []),
        *word("exchanged", state.given_back),
        *join("under", [definition.name(card) for card in known]),
    ]
    return [
        table,
        *(_write_player(definition, state, mine) for mine in state.seats[: state.players]),
    ]


def _write_player(definition: ClimbDefinition, state: State, mine: Player) -> list[str]:
    words = [
        *word("stage", STAGES[mine.stage], ""),
        *(["marker:in"] if mine.playing else []),
        *word("luck", mine.luck),
        *word("reached", mine.reached + 1),
    ]
    for level in range(LEVELS):
        spots = [_spot(definition, mine, level * SLOTS + slot) for slot in range(SLOTS)]
        while spots and spots[-1] == EMPTY:
            spots.pop()
        words += join(str(level + 1), spots)
    for level in range(LEVELS):
        scored = [
            definition.name(64 * stack + n) + _times(state, stack, n)
            for stack in range(stacks(state))
            for n in range(mine.scored[level][stack].bit_length())
            if mine.scored[level][stack] >> n & 1
        ]
        words += join(f"s{level + 1}", scored)
    waiting = [definition.name(card) for card in mine.waiting[: mine.waiting_count]]
    lifts = (mine.lifts, definition.name(mine.lifter)) if mine.lifts else ()
    return [
        *words,
        *join("new", waiting),
        *word("money", mine.money),
        *word("bought", mine.bought),
        *join("lifts", lifts),
    ]


def _spot(definition: ClimbDefinition, mine: Player, spot: int) -> str:
    if mine.active[spot] == NO_CARD:
        return EMPTY
    marker = LUCKY if mine.lucky >> spot & 1 else BLACK if mine.marked >> spot & 1 else ""
    return definition.name(mine.active[spot]) + marker


def _times(state: State, stack: int, n: int) -> str:
    if state.tripled[stack] >> n & 1:
        return f"x{TRIPLE}"
    return f"x{FOURFOLD}" if state.fourfold[stack] >> n & 1 else ""


# -- read


def read(
    definition: ClimbDefinition, table: Section, players: Sequence[Section], setup: Setup
) -> State:
    """Build the state from its words; raises ``PositionError``."""
    reader = _Reader(definition, table, players, setup)
    reader.read_table()
    for seat, words in enumerate(players):
        reader.read_player(words, reader.state.seats[seat])
    reader.count()
    reader.read_draw()
    for seat, words in enumerate(players):
        reader.check_player(words, seat)
    return reader.state


class _Reader:
    """Build a state, with every card in one place."""

    def __init__(
        self, definition: ClimbDefinition, table: Section, players: Sequence[Section], setup: Setup
    ) -> None:
        self.definition = definition
        self.table = table
        self.players = players
        self.state = State()
        self.state.players = len(players)
        self.state.solo = int(len(players) == 1 or bool(setup.options[:1] == ("solo_rules",)))
        self.state.first = setup.start_player
        for stack in range(stacks(self.state)):
            self.state.shuffled[stack] = definition.tables.cards[stack]

    def read_table(self) -> None:
        table, state, deck = self.table, self.state, self.definition.tables
        state.phase = table.choice("phase", PHASES, "rolling")
        state.chance = table.choice("due", DUE)
        least = 0 if state.phase == PLACING or state.chance == START_PLAYER_DUE else 1
        state.round = table.number("round", least, deck.rounds if least else 0, least)
        state.fairy = (state.first + max(state.round - 1, 0)) % state.players
        state.roll = table.number("roll", 0, ROLLS_OF_ROUND, 0)
        if state.roll:
            text = table.take("dice")
            found = _ROLL.fullmatch(text)
            if found is None:
                raise table.error("dice", lazy_message("position.roll", text=quote(text)))
            state.outcome = outcome_of(map(int, found[1]), map(int, found[2]))
        state.given_back = table.number("exchanged", 0, COPIES * CARDS, 0)
        for name in table.items("under"):
            state.under[state.under_count] = self.card(table, "under", name)
            state.under_count += 1
        if state.phase == OVER and state.round != deck.rounds:
            raise table.error("phase", lazy_message("position.not_over"))
        waits = {
            PLACING: (NO_CHANCE,),
            BONUS: (NO_CHANCE, DRAW_DUE),
            BUYING: (NO_CHANCE, DRAW_DUE),
            ROLLING: (NO_CHANCE, ROLL_DUE, DRAW_DUE),
        }
        before = state.chance == START_PLAYER_DUE and state.round == 0
        if not before and state.chance not in waits.get(state.phase, (NO_CHANCE,)):
            raise table.error("due", lazy_message("position.due"))

    def read_draw(self) -> None:
        table, state = self.table, self.state
        items = table.items("draw")
        if state.chance != DRAW_DUE and not items:
            return
        if state.chance != DRAW_DUE or len(items) != 3:
            raise table.error("draw", lazy_message("position.draw"))
        colours = {name: number for number, name in enumerate(COLOUR_NAMES)}
        state.draw_seat = table.as_number("draw", items[0], 1, state.players) - 1
        state.draw_colour = table.as_choice("draw", items[1], colours)
        state.draw_reason = table.as_choice("draw", items[2], REASON_NUMBERS)
        if REASON_OF_PHASE[state.phase] != state.draw_reason:
            raise table.error("draw", lazy_message("position.draw"))
        if pile_size(state, state.draw_colour) == 0:
            raise table.error("draw", lazy_message("position.no_cards", colour=items[1]))

    def card(self, words: Section, word: str, name: str) -> int:
        """Take a card from the piles."""
        card = self.definition.code_of.get(name, NO_CARD)
        if card == NO_CARD or stack_of(card) >= stacks(self.state):
            raise words.error(word, lazy_message("position.no_card", text=quote(name)))
        if not self.state.shuffled[stack_of(card)] & bit_of(card):
            raise words.error(word, lazy_message("position.card_twice", card=name))
        self.state.shuffled[stack_of(card)] &= ~bit_of(card)
        return card

    def read_player(self, words: Section, mine: Player) -> None:
        deck = self.definition.tables
        mine.stage = words.choice("stage", STAGE_NUMBERS)
        mine.playing = words.choice("marker", {"": 0, "out": 0, "in": 1})
        mine.luck = words.number("luck", 0, deck.clover, 0)
        mine.reached = words.number("reached", 0, LEVELS, 0) + NO_LEVEL
        for level in range(LEVELS):
            self.read_level(words, mine, level)
        for level in range(LEVELS):
            self.read_scored(words, mine, level)
        waiting = words.items("new")
        if len(waiting) > WAITING:
            raise words.error("new", lazy_message("position.full", count=WAITING))
        for name in waiting:
            mine.waiting[mine.waiting_count] = self.card(words, "new", name)
            mine.waiting_count += 1
        mine.money = words.number("money", 0, MOST_MONEY, 0)
        mine.bought = words.number("bought", 0, deck.purchases, 0)
        lifts = words.items("lifts")
        if lifts:
            mine.lifts = words.as_number("lifts", lifts[0], 1, max(deck.lifts))
            card = self.definition.code_of.get(",".join(lifts[1:]), NO_CARD)
            if not any(row[stack_of(card)] & bit_of(card) for row in mine.scored):
                raise words.error("lifts", lazy_message("position.lifter"))
            mine.lifter = card

    def read_level(self, words: Section, mine: Player, level: int) -> None:
        name, deck = str(level + 1), self.definition.tables
        spots = words.items(name)
        if len(spots) > SLOTS:
            raise words.error(name, lazy_message("position.full", count=SLOTS))
        for slot, text in enumerate(spots):
            if text == EMPTY:
                continue
            spot = level * SLOTS + slot
            mine.active[spot] = self.card(words, name, text.rstrip(BLACK + LUCKY))
            mine.marked |= (text[-1] in (BLACK, LUCKY)) << spot
            mine.lucky |= (text[-1] == LUCKY) << spot
        if count_active(mine, level) > deck.room:
            raise words.error(name, lazy_message("position.full", count=deck.room))

    def read_scored(self, words: Section, mine: Player, level: int) -> None:
        word, state = f"s{level + 1}", self.state
        for text in words.items(word):
            name, sign, times = text.partition("x")
            number = words.as_choice(word, sign + times, MULTIPLIED)
            card = self.card(words, word, name)
            mine.scored[level][stack_of(card)] |= bit_of(card)
            if number == TRIPLE:
                state.tripled[stack_of(card)] |= bit_of(card)
            elif number == FOURFOLD:
                state.fourfold[stack_of(card)] |= bit_of(card)

    def count(self) -> None:
        """Set what is left in the supply, and who is to act."""
        state, deck = self.state, self.definition.tables
        seats = state.seats[: state.players]
        luck = sum(mine.luck + mine.lucky.bit_count() for mine in seats)
        marked = sum(mask.bit_count() for mask in (*state.tripled, *state.fourfold))
        number = copies(state.players)
        state.supply = deck.luck * number - luck
        state.multipliers = deck.multipliers * number - marked
        if state.supply < 0:
            problem = lazy_message("position.luck", found=luck, most=deck.luck * number)
            raise self.table.error("", problem)
        if state.multipliers < 0:
            most = deck.multipliers * number
            problem = lazy_message("position.multipliers", found=marked, most=most)
            raise self.table.error("", problem)
        for seat, mine in enumerate(seats):
            state.busy |= (mine.stage != IDLE) << seat
            if mine.stage == TO_EXCHANGE and state.chance == NO_CHANCE:
                state.exchanging |= 1 << seat

    def check_player(self, words: Section, seat: int) -> None:
        state, mine = self.state, self.state.seats[seat]
        if mine.stage != IDLE and mine.stage not in STAGES_OF_PHASE[state.phase]:
            names = ", ".join(STAGES[stage] for stage in sorted(STAGES_OF_PHASE[state.phase]))
            problem = lazy_message("position.choice", names=names, text=STAGES[mine.stage])
            raise words.error("stage", problem)
        if black_left(self.definition.tables, mine) < 0:
            most = self.definition.tables.black_markers
            raise words.error("", lazy_message("position.black", most=most))
        needs = {
            TO_EXCHANGE: state.chance == DRAW_DUE
            or (mine.waiting_count > 0 and state.exchanging == 1 << seat),
            TO_DECIDE: state.roll > 0,
            TO_LEAVE: state.roll > 0,
            TO_LIFT: can_lift(state, mine),
        }
        if not needs.get(mine.stage, True):
            raise words.error("stage", lazy_message("position.no_move"))
