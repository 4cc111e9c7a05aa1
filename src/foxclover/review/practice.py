"""Practise: the decisions of a game that lost points, and any moment of it to play on from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from foxclover import transcripts
from foxclover.ai.candidates import POINTS_OF_A_WIN
from foxclover.ai.families import family_of
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.review.analyser import Analyser, Moment
from foxclover.review.schema import BEST, GOOD, Decision, Review

BETTER, PLAYED, WORSE = "better", "played", "worse"


@dataclass(frozen=True)
class Exercise:
    """A decision that lost points, to be made again."""

    position: Position
    seat: int
    decision: Decision


@dataclass(frozen=True)
class Answer:
    """The evaluation of an answer to an exercise."""

    verdict: str  # BEST, GOOD, BETTER, PLAYED or WORSE
    difference: float  # from the best move: points, or points for a win where winning counts

    @property
    def solved(self) -> bool:
        """Return whether nothing better is left to find."""
        return self.verdict in (BEST, GOOD)


def moment_of(position: Position, at: int) -> Position:
    """Return the game after ``at`` moves; raise ``ValueError`` if it has fewer."""
    if not 0 <= at <= len(position.moves_made):
        raise ValueError(f"the game has {len(position.moves_made)} moves, not {at}")
    earlier = position.copy()
    while len(earlier.moves_made) > at:
        earlier.pop()
    return earlier


def share(transcript: transcripts.Transcript, at: int, dice: str = "") -> str:
    """Return a moment of a game as text: the transcript so far, which opens as a game to play on.

    ``dice`` names the source of further rolls.
    """
    header = replace(transcript.header, dice=dice or transcript.header.dice)
    return transcripts.write(header, moment_of(transcript.position, at))


def exercises(
    position: Position, review: Review, seats: Iterable[int] | None = None
) -> list[Exercise]:
    """Return the confirmed losses of some seats, or of all, the worst first."""
    wanted = [found for found in review.seats if seats is None or found.seat in seats]
    made = [
        Exercise(moment_of(position, lost.at), found.seat, lost)
        for found in wanted
        for lost in found.mistakes()
    ]
    return sorted(made, key=lambda exercise: -exercise.decision.counted_loss)


class Practice:
    """Evaluate answers to the exercises of a game, given by its moments."""

    def __init__(self, made: Sequence[Moment], analyser: Analyser) -> None:
        self.analyser = analyser
        self.moments = made
        self.least = family_of(analyser.game).REVIEW.classes[0]

    def answer(self, decision: Decision, move: Move) -> Answer:
        """Evaluate a legal move in the place of a decision."""
        if move.number == decision.best.number:
            return Answer(BEST, 0.0)
        if move.number == decision.move.number:
            return Answer(PLAYED, decision.counted_loss)
        difference = self.difference(decision, move)
        if difference < self.least:
            return Answer(GOOD, difference)
        return Answer(BETTER if difference < decision.counted_loss else WORSE, difference)

    def difference(self, decision: Decision, move: Move) -> float:
        """Return how far a move is behind the best, in the units of the decision's verdict.

        Where ratings are not exact, both moves are rolled out.
        """
        moment, to_win = self.moments[decision.at], decision.win_loss > 0
        if to_win and (wins := dict(self.analyser.rate(moment).wins)):
            return POINTS_OF_A_WIN * (wins[decision.best.number] - wins[move.number])
        ratings = {option.move.number: option.expected for option in decision.options}
        compared = [(number, ratings[number]) for number in (move.number, decision.best.number)]
        if decision.error == 0.0 and not to_win:
            return max(0.0, compared[1][1] - compared[0][1])
        found = self.analyser.compare(moment._replace(move=move), compared)
        return max(0.0, found.gain) if to_win else found.loss
