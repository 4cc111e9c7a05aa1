"""Bonuses, purchases and placing: plans of purchases, each tried with the same possible draws."""

from __future__ import annotations

from foxclover.ai.candidates import Candidates
from foxclover.core.records import assign
from foxclover.core.rules import below
from foxclover.games.climb.ai.workspace import (
    MISS,
    NUMBERS,
    PLANS,
    SCORED,
    WAYS,
    Building,
    Draft,
    Nets,
    Plans,
    Workspace,
    add_card,
    add_row,
    add_tableau,
    clear_row,
    copy_row,
    expected,
    net_before_rolling,
    overlap,
)
from foxclover.games.climb.rules.moves import BUILD, BUY, DONE, EXCHANGE, TAKE, TURN_IN
from foxclover.games.climb.rules.state import (
    COLOURS,
    GREEN,
    LEVELS,
    NO_CARD,
    NO_COLOUR,
    RED,
    TO_PLACE,
    WAITING,
    YELLOW,
    Deck,
    Player,
    State,
    bit_of,
    colour_of,
    nth_bit,
    stack_of,
    times,
)
from foxclover.games.climb.rules.tableau import (
    cards_scored,
    count_active,
    income_of,
    level_of_scored,
    scored_of,
    set_points,
    total_points,
)

WORST = -1e9
NOWHERE = -1


def count_room(deck: Deck, mine: Player, room: list[int]) -> int:
    """Write how many more cards each level takes; return their sum."""
    total = 0
    for level in range(LEVELS):
        room[level] = deck.room - count_active(mine, level) if level < deck.build_levels else 0
        total += room[level]
    return total


def rate_building(
    deck: Deck, workspace: Workspace, state: State, mine: Player, candidates: Candidates
) -> None:
    """Rate each placing by the best way to place all waiting cards that contains it."""
    nets = workspace.net
    net = net_before_rolling(deck, state)
    building = workspace.building
    waiting = mine.waiting_count
    spare = count_room(deck, mine, building.before.room)
    add_tableau(deck, state, mine, nets.rows[net], building.before.hidden)
    prepare_cards(deck, nets.rows[net], building, mine)
    for n in range(candidates.count):
        candidates.ratings[n] = WORST
    building.kept = 0
    # While start cards are placed, the luck of the first round is still to be taken.
    luck = mine.luck + (deck.option_luck[0][0] if mine.stage == TO_PLACE else 0)
    points = total_points(deck, state, mine) - mine.luck
    ways = deck.build_levels + (1 if spare < waiting else 0)
    for code in range(ways**waiting):
        placed = lay_out(deck, nets.rows[net], building, code, ways, waiting)
        if placed == min(waiting, spare):
            rating = points + expected(nets, net, building.after.hidden, luck)
            keep_way(building, rating)
            for n in range(candidates.count):
                entry = candidates.moves[n] - BUILD
                if building.levels[entry // LEVELS] == entry % LEVELS:
                    candidates.ratings[n] = max(candidates.ratings[n], rating)


def keep_way(building: Building, rating: float) -> None:
    """Keep a way to place the cards if it is among the best rated."""
    if building.kept < WAYS:
        building.kept += 1
    elif building.ratings[WAYS - 1] >= rating:
        return
    at = building.kept - 1
    while at > 0 and building.ratings[at - 1] < rating:
        building.ratings[at] = building.ratings[at - 1]
        for index in range(WAITING):
            building.best[at][index] = building.best[at - 1][index]
        at -= 1
    building.ratings[at] = rating
    for index in range(WAITING):
        building.best[at][index] = building.levels[index]


def prepare_cards(deck: Deck, rows: list[list[float]], building: Building, mine: Player) -> None:
    """Compute what each waiting card adds on each level, and the overlaps of each level."""
    for index in range(mine.waiting_count):
        for level in range(deck.build_levels):
            clear_row(building.adding[index][level])
            add_card(deck, rows, mine.waiting[index], level, 1.0, building.adding[index][level])
    for level in range(deck.build_levels):
        for chosen in range(1 << mine.waiting_count):
            if chosen.bit_count() <= building.before.room[level]:
                building.overlaps[level][chosen] = overlap(deck, mine, level, chosen)
    for level in range(deck.build_levels, LEVELS):
        add_row(building.before.hidden, rows[MISS + level], overlap(deck, mine, level, 0))


def lay_out(
    deck: Deck, rows: list[list[float]], building: Building, code: int, ways: int, waiting: int
) -> int:
    """Place the waiting cards as the digits of a code say.

    Return their number, or ``NOWHERE`` if a level overflows.
    """
    after = building.after
    assign(after, building.before)
    placed = 0
    for index in range(waiting):
        level = code % ways
        code //= ways
        building.levels[index] = level
        if level < deck.build_levels:
            if after.room[level] == 0:
                return NOWHERE
            after.room[level] -= 1
            placed += 1
    for index in range(waiting):
        if building.levels[index] < deck.build_levels:
            add_row(after.hidden, building.adding[index][building.levels[index]], 1.0)
    for level in range(deck.build_levels):
        chosen = 0
        for index in range(waiting):
            if building.levels[index] == level:
                chosen |= 1 << index
        add_row(after.hidden, rows[MISS + level], building.overlaps[level][chosen])
    return placed


def place_well(
    deck: Deck, nets: Nets, net: int, draft: Draft, card: int, luck: int, trial: list[float]
) -> None:
    """Place one card where it seems best; leave it out without room."""
    rows = nets.rows[net]
    best, best_rating = NOWHERE, WORST
    for level in range(deck.build_levels):
        if draft.room[level] > 0:
            copy_row(trial, draft.hidden)
            add_card(deck, rows, card, level, 1.0, trial)
            rating = expected(nets, net, trial, luck)
            if rating > best_rating:
                best, best_rating = level, rating
    if best != NOWHERE:
        draft.room[best] -= 1
        add_card(deck, rows, card, best, 1.0, draft.hidden)


def plan_of(green: int, yellow: int, red: int) -> int:
    """Return the plan that buys these numbers of cards."""
    return (red * NUMBERS + yellow) * NUMBERS + green


def number_of(plan: int, colour: int) -> int:
    """Return how many cards of a colour a plan buys."""
    if colour == GREEN:
        return plan % NUMBERS
    if colour == YELLOW:
        return plan // NUMBERS % NUMBERS
    return plan // (NUMBERS * NUMBERS)


def cost_of(deck: Deck, plan: int) -> int:
    """Return the cost of a plan."""
    cost = 0
    for colour in range(COLOURS):
        cost += number_of(plan, colour) * deck.cost[colour]
    return cost


def is_possible(deck: Deck, plans: Plans, plan: int) -> bool:
    """Return whether a plan keeps within the purchases and the money left."""
    number = 0
    for colour in range(COLOURS):
        number += number_of(plan, colour)
    return number <= plans.left and cost_of(deck, plan) <= plans.most


def draw_cards(state: State, rng: list[int], drawn: list[list[int]]) -> None:
    """Draw possible next cards of each colour; ``NO_CARD`` if no unknown one is left."""
    for colour in range(COLOURS):
        first = state.shuffled[colour]
        second = state.shuffled[colour + COLOURS]
        for n in range(NUMBERS):
            drawn[colour][n] = NO_CARD
            count = first.bit_count()
            if count + second.bit_count() > 0:
                at = below(rng, count + second.bit_count())
                if at < count:
                    bit = nth_bit(first, at)
                    first &= ~(1 << bit)
                    drawn[colour][n] = 64 * colour + bit
                else:
                    bit = nth_bit(second, at - count)
                    second &= ~(1 << bit)
                    drawn[colour][n] = 64 * (colour + COLOURS) + bit


def rate_plans(
    deck: Deck, workspace: Workspace, state: State, mine: Player, rng: list[int]
) -> None:
    """Rate every plan of purchases by its expected points.

    A bonus card, or the exchange of the last waiting card, precedes the purchases.
    """
    nets = workspace.net
    plans = workspace.plans
    plans.net = net_before_rolling(deck, state)
    plans.points = float(total_points(deck, state, mine) - mine.luck)
    plans.most = plans.money + (income_of(deck, state, mine) if state.solo else 0)
    for plan in range(PLANS):
        plans.value[plan] = 0.0
    add_tableau(deck, state, mine, nets.rows[plans.net], plans.tableau.hidden)
    count_room(deck, mine, plans.tableau.room)
    first = colour_of(mine.waiting[mine.waiting_count - 1]) if plans.exchanged else plans.bonus
    for _ in range(workspace.draws):
        draw_cards(state, rng, plans.drawn)
        assign(plans.with_red, plans.tableau)
        for index in range(mine.waiting_count - plans.exchanged):
            place_well(
                deck, nets, plans.net, plans.with_red, mine.waiting[index], plans.luck, plans.trial
            )
        if first != NO_COLOUR:
            place_drawn(deck, nets, plans, plans.with_red, first, NUMBERS)
        try_plans(deck, nets, plans, state, mine)
    for plan in range(PLANS):
        plans.value[plan] = (
            plans.value[plan] / workspace.draws if is_possible(deck, plans, plan) else WORST
        )


def try_plans(deck: Deck, nets: Nets, plans: Plans, state: State, mine: Player) -> None:
    """Buy every possible number of each colour of the cards drawn, red first."""
    for red in range(NUMBERS):
        if not is_possible(deck, plans, plan_of(0, 0, red)):
            break
        if red > 0:
            place_drawn(deck, nets, plans, plans.with_red, RED, red)
        assign(plans.with_yellow, plans.with_red)
        for yellow in range(NUMBERS):
            if not is_possible(deck, plans, plan_of(0, yellow, red)):
                break
            if yellow > 0:
                place_drawn(deck, nets, plans, plans.with_yellow, YELLOW, yellow)
            assign(plans.with_green, plans.with_yellow)
            for green in range(NUMBERS):
                plan = plan_of(green, yellow, red)
                if not is_possible(deck, plans, plan):
                    break
                if green > 0:
                    place_drawn(deck, nets, plans, plans.with_green, GREEN, green)
                rating = plans.points
                copy_row(plans.changed, plans.with_green.hidden)
                needed = cost_of(deck, plan) - plans.money
                if needed > 0:
                    rating -= give_up(deck, nets.rows[plans.net], plans, state, mine, needed)
                plans.value[plan] += rating + expected(nets, plans.net, plans.changed, plans.luck)


def place_drawn(
    deck: Deck, nets: Nets, plans: Plans, draft: Draft, colour: int, number: int
) -> None:
    """Place the next drawn card of a colour."""
    card = plans.drawn[colour][number - 1]
    if card != NO_CARD:
        place_well(deck, nets, plans.net, draft, card, plans.luck, plans.trial)


# -- solo rules: cards for money


def choose_turned(deck: Deck, plans: Plans, state: State, mine: Player, needed: int) -> None:
    """Choose scored green cards to turn in for some money, as exactly and as few as possible."""
    for level in range(LEVELS):
        plans.turned[level] = 0
    while needed > 0:
        best = -1
        for level in range(LEVELS):
            if plans.turned[level] < cards_scored(state, mine, level, GREEN):
                brings = deck.factor[state.solo][level]
                if best < 0 or brings <= needed or brings < deck.factor[state.solo][best]:
                    best = level
        if best < 0:
            return
        plans.turned[best] += 1
        needed -= deck.factor[state.solo][best]


def give_up(
    deck: Deck, rows: list[list[float]], plans: Plans, state: State, mine: Player, needed: int
) -> float:
    """Turn in cards for a plan; return the points lost."""
    choose_turned(deck, plans, state, mine, needed)
    lost = 0
    count = 0
    for level in range(LEVELS):
        turned = plans.turned[level]
        if turned > 0:
            count += turned
            lost += turned * deck.factor[state.solo][level] * deck.points[GREEN]
            add_row(plans.changed, rows[SCORED + COLOURS * level + GREEN], -float(turned))
    sets = scored_of(state, mine, GREEN) - count
    for colour in range(1, COLOURS):
        sets = min(sets, scored_of(state, mine, colour))
    return float(lost + set_points(deck, state, mine) - sets * deck.set_points)


FIRST = 1e-6  # buy the most expensive card of a plan first
WANTED = 1e-3  # and turn in cards for it before


def best_plan(plans: Plans, colour: int) -> int:
    """Return the best plan that buys a card of a colour, or of all with ``NO_COLOUR``."""
    best = -1
    for plan in range(PLANS):
        if (colour == NO_COLOUR or number_of(plan, colour) > 0) and (
            best < 0 or plans.value[plan] > plans.value[best]
        ):
            best = plan
    return best


def dearest_of(plan: int) -> int:
    """Return the most expensive colour of a plan."""
    dearest = NO_COLOUR
    for colour in range(COLOURS):
        if number_of(plan, colour) > 0:
            dearest = colour
    return dearest


def rate_bonus(
    deck: Deck,
    workspace: Workspace,
    state: State,
    mine: Player,
    candidates: Candidates,
    rng: list[int],
) -> None:
    """Rate each bonus by the best plan of purchases that follows it, on the same cards."""
    plans = workspace.plans
    plans.left = deck.purchases
    plans.money = 0 if state.solo else income_of(deck, state, mine)
    plans.exchanged = 0
    row = state.round - 1
    copy_rng(plans.rng, rng)
    for n in range(candidates.count):
        copy_rng(rng, plans.rng)
        option = candidates.moves[n] - TAKE
        plans.luck = min(mine.luck + deck.option_luck[row][option], deck.clover)
        plans.bonus = deck.option_colour[row][option]
        rate_plans(deck, workspace, state, mine, rng)
        candidates.ratings[n] = plans.value[best_plan(plans, NO_COLOUR)]


def copy_rng(target: list[int], source: list[int]) -> None:
    """Copy the state of a generator."""
    for word in range(len(target)):
        target[word] = source[word]


def begin_plans(deck: Deck, plans: Plans, mine: Player) -> None:
    """Set what may still be bought now."""
    plans.left = deck.purchases - mine.bought
    plans.money = mine.money
    plans.luck = mine.luck
    plans.bonus = NO_COLOUR
    plans.exchanged = 0


def rate_buying(
    deck: Deck,
    workspace: Workspace,
    state: State,
    mine: Player,
    candidates: Candidates,
    rng: list[int],
) -> None:
    """Rate each purchase by the best plan that contains it.

    Cards are turned in only for the best plan of all.
    """
    plans = workspace.plans
    begin_plans(deck, plans, mine)
    rate_plans(deck, workspace, state, mine, rng)
    plan = best_plan(plans, NO_COLOUR)
    colour = dearest_of(plan)
    short = colour != NO_COLOUR and mine.money < deck.cost[colour]
    if short:
        choose_turned(deck, plans, state, mine, cost_of(deck, plan) - mine.money)
    for n in range(candidates.count):
        move = candidates.moves[n]
        if move == DONE:
            candidates.ratings[n] = plans.value[0]
        elif move < TURN_IN:
            candidates.ratings[n] = plans.value[best_plan(plans, move - BUY)]
            if move - BUY == colour:
                candidates.ratings[n] += FIRST
        else:
            card = move - TURN_IN
            level = level_of_scored(mine, card)
            wanted = (
                short
                and plans.turned[level] > 0
                and times(state, stack_of(card), bit_of(card)) == 1
            )
            candidates.ratings[n] = (
                plans.value[plan] + WANTED
                if wanted
                else plans.value[0] - deck.factor[state.solo][level]
            )


def rate_exchange(
    deck: Deck,
    workspace: Workspace,
    state: State,
    mine: Player,
    candidates: Candidates,
    rng: list[int],
) -> None:
    """Rate keeping the card just bought, and exchanging it."""
    plans = workspace.plans
    begin_plans(deck, plans, mine)
    for n in range(candidates.count):
        plans.exchanged = 1 if candidates.moves[n] == EXCHANGE else 0
        rate_plans(deck, workspace, state, mine, rng)
        candidates.ratings[n] = plans.value[best_plan(plans, NO_COLOUR)]
