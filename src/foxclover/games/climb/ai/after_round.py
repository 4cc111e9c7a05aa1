"""The end of a round: push or score the marked cards, and rate the tableau that results."""

from __future__ import annotations

from foxclover.games.climb.ai.workspace import (
    FUTURES,
    LIFTABLE,
    SCALE,
    SCORED,
    Ending,
    Nets,
    Solver,
    add_active,
    add_card,
    add_row,
    add_tableau,
    clear_row,
    copy_row,
    expected,
    fire,
    luck_input,
    net_after_pushing,
)
from foxclover.games.climb.rules.state import (
    CARDS_OF_A_COLOUR,
    COLOURS,
    GREEN,
    LEVELS,
    NO_CARD,
    ROLLS,
    SLOTS,
    SPOTS,
    Deck,
    Player,
    State,
    colour_of,
    count_shuffled,
    lowest_bit,
    stacks,
)
from foxclover.games.climb.rules.tableau import level_points, scored_on

LEVEL_MASK = (1 << SLOTS) - 1
WIN = 100.0  # value of a win to a player who wants to win,
POINTS = 0.1  # and a point: it decides where winning does not


def prepare_endings(deck: Deck, nets: Nets, solver: Solver, state: State, mine: Player) -> None:
    """Compute what pushing and scoring each card changes."""
    solver.last = 1 if state.round >= deck.rounds else 0
    solver.solo = state.solo
    solver.luck = mine.luck
    # alone nobody gains luck during a round
    most = mine.luck + mine.lucky.bit_count() if state.players == 1 else deck.clover
    solver.most = min(most, deck.clover)
    solver.marked = mine.marked.bit_count()
    solver.lucky = mine.lucky.bit_count()
    solver.net = net_after_pushing(deck, state)
    solver.lifts = mine.lifts
    solver.lift_colour = colour_of(mine.lifter)
    solver.cards = 0
    solver.lifting = 0
    for colour in range(COLOURS):
        solver.coloured[colour] = 0
    for spot in range(SPOTS):
        card = mine.active[spot]
        if card != NO_CARD:
            solver.cards |= 1 << spot
            colour = colour_of(card)
            solver.coloured[colour] |= 1 << spot
            if deck.lifts[spot // SLOTS] > 0:
                solver.lifting |= 1 << spot
            solver.colours[spot] = colour
            solver.gains[spot] = float(deck.points[colour] * deck.factor[state.solo][spot // SLOTS])
            if not solver.last:
                prepare_card(deck, nets.rows[solver.net], solver, card, spot)
    for level in range(LEVELS):
        for colour in range(COLOURS):
            solver.tally[COLOURS * level + colour] = scored_on(state, mine, level, colour)
    if solver.solo:
        order_lifts(deck, solver)
    for colour in range(COLOURS):
        solver.held[colour] = count_scored(solver.tally, colour)


def prepare_card(deck: Deck, rows: list[list[float]], solver: Solver, card: int, spot: int) -> None:
    """Compute what scoring one card, and pushing it instead, changes in the hidden layer."""
    level = spot // SLOTS
    scored = rows[SCORED + COLOURS * level + colour_of(card)]
    clear_row(solver.scoring[spot])
    add_card(deck, rows, card, level, -1.0, solver.scoring[spot])
    add_row(solver.scoring[spot], scored, 1.0)
    if level + 1 < LEVELS:
        pushing = solver.pushing[spot]
        clear_row(pushing)
        add_row(pushing, scored, -1.0)
        add_card(deck, rows, card, level + 1, 1.0, pushing)
        luck = rows[luck_input(solver.luck)]
        copy_row(solver.rising[spot], luck)
        add_row(solver.rising[spot], pushing, 1.0)
        copy_row(solver.falling[spot], luck)
        add_row(solver.falling[spot], pushing, -1.0)


def scored_points(deck: Deck, state: State, mine: Player) -> float:
    """Return the points of the scored cards, without sets."""
    points = 0
    for level in range(LEVELS):
        points += level_points(deck, state, mine, level)
    return float(points)


# -- one tableau


def rate_ending(
    deck: Deck, nets: Nets, solver: Solver, ending: Ending, low: int, high: int
) -> None:
    """Rate the tableau of an ending for luck from ``low`` to ``high``."""
    scored = ending.marked & ~ending.pushed
    if lifts_any(solver, scored):
        copy_row(solver.lifted, ending.hidden)
        lifted = lift_for_best(deck, nets.rows[solver.net], solver, scored)
        rate_tableau(nets, solver, solver.lifted, ending.points + lifted, low, high, ending.value)
    else:
        points = ending.points + points_of_sets(deck, solver, scored)
        rate_tableau(nets, solver, ending.hidden, points, low, high, ending.value)


def lifts_any(solver: Solver, scored: int) -> bool:
    """Return whether pushes of scored cards follow (solo rules)."""
    return solver.solo == 1 and (solver.lifts > 0 or scored & solver.lifting != 0)


def points_of_sets(deck: Deck, solver: Solver, scored: int) -> float:
    """Return the points of the sets with the cards scored now (solo rules)."""
    if solver.solo == 0:
        return 0.0
    sets = solver.held[0] + (scored & solver.coloured[0]).bit_count()
    for colour in range(1, COLOURS):
        sets = min(sets, solver.held[colour] + (scored & solver.coloured[colour]).bit_count())
    return float(sets * deck.set_points)


def rate_tableau(
    nets: Nets,
    solver: Solver,
    hidden: list[float],
    points: float,
    low: int,
    high: int,
    value: list[float],
) -> None:
    """Rate a tableau with some points for luck from ``low`` to ``high``."""
    for luck in range(low, high + 1):
        if not solver.last:
            value[luck] = points + expected(nets, solver.net, hidden, luck)
        elif solver.to_win:
            value[luck] = value_of_score(solver, int(points) + luck)
        else:
            value[luck] = points + luck


def value_of_score(solver: Solver, points: int) -> float:
    """Return the value of a final score to a player who wants to win.

    A shared win counts half.
    """
    won = 0.5 * (scores_below(solver, points) + scores_below(solver, points + 1))
    return WIN * won / FUTURES + POINTS * points


def scores_below(solver: Solver, points: int) -> int:
    """Count the rival scores that are lower."""
    low, high = 0, FUTURES
    while low < high:
        middle = (low + high) // 2
        if solver.rival_scores[middle] < points:
            low = middle + 1
        else:
            high = middle
    return low


def lift_for_best(deck: Deck, rows: list[list[float]], solver: Solver, scored: int) -> float:
    """Use the pushes of this round's scored cards where they gain most (solo rules).

    Return the points gained, with those of the sets.
    """
    counted = solver.counted
    for cell in range(LEVELS * COLOURS):
        counted[cell] = solver.tally[cell]
    left = scored
    while left != 0:
        spot = lowest_bit(left)
        counted[COLOURS * (spot // SLOTS) + solver.colours[spot]] += 1
        left &= left - 1
    points = 0
    for colour in range(COLOURS):
        if solver.lift_colour == colour:
            points += lift_some(deck, rows, solver, colour, LEVELS, solver.lifts)
        left = scored & solver.lifting & solver.coloured[colour]
        while left != 0:
            level = lowest_bit(left) // SLOTS
            points += lift_some(deck, rows, solver, colour, level, deck.lifts[level])
            left &= left - 1
    sets = count_scored(counted, 0)
    for colour in range(1, COLOURS):
        sets = min(sets, count_scored(counted, colour))
    return float(points + sets * deck.set_points)


def count_scored(counted: list[int], colour: int) -> int:
    """Count the scored cards of a colour on all levels."""
    have = 0
    for level in range(LEVELS):
        have += counted[COLOURS * level + colour]
    return have


def lift_some(
    deck: Deck, rows: list[list[float]], solver: Solver, highest: int, own_level: int, lifts: int
) -> int:
    """Push scored cards of at most a colour, each time the one that gains most.

    The card whose scoring allows it is not pushed.
    """
    gained = 0
    for _ in range(lifts):
        best = -1
        at = 0
        while best < 0 and at < LIFTABLE:
            cell = solver.order[at]
            own = 1 if cell == COLOURS * own_level + highest else 0
            if cell % COLOURS <= highest and solver.counted[cell] > own:
                best = cell
            at += 1
        if best < 0:
            break
        gained += lift_gain(deck, best)
        solver.counted[best] -= 1
        solver.counted[best + COLOURS] += 1
        if not solver.last:
            add_row(solver.lifted, rows[SCORED + best], -1.0)
            add_row(solver.lifted, rows[SCORED + best + COLOURS], 1.0)
    return gained


def lift_gain(deck: Deck, cell: int) -> int:
    """Return the points gained by pushing a scored card (solo rules)."""
    level = cell // COLOURS
    return (deck.factor[1][level + 1] - deck.factor[1][level]) * deck.points[cell % COLOURS]


def order_lifts(deck: Deck, solver: Solver) -> None:
    """Sort the cells of scored cards that may be pushed, those that gain most first."""
    for cell in range(LIFTABLE):
        at = cell
        while at > 0 and lift_gain(deck, solver.order[at - 1]) < lift_gain(deck, cell):
            solver.order[at] = solver.order[at - 1]
            at -= 1
        solver.order[at] = cell


def rate_failing(
    deck: Deck, nets: Nets, solver: Solver, state: State, mine: Player, ending: Ending
) -> None:
    """Rate failing: the tableau before the round, and an average green card on the lowest level."""
    start_ending(deck, nets, solver, state, mine, ending)
    if not solver.last and (solver.cards & LEVEL_MASK).bit_count() < deck.room:
        add_active(
            nets.rows[solver.net], GREEN, average_chance(deck, state, GREEN), 0, 1.0, ending.hidden
        )
    solver.lifts = 0
    rate_ending(deck, nets, solver, ending, 0, solver.most)
    copy_row(solver.failed, ending.value)


def average_chance(deck: Deck, state: State, colour: int) -> float:
    """Return the mean chance of the cards that may be drawn."""
    known = count_shuffled(state, colour) == 0
    total = 0
    count = 0
    for stack in range(colour, stacks(state), COLOURS):
        cards = deck.cards[stack] if known else state.shuffled[stack]
        for n in range(1, CARDS_OF_A_COLOUR + 1):
            if cards >> n & 1:
                total += deck.hits[64 * stack + n]
                count += 1
    return total / (ROLLS * max(count, 1))


# -- push or score


def may_rise(deck: Deck, solver: Solver, marked: int, pushed: int, spot: int) -> bool:
    """Return whether a marked card has room one level higher.

    The marked cards there are handled first.
    """
    level = spot // SLOTS
    if level + 1 >= LEVELS or solver.last:
        return False
    staying = solver.cards & ~marked & LEVEL_MASK << (SLOTS * (level + 1))
    coming = pushed & LEVEL_MASK << (SLOTS * level)
    return staying.bit_count() + coming.bit_count() < deck.room


def improve(deck: Deck, nets: Nets, solver: Solver, ending: Ending) -> bool:
    """Change the decision about single marked cards while that is better.

    Return whether any was changed.
    """
    changed = False
    luck = solver.luck
    rate_ending(deck, nets, solver, ending, luck, luck)
    rating = ending.value[luck]
    for spot in range(SPOTS):
        bit = 1 << spot
        if ending.marked & bit and (
            ending.pushed & bit or may_rise(deck, solver, ending.marked, ending.pushed, spot)
        ):
            flipped = rate_flipped(deck, nets, solver, ending, spot)
            if flipped > rating:
                flip(solver, ending, spot)
                rating = flipped
                changed = True
    return changed


def rate_flipped(deck: Deck, nets: Nets, solver: Solver, ending: Ending, spot: int) -> float:
    """Return the value of an ending with another decision about a card, before the last round."""
    luck = solver.luck
    falls = ending.pushed >> spot & 1
    scored = ending.marked & ~(ending.pushed ^ 1 << spot)
    if lifts_any(solver, scored):
        flip(solver, ending, spot)
        rate_ending(deck, nets, solver, ending, luck, luck)
        flip(solver, ending, spot)
        return ending.value[luck]
    points = ending.points + points_of_sets(deck, solver, scored)
    points += solver.gains[spot] if falls else -solver.gains[spot]
    change = solver.falling[spot] if falls else solver.rising[spot]
    out = nets.out[solver.net]
    return points + luck + SCALE * (fire(ending.hidden, change, out) + nets.bias[solver.net])


def flip(solver: Solver, ending: Ending, spot: int) -> None:
    """Push a card instead of scoring it, or the other way round."""
    sign = -1.0 if ending.pushed >> spot & 1 else 1.0
    if not solver.last:
        add_row(ending.hidden, solver.pushing[spot], sign)
    ending.points -= sign * solver.gains[spot]
    ending.pushed ^= 1 << spot


def mark(solver: Solver, ending: Ending, spot: int) -> None:
    """Mark one more card, to be scored for now."""
    ending.marked |= 1 << spot
    if not solver.last:
        add_row(ending.hidden, solver.scoring[spot], 1.0)
    ending.points += solver.gains[spot]


def start_ending(
    deck: Deck, nets: Nets, solver: Solver, state: State, mine: Player, ending: Ending
) -> None:
    """Start with the tableau and nothing marked."""
    ending.marked = 0
    ending.pushed = 0
    ending.points = scored_points(deck, state, mine)
    if not solver.last:
        add_tableau(deck, state, mine, nets.rows[solver.net], ending.hidden)


def start_marked(
    deck: Deck, nets: Nets, solver: Solver, state: State, mine: Player, ending: Ending
) -> None:
    """Start with the tableau and all marked cards scored."""
    start_ending(deck, nets, solver, state, mine, ending)
    for spot in range(SPOTS):
        if mine.marked >> spot & 1:
            mark(solver, ending, spot)
