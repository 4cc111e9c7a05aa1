"""The server's page kept by its service worker, as an app that was installed."""

import signal
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from browsing import GAMES, REFUSED, Visitor, serving

Visit = Callable[..., Visitor]


def test_it_starts_without_its_server_and_goes_on_when_that_is_back(
    visit: Visit, tmp_path: Path
) -> None:
    with serving(tmp_path / "data") as server:
        ada = visit(server, service_workers="allow", expected=REFUSED, locale="de-DE")
        ada.page.goto(server.address)
        assert ada.page.evaluate(
            "fetch(document.querySelector('link[rel=manifest]').href).then((got) => got.json())"
            ".then((it) => it.icons.length)"
        )
        ada.open_game(GAMES[0])
        ada.wait_until(
            "navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')"
        )
        ada.wait_until("navigator.serviceWorker.controller !== null")
        ada.page.click(".button.roll")
        expect(ada.page.locator(".log-side .log li")).to_have_count(1)
        written = ada.log
        server.end(signal.SIGKILL)
        ada.page.reload()
        expect(ada.page.get_by_role("alert")).to_have_text(
            "Fox & Clover: Der Server antwortet nicht. Die Seite versucht es immer wieder."
        )
        server.start()
        ada.wait_for(lambda: ada.log, written)
