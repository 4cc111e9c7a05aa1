"""A server for each test that asks for one, and a database of PostgreSQL."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

import postgres
from foxclover.server.stores.postgres import prepare
from tables import ServerContext, context


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerContext]:
    with context(tmp_path) as running:
        yield running


@pytest.fixture(scope="session")
def cluster() -> Iterator[postgres.Cluster]:
    if postgres.programs() is None:
        pytest.fail("install PostgreSQL (on Debian the package postgresql)")
    with postgres.cluster() as running:
        yield running


@pytest.fixture
def database(cluster: postgres.Cluster) -> str:
    url = cluster.database()
    asyncio.run(prepare(url))
    return url


@pytest.fixture(params=["sqlite", "postgres"])
def address(request: pytest.FixtureRequest) -> str:
    """Address of a database of each kind, "" for a file of SQLite."""
    return "" if request.param == "sqlite" else str(request.getfixturevalue("database"))
