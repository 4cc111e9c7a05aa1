"""Only a user at the server's own machine can open it to the network and close it again."""

from __future__ import annotations

import asyncio
from ipaddress import ip_network
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
from starlette.testclient import TestClient
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from foxclover.cli import build
from foxclover.cli.parser import UserError
from foxclover.locale import catalogue
from foxclover.server import network as addresses
from foxclover.server.errors import RefusalError
from foxclover.server.http.app import create_app
from foxclover.server.http.run import listen
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.network import Network, Proxies, PublicUrls
from foxclover.server.stores.sqlite import SqliteStore
from tables import (
    ADDRESS,
    FRIEND,
    GANZ,
    ME,
    QUICK,
    SOCKETS,
    Guest,
    RealWire,
    ServerContext,
    TestWire,
    networked_house,
    real_server,
)

NEIGHBOUR = "127.0.0.2"


def listens(address: str) -> bool:
    try:
        return bool(httpx2.get(f"{address}/api/health", trust_env=False).is_success)
    except httpx2.ConnectError:
        return False


def test_the_network_is_opened_and_closed_during_a_game(tmp_path: Path) -> None:
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
        assert server.process.wait(timeout=120) == 0
        assert not listens(outside)


@pytest.fixture
def alone(tmp_path: Path) -> Network:
    """What would open the network, in an application that does not listen anywhere."""
    return Network(PublicUrls(), lambda _: listen("127.0.0.1", 0))


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
def test_the_network_is_opened_only_from_the_machine_itself(
    tmp_path: Path, alone: Network, who: tuple[str, int], headers: dict[str, str], reason: str
) -> None:
    app = create_app(
        SqliteStore(tmp_path),
        QUICK,
        page=tmp_path / "page",
        public_urls=alone.public_urls,
        network=alone,
    )
    with TestClient(app, base_url=ADDRESS, client=who) as client:
        code, tokens = ServerContext(client).create(ME, FRIEND)
        with client.websocket_connect(f"{SOCKETS}/ws/{code}", headers=headers) as session:
            guest = Guest(TestWire(session))
            guest.hello(*tokens)
            assert guest.ask("invite")["network"] is None
            for wanted in (True, False):
                assert guest.ask("network", open=wanted)["reason"] == reason
    assert alone.server is None


def test_a_spectator_cannot_open_the_network(tmp_path: Path) -> None:
    with networked_house(tmp_path, NEIGHBOUR) as server:
        code, _ = server.create(ME, FRIEND)
        with server.sit(code) as eve:
            assert eve.ask("network", open=True)["reason"] == "not_your_seat"


def test_a_public_server_has_nothing_to_open(tmp_path: Path) -> None:
    with real_server(tmp_path, "--public-url", "https://play.example/") as server:
        code, tokens = server.create(ME, FRIEND)
        with server.sit(code, *tokens) as ada:
            assert ada.ask("invite")["network"] is None
            assert ada.ask("network", open=True)["reason"] == "not_here"


def test_a_machine_without_a_network_is_refused_and_a_moved_machine_is_closed(
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
        monkeypatch.setattr(addresses, "network_addresses", list)
        with pytest.raises(RefusalError, match="no_network"):
            await alone.open()
        monkeypatch.setattr(addresses, "network_addresses", lambda: ["192.168.7.7"])
        await alone.open()
        assert alone.is_open
        assert urlsplit(alone.public_urls.network[0]).hostname == "192.168.7.7"
        monkeypatch.setattr(addresses, "network_addresses", lambda: ["10.0.0.7"])
        assert not alone.is_open
        await alone.open()
        assert urlsplit(alone.public_urls.network[0]).hostname == "10.0.0.7"
        assert len(closed) == 1, "the address of the other network is given up"
        alone.shut()

    asyncio.run(carry_around())
    assert alone.public_urls.network == ()


def test_proxies_are_those_on_this_machine_and_in_named_networks() -> None:
    proxies = Proxies((ip_network("10.88.0.0/16"), ip_network("2001:db8::/64")))
    for address in ("127.0.0.1", "::1", "10.88.0.1", "::ffff:10.88.3.4", "2001:db8::7"):
        assert address in proxies
    for address in ("10.89.0.1", "2001:db8:0:1::7", "::ffff:10.89.0.1", "play.example", ""):
        assert address not in proxies
    assert proxies.client_of("10.88.0.1", "198.51.100.7") == "198.51.100.7"
    assert proxies.client_of("10.88.0.1", "127.0.0.1, 198.51.100.7, 10.88.0.2") == "198.51.100.7", (
        "what a client wrote itself is not read"
    )
    assert proxies.client_of("10.88.0.1", "") == "10.88.0.1"
    assert proxies.client_of("10.89.0.1", "198.51.100.7") == "10.89.0.1", (
        "others may say what they like"
    )


@pytest.mark.parametrize("trusted", [True, False])
def test_a_proxy_on_another_machine_is_believed_if_it_is_named(
    tmp_path: Path, trusted: bool
) -> None:
    own = next((address for address in addresses.network_addresses() if ":" not in address), None)
    if own is None:
        pytest.skip("this machine is in no network, so that all that comes to it is from itself")
    asked = {"game": GANZ, "seats": [ME]}
    with real_server(
        tmp_path, "--host", own, *(["--trusted-proxy", f"{own}/32"] if trusted else [])
    ) as server:
        answers = [
            server.client.post(
                "/api/tables", json=asked, headers={"x-forwarded-for": f"198.51.100.{number}"}
            ).status_code
            for number in range(Limits().tables_per_client + 1)
        ]
    assert (429 in answers) == (not trusted)


def test_an_invalid_network_is_reported_in_a_sentence() -> None:
    with pytest.raises(UserError, match="is neither a network like"):
        build(catalogue("en")).parse_args(["serve", "--trusted-proxy", "10.88.0.1/16"])
