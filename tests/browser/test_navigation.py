"""Ways between pages: links, the focus on arrival, and a page that cannot be drawn."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from browsing import Server, Visitor
from foxclover import CHANCE, read_position

Visit = Callable[..., Visitor]
FOCUSED = "document.activeElement.tagName + ' ' + document.activeElement.textContent.trim()"


@pytest.mark.parametrize("click", [{"modifiers": ["Control"]}, {"button": "middle"}])
def test_a_link_opens_in_a_new_tab_for_those_who_want_that(
    visit: Visit, server: Server, click: dict[str, object]
) -> None:
    ada = visit()
    ada.home()
    with ada.context.expect_page() as opened:
        ada.page.click(".me-link", **click)
    opened.value.wait_for_url(f"{server.address}/me")
    assert ada.page.url == f"{server.address}/"
    ada.page.click(".me-link")
    ada.page.wait_for_url("**/me")


def test_the_heading_of_a_new_page_gets_the_focus(visit: Visit, server: Server) -> None:
    ada = visit()
    ada.home()
    assert ada.page.evaluate(FOCUSED).startswith("BODY")
    ada.page.click(".me-link")
    ada.wait_for(lambda: ada.page.evaluate(FOCUSED), "H1 My games")
    ada.page.click(".home-link")
    ada.page.wait_for_selector(".game-card")
    ada.wait_for(lambda: ada.page.evaluate(FOCUSED), "H1 Fox & Clover")
    ada.page.click(".g-geht-noch-was .way-alone")
    ada.wait_for(lambda: ada.page.evaluate(FOCUSED), "H1 Geht noch was?")
    ada.page.go_back()
    ada.wait_for(lambda: ada.page.evaluate(FOCUSED), "H1 Fox & Clover")


def test_a_page_that_cannot_be_drawn_says_so_and_its_error_can_be_copied(
    visit: Visit, server: Server
) -> None:
    ada = visit(expected=("TypeError",), permissions=["clipboard-read", "clipboard-write"])
    ada.page.route(
        "**/api/games?*",
        lambda route: route.fulfill(json={"games": [{"key": "broken"}], "levels": []}),
    )
    ada.page.goto(f"{server.address}/#secret")
    expect(ada.page.get_by_role("heading", name="The page broke")).to_be_visible()
    ada.page.get_by_role("button", name="Copy details").click()
    expect(ada.page.get_by_role("button", name="Copied")).to_be_visible()
    details = ada.page.evaluate("navigator.clipboard.readText()")
    assert "TypeError" in details
    assert "secret" not in details
    ada.page.unroute("**/api/games?*")
    ada.page.get_by_role("button", name="Reload").click()
    ada.page.wait_for_selector(".game-card")
    code = ada.open_game("geht-noch-was")
    broken = server.ask("/api/games/geht-noch-was/layout") | {"paints": None}
    ada.page.route("**/api/games/*/layout*", lambda route: route.fulfill(json=broken))
    asked = re.compile(f"/api/tables/{code}\\?")
    with ada.page.expect_response(
        lambda answer: answer.request.method == "POST" and asked.search(answer.url) is not None
    ):
        ada.page.reload()
    expect(ada.page.get_by_role("heading", name="The page broke")).to_be_visible()
    ada.page.get_by_role("button", name="Copy details").click()
    expect(ada.page.get_by_role("button", name="Copied")).to_be_visible()
    details = ada.page.evaluate("navigator.clipboard.readText()").splitlines()
    (position,) = [line for line in details if line.startswith("geht-noch-was ")]
    assert read_position(position).turn == CHANCE
