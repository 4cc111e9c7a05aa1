"""Geht noch was?.

Engine and referee agree on who is to act, every legal move, every card due, every part of a score
and all places.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest

from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE, RANDOM
from foxclover.dice.sources import seeded
from foxclover.games.climb.rules.state import FREE_PLACEMENT, SOLO_RULES
from foxclover.games.climb.rules.tableau import count_active, lay_card
from referee.duel import PlayerConfig, anything, draw_beginner, play_on
from referee.referee_climb import Referee

GAMES = 8  # of each number of players, variant and habit


def collector(rng: random.Random, texts: list[str]) -> str:
    """Fulfils and scores what it can on the low levels and buys green: empties the green pile."""
    for preferred in ("fulfil", "score", "buy green", "take 1 luck", "exchange"):
        found = [text for text in texts if text.startswith(preferred)]
        if found:
            return rng.choice(found)
    return (
        "out"
        if "out" in texts and rng.random() < 0.5
        else rng.choice([text for text in texts if text != "fail"] or texts)
    )


def climber(rng: random.Random, texts: list[str]) -> str:
    """Pays rather than fails, stays for long, pushes cards up.

    Full levels, luck as markers, pushes of scored cards.
    """
    for preferred in ("fulfil", "lift", "turn in", "buy", "pay", "push"):
        found = [text for text in texts if text.startswith(preferred)]
        if found and rng.random() < (0.75 if preferred == "push" else 0.95):
            return rng.choice(found)
    return "stay" if "stay" in texts and rng.random() < 0.8 else rng.choice(texts)


def scatter(position: Position, referee: Referee, rng: random.Random) -> None:
    """Begin in the middle.

    Scored cards on all levels, thin piles with known cards under them, cards and luck anywhere,
    luck scarce.
    """
    code_of, state = position.game.definition.code_of, position.state
    for colour, cards in referee.unknown.items():
        names = sorted(cards)
        rng.shuffle(names)
        for card in names[rng.randrange(6) :]:
            stack, n = divmod(code_of[card], 64)
            state.shuffled[stack] &= ~(1 << n)
            cards.remove(card)
            if rng.random() < 0.05:
                state.under[state.under_count] = code_of[card]
                state.under_count += 1
                referee.under[colour].append(card)
                continue
            seat, level = rng.randrange(position.players), rng.choice((1, 1, 2, 2, 3, 4, 5))
            state.seats[seat].scored[level - 1][stack] |= 1 << n
            referee.people[seat].scored[card] = level
    for person, mine in zip(referee.people, state.seats, strict=False):
        person.luck = mine.luck = rng.randrange(5)
        mine.active = [0] * len(mine.active)
        for card in sorted(person.active):
            room = [level for level in range(5) if count_active(mine, level) < 4]
            level = rng.choice(room) + 1
            person.active[card] = level
            lay_card(mine, code_of[card], level - 1)
    referee.withheld = max(0, referee.supply() - rng.randrange(4))
    state.supply = referee.supply()


def play(players: int, variant: int, seed: int, config: PlayerConfig) -> None:
    rng = random.Random(seed)
    start_player = draw_beginner(players, rng)
    position = game("geht").start(
        players,
        start_player=start_player,
        solo_rules=bool(variant & SOLO_RULES),
        free_placement=bool(variant & FREE_PLACEMENT),
    )
    referee = Referee(
        players,
        bool(variant & SOLO_RULES),
        bool(variant & FREE_PLACEMENT),
        None if start_player == RANDOM else start_player,
    )
    # scored cards before round 1 are impossible
    if seed % 2 and not variant & FREE_PLACEMENT:
        if position.state.round == 0:
            referee.play(CHANCE, position.roll(seeded(seed)).text)
        scatter(position, referee, rng)
        position.forget()  # the game begins with what was changed by hand
    play_on(position, referee, config, seed, rng)


@pytest.mark.parametrize("config", [anything, collector, climber])
@pytest.mark.parametrize("variant", [0, SOLO_RULES, FREE_PLACEMENT])
@pytest.mark.parametrize("players", range(1, 9))
def test_engine_and_referee_agree(players: int, variant: int, config: PlayerConfig) -> None:
    for seed in range(GAMES):
        play(players, variant, seed, config)


def test_a_roll_has_the_weights_of_seven_dice() -> None:
    weights = Counter(
        "B" + "".join(map(str, sorted(dice[:4]))) + " R" + "".join(map(str, sorted(dice[4:])))
        for dice in product(range(1, 7), repeat=7)
    )
    position = game("geht").start()
    assert {move.text: weight for move, weight in position.chance_moves()} == weights
