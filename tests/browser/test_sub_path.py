"""The page below a path of a host, behind nginx: nothing is asked for outside of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import expect

from browser.conftest import Visit
from browser.test_friends import join, open_for_a_friend, play_a_while, settle
from browsing import PHONE, Visitor
from proxies import free_port, nginx
from tables import RealServer, real_server

PATH = "/games/"
IMPRINT = "https://example.org/imprint"
CLIMB = "geht-noch-was"


@dataclass
class Below:
    """A server behind nginx below a path; visitors may ask for nothing outside of it.

    Tests name it before ``visit``, so that it ends after the windows are closed.
    """

    server: RealServer
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}{PATH.rstrip('/')}"


@pytest.fixture
def below(tmp_path: Path) -> Iterator[Below]:
    folder, port = tmp_path / "proxy", free_port()
    folder.mkdir()
    public = f"http://127.0.0.1:{port}{PATH}"
    with (
        real_server(tmp_path / "data", "--public-url", public, "--imprint", IMPRINT) as server,
        nginx(folder, server, port=port, path=PATH),
    ):
        yield Below(server, port)


def path_of(visitor: Visitor) -> str:
    found: str = visitor.page.evaluate("location.pathname")
    return found


def test_two_play_by_link_and_every_page_opens_and_reloads(below: Below, visit: Visit) -> None:
    ada, bo = visit(below), visit(below, viewport=PHONE)
    link = open_for_a_friend(ada, CLIMB)
    assert link.startswith(f"{below.address}/t/{ada.code}#")
    join(bo, link, "Bo")
    play_a_while([ada, bo], 6)
    seen = settle([ada, bo])
    bo.page.reload()
    bo.wait_for(lambda: bo.log, seen[1])
    transcript = ada.page.evaluate(
        f"fetch('{PATH}api/tables/{ada.code}/transcript').then((got) => got.status)"
    )
    assert transcript == 200

    code = ada.code
    ada.home()
    expect(ada.page.locator(".waiting a", has_text=code)).to_be_visible()
    for selector, path in ((".me-link", "me"), (f"a[href='{PATH}daily']", "daily")):
        ada.page.click(selector)
        assert path_of(ada) == PATH + path
        expect(ada.page.locator("main h1, main h2").first).to_be_visible()
        ada.page.reload()
        expect(ada.page.locator("main h1, main h2").first).to_be_visible()
        ada.page.click(".home-link")
        assert path_of(ada) == PATH
        expect(ada.page.locator(".game-card").first).to_be_visible()
    footer = ada.page.locator("footer.legal a")
    assert footer.first.get_attribute("href") == IMPRINT
    footer.last.click()
    assert path_of(ada) == f"{PATH}privacy"
    ada.page.click("main a >> nth=-1")
    expect(ada.page.locator(".game-card").first).to_be_visible()
    assert path_of(ada) == PATH


def test_it_is_installed_below_its_path_and_starts_without_a_network(
    below: Below, visit: Visit
) -> None:
    ada = visit(below, service_workers="allow", expected=("ERR_INTERNET_DISCONNECTED",))
    ada.home()
    manifest = ada.page.evaluate(
        """async () => {
          const link = document.querySelector("link[rel=manifest]").href;
          const { start_url, scope, icons } = await (await fetch(link)).json();
          const all = [start_url, scope, ...icons.map((icon) => icon.src)];
          return all.map((to) => new URL(to, link).pathname);
        }"""
    )
    assert manifest[:2] == [PATH, PATH]
    assert len(manifest) > 3
    for path in manifest[2:]:
        assert path.startswith(PATH)
        assert ada.page.evaluate(f"fetch('{path}').then((got) => got.ok)")
    ada.wait_until(
        "navigator.serviceWorker.ready.then((found) => found.active?.state === 'activated')"
    )
    ada.wait_until("navigator.serviceWorker.controller !== null")
    scope = ada.page.evaluate("navigator.serviceWorker.ready.then((found) => found.scope)")
    assert scope == f"{below.address}/"
    ada.page.context.set_offline(True)
    ada.page.goto(f"{below.address}/me")
    expect(ada.page.get_by_role("alert")).to_contain_text("Fox & Clover")
