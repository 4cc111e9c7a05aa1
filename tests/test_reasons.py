"""Why something cannot be done now, or must be: told from the rules, in every situation of every game."""

from __future__ import annotations

import random

import pytest

from clever_table import CleverTable
from climb_table import Table
from foxclover.chance import seeded
from foxclover.game import LOT, game, games
from foxclover.locale import LANGUAGES, catalogue

EN = catalogue("en")


@pytest.mark.parametrize("key", games())
@pytest.mark.parametrize("players", [1, 3])
def test_every_seat_may_ask_at_any_time_in_every_language(key: str, players: int) -> None:
    for seed in range(6):
        chosen = game(key)
        variant = chosen.variant([option.name for option in chosen.options if players > 1 and seed % 2], LOT if players > 1 else 0)
        position, dice, rng = chosen.start(players, variant), seeded(seed), random.Random(seed)
        while not position.over:
            for seat in range(players):
                for language in LANGUAGES:
                    assert all(position.reasons(seat, catalogue(language)))
            if position.chance_due:
                position.roll(dice)
            else:
                seat = rng.choice(position.acting)
                position.push(rng.choice(position.legal_moves(seat)))
        assert position.reasons(0, EN) == []


def reasons(table: CleverTable | Table, seat: int = 0) -> str:
    return "\n".join(table.position.reasons(seat, EN))


def test_ganz_says_that_a_die_that_fits_must_be_laid_out_and_doppelt_that_one_may_pass() -> None:
    for key, sentence in (("ganz", "must be laid out"), ("doppelt", "You may pass")):
        position = game(key).start()
        position.roll(seeded(1))
        assert sentence in "\n".join(position.reasons(0, EN))


def test_a_die_that_does_not_fit_says_why() -> None:
    table = CleverTable("ganz", 2).given(1, "p5").roll("y3b2g4o1p4w5")
    assert "purple 4: in purple the next number must be higher than 5." in reasons(table)
    table = CleverTable("ganz", 2).given(1, "g1 g2").roll("y3b2g2o1p4w5")
    assert "green 2: the next field of green asks for at least 3." in reasons(table)


def test_which_fields_take_a_die_is_told_with_the_areas_of_the_sheet() -> None:
    for key, grids, tracks in (("ganz", "Yellow, blue", "Green, orange, purple"), ("doppelt", "Silver, yellow", "Blue, green, pink")):
        position = game(key).start()
        position.roll(seeded(1))
        said = position.reasons(0, EN)
        assert f"{grids}: only a field without a cross, with exactly the number that is entered." in said
        assert f"{tracks}: only the next free field from the left." in said
        assert "Blue: what is entered is always the sum of the two dice." in said


def test_others_are_told_to_wait_for_the_platter_and_to_take_from_it() -> None:
    table = CleverTable("ganz", 2).roll("y3b2g4o1p6w5")
    assert reasons(table, 1).startswith("The others take a die from the platter")
    table.move("p>p6")
    assert "you must use one of them" in reasons(table, 1)


def test_a_card_out_of_reach_marked_or_not_met_says_why() -> None:
    table = Table()
    table.lay(0, {1: [1, 25], 2: [33]})
    table.roll("B1122 R666")
    assert "the first card of a round lies on level 1" in reasons(table)
    table.do("fulfil 1", "stay")
    table.roll("B3456 R333")
    said = reasons(table)
    assert "Card 1: fulfilled already." in said
    assert "Card 25: the dice do not show what it asks for." in said


def test_who_is_not_asked_to_buy_is_told_why() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(1, {}, {1: [25]})
    table.all_do("take 2 luck")
    assert table.acting() == {1}
    assert "only scored green cards earn money" in reasons(table, 0)
    assert "red costs 4; you have 1." in reasons(table, 1).lower()


def test_a_card_under_a_full_level_must_be_scored() -> None:
    table = Table()
    table.lay(0, {1: [1], 2: [25, 26, 27, 28]})
    table.roll("B1122 R666")
    table.do("fulfil 1", "out")
    assert "Card 1 must be scored: level 2 above it holds 4 active cards." in reasons(table)
