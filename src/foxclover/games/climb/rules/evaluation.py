"""A simple computer player: fulfils the most valuable card and stops when the next roll loses in expectation.

What a fulfilled card is worth is estimated; what one more roll brings is then exact. It looks at nobody else's tableau.
"""

from __future__ import annotations

from foxclover.climb.moves import (
    BUILD,
    BUY,
    DONE,
    EXCHANGE,
    FAIL,
    FULFIL,
    LIFT,
    PAY,
    PUSH,
    SCORE,
    STAY,
    TAKE,
    TURN_IN,
)
from foxclover.climb.piles import stack_of
from foxclover.climb.solver import missed_rolls
from foxclover.climb.state import (
    LEVELS,
    NO_CARD,
    NO_COLOUR,
    NO_LEVEL,
    ROLLS,
    SLOTS,
    SPOTS,
    TO_BUILD,
    TO_BUY,
    TO_DECIDE,
    TO_EXCHANGE,
    TO_LEAVE,
    TO_PLACE,
    TO_PUSH,
    TO_TAKE,
    Deck,
    Player,
    State,
)
from foxclover.climb.tableau import black_left, count_active, level_of_scored

LUCK_WORTH = 1.5  # points: what a luck marker may still avert, and the point it counts at the end
CONSOLATION = 0.5  # points: the card one draws for failing
COIN_WORTH = 1.0  # points for each coin a scored card will earn, in each round to come
BROAD = 8  # active cards that make a safe tableau
CLIMB = 0.75  # chance that a round gets as far as one level higher


def greedy(
    deck: Deck, state: State, scratch: State, seat: int, moves: list[int], count: int
) -> int:
    """Index of the move it makes."""
    mine = state.seats[seat]
    best = 0
    best_value = -1e9
    for index in range(count):
        value = move_value(deck, state, mine, moves[index])
        if value > best_value:
            best = index
            best_value = value
    return best


def move_value(deck: Deck, state: State, mine: Player, move: int) -> float:
    """What a move seems to be worth, compared with the others of the same decision."""
    stage = mine.stage
    if stage == TO_DECIDE:
        return value_on_roll(deck, state, mine, move)
    if stage == TO_LEAVE:
        kept = marked_worth(deck, state, mine)
        stays = gain_of_rolling(deck, state, mine, mine.reached, mine.marked, mine.luck, kept)
        return stays if move == STAY else 0.0
    if stage == TO_PUSH:
        return value_of_pushing(deck, state, mine, move)
    if stage in (TO_BUILD, TO_PLACE):
        return value_of_building(deck, mine, move - BUILD)
    if stage == TO_BUY:
        return value_of_buying(deck, state, mine, move)
    if stage == TO_TAKE:
        return value_of_bonus(deck, state, mine, move - TAKE)
    if stage == TO_EXCHANGE:
        return 1.0 if move == EXCHANGE else 0.0
    return 0.0 if move == DONE else value_of_lifting(deck, state, mine, move - LIFT)


# -- what cards are worth -------------------------------------------------------------------------------------------------


def scored_worth(deck: Deck, state: State, card: int, level: int) -> float:
    """Points of a card scored on a level, with what it will earn."""
    stack = stack_of(card)
    factor = deck.factor[state.solo][level]
    rounds = deck.rounds - state.round
    coins = (
        deck.income[stack] * factor * (min(rounds, 1) if state.solo else rounds)
    )  # under the solo rules a card pays once
    return factor * deck.points[stack] + COIN_WORTH * min(coins, deck.dearest)


def active_worth(deck: Deck, state: State, card: int, level: int) -> float:
    """What an active card may still become: the best level to wait for, times the chance to get there in the rounds left."""
    rounds = deck.rounds - state.round
    hit = deck.hits[card] / ROLLS
    chance = 1.0
    best = 0.0
    for steps in range(min(rounds, LEVELS - level)):
        chance *= CLIMB * (1.0 - (1.0 - hit) * (1.0 - hit))
        spare = rounds - steps - 1
        likely = chance * (1.0 + (1.0 - chance) * spare / rounds)
        best = max(
            best, likely * deck.factor[state.solo][level + steps] * deck.points[stack_of(card)]
        )
    return best


def marker_worth(deck: Deck, state: State, card: int, level: int) -> float:
    """What fulfilling a card brings: it is scored or pushed, whichever is worth more."""
    worth = scored_worth(deck, state, card, level)
    if level < LEVELS - 1:
        worth = max(worth, active_worth(deck, state, card, level + 1))
    return worth


def marked_worth(deck: Deck, state: State, mine: Player) -> float:
    """What he would lose by failing."""
    worth = 0.0
    for spot in range(SPOTS):
        if mine.marked >> spot & 1:
            worth += marker_worth(deck, state, mine.active[spot], spot // SLOTS)
    return worth


# -- rolling --------------------------------------------------------------------------------------------------------------


def gain_of_rolling(
    deck: Deck, state: State, mine: Player, reached: int, marked: int, luck: int, kept: float
) -> float:
    """What one more roll brings on average if he then fulfils the most valuable card, else pays luck, else fails."""
    low = max(reached, 0)
    high = 0 if reached == NO_LEVEL else min(reached + 1, LEVELS - 1)
    gain = 0.0
    used = 0
    missed = ROLLS
    while True:
        best = -1
        best_worth = 0.0
        for spot in range(low * SLOTS, (high + 1) * SLOTS):
            if mine.active[spot] != NO_CARD and not (marked | used) >> spot & 1:
                worth = marker_worth(deck, state, mine.active[spot], spot // SLOTS)
                if worth > best_worth:
                    best = spot
                    best_worth = worth
        if best < 0:
            break
        used |= 1 << best
        left = missed_rolls(deck, mine, used)
        gain += best_worth * (missed - left)
        missed = left
    averted = LUCK_WORTH if luck > 0 else kept - CONSOLATION
    return (gain - missed * averted) / ROLLS


def value_on_roll(deck: Deck, state: State, mine: Player, move: int) -> float:
    """A card is worth what it brings now and by rolling on from there."""
    kept = marked_worth(deck, state, mine)
    if move == FAIL:
        return CONSOLATION - kept
    if move == PAY:
        return (
            max(
                0.0,
                gain_of_rolling(deck, state, mine, mine.reached, mine.marked, mine.luck - 1, kept),
            )
            - LUCK_WORTH
        )
    spot = move - FULFIL
    worth = marker_worth(deck, state, mine.active[spot], spot // SLOTS)
    luck = mine.luck
    if black_left(deck, mine) == 0:
        luck -= 1
        worth -= LUCK_WORTH
    return worth + max(
        0.0,
        gain_of_rolling(
            deck, state, mine, spot // SLOTS, mine.marked | 1 << spot, luck, kept + worth
        ),
    )


# -- the other phases -----------------------------------------------------------------------------------------------------


def value_of_pushing(deck: Deck, state: State, mine: Player, move: int) -> float:
    """The highest cards first, to make room; each the way it is worth more."""
    spot = move - SCORE if move >= SCORE else move - PUSH
    level = spot // SLOTS
    card = mine.active[spot]
    scored = scored_worth(deck, state, card, level)
    pushed = active_worth(deck, state, card, min(level + 1, LEVELS - 1))
    return 1000.0 * level + (scored - pushed if move >= SCORE else pushed - scored)


def value_of_lifting(deck: Deck, state: State, mine: Player, card: int) -> float:
    """What a scored card gains on the next level."""
    level = level_of_scored(mine, card)
    return scored_worth(deck, state, card, level + 1) - scored_worth(deck, state, card, level)


def value_of_building(deck: Deck, mine: Player, entry: int) -> float:
    """Easy cards low, hard cards high, and no level empty."""
    level = entry % LEVELS
    hit = deck.hits[mine.waiting[entry // LEVELS]] / ROLLS
    wanted = (1.0 - hit) * deck.build_levels
    misfit = wanted - level if wanted > level else level - wanted
    return -misfit - 0.5 * count_active(mine, level)


def value_of_buying(deck: Deck, state: State, mine: Player, move: int) -> float:
    """Cheap cards until the tableau is broad, then dear ones; under the solo rules low cards are given up to get there."""
    if move == DONE:
        return 0.0
    early = state.round < deck.rounds
    cards = mine.waiting_count
    for level in range(LEVELS):
        cards += count_active(mine, level)
    if move >= TURN_IN:
        return (
            1.0 / (1 + level_of_scored(mine, move - TURN_IN)) if early and cards < BROAD else -1.0
        )
    cost = deck.cost[move - BUY]
    return 1.0 + cost if early and cards >= BROAD else 10.0 - cost


def value_of_bonus(deck: Deck, state: State, mine: Player, option: int) -> float:
    """Luck that finds room on the clover, and a card unless it comes too late."""
    row = state.round - 1
    luck = min(deck.option_luck[row][option], deck.clover - mine.luck)
    colour = deck.option_colour[row][option]
    card = 0.0 if colour == NO_COLOUR or state.round == deck.rounds else deck.points[colour] * 1.25
    return luck * LUCK_WORTH + card
