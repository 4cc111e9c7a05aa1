"""What is told about a finished game at its table: moments, the review, how good other moves would have been."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.review.report import DIGITS
from foxclover.server import limits, render
from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError
from foxclover.server.past import Past
from foxclover.server.review_protocol import AskMoments, AskVerdict

if TYPE_CHECKING:
    from foxclover.server.table import Table


def tell_moments(table: Table, connection: Connection, message: AskMoments) -> None:
    """Show a finished game as it was."""
    past = past_of(table, connection)
    table.house.charge(connection.client, limits.COST_OF_MOMENT * message["count"])
    if message["first"] > past.moves:
        raise RefusalError("no_such_moment")
    last = min(message["first"] + message["count"], past.moves + 1)
    told = [
        render.moment(past, at, message.get("moves", False), connection.say)
        for at in range(message["first"], last)
    ]
    connection.send({"type": "moments", "ref": message["ref"], "moments": told})


async def tell_review(table: Table, connection: Connection, ref: int) -> None:
    """Tell what a finished game was worth, and before how far that is."""
    past = past_of(table, connection)

    def tell(progress: float) -> None:
        connection.send({"type": "review", "ref": ref, "progress": progress, "seats": None})

    record = await table.house.reviews.of(table.record.code, past.played, connection.client, tell)
    seats = render.review(record, past, connection.say)
    connection.send({"type": "review", "ref": ref, "progress": 1.0, "seats": seats})


async def tell_verdict(table: Table, connection: Connection, message: AskVerdict) -> None:
    """Tell how good another move would have been."""
    past = past_of(table, connection)
    at, move = message["at"], message["move"]
    if at >= past.moves:
        raise RefusalError("no_such_moment")
    if not past.is_choice(at, move):
        raise RefusalError("illegal_move", text=move)
    table.house.charge(connection.client, limits.COST_OF_VERDICT)
    answer = await table.house.reviews.judge(table.record.code, past.played, at, move)
    connection.send(
        {
            "type": "verdict",
            "ref": message["ref"],
            "at": at,
            "move": move,
            "verdict": answer.verdict,
            "difference": round(answer.difference, DIGITS),
        }
    )


def past_of(table: Table, connection: Connection) -> Past:
    """The game from its beginning, when it is over: before, it would tell what is not to be known."""
    if not table.master.over:
        raise RefusalError("not_over")
    if table.past is None:
        table.house.charge(connection.client, limits.COST_OF_LOADING)
        table.past = Past(table.master)
    return table.past
