"""Thinking computer players of the Clever games at a table."""

from __future__ import annotations

import pytest

from families import CLEVER
from foxclover.ai import FOR_PEOPLE, agent
from foxclover.ai.agents import RatingAgent
from foxclover.ai.families import Strength
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.dice.sources import seeded


def play(key: str, name: str, stream: int, players: int = 1) -> Position:
    chosen = game(key)
    position, dice, player = (
        chosen.start(players),
        seeded(21, stream),
        agent(name, chosen, seed=stream),
    )
    while not position.over:
        position.push(
            dice.draw(position)
            if position.chance_due
            else player.choose(position, position.acting[0])
        )
    return position


def mean(key: str, name: str, games: int) -> float:
    return sum(play(key, name, stream).score(0) for stream in range(games)) / games


@pytest.mark.parametrize("key", CLEVER)
def test_levels_grow_from_greedy_to_the_net(key: str) -> None:
    greedy, easy, medium, net = (mean(key, name, 8) for name in ("greedy", "easy", "medium", "net"))
    assert greedy < easy + 25
    assert easy < medium < net + 10
    assert net > greedy + 70


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("key", CLEVER)
def test_the_net_plays_with_any_number_of_players(key: str, players: int) -> None:
    position = play(key, "net", 0, players)
    assert position.over
    assert min(position.score(seat) for seat in range(players)) > 100


def test_the_same_seed_errs_in_the_same_way() -> None:
    first, again, other = (
        play("ganz-schoen-clever", "easy", stream).moves_made for stream in (1, 1, 2)
    )
    assert first == again
    assert first != other


@pytest.mark.parametrize("key", CLEVER)
def test_moves_are_ranked_best_first_and_none_is_left_out(key: str) -> None:
    chosen = game(key)
    player = RatingAgent(chosen, Strength())
    position, dice = chosen.start(), seeded(3)
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
            continue
        ranked = player.rank(position, 0)
        assert sorted(value.move.number for value in ranked) == position.legal_numbers(0)
        expected = [value.expected for value in ranked]
        assert expected == sorted(expected, reverse=True)
        assert all(-100 < points < 600 for points in expected)
        position.push(ranked[0].move)


def test_the_value_of_a_last_move_is_the_score() -> None:
    chosen = game("ganz")
    player = RatingAgent(chosen, Strength())
    position, dice = chosen.start(), seeded(4)
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
        else:
            best = player.rank(position, 0)[0]
            position.push(best.move)
    assert best.expected == position.score(0)


def test_people_can_invite_three_levels() -> None:
    assert FOR_PEOPLE == ("easy", "medium", "strong")
