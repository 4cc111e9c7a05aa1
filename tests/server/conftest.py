"""A server for each test that asks for one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tables import House, house


@pytest.fixture
def server(tmp_path: Path) -> Iterator[House]:
    with house(tmp_path) as running:
        yield running
