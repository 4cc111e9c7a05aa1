"""The worked examples of the rulebooks (German and Dutch).

Their pictures are lost: faces that the text does not give are made to fit.
"""

from __future__ import annotations

import pytest

from doppelt_sheet import doppelt
from ganz_sheet import ganz

# --- Ganz schön clever


def test_ganz_first_turn() -> None:
    """Purple 3 sends what is lower to the platter.

    Four dice are rolled, the white 4 goes in purple too; orange 3 is all that is left.
    """
    table = ganz(2).given(1).roll("y2b3g5o4p3w6").move("p>p3")
    assert (table.platter, table.hand) == ("y", "bgow")
    table.roll("b1g3o5w4").move("w>p4")
    assert (table.platter, table.hand) == ("ybg", "o")
    table.roll("o3").move("o>o3")
    assert table.laid == ["p", "w", "o"]
    assert (table.written("purple"), table.written("orange")) == ([3, 4], [3])
    assert table.to_act == {2}


def test_ganz_blue_points() -> None:
    assert ganz().given(1, "b2 b5 b7 b12").points("blue") == 7
    assert ganz().given(1, "b2 b3 b4 b5 b6 b7 b8 b9 b10").points("blue") == 37


def test_ganz_green_points() -> None:
    assert ganz().given(1, "g1 g2 g3 g4 g5").points("green") == 15


def test_ganz_orange_points() -> None:
    table = ganz().given(1, "o5 o2 o3").pick("o6")
    assert table.written("orange") == [5, 2, 3, 12]
    assert table.points("orange") == 22


def test_ganz_purple_after_a_2_only_3_to_6() -> None:
    possible = [
        face
        for face in range(1, 7)
        if f"p>p{face}" in ganz().given(1, "p2").roll(str(face) * 6).legal()
    ]
    assert possible == [3, 4, 5, 6]


def test_ganz_purple_points() -> None:
    table = ganz().given(1, "p2 p5 p6").pick("p3")
    assert table.written("purple") == [2, 5, 6, 3]
    assert table.points("purple") == 16


def test_ganz_last_die_purple_rolled_too_low_enters_nothing() -> None:
    table = (
        ganz(2)
        .given(1, "p4")
        .roll("y1b1g1o1p1w1")
        .move("y>y1b")
        .roll("b1g1o6p6w1")
        .move("o>o6")
        .roll("p3")
    )
    assert table.legal() == {"pass"}
    assert table.move("pass").written("purple") == [4]


def test_ganz_third_purple_field_unlocks_a_reroll() -> None:
    assert ganz().given(1, "p1 p2").pick("p4").actions()["reroll"] == 1


def test_ganz_extra_dice_white_then_blue() -> None:
    """White 4 as a yellow 4; white is used up, but blue 3 with white 4 makes 7."""
    table = ganz(2).given(1, extra=2).given(2).roll("y1b3g1o1p6w4").move("p>p6").move("w>y4c")
    assert "w" not in table.uses()
    assert "w>g4" not in table.legal()
    table.move("b>b7")
    assert (table.crossed("yellow"), table.crossed("blue")) == ({"4c"}, {"7"})


def test_ganz_each_fox_scores_the_lowest_area() -> None:
    table = ganz().given(1, "y3a y2b y1c b2 b3 b4 b5 gx gx gx o5 p6")
    table.player(1).foxes = 2
    assert (
        min(table.points(area) for area in ("yellow", "blue", "green", "orange", "purple"))
        == table.points("orange")
        == 5
    )
    assert table.points("foxes") == 10


def test_ganz_foxes_score_nothing_with_an_area_at_0() -> None:
    table = ganz().given(1, "o5 p6 gx b2")
    table.player(1).foxes = 3
    assert table.points("foxes") == 0


@pytest.mark.parametrize("third", ["=bpo", "=bpg", "=bpw"])
def test_ganz_solo_blue_1_purple_2_and_one_of_the_threes(third: str) -> None:
    table = ganz().given(1).roll("y1b1g1o1p6w1").move("p>p6").roll("y5b1g3o3p2w3")
    assert table.to_act == {0}
    assert set(table.roll(third).platter) == set(third[1:])


# --- Doppelt so clever


def test_doppelt_first_turn() -> None:
    """Pink 3, the white 4 in pink too, and the yellow 3, circled, is all that is left."""
    table = doppelt(2).given(1).roll("s4y3b5g2p3w6").move("p>p3")
    assert (table.platter, table.hand) == ("g", "sybw")
    table.roll("s2y4b3w4").move("w>p4")
    assert (table.platter, table.hand) == ("sbg", "y")
    table.roll("y3").move("y>y3a")
    assert table.laid == ["p", "w", "y"]
    assert (table.written("pink"), table.circled("yellow")) == ([3, 4], {"3a"})


def test_doppelt_silver_3_with_blue_1_and_white_2() -> None:
    """Green 3; then blue 1 in its own row and the white 2 in green."""
    table = doppelt().given(1).roll("s3y5b1g4p6w2").move("s>s3g").move("b>s1b").move("w>s2g")
    assert table.crossed("silver") == {"3g", "1b", "2g"}
    assert table.platter == "bw"


def test_doppelt_silver_that_cannot_be_crossed_cannot_be_chosen_nor_what_it_would_send() -> None:
    table = doppelt().given(1, "s3y s3b s3g s3p").roll("s3y2b1g1p1w1")
    assert "s" not in table.uses()


def test_doppelt_four_silver_crosses_in_a_row() -> None:
    assert doppelt().given(1, "s1y s3y s5y s6y").points("silver") == 11


def test_doppelt_blue_points() -> None:
    """The Dutch text shows two more numbers by mistake of the scan.

    With them it would not be 15 points.
    """
    table = doppelt().given(1, "b9 b9 b7 b5").pick("b5")
    assert table.written("blue") == [9, 9, 7, 5, 5]
    assert table.points("blue") == 15


def test_doppelt_green_first_pair() -> None:
    table = doppelt().given(1).pick("g5")
    assert table.written("green") == [10]
    assert table.points("green") == 0
    table = doppelt().given(1, "g5").pick("g1")
    assert table.written("green") == [10, 2]
    assert table.points("green") == 8


def test_doppelt_green_13_points() -> None:
    assert doppelt().given(1, "g5 g1 g3 g1").points("green") == 8 + 5


def test_doppelt_pink_points() -> None:
    table = doppelt().given(1, "p5 p3 p1").pick("p4")
    assert table.written("pink") == [5, 3, 1, 4]
    assert table.points("pink") == 13


def test_doppelt_third_pink_field_unlocks_a_reroll() -> None:
    assert doppelt().given(1, "p5 p3").pick("p2").actions()["reroll"] == 1


def test_doppelt_each_fox_scores_the_lowest_area() -> None:
    """Silver 43, yellow 36, blue 21, green 8, pink 21: every fox scores 8."""
    silver = "s1y s2y s3y s4y s5y s1b s2b s3b s4b s5b s1g s2g s3g s4g"
    table = doppelt().given(1, f"{silver} {'y3a y6a y1b y2b ' * 2} {'b9 ' * 6} g5 g1 p6 p6 p6 p3")
    table.player(1).foxes = 2
    assert table.position.breakdown(0) == {
        "silver": 43,
        "yellow": 36,
        "blue": 21,
        "green": 8,
        "pink": 21,
        "foxes": 16,
    }


def test_doppelt_extra_dice_white_then_blue() -> None:
    """White 4 crosses a yellow 4 circled before.

    White is used up, but blue 3 with white 4 makes 7.
    """
    table = (
        doppelt(2).given(1, "y4c", extra=2).given(2).roll("s1y1b3g1p6w4").move("p>p6").move("w>y4c")
    )
    assert table.crossed("yellow") == {"4c"}
    assert "w>g4" not in table.legal()
    assert table.move("b>b7").written("blue") == [7]


@pytest.mark.parametrize("third", ["=bpy", "=bps", "=bpw"])
def test_doppelt_solo_blue_1_pink_2_and_one_of_the_threes(third: str) -> None:
    table = doppelt().given(1).roll("s1y1b1g1p6w1").move("p>p6").roll("s3y3b1g5p2w3")
    assert set(table.roll(third).platter) == set(third[1:])
