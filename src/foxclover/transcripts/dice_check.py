"""Whether the dice of a game were those that were sealed, or those of its day: every draw computed again, the first wrong one named."""

from __future__ import annotations

from dataclasses import dataclass

from foxclover import daily
from foxclover.game import games
from foxclover.locale import Say, catalogue
from foxclover.notation import Transcript, read
from foxclover.seal import SealError, title, verify


@dataclass(frozen=True)
class Verdict:
    """What came of it: how many draws were found right, and what is wrong with the first that is not."""

    draws: int
    problem: str = ""
    day: str = ""  # of a daily challenge
    promise: str = ""

    def words(self, say: Say) -> str:
        """The verdict in a sentence."""
        if self.problem:
            return self.problem
        return (
            say("verdict.day", count=self.draws, day=self.day, promise=self.promise)
            if self.day
            else say("verdict.fine", count=self.draws)
        )


def judge_dice(transcript: Transcript, say: Say, key: bytes | None = None) -> Verdict | None:
    """Check chain, salts and draws of a game, or the key of its day and its draws; None where there is nothing to check them by."""
    position = transcript.position
    if (of_day := daily.read_dice(transcript.header.dice)) is not None:
        return _judge_day(transcript, *of_day[:2], key or of_day[2], say)
    if transcript.sealing is None:
        return None
    code, anchor = transcript.sealing
    try:
        return Verdict(
            verify(
                title(code, position.game.key, position.players, position.variant),
                anchor,
                position,
                transcript.seals,
            )
        )
    except SealError as error:
        problem = say(f"verdict.{error.problem}", draw=error.draw, expected=error.expected)
        return Verdict(
            error.draw - 1, say("verdict.line", line=transcript.lines[error.move], problem=problem)
        )


def judge_sent(text: str, language: str) -> tuple[bool, str] | None:
    """The same of a text that somebody sent, which can be read: whether all is right, and the verdict in words."""
    say = catalogue(language)
    verdict = judge_dice(read(text.strip(), games()), say)
    return (not verdict.problem, verdict.words(say)) if verdict else None


def _judge_day(
    transcript: Transcript, day: str, promise: str, key: bytes | None, say: Say
) -> Verdict:
    if key is None:
        return Verdict(0, say("verdict.key_not_told", day=day))
    try:
        return Verdict(daily.verify(promise, key, transcript.position), day=day, promise=promise)
    except daily.NotOfTheDay as error:
        if error.problem == "key":
            return Verdict(0, say("verdict.other_key", promise=promise))
        problem = say("verdict.day_roll", draw=error.draw, expected=error.expected)
        return Verdict(
            error.draw - 1, say("verdict.line", line=transcript.lines[error.move], problem=problem)
        )
