"""Plans of purchases, each tried on the same samples of cards that may be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.building import count_room, place_well
from foxclover.ai.climb.inputs import SCORED, add_layout, expected, net_before_rolling
from foxclover.ai.climb.vectors import add_row, copy_row
from foxclover.climb.layout import income_of, scored_of, set_points, total_points
from foxclover.climb.piles import colour_of, count_bits, nth_bit
from foxclover.climb.state import COLOURS, GREEN, LEVELS, NO_CARD, NO_COLOUR, RED, YELLOW, Deck, Player, State
from foxclover.rng import below

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Desk, Nets, Row

SAMPLES = 0  # where the facts of a desk tell how many samples to take
MOST = 5  # one more than the purchases of a round
IMPOSSIBLE = -1e9
TRIAL = 7  # row of the desk for trying a card
CHANGED = 6  # and for cards turned in


def plan_code(green: int, yellow: int, red: int) -> int:
    """The number of a plan of purchases."""
    return (red * MOST + yellow) * MOST + green


def cost_of(deck: Deck, plan: int) -> int:
    """What a plan costs."""
    return plan % MOST * deck.cost[GREEN] + plan // MOST % MOST * deck.cost[YELLOW] + plan // (MOST * MOST) * deck.cost[RED]


def draw_samples(state: State, rng: list[int], drawn: list[list[int]], count: int) -> None:
    """Draw cards of each colour that may come up next; NO_CARD where a pile holds no more unknown ones."""
    for colour in range(COLOURS):
        cards = state.shuffled[colour]
        for n in range(count):
            drawn[colour][n] = NO_CARD
            if cards != 0:
                bit = nth_bit(cards, below(rng, count_bits(cards)))
                cards &= ~(1 << bit)
                drawn[colour][n] = 64 * colour + bit


def rate_plans(
    deck: Deck,
    state: State,
    mine: Player,
    nets: Nets,
    desk: Desk,
    rng: list[int],
    left: int,
    money: int,
    luck: int,
    bonus: int,
    exchanged: int,
) -> None:
    """Expected points of every plan of purchases, after a bonus card and with the last waiting card exchanged if so wanted."""
    net = net_before_rolling(deck, state)
    points = float(total_points(deck, state, mine) - mine.luck)
    for plan in range(MOST * MOST * MOST):
        desk.plans[plan] = 0.0
    add_layout(deck, state, mine, nets.rows[net], desk.hidden[5])
    samples = desk.facts[SAMPLES]
    for _ in range(samples):
        draw_samples(state, rng, desk.drawn, MOST)
        copy_row(desk.hidden[0], desk.hidden[5])
        count_room(deck, mine, desk.room[0])
        for index in range(mine.waiting_count - exchanged):
            place_well(deck, nets, net, desk.hidden[0], desk.room[0], mine.waiting[index], luck, desk.hidden[TRIAL])
        first = first_colour(mine, bonus, exchanged)
        if first != NO_COLOUR and desk.drawn[first][MOST - 1] != NO_CARD:
            place_well(deck, nets, net, desk.hidden[0], desk.room[0], desk.drawn[first][MOST - 1], luck, desk.hidden[TRIAL])
        try_plans(deck, state, mine, nets, net, desk, money, left, luck, points)
    for plan in range(MOST * MOST * MOST):
        desk.plans[plan] /= samples


def first_colour(mine: Player, bonus: int, exchanged: int) -> int:
    """The colour of the card that comes before all purchases: a bonus, or the next one for the last one waiting."""
    if exchanged:
        return colour_of(mine.waiting[mine.waiting_count - 1])
    return bonus


def try_plans(
    deck: Deck, state: State, mine: Player, nets: Nets, net: int, desk: Desk, money: int, left: int, luck: int, points: float
) -> None:
    """Buy every possible number of each colour of the cards drawn: red first, the others laid beside them."""
    most = money + turn_in_worth(deck, state, mine)
    for red in range(MOST):
        if red > 0:
            place_drawn(deck, nets, net, desk, 0, RED, red, luck)
        copy_row(desk.hidden[1], desk.hidden[0])
        copy_room(desk, 1, 0)
        for yellow in range(MOST):
            if yellow > 0:
                place_drawn(deck, nets, net, desk, 1, YELLOW, yellow, luck)
            copy_row(desk.hidden[2], desk.hidden[1])
            copy_room(desk, 2, 1)
            for green in range(MOST):
                plan = plan_code(green, yellow, red)
                cost = cost_of(deck, plan)
                if red + yellow + green > left or cost > most:
                    rating = IMPOSSIBLE
                else:
                    if green > 0:
                        place_drawn(deck, nets, net, desk, 2, GREEN, green, luck)
                    rating = points
                    copy_row(desk.hidden[CHANGED], desk.hidden[2])
                    if cost > money:
                        rating -= give_up(deck, state, mine, nets.rows[net], desk, cost - money)
                    rating += expected(nets, net, desk.hidden[CHANGED], luck)
                desk.plans[plan] += rating


def copy_room(desk: Desk, target: int, source: int) -> None:
    """Copy the room of each level."""
    for level in range(LEVELS):
        desk.room[target][level] = desk.room[source][level]


def place_drawn(deck: Deck, nets: Nets, net: int, desk: Desk, depth: int, colour: int, number: int, luck: int) -> None:
    """Lay the next drawn card of a colour."""
    card = desk.drawn[colour][number - 1]
    if card != NO_CARD:
        place_well(deck, nets, net, desk.hidden[depth], desk.room[depth], card, luck, desk.hidden[TRIAL])


# -- solo rules: cards for money ------------------------------------------------------------------------------------------


def turn_in_worth(deck: Deck, state: State, mine: Player) -> int:
    """Solo rules: what all scored cards that may be turned in would bring."""
    if not state.solo:
        return 0
    return income_of(deck, state, mine)


def choose_turned(deck: Deck, state: State, mine: Player, desk: Desk, needed: int) -> None:
    """Which scored green cards to give up for so much money: as exactly, and as few, as possible."""
    for level in range(LEVELS):
        desk.turned[level] = 0
    while needed > 0:
        best = -1
        for level in range(LEVELS):
            if desk.turned[level] < count_bits(mine.scored[level][GREEN]):
                brings = deck.factor[state.solo][level]
                if best < 0 or brings <= needed or brings < deck.factor[state.solo][best]:
                    best = level
        if best < 0:
            return
        desk.turned[best] += 1
        needed -= deck.factor[state.solo][best]


def give_up(deck: Deck, state: State, mine: Player, rows: list[Row], desk: Desk, needed: int) -> float:
    """Turn cards in for a plan; return the points lost."""
    choose_turned(deck, state, mine, desk, needed)
    lost = 0
    count = 0
    for level in range(LEVELS):
        if desk.turned[level] > 0:
            count += desk.turned[level]
            lost += desk.turned[level] * deck.factor[state.solo][level] * deck.points[GREEN]
            add_row(desk.hidden[CHANGED], rows[SCORED + COLOURS * level + GREEN], -float(desk.turned[level]))
    sets = scored_of(state, mine, GREEN) - count
    for colour in range(1, COLOURS):
        sets = min(sets, scored_of(state, mine, colour))
    return float(lost + set_points(deck, state, mine) - sets * deck.set_points)
