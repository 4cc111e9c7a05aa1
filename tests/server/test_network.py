"""Whoever sits at the machine of the server lets its network in and shuts it out again, and nobody else does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from foxclover.server import addresses
from foxclover.server.addresses import Reach
from foxclover.server.app import create_app
from foxclover.server.errors import RefusalError
from foxclover.server.network import Network
from foxclover.server.run import listen
from foxclover.server.sqlite import SqliteStore
from tables import (
    ADDRESS,
    FRIEND,
    ME,
    QUICK,
    SOCKETS,
    Guest,
    House,
    RealWire,
    TestWire,
    networked_house,
    real_house,
)

NEIGHBOUR = "127.0.0.2"


def listens(address: str) -> bool:
    try:
        return bool(httpx2.get(f"{address}/api/health", trust_env=False).is_success)
    except httpx2.ConnectError:
        return False


def test_the_network_is_let_in_and_shut_out_while_the_game_goes_on(tmp_path: Path) -> None:
    with networked_house(tmp_path, NEIGHBOUR) as server:
        outside = f"http://{NEIGHBOUR}:{urlsplit(server.address).port}"
        code, tokens = server.create(ME, FRIEND)
        with server.sit(code, *tokens) as ada:
            before = ada.ask("invite")
            assert (before["links"], before["network"]) == ([], "shut")
            assert not listens(outside)

            opened = ada.ask("network", open=True)
            assert [link["link"] for link in opened["links"]] == [outside + opened["path"]]
            assert opened["network"] == "open"
            assert ada.ask("network", open=True)["links"] == opened["links"], (
                "asking twice changes nothing"
            )
            token = server.join(code)
            with connect(f"ws{outside[4:]}/ws/{code}", proxy=None) as socket:
                bo = Guest(RealWire(socket))
                assert bo.hello(token)["you"] == [1]
                assert ada.ask("network", open=False)["network"] == "shut"
                with pytest.raises(ConnectionClosed):
                    bo.drain()
            assert not listens(outside)
            ada.play()

            assert ada.ask("network", open=True)["links"] == opened["links"]
            assert listens(outside)
        server.process.terminate()
        assert server.process.wait(timeout=20) == 0
        assert not listens(outside)


@pytest.fixture
def alone(tmp_path: Path) -> Network:
    """What would open the network, in an application that does not listen anywhere."""
    return Network(Reach(), lambda _: listen("127.0.0.1", 0))


@pytest.mark.parametrize(
    ("who", "headers", "reason"),
    [
        (("192.168.7.8", 5000), {}, "not_here"),
        (("127.0.0.1", 5000), {"x-forwarded-for": "127.0.0.1"}, "not_here"),
        (
            ("127.0.0.1", 5000),
            {"host": "192.168.7.7:8000", "origin": "http://192.168.7.7:8000"},
            "not_here",
        ),
    ],
    ids=["from elsewhere", "through a proxy", "by the address in the network"],
)
def test_nobody_opens_it_who_does_not_sit_at_the_machine(
    tmp_path: Path, alone: Network, who: tuple[str, int], headers: dict[str, str], reason: str
) -> None:
    app = create_app(
        SqliteStore(tmp_path), QUICK, page=tmp_path / "page", reach=alone.reach, network=alone
    )
    with TestClient(app, base_url=ADDRESS, client=who) as client:
        code, tokens = House(client).create(ME, FRIEND)
        with client.websocket_connect(f"{SOCKETS}/ws/{code}", headers=headers) as session:
            guest = Guest(TestWire(session))
            guest.hello(*tokens)
            assert guest.ask("invite")["network"] is None
            for wish in (True, False):
                assert guest.ask("network", open=wish)["reason"] == reason
    assert alone.server is None


def test_nobody_opens_it_who_only_watches(tmp_path: Path) -> None:
    with networked_house(tmp_path, NEIGHBOUR) as server:
        code, _ = server.create(ME, FRIEND)
        with server.sit(code) as eve:
            assert eve.ask("network", open=True)["reason"] == "not_your_seat"


def test_a_public_server_has_nothing_to_open(tmp_path: Path) -> None:
    with real_house(tmp_path, "--public", "https://play.example/") as server:
        code, tokens = server.create(ME, FRIEND)
        with server.sit(code, *tokens) as ada:
            assert ada.ask("invite")["network"] is None
            assert ada.ask("network", open=True)["reason"] == "not_here"


def test_a_machine_in_no_network_says_so_and_one_carried_elsewhere_is_shut(
    alone: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed = []

    async def carry_around() -> None:
        async def serve_at(listener: object) -> asyncio.Server:
            return await asyncio.start_server(lambda *_: None, sock=listener)  # type: ignore[arg-type]

        def stop_serving(server: asyncio.Server) -> None:
            server.close()
            closed.append(server)

        alone.serve_at, alone.stop_serving = serve_at, stop_serving
        monkeypatch.setattr(addresses, "in_network", list)
        with pytest.raises(RefusalError, match="no_network"):
            await alone.open()
        monkeypatch.setattr(addresses, "in_network", lambda: ["192.168.7.7"])
        await alone.open()
        assert alone.is_open
        assert urlsplit(alone.reach.network[0]).hostname == "192.168.7.7"
        monkeypatch.setattr(addresses, "in_network", lambda: ["10.0.0.7"])
        assert not alone.is_open
        await alone.open()
        assert urlsplit(alone.reach.network[0]).hostname == "10.0.0.7"
        assert len(closed) == 1, "the address of the other network is given up"
        alone.shut()

    asyncio.run(carry_around())
    assert alone.reach.network == ()
