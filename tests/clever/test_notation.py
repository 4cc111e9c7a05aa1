"""Texts of moves and transcripts of the Clever games.

What can be read, and what is said about what cannot.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doppelt_sheet import doppelt
from foxclover import transcripts
from foxclover.core.errors import AmbiguousMove, IllegalMove, MoveError, UnreadableMove
from foxclover.core.game import game
from foxclover.core.registry import game_entries
from foxclover.core.rules import CHANCE
from foxclover.games.clever import text as clever_text
from foxclover.games.clever.rules.moves import TAKE_BACK
from foxclover.games.clever.rules.state import RETURNING
from foxclover.locale import catalogue
from foxclover.transcripts import TranscriptError
from ganz_sheet import ganz

HEADER = "Fox & Clover transcript 1\ngame: ganz-schoen-clever\nplayers: Ada, Bo\ndice: typed\n\n"
MOVES = "# round 1\nchance: y1b1g1o1p6w1\n1: p>p6\n2: o>o1\n"


def complaint(read: Callable[[str], object], text: str) -> str | None:
    """What is said about a text that cannot be read.

    Any other exception than these is a mistake.
    """
    try:
        read(text)
    except (TranscriptError, MoveError) as error:
        return str(error)
    return None


# --- a move


@pytest.mark.parametrize("text", ["", "hello", "y=3", "y>y3a!", "12", "?", ">", "++"])
def test_unreadable_text_is_named_with_what_would_have_been_legal(text: str) -> None:
    position = ganz().roll("y1b1g1o1p6w1").position
    with pytest.raises(UnreadableMove) as caught:
        position.parse(text, 0)
    assert f"{text!r} cannot be read; expected y>y1b, y>y1c, b>b2" in str(caught.value)


@pytest.mark.parametrize("text", ["y>y2b", "pass", "done", "+gx", "<b", "b>b12", "w>p6"])
def test_illegal_text_is_named_with_what_would_have_been_legal(text: str) -> None:
    position = ganz().roll("y1b1g1o1p6w1").position
    before = position.copy()
    with pytest.raises(IllegalMove) as caught:
        position.push_text(text, 0)
    assert f"{text!r} is not legal here; expected y>y1b, y>y1c, b>b2" in str(caught.value)
    assert "p>p6" in caught.value.legal
    assert position == before, "nothing is lost"


@pytest.mark.parametrize(
    ("text", "candidates"),
    [("y", ("y>y1b", "y>y1c")), ("w>y", ("w>y1b", "w>y1c")), ("w>y1", ("w>y1b", "w>y1c"))],
)
def test_ambiguous_text_is_named_with_its_candidates(
    text: str, candidates: tuple[str, ...]
) -> None:
    position = ganz().roll("y1b1g1o1p6w1").position
    with pytest.raises(AmbiguousMove) as caught:
        position.parse(text, 0)
    assert caught.value.legal == candidates
    assert f"{text!r} could be more than one move; expected {', '.join(candidates)}" in str(
        caught.value
    )


@pytest.mark.parametrize(
    ("text", "whole"),
    [("o", "o>o1"), ("r", "reroll"), (" Y > Y1C ", "y>y1c"), ("w>b", "w>b2"), ("y>y1b", "y>y1b")],
)
def test_any_unambiguous_beginning_will_do_in_any_case_and_spacing(text: str, whole: str) -> None:
    assert ganz().roll("y1b1g1o1p6w1").position.parse(text, 0).text == whole


def test_a_whole_move_that_begins_another_one_is_taken_as_it_is() -> None:
    table = doppelt().given(1, "b12 y3a").pick("y6a")
    assert {"+b2", "+b12", "+b1"} & table.legal() == {"+b2", "+b12"}
    assert table.position.parse("+b2", 0).text == "+b2"
    with pytest.raises(AmbiguousMove):
        table.position.parse("+b1", 0)


def test_the_error_names_whose_move_it_is() -> None:
    table = ganz(3).given(1).roll("y1b1g1o1p6w1")
    with pytest.raises(IllegalMove, match=r"expected a move of player 1$"):
        table.position.parse("o>o1", 1)
    table.move("p>p6")
    with pytest.raises(IllegalMove, match=r"expected a move of player 2 or 3$"):
        table.position.parse("o>o1", 0)
    with pytest.raises(IllegalMove, match="expected a move of a player"):
        table.position.parse("123456", CHANCE)
    with pytest.raises(IllegalMove, match="expected a chance move"):
        ganz().position.parse("o>o1", 0)


# --- a roll


@pytest.mark.parametrize(
    "text", ["y1b2g3o4p5w6", "123456", "1 2 3 4 5 6", "w6, p5, o4, g3, b2, y1", "Y1 B2 G3 O4 P5 W6"]
)
def test_a_roll_may_be_typed_in_several_ways(text: str) -> None:
    assert ganz().position.parse(text, CHANCE).text == "y1b2g3o4p5w6"


@pytest.mark.parametrize("text", ["", "y", "hello!", "y1b2g3o4p5w", "=ybg", "1-2-3"])
def test_an_unreadable_roll_shows_an_example(text: str) -> None:
    with pytest.raises(UnreadableMove, match="expected a roll such as y1b2g3o4p5w6"):
        ganz().position.parse(text, CHANCE)


@pytest.mark.parametrize(
    "text",
    [
        "12345",
        "1234567",
        "123450",
        "123457",
        "y1y2g3o4p5w6",
        "y1b2g3o4p5",
        "y1b2g3o4p5s6",
        "y1b2g3o4p5w7",
    ],
)
def test_an_illegal_roll_names_the_dice_at_hand(text: str) -> None:
    with pytest.raises(
        IllegalMove,
        match="the faces 1 to 6 of exactly these dice: yellow, blue, green, orange, purple, white",
    ):
        ganz().position.parse(text, CHANCE)


def test_only_the_dice_at_hand_can_be_rolled() -> None:
    table = ganz().roll("y1b2g3o4p5w6").move("p>p5")
    assert table.position.parse("3", CHANCE).text == "w3"
    with pytest.raises(IllegalMove, match="exactly these dice: w"):
        table.position.parse("p3w3", CHANCE)


@pytest.mark.parametrize(
    ("text", "kind"),
    [("=yb", IllegalMove), ("=ybw", IllegalMove), ("=ybs", IllegalMove), ("123", UnreadableMove)],
)
def test_only_the_lowest_dice_can_be_served(text: str, kind: type[MoveError]) -> None:
    table = ganz().given(1).roll("y1b1g1o1p6w1").move("p>p6").roll("y1b1g2o2p2w6")
    with pytest.raises(kind):
        table.position.parse(text, CHANCE)
    assert table.position.parse("g b y", CHANCE).text == "=ybg"


@settings(max_examples=200)
@given(
    st.text(
        alphabet="ybgopwsx0123456789+<>=,. adenr\N{SUPERSCRIPT TWO}\N{ARABIC-INDIC DIGIT THREE}İ",
        max_size=14,
    )
)
def test_any_text_is_a_move_or_one_of_the_three_errors(text: str) -> None:
    for table in (
        ganz(),
        ganz().roll("123456"),
        ganz().given(1).roll("y1b1g1o1p6w1").move("p>p6").roll("222222"),
        doppelt().roll("123456"),
    ):
        for seat in (CHANCE, 0):
            said = complaint(partial(table.position.parse, seat=seat), text)
            assert said is None or said.startswith(repr(text))


# --- transcripts


def test_a_transcript_replays() -> None:
    transcript = transcripts.read(HEADER + MOVES)
    assert [move.text for move in transcript.position.moves_made] == [
        "y1b1g1o1p6w1",
        "p>p6",
        "o>o1",
    ]
    assert transcript.lines == [7, 8, 9]
    assert transcript.header.players == ["Ada", "Bo"]


def test_a_transcript_may_be_shortened_and_remarked() -> None:
    transcript = transcripts.read(
        HEADER + "chance: 111161   # a six\n\n   1:p   \n# what now?\n2: o\n"
    )
    assert [move.text for move in transcript.position.moves_made] == [
        "y1b1g1o1p6w1",
        "p>p6",
        "o>o1",
    ]


def test_a_truncated_transcript_gives_the_position_it_reaches() -> None:
    transcript = transcripts.read(HEADER + "chance: y1b1g1o1p6w1\n")
    assert transcript.position.acting == (0,)
    assert transcripts.read(HEADER.rstrip()).position.moves_made == []


@pytest.mark.parametrize(
    ("line", "kind", "complaint"),
    [
        (
            "2: nonsense",
            UnreadableMove,
            "line 9: 'nonsense' cannot be read; expected y>y1b, y>y1c, b>b2",
        ),
        ("2: p>p6", IllegalMove, "line 9: 'p>p6' is not legal here; expected y>y1b, y>y1c, b>b2"),
        (
            "2: w>y",
            AmbiguousMove,
            "line 9: 'w>y' could be more than one move; expected w>y1b, w>y1c",
        ),
        ("1: o>o1", IllegalMove, "line 9: 'o>o1' is not legal here; expected a move of player 2"),
        (
            "chance: 123456",
            IllegalMove,
            "line 9: '123456' is not legal here; expected a move of a player",
        ),
        (
            "3: o>o1",
            UnreadableMove,
            "line 9: '3: o>o1' cannot be read; expected chance or 1 or 2, a colon and a move",
        ),
        (
            "o>o1",
            UnreadableMove,
            "line 9: 'o>o1' cannot be read; expected chance or 1 or 2, a colon and a move",
        ),
    ],
)
def test_a_wrong_line_is_named_with_its_number_and_what_was_expected(
    line: str, kind: type[MoveError], complaint: str
) -> None:
    text = HEADER + MOVES.replace("2: o>o1", line)
    with pytest.raises(kind) as caught:
        transcripts.read(text)
    assert str(caught.value).startswith(complaint)
    assert caught.value.line == 9


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "line 1: this is not a transcript"),
        ("\n# a remark\n" + HEADER, "line 2: this is not a transcript"),
        (
            "\n\nFox & Clover transcript 2\n",
            "line 3: another version of Fox & Clover wrote this transcript",
        ),
        (
            "Fox & Clover transcript 2\n",
            "line 1: another version of Fox & Clover wrote this transcript",
        ),
        (
            HEADER.replace("game: ganz-schoen-clever\n", ""),
            "line 4: the header has no line “game: ...”",
        ),
        (HEADER.replace("players: Ada, Bo\n", ""), "line 4: the header has no line “players: ...”"),
        ("Fox & Clover transcript 1\ngame: ganz", "line 3: the header has no line “players: ...”"),
        ("Fox & Clover transcript 1", "line 2: the header has no line “game: ...”"),
        (
            HEADER.replace("ganz-schoen-clever", "chess"),
            "line 2: “chess” is not a game; the games are ganz-schoen-clever, doppelt-so",
        ),
        (HEADER.replace("ganz-schoen-clever", "g"), "line 2: “g” is not a game"),
        (
            HEADER.replace("Ada, Bo", "A, B, C, D, E"),
            "line 3: Ganz schön clever is for 1 to 4 named players, not “A, B, C, D, E”",
        ),
        (
            HEADER.replace("Ada, Bo", ""),
            "line 3: Ganz schön clever is for 1 to 4 named players, not “”",
        ),
        (
            HEADER.replace("Ada, Bo", "Ada,, Bo"),
            "line 3: Ganz schön clever is for 1 to 4 named players",
        ),
        (
            HEADER.replace("dice: typed", "weather fine"),
            "line 4: “weather fine” does not belong in the header",
        ),
        (
            HEADER.replace("dice: typed", "dice: typed\nvariants: none"),
            "line 5: “variants: none” does not belong in the header",
        ),
        (
            HEADER.replace("dice: typed", "dice: typed\ndice: typed"),
            "line 5: “dice: typed” does not belong in the header",
        ),
        (
            HEADER.rstrip() + "\nchance: y1b1g1o1p6w1\n",
            "line 5: “chance: y1b1g1o1p6w1” does not belong in the header",
        ),
    ],
)
def test_a_broken_header_is_refused_with_its_line(text: str, complaint: str) -> None:
    with pytest.raises(TranscriptError) as caught:
        transcripts.read(text)
    assert str(caught.value).startswith(complaint)
    assert f"line {caught.value.line}" in complaint


def test_a_move_after_the_end_is_refused() -> None:
    table = ganz().given(1)
    while not table.position.over:
        table.roll("123456"[: len(table.hand)]).finish()
    text = transcripts.write(transcripts.Header(table.position.game, ["Ada"]), table.position)
    assert text.splitlines()[-1].startswith("# Ada ")
    with pytest.raises(IllegalMove, match="nothing more: the game is over"):
        transcripts.read(text.replace("#", "# ") + "1: done\n")


@settings(max_examples=60)
@given(st.integers(0, 200), st.sampled_from(["", "x", "1: ", "\n", ":", "chance", "#", "é"]))
def test_a_damaged_transcript_is_read_or_refused_never_worse(at: int, splinter: str) -> None:
    text = HEADER + MOVES
    damaged = text[:at] + splinter + text[at + 1 :]
    said = complaint(transcripts.read, damaged)
    assert said is None or said.startswith("line ")


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("", "Player 1"),
        ("Smith, John", "Smith John"),
        ("Ada #1", "Ada 1"),
        (" Bo\n", "Bo"),
        ("a:b", "a:b"),
    ],
)
def test_any_name_leaves_the_transcript_readable(name: str, kept: str) -> None:
    position = game("ganz").start(2)
    text = transcripts.write(transcripts.Header(position.game, [name, "Cy"]), position)
    assert transcripts.read(text).header.players == [kept, "Cy"]


@pytest.mark.parametrize(
    "name",
    [
        "my #1 sheet",
        "a#b",
        'say "hi"',
        '"quoted"',
        " blank ",
        "two\nlines",
        "grün",
        "back\\slash #",
    ],
)
def test_a_sheet_of_any_name_is_found_again_by_its_saves(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    file = folder / f"{name}.toml"
    file.write_bytes(game_entries()["ganz-schoen-clever"].file.read_bytes())
    played = game(str(file))
    position = played.start(2)
    position.push_text("123456", CHANCE)
    text = transcripts.write(
        transcripts.Header(played, ["Ada", '"Bo"'], f"{transcripts.ROLLS_OF}{file}"), position
    )
    again = transcripts.read(text)
    assert again.position == position
    assert again.header.game.file == str(file)
    assert again.header.dice == f"{transcripts.ROLLS_OF}{file}"
    assert again.header.players == ["Ada", '"Bo"']
    assert transcripts.write(again.header, again.position) == text


@pytest.mark.parametrize("value", ['"', '"a', '"a" b', '"\\x"'])
def test_a_broken_quote_in_a_header_is_refused_with_its_line(value: str) -> None:
    with pytest.raises(transcripts.TranscriptError, match=r"line 4: "):
        transcripts.read(HEADER.replace("dice: typed", f"dice: {value}"))


@pytest.mark.parametrize(
    ("language", "choice", "rolled", "circled", "returned"),
    [
        (
            "de",
            "Silberne 3 wählen: die silberne 3 in der gelben Zeile ankreuzen",
            "Wurf: silberne 3, gelbe 6, blaue 2, grüne 5, rosa 1, weiße 4",
            "Gelbe 6 wählen: die gelbe 6 einkreisen (Zeile a)",
            "Den gelben Würfel zurückholen",
        ),
        (
            "nl",
            "Kies de zilveren 3: kruis de zilveren 3 aan in de gele rij",
            "Worp: zilveren 3, gele 6, blauwe 2, groene 5, roze 1, witte 4",
            "Kies de gele 6: omcirkel de gele 6 (rij a)",
            "Haal de gele dobbelsteen terug",
        ),
        (
            "en",
            "Choose silver 3: cross silver 3 in the yellow row",
            "Roll: silver 3, yellow 6, blue 2, green 5, pink 1, white 4",
            "Choose yellow 6: circle yellow 6 (row a)",
            "Return the yellow die",
        ),
    ],
)
def test_colours_agree_with_the_words_around_them(
    language: str, choice: str, rolled: str, circled: str, returned: str
) -> None:
    translate = catalogue(language)
    position = game("doppelt-so-clever").start(2)
    position.push_text("s3y6b2g5p1w4", CHANCE)
    assert position.moves_made[0].words(translate) == rolled
    said = [move.words(translate) for move in position.legal_moves(0)]
    assert choice in said
    assert circled in said
    take_back = clever_text.player_words(
        position.game.definition, clever_text.Occasion(RETURNING), TAKE_BACK + 1, translate
    )
    assert take_back == returned
