"""The websocket of a table: read messages, hand them to the table, and write its answers."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import Message
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.utils import ClientDisconnected

from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError
from foxclover.server.http.requests import client_name, expect_own_page, from_this_machine
from foxclover.server.limits.protocol_limits import ABORT, SEND_ALL, WRITE
from foxclover.server.lobby import Lobby
from foxclover.server.logs import log_event
from foxclover.server.network import is_local_url
from foxclover.server.tables.table import Table

CLOSING_SECONDS = 5.0  # to write queued messages before the socket is aborted
SECURE = {"ws": "http", "wss": "https"}


async def table_socket(socket: WebSocket) -> None:
    """Serve a connection from its opening to its end."""
    lobby: Lobby = socket.app.state.lobby
    client = client_name(socket)
    address = f"{SECURE.get(socket.url.scheme, 'http')}://{socket.headers.get('host', '')}"
    extensions = socket.scope.get("extensions", {})
    here = from_this_machine(socket) and is_local_url(address)
    connection = Connection(
        lobby.limits, client, extensions.get(ABORT), address, extensions.get(WRITE), here
    )
    await socket.accept()
    writing = asyncio.get_running_loop().create_task(_write(socket, connection))
    try:
        expect_own_page(socket)
        socket.app.state.blocks.refuse_client(client)
        lobby.context.connections.enter(connection)
        try:
            await _serve(socket, connection, lobby)
        finally:
            lobby.context.connections.leave(connection)
    except RefusalError as refusal:
        lobby.context.metrics.count_refusal(refusal.reason)
        log_event("turned_away", client=client, reason=refusal.reason)
        connection.close(refusal)
    finally:
        connection.close()
        await asyncio.wait([writing], timeout=CLOSING_SECONDS)
        if not writing.done():
            writing.cancel()
            if connection.abort is not None:
                connection.abort()


async def _serve(socket: WebSocket, connection: Connection, lobby: Lobby) -> None:
    """Handle messages one by one; find the table at the first one."""
    table: Table | None = None
    try:
        while not connection.closing:
            message = await _receive(socket, connection, lobby)
            if message["type"] == "websocket.disconnect":
                return
            if table is None:
                table = await _find_table(socket.path_params["code"], connection, lobby)
            await lobby.receive(connection, table, message.get("text"))
    finally:
        if table is not None:
            table.leave(connection)


async def _receive(socket: WebSocket, connection: Connection, lobby: Lobby) -> Message:
    """Wait for a message, for a limited time before hello."""
    if connection.greeted:
        return await socket.receive()
    try:
        async with asyncio.timeout(lobby.limits.silence):
            return await socket.receive()
    except TimeoutError:
        raise RefusalError("no_hello") from None


async def _find_table(code: str, connection: Connection, lobby: Lobby) -> Table:
    """Return the table; loading one counts as a request, so that codes cannot be guessed."""
    if code.lower() not in lobby.tables:
        lobby.requests.expect(connection.client)
    return await lobby.table(code, connection.client)


async def _write(socket: WebSocket, connection: Connection) -> None:
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
