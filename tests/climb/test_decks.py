"""Deck files: the standard deck, custom decks, and the errors of bad ones."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from foxclover.core.data_file import DataError
from foxclover.core.game import game
from foxclover.games.climb.definitions import read, read_deck
from foxclover.games.climb.rules.state import COLOURS, OUTCOMES, ROLLS, WORDS, colour_of

STANDARD = game("geht").definition.source.decode()


def findings(old: str, new: str, error: bool = True) -> list[str]:
    """What the checker says about the standard deck with one text replaced."""
    assert STANDARD.count(old) == 1, old
    return [
        str(finding)
        for finding in read_deck(STANDARD.replace(old, new).encode()).file.findings
        if finding.error == error
    ]


def line_of(text: str) -> int:
    """The line of the standard deck that begins like this."""
    return next(
        number
        for number, line in enumerate(STANDARD.splitlines(), start=1)
        if line.startswith(text)
    )


def test_the_standard_deck_has_the_printed_counts() -> None:
    cards = game("geht").definition.cards.values()
    assert Counter(card.colour for card in cards if not card.start) == {
        "green": 36,
        "yellow": 21,
        "red": 15,
    }
    for start in "ABCD":
        levels = Counter((card.level, card.colour) for card in cards if card.start == start)
        assert levels == {(1, "green"): 2, (2, "green"): 2, (3, "yellow"): 2}
    assert sorted(card.number for card in cards) == list(range(1, 97))
    # the only card of set D in the rulebook
    assert next(card for card in cards if card.number == 19).text == ">BB"


def test_the_standard_deck_says_it_is_a_reconstruction() -> None:
    assert "reconstruction" in game("geht").definition.note


def test_the_standard_deck_has_no_error_and_remarks_only_on_identical_cards() -> None:
    found = read_deck(STANDARD.encode()).file.findings
    assert not any(finding.error for finding in found)
    assert all("cards need" in str(finding) for finding in found)


def test_tables_agree_with_the_conditions() -> None:
    definition = game("geht").definition
    deck = definition.tables
    for name, code in definition.code_of.items():
        card = definition.printed(code)
        assert definition.name(code) == name
        assert deck.hits[code] == sum(
            deck.weight[outcome] for outcome in range(OUTCOMES) if card.outcomes >> outcome & 1
        )
        assert all(
            deck.met[outcome][colour_of(code)] >> (code & 63) & 1 == card.outcomes >> outcome & 1
            for outcome in range(OUTCOMES)
        )
        assert (
            sum(
                deck.hit_words[code][word].bit_count() * deck.word_weight[word]
                for word in range(WORDS)
            )
            == deck.hits[code]
        )
        assert deck.number[code] == card.number
    assert [mask.bit_count() for mask in deck.cards] == 2 * [52, 29, 15]
    assert Counter(blue + red for blue in deck.blue_outcome for red in deck.red_outcome) == Counter(
        dict(enumerate(deck.weight))
    )
    assert sum(deck.weight) == ROLLS


def test_cards_are_identical_if_colour_and_condition_are() -> None:
    definition = game("geht").definition
    alike = {(card.colour, card.text) for card in definition.cards.values()}
    assert len({definition.tables.likeness[code] for code in definition.cards}) == len(alike) == 60
    assert (
        definition.tables.likeness[definition.code_of["1"]]
        == definition.tables.likeness[definition.code_of["33"]]
    )


@pytest.mark.parametrize(
    ("one", "other"),
    [("W1 & W1", "2*W1"), ("=RR | =BB", "=BB | =RR"), ("R2 & B3", "B3 & R2"), ("sR1+", "W1+")],
)
def test_ruling_identical_is_what_the_same_rolls_fulfil(one: str, other: str) -> None:
    changed = STANDARD.replace('96 = "W6 & W6 & W6"', f'96 = "{one}"').replace(
        '82 = ">BBB"', f'82 = "{other}"'
    )
    definition = read(game("geht").head, changed.encode())
    assert (
        definition.tables.likeness[definition.code_of["96"]]
        == definition.tables.likeness[definition.code_of["82"]]
    )
    texts = [str(finding.problem) for finding in read_deck(changed.encode()).file.findings]
    remarks = [text for text in texts if text.startswith(("card 82:", "card 96:"))]
    assert any("2 red cards need" in remark for remark in remarks)


def test_colours_are_bits_in_the_order_of_the_numbers() -> None:
    definition = game("geht").definition
    for colour in range(COLOURS):
        numbers = [
            definition.tables.number[code]
            for code in sorted(definition.cards)
            if code >> 6 == colour
        ]
        assert numbers == sorted(numbers)


def test_an_own_deck_is_loaded_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    changed = STANDARD.replace('96 = "W6 & W6 & W6"', '96 = "W5 & W5 & W5"').replace(
        "star = [1, 1, 2, 4, 8]", "star = [1, 2, 3, 5, 9]"
    )
    file.write_text(changed)
    mine = game("geht", str(file))
    assert mine.definition.cards[mine.definition.code_of["96"]].text == "W5 & W5 & W5"
    assert mine.layout()["star"] == [1, 2, 3, 5, 9]
    assert game("geht").definition.cards[mine.definition.code_of["96"]].text == "W6 & W6 & W6"


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ('82 = ">BBB"', '82 = ">BBX"', "line {0}, column 10: card 82: expected & or | or the end"),
        ('82 = ">BBB"', '82 = "W9"', "line {0}, column 8: card 82: expected a number from 1 to 6"),
        ('82 = ">BBB"', "82 = 5", "line {0}, column 6: card 82: expected a condition in quotes"),
        (
            '82 = ">BBB"',
            '182 = ">BBB"',
            "line {0}, column 7: cards.red: expected a card number from 1 to 96, not '182'",
        ),
        ('82 = ">BBB"', '82 = "=RRRR"', "line {0}, column 6: card 82: no roll fulfils =RRRR"),
        (
            "room = 4",
            "room = 5",
            "line {0}, column 8: strip.room: expected a whole number from 2 to 4",
        ),
        (
            "black_markers = 5",
            "black_markers = 7",
            "line {0}, column 17: limits.black_markers: expected a whole number from 0 to 6",
        ),
        (
            "clover = 4",
            "clover = 9",
            "line {0}, column 10: limits.clover: expected a whole number from 0 to 8",
        ),
        (
            "star = [1, 1, 2, 4, 8]",
            "star = [1, 1, 2, 4]",
            "line {0}, column 8: strip.star: expected 5 whole numbers from 0 to 100, found 4",
        ),
        (
            "star = [1, 1, 2, 4, 8]",
            "star = [1, 1, true, 4, 8]",
            "line {0}, column 15: strip.star 3: expected a whole number from 0 to 100",
        ),
        (
            "green = { points = 1",
            "green = { points = -1",
            "line {0}, column 20: colours.green.points: expected a whole number from 0 to 100",
        ),
        (
            "green = { points = 1",
            "green = { pionts = 1, points = 1",
            (
                "line {0}, column 20: colours.green.pionts: unknown entry, expected one of points, "
                "cost, income"
            ),
        ),
        (
            "bonus = [",
            "bonus = [[], ",
            (
                "line {0}, column 10: bonus 1: expected 1 to 2 bonuses like {{ luck = 1, "
                'card = "green" }}, found 0'
            ),
        ),
        (
            "bonus = [",
            'bonus = [[{ card = "blue" }], ',
            "line {0}, column 20: bonus 1 1.card: expected one of green, yellow, red, not 'blue'",
        ),
        (
            "bonus = [",
            'bonus = [[{ luck = 0, card = "red" }, { card = "red" }], ',
            "line {0}, column 39: a bonus is offered twice in one round",
        ),
        ('name = "standard"', "", "line 1: name: expected a text of 1 to 80 letters"),
    ],
)
def test_errors_name_line_column_and_what_was_expected(old: str, new: str, expected: str) -> None:
    assert findings(old, new) == [expected.format(line_of(old.partition(" = ")[0] + " = "))]


def test_a_number_that_is_used_twice() -> None:
    found = findings('96 = "W6 & W6 & W6"', '5 = "W6 & W6 & W6"')
    assert found == [
        f"line {line_of('96 =')}, column 5: card 5 is already on line {line_of('5 =')}"
    ]


def test_a_start_set_that_is_not_complete() -> None:
    found = findings('1 = "=BB"\n', "")
    assert found == [
        f"line {line_of('[start.A.level1]')}: start.A.level1: expected 2 cards, found 1"
    ]


def test_remarks_on_counts_and_on_certain_cards() -> None:
    missing = (
        f"line {line_of('[cards.red]')}: cards.red: the printed game has 15 cards, this deck 14"
    )
    assert missing in findings('96 = "W6 & W6 & W6"', "", error=False)
    assert f"line {line_of('96 =')}: card 96: every roll fulfils W1+" in findings(
        '96 = "W6 & W6 & W6"', '96 = "W1+"', error=False
    )


def test_what_is_not_toml_names_its_line() -> None:
    assert findings("[limits]", "[limits")[0].startswith(f"line {line_of('[limits]')}: not TOML: ")


def test_a_deck_with_errors_is_refused_whole() -> None:
    source = STANDARD.replace('82 = ">BBB"', '82 = "?"').replace("room = 4", "room = 9")
    with pytest.raises(DataError) as caught:
        read(game("geht").head._replace(key="mine.toml"), source.encode())
    first, second = str(caught.value).splitlines()
    assert first.startswith("mine.toml: line")
    assert "strip.room" in first
    assert "card 82" in second


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(DataError, match="mine: line 2: not a UTF-8 text"):
        read(game("geht").head._replace(key="mine"), b"name = 'x'\n\xff\n")


@pytest.mark.parametrize(
    ("section", "value", "expected"),
    [
        ("start", "5", "start: expected the start sets A, B, C, D"),
        ("cards", "[1]", "cards: expected the cards of each colour"),
        ("limits", '"none"', "limits: expected a table"),
    ],
)
def test_a_section_that_is_something_else(section: str, value: str, expected: str) -> None:
    lines = STANDARD.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(f"[{section}"))
    kept = [
        line
        for line in lines[first:]
        if line.startswith("[") and not line.startswith(f"[{section}")
    ]
    end = lines.index(kept[0]) if kept else len(lines)
    found = read_deck(
        "\n".join([f"{section} = {value}", *lines[:first], *lines[end:]]).encode()
    ).file.errors
    assert f"line 1, column {len(section) + 4}: {expected}" in map(str, found)
