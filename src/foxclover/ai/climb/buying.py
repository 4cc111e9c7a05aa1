"""Bonuses and purchases, rated by the best plan of purchases that they allow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.ai.climb.plans import MOST, choose_turned, cost_of, rate_plans
from foxclover.climb.layout import income_of, level_of_scored
from foxclover.climb.moves import BUY, DONE, EXCHANGE, TAKE, TURN_IN
from foxclover.climb.piles import bit_of, times
from foxclover.climb.state import GREEN, NO_COLOUR, RED, YELLOW, Deck, Player, State

if TYPE_CHECKING:
    from foxclover.ai.climb.parts import Desk, Floats, Nets


def best_plan(desk: Desk, colour: int) -> int:
    """The best plan that contains a purchase of this colour; NO_COLOUR: of all."""
    best = -1
    for plan in range(MOST * MOST * MOST):
        fits = colour == NO_COLOUR
        if colour == GREEN:
            fits = plan % MOST > 0
        elif colour == YELLOW:
            fits = plan // MOST % MOST > 0
        elif colour == RED:
            fits = plan // (MOST * MOST) > 0
        if fits and (best < 0 or desk.plans[plan] > desk.plans[best]):
            best = plan
    return best


def dearest_of(plan: int) -> int:
    """The dearest colour of a plan."""
    if plan // (MOST * MOST) > 0:
        return RED
    if plan // MOST % MOST > 0:
        return YELLOW
    return GREEN if plan > 0 else NO_COLOUR


def rate_bonus(
    deck: Deck, state: State, mine: Player, nets: Nets, desk: Desk, rng: list[int], moves: list[int], count: int, ratings: Floats
) -> None:
    """Rate each bonus by the best plan of purchases that follows it, on the same cards."""
    money = 0 if state.solo else income_of(deck, state, mine)
    row = state.round - 1
    keys = (rng[0], rng[1], rng[2], rng[3])
    for n in range(count):
        for word in range(4):
            rng[word] = keys[word]
        option = moves[n] - TAKE
        luck = min(mine.luck + deck.option_luck[row][option], deck.clover)
        rate_plans(deck, state, mine, nets, desk, rng, deck.purchases, money, luck, deck.option_colour[row][option], 0)
        ratings[n] = desk.plans[best_plan(desk, NO_COLOUR)]


def rate_buying(
    deck: Deck, state: State, mine: Player, nets: Nets, desk: Desk, rng: list[int], moves: list[int], count: int, ratings: Floats
) -> None:
    """Rate each purchase by the best plan that contains it; cards are turned in only for the best plan of all."""
    rate_plans(deck, state, mine, nets, desk, rng, deck.purchases - mine.bought, mine.money, mine.luck, NO_COLOUR, 0)
    plan = best_plan(desk, NO_COLOUR)
    colour = dearest_of(plan)
    short = colour != NO_COLOUR and mine.money < deck.cost[colour]
    if short:
        choose_turned(deck, state, mine, desk, cost_of(deck, plan) - mine.money)
    for n in range(count):
        move = moves[n]
        if move == DONE:
            ratings[n] = desk.plans[0]
        elif move < TURN_IN:
            ratings[n] = desk.plans[best_plan(desk, move - BUY)]
            if move - BUY == colour:
                ratings[n] += 1e-6  # the dearest card of a plan comes first
        else:
            card = move - TURN_IN
            level = level_of_scored(mine, card)
            wanted = short and desk.turned[level] > 0 and times(state, GREEN, bit_of(card)) == 1
            ratings[n] = desk.plans[plan] + 1e-3 if wanted else desk.plans[0] - deck.factor[state.solo][level]


def rate_exchange(
    deck: Deck, state: State, mine: Player, nets: Nets, desk: Desk, rng: list[int], moves: list[int], count: int, ratings: Floats
) -> None:
    """Keep the card just bought, or take the next one."""
    left = deck.purchases - mine.bought
    for n in range(count):
        exchanged = 1 if moves[n] == EXCHANGE else 0
        rate_plans(deck, state, mine, nets, desk, rng, left, mine.money, mine.luck, NO_COLOUR, exchanged)
        ratings[n] = desk.plans[best_plan(desk, NO_COLOUR)]
