"""Announcements between processes on one PostgreSQL, and listeners that reconnect."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path

import asyncpg
import pytest
from starlette.testclient import TestClient

from foxclover.server.http.app import create_app
from foxclover.server.stores import postgres
from foxclover.server.stores.postgres import RETRY, PostgresStore, prepare
from foxclover.server.stores.store import Event, Store, StoreAway
from postgres import Cluster
from stores import TABLE
from tables import ADDRESS, GANZ, ME, QUICK, ServerContext


def test_announcements_of_a_process_reach_the_others(database: str) -> None:
    async def talk() -> list[str]:
        left, right = PostgresStore(database), PostgresStore(database)
        heard: list[str] = []
        await right.listen(heard.append, lambda: None, lambda: None)
        await left.ping()
        for number in range(500):
            left.announce(f"something about table {number}")
        async with asyncio.timeout(120):
            while len(heard) < 500:
                await asyncio.sleep(0.01)
        await left.close()
        await right.close()
        return heard

    assert asyncio.run(talk()) == [f"something about table {number}" for number in range(500)]


class Listener:
    """A store that listens, and what it heard."""

    def __init__(self, database: str) -> None:
        self.store = PostgresStore(database)
        self.heard: asyncio.Queue[str] = asyncio.Queue()
        self.lost, self.back = asyncio.Event(), asyncio.Event()

    async def listen(self) -> None:
        await self.store.listen(self.heard.put_nowait, self.lost.set, self.back.set)

    async def hears(self, other: Store) -> None:
        """Hear what another process says, sooner or later."""
        await other.ping()
        other.announce("something")
        async with asyncio.timeout(120):
            assert await self.heard.get() == "something"


LISTENERS = (
    "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()"
)


def test_a_listener_that_finds_too_many_connections_comes_back(database: str) -> None:
    """The role is not the superuser, which no limit applies to."""

    async def crowd() -> None:
        admin = await asyncpg.connect(database)
        name, role = await admin.fetchval("SELECT current_database()"), "crowded"
        await admin.execute(
            f"DO $$ BEGIN CREATE ROLE {role} LOGIN; EXCEPTION WHEN duplicate_object THEN NULL; "
            "END $$"
        )
        await admin.execute(f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {role}")
        ours, other = Listener(database.replace("fox@", f"{role}@")), PostgresStore(database)
        await ours.listen()
        await ours.store.ping()
        await admin.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT 0')
        await admin.execute(f"SELECT pg_terminate_backend(pid) FROM ({LISTENERS}) AS listening")
        async with asyncio.timeout(120):
            await ours.lost.wait()
        await asyncio.sleep(2 * RETRY)  # long enough to be refused
        with pytest.raises(StoreAway, match="not heard"):
            await ours.store.ping()
        with pytest.raises(StoreAway, match="too many connections"):
            await ours.store.hold("bcdfgh")
        await admin.execute(f'ALTER DATABASE "{name}" CONNECTION LIMIT -1')
        async with asyncio.timeout(120):
            await ours.back.wait()
        await ours.store.ping()
        await ours.hears(other)
        for store in (ours.store, other):
            await store.close()
        await admin.close()

    asyncio.run(crowd())


def test_a_listener_whose_connection_says_nothing_any_more_is_replaced(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres, "PATIENCE", 1.0)

    async def silence() -> None:
        ours, other = Listener(database), PostgresStore(database)
        await ours.listen()
        admin = await asyncpg.connect(database)
        silent = await admin.fetchval(LISTENERS)
        os.kill(silent, signal.SIGSTOP)
        try:
            async with asyncio.timeout(120):
                await ours.back.wait()
            await ours.hears(other)
        finally:
            os.kill(silent, signal.SIGCONT)
        for store in (ours.store, other):
            await store.close()
        await admin.close()

    asyncio.run(silence())


def test_a_server_without_its_database_listens_when_it_is_there(cluster: Cluster) -> None:
    async def wait_for_it() -> None:
        database = cluster.database()
        ours = Listener(f"{database}&application_name=ours".replace("/test", "/later"))
        listening = asyncio.create_task(ours.listen())
        await asyncio.sleep(RETRY)
        assert not listening.done()
        admin = await asyncpg.connect(database)
        name = ours.store.url.partition("?")[0].rpartition("/")[2]
        await admin.execute(f'CREATE DATABASE "{name}"')
        await prepare(ours.store.url)
        async with asyncio.timeout(120):
            await listening
        other = PostgresStore(ours.store.url)
        await ours.hears(other)
        for store in (ours.store, other):
            await store.close()
        await admin.close()

    asyncio.run(wait_for_it())


@pytest.mark.parametrize(
    "error",
    [
        asyncpg.InternalClientError("got result for unknown protocol state 3"),
        asyncpg.DiskFullError("full"),
        asyncpg.DeadlockDetectedError(""),
    ],
    ids=lambda error: type(error).__name__,
)
def test_what_the_database_or_its_driver_cannot_do_is_a_refusal(
    database: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: Exception
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise error

    with TestClient(
        create_app(PostgresStore(database), QUICK, page=tmp_path), base_url=ADDRESS
    ) as client:
        server = ServerContext(client)
        code, _ = server.create(ME)
        client.app.state.lobby.tables.clear()  # type: ignore[attr-defined]
        for name in ("fetch", "fetchrow", "fetchval", "execute"):
            monkeypatch.setattr(asyncpg.Connection, name, fail)
        for answer in (
            client.get(f"/api/tables/{code}"),
            client.post("/api/tables", json={"game": GANZ, "seats": [ME]}),
            client.post("/api/me/games", json={"token": "A" * 22}),
        ):
            assert (answer.status_code, answer.json()["reason"]) == (503, "store_away")
        assert client.get("/api/health").status_code == 503
        monkeypatch.undo()
        assert client.get(f"/api/tables/{code}").status_code == 200


def test_a_database_that_cannot_be_written_to_is_not_well(database: str) -> None:
    async def forbid_and_allow() -> None:
        store, admin = PostgresStore(database), await asyncpg.connect(database)
        await store.ping()
        name = await admin.fetchval("SELECT current_database()")
        others = (
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database()"
        )
        for change in (
            "SET default_transaction_read_only = on",
            "RESET default_transaction_read_only",
        ):
            await admin.execute(f'ALTER DATABASE "{name}" {change}')
            await admin.execute(others)
            if change.startswith("SET"):
                # first the ended connection, then the rights of the next one
                with pytest.raises(StoreAway):
                    await store.ping()
                with pytest.raises(StoreAway, match="read-only"):
                    await store.ping()
        with suppress(StoreAway):
            await store.ping()
        await store.ping()
        await store.close()
        await admin.close()

    asyncio.run(forbid_and_allow())


@pytest.mark.parametrize("asked", ["hold", "load", "append"])
def test_a_session_that_says_nothing_any_more_is_replaced(
    database: str, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    monkeypatch.setattr(postgres, "PATIENCE", 1.0)

    async def silence() -> None:
        store = PostgresStore(database)
        await store.create(TABLE)

        async def ask(number: int) -> object:
            if asked == "hold":
                return await store.hold(f"bcdfg{'hk'[number]}")
            if asked == "load":
                return await store.load(TABLE.code)
            return await store.append(TABLE.code, number, [Event(0, "x", 1)])

        await ask(0)
        admin = await asyncpg.connect(database)
        found = (
            "SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
            "AND datname = current_database()"
        )
        silent = [row[0] for row in await admin.fetch(found)]
        for pid in silent:
            os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(StoreAway):
                await ask(1)
            async with asyncio.timeout(120):
                await ask(1)
        finally:
            for pid in silent:
                os.kill(pid, signal.SIGCONT)
        await store.close()
        await admin.close()

    asyncio.run(silence())
