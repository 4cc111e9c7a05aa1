"""What is not sent: decisions on a roll, to those who have yet to decide.

And how friends are let in.
"""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from foxclover.server.stores.sqlite_files import FILE
from tables import CLIMB, FRIEND, HERE, ME, Guest, ServerContext, context, real_server


def decisions(guest: Guest, seat: int) -> dict[str, Any]:
    return {move["kind"]: move for move in guest.moves(seat)}


def keep_up(guests: list[Guest]) -> None:
    """Read what has been sent to everybody so far."""
    for guest in guests:
        assert guest.ask("ping")["type"] == "pong"


def play_to_a_decision(guests: list[Guest]) -> None:
    """Play seats 0, 1 and 2 until all three have just rolled and seat 0 may fail."""
    while True:
        if 0 in guests[0].state["rollers"]:
            guests[0].play(0)
            keep_up(guests)
            if guests[0].state["acting"] == [0, 1, 2] and "fail" in decisions(guests[0], 0):
                return
        for seat in range(3):
            keep_up(guests)
            if guests[seat].moves(seat):
                guests[seat].play(seat)


def test_decisions_on_a_roll_are_hidden_from_undecided_seats(
    server: ServerContext,
) -> None:
    code, tokens = server.create(ME, HERE, HERE, game=CLIMB, options={"seed": 8})
    with (
        server.sit(code, tokens[0]) as ada,
        server.sit(code, tokens[1]) as bo,
        server.sit(code, *tokens[1:]) as two,
        server.sit(code) as eve,
    ):
        guests = [ada, bo, two, eve]
        play_to_a_decision(guests)
        seen = [(dict(guest.state["view"]), guest.state["scores"], guest.log) for guest in guests]
        ada.act("move", 0, move=decisions(ada, 0)["fail"]["id"])
        for guest in guests:
            guest.until("state")
        assert [entry["seat"] for entry in ada.log[len(seen[0][2]) :]] == [0, -1], (
            "who has decided sees the card drawn"
        )
        for guest, (view, scores, log) in list(zip(guests, seen, strict=True))[1:]:
            assert guest.state["acting"] == [1, 2]
            assert (guest.state["view"] | {"acting": []}, guest.state["scores"], guest.log) == (
                view | {"acting": []},
                scores,
                log,
            )
        received = (
            json.dumps([bo.state, server.client.get(f"/api/tables/{code}").json()])
            + server.client.get(f"/api/tables/{code}/transcript").text
        )
        assert ada.log[-1]["text"] not in received
        with server.sit(code, tokens[1]) as again:
            assert again.log == seen[1][2], "who comes back has not decided either"
        for guest, seat in ((bo, 1), (two, 2)):
            while guest.moves(seat):
                guest.play(seat)
        keep_up(guests)
        for guest in guests:
            assert guest.log == ada.log, "afterwards all know all, in the same order"
            assert guest.state["view"] == ada.state["view"]


def test_a_friend_elsewhere_gets_an_address_that_works(tmp_path: Path) -> None:
    with real_server(tmp_path, "--public-url", "https://play.example/") as server:
        code, tokens = server.create(ME, FRIEND)
        with server.sit(code, *tokens) as ada:
            answer = ada.ask("invite")
            assert answer["path"] == f"/t/{code}#{server.invitations[code]}"
            assert [link["link"] for link in answer["links"]] == [
                f"https://play.example{answer['path']}"
            ]
            assert answer["links"][0]["qr"].startswith("<svg")
        with server.sit(code) as eve:
            assert eve.ask("invite")["reason"] == "not_your_seat"


def test_a_page_that_only_this_machine_reaches_has_no_link_for_friends(
    server: ServerContext,
) -> None:
    code, tokens = server.create(ME, FRIEND)
    with server.sit(code, *tokens) as ada:
        assert ada.ask("invite")["links"] == []


def test_the_secret_of_the_invitation_is_hidden_from_spectators(server: ServerContext) -> None:
    code, _ = server.create(ME, FRIEND)
    with server.sit(code) as eve:
        received = json.dumps([eve.state, server.client.get(f"/api/tables/{code}").json()])
        assert server.invitations[code] not in received


@pytest.mark.skipif(not hasattr(Path, "owner"), reason="no owners here")
def test_the_data_is_its_owners_alone(tmp_path: Path) -> None:
    data = tmp_path / "new" / "data"
    with context(data) as server:
        server.create(ME)
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        for file in data.glob("foxclover*"):
            assert stat.S_IMODE(file.stat().st_mode) == 0o600, file
        assert (data / FILE).exists()
