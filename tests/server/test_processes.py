"""Several servers on one database.

Connections of any process see the same game, and nothing happens twice.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from postgres import Cluster
from tables import CLIMB, FRIEND, HERE, ME, ROBOT, Guest, RealServer, real_server


@contextmanager
def two_servers(tmp_path: Path, database: str) -> Iterator[tuple[RealServer, RealServer]]:
    with (
        real_server(tmp_path / "left", "--database", database) as left,
        real_server(tmp_path / "right", "--database", database) as right,
    ):
        right.invitations = left.invitations
        yield left, right


def keep_up(guest: Guest, seq: int) -> None:
    while guest.state["seq"] < seq:
        guest.until("state")


def play_to_the_end(guests: dict[int, Guest]) -> None:
    """Let all guests act as soon as they can, whatever the others do at the same time."""
    while not all(guest.state["over"] for guest in guests.values()):
        for seat, guest in guests.items():
            if guest.moves(seat) or seat in guest.state["rollers"]:
                roll = seat in guest.state["rollers"]
                answer = (
                    guest.act("roll", seat)
                    if roll
                    else guest.act("move", seat, move=random.choice(guest.moves(seat))["id"])
                )
                assert answer.get("reason", "stale") in (
                    "stale",
                    "not_to_act",
                    "no_roll_due",
                    "too_fast",
                    "game_over",
                ), answer
            guest.ask("ping")  # whatever was on its way before is here now
            time.sleep(0.01)


def test_friends_at_two_servers_play_one_game_to_its_end(tmp_path: Path, database: str) -> None:
    with two_servers(tmp_path, database) as (left, right):
        code, mine = left.create(ME, FRIEND, ROBOT, game=CLIMB)
        with left.sit(code, *mine) as ada:
            theirs = right.join(code, name="Bo")
            while ada.state["seats"][1]["open"]:
                ada.until("state")
            with right.sit(code, theirs) as bo:
                assert ada.until("seats")["seats"][1]["connected"], "who comes there is seen here"
                while not bo.state["seats"][0]["connected"]:
                    bo.state["seats"] = bo.until("seats")["seats"]
                guests = {0: ada, 1: bo}
                ada.ask("react", seat=0, reaction="well")
                assert bo.until("reaction")["seat"] == 0
                with right.sit(code) as eve:
                    eve.ask("watch", name="Eve")
                    while ada.until("seats")["watchers"] != ["Eve"]:
                        pass
                play_to_the_end(guests)
                keep_up(bo, ada.state["seq"])
                assert [entry["text"] for entry in ada.log] == [entry["text"] for entry in bo.log]
                assert ada.state["result"] == bo.state["result"]
                threads = [
                    threading.Thread(target=guest.ask, args=("rematch",))
                    for guest in guests.values()
                ]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                codes = set()
                for server, tokens in ((left, mine), (right, [theirs])):
                    with server.sit(code, *tokens) as again:
                        codes.add(again.state["rematch"])
                assert len(codes) == 1, "asked for at two servers, opened once"


def test_the_same_message_to_two_servers_is_carried_out_once(tmp_path: Path, database: str) -> None:
    with two_servers(tmp_path, database) as (left, right):
        code, tokens = left.create(ME, options={"seed": 11})
        with left.sit(code, *tokens) as one, right.sit(code, *tokens) as two:
            for _ in range(30):
                newest = max(one.state["seq"], two.state["seq"])
                keep_up(one, newest)
                keep_up(two, newest)
                request = {"seq": newest, "seat": 0, "ref": 7}
                request |= (
                    {"type": "roll"}
                    if one.state["rollers"]
                    else {"type": "move", "move": one.moves()[0]["id"]}
                )
                one.send(request)
                two.send(request)
                answers = [one.until("ack", "refused"), two.until("ack", "refused")]
                assert sorted(answer.get("reason", "ack") for answer in answers) == ["ack", "stale"]
                seq = max(answer["seq"] for answer in answers)
                keep_up(one, seq)
                keep_up(two, seq)
            assert one.log == two.log


def test_simultaneous_decisions_at_two_servers_are_both_kept(tmp_path: Path, database: str) -> None:
    with two_servers(tmp_path, database) as (left, right):
        code, tokens = left.create(ME, HERE, HERE, options={"seed": 5})
        with left.sit(code, *tokens) as ada, right.sit(code, *tokens) as bo:
            while ada.state["acting"] != [1, 2]:
                ada.play(0)
            keep_up(bo, ada.state["seq"])
            for seat, guest in ((1, ada), (2, bo)):
                guest.send(
                    {
                        "type": "move",
                        "ref": 1,
                        "seq": guest.state["seq"],
                        "seat": seat,
                        "move": guest.moves(seat)[0]["id"],
                    }
                )
            assert [guest.until("ack", "refused")["type"] for guest in (ada, bo)] == ["ack", "ack"]


def test_computer_players_are_driven_by_one_server(tmp_path: Path, database: str) -> None:
    with two_servers(tmp_path, database) as (left, right):
        code, tokens = left.create(ROBOT, ME, pace=200, options={"seed": 5})
        with left.sit(code, *tokens) as ada, right.sit(code, *tokens) as bo:
            assert bo.ask("pace", pace=100)["type"] == "ack"
            assert ada.until("pace")["pace"] == 100
            while not ada.moves(1):
                ada.until("state")
            keep_up(bo, ada.state["seq"])
            assert ada.log == bo.log


def test_a_server_that_is_killed_leaves_its_table_to_the_other(
    tmp_path: Path, database: str
) -> None:
    with two_servers(tmp_path, database) as (left, right):
        code, tokens = left.create(ME, options={"seed": 3})
        with left.sit(code, *tokens) as ada:
            for _ in range(6):
                ada.play()
            left.kill()
        with right.sit(code, *tokens) as ada_again:
            assert ada_again.log == ada.log
            ada_again.play()


def test_without_its_database_a_server_says_so_and_goes_on_when_it_is_back(
    tmp_path: Path, cluster: Cluster, database: str
) -> None:
    with two_servers(tmp_path, database) as (left, right):
        code, tokens = left.create(ME, options={"seed": 3})
        with left.sit(code, *tokens) as ada, right.sit(code) as eve:
            ada.play()
            cluster.kill()
            assert ada.until("refused")["reason"] == "store_away"
            assert ada.act("move", move=ada.moves()[0]["id"])["reason"] in (
                "not_saved",
                "store_away",
            )
            assert left.client.get("/api/health").status_code == 503
            cluster.start()
            deadline = time.monotonic() + 120
            while (
                left.client.get("/api/health").status_code != 200
                or right.client.get("/api/health").status_code != 200
            ):
                assert time.monotonic() < deadline
                time.sleep(0.1)
            ada.hello(*tokens)
            for _ in range(3):
                ada.play()
            keep_up(eve, ada.state["seq"])
            assert [entry["text"] for entry in eve.log] == [entry["text"] for entry in ada.log]


def test_several_processes_serve_one_port_and_are_replaced(tmp_path: Path, database: str) -> None:
    with real_server(tmp_path, "--database", database, "--workers", "2") as server:
        code, tokens = server.create(ME, options={"seed": 3})
        with server.sit(code, *tokens) as ada:
            for _ in range(4):
                ada.play()
        for _ in range(10):
            with server.sit(code, *tokens) as ada:
                ada.play()


def test_several_processes_need_a_database(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="no address"), real_server(tmp_path, "--workers", "2"):
        pass


def test_seats_that_change_at_one_server_have_changed_at_the_other(
    tmp_path: Path, database: str
) -> None:
    with two_servers(tmp_path, database) as (left, right):
        code, mine = left.create(ME, FRIEND)
        theirs = right.join(code, name="Bo")
        with left.sit(code, *mine) as ada, right.sit(code, theirs) as bo:
            assert ada.ask("seat", seat=1, change="replace", level="random")["type"] == "ack"
            while bo.state["resting"] != [1]:
                bo.until("state")
            assert bo.ask("seat", seat=1, change="return")["type"] == "ack"
            while ada.state["seats"][1]["stand_in"]:
                ada.until("state")
            assert bo.ask("seat", seat=1, change="leave")["type"] == "ack"
            while not ada.state["seats"][1]["open"]:
                ada.until("state")
            cy = left.join(code, name="Cy")
            while bo.state["seats"][1]["name"] != "Cy":
                bo.until("state")
            assert bo.state["you"] == []
            with left.sit(code, cy) as third:
                assert third.ask("seat", seat=1, change="replace", level="random")["type"] == "ack"
        with left.sit(code, *mine) as ada:
            assert ada.ask("seat", seat=1, change="free")["reason"] == "just_left"
        with left.sit(code, cy) as third:
            assert third.ask("seat", seat=1, change="leave")["type"] == "ack"
        with right.visit(code) as late:
            assert late.hello(cy)["reason"] == "unknown_token"


def test_friends_at_any_of_several_processes_of_one_port_play_one_game(
    tmp_path: Path, database: str
) -> None:
    with (
        real_server(tmp_path, "--database", database, "--workers", "2") as server,
        ExitStack() as here,
    ):
        for _ in range(8):
            code, tokens = server.create(ME, HERE)
            guests = [here.enter_context(server.sit(code, token)) for token in tokens]
            guests[0].play(0)
            keep_up(guests[1], guests[0].state["seq"])
            assert [entry["text"] for entry in guests[0].log] == [
                entry["text"] for entry in guests[1].log
            ]
