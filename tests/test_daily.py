"""The dice of a day: their key, their hours, and games checked by them."""

from __future__ import annotations

from pathlib import Path

import pytest

from foxclover import CHANCE, game_names
from foxclover.core.game import game
from foxclover.dice import daily
from foxclover.dice.sources import keyed
from test_keyed_dice import played

SECRET = bytes(range(32))
DAY = "2026-11-16"


def test_the_key_is_the_one_in_the_documentation() -> None:
    key = daily.day_key(SECRET, DAY, "ganz-schoen-clever")
    text = (Path(__file__).parents[1] / "docs" / "fair-dice-spec.md").read_text(encoding="utf-8")
    first = keyed(key).draw(game("ganz").start(1)).text
    for name, value in (("key", key.hex()), ("promise", daily.promise(key)), ("roll", first)):
        assert f"{name:9}{value}" in text


def test_each_day_and_game_has_its_own_key() -> None:
    days = [DAY, daily.day_after(DAY), "2027-11-16"]
    assert len(
        {
            daily.day_key(secret, day, key)
            for secret in (SECRET, b"")
            for day in days
            for key in game_names()
        }
    ) == 6 * len(game_names())


def test_a_day_is_that_of_utc_and_closes_an_hour_after_it() -> None:
    assert (daily.day_of(daily.ends(DAY) - 0.001), daily.day_of(daily.ends(DAY))) == (
        DAY,
        "2026-11-17",
    )
    assert daily.closes(DAY) - daily.ends(DAY) == 3600
    assert daily.day_after("2028-02-28") == "2028-02-29"
    assert daily.day_after("2027-01-01", -1) == "2026-12-31"


@pytest.mark.parametrize("key", game_names())
def test_every_draw_of_a_day_is_checked(key: str) -> None:
    secret = daily.day_key(SECRET, DAY, key)
    promised = daily.promise(secret)
    for seed in range(3):
        position = played(key, 1, seed, keyed(secret))
        draws = [index for index, move in enumerate(position.moves_made) if move.seat == CHANCE]
        assert daily.verify(promised, secret, position) == len(draws)
        other = daily.day_key(SECRET, daily.day_after(DAY), key)
        with pytest.raises(daily.NotOfTheDay) as wrong:
            daily.verify(promised, other, position)
        assert wrong.value.problem == "key"
        with pytest.raises(daily.NotOfTheDay) as wrong:
            daily.verify(daily.promise(other), other, position)
        assert (wrong.value.problem, wrong.value.draw, wrong.value.move) == ("roll", 1, draws[0])


@pytest.mark.parametrize("key", game_names())
def test_a_game_goes_on_with_the_dice_of_its_day(key: str) -> None:
    secret = daily.day_key(SECRET, DAY, key)
    whole = played(key, 1, 5, keyed(secret))
    half = game(key).start(1)
    for move in whole.moves_made[: len(whole.moves_made) // 2]:
        half.push(move)
    dice = daily.follow(secret, half)
    for move in whole.moves_made[len(half.moves_made) :]:
        assert move.seat != CHANCE or dice.draw(half).number == move.number
        half.push(move)
    assert half.score(0) == whole.score(0)


def test_a_header_names_the_day_the_promise_and_later_the_key() -> None:
    for with_key in (False, True):
        text = daily.dice_words(DAY, SECRET, with_key)
        expected = DAY, daily.promise(SECRET), SECRET if with_key else None
        assert daily.read_dice(text) == expected
    for text in ("typed", "daily", f"daily {DAY}", f"daily {DAY} 00", "seed 7"):
        assert daily.read_dice(text) is None
