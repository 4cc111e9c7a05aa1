"""One address doing its worst, over real sockets: it is cut off, and the others play on."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import WebSocketException

from attacks import ATTACKS, PATIENCE, Target, frame, hello, raw_socket, text, upgrade
from foxclover.server.computer_players import Thinkers
from foxclover.server.errors import RefusalError
from foxclover.server.guard import Guard
from foxclover.server.limits import Limits
from tables import CLIMB, ME, RealHouse, limited_house


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


def connections(server: RealHouse) -> int:
    return int(server.client.get("/api/health").json()["connections"])


def test_a_socket_that_does_not_read_is_cut_off(tmp_path: Path) -> None:
    with limited_house(
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
            deadline = time.monotonic() + PATIENCE
            with suppress(ConnectionError):
                while time.monotonic() < deadline:
                    deaf.sendall(ask)
            assert time.monotonic() < deadline, "it may go on for ever"
            while connections(server) > 1:
                assert time.monotonic() < deadline
                time.sleep(0.05)
            ada.play()


def test_a_flood_of_pings_is_cut_off(tmp_path: Path) -> None:
    with limited_house(tmp_path, "pings=30") as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada, raw_socket(server.address) as flood:
            upgrade(flood, code)
            with suppress(ConnectionError):
                flood.sendall(frame(9, b"x") * 1000)
            assert is_cut_off(flood)
            ada.play()


def test_pieces_of_a_message_without_end_are_cut_off(tmp_path: Path) -> None:
    with limited_house(tmp_path, "pings=30") as server:
        code, _ = server.create(ME)
        with raw_socket(server.address) as flood:
            upgrade(flood, code)
            with suppress(ConnectionError):
                flood.sendall(
                    bytes([0x01, 0x80]) + bytes(4) + (bytes([0x00, 0x80]) + bytes(4)) * 1000
                )
            assert is_cut_off(flood)


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
        limited_house(tmp_path, "request_seconds=0.4") as server,
        raw_socket(server.address) as slow,
    ):
        slow.sendall(beginning)
        began = time.monotonic()
        assert is_cut_off(slow)
        assert time.monotonic() - began < PATIENCE / 2


def test_headers_without_end_are_refused(tmp_path: Path) -> None:
    with limited_house(tmp_path, "") as server, raw_socket(server.address) as endless:
        with suppress(ConnectionError):
            endless.sendall(b"GET / HTTP/1.1\r\n" + b"X: " + b"y" * 200_000)
        assert is_cut_off(endless)
        assert server.client.get("/api/health").status_code == 200


def test_one_address_has_so_many_connections_and_a_proxy_here_any_number() -> None:
    guard = Guard(Limits(http_per_client=3))
    assert [guard.enter("192.0.2.1") for _ in range(4)] == ["192.0.2.1"] * 3 + [None]
    assert guard.enter("192.0.2.2") is not None
    guard.leave("192.0.2.1")
    assert guard.enter("192.0.2.1") is not None
    assert all(guard.enter("127.0.0.1") for _ in range(50))


def test_who_asks_too_much_is_not_even_listened_to() -> None:
    guard = Guard(Limits(requests_per_client=2, request_interval=60.0))
    assert [guard.requests.take("192.0.2.1") for _ in range(3)] == [True, True, False]
    assert guard.enter("192.0.2.1") is None
    assert guard.enter("192.0.2.2") is not None


def test_websockets_are_counted_by_whoever_opens_them_through_a_proxy_too() -> None:
    guard = Guard(Limits(requests_per_client=2, request_interval=60.0))
    assert [guard.may_upgrade("192.0.2.1", []) for _ in range(3)] == [True, True, False]
    named = [(b"x-forwarded-for", b"203.0.113.9"), (b"x-forwarded-for", b"198.51.100.7, 192.0.2.2")]
    assert [guard.may_upgrade("127.0.0.1", named) for _ in range(3)] == [True, True, False]
    assert guard.may_upgrade("192.0.2.3", [(b"x-forwarded-for", b"192.0.2.2")]), (
        "others may say what they like"
    )
    assert all(guard.may_upgrade("127.0.0.1", []) for _ in range(50))


def test_hints_never_keep_opponents_waiting_and_end_with_their_asker() -> None:
    async def think() -> float:
        thinkers = Thinkers(hints_per_client=4)
        try:
            await asyncio.gather(
                *(thinkers.think(f"table {number}", False, time.sleep, 0.01) for number in range(4))
            )  # all are awake
            loop = asyncio.get_running_loop()
            hints = [
                loop.create_task(thinkers.think(f"client {number % 8}", True, time.sleep, 0.5))
                for number in range(32)
            ]
            await asyncio.sleep(0.05)
            with pytest.raises(RefusalError):
                await thinkers.think("client 0", True, time.sleep, 0.5)
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

    assert asyncio.run(think()) < 2.0, "32 hints would take 8 seconds"


@pytest.fixture(scope="module")
def public_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealHouse]:
    with limited_house(tmp_path_factory.mktemp("public"), "") as server:
        yield server


@pytest.mark.parametrize("attack", ATTACKS)
def test_others_are_answered_while_an_attack_goes_on(
    public_house: RealHouse, attack: Callable[[Target], None]
) -> None:
    rounds: list[float] = []
    over = threading.Event()

    def rage(target: Target) -> None:
        while not over.is_set():
            with suppress(
                OSError, WebSocketException, httpx2.HTTPError, TimeoutError, AssertionError
            ):  # it may be cut off
                attack(target)
            rounds.append(time.monotonic())

    attacked, tokens = public_house.create(ME, game=CLIMB)
    with public_house.sit(attacked, *tokens) as bo:
        for _ in range(10):
            bo.play()
    code, mine = public_house.create(ME)
    client = f"192.0.2.{ATTACKS.index(attack)}"  # each is somebody else
    attacker = threading.Thread(
        target=rage, args=(Target(public_house.address, attacked, tokens[0], client),)
    )
    with public_house.sit(code, *mine) as ada:
        attacker.start()
        try:
            began = time.monotonic()
            for _ in range(20):
                ada.play()
            while len(rounds) < 3:
                assert time.monotonic() - began < 3 * PATIENCE, "the attack does not go on"
                assert ada.ask("ping")["type"] == "pong"
                time.sleep(0.1)
            ada.play()
        finally:
            over.set()
            attacker.join()


def test_metrics_are_for_this_machine(tmp_path: Path) -> None:
    with limited_house(tmp_path, "") as server:
        code, tokens = server.create(ME)
        with server.sit(code, *tokens) as ada:
            ada.play()
            assert ada.reason("undo") == "nothing_to_undo"
            report = server.client.get("/metrics").text
        for line in (
            "foxclover_moves_total 1",
            "foxclover_connections 1",
            'foxclover_refusals_total{reason="nothing_to_undo"} 1',
        ):
            assert line in report.splitlines()
        assert 'foxclover_message_seconds_bucket{le="+Inf"}' in report
        assert (
            server.client.get("/metrics", headers={"x-forwarded-for": "192.0.2.1"}).status_code
            == 404
        )


def test_visitors_who_hang_up_leave_no_traceback(tmp_path: Path) -> None:
    with limited_house(tmp_path, "") as server:
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
        server.process.terminate()
        _, errors = server.process.communicate(timeout=PATIENCE)
        assert "Traceback" not in errors
        assert all(json.loads(line)["event"] for line in errors.splitlines())
