"""One server and one browser for all tests of a worker, a fresh window for each visitor."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from browsing import PATIENCE, Server, Visitor, invite, launch, serving

Visit = Callable[..., Visitor]

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("server") / "data") as running:
        yield running


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as running:
        yield running


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = launch(playwright, whole=False)
    yield launched
    launched.close()


@pytest.fixture
def visit(browser: Browser, server: Server) -> Iterator[Visit]:
    """Opens windows; at the end nothing may have gone wrong in any of them."""
    visitors: list[Visitor] = []

    def come(at: Server = server, **options: Any) -> Visitor:
        visitors.append(invite(browser, at, **options))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.context.close()
    assert [visitor.faults for visitor in visitors] == [[] for _ in visitors]
