"""Whatever else a connection may try: refused with a reason, and the game stays as it was."""

from __future__ import annotations

import asyncio
import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from starlette.websockets import WebSocketDisconnect

from foxclover.locale import LANGUAGES, texts
from foxclover.server.connection import Connection
from foxclover.server.context import ServerContext as Premises
from foxclover.server.errors import Reason
from foxclover.server.limits.rate_limits import Buckets, client_of
from foxclover.server.lobby import Lobby
from foxclover.server.logs import Metrics
from foxclover.server.network import PublicUrls
from foxclover.server.protocol.messages import PROTOCOL
from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.store import SeatRecord, TableRecord
from foxclover.server.tables import render
from foxclover.server.tables.seating import NOBODY
from foxclover.server.tables.table import Table
from foxclover.server.thinking.computer_players import ComputerPlayers
from tables import ADDRESS, CLIMB, FRIEND, GANZ, HERE, ME, QUICK, SOCKETS, ServerContext, context


def test_every_reason_has_a_sentence_in_every_language() -> None:
    reasons = {f"server.refused.{reason}" for reason in get_args(Reason)}
    for language in LANGUAGES:
        assert {key for key in texts(language) if key.startswith("server.refused.")} == reasons


def test_the_first_message_must_be_hello(server: ServerContext) -> None:
    code, tokens = server.create(ME)
    with server.visit(code) as guest:
        assert guest.ask("ping")["reason"] == "no_hello"
        assert guest.ask("move", seq=0, seat=0, move=0)["reason"] == "no_hello"
        assert guest.hello(*tokens)["type"] == "state"
        assert guest.ask("ping")["type"] == "pong"


def test_a_connection_without_hello_is_closed(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, silence=0.05)) as server:
        code, _ = server.create(ME)
        with server.visit(code) as guest:
            assert guest.until("bye")["reason"] == "no_hello"


def test_a_page_of_another_version_must_reload(server: ServerContext) -> None:
    code, tokens = server.create(ME)
    with server.visit(code) as guest:
        answer = guest.hello(*tokens, protocol=PROTOCOL + 1, language="de")
        assert (answer["reason"], answer["words"]) == (
            "old_page",
            texts("de")["server.refused.old_page"],
        )
        assert guest.ask("ping")["reason"] == "no_hello"


def test_tokens_of_another_table_open_nothing(server: ServerContext) -> None:
    code, tokens = server.create(ME, FRIEND)
    _, foreign = server.create(ME, FRIEND)
    with server.visit(code) as guest:
        for wrong in (foreign, ["x" * 32], [""]):
            assert guest.hello(*wrong)["reason"] == "unknown_token"
        assert guest.hello()["you"] == []
        assert guest.hello(*tokens, *foreign)["you"] == [0]


def test_tables_that_do_not_exist(server: ServerContext) -> None:
    for code in ("bbbbbb", "x", "aeiouy", "%00"):
        with server.visit(code) as guest:
            guest.send({"type": "ping", "ref": 1})
            assert guest.until("bye")["reason"] == "no_such_table"
            with pytest.raises(WebSocketDisconnect):
                guest.receive()


def test_sockets_opened_by_other_sites_are_refused(server: ServerContext) -> None:
    code, _ = server.create(ME)
    with server.client.websocket_connect(
        f"{SOCKETS}/ws/{code}", headers={"origin": "https://elsewhere.example"}
    ) as session:
        assert session.receive_json()["reason"] == "foreign_origin"
    with server.client.websocket_connect(
        f"{SOCKETS}/ws/{code}", headers={"origin": ADDRESS}
    ) as session:
        session.send_json(
            {"type": "hello", "protocol": PROTOCOL, "tokens": [], "language": "en", "seq": -1}
        )
        assert session.receive_json()["type"] == "state"


def test_messages_that_are_too_long(server: ServerContext) -> None:
    code, tokens = server.create(ME)
    with server.sit(code, *tokens) as ada:
        ada.send(json.dumps({"type": "ping", "ref": 1, "padding": "ä" * (QUICK.message // 2)}))
        assert ada.until("refused")["reason"] == "too_long"
        assert ada.ask("ping")["type"] == "pong"


def test_too_many_messages_in_a_short_time(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, messages=10, message_interval=60.0)) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            answers = [ada.ask("ping")["type"] for _ in range(9)]
            assert answers == ["pong"] * 9
            ada.send({"type": "ping", "ref": 10})
            assert ada.until("refused")["reason"] == "too_fast"


def test_codes_cannot_be_guessed_by_trying(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, requests_per_client=3, request_interval=60.0)) as server:
        for code, reason in (("bbbbbb", "no_such_table"),) * 3 + (("cccccc", "too_fast"),):
            with server.visit(code) as guest:
                guest.send({"type": "ping", "ref": 1})
                assert guest.until("bye")["reason"] == reason


def test_too_many_watchers_do_not_keep_players_out(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, watchers_per_table=2)) as server:
        code, tokens = server.create(ME)
        with server.sit(code), server.sit(code) as second:
            with server.visit(code) as third:
                third.send(
                    {
                        "type": "hello",
                        "protocol": PROTOCOL,
                        "tokens": [],
                        "language": "en",
                        "seq": -1,
                    }
                )
                assert third.until("bye")["reason"] == "too_many"
            with server.sit(code, *tokens) as ada:
                assert ada.state["you"] == [0]
                ada.play()
            assert [entry["seat"] for entry in second.until("state")["log"]] == [-1], (
                "the roll of Ada"
            )


@pytest.mark.parametrize("limit", ["connections", "connections_per_client"])
def test_spectators_make_room_for_others(tmp_path: Path, limit: str) -> None:
    with context(tmp_path, replace(QUICK, **{limit: 3})) as server:
        code, tokens = server.create(ME)
        with (
            server.sit(code, *tokens) as ada,
            server.sit(code) as eve,
            server.visit(code),
            server.sit(code, *tokens) as again,
        ):
            assert eve.until("bye")["reason"] == "too_many", "who came first leaves first"
            assert again.state["you"] == [0]
            ada.play()


def test_a_full_table_has_no_open_seat(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, connections=2)) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens), server.sit(code, *tokens), server.visit(code) as third:
            assert third.until("bye")["reason"] == "too_many"


def test_a_seat_is_held_by_so_many_connections_only_and_the_newest_gets_in(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, connections_per_seat=2)) as server:
        code, tokens = server.create(ME)
        with (
            server.sit(code, *tokens) as one,
            server.sit(code, *tokens) as two,
            server.sit(code, *tokens) as three,
        ):
            three.play()
            left = [guest for guest in (one, two) if "bye" in [guest.until("bye", "state")["type"]]]
            assert len(left) == 1


def test_what_is_dear_is_weighed_by_client(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, work_per_client=100, work_interval=60.0)) as server:
        code, tokens = server.create(ME, game=CLIMB)
        with server.sit(code, *tokens) as ada:
            answers = [ada.act("odds")["type"] for _ in range(9)]
            assert answers[0] == "odds"
            assert answers[-1] == "refused"
            ada.play()
        assert server.client.get(f"/api/tables/{code}/transcript").json()["reason"] == "too_fast"


def test_moves_cannot_be_taken_back_without_end(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, undos=3)) as server:
        code, tokens = server.create(ME, options={"seed": 5})
        with server.sit(code, *tokens) as ada:
            ada.play()
            for _ in range(3):
                ada.play()
                assert ada.act("undo")["type"] == "ack"
                ada.until("state")
            ada.play()
            assert ada.reason("undo") == "too_many_undos"


def test_a_connection_that_floods_the_table_is_closed(tmp_path: Path) -> None:
    with context(
        tmp_path, replace(QUICK, messages=5, message_interval=60.0, refusals=10)
    ) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            for ref in range(20):
                ada.send({"type": "ping", "ref": ref})
            assert ada.until("bye")["reason"] == "too_fast"


def test_addresses_of_one_site_are_one_client() -> None:
    assert (
        client_of("2001:db8:1:2:3::4")
        == client_of("2001:db8:1:2:ffff::1")
        != client_of("2001:db8:1:3::4")
    )
    assert client_of("::ffff:192.0.2.7") == client_of("192.0.2.7") != client_of("192.0.2.8")


def test_two_connections_of_one_seat_race_and_one_wins(server: ServerContext) -> None:
    code, tokens = server.create(ME, options={"seed": 11})
    with server.sit(code, *tokens) as left, server.sit(code, *tokens) as right:
        for _ in range(20):
            while right.state["seq"] < left.state["seq"]:
                right.until("state")
            request = {"seq": left.state["seq"], "seat": 0, "ref": 7}
            request |= (
                {"type": "roll"}
                if left.state["rollers"]
                else {"type": "move", "move": left.moves()[0]["id"]}
            )
            left.send(request)
            right.send(request)
            answers = [left.until("ack", "refused"), right.until("ack", "refused")]
            assert sorted(answer.get("reason", "ack") for answer in answers) == ["ack", "stale"]
            left.until("state")
        assert len([entry for entry in left.log if not entry["text"].startswith("=")]) == 20, (
            "ties are broken by chance alone"
        )


def test_two_seats_race_and_each_move_is_made_once(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE, HERE, options={"seed": 5})
    with (
        server.sit(code, tokens[0]) as active,
        server.sit(code, tokens[1]) as one,
        server.sit(code, tokens[2]) as two,
    ):
        while active.state["acting"] != [1, 2]:
            active.play(0)
        for guest in (one, two):
            while guest.state["seq"] < active.state["seq"]:
                guest.until("state")
        for seat, guest in ((1, one), (2, two)):
            guest.send(
                {
                    "type": "move",
                    "ref": 1,
                    "seq": guest.state["seq"],
                    "seat": seat,
                    "move": guest.moves(seat)[0]["id"],
                }
            )
        assert one.until("ack", "refused")["type"] == "ack"
        assert two.until("ack", "refused")["type"] == "ack"
        with server.sit(code) as eve:
            assert sorted(entry["seat"] for entry in eve.log[-2:]) == [1, 2]


JUNK: list[Any] = [
    None,
    True,
    False,
    -2,
    1.5,
    1e308,
    2**53,
    2**70,
    -(2**63),
    "",
    "0",
    "ä\u0000",
    "x" * 500,
    [[]],
    {},
    {"a": {}},
    [1] * 50,
]
"""Good for no field of any message."""

WRONG = {"bad_message", "unknown_language"}


def malformed(state: dict[str, Any], count: int) -> Iterator[str]:
    """Good messages, each made bad in some way.

    A field too few or of a wrong value, cut off, or no JSON at all.
    """
    chance = random.Random(20)
    offered = state["moves"][0]["moves"][0]
    at = {"ref": 1, "seq": state["seq"], "seat": 0}
    good: list[dict[str, Any]] = [
        {"type": "hello", "protocol": PROTOCOL, "tokens": [], "language": "en", "seq": -1},
        {"type": "move", **at, "move": offered["id"]},
        {"type": "move", **at, "text": offered["text"]},
        *({"type": kind, **at} for kind in ("roll", "undo", "hint", "odds")),
        {"type": "pace", "ref": 1, "pace": 500},
        {"type": "language", "ref": 1, "language": "de"},
        {"type": "rematch", "ref": 1},
        {"type": "invite", "ref": 1},
        {"type": "ping", "ref": 1},
    ]
    for _ in range(count):
        message = dict(chance.choice(good))
        field = chance.choice([name for name in message if name != "text"])
        way = chance.randrange(4)
        if way == 0:
            del message[field]
        elif way == 1:
            message[field] = chance.choice(JUNK)
        text = json.dumps(message)
        if way == 2:
            text = text[: chance.randrange(len(text))]
        elif way == 3:
            text = "".join(
                chance.choice('{}[]":,0123456789truefalsn\\u \x00é\u2028🦊')
                for _ in range(chance.randrange(200))
            )
        yield text


def test_twenty_thousand_malformed_messages_change_nothing(tmp_path: Path) -> None:
    async def bombard() -> Counter[str]:
        store, computers = SqliteStore(tmp_path), ComputerPlayers()
        lobby = Lobby(Premises(store, computers, QUICK, PublicUrls(), Metrics()), Buckets(1, 1.0))
        seats = [SeatRecord("Ada", key=b"a"), SeatRecord("Bo", key=b"b")]
        table = Table(
            TableRecord("bcdfgh", GANZ, 0, 2, 0, 0, seats, "invitation"),
            lobby.context,
            lobby.reviews,
        )
        table.master.roll(0, 0)
        state = render.StateRenderer(table.master, 0, {}, NOBODY).state([0, 1], "en")
        connection, reasons = Connection(QUICK), Counter[str]()
        connection.seats, connection.greeted = (0, 1), True
        table.presence.connections.add(connection)
        for text in malformed(dict(state), 20_000):
            await lobby.receive(connection, table, text)
            (text,) = await connection.next_texts()
            answer = json.loads(text)
            reasons[answer.get("reason", answer["type"])] += 1
        assert render.StateRenderer(table.master, 0, {}, NOBODY).state([0, 1], "en") == state
        assert not connection.outbox
        assert table.master.seq == 1
        await store.close()
        computers.close()
        return reasons

    reasons = asyncio.run(bombard())
    assert reasons.keys() == WRONG
    assert reasons.total() == 20_000


def test_malformed_messages_over_a_socket_leave_it_open(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE, options={"seed": 2})
    with server.sit(code, *tokens) as ada:
        ada.play_to("move")
        before = server.client.get(f"/api/tables/{code}").json()
        for text in malformed(ada.state, 300):
            ada.send(text)
            assert ada.receive()["reason"] in WRONG, text
        ada.wire.session.send_bytes(b"\x00\xff")  # type: ignore[attr-defined]
        assert ada.receive()["reason"] == "bad_message"
        assert server.client.get(f"/api/tables/{code}").json() == before
        ada.play()
