"""What all tests share: hypothesis without deadlines and, in CI, with the same examples every time.

Which tests run when is in ``tiers``. Event loops of other tests are hidden.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from xdist.remote import Producer

import tiers
from scheduling import GroupScheduling

# Tests in the background of a script ignore interrupts, and some tests are about them.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("here", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") else "here")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not import what ./check quick leaves out."""
    return tiers.leaves_out(config.option.markexpr, collection_path) or None


@pytest.hookimpl(tryfirst=True)  # before -m chooses among them
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that ./check quick and ./check leave out."""
    tiers.mark(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> GroupScheduling:
    """Run tests that share something expensive in one process."""
    return GroupScheduling(config, log)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Hide the browser driver's running event loop from tests that start their own."""
    loop = asyncio._get_running_loop()
    hidden = loop is not None and "browser" not in item.path.parts
    if hidden:
        asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        if hidden:
            asyncio._set_running_loop(loop)
