"""One message to a table, whatever way it came: read, refused if it cannot be, else done."""

from __future__ import annotations

import time

from foxclover.server import validate
from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError
from foxclover.server.lobby import Lobby
from foxclover.server.logs import fault
from foxclover.server.table import Table

UNREADABLE = -1  # ref of a message that has none


async def take(connection: Connection, table: Table, text: str | None, lobby: Lobby) -> None:
    """Handle one message; whatever is wrong with it is told, and changes nothing."""
    began = time.perf_counter()
    limits, metrics = lobby.limits, lobby.house.metrics
    ref, in_time = UNREADABLE, connection.bucket.take() and lobby.messages.take(connection.client)
    try:
        if text is None:
            raise RefusalError("bad_message", what="bytes")
        if len(text) > limits.message or (
            not text.isascii() and len(text.encode(errors="surrogatepass")) > limits.message
        ):
            raise RefusalError("too_long")
        value = validate.decode(text)
        ref = validate.ref_of(value, UNREADABLE)
        if not in_time:
            raise RefusalError("too_fast")
        await table.receive(connection, validate.client_message(value))
    except RefusalError as refusal:
        metrics.refusals[refusal.reason] += 1
        connection.refuse(refusal, ref, table.master.seq)
        connection.refusals += refusal.reason == "too_fast"
        if refusal.reason == "too_many" or connection.refusals > limits.refusals:
            raise
    except Exception:
        fault("message_failed", table=table.record.code)
        connection.refuse(RefusalError("internal"), ref, table.master.seq)
    metrics.messages.note(time.perf_counter() - began)
