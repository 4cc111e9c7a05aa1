"""Whom a table waits for, as anybody may know it, and since when."""

from __future__ import annotations

from typing import Any

from tables import FRIEND, ME, ROBOT, ServerContext


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
