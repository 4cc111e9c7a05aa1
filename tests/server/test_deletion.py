"""A person deleted: whole or not at all, everywhere, and for good."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from foxclover.core.game import game
from foxclover.puzzles import load
from foxclover.server import lobby
from foxclover.server.http.app import create_app
from foxclover.server.people.deletion import forget
from foxclover.server.protocol.identifiers import token_key
from foxclover.server.stores import sqlite_files
from foxclover.server.stores.postgres import PostgresStore
from foxclover.server.stores.sql import COPIED_TABLES
from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.store import Steps, Store
from foxclover.server.tables.looking_back import Reviews
from server.test_people import ADA, BO, EVE, ask, finish, rows
from tables import ADDRESS, GANZ, QUICK, ServerContext, committing_at_once

NAME = "Adalgisa-Zoë"
ME = {"kind": "me", "name": NAME}
FRIEND = {"kind": "here", "name": "Bo"}
KEPT = (*COPIED_TABLES, "tables", "seats", "events", "reviews")

Open = Callable[[], AbstractContextManager[ServerContext]]


@contextmanager
def opened(store: Store, folder: Path) -> Iterator[ServerContext]:
    app = create_app(store, QUICK, page=folder / "page")
    with committing_at_once(), TestClient(app, base_url=ADDRESS) as client:
        yield ServerContext(client)


@pytest.fixture(params=["sqlite", "postgres"])
def open_house(request: pytest.FixtureRequest, tmp_path: Path) -> Open:
    """A server on a store of each kind; what it holds is there the next time."""
    if request.param == "sqlite":
        return lambda: opened(SqliteStore(tmp_path), tmp_path)
    url = request.getfixturevalue("database")
    return lambda: opened(PostgresStore(url), tmp_path)


def everything(server: ServerContext) -> dict[str, list[Any]]:
    return {table: sorted(map(repr, rows(server, f"SELECT * FROM {table}"))) for table in KEPT}


def secrets_of(server: ServerContext) -> list[str]:
    """What must not be left, as it is stored in a row.

    Name, person, hashes of the device and of the code for another one.
    """
    ((person,),) = rows(server, "SELECT person FROM devices WHERE key = ?", token_key(ADA))
    codes = [key for (key,) in rows(server, "SELECT key FROM alongs WHERE person = ?", person)]
    return [
        NAME,
        person,
        ADA,
        repr(token_key(ADA))[2:-1],
        *(repr(bytes(key))[2:-1] for key in codes),
    ]


def in_files(folder: Path, *wanted: bytes) -> list[tuple[str, bytes]]:
    files = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    return [
        (name, entry) for name, content in files.items() for entry in wanted if entry in content
    ]


def live_a_life(server: ServerContext) -> tuple[str, str, list[str], list[str]]:
    """Play with a friend, begin another game and today's, found a group.

    The friend keeps copies of all kinds.
    """
    ask(server, "name", name=NAME)
    for token in (BO, EVE):
        ask(server, "name", token, name="Bo")
    over, tokens, _ = finish(server, ME, FRIEND)
    running, seats = server.create(ME, FRIEND)
    for code, (mine, theirs) in ((over, tokens), (running, seats)):
        ask(server, "sit", table=code, seat=mine)
        ask(server, "sit", BO, table=code, seat=theirs)
    for token in (ADA, BO):
        assert len(ask(server, "games", token)["games"]) == 1
    text = server.client.get(f"/api/tables/{over}/transcript").text
    assert NAME in text
    assert server.client.post("/api/transcripts", json={"transcript": text}).json()["table"]
    assert ask(server, "import", EVE, games=[{"transcript": text, "seat": 1}])["added"] == 1
    assert ask(server, "look", EVE, id=ask(server, "games", EVE)["games"][0]["id"])["table"]
    server.client.post(
        "/api/daily/start", json={"token": ADA, "game": GANZ, "seat": "s" * 32, "name": NAME}
    )
    server.client.post("/api/daily/group", json={"token": ADA, "name": "Friends"})
    name = next(iter(load(game(GANZ))))
    solved = {"token": ADA, "game": GANZ, "id": name, "rated": True}
    assert server.client.post("/api/puzzles/answer", json=solved).json()["rated"]
    ask(server, "along")
    return over, running, tokens, seats


def test_nothing_of_a_deleted_person_is_left_in_any_row_or_file(
    open_house: Open, tmp_path: Path
) -> None:
    with open_house() as server:
        over, running, tokens, seats = live_a_life(server)
        secrets = secrets_of(server)
        traces = [NAME.encode(), secrets[1].encode(), token_key(ADA), ADA.encode()]
        files = any(in_files(tmp_path, *traces))
        with server.sit(running, seats[1]) as bo, server.sit(over, tokens[1]) as winner:
            assert bo.state["seats"][0]["name"] == NAME
            ask(server, "delete")
            assert not in_files(tmp_path, *traces), "also in the log beside the file"
            bo.until("state")
            assert bo.state["seats"][0]["name"] != NAME, "who is at the table sees it"
            assert bo.ask("seat", seat=0, change="replace", level="random")["type"] in (
                "ack",
                "refused",
            )
            assert winner.ask("rematch")["type"] == "ack"
        for token in (BO, EVE):
            (kept,) = ask(server, "games", token)["games"]
            assert kept["names"][0] == ""
            assert (
                "players: Player 1, Bo\n"
                in ask(server, "transcript", token, id=kept["id"])["transcript"]
            )
        assert server.client.get(f"/api/tables/{over}/transcript").status_code == 200
        ask(server, "delete")
        left = everything(server)
        assert not [
            (table, entry)
            for table, found in left.items()
            for entry in secrets
            if entry in "".join(found)
        ]
        assert (len(left["people"]), left["dailies"], left["daily_groups"]) == (2, [], [])
    with open_house() as server:
        assert not [
            (table, entry)
            for table, found in everything(server).items()
            for entry in secrets
            if entry in "".join(found)
        ]
        assert ask(server, "") == {"name": "", "tag": "", "devices": 1, "games": 0}
        assert [
            seat["name"] for seat in server.client.get(f"/api/tables/{running}").json()["seats"]
        ] == ["Player 1", "Bo"]
        assert not in_files(tmp_path, *traces)
    assert files == ("sqlite" in str(type(server.client.app.state.lobby.store)).lower())  # type: ignore[attr-defined]


def test_a_deletion_that_fails_anywhere_has_deleted_nothing_and_can_be_repeated(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Reviews, "queue", lambda *_: 0)  # they would change rows meanwhile
    with open_house() as server:
        live_a_life(server)
        before, statements = everything(server), 0
        while before:

            def failing(*arguments: Any, most: int = statements) -> Steps:
                steps, answer = forget(*arguments), None
                for _ in range(most):
                    try:
                        answer = yield steps.send(answer) if answer is not None else next(steps)
                    except StopIteration as ended:
                        return ended.value
                raise RuntimeError("the power fails")

            monkeypatch.setattr(lobby, "forget", failing)
            try:
                ask(server, "delete")
                break
            except RuntimeError:
                assert everything(server) == before, f"after {statements} statements"
            statements += 1
        assert statements > 20
        assert NAME not in json.dumps(everything(server))


def test_a_friend_who_reads_a_game_meanwhile_does_not_bring_the_name_back(
    open_house: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_house() as server:
        ask(server, "name", name=NAME)
        code, (mine, theirs), _ = finish(server, ME, FRIEND)
        ask(server, "sit", table=code, seat=mine)
        ask(server, "sit", BO, table=code, seat=theirs)
        store = server.client.app.state.lobby.store  # type: ignore[attr-defined]
        load, delete = store.load, server.client.app.state.lobby.forget  # type: ignore[attr-defined]

        async def load_and_be_overtaken(wanted: str, seq: int = 0) -> Any:
            found = await load(wanted, seq)
            monkeypatch.setattr(store, "load", load)
            await delete(ADA, "client")
            return found

        monkeypatch.setattr(store, "load", load_and_be_overtaken)
        assert ask(server, "games", BO)["games"] == []
        assert ask(server, "games", BO)["games"][0]["names"] == ["", "Bo"]
        assert NAME not in json.dumps(everything(server))


def names_in(folder: Path, names: list[str]) -> list[str]:
    content = b"".join(path.read_bytes() for path in folder.iterdir() if path.is_file())
    return [name for name in names if name.encode() in content]


def scatter(names: list[str]) -> Steps:
    """Put names into many rows of very different lengths, so that pages split repeatedly."""
    chosen = random.Random(1)
    for number in range(600):
        text = (chosen.choice(names) + "\n") * chosen.choice((1, 2, 5, 90, 300))
        statement = (
            "INSERT INTO results (person, id, at, body, transcript, digest) "
            "VALUES (?, ?, ?, ?, ?, ?)"
        )
        yield (
            statement,
            chosen.choice(names),
            f"{chosen.random()}",
            number,
            text[:200],
            text,
            f"{chosen.random()}",
        )


def take_out(name: str) -> Steps:
    yield "DELETE FROM results WHERE person = ?", name
    found = yield (
        "SELECT id, transcript, body FROM results WHERE transcript LIKE ? OR body LIKE ?",
        f"%{name}%",
        f"%{name}%",
    )
    for name_of_game, text, body in found:
        yield (
            "UPDATE results SET transcript = ?, body = ? WHERE id = ?",
            text.replace(name, ""),
            body.replace(name, ""),
            name_of_game,
        )


def test_pages_that_were_split_keep_no_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_files, "REWRITE_INTERVAL", 0.0)
    names = [f"name-{number}-{'x' * 20}" for number in range(60)]

    async def work() -> None:
        store = SqliteStore(tmp_path)
        await store.transact(lambda: scatter(names))
        for name in names:
            await store.transact(partial(take_out, name), erase=True)
            assert names_in(tmp_path, [name]) == []
        await store.close()

    asyncio.run(work())


def test_a_large_file_is_rewritten_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"name-{number}-{'x' * 20}" for number in range(30)]

    async def work() -> None:
        monkeypatch.setattr(sqlite_files, "SMALL", 0)
        store = SqliteStore(tmp_path)
        await store.transact(lambda: scatter(names))
        for name in names:
            await store.transact(partial(take_out, name), erase=True)
        assert (tmp_path / "foxclover.erase").exists()
        await store.close()
        await SqliteStore(tmp_path).close()
        assert names_in(tmp_path, names) == []
        assert not (tmp_path / "foxclover.erase").exists()

    asyncio.run(work())


def test_a_table_at_another_process_forgets_the_name_too(database: str, tmp_path: Path) -> None:
    with (
        opened(PostgresStore(database), tmp_path) as one,
        opened(PostgresStore(database), tmp_path) as other,
    ):
        code, (mine, theirs) = one.create(ME, FRIEND)
        ask(one, "sit", table=code, seat=mine)
        with other.sit(code, theirs) as bo:
            assert bo.state["seats"][0]["name"] == NAME
            ask(one, "delete")
            while bo.state["seats"][0]["name"] == NAME:
                bo.until("state")
            assert bo.ask("pace", pace=5)["type"] == "ack"
        assert NAME not in json.dumps(everything(other))
