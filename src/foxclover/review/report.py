"""A review as plain data for programs."""

from __future__ import annotations

from typing import Any

from foxclover.locale import Say
from foxclover.review.account import Review, SeatReview

DIGITS = 2


def as_data(review: Review, say: Say) -> dict[str, Any]:
    """The whole review."""
    return {"game": review.game, "players": review.players, "seats": [seat_data(seat, say) for seat in review.seats]}


def seat_data(seat: SeatReview, say: Say) -> dict[str, Any]:
    """One seat's review; seats are counted from 1, moves by how many were made before."""
    return {
        "seat": seat.seat + 1,
        "name": seat.name,
        "score": seat.score,
        **{name: round(getattr(seat, name), DIGITS) for name in ("start", "luck", "loss", "rest", "adjusted")},
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
        "areas": {part: {"points": total.points, "loss": round(total.loss, DIGITS)} for part, total in seat.parts.items()},
        "rounds": [{name: round(value, DIGITS) for name, value in total._asdict().items()} for total in seat.rounds],
    }
