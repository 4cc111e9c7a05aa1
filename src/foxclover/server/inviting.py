"""How friends come to a table: the links told to those who sit at it, and the network let in from the machine of the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foxclover.server import addresses, render
from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError
from foxclover.server.protocol import InvitationMessage, SetNetwork

if TYPE_CHECKING:
    from foxclover.server.table import Table


def tell_invitation(table: Table, connection: Connection, ref: int) -> None:
    """Tell somebody who holds a seat at which links friends sit down."""
    if not connection.seats:
        raise RefusalError("not_your_seat")
    path = render.invitation(table.record)
    network = table.house.network if connection.here else None
    if network is not None and not network.is_open:
        network.shut()  # an address of another network, where the machine was before, leads nowhere
    message: InvitationMessage = {
        "type": "invitation",
        "ref": ref,
        "path": path,
        "links": [
            {"link": link, "qr": addresses.picture(link)}
            for link in table.house.reach.links(path, connection.address)
        ],
        "network": None if network is None else "open" if network.is_open else "shut",
    }
    connection.send(message)


async def set_network(table: Table, connection: Connection, message: SetNetwork) -> None:
    """Let the network in or shut it out, for somebody who holds a seat and sits at the machine of the server."""
    network = table.house.network
    if network is None or not connection.here:
        raise RefusalError("not_here")
    if not connection.seats:
        raise RefusalError("not_your_seat")
    if message["open"]:
        await network.open()
    else:
        network.shut()
    tell_invitation(table, connection, message["ref"])
