"""A clock that is wrong removes no games and reveals no dice too early."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from foxclover.server import confirmed_time
from foxclover.server.confirmed_time import DAY, ConfirmedTime
from foxclover.server.daily import challenge
from foxclover.server.http.legal import KEEP
from foxclover.server.tables import dice, expiry
from foxclover.server.tables.expiry import SHARE, Expiry
from tables import GANZ, ME, ServerContext, context

TODAY = "2026-11-16"
ADA, SEAT = "A" * 22, "a" * 32


class Clocks:
    """The clock on the wall, which can be set, and the one that cannot."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = datetime.fromisoformat(f"{TODAY}T12:00:00+00:00").timestamp()
        self.passed = 1_000.0
        self.monkeypatch = monkeypatch
        monkeypatch.setattr(time, "time", lambda: self.wall)
        for module in (confirmed_time, expiry):
            monkeypatch.setattr(module, "elapsed", lambda: self.passed)
        self.restart()

    def go_on(self, seconds: float) -> None:
        self.wall += seconds
        self.passed += seconds

    def restart(self) -> None:
        """A new process, possibly of a machine that was restarted."""
        self.passed = 10.0
        clock = ConfirmedTime()
        for module in (challenge, dice):
            self.monkeypatch.setattr(module, "CLOCK", clock)


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


def do(server: ServerContext, work: Any, *values: Any) -> Any:
    """Do something in the server's own loop."""
    assert isinstance(server.client, TestClient)
    assert server.client.portal is not None
    return server.client.portal.call(work, *values)


def test_a_clock_set_ahead_removes_no_tables_at_once_and_never_many(
    tmp_path: Path, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    with context(tmp_path) as server:
        for _ in range(2 * SHARE):
            server.create(ME)
    clocks.wall += 400 * DAY
    clocks.restart()
    with context(tmp_path) as server:
        assert isinstance(server.client, TestClient)
        found = Expiry(server.client.app.state.lobby.context, lambda _: False)  # type: ignore[attr-defined]

        def left_after(seconds: float) -> int:
            clocks.go_on(seconds)
            do(server, found.look, KEEP)
            return int(do(server, found.context.store.query, "SELECT count(*) FROM tables")[0][0])

        assert [left_after(seconds) for seconds in (0, DAY - 1, 1, DAY / 2, DAY / 2)] == [
            40,
            40,
            38,
            38,
            37,
        ]
        clocks.wall -= 400 * DAY
        assert left_after(DAY) == 37, "the clock was put right"
        clocks.wall += 400 * DAY
        assert left_after(DAY) == 37, "and is wrong again: a new first look"
    events = [record.message for record in caplog.records]
    assert events.index("old_tables_found") < events.index("table_removed")
    assert events.count("table_removed") == 3


def key_told(server: ServerContext, code: str) -> bool:
    """Whether the key of today's dice is sent anywhere."""
    asked = {"token": ADA, "game": GANZ}
    answer = server.client.post("/api/daily/solution", json={**asked, "day": TODAY})
    closed = server.client.post("/api/daily", json={"token": ADA}).json()["closed"] >= TODAY
    dice = server.client.get(f"/api/tables/{code}/transcript")
    in_transcript = dice.status_code == 200 and any(
        len(line.split()) == 5 for line in dice.text.splitlines() if line.startswith("dice: daily")
    )
    assert (answer.status_code == 200) == closed == in_transcript
    return closed


def test_a_clock_set_ahead_does_not_reveal_the_key_of_today(tmp_path: Path, clocks: Clocks) -> None:
    with context(tmp_path) as server:
        started = server.client.post(
            "/api/daily/start", json={"token": ADA, "game": GANZ, "seat": SEAT}
        ).json()
        code = started["table"]
        assert not key_told(server, code)
        clocks.wall += 2 * DAY
        assert not key_told(server, code), "set ahead while the server runs"
        clocks.go_on(3_600)
    clocks.restart()
    with context(tmp_path) as server:
        assert not key_told(server, code), "and after a restart"
        clocks.go_on(DAY / 2 - 7_200)
        assert not key_told(server, code)
        clocks.go_on(7_200 + 3_600)
        assert key_told(server, code), "thirteen hours later the day is closed in truth"


def test_after_a_long_rest_the_clock_is_believed_in_a_day_later(
    tmp_path: Path, clocks: Clocks
) -> None:
    with context(tmp_path) as server:
        code = server.client.post(
            "/api/daily/start", json={"token": ADA, "game": GANZ, "seat": SEAT}
        ).json()["table"]
    clocks.wall += 30 * DAY
    clocks.restart()
    with context(tmp_path) as server:
        assert not key_told(server, code)
        for _ in range(24):
            clocks.go_on(3_600)
            server.client.post("/api/daily", json={"token": ADA})
        assert challenge.CLOCK.now() == clocks.wall
        assert key_told(server, code)


def test_a_clock_put_back_is_believed_at_once(clocks: Clocks) -> None:
    clocks.wall -= 10 * DAY
    assert challenge.CLOCK.now() == clocks.wall
