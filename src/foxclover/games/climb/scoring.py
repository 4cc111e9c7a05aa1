"""The final result, and exact odds: of a condition, of the next roll, of staying in."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, partial

from foxclover.core.contract import CardOdds as CardChance
from foxclover.core.contract import NextRoll, RollOdds
from foxclover.core.ratings import Rating, grade_ratings
from foxclover.games.climb.conditions import ROLLS, fulfilling, hits, parse, write
from foxclover.games.climb.definitions import ClimbDefinition
from foxclover.games.climb.notation import card_and_level
from foxclover.games.climb.rules.evaluation import failing_rolls, missed_rolls
from foxclover.games.climb.rules.moves import BUY, PAY, reachable_spots
from foxclover.games.climb.rules.state import (
    LEVELS,
    NO_LEVEL,
    ROLLING,
    SLOTS,
    SPOTS,
    Player,
    State,
    stack_of,
)
from foxclover.games.climb.rules.tableau import (
    black_left,
    count_active,
    level_points,
    set_points,
    total_points,
)
from foxclover.games.climb.text import card_words, condition_words
from foxclover.locale import Translator, format_number

TALLIES: tuple[str, ...] = ()  # as ``write_tallies`` counts them
TIE_BREAK = "climb.tie_break"


def breakdown(definition: ClimbDefinition, state: State, seat: int) -> dict[str, int]:
    """Return the points of each level, of luck and of sets (solo rules); they sum to the score."""
    mine = state.seats[seat]
    parts = {
        f"level{level + 1}": level_points(definition.tables, state, mine, level)
        for level in reversed(range(LEVELS))
    }
    parts["luck"] = mine.luck
    if state.solo:
        parts["sets"] = set_points(definition.tables, state, mine)
    return parts


def part_of(definition: ClimbDefinition, state: State, seat: int, move: int) -> str:
    """Return the level of the card that a move touches, or luck if it is paid or taken."""
    if move == PAY or move < BUY:
        return "luck"
    level = card_and_level(state, seat, move)[1]
    return f"level{level + 1}" if level != NO_LEVEL else ""


def turns_to_come(definition: ClimbDefinition, state: State, seat: int) -> int:
    """Return how many rounds are left, the present one included."""
    return definition.tables.rounds - max(state.round, 1) + 1


def places(definition: ClimbDefinition, state: State) -> list[int]:
    """Return the place of each seat: by total, then by active cards from the top level down.

    Equals share a place.
    """
    keys = [
        (total_points(definition.tables, state, state.seats[seat]), *tie_break(state, seat))
        for seat in range(state.players)
    ]
    return [1 + sum(other > key for other in keys) for key in keys]


def tie_break(state: State, seat: int) -> tuple[int, ...]:
    """Return the active cards of each level, from the top down."""
    return tuple(count_active(state.seats[seat], level) for level in reversed(range(LEVELS)))


def ratings(definition: ClimbDefinition) -> list[Rating]:
    """Return the ratings of a solo score; below the last there is none."""
    return grade_ratings(sorted(definition.tables.ranks, reverse=True))


@dataclass(frozen=True)
class CardOdds:
    """A card that may be fulfilled next, by name and level (from 1)."""

    card: str
    level: int
    odds: RollOdds


@dataclass(frozen=True)
class Stakes:
    """Expected points of the round, luck included, for staying in and for dropping out."""

    stay: float
    leave: float


@dataclass(frozen=True)
class PositionOdds:
    """A player's next roll: each card within reach, and the rolls that fulfil none of them."""

    cards: tuple[CardOdds, ...]
    fail: RollOdds


def condition_odds(text: str) -> RollOdds:
    """Return the odds of a condition in the notation of the cards; raises ``ConditionError``."""
    condition = parse(text)
    return RollOdds(write(condition), hits(fulfilling(condition)), ROLLS)


def say_condition(text: str, translate: Translator) -> str:
    """Return a condition in words; raises ``ConditionError``."""
    return condition_words(parse(text), translate)


def any_odds(texts: Iterable[str]) -> RollOdds:
    """Return the odds that a roll fulfils at least one of some conditions."""
    conditions = [parse(text) for text in texts]
    outcomes = 0
    for condition in conditions:
        outcomes |= fulfilling(condition)
    return RollOdds(" | ".join(map(write, conditions)), hits(outcomes), ROLLS)


def position_odds(definition: ClimbDefinition, state: State, seat: int) -> PositionOdds:
    """Return the odds of the next roll for a player who stays in."""
    mine = state.seats[seat]
    reachable = reachable_spots(mine)
    cards = []
    for spot in range(SPOTS):
        if reachable >> spot & 1:
            code = mine.active[spot]
            odds = RollOdds(definition.printed(code).text, definition.tables.hits[code], ROLLS)
            cards.append(CardOdds(definition.name(code), spot // SLOTS + 1, odds))
    return PositionOdds(tuple(cards), RollOdds("", failing_rolls(definition.tables, mine), ROLLS))


def next_roll(definition: ClimbDefinition, state: State, seat: int) -> NextRoll | None:
    """Return a player's chances on the next roll; None while they are not rolling."""
    if state.phase != ROLLING or not state.seats[seat].playing:
        return None
    found = position_odds(definition, state, seat)
    return NextRoll(
        tuple(CardChance(card.card, card.odds.probability) for card in found.cards),
        found.fail.probability,
    )


def next_roll_words(
    definition: ClimbDefinition, state: State, seat: int, translate: Translator
) -> list[str]:
    """Describe the next roll in lines, with the values of staying in and dropping out.

    Return no lines while the player is not rolling.
    """
    if state.phase != ROLLING or not state.seats[seat].playing:
        return []
    found = position_odds(definition, state, seat)
    lines = [
        translate(
            "climb.odds.card",
            level=card.level,
            card=card_words(definition, definition.code_of[card.card], translate),
            percent=_percent(card.odds, translate),
        )
        for card in found.cards
    ]
    lines.append(translate("climb.odds.fail", percent=_percent(found.fail, translate)))
    if state.roll:
        value = position_stakes(definition, state, seat)
        stay, leave = (
            format_number(points, ".1f", translate) for points in (value.stay, value.leave)
        )
        lines.append(translate("climb.odds.stakes", stay=stay, leave=leave))
    return lines


def _percent(odds: RollOdds, translate: Translator) -> str:
    return format_number(100 * odds.probability, "5.1f", translate)


def position_stakes(definition: ClimbDefinition, state: State, seat: int) -> Stakes:
    """Return the values of staying in and dropping out if every marked card is scored."""
    mine = state.seats[seat]
    return stakes(definition, mine, points_value(definition, state, mine))


def points_value(definition: ClimbDefinition, state: State, mine: Player) -> list[float]:
    """Return the points of the card on each spot if it is scored there."""
    deck = definition.tables
    return [
        float(deck.points[stack_of(mine.active[spot])] * deck.factor[state.solo][spot // SLOTS])
        for spot in range(SPOTS)
    ]


def stakes(
    definition: ClimbDefinition,
    mine: Player,
    values: list[float],
    luck_value: float = 1.0,
    fail_value: float = 0.0,
) -> Stakes:
    """Return the exact values of staying in and of dropping out, given that of each marker.

    Nothing is sampled: a roll only matters by which of the cards within reach it fulfils.
    """
    deck, player = definition.tables, mine.copy()
    missed = cache(partial(missed_rolls, deck, mine))

    def leave(marked: int, luck: int) -> float:
        marked_spots = (spot for spot in range(SPOTS) if marked >> spot & 1)
        return luck_value * luck + sum(values[spot] for spot in marked_spots)

    def best(marked: int, luck: int) -> float:
        return max(stay(marked, luck), leave(marked, luck))

    @cache
    def stay(marked: int, luck: int) -> float:
        """Return the value of one more roll, with the best answer to each outcome."""
        otherwise = fail_value + luck_value * luck
        if luck > 0:
            otherwise = max(otherwise, best(marked, luck - 1))
        player.marked, player.reached = marked, (marked.bit_length() - 1) // SLOTS
        spots = reachable_spots(player)
        black = black_left(deck, mine) - (marked & ~mine.marked).bit_count()
        left = luck if black > 0 else luck - 1
        answers = (
            [(best(marked | 1 << spot, left), spot) for spot in range(SPOTS) if spots >> spot & 1]
            if left >= 0
            else []
        )
        total, tried, failing = 0.0, 0, ROLLS
        for value, spot in sorted(answers, key=lambda answer: -answer[0]):
            if value > otherwise:
                tried |= 1 << spot
                total += value * (failing - missed(tried))
                failing = missed(tried)
        return (total + otherwise * failing) / ROLLS

    return Stakes(stay(mine.marked, mine.luck), leave(mine.marked, mine.luck))
