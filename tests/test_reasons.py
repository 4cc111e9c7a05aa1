"""Why something cannot be done now, or must be.

Told from the rules, in every situation of every game.
"""

from __future__ import annotations

import random

import pytest

from clever_table import CleverTable
from climb_table import Table
from foxclover.core.game import game, game_names
from foxclover.core.position import Position
from foxclover.core.rules import RANDOM
from foxclover.dice.sources import seeded
from foxclover.games.climb.definitions import ClimbDefinition
from foxclover.games.climb.rules.state import TO_LIFT
from foxclover.locale import LANGUAGES, catalogue

EN = catalogue("en")


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize("players", [1, 3])
def test_every_seat_may_ask_at_any_time_in_every_language(key: str, players: int) -> None:
    for seed in range(6):
        chosen = game(key)
        setup = chosen.setup(
            [option.name for option in chosen.options if players > 1 and seed % 2],
            RANDOM if players > 1 else 0,
        )
        position, dice, rng = chosen.start_with(players, setup), seeded(seed), random.Random(seed)
        while not position.over:
            for seat in range(players):
                for language in LANGUAGES:
                    assert all(position.reasons(seat, catalogue(language)))
                for thing in things(position, seat) if seed == 0 else ():
                    answer = position.reasons_about(seat, thing, EN)
                    assert answer or (answer == [] and seat not in position.acting), thing
            if position.chance_due:
                position.roll(dice)
            else:
                seat = rng.choice(position.acting)
                position.push(rng.choice(position.legal_moves(seat)))
        assert position.reasons(0, EN) == []


def things(position: Position, seat: int) -> list[str]:
    """All that a seat can ask about."""
    definition, mine = position.game.definition, position.state.seats[seat]
    if isinstance(definition, ClimbDefinition):
        scored = [
            name
            for name, card in definition.code_of.items()
            if any(row[card // 64] >> card % 64 & 1 for row in mine.scored)
        ]
        return [
            *(definition.name(card) for card in mine.active if card),
            *scored,
            *(f"#{level}" for level in range(1, 6)),
        ]
    fields = [
        area.letter + (field.name if area.kind.name == "grid" else f"#{number}")
        for area in definition.areas
        for number, field in enumerate(area.cells, 1)
    ]
    return [*definition.letters, *fields]


def about(table: CleverTable | Table, thing: str, seat: int = 0) -> str:
    return "\n".join(table.position.reasons_about(seat, thing, EN) or [])


def test_a_field_of_a_grid_says_what_it_needs_and_what_the_dice_show() -> None:
    table = CleverTable("ganz", 2).given(1, "y3a").roll("y3b2g4o1p4w5")
    assert about(table, "y3a") == "This field of yellow is already crossed."
    assert about(table, "y6a") == "This field needs exactly 6. You have: yellow 3, white 5."
    assert about(table, "y5a") == "This field fits: white 5."


def test_blue_is_the_sum_of_blue_and_white() -> None:
    table = CleverTable("ganz", 2).roll("y3b2g4o1p4w5")
    assert about(table, "b8") == "This field needs exactly 8. You have: blue 2 + white 5 = 7."
    assert about(table, "b7") == "This field fits: blue 2 + white 5 = 7."
    table = CleverTable("doppelt", 2).given(1, "b6").roll("s3y2b2g1p4w5")
    assert (
        about(table, "b#2")
        == "blue 2 + white 5 = 7: in blue, the next number must not be higher than 6."
    )


def test_a_track_is_filled_from_the_left() -> None:
    table = CleverTable("ganz", 2).given(1, "o4 o2").roll("y3b2g4o1p4w5")
    assert about(table, "o#1") == "This field of orange is already filled."
    assert (
        about(table, "o#4") == "Fill the fields of orange from the left: the next one is field 3."
    )
    assert about(table, "o#3") == "This field fits: orange 1, white 5."


def test_the_next_field_of_a_track_says_which_number_it_refuses() -> None:
    table = CleverTable("ganz", 2).given(1, "p5").roll("y3b2g4o1p4w5")
    assert about(table, "p#2").split("\n") == [
        "purple 4: in purple, the next number must be higher than 5.",
        "white 5: in purple, the next number must be higher than 5.",
    ]
    table = CleverTable("ganz", 2).given(1, "g1 g2 g3 g4").roll("y3b2g4o1p4w2")
    assert "green 4: the next field of green needs at least 5." in about(table, "g#5")


def test_an_area_whose_dice_are_gone_says_which_they_are() -> None:
    table = CleverTable("ganz", 2).roll("y3b2g4o1p6w5").move("p>p6")
    assert (
        about(table, "p#2", seat=1)
        == "Fill the fields of purple from the left: the next one is field 1."
    )
    assert about(table, "p#1", seat=1) == "This field fits: white 5."
    table = CleverTable("ganz", 2).roll("y3b2g4o1p6w6").move("w>p6")
    table.roll("p3")
    assert (
        about(table, "y3a")
        == "Only these dice fit in yellow: yellow, white. You may use none of them now."
    )
    assert about(table, "y") == (
        "yellow 3: on the platter, because you chose a higher die. "
        "In this turn you can use them only with an action."
    )
    assert about(table, "w") == "white 6: already chosen in this turn."


def test_a_card_says_what_it_asks_for() -> None:
    table = Table()
    table.lay(0, {1: [1, 25], 2: [33]}, {1: [26]})
    table.roll("B1122 R666")
    assert about(table, "1") == "You can fulfil card 1 now."
    assert (
        about(table, "33") == "Cards above level 1: the first card of a round must be on level 1."
    )
    assert about(table, "26") == "Card 26 is scored: you cannot fulfil it any more."
    table.do("fulfil 1", "stay")
    table.roll("B3456 R333")
    assert about(table, "1") == "Card 1: already fulfilled. You can fulfil each card once a round."
    assert about(table, "25").startswith("Card 25: the dice do not fulfil its condition (")


def test_a_level_says_whether_it_takes_new_cards() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(0, {1: [25, 26, 27, 28]})
    table.do("take 1 luck + green")
    table.card(30)
    table.do("take 2 luck", seat=1)
    assert (
        about(table, "#4")
        == "Place new cards on levels 1–3 only. You may not keep any back while there is room."
    )
    assert about(table, "#1") == "Level 1 is full: it holds 4 active cards."
    assert about(table, "25") == "Card 25 is already placed: you never rearrange active cards."


def test_the_solo_pushes_say_which_cards_they_do_not_move() -> None:
    table = Table()
    table.lay(0, {1: [1]}, {5: [25], 2: [26], 3: [61]})
    table.player().stage, table.player().lifts, table.player().lifter = (
        TO_LIFT,
        1,
        table.definition.code_of["26"],
    )
    assert (
        about(table, "26") == "Card 26 is the one you just scored: you can push other cards only."
    )
    assert about(table, "25") == "Card 25 is already on the highest level."
    assert about(table, "61") == "Card 61 has a harder colour than the card you just scored."


@pytest.mark.parametrize("key", game_names())
def test_what_is_not_there_has_no_reasons(key: str) -> None:
    position = game(key).start()
    for thing in ("", "x", "y9z", "#9", "999", "g#99"):
        assert position.reasons_about(0, thing, EN) is None


def reasons(table: CleverTable | Table, seat: int = 0) -> str:
    return "\n".join(table.position.reasons(seat, EN))


def test_ganz_says_that_a_die_that_fits_must_be_laid_out_and_doppelt_that_one_may_pass() -> None:
    for key, sentence in (("ganz", "you must choose one"), ("doppelt", "You may pass")):
        position = game(key).start()
        position.roll(seeded(1))
        assert sentence in "\n".join(position.reasons(0, EN))


def test_before_a_roll_it_is_said_what_follows() -> None:
    assert "Roll 1 of 3" in "\n".join(game("ganz-schoen-clever").start().reasons(0, EN))


def test_a_die_that_does_not_fit_says_why() -> None:
    table = CleverTable("ganz", 2).given(1, "p5").roll("y3b2g4o1p4w5")
    assert "purple 4: in purple, the next number must be higher than 5." in reasons(table)
    table = CleverTable("ganz", 2).given(1, "g1 g2").roll("y3b2g2o1p4w5")
    assert "green 2: the next field of green needs at least 3." in reasons(table)


def test_which_fields_take_a_die_is_told_with_the_areas_of_the_sheet() -> None:
    for key, grids, tracks in (
        ("ganz", "Yellow, blue", "Green, orange, purple"),
        ("doppelt", "Silver, yellow", "Blue, green, pink"),
    ):
        position = game(key).start()
        position.roll(seeded(1))
        said = position.reasons(0, EN)
        assert (
            f"{grids}: only a field without a cross that shows exactly the number you enter."
            in said
        )
        assert f"{tracks}: only the next free field from the left." in said
        assert "Blue: always enter the sum of the two dice." in said


def test_others_are_told_to_wait_for_the_platter_and_to_take_from_it() -> None:
    table = CleverTable("ganz", 2).roll("y3b2g4o1p6w5")
    assert reasons(table, 1).startswith("The passive players choose a die from the platter")
    table.move("p>p6")
    assert "you must choose one from there" in reasons(table, 1)


def test_a_card_out_of_reach_marked_or_not_met_says_why() -> None:
    table = Table()
    table.lay(0, {1: [1, 25], 2: [33]})
    table.roll("B1122 R666")
    assert "the first card of a round must be on level 1" in reasons(table)
    table.do("fulfil 1", "stay")
    table.roll("B3456 R333")
    said = reasons(table)
    assert "Card 1: already fulfilled." in said
    assert "Card 25: the dice do not fulfil its condition (" in said


def test_who_is_not_asked_to_buy_is_told_why() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(1, {}, {1: [25]})
    table.all_do("take 2 luck")
    assert table.acting() == {1}
    assert "Only scored green cards earn money" in reasons(table, 0)
    assert "red costs 4. you have 1." in reasons(table, 1).lower()


def test_a_card_under_a_full_level_must_be_scored() -> None:
    table = Table()
    table.lay(0, {1: [1], 2: [25, 26, 27, 28]})
    table.roll("B1122 R666")
    table.do("fulfil 1", "out")
    assert "You must score card 1: level 2 above it holds 4 active cards." in reasons(table)


def test_the_fairy_is_told_to_roll_also_after_dropping_out() -> None:
    table = Table(players=2)
    assert "You are the lucky fairy of this round" in reasons(table)
    table.roll()
    table.do("pay", "out", seat=0)
    table.do("pay", "stay", seat=1)
    assert reasons(table).startswith("You are the lucky fairy of this round")
    assert "You are out until the round ends" in reasons(table)
    assert reasons(table, 1).startswith("All seven dice are rolled")
