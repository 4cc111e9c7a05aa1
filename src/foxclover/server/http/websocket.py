"""The websocket of a table: reads what the page sends, refuses what cannot be, writes what the table has to say."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from foxclover.server.addresses import is_here
from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError
from foxclover.server.guard import ABORT, SEND_ALL, WRITE
from foxclover.server.headers import expect_own_page, from_this_machine
from foxclover.server.intake import take
from foxclover.server.limits import client_of
from foxclover.server.lobby import Lobby
from foxclover.server.logs import note
from foxclover.server.table import Table

PATIENCE = 5.0  # seconds to write what is left before the socket is cut off
SECURE = {"ws": "http", "wss": "https"}


async def table_socket(socket: WebSocket) -> None:
    """Serve one connection from its opening to its end."""
    lobby: Lobby = socket.app.state.lobby
    client = client_of(socket.client.host if socket.client else "local")
    address = f"{SECURE.get(socket.url.scheme, 'http')}://{socket.headers.get('host', '')}"
    extensions = socket.scope.get("extensions", {})
    here = from_this_machine(socket) and is_here(address)
    connection = Connection(
        lobby.limits, client, extensions.get(ABORT), address, extensions.get(WRITE), here
    )
    await socket.accept()
    writing = asyncio.get_running_loop().create_task(_write(socket, connection))
    try:
        expect_own_page(socket)
        lobby.house.doors.enter(connection)
        try:
            await _serve(socket, connection, lobby)
        finally:
            lobby.house.doors.leave(connection)
    except RefusalError as refusal:
        lobby.house.metrics.refusals[refusal.reason] += 1
        note("turned_away", client=client, reason=refusal.reason)
        connection.bid_farewell(refusal)
    finally:
        connection.close()
        await asyncio.wait([writing], timeout=PATIENCE)
        if not writing.done():
            writing.cancel()
            if connection.abort is not None:
                connection.abort()


async def _serve(socket: WebSocket, connection: Connection, lobby: Lobby) -> None:
    """Take messages one by one until the end; the table is found when the first one has come."""
    table: Table | None = None
    try:
        while not connection.closing:
            message = await _receive(socket, connection, lobby)
            if message["type"] == "websocket.disconnect":
                return
            if table is None:
                table = await _find_table(socket.path_params["code"], connection, lobby)
            await take(connection, table, message.get("text"), lobby)
    finally:
        if table is not None:
            table.leave(connection)


async def _receive(socket: WebSocket, connection: Connection, lobby: Lobby) -> Message:
    """Wait for a message, but not for ever before hello."""
    if connection.greeted:
        return await socket.receive()
    try:
        async with asyncio.timeout(lobby.limits.silence):
            return await socket.receive()
    except TimeoutError:
        raise RefusalError("no_hello") from None


async def _find_table(code: str, connection: Connection, lobby: Lobby) -> Table:
    """Return the table; loading costs, so that codes cannot be guessed by trying."""
    if code.lower() not in lobby.tables and not lobby.requests.take(connection.client):
        raise RefusalError("too_fast")
    return await lobby.table(code, connection.client)


async def _write(socket: WebSocket, connection: Connection) -> None:
    """Send what is queued; a socket that is gone ends its connection."""
    send_all = socket.scope.get("extensions", {}).get(SEND_ALL)
    with suppress(WebSocketDisconnect, RuntimeError, OSError, ClientDisconnected):
        while texts := await connection.next_texts():
            if send_all is not None:
                await send_all(texts)
            else:
                for text in texts:
                    await socket.send_text(text.decode())
        await socket.close()
    connection.close()
