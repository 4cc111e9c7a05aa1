"""Mistakes made better, and moments played on from."""

from __future__ import annotations

import pytest

from foxclover import notation
from foxclover.game import game
from foxclover.review import review
from foxclover.review.judge import Judge, moments
from foxclover.review.practice import BEST, PLAYED, Practice, exercises, moment_of, share
from reviewed import played


def test_mistakes_are_set_again_the_worst_first() -> None:
    position = played(game("ganz"), "easy", seed=4)
    found = review(position)
    tasks = exercises(position, found)
    assert [task.decision for task in tasks] == found.seats[0].mistakes()
    practice = Practice(list(moments(position)), Judge(position.game))
    for task in tasks:
        assert practice.answer(task.decision, task.decision.best).verdict == BEST
        again = practice.answer(task.decision, task.decision.move)
        assert (again.verdict, again.difference, again.solved) == (PLAYED, task.decision.loss, False)
    worst = tasks[0]
    others = [move for move in worst.position.legal_moves(0) if move not in (worst.decision.best, worst.decision.move)]
    assert all(practice.answer(worst.decision, move).difference >= 0 for move in others)


def test_a_moment_is_shared_as_a_transcript_to_play_on() -> None:
    position = played(game("geht"), "easy", 2)
    transcript = notation.Transcript(notation.Header(position.game, ["Ada", "Bo"], "seed 1"), position)
    opened = notation.read(share(transcript, 37, "seed 9"))
    assert opened.position == moment_of(position, 37)
    assert opened.position.moves_made == position.moves_made[:37]
    assert opened.header.dice == "seed 9"
    with pytest.raises(ValueError, match="not 99999"):
        moment_of(position, 99_999)
