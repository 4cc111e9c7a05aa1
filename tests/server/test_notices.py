"""People are called to their turn: once, when the page is closed, and only if they want it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from foxclover.server.http.app import create_app
from foxclover.server.notify import sender
from foxclover.server.notify.calls import Device, quiet_end
from foxclover.server.notify.shared_limits import SharedBuckets, drop_full
from foxclover.server.stores import sql
from foxclover.server.stores.postgres import PostgresStore
from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.store import Rows, Store
from push_service import PushService, push_service
from stores import with_store
from tables import (
    ADDRESS,
    FRIEND,
    ME,
    QUICK,
    RealServer,
    ServerContext,
    notifying_context,
    notifying_server,
)

DEVICE = "device-of-bo-012345678"
NO_CALLS: dict[str, list[Any]] = {"devices": [], "tables": [], "webhooks": []}
ALWAYS = {"remind": 0, "quiet_from": 0, "quiet_until": 0, "offset": 0}


@pytest.fixture
def push() -> Iterator[PushService]:
    with push_service() as service:
        yield service


@pytest.fixture
def server(
    tmp_path: Path, push: PushService, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ServerContext]:
    for name, value in {"PAUSE": 0.05, "DELAY": 0, "STILL_HERE": 1, "FIRST_RETRY": 1}.items():
        monkeypatch.setattr(sender, name, value)
    with notifying_context(tmp_path, push.host) as running:
        yield running


def ask(server: ServerContext, path: str, **values: Any) -> Any:
    return server.client.post(f"/api/me/{path}", json={"token": DEVICE} | values)


def call(
    server: ServerContext, push: PushService, code: str, *seats: str, **changes: Any
) -> dict[str, Any]:
    wishes = {"table": code, "seats": list(seats), "settings": ALWAYS} | push.subscription()
    answer = ask(server, "call", **(wishes | changes))
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def pair(server: ServerContext) -> tuple[str, str, str]:
    """A table of Ada and Bo, and their tokens."""
    code, [ada] = server.create({**ME, "name": "Ada"}, FRIEND, options={"seed": 5})
    return code, ada, server.join(code, name="Bo")


def test_a_call_to_a_closed_page(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, bo = pair
    assert call(server, push, code, bo)["tables"] == [code]
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
        [notice] = push.wait_for(1)
    assert notice == {
        "table": code,
        "title": "Ganz schön clever",
        "body": "It is your turn. Ada waits for you.",
    }
    assert push.topics == [code]
    push.stays_at(1)
    with server.sit(code, bo) as guest:  # Bo plays a whole turn and leaves
        while guest.state["acting"] != [0]:
            guest.play(1)
    with server.sit(code, ada) as guest:
        push.stays_at(1, 0.3)
        while guest.moves() or 0 in guest.state["rollers"]:
            guest.play()
    push.wait_for(2)
    push.stays_at(2)


def test_no_call_while_the_page_is_open(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, bo = pair
    call(server, push, code, bo)
    with server.sit(code, bo), server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
        push.stays_at(0)
    push.wait_for(1)  # after Bo has closed it without a move


def test_who_turns_it_on_in_their_own_turn_is_not_told_what_they_see(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    call(server, push, code, ada)
    push.stays_at(0)


def test_a_table_that_is_complete_at_last_calls_its_first_player(
    server: ServerContext, push: PushService
) -> None:
    code, [ada] = server.create(ME, FRIEND)
    call(server, push, code, ada)
    push.stays_at(0, 0.3)
    server.join(code, name="Bo")
    assert push.wait_for(1)[0]["body"] == "It is your turn. Bo waits for you."


def test_a_rematch_calls_its_players_too(
    server: ServerContext,
    push: PushService,
    pair: tuple[str, str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sql, "REMATCH_NOTICE", 0)
    code, ada, bo = pair
    call(server, push, code, bo)
    with server.sit(code, ada, bo) as guest:
        guest.play_out()
        again = guest.ask_rematch()
    assert push.wait_for(1)[0] == {
        "table": again,
        "title": "Ganz schön clever",
        "body": "It is your turn. Ada waits for you.",
    }
    push.stays_at(1)
    assert ask(server, "calls").json()["tables"] == [again]


def test_a_seat_that_was_left_keeps_no_notice_from_others(
    server: ServerContext, push: PushService
) -> None:
    code, [ada] = server.create({**ME, "name": "Ada"}, FRIEND, FRIEND, options={"seed": 5})
    bo, cy = server.join(code, name="Bo"), server.join(code, name="Cy")
    call(server, push, code, bo)
    with server.sit(code, ada) as guest:
        guest.play()
        with server.sit(code, cy) as friend:
            assert friend.act("seat", 2, change="leave")["type"] == "ack"
        while guest.state["acting"] != [1, 2]:
            guest.play()
        assert push.wait_for(1)[0]["body"] == "It is your turn. Ada waits for you."
        push.stays_at(1)


def test_a_device_is_called_to_a_seat_that_its_person_has_claimed(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, bo = pair
    wishes = {"table": code, "seats": [DEVICE], "settings": ALWAYS} | push.subscription()
    assert ask(server, "call", **wishes).json()["reason"] == "unknown_token"
    ask(server, "sit", table=code, seat=bo)
    assert ask(server, "call", **wishes).json()["tables"] == [code]
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
    push.wait_for(1)


def test_off_with_one_tap(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, bo = pair
    call(server, push, code, bo)
    assert ask(server, "call/stop", table=code).json()["tables"] == []
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
    push.stays_at(0)
    assert ask(server, "export").json()["calls"] == NO_CALLS


def test_quiet_hours_and_reminders(
    server: ServerContext,
    push: PushService,
    pair: tuple[str, str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, ada, bo = pair
    minute = int(time.time()) // 60 % 1440
    quiet = {**ALWAYS, "quiet_from": minute, "quiet_until": (minute + 60) % 1440}
    call(server, push, code, bo, settings=quiet)
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
    push.stays_at(0)
    monkeypatch.setattr(sender, "HOUR", 1)
    ask(server, "call/settings", settings={**ALWAYS, "remind": 1})
    push.wait_for(1)
    push.wait_for(2)  # one reminder, no more
    push.stays_at(2, 1.5)


def test_a_reminder_precedes_a_stand_in(
    server: ServerContext, push: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, [ada] = server.create({**ME, "name": "Ada"}, FRIEND, options={"seed": 5}, days=1)
    bo = server.join(code, name="Bo")
    monkeypatch.setattr(sender, "HOUR", 1)
    monkeypatch.setattr(sender, "WARNING", 86_400 - 2)
    call(server, push, code, bo, settings={**ALWAYS, "remind": 100})
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
    push.wait_for(2, 40)  # not after 100 seconds
    push.stays_at(2)


def test_the_end_of_quiet_hours() -> None:
    night = Device("", b"", b"", "en", 0, 22 * 60, 8 * 60, 60, 0, 0)  # an hour before UTC
    hour = 3_600
    assert quiet_end(night, 20 * hour + 59 * 60) == 0
    assert quiet_end(night, 21 * hour + 5) == 31 * hour
    assert quiet_end(night, 31 * hour - 1) == 31 * hour
    assert quiet_end(night, 31 * hour) == 0
    assert quiet_end(night._replace(quiet_from=480), 21 * hour) == 0  # none


def test_a_dead_subscription_is_deleted(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, bo = pair
    call(server, push, code, bo)
    push.answer = lambda: (410, {})
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
    deadline = time.monotonic() + 10
    while ask(server, "calls").json()["tables"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert ask(server, "export").json()["calls"] == NO_CALLS
    assert len(push.paths) == 1


def test_a_failing_push_service_is_tried_again_later(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, bo = pair
    call(server, push, code, bo)
    answers = iter([(503, {}), (302, {"location": f"http://{ADDRESS}/"})])
    push.answer = lambda: next(answers, (201, {}))
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
    push.wait_for(1)
    assert push.paths == ["/push/a"] * 3


def test_a_slow_push_service_delays_no_move(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, bo = pair
    call(server, push, code, bo)
    push.seconds = 3.0
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
        while not push.paths:
            time.sleep(0.02)
        with server.sit(code, bo) as friend:
            started = time.monotonic()
            friend.play(1)
            assert time.monotonic() - started < 1.0
        assert not push.received


def test_moves_and_changes_during_a_slow_request_send_no_second_notice(
    server: ServerContext, push: PushService
) -> None:
    code, [ada] = server.create({**ME, "name": "Ada"}, FRIEND, FRIEND, options={"seed": 5})
    bo, cy = server.join(code, name="Bo"), server.join(code, name="Cy")
    call(server, push, code, bo)
    push.seconds = 1.0
    with server.sit(code, cy) as friend, server.sit(code, ada) as guest:
        while guest.state["acting"] != [1, 2]:
            guest.play()
        while not push.paths:
            time.sleep(0.02)
        while not friend.moves(2):
            friend.until("state")
        friend.play(2)
        ask(server, "call/settings", settings=ALWAYS)
        push.wait_for(1)
        push.stays_at(1, 1.5)


def test_what_is_refused(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    good = {"table": code, "seats": [ada], "settings": ALWAYS} | push.subscription()
    for change, reason in (
        ({"endpoint": "https://127.0.0.1/x"}, "foreign_push_service"),
        ({"endpoint": "https://push.example/x"}, "foreign_push_service"),
        ({"endpoint": "ftp://push.example/x"}, "bad_address"),
        ({"public": "AAAA"}, "bad_message"),
        ({"public": "ü"}, "bad_message"),
        ({"auth": "AAAA"}, "bad_message"),
        ({"seats": ["x" * 32]}, "unknown_token"),
        ({"table": "zzzzzz"}, "no_such_table"),
        ({"settings": {**ALWAYS, "quiet_from": 1440}}, "bad_message"),
    ):
        answer = ask(server, "call", **(good | change))
        assert (answer.status_code >= 400, answer.json()["reason"]) == (True, reason)
    assert ask(server, "calls").json()["tables"] == []


def test_no_more_calls_than_a_table_has_room_for(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    answers = [
        ask(
            server,
            "call",
            **{"token": f"{number:022}", "table": code, "seats": [ada], "settings": ALWAYS},
            **push.subscription(str(number)),
        )
        for number in range(21)
    ]
    assert [answer.status_code for answer in answers[:20]] == [200] * 20
    assert answers[20].json()["reason"] == "too_many_calls"


def test_limits_count_in_all_processes_and_after_a_restart(
    tmp_path: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [1_000]
    monkeypatch.setattr(time, "time_ns", lambda: seconds[0] * 1_000_000_000)

    def store() -> Store:
        return PostgresStore(address) if address else SqliteStore(tmp_path)

    async def take(rows: Rows, kind: str = "calls") -> bool:
        return await SharedBuckets(rows, kind, 3, 10.0).take("192.0.2.1")

    async def at_once(first: Store) -> None:
        second = store() if address else first
        try:
            taken = await asyncio.gather(*map(take, [first, second] * 5))
        finally:
            if second is not first:
                await second.close()
        assert sum(taken) == 3
        assert await take(first, "tests"), "each limit counts by itself"

    async def again(rows: Store) -> None:
        assert not await take(rows)
        seconds[0] += 10
        assert (await take(rows), await take(rows)) == (True, False), "one more every ten seconds"
        await drop_full(rows)
        assert len(await rows.query("SELECT name FROM notice_limits")) == 1, "one is full again"
        seconds[0] += 30
        await drop_full(rows)
        assert await rows.query("SELECT name FROM notice_limits") == []

    with_store(store, at_once)
    with_store(store, again)


def test_a_browser_that_subscribes_again_keeps_its_tables(
    server: ServerContext, push: PushService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    other, [token] = server.create(ME, FRIEND)
    call(server, push, code, ada)
    found = call(server, push, other, token, **push.subscription("new"))
    assert found["tables"] == sorted([code, other])
    [device] = ask(server, "export").json()["calls"]["devices"]
    assert device.pop("endpoint").endswith("/new")
    assert device.pop("created") > 0
    assert device == {"language": "en", **ALWAYS}
    assert ask(server, "delete").status_code == 200
    rows = server.client.post("/api/me/calls", json={"token": DEVICE}).json()
    assert rows["tables"] == []


def test_a_server_without_notices_says_so(tmp_path: Path, push: PushService) -> None:
    app = create_app(SqliteStore(tmp_path), QUICK, page=tmp_path / "page")
    with TestClient(app, base_url=ADDRESS) as client:
        quiet = ServerContext(client)
        code, [ada] = quiet.create(ME, FRIEND)
        assert ask(quiet, "calls").json()["key"] == ""
        wishes = {"table": code, "seats": [ada], "settings": ALWAYS} | push.subscription()
        assert ask(quiet, "call", **wishes).json()["reason"] == "no_notices"


def wait_for_turn(server: RealServer, push: PushService) -> None:
    """Give the turn to a person who is called."""
    code, [ada] = server.create({**ME, "name": "Ada"}, FRIEND, options={"seed": 5})
    bo = server.join(code, name="Bo")
    call(server, push, code, bo)
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)


@pytest.mark.parametrize("seconds", [{"PAUSE": 3_600}, {"DELAY": 4}], ids=["unseen", "queued"])
def test_a_notice_survives_the_end_of_its_server(
    tmp_path: Path, address: str, push: PushService, seconds: dict[str, float]
) -> None:
    with notifying_server(tmp_path, push.host, address, **seconds) as first:
        wait_for_turn(first, push)
        key = ask(first, "calls").json()["key"]
        first.kill()  # between the move and its notice
    push.stays_at(0, 0.1)
    with notifying_server(tmp_path, push.host, address) as second:
        assert ask(second, "calls").json()["key"] == key, "browsers have subscribed with it"
        push.wait_for(1)
        push.stays_at(1)
    with notifying_server(tmp_path, push.host, address):
        push.stays_at(1, 4.0 if address else 1.0)  # several processes first look who is where


def test_a_notice_survives_the_end_of_one_of_two_servers(
    tmp_path: Path, database: str, push: PushService
) -> None:
    with (
        notifying_server(tmp_path / "a", push.host, database, DELAY=4) as first,
        notifying_server(tmp_path / "b", push.host, database),
    ):
        wait_for_turn(first, push)
        first.kill()
        push.wait_for(1)
        push.stays_at(1, 1.0)


def test_two_servers_send_one_notice(tmp_path: Path, database: str, push: PushService) -> None:
    with (
        notifying_server(tmp_path / "a", push.host, database) as first,
        notifying_server(tmp_path / "b", push.host, database),
    ):
        wait_for_turn(first, push)
        push.wait_for(1, 60)
        push.stays_at(1, 3.0)
