"""Whom a table waits for, as anybody may know it, and since when."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from foxclover.server.tables import stand_ins
from tables import FRIEND, ME, ROBOT, Guest, ServerContext, context


def own(server: ServerContext, code: str, *tokens: str) -> dict[str, Any]:
    answer = server.client.post(f"/api/tables/{code}", json={"tokens": list(tokens)})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_table_names_who_is_to_act_and_whose_seat_is_whose(server: ServerContext) -> None:
    code, [ada] = server.create(ME, FRIEND, options={"seed": 5})
    bo = server.join(code, name="Bo")
    found = own(server, code, ada)
    assert (found["you"], found["waits_for"]) == ([0], [0])
    assert found["waiting_since"] == found["created"]
    assert own(server, code, bo)["you"] == [1]
    assert own(server, code, "x" * 32)["you"] == []
    with server.sit(code, ada) as guest:
        guest.play_to("move")
        while guest.state["acting"] != [1]:
            guest.play()
    found = own(server, code, bo)
    assert found["waits_for"] == found["you"] == [1]
    assert found["waiting_since"] == found["touched"] >= found["created"]
    # anybody with the code knows it, since the table shows it to spectators
    assert server.client.get(f"/api/tables/{code}").json()["waits_for"] == [1]


def test_nobody_waits_for_a_computer_or_after_the_end(server: ServerContext) -> None:
    code, [ada] = server.create(ME, ROBOT, options={"seed": 5})
    with server.sit(code, ada) as guest:
        while not guest.state["over"]:
            if guest.moves() or 0 in guest.state["rollers"]:
                assert own(server, code, ada)["waits_for"] == [0]
                guest.play()
            else:
                assert 1 not in own(server, code, ada)["waits_for"]
                guest.until("state")
    assert own(server, code, ada)["waits_for"] == []


def test_hidden_decisions_stay_hidden(server: ServerContext) -> None:
    here = {"kind": "here"}
    code, tokens = server.create(ME, here, here, options={"seed": 5})
    with server.sit(code, *tokens) as guest:
        while len(guest.state["acting"]) < 2:
            seats = guest.state["rollers"] or guest.state["acting"]
            guest.play(seats[0])
        before, first = own(server, code), guest.state["acting"][0]
        # a first step of a decision, taken back again, shows nowhere
        assert before["waits_for"] == guest.state["acting"]
        guest.play(first)
        if first in guest.state["acting"]:
            assert own(server, code) == before
        else:
            assert first not in own(server, code)["waits_for"]
            assert own(server, code)["waiting_since"] == before["waiting_since"]


@pytest.fixture
def watched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerContext]:
    """A server that looks at time limits often."""
    monkeypatch.setattr(stand_ins, "LOOK_EVERY", 0.05)
    monkeypatch.setattr(stand_ins, "RETURN_SECONDS", 1)
    with context(tmp_path) as running:
        yield running


def until(guest: Guest, kind: str) -> None:
    while guest.state["seats"][1]["kind"] != kind:
        guest.until("state")


def test_a_stand_in_after_the_time_limit(
    watched: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, [ada] = watched.create(ME, FRIEND, options={"seed": 5}, days=3)
    bo = watched.join(code, name="Bo")
    day, real = 86_400, time.time
    assert own(watched, code, ada)["deadline"] is None  # it counts from the first roll on
    with watched.sit(code, ada) as guest:
        while guest.state["acting"] != [1]:
            guest.play()
        deadline = guest.state["deadline"]
        assert deadline == own(watched, code, bo)["waiting_since"] + 3 * day
        monkeypatch.setattr(time, "time", lambda: real() + 3 * day - 60)
        time.sleep(0.3)
        assert own(watched, code, bo)["waits_for"] == [1]
        monkeypatch.setattr(time, "time", lambda: real() + 3 * day + 60)
        until(guest, "computer")
        while guest.state["acting"] != [0] and 0 not in guest.state["rollers"]:
            guest.until("state")  # the stand-in has acted
        assert guest.state["seats"][1]["stand_in"]
        assert guest.state["seats"][0]["kind"] == "person"
    with watched.sit(code, bo) as guest:  # the seat is still Bo's
        assert guest.act("seat", 1, change="return")["type"] == "ack"
        assert own(watched, code, bo)["seats"][1]["kind"] == "person"


def test_a_seat_that_was_left_keeps_nobody_waiting_for_longer_than_the_limit(
    watched: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, [ada] = watched.create(ME, FRIEND, options={"seed": 5}, days=1)
    bo = watched.join(code, name="Bo")
    with watched.sit(code, ada) as guest:
        guest.leave_turn_to(1)
        with watched.sit(code, bo) as friend:
            assert friend.act("seat", 1, change="leave")["type"] == "ack"
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() + 86_400 + 60)
        until(guest, "computer")
        while guest.state["acting"] != [0] and 0 not in guest.state["rollers"]:
            guest.until("state")


def test_players_who_decide_at_once_are_all_replaced_and_nothing_is_seen_before(
    watched: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, [ada] = watched.create(ME, FRIEND, FRIEND, options={"seed": 5}, days=1)
    bo, cy = watched.join(code, name="Bo"), watched.join(code, name="Cy")
    real = time.time
    with watched.sit(code, ada) as guest:
        while guest.state["acting"] != [1, 2]:
            guest.play()
        before = len(guest.log)
        with watched.sit(code, bo) as friend:
            friend.play(1)
            assert (len(friend.log), len(guest.log)) == (before + 1, before)
        assert own(watched, code, ada)["waits_for"] == [2]
        monkeypatch.setattr(time, "time", lambda: real() + 86_400 + 60)
        while guest.state["seats"][2]["kind"] != "computer":
            guest.until("state")
        assert guest.state["seats"][1]["kind"] == "person", "Bo has decided in time"
    with watched.sit(code, cy) as late:
        assert late.state["resting"] == [2]


def test_a_limit_out_of_range_is_refused(server: ServerContext) -> None:
    answer = server.client.post(
        "/api/tables", json={"game": "ganz-schoen-clever", "seats": [ME, FRIEND], "days": 31}
    )
    assert (answer.status_code, answer.json()["reason"]) == (400, "bad_message")
