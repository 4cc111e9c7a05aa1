"""Two games that differ only in a decision that is not public yet look alike to everybody else.

Geht noch was?: several seats decide on one roll. A twin of a table is made, one seat decides
differently there, and every other identity (players, spectators, clients over HTTP) must
get the same bytes in the same order, whatever they ask, until all have decided.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, get_args, get_type_hints

import httpx2
import pytest

from foxclover.core.position import Position
from foxclover.dice.fair import DICE
from foxclover.server.connection import Connection
from foxclover.server.context import ServerContext
from foxclover.server.http.app import create_app
from foxclover.server.limits.rate_limits import Buckets
from foxclover.server.lobby import Lobby
from foxclover.server.logs import Metrics
from foxclover.server.network import PublicUrls
from foxclover.server.protocol.identifiers import token_key
from foxclover.server.protocol.messages import PROTOCOL, ClientMessage
from foxclover.server.stores.store import SeatRecord, TableRecord
from foxclover.server.tables.table import Table
from foxclover.server.thinking.tasks import Valued
from tables import ADDRESS, CLIMB, PLENTY, QUICK

CODE = "bcdfgh"
NOW = 1_700_000_000
GAMES = 6
QUESTIONS = 12  # of each identity at each moment


class Shelf:
    """A store of tables that nobody reloads."""

    shared = False

    async def append(self, *_: object) -> None:
        """Keep nothing."""

    async def set_pace(self, *_: object) -> None:
        """Keep nothing."""

    async def ping(self) -> None:
        """Be well."""


class Oracle:
    """Ranks moves by everything it is shown."""

    strengths: ClassVar = ["random"]
    waiting = 0

    async def rank(self, position: Position, seat: int, _: str = "") -> list[Valued]:
        digest = hashlib.sha256(position.dump().encode()).digest()
        return [
            Valued(move, float(digest[number % 32]), 0.0)
            for number, move in enumerate(position.legal_numbers(seat))
        ]


class World:
    """A table, and a connection of each identity to it."""

    def __init__(self, record: TableRecord, players: int) -> None:
        store: Any = Shelf()
        self.context = ServerContext(store, Oracle(), QUICK, PublicUrls(), Metrics())  # type: ignore[arg-type]
        self.lobby = Lobby(self.context, Buckets(PLENTY, 1.0))
        self.table = self.lobby.tables[CODE] = Table(record, self.context, self.lobby.reviews)
        app = create_app(store, QUICK)
        app.state.lobby = self.lobby
        self.http = httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url=ADDRESS)
        pairs = [(seat, (seat + 1) % players) for seat in range(players)] if players > 2 else []
        self.identities: list[tuple[int, ...]] = [(), *((seat,) for seat in range(players)), *pairs]
        self.connections = {identity: Connection(QUICK) for identity in self.identities}

    async def say(
        self,
        identity: tuple[int, ...],
        message: dict[str, Any],
        connection: Connection | None = None,
    ) -> None:
        there = connection or self.connections[identity]
        await self.lobby.receive(there, self.table, json.dumps(message))
        while self.table.tasks:
            await asyncio.gather(*self.table.tasks)

    def heard(self, identity: tuple[int, ...], connection: Connection | None = None) -> list[bytes]:
        """Return what was sent to an identity since the last time."""
        there = connection or self.connections[identity]
        received, there.outbox, there.waiting = there.outbox, [], 0
        return received

    async def meet(self) -> None:
        for identity, connection in self.connections.items():
            if not connection.greeted:
                await self.say(identity, hello(identity))

    def become_twin_of(self, other: World) -> None:
        """Be where the other table is."""
        self.table.master = other.table.master.copy()

    def seq(self, identity: tuple[int, ...]) -> int:
        return self.table.seq_for(self.connections[identity])


def token(seat: int) -> str:
    return f"token-of-{seat}"


def hello(identity: tuple[int, ...], seq: int = -1) -> dict[str, Any]:
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "tokens": [token(seat) for seat in identity],
        "language": "en",
        "seq": seq,
    }


def new_record(players: int, seed: int) -> TableRecord:
    seats = [SeatRecord(f"Player {seat}", key=token_key(token(seat))) for seat in range(players)]
    root = hashlib.sha256(bytes([seed])).digest()
    return TableRecord(
        CODE, CLIMB, 0, None, 900, NOW, seats, "invitation", seal=root, dice=DICE, host=seats[0].key
    )


def questions(
    identity: tuple[int, ...], seq: int, players: int, chance: random.Random
) -> list[dict[str, Any]]:
    """One message of every type, which changes nothing that counts."""
    seat = (
        chance.choice(identity) if identity and chance.random() < 0.7 else chance.randrange(players)
    )
    at = {"seat": seat, "seq": max(0, seq + chance.choice((0, 0, 0, 1, 2, 3, -1, -2, -3)))}
    return [
        {"type": "odds", **at},
        {"type": "odds", **at, "seat": chance.randrange(players), "seq": seq},
        {"type": "hint", **at},
        {"type": "preview", **at},
        {"type": "why", "seat": seat} | chance.choice([{}, {"about": "25"}, {"about": "#1"}]),
        {"type": "move", **at, "text": "nonsense"},
        {"type": "move", **at, "move": 999_999},
        {"type": "roll", **at},
        {"type": "enter", **at, "text": "1111111"},
        {"type": "correct", **at},
        {"type": "undo", **at, "seq": seq + 5},
        {"type": "seat", "seat": seat, "change": "replace", "level": "nobody"},
        {"type": "pace", "pace": chance.randrange(2_000)},
        {"type": "language", "language": chance.choice(("en", "de"))},
        {"type": "rematch"},
        {"type": "invite"},
        {"type": "network", "open": True},
        {"type": "moments", "first": 0, "count": 3},
        {"type": "review"},
        {"type": "verdict", "at": 0, "move": 0},
        {"type": "line", "at": 0},
        {"type": "react", "seat": seat, "reaction": "wow"},
        {"type": "watch", "name": "Eve"},
        {"type": "ping"},
        hello(identity, max(-1, at["seq"])),
    ]


def test_every_type_of_message_is_asked() -> None:
    asked = {question["type"] for question in questions((0,), 0, 3, random.Random(0))}
    known = {get_args(get_type_hints(message)["type"])[0] for message in get_args(ClientMessage)}
    assert asked == known


def decisions(world: World, seat: int) -> list[list[int]]:
    """All ways in which a seat can decide on the roll, each as its moves."""
    position = world.table.master.position
    found: list[list[int]] = []
    for move in position.legal_numbers(seat):
        after = position.copy()
        after.push(after.move(seat, move))
        if seat in after.acting:
            found += [[move, last] for last in after.legal_numbers(seat)]
        else:
            found.append([move])
    return found


async def decide(world: World, seat: int, moves: Sequence[int]) -> None:
    for move in moves:
        await world.say(
            (seat,),
            {"type": "move", "ref": 1, "seat": seat, "seq": world.seq((seat,)), "move": move},
        )


class Pair:
    """The same table twice, and a seat that decides differently at the second one."""

    def __init__(self, players: int, seed: int) -> None:
        self.players, self.chance = players, random.Random(seed)
        self.worlds = [World(new_record(players, seed), players) for _ in range(2)]
        self.compared = 0

    @property
    def master(self) -> Any:
        return self.worlds[0].table.master

    def others(self, secret: int) -> list[tuple[int, ...]]:
        return [identity for identity in self.worlds[0].identities if secret not in identity]

    def forget_what_was_heard(self) -> None:
        for world in self.worlds:
            for identity in world.identities:
                world.heard(identity)

    def compare(self, secret: int) -> None:
        for identity in self.others(secret):
            first, second = (world.heard(identity) for world in self.worlds)
            assert first == second, f"{identity} can tell what {secret} has decided"
            self.compared += len(first)

    async def both(self, act: Callable[[World], Any]) -> None:
        for world in self.worlds:
            await act(world)

    async def interrogate(self, secret: int) -> None:
        """Let all others ask what they like, connect again, and look at the table from outside."""
        for identity in self.others(secret):
            asked = questions(identity, self.worlds[0].seq(identity), self.players, self.chance)
            for ref, question in enumerate(self.chance.sample(asked, QUESTIONS)):
                asking = question if question["type"] == "hello" else {"ref": ref, **question}
                await self.both(partial(World.say, identity=identity, message=asking))
            self.compare(secret)
            seq = max(-1, self.worlds[0].seq(identity) + self.chance.randint(-3, 3))
            received = []
            for world in self.worlds:
                again = Connection(QUICK)
                await world.say(identity, hello(identity, seq), again)
                received.append(world.heard(identity, again))
                world.table.leave(again)
            assert received[0] == received[1], (
                f"{identity} can tell what {secret} has decided by connecting again"
            )
            self.compare(secret)
        for path in (
            f"/api/tables/{CODE}",
            f"/api/tables/{CODE}/transcript",
            "/api/health",
            f"/t/{CODE}/3",
        ):
            seen = [await world.http.get(path) for world in self.worlds]
            assert seen[0].status_code == seen[1].status_code
            assert seen[0].content == seen[1].content, f"{path} reveals what {secret} has decided"

    async def play_round(self) -> None:
        """Decide on a roll, one seat differently in the two worlds, and compare at every step."""
        first, second = self.worlds
        second.become_twin_of(first)
        undecided = list(self.master.acting)
        free = [seat for seat in undecided if len(decisions(first, seat)) > 1]
        secret = self.chance.choice(free)  # the others have only one way
        others = [seat for seat in undecided if seat != secret]
        self.chance.shuffle(others)
        if self.chance.random() < 0.5 and len(others) > 1:
            early = others.pop()
            ways = decisions(first, early)
            await self.both(lambda world: decide(world, early, ways[0]))
        self.compare_nothing_yet()
        ways = decisions(first, secret)
        one, other = self.chance.sample(ways, 2)
        if len(one) > 1 and self.chance.random() < 0.5:  # begun in one world, not in the other
            await decide(first, secret, one[:1])
            self.compare(secret)
            if len(others) > 1 and self.chance.random() < 0.5:
                await self.fail(others.pop(), secret)
            await self.interrogate(secret)
            if self.chance.random() < 0.5:
                undo = {"type": "undo", "ref": 1, "seat": secret, "seq": first.seq((secret,))}
                await first.say((secret,), undo)
                self.compare(secret)
                await decide(first, secret, one)
            else:
                await decide(first, secret, one[1:])
        else:
            await decide(first, secret, one)
        await decide(second, secret, other)
        self.compare(secret)
        await self.interrogate(secret)
        for seat in others[1:]:
            await self.act_unseen(seat, secret, whole=True)
        await self.act_unseen(others[0], secret, whole=False)
        second.become_twin_of(first)
        await self.finish()

    async def fail(self, seat: int, secret: int) -> None:
        """Let another seat fail while the secret one has drawn no card.

        Both worlds draw the same one.
        """
        (way,) = [way for way in decisions(self.worlds[0], seat) if len(way) == 1]
        await self.both(lambda world: decide(world, seat, way))
        self.compare(secret)

    def compare_nothing_yet(self) -> None:
        for identity in self.worlds[0].identities:
            assert self.worlds[0].heard(identity) == self.worlds[1].heard(identity)

    async def act_unseen(self, seat: int, secret: int, whole: bool) -> None:
        """Let another seat decide without drawing a card.

        Which one is drawn depends on what others have drawn.
        """
        ways = [way for way in decisions(self.worlds[0], seat) if len(way) > 1]
        assert ways == [way for way in decisions(self.worlds[1], seat) if len(way) > 1]
        if ways:
            way = self.chance.choice(ways)
            await self.both(lambda world: decide(world, seat, way if whole else way[:1]))
            self.compare(secret)
            if self.chance.random() < 0.5:
                await self.both(
                    lambda world: world.say(
                        (seat,), {"type": "undo", "ref": 2, "seat": seat, "seq": world.seq((seat,))}
                    )
                )
                self.compare(secret)
            await self.interrogate(secret)

    async def finish(self) -> None:
        """Let the others decide at the first table; then everybody knows everything."""
        first = self.worlds[0]
        while self.master.log.decision is not None:
            seat = self.master.acting[0]
            await decide(
                first,
                seat,
                self.chance.choice(decisions(first, seat))
                if self.stage(seat)
                else [self.first_move(seat)],
            )
        received = {
            identity: json.loads(first.heard(identity)[-1]) for identity in first.identities
        }
        assert {message["seq"] for message in received.values()} == {self.master.seq}, (
            "all count alike again"
        )

    def stage(self, seat: int) -> bool:
        """Whether a seat has not begun to decide."""
        after = self.master.position.copy()
        after.push(after.move(seat, self.first_move(seat)))
        return seat in after.acting or len(self.master.position.legal_numbers(seat)) != 2

    def first_move(self, seat: int) -> int:
        return int(self.master.position.legal_numbers(seat)[0])

    async def play(self) -> None:
        first = self.worlds[0]
        await self.both(lambda world: world.meet())
        while not self.master.over:
            self.forget_what_was_heard()
            master = self.master
            if master.rollers:
                seat = self.chance.choice(master.rollers)
                salt = f"{master.seq:032x}"  # none is used twice
                await first.say(
                    (seat,),
                    {
                        "type": "roll",
                        "ref": 0,
                        "seat": seat,
                        "seq": first.seq((seat,)),
                        "salt": salt,
                    },
                )
            elif master.log.decision is not None:
                await self.play_round()
            else:
                seat = self.chance.choice(master.acting)
                move = self.chance.choice(master.position.legal_numbers(seat))
                await decide(first, seat, [move])


@pytest.fixture(autouse=True)
def _still_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time", lambda: float(NOW))


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_decision_that_is_not_public_changes_nothing_for_others(seed: int) -> None:
    pair = Pair(2 + seed % 3, seed)
    asyncio.run(pair.play())
    assert pair.compared > 100
