"""Seats are left, freed, played by computers for those who stay away, and taken again."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from foxclover.locale import LANGUAGES, texts
from foxclover.server.tables import seating
from tables import FRIEND, HERE, ME, ROBOT, Guest, ServerContext, context


def change(guest: Guest, seat: int, what: str, **values: str) -> str:
    """Ask for a change of a seat; return why it is refused, or nothing."""
    answer = guest.ask("seat", seat=seat, change=what, **values)
    while answer["type"] == "ack" and guest.state["seq"] < answer["seq"]:
        guest.until("state")
    return str(answer.get("reason", ""))


def with_friend(server: ServerContext) -> tuple[str, list[str], str]:
    code, tokens = server.create(ME, FRIEND)
    return code, tokens, server.join(code, name="Bo")


def test_a_computer_player_replaces_an_absent_friend(server: ServerContext) -> None:
    code, mine, theirs = with_friend(server)
    with server.sit(code, *mine) as ada:
        assert ada.state["host"]
        assert change(ada, 1, "replace", level="random") == ""
        seat = ada.state["seats"][1]
        assert (seat["kind"], seat["stand_in"], seat["name"], seat["level"]) == (
            "computer",
            True,
            "Bo",
            "random",
        )
        while not ada.state["over"]:
            if 0 in ada.state["rollers"] or ada.moves():
                ada.play()
            else:
                ada.until("state")
    with server.sit(code, theirs) as bo:
        assert bo.state["over"]


def test_a_replaced_player_returns_with_their_token(server: ServerContext) -> None:
    code, mine, theirs = with_friend(server)
    with server.sit(code, *mine) as ada:
        change(ada, 1, "replace", level="random")
        with server.sit(code, theirs) as bo:
            assert (bo.state["you"], bo.state["resting"]) == ([], [1])
            assert bo.reason("roll", seat=1) == "not_your_seat", "the computer still plays"
            assert change(bo, 1, "return") == ""
            assert (bo.state["you"], bo.state["resting"]) == ([1], [])
            assert bo.state["seats"][1]["kind"] == "person"
            while not (bo.moves(1) or 1 in bo.state["rollers"]):
                if ada.state["seq"] < bo.state["seq"]:
                    ada.until("state")
                elif 0 in ada.state["rollers"] or ada.moves():
                    ada.play()
                else:
                    bo.until("state")
            bo.play(1)


def test_a_player_may_be_replaced_by_a_computer_player_on_request(server: ServerContext) -> None:
    code, _, theirs = with_friend(server)
    with server.sit(code, theirs) as bo:
        assert not bo.state["host"]
        assert change(bo, 1, "replace", level="random") == ""
        assert bo.state["resting"] == [1]


def test_a_seat_that_was_left_is_open_to_invited_friends(server: ServerContext) -> None:
    code, mine, theirs = with_friend(server)
    with server.sit(code, *mine) as ada, server.sit(code, theirs) as bo:
        assert change(bo, 1, "leave") == ""
        assert (bo.state["you"], bo.state["resting"], bo.state["invitation"]) == ([], [], None)
        while not ada.state["seats"][1]["open"]:
            ada.until("state")
        assert ada.state["invitation"]
        assert bo.hello(theirs)["reason"] == "unknown_token"
        cy = server.join(code, name="Cy")
        with server.sit(code, cy) as third:
            assert third.state["you"] == [1]
            assert third.state["seats"][1]["name"] == "Cy"


def test_one_of_several_seats_can_be_left(server: ServerContext) -> None:
    code, tokens = server.create(ME, HERE)
    with server.sit(code, *tokens) as ada:
        assert change(ada, 1, "leave") == ""
        assert ada.state["you"] == [0]
        assert ada.hello(*tokens)["you"] == [0], (
            "the token of the other seat opens nothing any more"
        )


def test_only_the_host_replaces_and_frees_others(server: ServerContext) -> None:
    code, tokens = server.create(ME, FRIEND, ROBOT)
    theirs = server.join(code, name="Bo")
    with server.sit(code, theirs) as bo, server.sit(code) as watcher:
        for guest in (bo, watcher):
            assert change(guest, 0, "replace", level="random") == "not_host"
            assert change(guest, 0, "free") == "not_host"
            assert change(guest, 2, "free") == "not_host"
            for own in ("leave", "return"):
                assert change(guest, 0, own) == "not_your_seat"
        with server.sit(code, *tokens) as ada:
            assert change(ada, 1, "free") == "still_here"
            assert change(ada, 2, "free") == ""
            assert ada.state["seats"][2]["open"], "a friend may take the computer's place"


def test_a_seat_is_freed_only_when_its_player_has_been_away_for_a_minute(
    server: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, tokens, theirs = with_friend(server)
    with server.sit(code, *tokens) as ada:
        assert change(ada, 1, "free") == "just_left", "who sat down a moment ago is on the way"
        with server.sit(code, theirs):
            while not ada.until("seats")["seats"][1]["connected"]:
                pass
        while ada.until("seats")["seats"][1]["connected"]:
            pass
        now = time.time()
        for later, expected in ((0, "just_left"), (58, "just_left"), (62, "")):
            monkeypatch.setattr(time, "time", lambda at=now + later: at)
            assert change(ada, 1, "free") == expected


def test_a_restart_frees_no_seat_of_a_player_who_was_thinking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with context(tmp_path) as server:
        code, mine, _ = with_friend(server)
    now = time.time() + 600
    monkeypatch.setattr(time, "time", lambda: now)
    with context(tmp_path) as server, server.sit(code, *mine) as ada:
        assert change(ada, 1, "free") == "just_left", "nobody can be back already"


def test_an_absent_player_loses_a_freed_seat(
    server: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, tokens, theirs = with_friend(server)
    monkeypatch.setattr(seating, "LONG_AWAY", 0.0)
    with server.sit(code, *tokens) as ada:
        assert change(ada, 1, "free") == ""
        with server.visit(code) as bo:
            assert bo.hello(theirs)["reason"] == "unknown_token"
        assert change(ada, 1, "replace", level="random") == "", "a computer may take a free seat"
        assert ada.state["seats"][1]["name"] == "Random"


def test_when_the_maker_has_left_everybody_may_see_to_the_seats(server: ServerContext) -> None:
    code, tokens, theirs = with_friend(server)
    with server.sit(code, *tokens) as ada, server.sit(code, theirs) as bo:
        assert change(ada, 0, "leave") == ""
        while not bo.state["host"]:
            bo.until("state")
        assert change(bo, 0, "replace", level="random") == ""
        assert not ada.state["host"]


def test_changes_that_make_no_sense_are_refused(server: ServerContext) -> None:
    code, tokens = server.create(ME, FRIEND)
    with server.sit(code, *tokens) as ada:
        assert change(ada, 1, "replace") == "bad_message"
        assert change(ada, 1, "replace", level="genius") == "unknown_level"
        assert change(ada, 3, "free") == "bad_message"
        assert change(ada, 0, "swap") == "bad_message"
    for reason in ("not_host", "still_here", "just_left"):
        assert all(texts(language)[f"server.refused.{reason}"] for language in LANGUAGES)


def test_all_players_see_who_is_away_and_since_when(server: ServerContext) -> None:
    code, tokens, theirs = with_friend(server)
    with server.sit(code, *tokens) as ada:
        assert abs(ada.state["seats"][1]["away_since"] - time.time()) < 60
        before = int(time.time())
        with server.sit(code, theirs):
            while not ada.until("seats")["seats"][1]["connected"]:
                pass
        seats = ada.until("seats")["seats"]
        assert not seats[1]["connected"]
        assert before <= seats[1]["away_since"] <= time.time()
        assert seats[0]["away_since"] is None


def test_seats_are_as_they_were_after_a_restart(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, mine, theirs = with_friend(server)
        with server.sit(code, *mine) as ada:
            change(ada, 1, "replace", level="random")
    with context(tmp_path) as server, server.sit(code, theirs) as bo:
        assert bo.state["resting"] == [1]
        assert not bo.state["host"]
        assert change(bo, 1, "return") == ""
