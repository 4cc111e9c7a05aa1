"""A review in steps, and transcripts from outside."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from foxclover import transcripts
from foxclover.core.game import game
from foxclover.review import MISTAKES, review
from foxclover.review.job import judge_answer, review_in_steps
from foxclover.review.schema import ReviewRecord, as_record
from foxclover.review.transcripts import (
    LARGEST,
    NotReplayable,
    Played,
    replay_transcript,
    replayed,
)
from reviewed import played


def plain(key: str, players: int) -> Played:
    position = played(game(key), "easy", players, seed=4)
    return Played(
        position.game.key,
        players,
        position.setup,
        tuple((move.seat, move.number) for move in position.moves_made),
    )


def done_in_steps(whole: Played) -> tuple[ReviewRecord, list[float]]:
    """Do step after step, each with what another process would get and give."""
    steps, progress, result = review_in_steps(whole), [], None
    while True:
        try:
            step: Any = steps.send(result)
        except StopIteration as ended:
            return ended.value, progress
        progress.append(step.progress)
        work, arguments = pickle.loads(pickle.dumps((step.work, step.arguments)))
        result = pickle.loads(pickle.dumps(work(*arguments)))


@pytest.mark.parametrize(("key", "players"), [("ganz", 1), ("geht", 2)])
def test_steps_make_the_same_review_as_the_whole(key: str, players: int) -> None:
    whole = plain(key, players)
    found, progress = done_in_steps(whole)
    assert found == as_record(review(replayed(whole)))
    assert progress == sorted(progress)
    assert (progress[0], progress[-1]) == (0, 1)
    assert len(progress) > 10


def test_answers_are_evaluated_from_a_stored_review() -> None:
    whole = plain("ganz", 1)
    record, _ = done_in_steps(whole)
    wrong = next(made for made in record["seats"][0]["decisions"] if made["verdict"] in MISTAKES)
    assert judge_answer(whole, wrong, wrong["best"]).verdict == "best"
    again = judge_answer(whole, wrong, wrong["move"])
    assert (again.verdict, again.difference) == ("played", wrong["loss"])


def transcript() -> str:
    position = played(game("ganz"), "easy")
    return transcripts.write(transcripts.Header(position.game, ["Ada"], "seed 1"), position)


def test_a_transcript_from_outside_is_replayed() -> None:
    read = replay_transcript("\ufeff\r\n" + transcript().replace("\n", "\r\n"))
    assert read.over
    assert (read.names, read.to_act) == (["Ada"], [])
    assert replayed(read.played).score(0) == played(game("ganz"), "easy").score(0)
    assert len(read.texts) == len(read.played.moves)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "foreign"),
        ("1. e4 e5", "foreign"),
        (transcripts.TITLE.replace("1", "2") + "\n", "version"),
        (transcripts.TITLE + "\ngame: chess\nplayers: Ada\ndice: typed\n\n", "game"),
        (
            transcripts.TITLE
            + "\ngame: mine.toml\nplayers: Ada\ndice: typed\nsheet: mine.toml\n\n",
            "game",
        ),
        (transcripts.TITLE + "\n", "damaged"),
        ("x" * (LARGEST + 1), "large"),
    ],
)
def test_what_is_no_transcript_is_refused_by_kind(text: str, reason: str) -> None:
    with pytest.raises(NotReplayable) as caught:
        replay_transcript(text)
    assert pickle.loads(pickle.dumps(caught.value)).reason == reason


def test_a_damaged_line_is_named() -> None:
    lines = transcript().splitlines()
    lines[20] = lines[20][:-1] + "9"
    with pytest.raises(NotReplayable) as caught:
        replay_transcript("\n".join(lines))
    assert (caught.value.reason, caught.value.line) == ("damaged", 21)


def test_no_file_that_a_transcript_names_is_opened() -> None:
    text = transcript().replace("dice:", "sheet: /etc/passwd\ndice:")
    assert replay_transcript(text).played.game == "ganz-schoen-clever"
