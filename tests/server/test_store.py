"""What is on disk: kept, refused when it cannot be, and told in a sentence when it is broken."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from foxclover import daily
from foxclover.locale import LANGUAGES, catalogue
from foxclover.server import sqlite, syncing
from foxclover.server.codes import token_key
from foxclover.server.daily_rows import TABLES, DailyRows
from foxclover.server.errors import RefusalError, StartError
from foxclover.server.postgres import MIGRATIONS as DATABASE_MIGRATIONS
from foxclover.server.postgres import PostgresStore, prepare
from foxclover.server.sqlite import FILE, MIGRATIONS, SqliteStore
from foxclover.server.store import Conflict, Event, SeatRecord, Store, StoreAway, TableRecord
from postgres import Cluster
from tables import ME, House, house

SEATS = [SeatRecord("Ada", key=b"k"), SeatRecord(""), SeatRecord("", "greedy")]
TABLE = TableRecord(
    "bcdfgh", "ganz-schoen-clever", 3, 2**53 - 1, 900, 1, SEATS, "secret", host=b"k"
)
TAKEN_OVER = replace(
    TABLE,
    code="qrstvw",
    origin="transcript",
    script="1.1 y1b2\n1.2 y3",
    events=[Event(-1, "y1b2", 5, 3)],
)


Work = Callable[[Store], Awaitable[None]]
Run = Callable[[Work], None]


def with_store(make: Callable[[], Store], work: Work) -> None:
    async def run() -> None:
        store = make()
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


def in_files(directory: Path, work: Work) -> None:
    with_store(lambda: SqliteStore(directory), work)


@pytest.fixture(params=["sqlite", "postgres"])
def run(request: pytest.FixtureRequest, tmp_path: Path) -> Run:
    """Does something with a store of each kind; what it holds is there the next time."""
    if request.param == "sqlite":
        return lambda work: in_files(tmp_path, work)
    url = request.getfixturevalue("database")
    return lambda work: with_store(lambda: PostgresStore(url), work)


def test_reviews_are_kept_with_their_tables(run: Run) -> None:
    async def fill(store: Store) -> None:
        await store.create(TAKEN_OVER)
        assert await store.review(TAKEN_OVER.code) is None
        for text in ("old", "{}"):
            await store.keep_review(TAKEN_OVER.code, text)

    async def look(store: Store) -> None:
        assert await store.load(TAKEN_OVER.code) == TAKEN_OVER
        assert await store.review(TAKEN_OVER.code) == "{}"
        await store.remove(TAKEN_OVER.code)
        assert await store.review(TAKEN_OVER.code) is None

    run(fill)
    run(look)


def test_each_kind_of_store_keeps_days(run: Run) -> None:
    day, game = "2026-11-16", TABLE.game

    async def work(store: Store) -> None:
        rows, now = DailyRows(store), daily.closes(day) - 1
        assert await rows.key(day, game) == await DailyRows(store).key(day, game)
        for person in ("p1", "p2", "p3"):
            await store.query(
                "INSERT INTO people (id, name, tag, created) VALUES (?, ?, 't', 1)", person, person
            )
            assert await rows.begin(day, game, person, f"code{person}")
            assert not await rows.begin(day, game, person, "another")
        await rows.finish(day, game, "p1", 100, now)
        await rows.finish(day, game, "p1", 300, now)
        await rows.finish(day, game, "p2", 200, now)
        await rows.finish(day, game, "p3", 400, now + 1)
        assert [entry["score"] for entry in await rows.best(day, game, "p1", now)] == [200, 100]
        assert (await rows.standing(day, game, "p2", now))["better_than"] == 1.0
        assert (await rows.standing(day, game, "p1", now + 1))["better_than"] == 0.5
        assert await rows.unread(day, game, 5) == []
        await rows.make_group("p1", "Friends")
        (group,) = await rows.groups("p1")
        await rows.join_group("p3", group["code"])
        assert [
            entry["state"] for entry in await rows.of_group(group["code"], day, game, "p1", now + 1)
        ] == ["finished", "given_up"]
        assert await rows.winner(day, game) == ("codep2", 200, "p2", "t", "p2")
        assert await rows.reviews("p2", day) == []
        await rows.keep_solution(day, game, "zzzzzz", 250)
        await rows.keep_solution(day, game, "yyyyyy", 1)
        assert await rows.solution(day, game) == ("zzzzzz", 250)
        with pytest.raises(RefusalError):
            await rows.of_group(group["code"], day, game, "p2", now)
        for table in TABLES:
            assert await store.query(f"SELECT * FROM {table}")

    run(work)


def test_everything_comes_back_after_a_restart(run: Run) -> None:
    events = [Event(-1, "y1b2", 5, 3), Event(0, "w>y3a", 6, 2**40), Event(0, None, 7)]

    async def fill(store: Store) -> None:
        assert await store.create(TABLE)
        assert not await store.create(TABLE), "its code is in use"
        await store.append(TABLE.code, 0, events[:1])
        await store.append(TABLE.code, 1, events[1:])
        assert await store.change_seat(TABLE.code, 1, TABLE.seats[1], SeatRecord("Bo", key=b"b"))
        for taken in (0, 1, 2, 3):
            assert not await store.change_seat(
                TABLE.code, taken, TABLE.seats[1], SeatRecord("Eve", key=b"e")
            )
        await store.set_pace(TABLE.code, 50)
        assert await store.change_seat(
            TABLE.code, 2, TABLE.seats[2], replace(TABLE.seats[2], level="random")
        )
        successor = replace(TABLE, code="kmnpqr", events=events)
        assert await store.open_rematch(TABLE.code, successor) == "kmnpqr"
        assert await store.open_rematch(TABLE.code, replace(TABLE, code="vwxzbc")) == "kmnpqr", (
            "there is one"
        )
        assert await store.open_rematch("kmnpqr", successor) is None, "its code is in use"
        await store.ping()

    async def look(store: Store) -> None:
        seats = [TABLE.seats[0], SeatRecord("Bo", key=b"b"), SeatRecord("", "random")]
        expected = replace(TABLE, pace=50, rematch="kmnpqr", seats=seats, events=events)
        assert await store.load(TABLE.code) == expected
        assert await store.load(TABLE.code, 2) == replace(expected, events=events[2:])
        assert await store.load("kmnpqr") == replace(TABLE, code="kmnpqr", events=events)
        assert await store.load("zzzzzz") is None
        assert [code async for code in store.codes()] == [TABLE.code, "kmnpqr"]
        assert await store.lengths([TABLE.code, "zzzzzz"]) == {TABLE.code: 3, "zzzzzz": 0}

    run(fill)
    run(look)


def test_events_are_never_written_over(run: Run) -> None:
    async def work(store: Store) -> None:
        await store.create(TABLE)
        await store.append(TABLE.code, 0, [Event(0, "a", 1)])
        with pytest.raises(Conflict):
            await store.append(TABLE.code, 0, [Event(0, "b", 1), Event(0, "c", 1)])
        loaded = await store.load(TABLE.code)
        assert loaded is not None
        assert [event.text for event in loaded.events] == ["a"]

    run(work)


def test_jobs_that_wait_together_succeed_and_fail_alone(run: Run) -> None:
    async def work(store: Store) -> None:
        await store.create(TABLE)
        jobs = [
            store.append(TABLE.code, number // 2, [Event(0, str(number), 1)])
            for number in range(100)
        ]
        results = await asyncio.gather(*jobs, return_exceptions=True)
        assert [isinstance(result, Conflict) for result in results] == [False, True] * 50
        loaded = await store.load(TABLE.code)
        assert loaded is not None
        assert [event.text for event in loaded.events] == [
            str(number) for number in range(0, 100, 2)
        ]

    run(work)


def test_moves_made_at_the_same_time_share_a_commit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    commit = SqliteStore._commit

    def counted(store: SqliteStore, batch: list[Any]) -> None:
        sizes.append(len(batch))
        commit(store, batch)

    async def work(store: Store) -> None:
        await asyncio.gather(
            *(store.create(replace(TABLE, code=f"table{number}")) for number in range(40))
        )
        monkeypatch.setattr(SqliteStore, "_commit", counted)
        await asyncio.gather(
            *(store.append(f"table{number}", 0, [Event(0, "x", 1)]) for number in range(40))
        )

    in_files(tmp_path, work)
    assert sum(sizes) == 40
    assert len(sizes) < 20


def test_many_tables_write_at_once_without_a_fault(run: Run) -> None:
    async def work(store: Store) -> None:
        async def play(code: str) -> None:
            await store.create(replace(TABLE, code=code))
            for seq in range(60):
                await store.append(code, seq, [Event(0, "x", 1)])

        await asyncio.gather(*(play(f"table{number}") for number in range(40)))

    run(work)


def test_only_unfinished_tables_that_nobody_touched_are_old(run: Run) -> None:
    async def work(store: Store) -> None:
        for code, at, finished in (("old", 10, False), ("over", 10, True), ("young", 100, False)):
            await store.create(replace(TABLE, code=code, created=1))
            await store.append(code, 0, [Event(0, "x", at)], finished)
        await store.create(replace(TABLE, code="empty", created=20))
        assert sorted(await store.untouched(50)) == ["empty", "old"]
        await store.remove("old")
        assert await store.load("old") is None
        assert await store.untouched(50) == ["empty"]

    run(work)


def test_two_processes_race_for_a_place_and_one_wins(database: str) -> None:
    async def race() -> None:
        left, right = PostgresStore(database), PostgresStore(database)
        await left.create(TABLE)
        for seq in range(50):
            jobs = [
                store.append(TABLE.code, seq, [Event(0, str(number), 1)])
                for number, store in enumerate((left, right))
            ]
            results = await asyncio.gather(*jobs, return_exceptions=True)
            assert sorted(isinstance(result, Conflict) for result in results) == [False, True]
        assert await left.hold(TABLE.code)
        assert not await right.hold(TABLE.code)
        await left.release(TABLE.code)
        assert await right.hold(TABLE.code)
        await left.close()
        await right.close()

    asyncio.run(race())


def test_what_one_process_announces_another_hears(database: str) -> None:
    async def talk() -> list[str]:
        left, right = PostgresStore(database), PostgresStore(database)
        heard: list[str] = []
        await right.listen(heard.append, lambda: None, lambda: None)
        await left.ping()
        for number in range(500):
            left.announce(f"something about table {number}")
        async with asyncio.timeout(20):
            while len(heard) < 500:
                await asyncio.sleep(0.01)
        await left.close()
        await right.close()
        return heard

    assert asyncio.run(talk()) == [f"something about table {number}" for number in range(500)]


def test_a_file_of_the_first_format_is_brought_to_the_newest(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript(MIGRATIONS[0] + "PRAGMA user_version = 1;")
    connection.execute(
        "INSERT INTO tables VALUES ('bcdfgh', 'ganz-schoen-clever', 0, NULL, 900, ?, NULL)",
        (int(time.time()),),
    )
    connection.execute("INSERT INTO seats VALUES ('bcdfgh', 0, 'Ada', '', x'61')")
    connection.execute("INSERT INTO events VALUES ('bcdfgh', 0, -1, 'y1b2g3o4p5w6', 5)")
    connection.commit()
    connection.close()

    async def look(store: Store) -> None:
        found = await store.load("bcdfgh")
        assert found is not None
        assert found.events == [Event(-1, "y1b2g3o4p5w6", 5, None)]
        assert len(found.invitation) == 32

    in_files(tmp_path, look)
    in_files(tmp_path, look)
    with house(tmp_path) as server:
        assert server.client.get("/api/tables/bcdfgh").json()["seq"] == 1


def test_games_of_a_history_know_their_tables_after_the_migration(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript("".join(MIGRATIONS[:8]) + "PRAGMA user_version = 8;")
    connection.executemany(
        "INSERT INTO results VALUES ('p', ?, 1, '{}', 'text')", [("bcdfgh",), ("import-1",)]
    )
    connection.commit()
    connection.close()

    async def look(store: Store) -> None:
        assert await store.query("SELECT id, code, review FROM results ORDER BY id") == [
            ("bcdfgh", "bcdfgh", ""),
            ("import-1", "", ""),
        ]

    in_files(tmp_path, look)


def test_a_database_of_the_first_format_is_brought_to_the_newest(cluster: Cluster) -> None:
    async def age_and_look() -> None:
        database = cluster.database()
        connection = await asyncpg.connect(database)
        await connection.execute(
            DATABASE_MIGRATIONS[0]
            + "CREATE TABLE format (version INTEGER NOT NULL); INSERT INTO format VALUES (1);"
        )
        table = "('bcdfgh', 'ganz-schoen-clever', 0, NULL, 900, 1, 'secret', NULL, false)"
        await connection.execute(
            f"INSERT INTO tables VALUES {table}; INSERT INTO seats VALUES ('bcdfgh', 0, 'Ada', '', 'k')"
        )
        await connection.close()
        await prepare(database)
        store = PostgresStore(database)
        found = await store.load("bcdfgh")
        assert found is not None
        assert (found.seal, found.dice, found.seats[0].name) == (None, "", "Ada")
        await store.close()

    asyncio.run(age_and_look())


def test_a_database_of_a_newer_format_is_left_alone(database: str) -> None:
    async def age() -> None:
        connection = await asyncpg.connect(database)
        await connection.execute("UPDATE format SET version = 99")
        await connection.close()
        with pytest.raises(StartError) as raised:
            await prepare(database)
        assert raised.value.key == "server.problem.newer"

    asyncio.run(age())


def test_a_database_that_is_not_there_is_told_in_a_sentence() -> None:
    with pytest.raises(StartError) as raised:
        asyncio.run(prepare("postgresql://fox@127.0.0.1:1/nothing"))
    assert raised.value.key == "server.problem.database"


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


async def one_move(store: Store, seq: int) -> None:
    await store.append(TABLE.code, seq, [Event(0, "x", 1)])


def test_a_move_waits_for_a_slow_disk_only_while_it_is_far_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    awake = threading.Event()

    async def work(store: Store) -> None:
        await store.create(TABLE)
        monkeypatch.setattr(syncing, "_sync_data", lambda _: awake.wait(60))
        monkeypatch.setattr(syncing, "FARTHEST_BEHIND", 600.0)
        for seq in range(3):
            await one_move(store, seq)  # each is in the file, though the disk sleeps
        monkeypatch.setattr(syncing, "FARTHEST_BEHIND", 0.0)
        last = asyncio.create_task(one_move(store, 3))
        done, _ = await asyncio.wait([last], timeout=10 * syncing.PATIENCE)
        assert not done
        awake.set()
        await last

    in_files(tmp_path, work)


def test_a_move_that_cannot_be_synced_is_not_acknowledged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: int) -> None:
        raise OSError("input/output error")

    async def work(store: Store) -> None:
        await store.create(TABLE)
        with monkeypatch.context() as patched:
            patched.setattr(syncing, "_sync_data", broken)
            patched.setattr(syncing, "PATIENCE", 60.0)
            with pytest.raises(StoreAway):
                await one_move(store, 0)
        await one_move(store, 1)

    in_files(tmp_path, work)


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
    monkeypatch.setattr(sqlite, "CHECKED_AT_START", 0)

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
    monkeypatch.setattr(sqlite, "CHECKED_AT_START", 0)

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
    server: House, monkeypatch: pytest.MonkeyPatch
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
