"""Random games of every kind, with every count checked after every move."""

from __future__ import annotations

import random

import pytest

from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE, MAX_MOVES
from foxclover.dice.sources import seeded
from foxclover.games.climb.rules.evaluation import greedy
from foxclover.games.climb.rules.state import LEVELS, SLOTS, SPOTS, Deck, Player
from foxclover.games.climb.rules.table import State

GAMES_EACH = 8


def cards_in(masks: list[int]) -> list[int]:
    return [
        64 * stack + n
        for stack, mask in enumerate(masks)
        if mask
        for n in range(mask.bit_length())
        if mask >> n & 1
    ]


def held(mine: Player) -> list[int]:
    """All cards that lie before a player."""
    scored = [card for level in range(LEVELS) for card in cards_in(mine.scored[level])]
    return [*filter(None, mine.active), *mine.waiting[: mine.waiting_count], *scored]


def copies(state: State) -> int:
    return 1 if state.players <= 4 else 2


def check_cards(state: State, all_cards: list[int]) -> None:
    everywhere = [*cards_in(state.shuffled), *state.under[: state.under_count]]
    for mine in state.seats:
        everywhere += held(mine)
    assert sorted(everywhere) == all_cards
    assert not any(state.under[state.under_count :])
    marked = set(cards_in(state.tripled)) | set(cards_in(state.fourfold))
    assert len(marked) == 4 * copies(state) - state.multipliers
    assert state.multipliers >= 0
    assert marked <= {
        card
        for mine in state.seats
        for level in range(LEVELS)
        for card in cards_in(mine.scored[level])
    }


def check_markers(deck: Deck, state: State) -> None:
    on_cards = sum(mine.lucky.bit_count() for mine in state.seats)
    assert state.supply >= 0
    assert state.supply + on_cards + sum(mine.luck for mine in state.seats) == 16 * copies(state)
    assert state.roll <= 10
    for mine in state.seats:
        assert 0 <= mine.luck <= deck.clover
        assert mine.lucky & ~mine.marked == 0
        assert (mine.marked & ~mine.lucky).bit_count() <= deck.black_markers
        assert all(mine.active[spot] for spot in range(SPOTS) if mine.marked >> spot & 1)
        assert all(
            sum(map(bool, mine.active[SLOTS * level :][:SLOTS])) <= deck.room
            for level in range(LEVELS)
        )
        assert 0 <= mine.bought <= deck.purchases
        assert mine.money >= 0


def next_number(position: Position, seat: int, choice: random.Random, thoughtful: bool) -> int:
    """A random move, or that of the greedy player, who gets to the upper levels."""
    numbers = position.legal_numbers(seat)
    assert 0 < len(numbers) <= MAX_MOVES
    assert len(set(numbers)) == len(numbers)
    if thoughtful:
        return numbers[
            greedy(
                position.game.definition.tables,
                position.state,
                State(),
                seat,
                numbers,
                len(numbers),
            )
        ]
    return choice.choice(numbers)


@pytest.mark.parametrize("variant", range(4))
@pytest.mark.parametrize("players", range(1, 9))
def test_every_card_and_marker_is_always_somewhere_exactly_once(players: int, variant: int) -> None:
    highest = 0
    for seed in range(GAMES_EACH):
        position = game("geht").start_with(players, game("geht").unpack(variant))
        dice, choice = seeded(seed), random.Random(seed)
        deck = position.game.definition.tables
        all_cards = [card for card in cards_in(deck.cards) if card < 192 * copies(position.state)]
        assert len(all_cards) == 96 * copies(position.state)
        while not position.over:
            seat = choice.choice(sorted(position.to_act))
            if seat == CHANCE:
                position.push(dice.draw(position))
            else:
                number = next_number(position, seat, choice, thoughtful=seed % 4 == 0)
                position.push_unchecked(
                    next(move for move in position.legal_moves(seat) if move.number == number)
                )
            check_cards(position.state, all_cards)
            check_markers(deck, position.state)
        assert position.state.round == deck.rounds
        assert all(mine.marked == 0 and mine.waiting_count == 0 for mine in position.state.seats)
        for mine in position.state.seats:
            highest = max([highest, *(level for level in range(LEVELS) if any(mine.scored[level]))])
    assert highest >= 2
