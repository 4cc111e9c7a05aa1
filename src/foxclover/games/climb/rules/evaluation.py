"""The greedy player, and the counts of rolls that fulfil none of a set of cards.

The greedy player fulfils the most valuable card and stops when the next roll loses in expectation.
It ignores the other tableaus.
"""

from __future__ import annotations

from foxclover.games.climb.rules.moves import (
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
    has_marker,
    reachable_spots,
)
from foxclover.games.climb.rules.state import (
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
    WORDS,
    Deck,
    Player,
    State,
    stack_of,
)
from foxclover.games.climb.rules.tableau import black_left, count_active, level_of_scored

PAIR = 2 * SLOTS  # spots of a level and the next one
SUBSETS = 1 << PAIR


def missed_rolls(deck: Deck, mine: Player, spots: int) -> int:
    """Count the rolls that fulfil none of the cards on some spots."""
    first = 0
    while first < SPOTS and not spots >> first & 1:
        first += 1
    end = first
    for spot in range(first, SPOTS):
        if spots >> spot & 1:
            end = spot + 1
    missed = ROLLS
    for word in range(WORDS):
        met = 0
        for spot in range(first, end):
            if spots >> spot & 1:
                met |= deck.hit_words[mine.active[spot]][word]
        missed -= deck.word_weight[word] * met.bit_count()
    return missed


def failing_rolls(deck: Deck, mine: Player) -> int:
    """Count the rolls that fulfil no card, so that the player must pay luck or fail."""
    if not has_marker(deck, mine):
        return ROLLS
    return missed_rolls(deck, mine, reachable_spots(mine))


def count_missed(deck: Deck, mine: Player, low: int, missed: list[int], union: list[int]) -> None:
    """Count the rolls that fulfil none of a set of cards on a level and the next one.

    Bit n of a set is the n-th spot from there.
    """
    cards = 0
    for slot in range(min(PAIR, SPOTS - low * SLOTS)):
        if mine.active[low * SLOTS + slot] != NO_CARD:
            cards |= 1 << slot
    for subset in range(SUBSETS):
        missed[subset] = ROLLS
        union[subset] = 0
    for word in range(WORDS):
        subset = -cards & cards  # the subsets of the cards in rising order
        while subset != 0:
            lowest = subset & -subset
            card = mine.active[low * SLOTS + (lowest - 1).bit_count()]
            union[subset] = union[subset ^ lowest] | deck.hit_words[card][word]
            missed[subset] -= deck.word_weight[word] * union[subset].bit_count()
            subset = (subset - cards) & cards


LUCK_VALUE = 1.5  # points: what a luck marker may still avert, and the point it counts at the end
CONSOLATION = 0.5  # points: the card drawn for failing
COIN_VALUE = 1.0  # points for each coin a scored card will earn, in each round to come
BROAD = 8  # active cards that make a safe tableau
CLIMB = 0.75  # chance that a round gets as far as one level higher


def greedy(
    deck: Deck, state: State, scratch: State, seat: int, moves: list[int], count: int
) -> int:
    """Return the index of the greedy player's move."""
    mine = state.seats[seat]
    best, best_value = 0, -1e9
    for index in range(count):
        value = move_value(deck, state, mine, moves[index])
        if value > best_value:
            best, best_value = index, value
    return best


def move_value(deck: Deck, state: State, mine: Player, move: int) -> float:
    """Estimate a move, compared with the others of the same decision."""
    stage = mine.stage
    if stage == TO_DECIDE:
        return value_on_roll(deck, state, mine, move)
    if stage == TO_LEAVE:
        kept = marked_value(deck, state, mine)
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


# -- the values of cards


def scored_value(deck: Deck, state: State, card: int, level: int) -> float:
    """Return the points of a card scored on a level, with its future income."""
    stack = stack_of(card)
    factor = deck.factor[state.solo][level]
    rounds = deck.rounds - state.round
    # Under the solo rules a card pays once.
    coins = deck.income[stack] * factor * (min(rounds, 1) if state.solo else rounds)
    return factor * deck.points[stack] + COIN_VALUE * min(coins, deck.dearest)


def active_value(deck: Deck, state: State, card: int, level: int) -> float:
    """Estimate an active card.

    Take the best level to wait for, times the chance to get there in the rounds left.
    """
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


def marker_value(deck: Deck, state: State, card: int, level: int) -> float:
    """Estimate a fulfilled card: it is scored or pushed, as is better."""
    value = scored_value(deck, state, card, level)
    if level < LEVELS - 1:
        value = max(value, active_value(deck, state, card, level + 1))
    return value


def marked_value(deck: Deck, state: State, mine: Player) -> float:
    """Return the value that failing would lose."""
    value = 0.0
    for spot in range(SPOTS):
        if mine.marked >> spot & 1:
            value += marker_value(deck, state, mine.active[spot], spot // SLOTS)
    return value


# -- rolling


def gain_of_rolling(
    deck: Deck, state: State, mine: Player, reached: int, marked: int, luck: int, kept: float
) -> float:
    """Return the mean gain of one more roll.

    The player then fulfils the most valuable card, else pays luck, else fails.
    """
    low = max(reached, 0)
    high = 0 if reached == NO_LEVEL else min(reached + 1, LEVELS - 1)
    gain = 0.0
    used = 0
    missed = ROLLS
    while True:
        best, best_value = -1, 0.0
        for spot in range(low * SLOTS, (high + 1) * SLOTS):
            if mine.active[spot] != NO_CARD and not (marked | used) >> spot & 1:
                value = marker_value(deck, state, mine.active[spot], spot // SLOTS)
                if value > best_value:
                    best, best_value = spot, value
        if best < 0:
            break
        used |= 1 << best
        left = missed_rolls(deck, mine, used)
        gain += best_value * (missed - left)
        missed = left
    averted = LUCK_VALUE if luck > 0 else kept - CONSOLATION
    return (gain - missed * averted) / ROLLS


def value_on_roll(deck: Deck, state: State, mine: Player, move: int) -> float:
    """Estimate a move on a roll: its gain now and that of rolling on."""
    kept = marked_value(deck, state, mine)
    if move == FAIL:
        return CONSOLATION - kept
    if move == PAY:
        return (
            max(
                0.0,
                gain_of_rolling(deck, state, mine, mine.reached, mine.marked, mine.luck - 1, kept),
            )
            - LUCK_VALUE
        )
    spot = move - FULFIL
    value = marker_value(deck, state, mine.active[spot], spot // SLOTS)
    luck = mine.luck
    if black_left(deck, mine) == 0:
        luck -= 1
        value -= LUCK_VALUE
    return value + max(
        0.0,
        gain_of_rolling(
            deck, state, mine, spot // SLOTS, mine.marked | 1 << spot, luck, kept + value
        ),
    )


# -- the other phases


def value_of_pushing(deck: Deck, state: State, mine: Player, move: int) -> float:
    """Prefer the highest cards, to make room, each in its better way."""
    spot = move - SCORE if move >= SCORE else move - PUSH
    level = spot // SLOTS
    card = mine.active[spot]
    scored = scored_value(deck, state, card, level)
    pushed = active_value(deck, state, card, min(level + 1, LEVELS - 1))
    return 1000.0 * level + (scored - pushed if move >= SCORE else pushed - scored)


def value_of_lifting(deck: Deck, state: State, mine: Player, card: int) -> float:
    """Return what a scored card gains on the next level."""
    level = level_of_scored(mine, card)
    return scored_value(deck, state, card, level + 1) - scored_value(deck, state, card, level)


def value_of_building(deck: Deck, mine: Player, entry: int) -> float:
    """Prefer easy cards low, hard cards high, and no level empty."""
    level = entry % LEVELS
    hit = deck.hits[mine.waiting[entry // LEVELS]] / ROLLS
    wanted = (1.0 - hit) * deck.build_levels
    misfit = wanted - level if wanted > level else level - wanted
    return -misfit - 0.5 * count_active(mine, level)


def value_of_buying(deck: Deck, state: State, mine: Player, move: int) -> float:
    """Prefer cheap cards until the tableau is broad, then expensive ones.

    Under the solo rules low cards are given up to get there.
    """
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
    """Estimate a bonus: luck that has room, and a card unless it is too late for it."""
    row = state.round - 1
    luck = min(deck.option_luck[row][option], deck.clover - mine.luck)
    colour = deck.option_colour[row][option]
    card = 0.0 if colour == NO_COLOUR or state.round == deck.rounds else deck.points[colour] * 1.25
    return luck * LUCK_VALUE + card
