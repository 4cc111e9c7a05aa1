"""What is on disk: kept, refused when it cannot be, and told in a sentence when it is broken."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from foxclover.locale import LANGUAGES, catalogue
from foxclover.server.codes import token_key
from foxclover.server.errors import StartError
from foxclover.server.sqlite import FILE, SqliteStore
from foxclover.server.store import Conflict, Event, SeatRecord, StoreAway, TableRecord
from tables import ME, House, house

TABLE = TableRecord(
    "bcdfgh", "ganz-schoen-clever", 3, 2**53 - 1, 900, 1, [SeatRecord("Ada", key=b"k"), SeatRecord(""), SeatRecord("", "greedy")], "secret"
)


def with_store(directory: Path, work: Callable[[SqliteStore], Awaitable[None]]) -> None:
    async def run() -> None:
        store = SqliteStore(directory)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def test_everything_comes_back_after_a_restart(tmp_path: Path) -> None:
    events = [Event(-1, "y1b2", 5, 3), Event(0, "w>y3a", 6, 2**40), Event(0, None, 7)]

    async def fill(store: SqliteStore) -> None:
        assert await store.create(TABLE)
        assert not await store.create(TABLE), "its code is in use"
        await store.append(TABLE.code, 0, events[:1])
        await store.append(TABLE.code, 1, events[1:])
        assert await store.take_seat(TABLE.code, 1, "Bo", b"b")
        for taken in (0, 1, 2, 3):
            assert not await store.take_seat(TABLE.code, taken, "Eve", b"e")
        await store.set_pace(TABLE.code, 50)
        await store.set_level(TABLE.code, 2, "random")
        successor = replace(TABLE, code="kmnpqr")
        assert await store.open_rematch(TABLE.code, successor) == "kmnpqr"
        assert await store.open_rematch(TABLE.code, replace(TABLE, code="vwxzbc")) == "kmnpqr", "there is one"
        assert await store.open_rematch("kmnpqr", successor) is None, "its code is in use"

    async def look(store: SqliteStore) -> None:
        seats = [TABLE.seats[0], SeatRecord("Bo", key=b"b"), SeatRecord("", "random")]
        assert await store.load(TABLE.code) == replace(TABLE, pace=50, rematch="kmnpqr", seats=seats, events=events)
        assert await store.load("zzzzzz") is None

    with_store(tmp_path, fill)
    with_store(tmp_path, look)


def test_events_are_never_written_over(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await store.create(TABLE)
        await store.append(TABLE.code, 0, [Event(0, "a", 1)])
        with pytest.raises(Conflict):
            await store.append(TABLE.code, 0, [Event(0, "b", 1), Event(0, "c", 1)])
        loaded = await store.load(TABLE.code)
        assert loaded is not None
        assert [event.text for event in loaded.events] == ["a"]

    with_store(tmp_path, work)


def test_jobs_that_wait_together_succeed_and_fail_alone(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        await store.create(TABLE)
        jobs = [store.append(TABLE.code, number // 2, [Event(0, str(number), 1)]) for number in range(100)]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert [isinstance(result, Conflict) for result in results] == [False, True] * 50
        loaded = await store.load(TABLE.code)
        assert loaded is not None
        assert [event.text for event in loaded.events] == [str(number) for number in range(0, 100, 2)]

    with_store(tmp_path, work)


def test_many_tables_write_at_once_without_a_fault(tmp_path: Path) -> None:
    async def work(store: SqliteStore) -> None:
        async def play(code: str) -> None:
            await store.create(replace(TABLE, code=code))
            for seq in range(60):
                await store.append(code, seq, [Event(0, "x", 1)])

        await asyncio.gather(*(play(f"table{number}") for number in range(40)))

    with_store(tmp_path, work)


def test_tokens_are_stored_only_as_hashes(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        _, (token,) = server.create(ME)
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert token.encode() not in stored
    assert token_key(token) in stored


def problem(directory: Path) -> StartError:
    with pytest.raises(StartError) as raised:
        SqliteStore(directory)
    for language in LANGUAGES:
        sentence = raised.value.words(catalogue(language))
        assert str(directory) in sentence
        assert "{" not in sentence
    return raised.value


@pytest.mark.skipif(sys.platform != "linux", reason="where nobody may write is different elsewhere")
def test_a_directory_that_cannot_be_written_to() -> None:
    assert problem(Path("/proc/foxclover")).key == "server.problem.unwritable"


def test_a_directory_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    assert problem(tmp_path / "data").key == "server.problem.unwritable"


def test_a_database_that_is_none(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all" * 1000)
    assert problem(tmp_path).key == "server.problem.damaged"
    assert (tmp_path / FILE).read_bytes().startswith(b"no database"), "nothing was touched"


def test_a_database_of_another_format(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / FILE) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert problem(tmp_path).key == "server.problem.damaged"


def test_a_database_with_a_torn_page(tmp_path: Path) -> None:
    async def fill(store: SqliteStore) -> None:
        await store.create(TABLE)
        await store.append(TABLE.code, 0, [Event(0, f"move {number}", 1) for number in range(2000)])

    with_store(tmp_path, fill)
    content = bytearray((tmp_path / FILE).read_bytes())
    for page in range(5, len(content) // 4096):
        content[page * 4096 : page * 4096 + 64] = bytes(range(64))
    (tmp_path / FILE).write_bytes(content)
    assert problem(tmp_path).key == "server.problem.damaged"


def test_a_database_in_use_by_another_server(tmp_path: Path) -> None:
    async def work(_: SqliteStore) -> None:
        assert problem(tmp_path).key == "server.problem.in_use"

    with_store(tmp_path, work)


def test_a_move_the_disk_refuses_was_not_made(server: House, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(_: SqliteStore, code: str, seq: int, events: Sequence[Event], finished: bool) -> None:
        raise StoreAway("database or disk is full")

    code, tokens = server.create(ME, options={"seed": 4})
    with server.sit(code, *tokens) as ada:
        ada.play()
        before = ada.state
        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "append", full)
            assert ada.reason("move", move=ada.moves()[0]["id"]) == "not_saved"
        ada.hello(*tokens)
        assert {key: ada.state[key] for key in ("seq", "view", "log")} == {key: before[key] for key in ("seq", "view", "log")}
        ada.play()


@pytest.mark.parametrize("damage", ["UPDATE events SET text = 'nonsense'", "UPDATE events SET text = NULL", "DELETE FROM seats"])
def test_a_table_that_cannot_be_replayed_is_refused_and_the_others_go_on(tmp_path: Path, damage: str) -> None:
    with house(tmp_path) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            ada.play()
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute(damage)
    connection.commit()
    connection.close()
    with house(tmp_path) as server:
        assert server.client.get(f"/api/tables/{code}").json()["reason"] == "damaged_table"
        with server.visit(code) as guest:
            guest.send({"type": "ping", "ref": 1})
            assert guest.until("bye")["reason"] == "damaged_table"
        server.create(ME)
