"""Geht noch was?: the engine and the referee agree on who is to act, on every legal move, every card due and every score."""

from __future__ import annotations

import random

import pytest

from foxclover.climb.state import FREE_PLACEMENT, SOLO_RULES
from foxclover.game import CHANCE, Position, game
from referee.duel import Habit, anything, play_on
from referee.referee_climb import Referee

GAMES = 8  # of each number of players, variant and habit


def collector(rng: random.Random, texts: list[str]) -> str:
    """Fulfils and scores what it can on the low levels and buys green: empties the green pile."""
    for wish in ("fulfil", "score", "buy green", "take 1 luck", "exchange"):
        found = [text for text in texts if text.startswith(wish)]
        if found:
            return rng.choice(found)
    return "out" if "out" in texts and rng.random() < 0.5 else rng.choice([text for text in texts if text != "fail"] or texts)


def climber(rng: random.Random, texts: list[str]) -> str:
    """Pays rather than fails, stays for long, pushes cards up: full levels, luck as markers, pushes of scored cards."""
    for wish in ("fulfil", "lift", "turn in", "buy", "pay", "push"):
        found = [text for text in texts if text.startswith(wish)]
        if found and rng.random() < (0.75 if wish == "push" else 0.95):
            return rng.choice(found)
    return "stay" if "stay" in texts and rng.random() < 0.8 else rng.choice(texts)


def compare(position: Position, referee: Referee) -> None:
    assert position.to_act == referee.to_act()
    for seat in position.acting:
        assert {move.text for move in position.legal_moves(seat)} == referee.legal(seat)
    if position.chance_due and referee.due == "card":
        assert {move.text for move in position.legal_moves(CHANCE)} == referee.cards_due()
    for seat in range(position.players):
        assert position.score(seat) == referee.score(seat)


def scatter(position: Position, referee: Referee, rng: random.Random) -> None:
    """Begin with much luck and thin piles: piles run empty, x3/x4 markers come into play, and every level has a card."""
    code_of = position.game.book.code_of
    for cards in referee.unknown.values():
        for card in sorted(cards)[rng.randrange(6) :]:
            seat, level = rng.randrange(position.players), rng.randint(1, 3)
            stack, n = divmod(code_of[card], 64)
            position.state.shuffled[stack] &= ~(1 << n)
            position.state.seats[seat].scored[level - 1][stack] |= 1 << n
            cards.remove(card)
            referee.people[seat].scored[card] = level
    for person, mine in zip(referee.people, position.state.seats, strict=False):
        position.state.supply -= 4 - mine.luck
        person.luck = mine.luck = 4
        mine.active = [0] * len(mine.active)
        for step, card in enumerate(sorted(person.active)):
            person.active[card] = min(step, 4) + 1
            mine.active[4 * min(step, 4) + step // 5] = code_of[card]


def play(players: int, variant: int, seed: int, habit: Habit) -> None:
    rng = random.Random(seed)
    position = game("geht").start(players, variant)
    referee = Referee(players, bool(variant & SOLO_RULES), bool(variant & FREE_PLACEMENT))
    if seed % 2 and not variant & FREE_PLACEMENT:  # scored cards before round 1 would be out of the question
        scatter(position, referee, rng)
    play_on(position, referee, compare, habit, seed, rng)


@pytest.mark.parametrize("habit", [anything, collector, climber])
@pytest.mark.parametrize("variant", [0, SOLO_RULES, FREE_PLACEMENT])
@pytest.mark.parametrize("players", range(1, 9))
def test_engine_and_referee_agree(players: int, variant: int, habit: Habit) -> None:
    for seed in range(GAMES):
        play(players, variant, seed, habit)
