"""One address doing its worst, over real sockets: it is cut off, and the others play on."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import h11
import httpx2
import pytest
import uvicorn
from prometheus_client.parser import text_string_to_metric_families
from starlette.websockets import WebSocketDisconnect
from uvicorn.server import ServerState
from websockets.exceptions import WebSocketException
from websockets.server import ServerProtocol

from attacks import ATTACKS, PATIENCE, Target, frame, hello, raw_socket, text, upgrade
from foxclover.server.errors import RefusalError
from foxclover.server.limits.protocol_limits import PIECES, SLICE, ProtocolLimits
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.protocol import validate
from foxclover.server.thinking.computer_players import Thinkers
from tables import CLIMB, GANZ, ME, QUICK, RealServer, context, limited_server

LONG = 30 * PATIENCE  # for three rounds of an attack: the longest take half a minute each


def is_cut_off(plain: socket.socket) -> bool:
    """Whether the server ends the connection before we lose patience."""
    try:
        while plain.recv(65536):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def connections(server: RealServer) -> int:
    return int(server.client.get("/api/health").json()["connections"])


def test_a_socket_that_does_not_read_is_cut_off(tmp_path: Path) -> None:
    with limited_server(
        tmp_path, "outbox=50_000, messages=10**6, work_per_client=10**6, refusals=10**6"
    ) as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada, raw_socket(server.address, room=4096) as deaf:
            for _ in range(20):
                ada.play()
            upgrade(deaf, code)
            deaf.sendall(text(hello()))
            ask = b"".join(
                text({"type": "language", "ref": ref, "language": "de"}) for ref in range(50)
            )
            deadline = time.monotonic() + 5 * PATIENCE
            with suppress(ConnectionError):
                while time.monotonic() < deadline:
                    deaf.sendall(ask)
            assert time.monotonic() < deadline, "it may go on for ever"
            while connections(server) > 1:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            ada.play()


BEGINNING = bytes([0x01, 0x80]) + bytes(4)  # of a message that goes on
PIECE = bytes([0x00, 0x80]) + bytes(4)


@pytest.mark.parametrize(
    "frames",
    [
        frame(9, b"x") * 1_000,
        frame(10) * 1_000,
        frame(10, b"nobody asked") * 1_000,
        BEGINNING + PIECE * 1_000,
        (BEGINNING + frame(0)) * 1_000,
        frame(1, b"{}") * 1_000,
        frame(1, b"[" * 4_000) * 1_000,
        frame(2, b"x") * 1_000,
    ],
    ids=[
        "pings",
        "pongs",
        "unsolicited pongs",
        "pieces",
        "messages in pieces",
        "texts",
        "no JSON",
        "bytes",
    ],
)
def test_a_flood_of_frames_is_cut_off(tmp_path: Path, frames: bytes) -> None:
    with limited_server(tmp_path, "") as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada, raw_socket(server.address) as flood:
            upgrade(flood, code)
            flood.sendall(text(hello()))  # else it would be cut off for saying none
            with suppress(ConnectionError):
                flood.sendall(frames)
            assert is_cut_off(flood)
            ada.play()


def parsed(monkeypatch: pytest.MonkeyPatch, parser: type, method: str) -> Counter[str]:
    """Count what a parser hands out, by kind."""
    counted, plain = Counter[str](), getattr(parser, method)

    def counting(self: Any, *frames: Any) -> Any:
        event = plain(self, *frames)
        counted[type((*frames, event)[0]).__name__] += 1
        return event

    monkeypatch.setattr(parser, method, counting)
    return counted


def guarded(which: int, limits: Limits) -> tuple[Any, Mock]:
    """A limited protocol, with a connection that ends when it is aborted."""
    config = uvicorn.Config(Mock(), ws_per_message_deflate=False)
    config.load()
    protocol = ProtocolLimits(limits).protocols()[which](
        config=config, server_state=ServerState(), app_state={}
    )
    transport = Mock()
    transport.get_extra_info.return_value = None
    transport.is_closing.return_value = False
    transport.abort.side_effect = lambda: transport.is_closing.configure_mock(return_value=True)
    protocol.connection_made(transport)
    return protocol, transport


OPENING = (
    b"GET /ws/bcdfgh HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def test_a_client_that_breaks_the_protocol_before_the_answer_is_aborted() -> None:
    async def receive() -> None:
        protocol, transport = guarded(1, Limits())
        protocol.data_received(OPENING)
        protocol.data_received(b"\x83\x80\0\0\0\0")
        assert transport.abort.called
        for task in protocol.tasks:
            task.cancel()

    asyncio.run(receive())


@pytest.mark.parametrize("small", [frame(10), frame(9), PIECE, frame(1, b"{}"), frame(2)])
def test_frames_are_counted_before_they_are_worked_on(
    monkeypatch: pytest.MonkeyPatch, small: bytes
) -> None:
    """All that the system hands over at once would be parsed else, which takes a second."""

    async def receive() -> None:
        limits = Limits()
        protocol, transport = guarded(1, limits)
        protocol.data_received(OPENING)
        counted = parsed(monkeypatch, ServerProtocol, "recv_frame")
        protocol.data_received((BEGINNING if small == PIECE else b"") + small * 40_000)
        assert transport.abort.called
        assert counted["Frame"] <= limits.messages + limits.refusals + limits.pings + SLICE // 6 + 1
        assert protocol.queue.empty(), "nobody waits for the answers"
        for task in protocol.tasks:
            task.cancel()

    asyncio.run(receive())


@pytest.mark.parametrize("coding", [b"Transfer-Encoding: chunked", b"Content-Length: 40000"])
def test_a_body_in_crumbs_is_cut_off(monkeypatch: pytest.MonkeyPatch, coding: bytes) -> None:
    async def receive() -> None:
        protocol, transport = guarded(0, Limits())
        protocol.data_received(
            b"POST /api/transcripts HTTP/1.1\r\nHost: x\r\n" + coding + b"\r\n\r\n"
        )
        counted = parsed(monkeypatch, h11.Connection, "next_event")
        if b"chunked" in coding:
            protocol.data_received(b"1\r\nx\r\n" * 40_000)
        else:
            for _ in range(PIECES + 1):
                protocol.data_received(b"x")
        assert transport.abort.called
        assert counted["Data"] == PIECES + 1
        for task in protocol.tasks:
            task.cancel()
        protocol._leave()

    asyncio.run(receive())


def test_a_body_in_ordinary_chunks_is_read(tmp_path: Path) -> None:
    with limited_server(tmp_path, "") as server:
        request = json.dumps({"game": GANZ, "seats": [ME], "pace": 0}).encode()
        made = server.client.post(
            "/api/tables", content=(request[at : at + 40] for at in range(0, len(request), 40))
        )
        assert made.status_code == 201, made.text


def test_a_body_that_is_too_long_is_refused_before_it_is_sent(tmp_path: Path) -> None:
    with limited_server(tmp_path, "") as server, raw_socket(server.address) as plain:
        plain.sendall(
            b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9000\r\n\r\n"
        )
        assert b" 413 " in plain.recv(1_000)


def test_the_size_of_a_body_is_paid_for_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[bytes] = []
    monkeypatch.setattr(validate, "decode", lambda body: decoded.append(body) or {})
    with context(tmp_path, replace(QUICK, work_per_client=150, work_interval=3600.0)) as server:
        answers = [
            server.client.post("/api/me/import", content=b"x" * 900_000).json()["reason"]
            for _ in range(3)
        ]
    assert answers == ["bad_message", "too_fast", "too_fast"]
    assert len(decoded) == 1


def test_a_client_with_too_many_requests_is_refused_for_a_while_then_ignored() -> None:
    shared = ProtocolLimits(
        Limits(
            requests_per_client=2,
            request_interval=60.0,
            refusals_per_client=3,
            refusal_interval=60.0,
        )
    )
    assert shared.may_ask("192.0.2.1", [])
    assert [shared.requests.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert [shared.may_ask("192.0.2.1", []) for _ in range(4)] == [True, True, True, False]
    named = [(b"x-forwarded-for", b"192.0.2.1")]
    assert not shared.may_ask("127.0.0.1", named), "a proxy speaks for them"
    assert shared.may_ask("127.0.0.1", [(b"x-forwarded-for", b"192.0.2.2")])
    assert shared.may_ask("127.0.0.1", [])
    assert shared.may_ask("192.0.2.9", named), "others may say what they like"


def test_a_client_that_is_too_fast_on_many_connections_gets_few_answers(tmp_path: Path) -> None:
    limits = replace(
        QUICK,
        messages=2,
        message_interval=60.0,
        refusals=10,
        refusals_per_client=15,
        refusal_interval=60.0,
    )
    with context(tmp_path, limits) as server:
        code, _ = server.create(ME)
        answers = []
        for _ in range(4):
            with server.visit(code) as guest:
                for _ in range(20):
                    guest.send("no JSON")
                heard = []
                with suppress(WebSocketDisconnect):
                    while True:
                        heard.append(guest.receive()["reason"])
                answers.append(Counter(heard))
    assert [answer["too_fast"] for answer in answers] == [12, 7, 2, 2], "refusals, and the farewell"


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: 127",
        b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{",
    ],
)
def test_a_request_that_does_not_arrive_is_cut_off(tmp_path: Path, beginning: bytes) -> None:
    with (
        limited_server(tmp_path, "request_seconds=0.4") as server,
        raw_socket(server.address) as slow,
    ):
        slow.sendall(beginning)
        began = time.monotonic()
        assert is_cut_off(slow)
        assert time.monotonic() - began < PATIENCE / 2


def test_headers_without_end_are_refused(tmp_path: Path) -> None:
    with limited_server(tmp_path, "") as server, raw_socket(server.address) as endless:
        with suppress(ConnectionError):
            endless.sendall(b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 200_000)
        assert is_cut_off(endless)
        assert server.client.get("/api/health").status_code == 200


def test_one_address_has_so_many_connections_and_a_proxy_here_any_number() -> None:
    shared = ProtocolLimits(Limits(http_per_client=3))
    assert [shared.enter("192.0.2.1") for _ in range(4)] == ["192.0.2.1"] * 3 + [None]
    assert shared.enter("192.0.2.2") is not None
    shared.leave("192.0.2.1")
    assert shared.enter("192.0.2.1") is not None
    assert all(shared.enter("127.0.0.1") for _ in range(50))


def test_requests_of_a_client_with_too_many_are_not_parsed() -> None:
    shared = ProtocolLimits(Limits(requests_per_client=2, request_interval=60.0))
    assert [shared.requests.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert shared.enter("192.0.2.1") is None
    assert shared.enter("192.0.2.2") is not None


def test_websockets_count_for_their_client_behind_a_proxy() -> None:
    shared = ProtocolLimits(Limits(requests_per_client=2, request_interval=60.0))
    assert [shared.may_upgrade("192.0.2.1", []) for _ in range(3)] == [True, True, False]
    named = [(b"x-forwarded-for", b"203.0.113.9"), (b"x-forwarded-for", b"198.51.100.7, 192.0.2.2")]
    assert [shared.may_upgrade("127.0.0.1", named) for _ in range(3)] == [True, True, False]
    assert shared.may_upgrade("192.0.2.3", [(b"x-forwarded-for", b"192.0.2.2")]), (
        "others may say what they like"
    )
    assert all(shared.may_upgrade("127.0.0.1", []) for _ in range(50))


def test_hints_never_keep_opponents_waiting_and_end_with_their_asker() -> None:
    async def think() -> float:
        thinkers = Thinkers(hints_per_client=4)
        try:
            # start all workers
            await asyncio.gather(
                *(thinkers.think(f"table {number}", False, time.sleep, 0.01) for number in range(4))
            )
            loop = asyncio.get_running_loop()
            hints = [
                loop.create_task(thinkers.think(f"client {number % 8}", True, time.sleep, 2.0))
                for number in range(32)
            ]
            await asyncio.sleep(0.05)
            with pytest.raises(RefusalError):
                await thinkers.think("client 0", True, time.sleep, 2.0)
            began = time.monotonic()
            for number in range(5):
                await thinkers.think(f"table {number}", False, time.sleep, 0.01)
            took = time.monotonic() - began
            for hint in hints:
                hint.cancel()
            await asyncio.gather(*hints, return_exceptions=True)
            assert thinkers.waiting == 0, "nobody wants them any more"
            return took
        finally:
            thinkers.close()

    assert asyncio.run(think()) < 8.0, "32 hints would take 32 seconds"


@pytest.fixture(scope="module")
def public_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealServer]:
    with limited_server(tmp_path_factory.mktemp("public"), "") as server:
        yield server


@pytest.mark.parametrize("attack", ATTACKS)
def test_others_are_answered_while_an_attack_goes_on(
    public_server: RealServer, attack: Callable[[Target], None]
) -> None:
    rounds: list[float] = []
    over = threading.Event()

    def rage(target: Target) -> None:
        while not over.is_set():
            # the server may close the connection
            with suppress(
                OSError, WebSocketException, httpx2.HTTPError, TimeoutError, AssertionError
            ):
                attack(target)
            rounds.append(time.monotonic())

    client = f"192.0.2.{ATTACKS.index(attack)}"  # each is another client
    public_server.client.headers["x-forwarded-for"] = client
    attacked, tokens = public_server.create(ME, game=CLIMB)
    del public_server.client.headers["x-forwarded-for"]
    with public_server.sit(attacked, *tokens) as bo:
        for _ in range(10):
            bo.play()
    code, mine = public_server.create(ME)
    attacker = threading.Thread(
        target=rage, args=(Target(public_server.address, attacked, tokens[0], client),)
    )
    with public_server.sit(code, *mine) as ada:
        attacker.start()
        try:
            began = time.monotonic()
            for _ in range(20):
                ada.play()
            while len(rounds) < 3:
                assert time.monotonic() - began < LONG, "the attack does not go on"
                assert ada.ask("ping")["type"] == "pong"
                time.sleep(0.1)
            ada.play()
        finally:
            over.set()
            attacker.join()


def test_metrics_are_for_this_machine(tmp_path: Path) -> None:
    with limited_server(tmp_path, "") as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            ada.play()
            assert ada.reason("undo") == "nothing_to_undo"
            report = server.client.get("/metrics").text
        families = list(text_string_to_metric_families(report))
        assert {(family.name, family.type) for family in families} == {
            ("foxclover_process_id", "gauge"),
            ("foxclover_tables", "gauge"),
            ("foxclover_connections", "gauge"),
            ("foxclover_thoughts_waiting", "gauge"),
            ("foxclover_moves", "counter"),
            ("foxclover_refusals", "counter"),
            ("foxclover_message_seconds", "histogram"),
        }
        samples = {
            (sample.name, *sample.labels.values()): sample.value
            for family in families
            for sample in family.samples
        }
        assert samples["foxclover_moves_total",] == 1
        assert samples["foxclover_connections",] == 1
        assert samples["foxclover_refusals_total", "nothing_to_undo"] == 1
        assert samples["foxclover_process_id",] == server.process.pid
        counted = samples["foxclover_message_seconds_bucket", "+Inf"]
        assert counted == samples["foxclover_message_seconds_count",] >= 3
        assert (
            server.client.get("/metrics", headers={"x-forwarded-for": "192.0.2.1"}).status_code
            == 404
        )


def test_clients_that_disconnect_leave_no_traceback(tmp_path: Path) -> None:
    with limited_server(tmp_path, "") as server:
        code, tokens = server.create(ME)
        with raw_socket(server.address) as hasty:
            hasty.sendall(
                b"POST /api/tables HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n{"
            )
        with raw_socket(server.address) as hasty:
            upgrade(hasty, code)
            hasty.sendall(text(hello(*tokens)))
        with server.sit(code, *tokens) as ada:
            ada.play()
        errors = server.stop()
        assert "Traceback" not in errors
        assert all(json.loads(line)["event"] for line in errors.splitlines())
