"""A review as plain data for programs."""

from __future__ import annotations

from typing import Any, TypedDict

from foxclover.locale import Say
from foxclover.review.account import Review, SeatReview
from foxclover.review.figures import DecisionFigures, PartFigures, SeatFigures

DIGITS = 4
FORMAT = 3
"""Raised whenever reviews that were kept say something else than new ones."""


class DecisionRecord(DecisionFigures):
    """A decision to be kept."""

    best: int
    verdict: str


class SeatRecord(SeatFigures):
    """A seat to be kept."""

    decisions: list[DecisionRecord]
    parts: list[PartFigures]


class ReviewRecord(TypedDict):
    """A review to be kept."""

    format: int
    seats: list[SeatRecord]


def as_data(review: Review, say: Say) -> dict[str, Any]:
    """The whole review."""
    return {
        "game": review.game,
        "players": review.players,
        "seats": [seat_data(seat, say) for seat in review.seats],
    }


def seat_data(seat: SeatReview, say: Say) -> dict[str, Any]:
    """One seat's review; seats are counted from 1, moves by how many were made before."""
    return {
        "seat": seat.seat + 1,
        "name": seat.name,
        "score": seat.score,
        **_figures(seat),
        "decisions": [
            {
                "at": decision.at,
                "round": decision.round,
                "move": decision.move.text,
                "words": decision.move.words(say),
                "best": decision.best.text,
                "loss": round(decision.loss, DIGITS),
                "error": round(decision.error, DIGITS),
                "class": decision.verdict,
            }
            for decision in seat.decisions
        ],
        "chance": [
            {
                "at": chance.at,
                "round": chance.round,
                "move": chance.move.text,
                "words": chance.move.words(say),
                "luck": round(chance.luck, DIGITS),
            }
            for chance in seat.chances
        ],
        "areas": {
            part: {"points": total.points, "loss": round(total.loss, DIGITS)}
            for part, total in seat.parts.items()
        },
        "rounds": [
            {name: round(value, DIGITS) for name, value in total._asdict().items()}
            for total in seat.rounds
        ],
    }


def as_record(review: Review) -> ReviewRecord:
    """The review without words, which can be told later in any language."""
    return {
        "format": FORMAT,
        "seats": [seat_record(seat, review.players > 1) for seat in review.seats],
    }


def seat_record(seat: SeatReview, several: bool) -> SeatRecord:
    """One seat's review; seats are counted from 0."""
    return {
        "seat": seat.seat,
        "score": seat.score,
        **_figures(seat),  # type: ignore[typeddict-item]  # it has the other keys
        "percentile": round(seat.percentile, 3),
        "decisions": [
            {
                "at": decision.at,
                "round": decision.round,
                "move": decision.move.number,
                "best": decision.best.number,
                "expected": round(decision.played, DIGITS),
                "loss": round(decision.loss, DIGITS),
                "error": round(decision.error, DIGITS),
                "verdict": decision.verdict,
                "win_loss": round(decision.win_loss, 4),
            }
            for decision in seat.decisions
        ],
        "chances": [
            {
                "at": chance.at,
                "round": chance.round,
                "luck": round(chance.luck, DIGITS),
                "expected": round(chance.after, DIGITS),
            }
            for chance in seat.chances
        ],
        "winning": [[point.at, round(point.winning, 4)] for point in seat.curve] if several else [],
        "rounds": [
            {
                "round": total.round,
                "luck": round(total.luck, DIGITS),
                "loss": round(total.loss, DIGITS),
                "expected": round(total.expected, DIGITS),
                "winning": round(total.winning, 4),
            }
            for total in seat.rounds
        ],
        "parts": [
            {"part": part, "points": total.points, "loss": round(total.loss, DIGITS)}
            for part, total in seat.parts.items()
        ],
    }


def _figures(seat: SeatReview) -> dict[str, float]:
    """How the score came about, rounded so that it still adds up."""
    start, luck, loss = (round(value, DIGITS) for value in (seat.start, seat.luck, seat.loss))
    rest = round(seat.score - start - luck + loss, DIGITS)
    return {
        "start": start,
        "luck": luck,
        "loss": loss,
        "rest": rest,
        "adjusted": round(seat.adjusted, DIGITS),
    }
