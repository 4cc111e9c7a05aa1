"""Transcripts: free entries, comments that are kept, and files of many games."""

from __future__ import annotations

import random
import re
import tracemalloc
from collections.abc import Iterator

import pytest

from foxclover import (
    MoveError,
    Position,
    TranscriptError,
    game,
    game_names,
    read_position,
    seeded,
    transcripts,
)
from foxclover.transcripts import Comment, Header

HEAD = """Fox & Clover transcript 1
game: ganz-schoen-clever
players: Ada, Bo
dice: typed
"""
MOVES = """
chance: y3b2g4o1p6w5
1: w>o5
"""


def play(key: str, seed: int, players: int = 2) -> Position:
    position, dice, choice = game(key).start(players), seeded(seed), random.Random(seed)
    while not position.is_over:
        if position.chance_due:
            position.roll(dice)
        else:
            position.push(choice.choice(position.legal_moves(choice.choice(position.acting))))
    return position


def text_of(key: str, seed: int) -> str:
    header = Header(game(key), ["Ada", "Bo"], f"seed {seed}", more={"event": f"cup {seed}"})
    return transcripts.write(header, play(key, seed))


# --- free entries


def test_other_entries_of_the_header_are_kept() -> None:
    text = HEAD + "date: 2026-11-18\nevent: Open  of Cologne\nWhite-space: yes\n" + MOVES
    transcript = transcripts.read(text)
    assert transcript.header.more == {
        "date": "2026-11-18",
        "event": "Open  of Cologne",
        "White-space": "yes",
    }
    assert transcripts.read(transcript.text).header.more == transcript.header.more


@pytest.mark.parametrize("value", ["a # sign", ' blanks" ', "é ü\tß", "#1", '"quoted"'])
def test_any_value_of_an_entry_comes_back(value: str) -> None:
    header = Header(game("ganz"), ["Ada"], more={"note": value})
    text = transcripts.write(header, game("ganz").start())
    assert transcripts.read(text).header.more["note"] == value.replace("\t", " ")


@pytest.mark.parametrize(
    "line",
    ["variants: x", "player: Ada", "begin: 2", "chance: y1", "seal: 1", "1: w", "dice: seed"],
)
def test_slips_and_moves_in_the_header_are_refused(line: str) -> None:
    with pytest.raises(TranscriptError, match=r"line 5: .* does not belong in the header"):
        transcripts.read(HEAD + line + "\n" + MOVES)


# --- games that start from a position


@pytest.mark.parametrize("key", game_names())
def test_a_game_from_a_position_is_written_and_read(key: str) -> None:
    whole = play(key, 4)
    position, dice = read_position(stopped(whole, 30).text), seeded(4)
    start = position.text
    for _ in range(20):
        if position.chance_due:
            position.roll(dice)
        else:
            position.push(position.legal_moves(position.acting[0])[0])
    header = Header(position.game, ["Ada", "Bo"], setup=position.setup)
    text = transcripts.write(header, position)
    assert f"\nposition: {start}\n" in text
    again = transcripts.read(text)
    assert (again.position, again.text) == (position, text)
    assert len(again.position.moves_made) == 20
    assert again.position.options == position.options


def stopped(whole: Position, moves: int) -> Position:
    """Return a game after so many of its moves, and the rolls that follow."""
    position = whole.game.start_with(whole.players, whole.setup)
    for move in whole.moves_made:
        if len(position.moves_made) >= moves and position.acting:
            break
        position.push(position.move(move.seat, move.number))
    return position


FROM = "position: ganz-schoen-clever round:1 phase:rolling roll:1 hand:y3b2g4o1p6w5 / stage:choose"


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        (f"{FROM} /\nbegins: 2", "line 6: “begins:” does not belong in the header"),
        (f"variant: solo-rules\n{FROM} /", "line 5: “variant:” does not belong in the header"),
        (FROM, "line 5: the position has 1 player, the header another number"),
        (f"{FROM} / /", "line 5: the position has 3 players, the header another number"),
        (f"{FROM} y:3z /", "line 5: “position:” is wrong: player 1, y: expected one of"),
        ("position: geht", "line 5: “position:” is wrong: table: this is a position of"),
        ("positions: x", "line 5: “positions: x” does not belong in the header"),
    ],
)
def test_a_wrong_position_in_the_header_is_refused(lines: str, problem: str) -> None:
    with pytest.raises(TranscriptError, match=re.escape(problem)):
        transcripts.read(HEAD + lines + "\n" + MOVES)


# --- comments


COMMENTED = (
    HEAD
    + """# in the header

# round 1
# before the roll
chance: y3b2g4o1p6w5  # behind the roll
# before the move
# and another
1: w>o5  # behind the move
# at the end
"""
)


def test_comments_are_kept_where_they_are() -> None:
    transcript = transcripts.read(COMMENTED)
    assert transcript.header.comments == {
        -1: [Comment("in the header")],
        0: [Comment("before the roll"), Comment("behind the roll", behind=True)],
        1: [
            Comment("before the move"),
            Comment("and another"),
            Comment("behind the move", behind=True),
        ],
        2: [Comment("at the end")],
    }
    assert transcript.text == COMMENTED


@pytest.mark.parametrize("key", game_names())
def test_a_transcript_that_is_read_and_written_is_the_same(key: str) -> None:
    text = text_of(key, 5)
    assert transcripts.read(text).text == text
    assert not transcripts.read(text).header.comments, "rounds and scores are written anyway"


def test_comments_of_moves_that_were_taken_back_are_not_written() -> None:
    transcript = transcripts.read(COMMENTED)
    transcript.position.pop()
    assert "behind the move" not in transcript.text
    assert "behind the roll" in transcript.text


def test_a_comment_cannot_control_a_terminal() -> None:
    transcript = transcripts.read(HEAD + MOVES + "# \x1b[2J gone\n")
    assert "\x1b" not in transcript.text


# --- several games


def test_games_of_a_file_are_read_one_after_another() -> None:
    texts = [text_of(key, seed) for seed in range(2) for key in game_names()]
    lines = "\n\n# a collection\n" + "\n\n".join(texts)
    read = [*transcripts.read_games(lines.splitlines(keepends=True))]
    assert [transcript.header.more["event"] for transcript in read] == [
        f"cup {seed}" for seed in range(2) for _ in game_names()
    ]
    assert [transcript.text for transcript in read] == texts
    parts = [*transcripts.split_games(lines.splitlines())]
    rows = lines.splitlines()
    assert all(rows[part.first_line - 1] == transcripts.TITLE for part in parts)


def test_an_error_names_its_line_in_the_whole_file() -> None:
    good = HEAD + MOVES
    lines = (good + good.replace("w>o5", "w>o9") + good).splitlines()
    wrong = lines.index("1: w>o9") + 1
    games = transcripts.read_games(lines)
    assert next(games).position.score(0) == 5
    with pytest.raises(MoveError, match=f"^line {wrong}: "):
        next(games)
    found: list[Exception] = []
    assert len([*transcripts.read_games(lines, found.append)]) == 2
    assert [str(error).partition(":")[0] for error in found] == [f"line {wrong}"]
    headless = (good + good.replace("players: Ada, Bo\n", "")).splitlines()
    with pytest.raises(TranscriptError, match=f"^line {len(good.splitlines()) + 4}: the header"):
        [*transcripts.read_games(headless)]


def test_a_path_or_text_is_not_taken_for_lines() -> None:
    with pytest.raises(TypeError, match="games are split from lines or an open file"):
        [*transcripts.split_games(HEAD)]


def test_memory_does_not_grow_with_the_file() -> None:
    text = text_of("ganz-schoen-clever", 1).splitlines(keepends=True)

    def many(games: int) -> Iterator[str]:
        for _ in range(games):
            yield from text

    def peak(games: int) -> int:
        tracemalloc.start()
        assert sum(1 for _ in transcripts.read_games(many(games))) == games
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    few = max(peak(3), peak(3))
    assert peak(30) < 1.5 * few
