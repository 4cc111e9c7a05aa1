"""Conditions: notation both ways, exact sets of outcomes, words."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foxclover.core.errors import ConditionError
from foxclover.core.game import game
from foxclover.games.climb.conditions import (
    EVERY,
    OUTCOMES,
    ROLLS,
    Condition,
    Term,
    dice_of,
    fulfilling,
    hits,
    outcome_of,
    parse,
    weights,
    write,
)
from foxclover.games.climb.text import condition_words
from foxclover.locale import LANGUAGES, catalogue
from literal_conditions import is_fulfilled

DECK_CONDITIONS = sorted({card.text for card in game("geht").definition.cards.values()})
OTHERS = [
    "=BRW",
    ">RBW",
    "sW30+",
    "2*W1",
    "W2 & >BR",
    ">WWWWWW",
    "=WW & sB9+",
    "7*W2+",
    "B1 & R1 & =WW | =WWWWW",
]


def dice(outcome: int) -> tuple[tuple[str, int], ...]:
    blue, red = dice_of(outcome)
    return (*(("B", face) for face in blue), *(("R", face) for face in red))


def test_there_are_7056_outcomes_of_279936_rolls() -> None:
    assert len(weights()) == OUTCOMES == 126 * 56 == 7056
    assert sum(weights()) == ROLLS == 6**7 == 279_936


def test_outcomes_are_numbered_both_ways() -> None:
    for outcome in range(OUTCOMES):
        blue, red = dice_of(outcome)
        assert outcome_of(reversed(blue), reversed(red)) == outcome


def test_the_deck_has_60_different_conditions() -> None:
    assert len(DECK_CONDITIONS) == 60


@pytest.mark.parametrize("text", DECK_CONDITIONS + OTHERS)
def test_the_literal_evaluator_agrees_on_every_outcome(text: str) -> None:
    condition = parse(text)
    outcomes = fulfilling(condition)
    assert [
        dice(n)
        for n in range(OUTCOMES)
        if is_fulfilled(condition, dice(n)) != bool(outcomes >> n & 1)
    ] == []


@pytest.mark.parametrize(
    ("text", "blue", "red", "fulfilled"),
    [
        # The conditions explained in the rulebook.
        ("W4", "1114", "111", True),
        ("W4", "1111", "111", False),
        ("5*W3+", "3456", "311", True),
        ("5*W3+", "3456", "211", False),
        ("=WWW", "1231", "451", True),
        ("=WWW", "1231", "452", False),
        (">WWW", "2664", "311", True),
        (">WWW", "1166", "556", False),
        (">BB", "1166", "255", False),  # 1 and 6 are no neighbours
        (">BB", "1256", "111", True),
        (">BB", "1135", "246", False),  # the colour counts
        (">WWWW", "1144", "623", True),
        ("sR9+", "1111", "261", True),
        ("sR9+", "6666", "242", False),
        ("=WW & =WWW", "2233", "213", True),
        ("=WW & =WWW", "5555", "123", False),
        ("=WW & =WWW", "5555", "125", True),  # both may show the same number
        ("=RR | =BB", "1234", "665", True),
        ("=RR | =BB", "1135", "246", True),
        ("=RR | =BB", "1356", "135", False),
        ("W1 & W1", "1222", "222", False),  # a die serves once
        ("W1 & W1", "1222", "221", True),
        # & takes different dice; letters of a mixed run go from low to high.
        ("=WW & W2", "2211", "456", True),
        ("=WW & W2", "2213", "456", False),
        (">BR", "1111", "222", True),
        (">BR", "2222", "111", False),
        ("sB11+ & B6", "5665", "111", True),
        ("sB11+ & B6", "1166", "555", False),
    ],
)
def test_worked_examples(text: str, blue: str, red: str, fulfilled: bool) -> None:
    outcome = outcome_of(map(int, blue), map(int, red))
    assert bool(fulfilling(parse(text)) >> outcome & 1) == fulfilled


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("W4", 279_936 - 5**7),
        ("R5", (6**3 - 5**3) * 6**4),
        ("=RR", (216 - 120) * 6**4),
        ("sR14+", 35 * 6**4),
        ("W1+", ROLLS),
        (">WWWWWW & W1 & W1", 0),
    ],
)
def test_hits_known_by_hand(text: str, expected: int) -> None:
    assert hits(fulfilling(parse(text))) == expected


def test_impossible_and_certain_conditions() -> None:
    assert fulfilling(parse("=RRRR")) == 0
    assert fulfilling(parse("sB25+")) == 0
    assert fulfilling(parse("7*W1+ & 7*W1+")) == 0
    assert fulfilling(parse("sW25+ & sW15+")) == 0
    assert fulfilling(parse("7*W1+")) == EVERY
    assert fulfilling(parse("=WW | >WWWWWWW")) == EVERY  # seven dice with six faces


@pytest.mark.parametrize(
    ("text", "column", "expected"),
    [
        ("", 1, "a condition: B, R, W, =, >, s or a number of dice"),
        ("X4", 1, "a condition: B, R, W, =, >, s or a number of dice"),
        ("W7", 2, "a number from 1 to 6"),
        ("W", 2, "a number from 1 to 6"),
        ("=W", 3, "a second die: B, R or W"),
        ("=x", 2, "a die: B, R or W"),
        ("=" + "W" * 50, 9, "at most 7 dice"),
        ("sR9", 4, "+ after the total"),
        ("sR", 3, "a total from 1 to 42"),
        ("sR99+", 3, "a total from 1 to 42"),
        ("s9+", 2, "the colour of the dice: B, R or W"),
        ("8*W1", 1, "a number of dice from 1 to 7"),
        ("3W1", 2, "* after the number of dice"),
        ("W4 W5", 4, "& or | or the end"),
        ("W4 &", 5, "a condition: B, R, W, =, >, s or a number of dice"),
        ("W4 | | W5", 6, "a condition: B, R, W, =, >, s or a number of dice"),
    ],
)
def test_errors_name_the_column_and_what_was_expected(
    text: str, column: int, expected: str
) -> None:
    with pytest.raises(ConditionError) as caught:
        parse(text)
    assert (caught.value.column, caught.value.expected) == (column, expected)
    assert str(caught.value) == f"column {column}: expected {expected}"


def test_blanks_do_not_count_and_the_canonical_text_is_fixed() -> None:
    assert write(parse(" 3 * W 4 +&=  BB|sR9+ ")) == "3*W4+ & =BB | sR9+"
    assert write(parse("1*W4")) == "W4"


letters = st.sampled_from("BRW")
terms = st.one_of(
    st.builds(
        lambda kind, letter, count, value: Term(kind, letter * count, value),
        st.sampled_from(["exact", "least"]),
        letters,
        st.integers(1, 7),
        st.integers(1, 6),
    ),
    st.builds(
        Term, st.sampled_from(["equal", "run"]), st.text("BRW", min_size=2, max_size=6), st.just(0)
    ),
    st.builds(Term, st.just("sum"), letters, st.integers(1, 42)),
)
conditions = st.lists(
    st.lists(terms, min_size=1, max_size=3).map(tuple), min_size=1, max_size=3
).map(tuple)


@given(conditions)
def test_every_condition_is_written_and_read_back(condition: Condition) -> None:
    assert parse(write(condition)) == condition


@given(st.text(max_size=12))
def test_any_other_text_is_refused_with_a_column_inside_it(text: str) -> None:
    column = 1
    try:
        parse(text)
    except ConditionError as error:
        column = error.column
    assert 1 <= column <= len(text) + 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_condition_has_words(language: str) -> None:
    translate = catalogue(language)
    words = {condition_words(parse(text), translate) for text in DECK_CONDITIONS + OTHERS}
    assert len(words) == len(DECK_CONDITIONS) + len(OTHERS)


def test_words_in_english() -> None:
    translate = catalogue("en")
    assert (
        condition_words(parse("=WW & =WWW"), translate)
        == "2 dice of equal value, plus 3 dice of equal value"
    )
    assert (
        condition_words(parse("R5 | sB9+"), translate)
        == "a red die showing 5 or blue dice with a total of at least 9"
    )
    assert (
        condition_words(parse(">BR"), translate)
        == "consecutive values from low to high: a blue die, a red die"
    )


def test_all_tables_are_built_in_under_half_a_second() -> None:
    timed = (
        "import time; from foxclover import game; began = time.process_time(); game('geht'); "
        "print(time.process_time() - began)"
    )
    seconds = [
        float(subprocess.run([sys.executable, "-c", timed], check=True, capture_output=True).stdout)
        for _ in range(2)
    ]
    assert min(seconds) < 0.5
