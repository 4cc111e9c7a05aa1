"""Exact odds for people and programs: of a condition, of a set of cards, of a player's next roll, and of staying in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foxclover.climb.conditions import ROLLS, fulfilling, hits, parse, write
from foxclover.climb.moves import reachable_spots
from foxclover.climb.piles import stack_of
from foxclover.climb.solver import (
    SUBSETS,
    failing_rolls,
    list_spots,
    solve_rolling,
    value_of_leaving,
    value_of_rolling,
)
from foxclover.climb.state import LEVELS, ROLLING, SLOTS, SPOTS, Player, State
from foxclover.climb.tables import ClimbBook
from foxclover.climb.words import card_words, condition_words
from foxclover.contract import CardOdds as CardChance
from foxclover.contract import NextRoll
from foxclover.locale import Say, say_number


@dataclass(frozen=True)
class Odds:
    """How many of the 279,936 rolls fulfil something."""

    text: str
    hits: int
    of: int = ROLLS

    @property
    def probability(self) -> float:
        """The share of the rolls."""
        return self.hits / self.of


@dataclass(frozen=True)
class CardOdds:
    """A card that may be the next one fulfilled, by what it is called and its level (from 1)."""

    card: str
    level: int
    odds: Odds


@dataclass(frozen=True)
class Stakes:
    """Expected points of the round, luck included, for staying in and for going out."""

    stay: float
    leave: float


@dataclass(frozen=True)
class PositionOdds:
    """A player's next roll: each card within reach, and the rolls that fulfil none of them."""

    cards: tuple[CardOdds, ...]
    fail: Odds


def condition_odds(text: str) -> Odds:
    """Odds of a condition in the notation of the cards; raises ``ConditionError``."""
    condition = parse(text)
    return Odds(write(condition), hits(fulfilling(condition)))


def say_condition(text: str, say: Say) -> str:
    """A condition in words; raises ``ConditionError``."""
    return condition_words(parse(text), say)


def any_odds(texts: Iterable[str]) -> Odds:
    """Odds that a roll fulfils at least one of some conditions."""
    conditions = [parse(text) for text in texts]
    outcomes = 0
    for condition in conditions:
        outcomes |= fulfilling(condition)
    return Odds(" | ".join(map(write, conditions)), hits(outcomes))


def position_odds(book: ClimbBook, state: State, seat: int) -> PositionOdds:
    """Odds of the next roll for a player who stays in."""
    mine = state.seats[seat]
    reachable = reachable_spots(mine)
    cards = []
    for spot in range(SPOTS):
        if reachable >> spot & 1:
            code = mine.active[spot]
            odds = Odds(book.printed(code).text, book.tables.hits[code])
            cards.append(CardOdds(book.name(code), spot // SLOTS + 1, odds))
    fail = Odds("", failing_rolls(book.tables, mine))
    return PositionOdds(tuple(cards), fail)


def next_roll(book: ClimbBook, state: State, seat: int) -> NextRoll | None:
    """A player's chances on the next roll; None while he is not rolling."""
    if state.phase != ROLLING or not state.seats[seat].playing:
        return None
    found = position_odds(book, state, seat)
    return NextRoll(
        tuple(CardChance(card.card, card.odds.probability) for card in found.cards),
        found.fail.probability,
    )


def next_roll_words(book: ClimbBook, state: State, seat: int, say: Say) -> list[str]:
    """The same in lines, with what staying in and going out are worth; none while he is not rolling."""
    if state.phase != ROLLING or not state.seats[seat].playing:
        return []
    found = position_odds(book, state, seat)
    lines = [
        say(
            "climb.odds.card",
            level=card.level,
            card=card_words(book, book.code_of[card.card], say),
            percent=_percent(card.odds, say),
        )
        for card in found.cards
    ]
    lines.append(say("climb.odds.fail", percent=_percent(found.fail, say)))
    if state.roll:
        worth = position_stakes(book, state, seat)
        stay, leave = (say_number(points, ".1f", say) for points in (worth.stay, worth.leave))
        lines.append(say("climb.odds.stakes", stay=stay, leave=leave))
    return lines


def _percent(odds: Odds, say: Say) -> str:
    return say_number(100 * odds.probability, "5.1f", say)


def position_stakes(book: ClimbBook, state: State, seat: int) -> Stakes:
    """What staying in and going out are worth to a player if all that is fulfilled is scored at once."""
    mine = state.seats[seat]
    return stakes(book, mine, points_worth(book, state, mine))


def points_worth(book: ClimbBook, state: State, mine: Player) -> list[float]:
    """The simplest worth of a marker on each spot: the points of the card if it is scored there."""
    deck = book.tables
    return [
        float(deck.points[stack_of(mine.active[spot])] * deck.factor[state.solo][spot // SLOTS])
        for spot in range(SPOTS)
    ]


def stakes(
    book: ClimbBook,
    mine: Player,
    worth: list[float],
    luck_worth: float = 1.0,
    fail_worth: float = 0.0,
) -> Stakes:
    """The exact value of staying in and of going out, if a marker on each spot is worth so much."""
    spots = [0] * SPOTS
    missed = [[0] * SUBSETS for _ in range(LEVELS)]
    values = [0.0] * ((mine.luck + 1) << list_spots(mine, spots))
    count = solve_rolling(
        book.tables, mine, worth, luck_worth, fail_worth, spots, missed, [0] * SUBSETS, values
    )
    stay = value_of_rolling(
        book.tables, mine, 0, mine.luck, spots, count, missed, luck_worth, fail_worth, values
    )
    return Stakes(stay, value_of_leaving(mine, 0, mine.luck, spots, count, worth, luck_worth))
