"""The websocket of a table: reads what the page sends, refuses what cannot be, writes what the table has to say."""

from __future__ import annotations

import asyncio

from starlette.websockets import WebSocket, WebSocketDisconnect

from foxclover.server import validate
from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError
from foxclover.server.headers import expect_own_page
from foxclover.server.limits import Limits
from foxclover.server.lobby import Lobby
from foxclover.server.logs import fault, note
from foxclover.server.table import Table

PATIENCE = 5.0  # seconds to write what is left before the socket is closed
UNREADABLE = -1  # ref of a message that has none


async def table_socket(socket: WebSocket) -> None:
    """Serve one connection from its opening to its end."""
    lobby: Lobby = socket.app.state.lobby
    client = socket.client.host if socket.client else "local"
    connection = Connection(lobby.limits)
    await socket.accept()
    writing = asyncio.get_running_loop().create_task(_write(socket, connection))
    try:
        expect_own_page(socket)
        if not lobby.requests.take(client):
            raise RefusalError("too_fast")
        table = await lobby.table(socket.path_params["code"])
        with lobby.admitted(client, table, connection):
            await _read(socket, connection, table, lobby.limits)
    except RefusalError as refusal:
        note("turned_away", client=client, reason=refusal.reason)
        connection.bid_farewell(refusal)
    finally:
        connection.close()
        await asyncio.wait([writing], timeout=PATIENCE)
        writing.cancel()


async def _read(socket: WebSocket, connection: Connection, table: Table, limits: Limits) -> None:
    """Take messages one by one until the connection ends."""
    while not connection.closing:
        try:
            async with asyncio.timeout(None if connection.greeted else limits.silence):
                message = await socket.receive()
        except TimeoutError:
            raise RefusalError("no_hello") from None
        if message["type"] == "websocket.disconnect":
            return
        await take(connection, table, message.get("text"), limits)


async def take(connection: Connection, table: Table, text: str | None, limits: Limits) -> None:
    """Handle one message; whatever is wrong with it is told, and changes nothing."""
    ref, in_time = UNREADABLE, connection.bucket.take()
    try:
        if text is None:
            raise RefusalError("bad_message", what="bytes")
        if len(text.encode(errors="surrogatepass")) > limits.message:
            raise RefusalError("too_long")
        value = validate.decode(text)
        ref = validate.ref_of(value, UNREADABLE)
        if not in_time:
            raise RefusalError("too_fast")
        await table.receive(connection, validate.client_message(value))
    except RefusalError as refusal:
        connection.refuse(refusal, ref, table.master.seq)
    except Exception:
        fault("message_failed", table=table.record.code)
        connection.refuse(RefusalError("internal"), ref, table.master.seq)


async def _write(socket: WebSocket, connection: Connection) -> None:
    """Send what is queued; a socket that is gone ends its connection."""
    try:
        while (text := await connection.outbox.get()) is not None:
            await socket.send_text(text)
        await socket.close()
    except (WebSocketDisconnect, RuntimeError):
        connection.close()
