"""Several tabs of one browser: none loses what another one has got."""

from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from browser.test_friends import open_for_a_friend
from browsing import Server, Visitor

Visit = Callable[..., Visitor]


def another_tab(visitor: Visitor) -> Visitor:
    return Visitor(visitor.server, visitor.context, visitor.context.new_page())


def switch_sound(page: Page) -> None:
    page.locator(".top-buttons button").last.click()
    page.locator(".switch", has_text="Sounds").locator("input").click()
    page.keyboard.press("Escape")


def test_a_switch_in_one_tab_keeps_the_seat_that_another_tab_has_just_got(visit: Visit) -> None:
    ada = visit()
    ada.open_game("ganz-schoen-clever", alone=True)
    other = another_tab(ada)
    other.open_game("geht-noch-was", alone=True)
    switch_sound(ada.page)
    other.page.reload()
    other.page.wait_for_selector(".stage")
    expect(other.page.locator(".watching")).to_have_count(0)
    other.page.locator(".top-buttons button").last.click()
    expect(other.page.locator(".switch", has_text="Sounds").locator("input")).not_to_be_checked()
    switch_sound(ada.page)
    expect(
        other.page.locator(".switch", has_text="Sounds").locator("input")
    ).to_be_checked()  # as it comes


def test_tabs_that_join_tables_at_the_same_time_keep_all_seats(
    visit: Visit, server: Server
) -> None:
    ada, bo = visit(), visit()
    links = [
        open_for_a_friend(ada, game)
        for game in ("ganz-schoen-clever", "doppelt-so-clever", "geht-noch-was")
    ]
    tabs = [bo, another_tab(bo), another_tab(bo)]
    for tab, link in zip(tabs, links, strict=True):
        tab.page.goto(link)
        tab.page.wait_for_selector(".invited")
    for tab in tabs:
        tab.page.evaluate("document.querySelector('.invited form').requestSubmit()")
    for tab in tabs:
        tab.page.wait_for_selector(".stage")
    for tab in tabs:
        tab.page.reload()
        tab.page.wait_for_selector(".stage")
        expect(tab.page.locator(".watching")).to_have_count(0)
    bo.page.goto(server.address)
    expect(bo.page.locator(".table-row")).to_have_count(3)


def test_a_seat_whose_confirmation_was_lost_is_there_after_a_reload(visit: Visit) -> None:
    ada, bo = visit(), visit(expected=("ERR_FAILED",))

    def lose_answer(route: Route) -> None:
        route.fetch()
        route.abort()

    bo.page.route("**/api/tables/*/join*", lose_answer)
    bo.page.goto(open_for_a_friend(ada, "ganz-schoen-clever"))
    bo.page.click(".invited button[type=submit]")
    expect(bo.page.locator(".invited .notice")).to_be_visible()
    bo.page.reload()
    bo.page.wait_for_selector(".stage")
    expect(bo.page.locator(".watching")).to_have_count(0)
