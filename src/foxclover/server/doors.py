"""Who is let in. People who hold a seat are never turned away for others: those who only watch or have not said who they are make room."""

from __future__ import annotations

from collections import Counter, defaultdict

from foxclover.server.connection import Connection
from foxclover.server.errors import RefusalError
from foxclover.server.limits import Limits


class Doors:
    """Counts the sockets of a process by client, and those of visitors, which may be closed for others, in the order they came."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.total = 0
        self.by_client = Counter[str]()
        self.visitors: defaultdict[str, dict[Connection, None]] = defaultdict(dict)

    def enter(self, connection: Connection) -> None:
        """Let a connection in, whose hello will tell what it is; refuse it if nobody can make room."""
        client, limits = connection.client, self.limits
        if self.by_client[client] >= limits.connections_per_client:
            self._make_room(client)
        elif self.total >= limits.connections:
            greediest = max(
                self.visitors, key=lambda name: len(self.visitors[name]), default=client
            )
            if len(self.visitors.get(greediest, ())) <= len(self.visitors.get(client, ())):
                greediest = client
            self._make_room(greediest)
        self.total += 1
        self.by_client[client] += 1
        self.visitors[client][connection] = None

    def seated(self, connection: Connection) -> None:
        """A connection has shown the token of a seat, and stays."""
        self._forget_visitor(connection)

    def leave(self, connection: Connection) -> None:
        """A connection is gone."""
        if connection.inside:
            connection.inside = False
            self.total -= 1
            self.by_client[connection.client] -= 1
            if not self.by_client[connection.client]:
                del self.by_client[connection.client]
            self._forget_visitor(connection)

    def _make_room(self, client: str) -> None:
        """Close the visitor of a client that came first."""
        if client not in self.visitors:
            raise RefusalError("too_many")
        oldest = next(iter(self.visitors[client]))
        oldest.bid_farewell(RefusalError("too_many"))
        self.leave(oldest)

    def _forget_visitor(self, connection: Connection) -> None:
        visitors = self.visitors.get(connection.client)
        if visitors is not None:
            visitors.pop(connection, None)
            if not visitors:
                del self.visitors[connection.client]
