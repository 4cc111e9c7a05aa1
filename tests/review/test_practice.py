"""Mistakes made better, and moments played on from."""

from __future__ import annotations

import pytest

from foxclover import transcripts
from foxclover.cli.review import mistake_words
from foxclover.core.game import game
from foxclover.locale import catalogue
from foxclover.review import review
from foxclover.review.analyser import Analyser, moments
from foxclover.review.practice import PLAYED, Answer, Practice, exercises, moment_of, share
from foxclover.review.schema import BEST, BLUNDER
from reviewed import played


def test_mistakes_are_set_again_the_worst_first() -> None:
    position = played(game("ganz"), "easy", seed=4)
    found = review(position)
    tasks = exercises(position, found)
    assert [task.decision for task in tasks] == found.seats[0].mistakes()
    practice = Practice(list(moments(position)), Analyser(position.game))
    for task in tasks:
        assert practice.answer(task.decision, task.decision.best).verdict == BEST
        again = practice.answer(task.decision, task.decision.move)
        assert (again.verdict, again.difference, again.solved) == (
            PLAYED,
            task.decision.loss,
            False,
        )
    worst = tasks[0]
    others = [
        move
        for move in worst.position.legal_moves(0)
        if move not in (worst.decision.best, worst.decision.move)
    ]
    assert all(practice.answer(worst.decision, move).difference >= 0 for move in others)


def test_in_the_last_round_of_several_players_answers_are_judged_by_the_chance_to_win() -> None:
    position = played(game("geht"), "greedy", 2, moves=263)
    found = review(position, ["Ada", "Bo"], tried=False)
    task = exercises(position, found)[0]
    decision = task.decision
    assert (decision.loss < 0.05, decision.verdict) == (True, BLUNDER), (
        "it costs no points, but likely the win"
    )
    assert found.seats[task.seat].mistakes()[0] is decision
    assert mistake_words(decision, catalogue("en")) == f"{decision.win_loss:.0%} chance of winning"
    practice = Practice(list(moments(position)), Analyser(position.game))
    answers = {
        move.number: practice.answer(decision, move)
        for move in task.position.legal_moves(task.seat)
    }
    assert answers[decision.move.number] == Answer(PLAYED, decision.counted_loss)
    assert (
        max(answer.difference for answer in answers.values())
        > 20
        > answers[decision.best.number].difference
        == 0
    )


def test_a_moment_is_shared_as_a_transcript_to_play_on() -> None:
    position = played(game("geht"), "easy", 2)
    transcript = transcripts.Transcript(
        transcripts.Header(position.game, ["Ada", "Bo"], "seed 1"), position
    )
    opened = transcripts.read(share(transcript, 37, "seed 9"))
    assert opened.position == moment_of(position, 37)
    assert opened.position.moves_made == position.moves_made[:37]
    assert opened.header.dice == "seed 9"
    with pytest.raises(ValueError, match="not 99999"):
        moment_of(position, 99_999)
