"""What a round leaves behind: marked cards pushed or scored for the best, and the worth of the layout that results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.inputs import LUCKS, SCORED, add_active, add_card, add_layout, expected, net_after_pushing
from foxclover.ai.climb.vectors import add_row, clear_row, copy_row, look_up
from foxclover.climb.layout import level_points
from foxclover.climb.piles import colour_of, count_bits, times
from foxclover.climb.state import COLOURS, GREEN, LEVELS, NO_CARD, PLACES, ROLLS, SLOTS, Deck, Player, State

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Floats, Nets, Number, Row, Solver

# Facts about what is being solved.
COUNT, LAST, SOLO, LUCK_NOW, ROLLED, MARKED_NOW, LUCKY_NOW, CUT, CARDS, NET, PENDING, PENDING_COLOUR, TO_WIN, LIMIT = range(14)
LIFTED, TRIED = range(2)  # spare rows
FAILED = 4096  # where ``keep`` tells what failing leaves
LEVEL_MASK = (1 << SLOTS) - 1


def prepare_leaves(deck: Deck, state: State, mine: Player, nets: Nets, solver: Solver) -> None:
    """Work out what pushing and scoring each card changes."""
    facts = solver.facts
    facts[LAST] = 1 if state.round >= deck.rounds else 0
    facts[SOLO] = state.solo
    facts[LUCK_NOW] = min(mine.luck, LUCKS - 1)
    facts[MARKED_NOW] = count_bits(mine.marked)
    facts[LUCKY_NOW] = count_bits(mine.lucky)
    facts[NET] = net_after_pushing(deck, state)
    facts[PENDING] = mine.lifts
    facts[PENDING_COLOUR] = colour_of(mine.lifter)
    facts[CARDS] = 0
    rows = nets.rows[facts[NET]]
    for place in range(PLACES):
        card = mine.active[place]
        if card != NO_CARD:
            facts[CARDS] |= 1 << place
            level = place // SLOTS
            colour = colour_of(card)
            solver.colours[place] = colour
            solver.gains[place] = deck.points[colour] * deck.factor[state.solo][level]
            if not facts[LAST]:
                prepare_moves(deck, rows, solver, card, place)
    for level in range(LEVELS):
        for colour in range(COLOURS):
            solver.tally[COLOURS * level + colour] = times(state, colour, mine.scored[level][colour])


def prepare_moves(deck: Deck, rows: list[Row], solver: Solver, card: int, place: int) -> None:
    """What scoring and pushing one card does to the hidden layer."""
    level = place // SLOTS
    scored = solver.moved[2 * place]
    pushed = solver.moved[2 * place + 1]
    clear_row(scored)
    add_card(deck, rows, card, level, -1.0, scored)
    copy_row(pushed, scored)
    add_row(scored, rows[SCORED + COLOURS * level + colour_of(card)], 1.0)
    if level + 1 < LEVELS:
        add_card(deck, rows, card, level + 1, 1.0, pushed)


def scored_points(deck: Deck, state: State, mine: Player) -> float:
    """Points of the scored cards, without sets."""
    points = 0
    for level in range(LEVELS):
        points += level_points(deck, state, mine, level)
    return float(points)


# -- one layout -----------------------------------------------------------------------------------------------------------


def rate_leaf(
    deck: Deck, nets: Nets, solver: Solver, mask: int, pushed: int, hidden: Row, points: float, low: int, high: int, ratings: Floats
) -> None:
    """Rate the layout in which ``mask`` is scored but for ``pushed``, for luck from ``low`` to ``high``."""
    facts = solver.facts
    if facts[SOLO]:
        copy_row(solver.spare[LIFTED], hidden)
        points += lift_for_best(deck, nets.rows[facts[NET]], solver, mask & ~pushed)
        hidden = solver.spare[LIFTED]
    rate_lifted(nets, solver, hidden, points, low, high, ratings)


def rate_lifted(nets: Nets, solver: Solver, hidden: Row, points: Number, low: int, high: int, ratings: list[Number]) -> None:
    """Rate a layout for luck from ``low`` to ``high``; in CPython many layouts at once."""
    facts = solver.facts
    for luck in range(low, high + 1):
        if not facts[LAST]:
            ratings[luck] = points + expected(nets, facts[NET], hidden, luck)
        elif facts[TO_WIN]:
            ratings[luck] = look_up(solver.wins, points + luck)
        else:
            ratings[luck] = points + luck


def lift_for_best(deck: Deck, rows: list[Row], solver: Solver, scored: int) -> float:
    """Solo rules: use the pushes of the cards scored in this round where they gain most points; return these and those of the sets."""
    facts = solver.facts
    counted = solver.counted
    for cell in range(LEVELS * COLOURS):
        counted[cell] = solver.tally[cell]
    for place in range(PLACES):
        if scored >> place & 1:
            counted[COLOURS * (place // SLOTS) + solver.colours[place]] += 1
    points = 0.0
    for colour in range(COLOURS):
        if facts[PENDING_COLOUR] == colour:
            for _ in range(facts[PENDING]):
                points += lift_one(deck, rows, solver, colour, LEVELS)
        for level in range(LEVELS):
            if deck.lifts[level] > 0:
                for place in range(level * SLOTS, level * SLOTS + SLOTS):
                    if scored >> place & 1 and solver.colours[place] == colour:
                        for _ in range(deck.lifts[level]):
                            points += lift_one(deck, rows, solver, colour, level)
    sets = counted[0] + counted[COLOURS] + counted[2 * COLOURS] + counted[3 * COLOURS] + counted[4 * COLOURS]
    for colour in range(1, COLOURS):
        have = 0
        for level in range(LEVELS):
            have += counted[COLOURS * level + colour]
        sets = min(sets, have)
    return points + sets * deck.set_points


def lift_one(deck: Deck, rows: list[Row], solver: Solver, highest: int, own_level: int) -> float:
    """Push the scored card, of at most this colour, that gains most; the card whose scoring allows it stays."""
    factor = deck.factor[solver.facts[SOLO]]
    best = -1
    gain = 0
    for level in range(LEVELS - 1):
        for colour in range(highest + 1):
            cell = COLOURS * level + colour
            free = solver.counted[cell] - (1 if level == own_level and colour == highest else 0)
            more = (factor[level + 1] - factor[level]) * deck.points[colour]
            if free > 0 and more > gain:
                gain = more
                best = cell
    if best >= 0:
        solver.counted[best] -= 1
        solver.counted[best + COLOURS] += 1
        add_row(solver.spare[LIFTED], rows[SCORED + best], -1.0)
        add_row(solver.spare[LIFTED], rows[SCORED + best + COLOURS], 1.0)
    return float(gain)


def rate_failing(deck: Deck, state: State, mine: Player, nets: Nets, solver: Solver) -> None:
    """What is left after failing: the layout as it was and an average green card on the lowest level."""
    facts = solver.facts
    rows = nets.rows[facts[NET]]
    hidden = solver.spare[TRIED]
    if not facts[LAST]:
        add_layout(deck, state, mine, rows, hidden)
        if count_bits(facts[CARDS] & LEVEL_MASK) < deck.room:
            add_active(rows, GREEN, average_chance(deck, state, GREEN), 0, 1.0, hidden)
    facts[PENDING] = 0
    rate_leaf(deck, nets, solver, 0, 0, hidden, scored_points(deck, state, mine), 0, LUCKS - 1, solver.keep[FAILED])


def average_chance(deck: Deck, state: State, colour: int) -> float:
    """The mean chance of the cards that may be drawn."""
    cards = state.shuffled[colour]
    if cards == 0:
        cards = deck.cards[colour]
    total = 0
    count = 0
    for n in range(1, 63):
        if cards >> n & 1:
            total += deck.hits[64 * colour + n]
            count += 1
    return total / (ROLLS * max(count, 1))


# -- push or score --------------------------------------------------------------------------------------------------------


def may_rise(deck: Deck, solver: Solver, mask: int, pushed: int, place: int) -> bool:
    """Would a marked card find room one level higher, all marked cards there being handled first?"""
    level = place // SLOTS
    if level + 1 >= LEVELS or solver.facts[LAST]:
        return False
    staying = solver.facts[CARDS] & ~mask & LEVEL_MASK << (SLOTS * (level + 1))
    coming = pushed & LEVEL_MASK << (SLOTS * level)
    return count_bits(staying) + count_bits(coming) < deck.room


def improve(deck: Deck, nets: Nets, solver: Solver, i: int, places: int, luck: int, ratings: Floats) -> bool:
    """Change the decision about one of these marked cards after another wherever that is better; tell whether any was changed."""
    mask = solver.masks[i]
    hidden = solver.hidden[i]
    changed = False
    rate_leaf(deck, nets, solver, mask, solver.pushed[i], hidden, solver.points[i], luck, luck, ratings)
    rating = ratings[luck]
    for place in range(PLACES):
        bit = 1 << place
        if mask & places & bit and (solver.pushed[i] & bit or may_rise(deck, solver, mask, solver.pushed[i], place)):
            flip(solver, i, place)
            rate_leaf(deck, nets, solver, mask, solver.pushed[i], hidden, solver.points[i], luck, luck, ratings)
            if ratings[luck] > rating:
                rating = ratings[luck]
                changed = True
            else:
                flip(solver, i, place)
    return changed


def flip(solver: Solver, i: int, place: int) -> None:
    """Push a card instead of scoring it, or the other way round."""
    was_pushed = solver.pushed[i] >> place & 1
    sign = -1.0 if was_pushed else 1.0
    add_row(solver.hidden[i], solver.moved[2 * place + 1], sign)
    add_row(solver.hidden[i], solver.moved[2 * place], -sign)
    solver.points[i] -= sign * solver.gains[place]
    solver.pushed[i] ^= 1 << place


def mark(solver: Solver, i: int, place: int) -> None:
    """Have one more card marked; it is scored for now."""
    solver.masks[i] |= 1 << place
    add_row(solver.hidden[i], solver.moved[2 * place], 1.0)
    solver.points[i] += solver.gains[place]


def start_leaf(deck: Deck, state: State, mine: Player, nets: Nets, solver: Solver, i: int) -> None:
    """The layout with nothing marked."""
    solver.masks[i] = 0
    solver.pushed[i] = 0
    solver.points[i] = scored_points(deck, state, mine)
    if not solver.facts[LAST]:
        add_layout(deck, state, mine, nets.rows[solver.facts[NET]], solver.hidden[i])
