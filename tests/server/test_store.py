"""Storage: what is kept, refused if it cannot be, and reported in a sentence if it is broken."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from foxclover.dice import daily
from foxclover.review.schema import FORMAT
from foxclover.server.daily.rows import DailyRows
from foxclover.server.daily.week import week_of
from foxclover.server.errors import RefusalError, StartError
from foxclover.server.stores import sqlite
from foxclover.server.stores.postgres import PostgresStore, prepare
from foxclover.server.stores.sql import (
    COPIED_TABLES,
    POSTGRES_MIGRATIONS,
    REMATCH_NOTICE,
    SQLITE_MIGRATIONS,
    insert,
)
from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.sqlite_files import FILE
from foxclover.server.stores.store import Conflict, Event, SeatRecord, Steps, Store
from postgres import Cluster
from stores import SEATS, TABLE, Work, in_files, one_move, with_store
from tables import context

TAKEN_OVER = replace(
    TABLE,
    code="qrstvw",
    origin="transcript",
    script="1.1 y1b2\n1.2 y3",
    events=[Event(-1, "y1b2", 5, 3)],
)
Run = Callable[[Work], None]


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
        listed = await rows.best(day, game, "p1", now)
        assert [entry["score"] for entry in listed.entries] == [200, 100]
        assert listed.unreviewed == ["codep2", "codep1"]
        assert (await rows.standing(day, game, "p2", now))["better_than"] == 1.0
        assert (await rows.standing(day, game, "p1", now + 1))["better_than"] == 0.5
        assert await rows.unread(day, game, 5) == []
        await rows.make_group("p1", "Friends")
        (group,) = await rows.groups("p1")
        await rows.join_group("p3", group["code"])
        assert [
            entry["state"]
            for entry in (await rows.of_group(group["code"], day, game, "p1", now + 1)).entries
        ] == ["finished", "given_up"]
        await _review_a_day(store, day, game)
        week, unreviewed = await week_of(store, group["code"], game, day, "p1")
        assert [member["scores"][0] for member in week["members"]] == [100, None]
        assert [member["losses"][0] for member in week["members"]] == [0.5, None]
        assert unreviewed == []
        assert await rows.winner(day, game) == ("codep2", 200, "p2", "t", "p2")
        assert await rows.reviews("p2", day) == []
        await store.query(
            "INSERT INTO daily_marks (day, game, mark) VALUES (?, ?, ?)", day, game, b"mark"
        )
        await rows.keep_solution(day, game, "zzzzzz", 250)
        await rows.keep_solution(day, game, "yyyyyy", 1)
        assert await rows.solution(day, game) == ("zzzzzz", 250)
        with pytest.raises(RefusalError):
            await rows.of_group(group["code"], day, game, "p2", now)
        for table in (name for name in COPIED_TABLES if name == "secrets" or "dail" in name):
            assert await store.query(f"SELECT * FROM {table}")

    run(work)


async def _review_a_day(store: Store, day: str, game: str) -> None:
    """Store the review of a day's game, and learn from it."""
    assert await store.create(replace(TABLE, code="codep1"))
    figures = {"luck": 1.0, "loss": 1.0, "adjusted": 9.0, "decisions": [{"loss": 1.0}, {"loss": 0}]}
    await store.keep_review("codep1", json.dumps({"format": FORMAT, "seats": [figures]}))
    await DailyRows(store).learn(day, day, game)


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
            TABLE.code, 2, TABLE.seats[2], replace(TABLE.seats[2], strength="random")
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


def test_a_rematch_keeps_the_people_and_calls_of_its_seats(run: Run) -> None:
    sitting = insert("sittings", "code, key, person")
    call = insert("calls", "code, target, key, seen, notified, notified_at, due")

    async def fill(store: Store) -> None:
        await store.create(TABLE)
        for key in (b"k", b"left"):
            await store.query(sitting, TABLE.code, key, "person")
            await store.query(call, TABLE.code, "target", key, 9, 8, 7, None)
        await store.open_rematch(TABLE.code, replace(TABLE, code="kmnpqr", created=100))

    async def look(store: Store) -> None:
        found = await store.query("SELECT due FROM calls WHERE code = ?", TABLE.code)
        assert found == [(100,)] * 2, "the sender looks at them and forgets them"
        found = await store.query("SELECT * FROM sittings WHERE code = ?", "kmnpqr")
        assert found == [("kmnpqr", b"k", "person")]
        found = await store.query("SELECT * FROM calls WHERE code = ?", "kmnpqr")
        assert found == [("kmnpqr", "target", b"k", 0, -1, 0, 100 + REMATCH_NOTICE)]

    run(fill)
    run(look)


def test_patient_work_delays_no_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        await store.create(TABLE)
        monkeypatch.setattr(sqlite, "COMMIT_INTERVAL", 0)
        monkeypatch.setattr(sqlite, "PATIENCE", 60)
        waiting = asyncio.create_task(store.patient.query("SELECT 1"))
        await asyncio.sleep(0.1)
        assert not waiting.done(), "nothing takes it along"
        await one_move(store, 0)
        assert await waiting == [(1,)], "the commit of a move takes it along"
        monkeypatch.setattr(sqlite, "PATIENCE", 0.01)
        await asyncio.sleep(0.1)
        monkeypatch.setattr(sqlite, "COMMIT_INTERVAL", 2)
        await asyncio.sleep(2)
        await store.patient.query("SELECT 1")
        began = time.monotonic()
        await one_move(store, 1)
        assert time.monotonic() - began < 1.5, "a patient commit does not count as one before"

    in_files(tmp_path, work)


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


def test_reading_waits_for_no_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(store: Store) -> None:
        await store.create(TABLE)
        monkeypatch.setattr(sqlite, "COMMIT_INTERVAL", 60.0)
        answer = store.query("SELECT code FROM tables")
        assert await asyncio.wait_for(answer, 30) == [(TABLE.code,)]

    in_files(tmp_path, work)


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


def test_a_transaction_is_done_whole_or_not_at_all(run: Run) -> None:
    def two(fail: bool) -> Steps:
        yield (
            "INSERT INTO people (id, name, tag, created) VALUES (?, ?, ?, ?)",
            "p",
            "Ada",
            "bcdf",
            1,
        )
        found = yield "SELECT name FROM people WHERE id = ?", "p"
        if fail:
            raise RefusalError("not_found")
        yield "UPDATE people SET tag = ? WHERE id = ?", found[0][0], "p"
        return found

    async def work(store: Store) -> None:
        with pytest.raises(RefusalError):
            await store.transact(lambda: two(fail=True))
        assert await store.query("SELECT * FROM people") == []
        assert await store.transact(lambda: two(fail=False), erase=True) == [("Ada",)]
        assert await store.query("SELECT tag FROM people") == [("Ada",)]

    run(work)


def test_transactions_that_meet_behave_as_if_one_came_after_the_other(run: Run) -> None:
    def count_up() -> Steps:
        ((value,),) = yield "SELECT created FROM people WHERE id = ?", "p"
        yield "UPDATE people SET created = ? WHERE id = ?", value + 1, "p"

    async def work(store: Store) -> None:
        await store.query("INSERT INTO people (id, name, tag, created) VALUES ('p', '', '', 0)")
        await asyncio.gather(*(store.transact(count_up) for _ in range(12)))
        assert await store.query("SELECT created FROM people") == [(12,)]

    run(work)


def test_a_name_that_was_deleted_is_not_written_back_from_memory(run: Run) -> None:
    async def work(store: Store) -> None:
        await store.create(TABLE)
        await store.query("UPDATE seats SET name = '' WHERE code = ? AND seat = 0", TABLE.code)
        assert not await store.change_seat(
            TABLE.code, 0, SEATS[0], replace(SEATS[0], strength="greedy")
        )
        assert (
            await store.open_rematch(
                TABLE.code, replace(TABLE, code="zzzzzz", seats=SEATS[1:] + SEATS[:1])
            )
            == "zzzzzz"
        )
        for code in (TABLE.code, "zzzzzz"):
            found = await store.load(code)
            assert found is not None
            assert "Ada" not in [seat.name for seat in found.seats]

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


def test_a_game_is_marked_as_finished_without_another_event(run: Run) -> None:
    async def work(store: Store) -> None:
        await store.create(TABLE)
        await store.append(TABLE.code, 0, [])
        await one_move(store, 0)
        assert await store.untouched(50) == [TABLE.code]
        await store.append(TABLE.code, 1, [], finished=True)
        loaded = await store.load(TABLE.code)
        assert loaded is not None
        assert (loaded.finished, len(loaded.events)) == (True, 1)
        assert await store.untouched(50) == []

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


def test_a_file_of_the_first_format_is_brought_to_the_newest(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript(SQLITE_MIGRATIONS[0] + "PRAGMA user_version = 1;")
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
    with context(tmp_path) as server:
        assert server.client.get("/api/tables/bcdfgh").json()["seq"] == 1


def test_games_of_a_history_know_their_tables_after_the_migration(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript("".join(SQLITE_MIGRATIONS[:8]) + "PRAGMA user_version = 8;")
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
            POSTGRES_MIGRATIONS[0]
            + "CREATE TABLE format (version INTEGER NOT NULL); INSERT INTO format VALUES (1);"
        )
        table = "('bcdfgh', 'ganz-schoen-clever', 0, NULL, 900, 1, 'secret', NULL, false)"
        await connection.execute(
            f"INSERT INTO tables VALUES {table}; "
            "INSERT INTO seats VALUES ('bcdfgh', 0, 'Ada', '', 'k')"
        )
        await connection.close()
        await prepare(database)
        store = PostgresStore(database)
        found = await store.load("bcdfgh")
        assert found is not None
        assert (found.seal, found.dice, found.seats[0].name) == (None, "", "Ada")
        await store.close()

    asyncio.run(age_and_look())


def test_people_of_a_file_before_devices_had_names_are_kept(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / FILE)
    connection.executescript("".join(SQLITE_MIGRATIONS[:9]) + "PRAGMA user_version = 9;")
    for statement in PEOPLE_BEFORE:
        connection.execute(statement)
    connection.commit()
    connection.close()
    in_files(tmp_path, expect_people)


def test_people_of_a_database_before_devices_had_names_are_kept(cluster: Cluster) -> None:
    async def age_and_look() -> None:
        database = cluster.database()
        connection = await asyncpg.connect(database)
        await connection.execute("".join(POSTGRES_MIGRATIONS[:8]))
        await connection.execute(
            "CREATE TABLE format (version INTEGER NOT NULL); INSERT INTO format VALUES (8);"
        )
        for statement in PEOPLE_BEFORE:
            await connection.execute(statement)
        await connection.close()
        await prepare(database)
        store = PostgresStore(database)
        await expect_people(store)
        await store.close()

    asyncio.run(age_and_look())


PEOPLE_BEFORE = (
    "INSERT INTO people VALUES ('p', 'Ada', 'bcdf', 1)",
    (
        "INSERT INTO results (person, id, at, body, transcript) "
        "VALUES ('p', 'import-1', 5, '{}', 'four')"
    ),
    (
        "INSERT INTO dailies (day, game, person, code, begun) "
        "VALUES ('2026-11-16', 'ganz-schoen-clever', 'p', 'bcdfgh', 5)"
    ),
)


async def expect_people(store: Store) -> None:
    assert await store.query("SELECT name FROM people") == [("Ada",)]
    assert await store.query("SELECT at, size, digest, transcript FROM results") == [
        (5, 4, "", "four")
    ]
    assert await store.query("SELECT address, again FROM dailies") == [(None, 0)]
    assert await store.query("SELECT key, name, seen FROM devices") == []


def test_a_database_of_a_newer_format_is_left_alone(database: str) -> None:
    async def age() -> None:
        connection = await asyncpg.connect(database)
        await connection.execute("UPDATE format SET version = 99")
        await connection.close()
        with pytest.raises(StartError) as raised:
            await prepare(database)
        assert raised.value.key == "server.problem.newer"

    asyncio.run(age())


def test_a_missing_database_is_reported_in_a_sentence() -> None:
    with pytest.raises(StartError) as raised:
        asyncio.run(prepare("postgresql://fox@127.0.0.1:1/nothing"))
    assert raised.value.key == "server.problem.database"
