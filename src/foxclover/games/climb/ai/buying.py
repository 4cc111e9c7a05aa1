"""Plans of purchases, each tried with the same cards that may be drawn."""

from __future__ import annotations

from foxclover.ai.climb.building import count_room, place_well
from foxclover.ai.climb.inputs import add_tableau
from foxclover.ai.climb.mind import NUMBERS, PLANS, Draft, Mind, Plans
from foxclover.ai.climb.network import SCORED, Nets, expected, net_before_rolling
from foxclover.ai.climb.vectors import add_row, copy_row
from foxclover.climb.piles import colour_of, nth_bit
from foxclover.climb.state import (
    COLOURS,
    GREEN,
    LEVELS,
    NO_CARD,
    NO_COLOUR,
    RED,
    YELLOW,
    Deck,
    Player,
    State,
)
from foxclover.climb.tableau import cards_scored, income_of, scored_of, set_points, total_points
from foxclover.records import assign
from foxclover.rng import below

IMPOSSIBLE = -1e9


def plan_of(green: int, yellow: int, red: int) -> int:
    """The plan that buys so many cards."""
    return (red * NUMBERS + yellow) * NUMBERS + green


def number_of(plan: int, colour: int) -> int:
    """How many cards of a colour a plan buys."""
    if colour == GREEN:
        return plan % NUMBERS
    if colour == YELLOW:
        return plan // NUMBERS % NUMBERS
    return plan // (NUMBERS * NUMBERS)


def cost_of(deck: Deck, plan: int) -> int:
    """What a plan costs."""
    cost = 0
    for colour in range(COLOURS):
        cost += number_of(plan, colour) * deck.cost[colour]
    return cost


def is_possible(deck: Deck, plans: Plans, plan: int) -> bool:
    """May so many cards be bought, and is there money for them?"""
    number = 0
    for colour in range(COLOURS):
        number += number_of(plan, colour)
    return number <= plans.left and cost_of(deck, plan) <= plans.most


def draw_cards(state: State, rng: list[int], drawn: list[list[int]]) -> None:
    """Draw cards of each colour that may come up next; NO_CARD where a pile holds no more unknown ones."""
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


def rate_plans(deck: Deck, mind: Mind, state: State, mine: Player, rng: list[int]) -> None:
    """Expected points of every plan of purchases, after a bonus card and with the last waiting card exchanged if so wanted."""
    nets = mind.net
    plans = mind.plans
    plans.net = net_before_rolling(deck, state)
    plans.points = float(total_points(deck, state, mine) - mine.luck)
    plans.most = plans.money + turn_in_worth(deck, state, mine)
    for plan in range(PLANS):
        plans.worth[plan] = 0.0
    add_tableau(deck, state, mine, nets.rows[plans.net], plans.tableau.hidden)
    count_room(deck, mine, plans.tableau.room)
    first = first_colour(plans, mine)
    for _ in range(mind.draws):
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
        plans.worth[plan] = (
            plans.worth[plan] / mind.draws if is_possible(deck, plans, plan) else IMPOSSIBLE
        )


def first_colour(plans: Plans, mine: Player) -> int:
    """The colour of the card that comes before all purchases: a bonus, or the next one for the last one waiting."""
    if plans.exchanged:
        return colour_of(mine.waiting[mine.waiting_count - 1])
    return plans.bonus


def try_plans(deck: Deck, nets: Nets, plans: Plans, state: State, mine: Player) -> None:
    """Buy every possible number of each colour of the cards drawn: red first, the others laid beside them."""
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
                plans.worth[plan] += rating + expected(nets, plans.net, plans.changed, plans.luck)


def place_drawn(
    deck: Deck, nets: Nets, plans: Plans, draft: Draft, colour: int, number: int
) -> None:
    """Lay the next drawn card of a colour."""
    card = plans.drawn[colour][number - 1]
    if card != NO_CARD:
        place_well(deck, nets, plans.net, draft, card, plans.luck, plans.trial)


# -- solo rules: cards for money ------------------------------------------------------------------------------------------


def turn_in_worth(deck: Deck, state: State, mine: Player) -> int:
    """Solo rules: what all scored cards that may be turned in would bring."""
    if not state.solo:
        return 0
    return income_of(deck, state, mine)


def choose_turned(deck: Deck, plans: Plans, state: State, mine: Player, needed: int) -> None:
    """Which scored green cards to give up for so much money: as exactly, and as few, as possible."""
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
    """Turn cards in for a plan; return the points lost."""
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
