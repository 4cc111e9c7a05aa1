"""Moves as text and for the screen."""

from __future__ import annotations

import pytest

from climb_table import Table
from foxclover.core.errors import AmbiguousMove, IllegalMove, UnreadableMove
from foxclover.core.rules import CHANCE
from foxclover.games.climb.notation import is_readable
from foxclover.locale import LANGUAGES, catalogue


@pytest.mark.parametrize(
    "text", ["B2134 R531", "b4321 r135", "1234135", "B1,2,3,4 R1 3 5", "4321 531"]
)
def test_a_roll_is_read_in_any_order_and_written_in_one(text: str) -> None:
    assert str(Table().position.parse(text, CHANCE)) == "B1234 R135"


@pytest.mark.parametrize("text", ["B123 R456", "B1237 R456", "123456", "B1234", "12345678"])
def test_a_roll_with_other_dice_is_illegal(text: str) -> None:
    with pytest.raises(IllegalMove, match="4 blue and 3 red dice"):
        Table().position.parse(text, CHANCE)


def test_a_roll_that_cannot_be_read() -> None:
    with pytest.raises(UnreadableMove, match="such as B1336 R225"):
        Table().position.parse("what?", CHANCE)


def test_a_drawn_card_is_read_with_or_without_its_word() -> None:
    table = Table()
    table.roll()
    table.do("fail")
    assert table.position.parse("card 30", CHANCE) == table.position.parse("30", CHANCE)
    with pytest.raises(IllegalMove, match="a green card that can be drawn: 7, 8, 9"):
        table.position.parse("61", CHANCE)
    with pytest.raises(IllegalMove):
        table.position.parse("card 1", CHANCE)  # lies before the player
    with pytest.raises(UnreadableMove, match="the number of the drawn green card"):
        table.position.parse("B1234 R135", CHANCE)


def test_any_unambiguous_beginning_is_a_move() -> None:
    table = Table()
    table.lay(0, {1: [1, 13, 33]})
    table.roll("B1122 R666")
    table.do("fulfil 33", "s")
    assert table.marked() == {33}
    table.roll("B1122 R666")
    with pytest.raises(AmbiguousMove):
        table.do("fulfil")
    table.do("fulfil 1")  # the whole text of one move, though another begins like it
    assert table.marked() == {1, 33}


def test_texts_that_are_moves_elsewhere_are_illegal_and_others_unreadable() -> None:
    table = Table()
    table.roll()
    for text in ("build 5 on 2", "take 2 luck", "push 3", "turn in 35", "done", "exch"):
        with pytest.raises(IllegalMove):
            table.do(text)
    for text in ("hello", "fulfil x", "build on", "7"):
        with pytest.raises(UnreadableMove):
            table.do(text)


def test_every_text_and_every_beginning_of_it_is_readable() -> None:
    texts = [
        "take 2 luck",
        "take 1 luck + green",
        "buy red",
        "keep",
        "exchange",
        "turn in 35",
        "build 35 on 2",
        "done",
        "fulfil 35",
        "pay",
    ]
    for text in [
        *texts,
        "fail",
        "stay",
        "out",
        "push 35",
        "score 35",
        "lift 35",
        "build 35b on 2",
        "lift 35b",
    ]:
        bare = text.replace(" ", "")
        assert all(is_readable(bare[:length]) for length in range(1, len(bare) + 1)), text


def test_a_move_names_what_it_touches_on_the_screen() -> None:
    table = Table(players=2)
    table.to_round(2)
    table.lay(0, {1: [1]}, {1: [25]})
    translate = catalogue("en")

    def seen(text: str) -> tuple[object, ...]:
        view = table.position.parse(text, 0).view(translate)
        return view["kind"], view["card"], view["level"], view["colour"], view["option"]

    assert seen("take 2 luck") == ("bonus", "", -1, "", 0)
    assert seen("take 1 luck + green") == ("bonus", "", -1, "green", 1)
    table.all_do("take 2 luck")
    assert seen("buy green") == ("buy", "", -1, "green", -1)
    table.do("buy green")
    table.card(33)
    assert seen("keep") == ("keep", "33", -1, "green", -1)
    assert table.view["players"][0]["offered"] == "33"  # type: ignore[index]
    table.do("keep")
    assert seen("build 33 on 2") == ("build", "33", 1, "green", -1)
    table.do("build 33 on 2")
    table.roll("B1122 R666")
    assert seen("fulfil 1") == ("fulfil", "1", 0, "green", -1)
    table.do("fulfil 1", "out")
    table.do("pay", "out", seat=1)
    assert seen("push 1") == ("push", "1", 1, "green", -1)
    assert seen("score 1") == ("score", "1", 0, "green", -1)


def test_reachable_and_met_cards_are_marked_for_the_screen() -> None:
    table = Table()
    table.lay(0, {1: [1, 28], 2: [33]})
    table.roll("B1122 R666")
    cards = {
        card["card"]: card
        for level in table.view["players"][0]["levels"]
        for card in level["active"]
    }  # type: ignore[index]
    assert [(cards[number]["reachable"], cards[number]["met"]) for number in ("1", "28", "33")] == [
        (True, True),
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_of_chance_have_words(language: str) -> None:
    translate = catalogue(language)
    table = Table()
    assert "1 2 3 4" in table.position.parse("1234135", CHANCE).words(translate)
    table.roll()
    table.do("fail")
    assert "30" in table.position.parse("30", CHANCE).words(translate)
