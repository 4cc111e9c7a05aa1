"""Answer questions about the running game: odds, reasons, previews and hints.

An answer contains no more than the connection may know.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any

from foxclover.ai.nets import NetError
from foxclover.core.position import Position
from foxclover.locale import Translator
from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError, require
from foxclover.server.limits import rate_limits as limits
from foxclover.server.logs import log_exception
from foxclover.server.protocol.messages import AskHint, AskOdds, AskPreview, AskWhy, RankedMove
from foxclover.server.thinking.tasks import Valued

if TYPE_CHECKING:
    from foxclover.server.tables.table import Table

Work = Callable[["Table", Connection, Any], Coroutine[None, None, None]]
"""Compute the answer to a message and send it."""


async def answer_odds(table: Table, connection: Connection, message: AskOdds) -> None:
    """Send the chances of a seat on the next roll."""
    table.context.charge(connection.client, limits.COST_OF_ODDS)
    seat, seq = message["seat"], table.seq_meant(connection, message["seq"])
    cards, fail = table.master.odds(seat, seq, table.you(connection))
    connection.send(
        {
            "type": "odds",
            "ref": message["ref"],
            "seq": table.seq_for(connection),
            "seat": seat,
            "cards": cards,
            "fail": fail,
        }
    )


async def answer_why(table: Table, connection: Connection, message: AskWhy) -> None:
    """Send the reasons why moves are not possible."""
    seat, translate = message["seat"], connection.translate
    table.expect_player(connection, seat)
    table.context.charge(connection.client, limits.COST_OF_PREVIEW)
    position = table.master.shown(table.you(connection)).position
    words = None
    if "about" in message:
        words = position.reasons_about(seat, message["about"], translate)
    if words is None:  # the question names nothing that exists
        words = position.reasons(seat, translate)
    connection.send({"type": "why", "ref": message["ref"], "seat": seat, "words": words})


async def answer_preview(table: Table, connection: Connection, message: AskPreview) -> None:
    """Send what each legal move would lead to."""
    seat = message["seat"]
    table.expect_player(connection, seat)
    position, seq = _decision(table, connection, message)
    table.context.charge(connection.client, limits.COST_OF_PREVIEW)
    moves = [move.preview() for move in position.legal_moves(seat)]
    connection.send(
        {"type": "preview", "ref": message["ref"], "seq": seq, "seat": seat, "moves": moves}
    )


def answer_hint(table: Table, connection: Connection, message: AskHint) -> None:
    """Start to rank the legal moves of a seat."""
    require(not connection.thoughts, "too_fast")
    table.expect_player(connection, message["seat"])
    require(not table.master.hidden, "daily_alone")
    table.context.charge(connection.client, limits.COST_OF_HINT)
    answer_later(_hint, table, connection, message)


async def _hint(table: Table, connection: Connection, message: AskHint) -> None:
    seat = message["seat"]
    async with table.lock:
        position, seq = _decision(table, connection, message)
    values = await table.context.computers.rank(position, seat, connection.client)
    moves = _ranked(position, seat, values, connection.translate)
    connection.send(
        {"type": "hint", "ref": message["ref"], "seq": seq, "seat": seat, "moves": moves}
    )


def _decision(
    table: Table, connection: Connection, message: AskHint | AskPreview
) -> tuple[Position, int]:
    """Return the position that a connection decides on, and the number it knows it by."""
    seq = table.seq_meant(connection, message["seq"])
    position = table.master.decision_of(message["seat"], seq, table.you(connection))
    return position, table.seq_for(connection)


def _ranked(
    position: Position, seat: int, values: Sequence[Valued], translate: Translator
) -> list[RankedMove]:
    moves = {move.number: move for move in position.legal_moves(seat)}
    best = values[0].expected if values else 0.0
    return [
        {
            "move": value.move,
            "text": moves[value.move].text,
            "words": moves[value.move].words(translate),
            "expected": value.expected,
            "error": value.error,
            "loss": best - value.expected,
        }
        for value in values
    ]


def answer_later(work: Work, table: Table, connection: Connection, message: Any) -> None:
    """Work an answer out in the background; closing the connection cancels it."""
    ref = message["ref"]
    connection.thoughts[ref] = table.start(_answer(work, table, connection, message))
    connection.thoughts[ref].add_done_callback(lambda _: connection.thoughts.pop(ref, None))


async def _answer(work: Work, table: Table, connection: Connection, message: Any) -> None:
    ref = message["ref"]
    try:
        await work(table, connection, message)
    except RefusalError as refusal:
        connection.refuse(refusal, ref, table.seq_for(connection))
    except NetError:
        connection.refuse(RefusalError("no_advisor"), ref, table.seq_for(connection))
    except Exception:
        where = table.master.position.text
        log_exception("thought_failed", table=table.record.code, position=where)
        connection.refuse(RefusalError("internal"), ref, table.seq_for(connection))
