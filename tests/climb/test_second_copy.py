"""Five to eight players with a second copy of the game.

What is on the table, what cards are called, and what counts as identical.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from climb_table import Table
from foxclover.core.errors import IllegalMove
from foxclover.core.game import game
from foxclover.core.rules import CHANCE
from foxclover.games.climb.rules.state import GREEN, YELLOW

STANDARD = Path(__file__).parents[2] / "src/foxclover/games/climb/decks/standard.toml"
START_OF_A = {1: [1, 2], 2: [3, 4], 3: [5, 6]}


@pytest.fixture
def one_copy(tmp_path: Path) -> str:
    """A deck that says nothing of copies, as decks did before there were any."""
    text = STANDARD.read_text(encoding="utf-8").replace("players = [1, 8]\n", "players = [1, 4]\n")
    file = tmp_path / "one.toml"
    file.write_text(
        "".join(
            line for line in text.splitlines(keepends=True) if not line.startswith("copies = ")
        ),
        encoding="utf-8",
    )
    return str(file)


@pytest.mark.parametrize(
    ("players", "cards", "luck", "multipliers"), [(4, 96, 16, 4), (5, 192, 32, 8), (8, 192, 32, 8)]
)
def test_ruling_more_than_four_play_with_the_cards_and_markers_of_two_copies(
    players: int, cards: int, luck: int, multipliers: int
) -> None:
    table = Table(players)
    dealt = [card for seat in range(players) for row in table.active(seat).values() for card in row]
    piles = [card for colour in range(3) for card in table.shuffled(colour)]
    assert len({*dealt, *piles}) == len(dealt) + len(piles) == cards
    assert table.state.supply == luck - players  # all players have the luck of round 1
    assert table.state.multipliers == multipliers


def test_ruling_players_five_to_eight_get_sets_a_to_d_of_the_second_copy() -> None:
    table = Table(8)
    for seat in range(4):
        assert table.active(seat + 4) == {
            level: [f"{card}b" for card in row] for level, row in table.active(seat).items()
        }
    assert table.active(4) == {
        level: [f"{card}b" for card in row] for level, row in START_OF_A.items()
    }


def test_ruling_start_cards_of_both_copies_that_nobody_gets_are_in_the_piles() -> None:
    table = Table(5)
    in_piles = table.shuffled(GREEN) | table.shuffled(YELLOW)
    unused = {
        f"{card}b" for seat in (1, 2, 3) for row in table.active(seat).values() for card in row
    }
    assert unused <= in_piles
    assert len(unused) == 18
    assert not {1, "1b", 7} & in_piles


def test_ruling_a_card_of_the_second_copy_is_written_with_a_b() -> None:
    table = Table(5)
    table.roll("B1123 R135")
    assert "fulfil 1b" in table.legal(4)
    table.do("fulfil 1b", seat=4)
    assert table.marked(4) == {"1b"}
    table.do("fail", seat=0)
    with pytest.raises(IllegalMove, match="a green card that can be drawn: 7b, 8b"):
        table.card("1b")
    table.card("25b")
    assert "25b" in table.active(0)[1]
    assert str(table.position.moves_made[-1]) == "card 25b"


def test_a_table_of_four_knows_no_second_copy() -> None:
    table = Table(4)
    table.roll()
    table.do("fail")
    with pytest.raises(IllegalMove, match="card 25b"):
        table.card("25b")


def test_ruling_a_card_and_its_twin_of_the_other_copy_are_identical() -> None:
    table = Table(5)
    table.lay(0, {1: [25]}, {1: [40]})
    table.to_round(2)
    table.all_do("take 2 luck")
    table.do("buy green")
    table.card("25b")
    assert table.legal() == {"keep", "exchange"}


def test_ruling_groups_for_a_multiplier_mix_both_copies() -> None:
    table = Table(5)
    table.lay(0, scored={1: ["33b", 40, "40b", 44]})
    table.to_round(2)
    table.empty_pile(GREEN)
    table.do("take 1 luck + green")
    assert table.scored() == {1: ["33b"]}
    assert table.state.fourfold[3] == 1 << (table.definition.code_of["33b"] & 63)
    assert table.shuffled(GREEN) == {40, "40b", 44}
    table = Table(5)
    table.lay(0, scored={1: [40, "40b", 44]})
    table.to_round(2)
    table.empty_pile(GREEN)
    table.do("take 1 luck + green")
    assert table.scored() == {1: [40]}


def test_solo_rules_count_sets_lift_and_spend_cards_of_both_copies() -> None:
    table = Table(5, solo_rules=True)
    table.lay(0, scored={1: ["40b"], 2: [64], 3: ["90b"]})
    assert table.position.breakdown(0)["sets"] == 8
    table.to_round(2)
    table.all_do("take 2 luck")
    assert table.legal() == {"done", "turn in 40b"}
    table.do("turn in 40b")
    assert table.under() == ["40b"]
    assert table.legal() == {"done", "buy green"}


def test_a_scored_card_does_not_lift_itself_but_its_twin() -> None:
    table = Table(5, solo_rules=True)
    table.lay(0, {4: ["40b"]}, {2: [40]})
    table.roll()
    table.all_do("pay")
    table.player().marked = 1 << 12
    table.all_do("out")
    table.do("score 40b")
    assert table.legal() == {"done", "lift 40"}


def test_a_deck_that_says_nothing_of_copies_is_for_four(one_copy: str) -> None:
    own = game("geht", one_copy)
    assert own.players == range(1, 5)
    with pytest.raises(ValueError, match="is for 1 to 4 players, not 5"):
        own.start(5)


def test_the_shelf_s_head_does_not_widen_a_deck_of_one_copy(one_copy: str) -> None:
    headless = Path(one_copy)
    text = headless.read_text(encoding="utf-8")
    headless.write_text(text[text.index("name = ") :], encoding="utf-8")
    assert game("geht", one_copy).players == range(1, 5)


def test_draws_of_a_pile_of_two_copies_are_equally_likely() -> None:
    table = Table(8)
    table.roll()
    table.do("fail")
    chances = list(table.position.chance_moves())
    assert len(chances) == 2 * 36
    assert {weight for _, weight in chances} == {1}
    assert {move.text for move, _ in chances} == {f"card {card}" for card in table.shuffled(GREEN)}
    assert all(move.seat == CHANCE for move, _ in chances)
