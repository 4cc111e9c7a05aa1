"""Connections that die without a word.

The page notices, says so, comes back, and makes what was under way once.
"""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from playwright.sync_api import expect

from browsing import DESKTOP, PHONE, Server, Visitor

Visit = Callable[..., Visitor]
WORDS = "Connection lost. Trying again …"
ENTRIES = ".log-side .log li"


class Link:
    """One connection through the network, as two pipes."""

    def __init__(self, page: socket.socket, server: socket.socket) -> None:
        self.ends = page, server
        self.up = self.down = True  # whether bytes get through
        threading.Thread(
            target=self.pump, args=(page, server, lambda: self.up), daemon=True
        ).start()
        threading.Thread(
            target=self.pump, args=(server, page, lambda: self.down), daemon=True
        ).start()

    def pump(self, source: socket.socket, sink: socket.socket, passes: Callable[[], bool]) -> None:
        with suppress(OSError):
            while content := source.recv(65_536):
                if passes():
                    sink.sendall(content)
            if passes():
                sink.shutdown(socket.SHUT_WR)

    def end(self) -> None:
        for one in self.ends:
            one.close()


class Network:
    """Stands between pages and a server, and can lose what they send without closing anything."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.links: list[Link] = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self.dead = False  # nothing comes of new connections, either
        self.shut = False  # new connections are closed at once
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with suppress(OSError):
            while True:
                page, _ = self.listener.accept()
                if self.shut:
                    page.close()
                    continue
                link = Link(page, socket.create_connection(("127.0.0.1", self.server.port)))
                if self.dead:
                    link.up = link.down = False
                self.links.append(link)

    def lose(self, *, up: bool = True, down: bool = True) -> None:
        """Drop everything sent from now on over the open connections, in one direction or both."""
        for link in self.links:
            link.up, link.down = link.up and not up, link.down and not down

    def end(self) -> None:
        self.listener.close()
        for link in self.links:
            link.end()


@pytest.fixture
def network(server: Server) -> Iterator[Network]:
    between = Network(server)
    yield between
    between.end()


def come(visit: Visit, network: Network, **options: object) -> Visitor:
    return visit(
        Server(network.server.data, network.port), expected=("WebSocket connection",), **options
    )


def play_alone(visitor: Visitor) -> None:
    """Begin a game, and wait until the page has nothing more to ask for."""
    with visitor.page.expect_request_finished(lambda request: "/api/me/sit" in request.url):
        visitor.open_game("ganz-schoen-clever", alone=True)


def lost_and_found(visitor: Visitor, network: Network, words: str) -> None:
    """Wait until the page says that it has lost the server, then let it come back.

    The network was shut when it was lost, so that the page cannot be back before anybody looks.
    """
    assert network.shut
    expect(visitor.page.locator(".offline")).to_have_text(words)
    network.shut = False
    expect(visitor.page.locator(".offline")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_connection_that_died_without_a_word_is_told_and_comes_back(
    visit: Visit, network: Network, size: dict[str, int]
) -> None:
    ada = come(visit, network, viewport=size, locale="de-DE")
    play_alone(ada)
    network.shut = True
    network.lose()
    lost_and_found(ada, network, "Verbindung verloren. Neuer Versuch …")
    ada.page.click(".button.roll")
    expect(ada.page.locator(".die.lit").first).to_be_visible()


@pytest.mark.parametrize("lost", [{}, {"up": False}], ids=["nothing arrives", "no answer arrives"])
def test_a_move_made_over_a_dead_connection_is_made_once(
    visit: Visit, network: Network, lost: dict[str, bool]
) -> None:
    ada = come(visit, network)
    play_alone(ada)
    network.shut = True
    network.lose(**lost)
    ada.page.click(".button.roll")
    lost_and_found(ada, network, WORDS)
    expect(ada.page.locator(ENTRIES)).to_have_count(1)
    ada.wait_until_idle()
    network.shut = True
    network.lose(**lost)
    ada.touch_until(lambda: len(ada.unanswered) > 0)
    lost_and_found(ada, network, WORDS)
    expect(ada.page.locator(ENTRIES)).to_have_count(2)
    ada.wait_until_idle()
    assert ada.page.locator(".prompt .notice").count() == 0
    cleo = visit()
    cleo.page.goto(f"{network.server.address}/t/{ada.code}")
    expect(cleo.page.locator(ENTRIES)).to_have_count(2)


def test_the_page_waits_for_the_network_and_is_back_as_soon_as_that_is(
    visit: Visit, network: Network
) -> None:
    """Its clock stands still: neither a time-out nor another attempt helps."""
    ada = come(visit, network)
    ada.page.clock.install()
    play_alone(ada)
    ada.page.clock.pause_at(4_000_000_000_000)
    ada.context.set_offline(True)
    expect(ada.page.locator(".offline")).to_be_visible()
    ada.context.set_offline(False)
    expect(ada.page.locator(".offline")).to_have_count(0)


def test_an_attempt_that_hangs_is_given_up_when_the_network_is_back(
    visit: Visit, network: Network
) -> None:
    ada = come(visit, network)
    play_alone(ada)
    network.dead = True
    links = len(network.links)
    network.lose()
    ada.page.evaluate("dispatchEvent(new Event('offline'))")
    expect(ada.page.locator(".offline")).to_be_visible()
    ada.wait_for(lambda: len(network.links) > links, True)
    network.dead = False
    ada.page.evaluate("dispatchEvent(new Event('online'))")
    expect(ada.page.locator(".offline")).to_have_count(0)


def test_the_page_is_back_a_second_after_a_network_that_swallowed_everything(
    visit: Visit, network: Network
) -> None:
    """Nothing says that the network is back: no event, and the last attempt to connect hangs."""
    ada = come(visit, network)
    ada.page.clock.install()
    play_alone(ada)
    ada.page.clock.pause_at(4_000_000_000_000)
    network.dead = True
    network.lose()
    ada.page.clock.run_for(10_000)
    expect(ada.page.locator(".offline")).to_be_visible()
    ada.page.clock.run_for(5_000)
    expect(ada.page.locator(".offline")).to_be_visible()
    network.dead = False
    for _ in range(10):
        ada.page.clock.run_for(100)
        ada.page.wait_for_timeout(50)  # what the page sends takes its time, whatever its clock says
    expect(ada.page.locator(".offline")).to_have_count(0)


def test_a_device_that_has_slept_notices_that_its_connection_is_dead(
    visit: Visit, network: Network
) -> None:
    ada = come(visit, network)
    ada.page.clock.install()
    play_alone(ada)
    ada.page.clock.pause_at(4_000_000_000_000)
    network.shut = True
    network.lose()
    ada.page.clock.fast_forward(3_600_000)  # no timer runs meanwhile
    ada.page.clock.run_for(2_000)
    expect(ada.page.locator(".offline")).to_have_text(WORDS)
    network.shut = False
    ada.page.clock.resume()
    expect(ada.page.locator(".offline")).to_have_count(0)


def test_the_loss_of_a_connection_and_its_return_are_announced(
    visit: Visit, network: Network
) -> None:
    ada = come(visit, network)
    play_alone(ada)
    announced = ada.page.locator("[role=status]", has_text="Connected again.")
    expect(announced).to_have_count(0)
    network.shut = True
    ada.context.set_offline(True)
    expect(ada.page.get_by_role("alert").filter(has_text=WORDS)).to_be_visible()
    ada.context.set_offline(False)
    network.shut = False
    expect(announced).to_have_count(1)
    expect(ada.page.get_by_role("alert").filter(has_text=WORDS)).to_have_count(0)
