"""Dice luck is fair, and losses differ between players."""

from __future__ import annotations

import statistics

import pytest

from foxclover.core.game import game, game_names
from foxclover.review import review
from foxclover.review.analyser import Analyser
from reviewed import played

GAMES = 40


@pytest.mark.parametrize("name", ["random", "medium", "net"])
@pytest.mark.parametrize("key", game_names())
def test_luck_is_nothing_on_average(key: str, name: str) -> None:
    chosen = game(key)
    analyser = Analyser(chosen)
    luck = [
        review(played(chosen, name, seed=5, number=number), tried=False, analyser=analyser)
        .seats[0]
        .dice_luck
        for number in range(GAMES)
    ]
    assert abs(statistics.mean(luck)) < 3 * statistics.stdev(luck) / len(luck) ** 0.5


@pytest.mark.parametrize("key", game_names())
def test_weaker_players_lose_more(key: str) -> None:
    chosen = game(key)
    analyser = Analyser(chosen)
    losses = [
        sum(
            review(played(chosen, name, seed=7, number=number), tried=False, analyser=analyser)
            .seats[0]
            .loss
            for number in range(6)
        )
        for name in ("random", "greedy", "easy", "medium", "net")
    ]
    assert losses == sorted(losses, reverse=True)
    assert len(set(losses)) == len(losses)
