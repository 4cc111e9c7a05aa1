"""Trying again: the positions of a game in which points were lost, and any moment of it to play on from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from foxclover import notation
from foxclover.ai.families import family_of
from foxclover.ai.trials import POINTS_OF_A_WIN
from foxclover.game import Move, Position
from foxclover.review.account import Decision, Review
from foxclover.review.judge import Judge, Moment

BEST, GOOD, BETTER, PLAYED, WORSE = "best", "good", "better", "played", "worse"


@dataclass(frozen=True)
class Exercise:
    """A decision that lost points, to be made again."""

    position: Position
    seat: int
    decision: Decision


@dataclass(frozen=True)
class Answer:
    """How good another try was."""

    verdict: str  # BEST to WORSE
    difference: (
        float  # behind the best move: points, or where winning is what counted points for a win
    )

    @property
    def solved(self) -> bool:
        """Is there nothing left to look for?"""
        return self.verdict in (BEST, GOOD)


def moment_of(position: Position, at: int) -> Position:
    """The game as it was after so many moves; raises ``ValueError`` if it has fewer."""
    if not 0 <= at <= len(position.moves_made):
        raise ValueError(f"the game has {len(position.moves_made)} moves, not {at}")
    earlier = position.copy()
    while len(earlier.moves_made) > at:
        earlier.pop()
    return earlier


def share(transcript: notation.Transcript, at: int, dice: str = "") -> str:
    """A moment of a game as text: the transcript so far, which opens as a game to play on; ``dice`` tells where rolls come from then."""
    header = replace(transcript.header, dice=dice or transcript.header.dice)
    return notation.write(header, moment_of(transcript.position, at))


def exercises(
    position: Position, review: Review, seats: Iterable[int] | None = None
) -> list[Exercise]:
    """The confirmed losses of some seats, or of all, the worst first."""
    wanted = [found for found in review.seats if seats is None or found.seat in seats]
    made = [
        Exercise(moment_of(position, lost.at), found.seat, lost)
        for found in wanted
        for lost in found.mistakes()
    ]
    return sorted(made, key=lambda exercise: -exercise.decision.judged)


class Practice:
    """Judges answers to exercises of a game, which is given by its moments."""

    def __init__(self, made: Sequence[Moment], judge: Judge) -> None:
        self.judge = judge
        self.moments = made
        self.least = family_of(judge.game).JUDGEMENT.classes[0]

    def answer(self, decision: Decision, move: Move) -> Answer:
        """How good a legal move is in the place of a decision."""
        if move.number == decision.best.number:
            return Answer(BEST, 0.0)
        if move.number == decision.move.number:
            return Answer(PLAYED, decision.judged)
        difference = self.difference(decision, move)
        if difference < self.least:
            return Answer(GOOD, difference)
        return Answer(BETTER if difference < decision.judged else WORSE, difference)

    def difference(self, decision: Decision, move: Move) -> float:
        """How much less than the best a move is worth, by what judges the decision: where ratings are not exact, both are tried out."""
        moment, to_win = self.moments[decision.at], decision.win_loss > 0
        if to_win and (ways := dict(self.judge.rate(moment).ways)):
            return POINTS_OF_A_WIN * (ways[decision.best.number] - ways[move.number])
        ratings = {option.move.number: option.expected for option in decision.options}
        compared = [(number, ratings[number]) for number in (move.number, decision.best.number)]
        if decision.error == 0.0 and not to_win:
            return max(0.0, compared[1][1] - compared[0][1])
        tried = self.judge.compare(moment._replace(move=move), compared)
        return max(0.0, tried.gain) if to_win else tried.loss
