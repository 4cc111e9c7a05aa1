"""Disks and files that are slow, full, broken or gone.

Noticed, received in a sentence, and nothing that was acknowledged is lost.
"""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from foxclover.locale import LANGUAGES, catalogue
from foxclover.server.errors import StartError
from foxclover.server.protocol.identifiers import token_key
from foxclover.server.stores import sqlite_files
from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.sqlite_files import FILE, LOG
from foxclover.server.stores.store import Event, Store, StoreAway
from stores import TABLE, in_files, one_move
from tables import ME, ServerContext, context


def test_a_database_deleted_or_overwritten_is_noticed_at_once(tmp_path: Path) -> None:
    for damage in (lambda file: file.unlink(), lambda file: file.write_bytes(b"x" * 5000)):

        async def work(store: Store, damage: Callable[[Path], object] = damage) -> None:
            await store.create(TABLE)
            damage(tmp_path / FILE)
            for attempt in (store.append(TABLE.code, 0, [Event(0, "x", 1)]), store.ping()):
                with pytest.raises(StoreAway):
                    await attempt

        in_files(tmp_path, work)
        for file in tmp_path.iterdir():
            file.unlink()


def test_a_move_waits_for_a_slow_disk_only_while_it_is_far_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    awake = threading.Event()

    async def work(store: Store) -> None:
        await store.create(TABLE)
        monkeypatch.setattr(sqlite_files, "_sync_data", lambda _: awake.wait(60))
        monkeypatch.setattr(sqlite_files, "FARTHEST_BEHIND", 600.0)
        for seq in range(3):
            await one_move(store, seq)  # each is in the file, though the disk sleeps
        monkeypatch.setattr(sqlite_files, "FARTHEST_BEHIND", 0.0)
        last = asyncio.create_task(one_move(store, 3))
        done, _ = await asyncio.wait([last], timeout=10 * sqlite_files.SYNC_TIMEOUT)
        assert not done
        awake.set()
        await last

    in_files(tmp_path, work)


def broken(_: int) -> None:
    raise OSError("input/output error")


def test_after_a_failed_sync_nothing_is_acknowledged_until_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(store: Store) -> None:
        await store.create(TABLE)
        await one_move(store, 0)
        with monkeypatch.context() as patched:
            patched.setattr(sqlite_files, "_sync_data", broken)
            patched.setattr(sqlite_files, "SYNC_TIMEOUT", 60.0)
            with pytest.raises(StoreAway):
                await one_move(store, 1)
        # the system would report success now
        for attempt in (one_move(store, 2), store.ping(), store.load(TABLE.code)):
            with pytest.raises(StoreAway, match="input/output"):
                await attempt

    async def look(store: Store) -> None:
        await store.ping()
        loaded = await store.load(TABLE.code)
        assert loaded is not None
        assert len(loaded.events) in (1, 2)
        await one_move(store, len(loaded.events))

    in_files(tmp_path, work)
    assert (tmp_path / LOG).stat().st_size, (
        "what may not be on the disk is not copied into the file"
    )
    assert sorted(record.message for record in caplog.records) == ["store_refused", "sync_failed"]
    in_files(tmp_path, look)


def test_a_sync_that_fails_late_is_noticed_by_the_health_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(store: Store) -> None:
        await store.create(TABLE)
        await store.ping()
        monkeypatch.setattr(sqlite_files, "_sync_data", broken)
        with pytest.raises(StoreAway):
            await store.ping()

    in_files(tmp_path, work)


@pytest.mark.parametrize(
    "damage", [Path.unlink, lambda file: file.write_bytes(b"")], ids=["missing", "empty"]
)
def test_a_log_without_its_database_is_no_empty_start(
    tmp_path: Path, damage: Callable[[Path], object]
) -> None:
    killed, later = tmp_path / "killed", tmp_path / "later"

    async def work(store: Store) -> None:
        await store.create(TABLE)
        shutil.copytree(killed, later)  # as it is when the process is killed now

    in_files(killed, work)
    log = (later / LOG).read_bytes()
    damage(later / FILE)
    assert problem(later).key == "server.problem.lost"
    assert (later / LOG).read_bytes() == log, "nothing was touched"


def test_the_thread_of_the_store_cannot_end_unnoticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ends(*_: object) -> None:
        raise SystemError("something nobody thought of")

    async def work(store: Store) -> None:
        monkeypatch.setattr(SqliteStore, "_commit", ends)
        for _ in range(2):
            with pytest.raises(StoreAway):
                await store.ping()

    in_files(tmp_path, work)


def test_tokens_are_stored_only_as_hashes(tmp_path: Path) -> None:
    with context(tmp_path) as server:
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


def tear_pages(directory: Path) -> None:
    """Make a database with pages in it that are none."""

    async def fill(store: Store) -> None:
        await store.create(TABLE)
        await store.append(TABLE.code, 0, [Event(0, f"move {number}", 1) for number in range(2000)])

    in_files(directory, fill)
    content = bytearray((directory / FILE).read_bytes())
    for page in range(len(content) // 4096 - 10, len(content) // 4096):
        content[page * 4096 : page * 4096 + 64] = bytes(range(64))
    (directory / FILE).write_bytes(content)


def test_a_database_with_a_torn_page(tmp_path: Path) -> None:
    tear_pages(tmp_path)
    assert problem(tmp_path).key == "server.problem.damaged"


async def ping_for_ever(store: Store) -> None:
    while True:
        await store.ping()
        await asyncio.sleep(0.01)


def test_a_large_database_is_checked_while_it_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tear_pages(tmp_path)
    monkeypatch.setattr(sqlite_files, "CHECKED_AT_START", 0)

    async def work(store: Store) -> None:
        other = replace(TABLE, code="aaaaaa")
        assert await store.create(other)
        assert await store.load(other.code) == other
        with pytest.raises(StoreAway):
            await ping_for_ever(store)

    in_files(tmp_path, work)
    assert [record.message for record in caplog.records] == ["database_damaged"]


def test_a_large_database_that_is_whole_stays_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_files, "CHECKED_AT_START", 0)

    async def work(store: Store) -> None:
        await store.create(TABLE)
        await store.ping()

    in_files(tmp_path, work)
    in_files(tmp_path, lambda store: store.ping())


def test_a_database_in_use_by_another_server(tmp_path: Path) -> None:
    async def work(_: Store) -> None:
        assert problem(tmp_path).key == "server.problem.in_use"

    in_files(tmp_path, work)


def test_a_move_the_disk_refuses_was_not_made(
    server: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(
        _: SqliteStore, code: str, seq: int, events: Sequence[Event], finished: bool
    ) -> None:
        raise StoreAway("database or disk is full")

    code, tokens = server.create(ME, options={"seed": 4})
    with server.sit(code, *tokens) as ada:
        ada.play()
        before = ada.state
        with monkeypatch.context() as patched:
            patched.setattr(SqliteStore, "append", full)
            assert ada.reason("move", move=ada.moves()[0]["id"]) == "not_saved"
        ada.hello(*tokens)
        assert {key: ada.state[key] for key in ("seq", "view", "log")} == {
            key: before[key] for key in ("seq", "view", "log")
        }
        ada.play()


@pytest.mark.parametrize(
    "damage",
    ["UPDATE events SET text = 'nonsense'", "UPDATE events SET text = NULL", "DELETE FROM seats"],
)
def test_a_table_that_cannot_be_replayed_is_refused_and_the_others_go_on(
    tmp_path: Path, damage: str
) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            ada.play()
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute(damage)
    connection.commit()
    connection.close()
    with context(tmp_path) as server:
        assert server.client.get(f"/api/tables/{code}").json()["reason"] == "damaged_table"
        with server.visit(code) as guest:
            guest.send({"type": "ping", "ref": 1})
            assert guest.until("bye")["reason"] == "damaged_table"
        server.create(ME)
