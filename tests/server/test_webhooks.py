"""Webhooks write to a group's chat: whose turn it is, how a game ended, a new day."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from foxclover.locale import catalogue
from foxclover.server.notify import sender
from foxclover.server.notify.webhooks import WebhookRow, request_of
from foxclover.server.outgoing import Outgoing
from foxclover.server.stores import sql
from push_service import ChatService, chat_service
from tables import (
    FRIEND,
    GANZ,
    ME,
    RealServer,
    ServerContext,
    context,
    notifying_context,
    notifying_server,
)

DEVICE = "device-of-ada-01234567"
OTHER = "device-of-eve-01234567"


@pytest.fixture
def chat() -> Iterator[ChatService]:
    with chat_service() as service:
        yield service


@pytest.fixture
def server(
    tmp_path: Path, chat: ChatService, monkeypatch: pytest.MonkeyPatch
) -> Iterator[ServerContext]:
    times = {"PAUSE": 0.05, "DELAY": 0, "STILL_HERE": 1, "FIRST_RETRY": 1, "SCAN_EVERY": 0.1}
    for name, value in times.items():
        monkeypatch.setattr(sender, name, value)
    with notifying_context(tmp_path, chat.host) as running:
        yield running


@pytest.fixture
def pair(server: ServerContext) -> tuple[str, str, str]:
    """A table of Ada and Bo, and their tokens."""
    code, [ada] = server.create({**ME, "name": "Ada"}, FRIEND, options={"seed": 5})
    return code, ada, server.join(code, name="Bo")


def ask(server: ServerContext, path: str, token: str = DEVICE, **values: Any) -> Any:
    return server.client.post(f"/api/me/{path}", json={"token": token} | values)


def add(server: ServerContext, chat: ChatService, code: str, seat: str, **changes: Any) -> Any:
    """Add a webhook and return it."""
    wishes = {"table": code, "seats": [seat], "kind": "slack", "url": chat.address(), "offset": 0}
    answer = ask(server, "webhook", **(wishes | changes))
    assert answer.status_code == 200, answer.text
    return answer.json()["webhooks"][-1]


def text_of(message: dict[str, Any]) -> str:
    return str(message["body"]["text"])


def test_a_chat_reads_whose_turn_it_is_once(
    server: ServerContext, chat: ChatService, pair: tuple[str, str, str]
) -> None:
    code, ada, bo = pair
    found = add(server, chat, code, ada)
    assert (found["host"], found["tables"]) == (chat.host, [code])
    with server.sit(code, ada) as guest:
        chat.stays_at(0, 0.2)  # Ada sees that it is her turn
        guest.leave_turn_to(1)
        assert text_of(chat.wait_for(1)[0]) == "Ganz schön clever: it is the turn of Bo."
        chat.stays_at(1)
    with server.sit(code, bo) as guest:  # Ada is away now, and Bo here
        while guest.state["acting"] != [0]:
            guest.play(1)
        assert "turn of Ada" in text_of(chat.wait_for(2)[1])
        chat.stays_at(2)


def test_players_who_act_at_once_are_named_once_each(
    server: ServerContext, chat: ChatService
) -> None:
    code, [ada] = server.create({**ME, "name": "Ada"}, FRIEND, FRIEND, options={"seed": 5})
    bo, cy = server.join(code, name="Bo"), server.join(code, name="Cy")
    add(server, chat, code, ada)
    with server.sit(code, cy), server.sit(code, ada) as guest:
        while guest.state["acting"] != [1, 2]:
            guest.play()
        assert "turn of Bo." in text_of(chat.wait_for(1)[0])  # Cy is here
    assert "turn of Cy." in text_of(chat.wait_for(2)[1])  # and has left without a choice
    with server.sit(code, bo) as guest:
        guest.play(1)
    chat.stays_at(2, 1.2)


def test_a_chat_reads_how_a_game_ended_and_of_its_rematch(
    server: ServerContext, chat: ChatService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sql, "REMATCH_NOTICE", 0)
    code, [ada] = server.create({**ME, "name": "Ada"}, FRIEND, options={"seed": 5})
    bo = server.join(code, name="Bo")
    add(server, chat, code, ada)
    with server.sit(code, ada, bo) as guest:
        guest.play_out()
        scores = guest.state["scores"]
        [message] = chat.wait_for(1)
        assert text_of(message) == f"Ganz schön clever is over: Ada {scores[0]}, Bo {scores[1]}."
        chat.stays_at(1)
        again = guest.ask_rematch()
    assert text_of(chat.wait_for(2)[1]) == "Ganz schön clever: it is the turn of Bo."
    tables_are(server, [again])
    chat.stays_at(2, 0.3)


def test_a_finished_game_waits_a_week_for_its_rematch(
    server: ServerContext, chat: ChatService, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, [ada] = server.create(ME, FRIEND, options={"seed": 5})
    bo = server.join(code, name="Bo")
    hook = add(server, chat, code, ada)
    events = {"turns": True, "finished": False, "daily": False}
    ask(server, "webhook/events", webhook=hook["id"], events=events)
    with server.sit(code, ada, bo) as guest:
        guest.play_out()
    chat.stays_at(0)
    tables_are(server, [code])
    later = time.time() + 7 * 86_400
    monkeypatch.setattr(time, "time", lambda: later)
    tables_are(server, [])
    assert not chat.received


def tables_are(server: ServerContext, tables: list[str]) -> None:
    """Check that the webhook is called to these tables, or soon will be."""
    deadline = time.monotonic() + 10
    while [hook["tables"] for hook in ask(server, "calls").json()["webhooks"]] != [tables]:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_chat_reads_of_a_new_day_once_and_in_the_morning(
    server: ServerContext,
    chat: ChatService,
    pair: tuple[str, str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code, ada, _ = pair
    midnight = time.time() % 86_400 // 60
    hook = add(server, chat, code, ada, offset=-int(midnight))
    events = {"turns": True, "finished": True, "daily": True}
    ask(server, "webhook/events", webhook=hook["id"], events=events)
    chat.stays_at(0)  # today's challenge was open before
    monkeypatch.setattr(sender, "day_of", lambda _: "2999-01-01")
    chat.stays_at(0)  # it is midnight there
    monkeypatch.setattr(sender, "MORNING", 0)
    assert text_of(chat.wait_for(1)[0]) == "A new daily challenge is open."
    chat.stays_at(1)


def test_a_button_tests_a_webhook(
    server: ServerContext, chat: ChatService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    hook = add(server, chat, code, ada)
    assert ask(server, "webhook/test", webhook=hook["id"]).status_code == 200
    assert text_of(chat.received[0]) == catalogue("en")("server.webhook.test")
    chat.answer = lambda: (302, {"location": "http://10.0.0.1/"})
    refused = ask(server, "webhook/test", webhook=hook["id"]).json()
    assert refused["reason"] == "webhook_refused"
    assert "302" in refused["words"]
    assert len(chat.paths) == 2  # the redirect was not followed
    reasons = [ask(server, "webhook/test", webhook=hook["id"]).json() for _ in range(4)]
    assert reasons[-1]["reason"] == "too_fast"


def test_what_is_refused(
    server: ServerContext, chat: ChatService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    good = {"table": code, "seats": [ada], "kind": "ntfy", "url": chat.address(), "offset": 0}
    for change, reason in (
        ({"url": "http://chat.example/x"}, "bad_address"),
        ({"url": "https://127.0.0.1/x"}, "bad_address"),
        ({"url": "https://[::1]/x"}, "bad_address"),
        ({"url": "https://169.254.169.254/latest"}, "bad_address"),
        ({"url": "https://ada@chat.example/x"}, "bad_address"),
        ({"url": "file:///etc/passwd"}, "bad_address"),
        ({"kind": "fax"}, "bad_message"),
        ({"seats": ["x" * 32]}, "unknown_token"),
        ({"table": "zzzzzz"}, "no_such_table"),
    ):
        answer = ask(server, "webhook", **(good | change))
        assert (answer.status_code >= 400, answer.json()["reason"]) == (True, reason)
    assert ask(server, "calls").json()["webhooks"] == []
    for number in range(5):
        add(server, chat, code, ada, url=chat.address(f"/{number}"))
    assert ask(server, "webhook", **good).json()["reason"] == "too_many_calls"


def test_a_webhook_is_its_persons_alone(
    server: ServerContext, chat: ChatService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    hook = add(server, chat, code, ada)
    events = {"turns": False, "finished": False, "daily": False}
    for path, values in (
        ("test", {}),
        ("remove", {}),
        ("events", {"events": events}),
        ("table", {"table": code, "seats": [ada], "on": False}),
    ):
        answer = ask(server, f"webhook/{path}", OTHER, webhook=hook["id"], **values)
        assert answer.json()["reason"] == "unknown_webhook"
    assert ask(server, "calls", OTHER).json()["webhooks"] == []
    assert ask(server, "calls").json()["webhooks"] == [hook]
    assert not chat.received


def test_off_by_table_and_for_good(
    server: ServerContext, chat: ChatService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    hook = add(server, chat, code, ada)
    wishes = {"webhook": hook["id"], "table": code, "seats": [ada]}
    [off] = ask(server, "webhook/table", **wishes, on=False).json()["webhooks"]
    assert off["tables"] == []
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
    chat.stays_at(0)
    [on] = ask(server, "webhook/table", **wishes, on=True).json()["webhooks"]
    assert on["tables"] == [code]
    assert ask(server, "webhook/remove", webhook=hook["id"]).json()["webhooks"] == []


def test_export_and_deletion(
    server: ServerContext, chat: ChatService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    add(server, chat, code, ada)
    [exported] = ask(server, "export").json()["calls"]["webhooks"]
    assert exported.pop("created") > 0
    assert exported == {
        "kind": "slack",
        "url": chat.address(),
        "language": "en",
        "offset": 0,
        "events": ["turns", "finished"],
        "tables": [code],
    }
    assert ask(server, "delete").status_code == 200
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
    chat.stays_at(0)
    assert ask(server, "calls").json()["webhooks"] == []


def test_a_dead_webhook_is_deleted(
    server: ServerContext, chat: ChatService, pair: tuple[str, str, str]
) -> None:
    code, ada, _ = pair
    add(server, chat, code, ada)
    chat.answer = lambda: (404, {})
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)
    deadline = time.monotonic() + 10
    while ask(server, "calls").json()["webhooks"] and time.monotonic() < deadline:
        time.sleep(0.05)
    assert ask(server, "calls").json()["webhooks"] == []
    assert len(chat.paths) == 1


def test_a_server_without_notices_has_no_webhooks(tmp_path: Path, chat: ChatService) -> None:
    with context(tmp_path) as quiet:
        code, [ada] = quiet.create(ME, FRIEND)
        wishes = {"table": code, "seats": [ada], "kind": "ntfy", "url": chat.address()}
        assert ask(quiet, "webhook", **wishes, offset=0).json()["reason"] == "no_notices"


def test_who_leaves_the_table_takes_the_webhook_along(
    server: ServerContext, chat: ChatService, pair: tuple[str, str, str]
) -> None:
    code, _, bo = pair
    add(server, chat, code, bo)
    with server.sit(code, bo) as guest:
        assert guest.ask("seat", seat=1, change="leave")["type"] == "ack"
    tables_are(server, [])
    assert not chat.received


NAUGHTY = "@everyone <!channel> [x](y) *b*"


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        (
            "discord",
            b'{"content":"@everyone <!channel\\\\> \\\\[x\\\\](y) \\\\*b\\\\*\\nhttps://fox.example/t/a",'
            b'"allowed_mentions":{"parse":[]}}',
        ),
        (
            "slack",
            b'{"text":"@everyone &lt;!channel&gt; [x](y) *b*\\nhttps://fox.example/t/a"}',
        ),
        ("ntfy", NAUGHTY.encode()),
    ],
)
def test_names_mention_and_format_nothing(kind: str, body: bytes) -> None:
    hook = WebhookRow(kind, "https://chat.example/x", "en", 1, 1, 0, 0)
    assert request_of(hook, NAUGHTY, "https://fox.example/t/a").body == body


def test_matrix_gets_a_new_id_for_each_message_and_no_token_in_its_address() -> None:
    url = "https://matrix.example/_matrix/client/v3/rooms/!r:m/send/m.room.message/{id}"
    hook = WebhookRow("matrix", f"{url}?access_token=secret", "en", 1, 1, 0, 0)
    first, second = (request_of(hook, "x", "") for _ in range(2))
    assert first.url != second.url
    assert first.url.startswith(url.removesuffix("{id}"))
    assert "secret" not in first.url
    assert (first.method, first.headers["authorization"]) == ("PUT", "Bearer secret")
    Outgoing().expect_public(hook.url)


def wait_for_turn(server: RealServer, chat: ChatService) -> None:
    """Give the turn to a player who is not here."""
    code, [ada] = server.create({**ME, "name": "Ada"}, FRIEND, options={"seed": 5}, game=GANZ)
    server.join(code, name="Bo")
    add(server, chat, code, ada)
    with server.sit(code, ada) as guest:
        guest.leave_turn_to(1)


def test_a_message_survives_the_end_of_its_server(
    tmp_path: Path, address: str, chat: ChatService
) -> None:
    with notifying_server(tmp_path, chat.host, address, PAUSE=3_600) as first:
        wait_for_turn(first, chat)
        first.kill()  # between the move and its notice
    chat.stays_at(0, 0.1)
    with notifying_server(tmp_path, chat.host, address):
        chat.wait_for(1)
        chat.stays_at(1)


async def execute(database: str, statement: str) -> None:
    connection = await asyncpg.connect(database)
    try:
        await connection.execute(statement)
    finally:
        await connection.close()


def test_two_servers_write_one_message(tmp_path: Path, database: str, chat: ChatService) -> None:
    with (
        notifying_server(tmp_path / "a", chat.host, database, MORNING=0) as first,
        notifying_server(tmp_path / "b", chat.host, database, MORNING=0),
    ):
        wait_for_turn(first, chat)
        assert "turn of Bo" in text_of(chat.wait_for(1, 60)[0])
        chat.stays_at(1, 1.5)
        asyncio.run(execute(database, "UPDATE webhooks SET daily = 1, day = '2026-01-01'"))
        assert text_of(chat.wait_for(2)[1]) == "A new daily challenge is open."
        chat.stays_at(2, 1.5)
