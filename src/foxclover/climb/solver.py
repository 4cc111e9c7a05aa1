"""The exact value of rolling on: dynamic programming over the rolling phase of one player.

Given what every active card is worth once it carries a marker, what luck is worth and what failing leaves, ``solve_rolling`` finds the
best expected result from every set of markers and every amount of luck the round can still lead to. Nothing is sampled: a roll only
matters by which of the reachable cards it fulfils, and how many rolls fulfil none of a set of cards is counted for all sets at once.

``spots`` lists the cards that can still be fulfilled; bit n of a *gain* says that the n-th of them has got its marker since.
``values[gain * (luck + 1) + left]`` is the result with ``left`` of today's ``luck`` on the clover, staying or leaving as is best.
"""

from __future__ import annotations

from foxclover.climb.moves import has_marker, reachable_spots
from foxclover.climb.piles import bit_index
from foxclover.climb.state import (
    LEVELS,
    NO_CARD,
    NO_LEVEL,
    ROLLS,
    SLOTS,
    SPOTS,
    WORDS,
    Deck,
    Player,
)
from foxclover.climb.tableau import black_left, count_active

PAIR = 2 * SLOTS  # spots of a level and the next one
SUBSETS = 1 << PAIR
IMPOSSIBLE = -1e18


def missed_rolls(deck: Deck, mine: Player, spots: int) -> int:
    """How many of all rolls fulfil none of the cards on these spots."""
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
    """How many of all rolls would let him fulfil no card, so that he must pay luck or fail."""
    if not has_marker(deck, mine):
        return ROLLS
    return missed_rolls(deck, mine, reachable_spots(mine))


def list_spots(mine: Player, spots: list[int]) -> int:
    """List the spots that can still get a marker in this round; return how many."""
    count = 0
    for level in range(max(mine.reached, 0), LEVELS):
        if level > mine.reached and count_active(mine, level) == 0:
            break
        for spot in range(level * SLOTS, (level + 1) * SLOTS):
            if mine.active[spot] != NO_CARD and not mine.marked >> spot & 1:
                spots[count] = spot
                count += 1
    return count


def count_missed(deck: Deck, mine: Player, low: int, missed: list[int], union: list[int]) -> None:
    """For every set of cards on a level and the next one: how many rolls fulfil none of them. Bit n is the n-th spot from there."""
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
            card = mine.active[low * SLOTS + bit_index(lowest)]
            union[subset] = union[subset ^ lowest] | deck.hit_words[card][word]
            missed[subset] -= deck.word_weight[word] * union[subset].bit_count()
            subset = (subset - cards) & cards


def top_level(mine: Player, spots: list[int], count: int, gain: int) -> int:
    """The level of the last marker, or -2 if these markers cannot be got because a level would be skipped."""
    level = mine.reached
    for n in range(count):
        if gain >> n & 1:
            here = spots[n] // SLOTS
            if here > level + 1:
                return NO_LEVEL - 1
            level = here
    return level


def value_of_rolling(
    deck: Deck,
    mine: Player,
    gain: int,
    luck: int,
    spots: list[int],
    count: int,
    missed: list[list[int]],
    luck_worth: float,
    fail_worth: float,
    values: list[float],
) -> float:
    """Expected result of one more roll, whatever is best done with each of its outcomes."""
    level = top_level(mine, spots, count, gain)
    low = max(level, 0)
    high = 0 if level == NO_LEVEL else level + 1
    width = mine.luck + 1
    black = black_left(deck, mine) - gain.bit_count()
    floor = fail_worth + luck_worth * luck
    if luck > 0:
        floor = max(floor, values[gain * width + luck - 1])
    result = 0.0
    tried = 0
    left = ROLLS
    while black > 0 or luck > 0:
        best = -1
        best_value = floor
        for n in range(count):
            here = spots[n] // SLOTS
            if low <= here <= high and not (gain | tried) >> n & 1:
                value = values[(gain | 1 << n) * width + (luck if black > 0 else luck - 1)]
                if value > best_value:
                    best = n
                    best_value = value
        if best < 0:
            break
        tried |= 1 << best
        subset = 0
        for n in range(count):
            if tried >> n & 1:
                subset |= 1 << (spots[n] - low * SLOTS)
        result += best_value * (left - missed[low][subset])
        left = missed[low][subset]
    return (result + floor * left) / ROLLS


def value_of_leaving(
    mine: Player,
    gain: int,
    luck: int,
    spots: list[int],
    count: int,
    worth: list[float],
    luck_worth: float,
) -> float:
    """What he has if he goes out with these markers and this luck."""
    result = luck_worth * luck
    for spot in range(SPOTS):
        if mine.marked >> spot & 1:
            result += worth[spot]
    for n in range(count):
        if gain >> n & 1:
            result += worth[spots[n]]
    return result


def solve_rolling(
    deck: Deck,
    mine: Player,
    worth: list[float],
    luck_worth: float,
    fail_worth: float,
    spots: list[int],
    missed: list[list[int]],
    union: list[int],
    values: list[float],
) -> int:
    """Fill ``values`` and the other buffers; return how many ``spots`` there are. ``worth`` is by spot, that of marked cards included."""
    count = list_spots(mine, spots)
    for level in range(max(mine.reached, 0), LEVELS):
        count_missed(deck, mine, level, missed[level], union)
    width = mine.luck + 1
    for down in range(1 << count):
        gain = (1 << count) - 1 - down
        possible = top_level(mine, spots, count, gain) >= NO_LEVEL
        for luck in range(width):
            value = IMPOSSIBLE
            if possible:
                rolled = value_of_rolling(
                    deck, mine, gain, luck, spots, count, missed, luck_worth, fail_worth, values
                )
                value = max(
                    rolled, value_of_leaving(mine, gain, luck, spots, count, worth, luck_worth)
                )
            values[gain * width + luck] = value
    return count
