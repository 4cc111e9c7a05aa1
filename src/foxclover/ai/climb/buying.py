"""Bonuses and purchases, rated by the best plan of purchases that they allow."""

from __future__ import annotations

from foxclover.ai.climb.mind import PLANS, Mind, Plans
from foxclover.ai.climb.purchase_plans import choose_turned, cost_of, number_of, rate_plans
from foxclover.ai.trials import Trials
from foxclover.climb.moves import BUY, DONE, EXCHANGE, TAKE, TURN_IN
from foxclover.climb.piles import bit_of, stack_of, times
from foxclover.climb.state import COLOURS, NO_COLOUR, Deck, Player, State
from foxclover.climb.tableau import income_of, level_of_scored

FIRST = 1e-6  # the dearest card of a plan comes first
WANTED = 1e-3  # and before it what is turned in for it


def best_plan(plans: Plans, colour: int) -> int:
    """The best plan that contains a purchase of this colour; NO_COLOUR: of all."""
    best = -1
    for plan in range(PLANS):
        if (colour == NO_COLOUR or number_of(plan, colour) > 0) and (
            best < 0 or plans.worth[plan] > plans.worth[best]
        ):
            best = plan
    return best


def dearest_of(plan: int) -> int:
    """The dearest colour of a plan."""
    dearest = NO_COLOUR
    for colour in range(COLOURS):
        if number_of(plan, colour) > 0:
            dearest = colour
    return dearest


def rate_bonus(
    deck: Deck, mind: Mind, state: State, mine: Player, trials: Trials, rng: list[int]
) -> None:
    """Rate each bonus by the best plan of purchases that follows it, on the same cards."""
    plans = mind.plans
    plans.left = deck.purchases
    plans.money = 0 if state.solo else income_of(deck, state, mine)
    plans.exchanged = 0
    row = state.round - 1
    copy_rng(plans.rng, rng)
    for n in range(trials.count):
        copy_rng(rng, plans.rng)
        option = trials.moves[n] - TAKE
        plans.luck = min(mine.luck + deck.option_luck[row][option], deck.clover)
        plans.bonus = deck.option_colour[row][option]
        rate_plans(deck, mind, state, mine, rng)
        trials.ratings[n] = plans.worth[best_plan(plans, NO_COLOUR)]


def copy_rng(target: list[int], source: list[int]) -> None:
    """Let a generator stand where another one does."""
    for word in range(len(target)):
        target[word] = source[word]


def begin_plans(deck: Deck, plans: Plans, mine: Player) -> None:
    """What may still be bought now."""
    plans.left = deck.purchases - mine.bought
    plans.money = mine.money
    plans.luck = mine.luck
    plans.bonus = NO_COLOUR
    plans.exchanged = 0


def rate_buying(
    deck: Deck, mind: Mind, state: State, mine: Player, trials: Trials, rng: list[int]
) -> None:
    """Rate each purchase by the best plan that contains it; cards are turned in only for the best plan of all."""
    plans = mind.plans
    begin_plans(deck, plans, mine)
    rate_plans(deck, mind, state, mine, rng)
    plan = best_plan(plans, NO_COLOUR)
    colour = dearest_of(plan)
    short = colour != NO_COLOUR and mine.money < deck.cost[colour]
    if short:
        choose_turned(deck, plans, state, mine, cost_of(deck, plan) - mine.money)
    for n in range(trials.count):
        move = trials.moves[n]
        if move == DONE:
            trials.ratings[n] = plans.worth[0]
        elif move < TURN_IN:
            trials.ratings[n] = plans.worth[best_plan(plans, move - BUY)]
            if move - BUY == colour:
                trials.ratings[n] += FIRST
        else:
            card = move - TURN_IN
            level = level_of_scored(mine, card)
            wanted = (
                short
                and plans.turned[level] > 0
                and times(state, stack_of(card), bit_of(card)) == 1
            )
            trials.ratings[n] = (
                plans.worth[plan] + WANTED
                if wanted
                else plans.worth[0] - deck.factor[state.solo][level]
            )


def rate_exchange(
    deck: Deck, mind: Mind, state: State, mine: Player, trials: Trials, rng: list[int]
) -> None:
    """Keep the card just bought, or take the next one."""
    plans = mind.plans
    begin_plans(deck, plans, mine)
    for n in range(trials.count):
        plans.exchanged = 1 if trials.moves[n] == EXCHANGE else 0
        rate_plans(deck, mind, state, mine, rng)
        trials.ratings[n] = plans.worth[best_plan(plans, NO_COLOUR)]
