"""The daily challenge.

The same dice for all players, promised before and published afterwards, one game each, and the
results of all.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from functools import partial
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args, get_type_hints

import pytest

from foxclover import game_names, transcripts
from foxclover.core.rules import CHANCE
from foxclover.dice import daily
from foxclover.locale import catalogue
from foxclover.review.schema import FORMAT
from foxclover.server import confirmed_time
from foxclover.server.daily import challenge, rows
from foxclover.server.daily.rows import DailyRows
from foxclover.server.http.api import QUESTIONS
from foxclover.server.limits.rate_limits import Limits
from foxclover.server.people import deletion as forgetting
from foxclover.server.protocol import messages as protocol
from foxclover.server.stores import copy_tables
from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.sqlite_files import FILE
from foxclover.server.stores.store import SeatRecord, TableRecord
from foxclover.server.tables.master import Master
from tables import CLIMB, DOPPELT, GANZ, HERE, ME, Guest, ServerContext, context

ADA, BO, EVE = "A" * 22, "B" * 22, "E" * 22
SEATS = {ADA: "a" * 32, BO: "b" * 32, EVE: "e" * 32}
DAY = "2026-11-16"


class Clock:
    """What the time is for the server."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr(time, "time", lambda: self.now)
        monkeypatch.setattr(confirmed_time, "elapsed", lambda: self.now)
        self.set(f"{DAY}T12:00:00")

    def set(self, text: str) -> None:
        self.now = datetime.fromisoformat(f"{text}+00:00").timestamp()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the strongest player, tested elsewhere, and look for results at once."""
    monkeypatch.setattr(challenge, "STRENGTH", "greedy")
    monkeypatch.setattr(challenge, "LOOK_EVERY", 0.0)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def post(server: ServerContext, question: str, token: str = ADA, **values: Any) -> Any:
    return server.client.post(
        f"/api/daily{question and '/' + question}", json={"token": token} | values
    )


def ask(server: ServerContext, question: str, token: str = ADA, **values: Any) -> Any:
    answer = post(server, question, token, **values)
    assert answer.status_code == 200, answer.text
    return answer.json()


def reason(server: ServerContext, question: str, token: str = ADA, **values: Any) -> str:
    answer = post(server, question, token, **values)
    assert answer.status_code >= 400, answer.text
    assert answer.json()["words"]
    return str(answer.json()["reason"])


def start(server: ServerContext, token: str = ADA, game: str = GANZ) -> str:
    server.client.post("/api/me/name", json={"token": token, "name": f"N{token[0]}"})
    return str(ask(server, "start", token, game=game, seat=SEATS[token])["table"])


def choose(guest: Guest, last: bool) -> None:
    """Roll if that is due, else make the first legal move, or the last."""
    if last and guest.moves():
        answer = guest.act("move", move=guest.moves()[-1]["id"])
        while guest.state["seq"] < answer["seq"]:
            guest.until("state")
    else:
        guest.play()


def finish(server: ServerContext, code: str, token: str = ADA, last: bool = False) -> list[Any]:
    """Play a game of the day to its end; return its log."""
    with server.sit(code, SEATS[token]) as guest:
        while not guest.state["over"]:
            choose(guest, last)
        return guest.log


def standing(server: ServerContext, token: str = ADA, game: str = GANZ) -> Any:
    return next(found for found in ask(server, "", token)["games"] if found["game"] == game)


def key_of(server: ServerContext, day: str = DAY, game: str = GANZ) -> bytes:
    """The key, as only the server itself knows it."""
    rows = server.client.app.state.lobby.challenge.rows  # type: ignore[attr-defined]
    return bytes(server.client.portal.call(rows.key, day, game))  # type: ignore[attr-defined]


def query(server: ServerContext, statement: str) -> list[Any]:
    store = server.client.app.state.lobby.store  # type: ignore[attr-defined]
    return list(server.client.portal.call(store.query, statement))  # type: ignore[attr-defined]


def test_a_key_is_promised_the_day_before_and_published_when_the_day_is_closed(
    tmp_path: Path, clock: Clock
) -> None:
    clock.set("2026-11-15T23:00:00")
    with context(tmp_path) as server:
        promised = {game["game"]: game["tomorrow"] for game in ask(server, "")["games"]}
        assert set(promised) == set(game_names())
    clock.set(f"{DAY}T00:00:00")
    with context(tmp_path) as server:
        today = ask(server, "")
        assert (today["day"], today["left"], today["closed"]) == (DAY, 86_400, "2026-11-14")
        assert {game["game"]: game["promise"] for game in today["games"]} == promised, (
            "the secret is kept with the data"
        )
        for moment in (f"{DAY}T12:00:00", "2026-11-17T00:00:00", "2026-11-17T00:59:59"):
            clock.set(moment)
            assert reason(server, "solution", game=GANZ, day=DAY) == "no_such_day"
            assert key_of(server).hex() not in json.dumps(ask(server, "")) + json.dumps(
                ask(server, "solution", game=GANZ)
            )
        clock.set("2026-11-17T01:00:00")
        received = ask(server, "solution", game=GANZ)
        assert (received["day"], received["promise"]) == (DAY, promised[GANZ])
        assert not server.client.app.state.lobby.challenge._playing, (
            "nobody has begun, so nobody has to compare"
        )  # type: ignore[attr-defined]
        assert sha256(bytes.fromhex(received["key"])).hexdigest() == promised[GANZ]


def test_another_server_has_other_days(tmp_path: Path, clock: Clock) -> None:
    promises = []
    for name in ("one", "two"):
        with context(tmp_path / name) as server:
            promises.append({game["promise"] for game in ask(server, "")["games"]})
    assert len(promises[0]) == len(game_names()), "each game has its own"
    assert not promises[0] & promises[1]


@pytest.mark.parametrize("game", game_names())
def test_all_players_get_the_same_dice_whatever_they_choose(
    tmp_path: Path, clock: Clock, game: str
) -> None:
    with context(tmp_path) as server:
        logs = [
            finish(server, start(server, token, game), token, last)
            for token, last in ((ADA, False), (BO, True), (EVE, False))
        ]
        rolls = [[entry["text"] for entry in log if entry["seat"] == CHANCE] for log in logs]
        assert rolls[0][0] == rolls[1][0]
        assert [entry["text"] for entry in logs[0]] == [entry["text"] for entry in logs[2]], (
            "the same choices, the same game"
        )
        assert logs[0] != logs[1]
        key = key_of(server, game=game)
        for token in (ADA, BO):
            code = standing(server, token, game)["table"]
            text = server.client.post("/api/me/games", json={"token": token}).json()["games"][0]
            assert (text["id"], text["dice"]) == (code, "daily")
            written = server.client.post(
                "/api/me/transcript", json={"token": token, "id": code}
            ).json()["transcript"]
            read = transcripts.read(written)
            assert daily.verify(daily.promise(key), key, read.position) > 5


def test_the_first_start_of_a_day_counts(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        code = start(server)
        assert ask(server, "start", game=GANZ, seat=SEATS[ADA])["table"] == code, (
            "the answer was lost"
        )
        assert reason(server, "start", game=GANZ, seat="x" * 32) == "daily_begun"
        finish(server, code)
        assert reason(server, "start", game=GANZ, seat="x" * 32) == "daily_begun"
        along = server.client.post("/api/me/along", json={"token": ADA}).json()["code"]
        check = server.client.post(
            "/api/me/arrive", json={"token": BO, "code": along, "agreed": True}
        ).json()["check"]
        server.client.post("/api/me/admit", json={"token": ADA, "check": check, "admit": True})
        assert reason(server, "start", BO, game=GANZ, seat="y" * 32) == "daily_begun", (
            "another device of the same person"
        )
        assert start(server, ADA, CLIMB) != code, "another game"
        clock.set("2026-11-17T00:00:00")
        assert start(server) != code, "another day"
        assert reason(server, "start", game="halma", seat="x" * 32) == "unknown_game"


def test_begun_and_not_finished_counts_as_given_up(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        assert standing(server)["state"] == "none"
        start(server)
        finish(server, start(server, BO), BO)
        assert (
            standing(server)["state"],
            standing(server)["begun"],
            standing(server)["finished"],
        ) == ("running", 2, 1)
        assert standing(server, BO)["better_than"] is None, "nobody else has finished"
        clock.set("2026-11-17T01:00:00")
        board = ask(server, "board", game=GANZ, day=DAY)
        assert (board["you"]["state"], board["you"]["score"], board["you"]["place"]) == (
            "given_up",
            None,
            None,
        )
        assert [(entry["name"], entry["place"]) for entry in board["entries"]] == [("NB", 1)]
        assert ask(server, "board", BO, game=GANZ, day=DAY)["you"]["better_than"] == 1.0


def test_a_game_begun_before_midnight_may_be_finished_within_an_hour(
    tmp_path: Path, clock: Clock
) -> None:
    clock.set(f"{DAY}T23:59:59")
    with context(tmp_path) as server:
        codes = {token: start(server, token) for token in (ADA, BO)}
        clock.set("2026-11-17T00:59:59")
        finish(server, codes[ADA])
        assert start(server, EVE) not in codes.values()
        clock.set("2026-11-17T01:00:00")
        finish(server, codes[BO], BO)
        states = [
            ask(server, "board", token, game=GANZ, day=DAY)["you"]["state"]
            for token in (ADA, BO, EVE)
        ]
        assert states == ["finished", "given_up", "none"]
        assert standing(server, EVE)["state"] == "running"
        assert ask(server, "")["day"] == "2026-11-17"


def test_places_are_shared_and_the_rest_is_behind(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    # dice that are always the same: with others both ways to play can end with the same score
    monkeypatch.setattr(rows, "secrets", SimpleNamespace(token_bytes=bytes))
    with context(tmp_path) as server:
        scores = {}
        for token, last in ((ADA, False), (BO, True), (EVE, False)):
            finish(server, start(server, token), token, last)
            scores[token] = standing(server, token)["score"]
        found = {token: standing(server, token) for token in scores}
        assert scores[ADA] == scores[EVE] != scores[BO]
        assert found[ADA]["place"] == found[EVE]["place"]
        first = scores[ADA] > scores[BO]
        assert (found[ADA]["place"], found[BO]["place"]) == ((1, 3) if first else (2, 1))
        assert (found[ADA]["better_than"], found[BO]["better_than"]) == (
            (0.5, 0.0) if first else (0.0, 1.0)
        )
        entries = ask(server, "board", BO, game=GANZ)["entries"]
        assert [entry["place"] for entry in entries] == ([1, 1, 3] if first else [1, 2, 2])
        assert [entry["you"] for entry in entries].count(True) == 1


def test_no_player_learns_the_dice_of_a_day_before_their_game_ends(
    tmp_path: Path, clock: Clock
) -> None:
    with context(tmp_path) as server:
        received: list[Any] = []
        code = start(server)
        key = key_of(server)
        ((secret,),) = query(server, "SELECT value FROM secrets WHERE name = 'daily'")
        with server.sit(code, SEATS[ADA]) as guest:
            guest.play_to("move")
            assert guest.reason("hint") == "daily_alone"
            for change in ("leave", "replace", "free", "return"):
                assert (
                    guest.ask("seat", seat=0, change=change, level="random")["reason"]
                    == "daily_alone"
                )
            for kind, values in (
                ("review", {}),
                ("moments", {"first": 0, "count": 1}),
                ("verdict", {"at": 0, "move": 0}),
            ):
                assert guest.ask(kind, **values)["reason"] == "not_over"
            assert guest.ask("rematch")["reason"] == "not_over"
            for kind in ("why", "preview"):
                guest.send({"type": kind, "ref": 999, "seat": 0, "seq": guest.state["seq"]})
                received.append(guest.until(kind, "refused"))
            received += [
                guest.state,
                guest.ask("language", language="de"),
                guest.ask("pace", pace=5),
                guest.ask("ping"),
                guest.ask("invite"),
            ]
            assert (guest.state["daily"], guest.state["sealing"], guest.state["practice"]) == (
                DAY,
                None,
                False,
            )
            while not guest.state["over"]:
                guest.play()
            received += [guest.state, guest.log, guest.others]
            successor = guest.ask("rematch")
            assert successor["type"] == "ack"
            assert guest.ask("moments", first=0, count=5)["type"] == "moments", (
                "your own, when it is over"
            )
        for other in (code.upper(), code):
            with server.visit(other) as eve:
                assert eve.hello()["reason"] == "daily_hidden", "who watches would know the dice"
                assert eve.hello("x" * 32)["reason"] == "unknown_token"
            assert (
                server.client.get(f"/api/tables/{other}/transcript").json()["reason"]
                == "daily_hidden"
            )
        info = server.client.get(f"/api/tables/{code}").json()
        assert (info["scores"], info["seq"]) == ([], 0), "the code alone would reveal the result"
        received.append(info)
        for token in (ADA, EVE):
            received += [
                ask(server, "", token),
                ask(server, "board", token, game=GANZ),
                ask(server, "solution", token, game=GANZ),
            ]
            received += [
                server.client.post(f"/api/me/{question}", json={"token": token}).json()
                for question in ("games", "export")
            ]
        assert code not in json.dumps(
            [
                ask(server, "", EVE),
                ask(server, "board", EVE, game=GANZ),
                ask(server, "solution", EVE, game=GANZ),
            ]
        )
        received.append(server.client.get("/metrics").text)
        assert key.hex() not in json.dumps(received)
        assert secret.hex() not in json.dumps(received)
        clock.set("2026-11-17T01:00:00")
        with server.sit(code) as eve:
            assert eve.state["over"]
        text = server.client.get(f"/api/tables/{code}/transcript").text
        assert transcripts.read(text).header.dice == f"daily {DAY} {daily.promise(key)} {key.hex()}"


@pytest.mark.parametrize("game", game_names())
def test_no_message_and_no_response_reveals_the_next_roll(
    tmp_path: Path, clock: Clock, game: str
) -> None:
    with context(tmp_path) as server:
        code = start(server, ADA, game)
        with server.sit(code, SEATS[ADA]) as guest:
            # roll all dice: the faces of a few occur in other texts by chance
            guest.play_to("roll")
            position = server.client.app.state.lobby.tables[code].master.position  # type: ignore[attr-defined]
            past = transcripts.read(
                server.client.app.state.lobby.tables[code].master.transcript(["Ada"])
            ).position  # type: ignore[attr-defined]
            due = daily.follow(key_of(server, game=game), past).draw(position).text
            seat = {"seat": 0, "seq": guest.state["seq"]}
            wishes: dict[str, dict[str, Any]] = {
                "move": seat | {"move": 0},
                "enter": seat | {"text": due},
                "correct": seat,
                "hint": seat,
                "odds": seat,
                "why": {"seat": 0},
                "preview": seat,
                "seat": {"seat": 0, "change": "replace", "level": "random"},
                "pace": {"pace": 5},
                "language": {"language": "nl"},
                "rematch": {},
                "invite": {},
                "network": {"open": True},
                "moments": {"first": 0, "count": 1},
                "review": {},
                "verdict": {"at": 0, "move": 0},
                "line": {"at": 0},
                "react": {"seat": 0, "reaction": "well"},
                "watch": {"name": "Eve"},
                "ping": {},
                "undo": seat,
            }
            kinds = {
                get_args(get_type_hints(message)["type"])[0]
                for message in get_args(protocol.ClientMessage)
            }
            assert {*wishes, "hello", "roll"} == kinds, "every message there is"
            received: list[Any] = [guest.state]
            for ref, (kind, values) in enumerate(wishes.items(), start=100):
                guest.send({"type": kind, "ref": ref} | values)
            guest.send({"type": "ping", "ref": 999})
            while (message := guest.receive()).get("ref") != 999:
                received.append(message)
            received += [guest.hello(SEATS[ADA]), guest.hello(SEATS[ADA], language="de")]
        for path in (
            "health",
            "games",
            f"games/{game}/layout",
            f"tables/{code}",
            f"tables/{code}/transcript",
        ):
            received.append(server.client.get(f"/api/{path}").text)
        for path in QUESTIONS.keys() - {"me/delete"}:
            request = {
                "token": ADA,
                "name": "Ada",
                "table": code,
                "seat": SEATS[ADA],
                "code": "x",
                "id": code,
                "games": [],
                "game": game,
            }
            received.append(server.client.post(f"/api/{path}", json=request).text)
        assert due not in json.dumps(received).replace("\\", "")
        with server.sit(code, SEATS[ADA]) as guest:
            guest.play_to("roll")
            guest.play()
            assert due in [entry["text"] for entry in guest.log]


def test_the_next_game_at_the_same_table_is_an_ordinary_one(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        code = start(server)
        finish(server, code)
        with server.sit(code, SEATS[ADA]) as guest:
            guest.ask("rematch")
            while not guest.state["rematch"]:
                message = guest.until("state", "rematch")
                guest.state["rematch"] = guest.state["rematch"] or message.get("table")
        with server.sit(guest.state["rematch"], SEATS[ADA]) as guest:
            assert guest.state["daily"] is None
            assert guest.state["sealing"] is not None


@pytest.mark.parametrize("game", game_names())
def test_a_game_goes_on_with_the_same_dice_after_a_restart(
    tmp_path: Path, clock: Clock, game: str
) -> None:
    with context(tmp_path) as server:
        whole = [entry["text"] for entry in finish(server, start(server, ADA, game))]
        code = start(server, BO, game)
        with server.sit(code, SEATS[BO]) as guest:
            while len(guest.log) < len(whole) // 2:
                guest.play()
    with context(tmp_path) as server:
        assert [entry["text"] for entry in finish(server, code, BO)] == whole
        assert standing(server, BO, game)["state"] == "finished"


@pytest.mark.parametrize("game", [GANZ, DOPPELT])
def test_rerolled_dice_are_counted_when_the_table_is_loaded_again(game: str) -> None:
    record = TableRecord(
        "bcdfgh",
        game,
        0,
        None,
        0,
        0,
        [SeatRecord("Ada", key=b"k")],
        "",
        seal=bytes(range(32)),
        dice=f"daily {DAY}",
    )
    master, translate, again = Master(record), catalogue("en"), 0
    while not master.over:
        if master.rollers:
            others = [
                Master(replace(record, events=master.log.events)),
                master.copy(),
                master.copy(),
            ]
            for one in (*others, master):
                one.roll(0, one.seq)
            assert len({entry.log.entries[-1].text for entry in (*others, master)}) == 1
        else:
            moves = master.position.legal_moves(0)
            thrown = [move for move in moves if move.view(translate)["kind"] == "reroll"]
            again += len(thrown)
            master.move(0, master.seq, (thrown or moves)[0].number)
    assert again > 1
    assert daily.follow(bytes(range(32)), transcripts.read(master.transcript(["Ada"])).position)


def test_groups_compare_their_members(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        code = ask(server, "group", name="Friends")["groups"][0]["code"]
        for token in (BO, EVE, EVE):
            server.client.post("/api/me/name", json={"token": token, "name": f"N{token[0]}"})
            groups = ask(server, "join", token, code=f" {code[:4].upper()}-{code[4:]} ")["groups"]
        assert groups == [{"code": code, "name": "Friends", "members": 3}]
        finish(server, start(server))
        start(server, BO)
        entries = ask(server, "board", EVE, game=GANZ, group=code)["entries"]
        assert [(entry["name"], entry["state"]) for entry in entries] == [
            ("NA", "finished"),
            ("NB", "running"),
            ("NE", "none"),
        ]
        assert reason(server, "board", "F" * 22, game=GANZ, group=code) == "unknown_group"
        assert reason(server, "join", "F" * 22, code="bcdfghjk") == "unknown_group"
        for token in (ADA, BO, EVE):
            assert ask(server, "leave", token, code=code)["groups"] == []
        assert reason(server, "join", code=code) == "unknown_group", "nobody was left in it"


def test_a_group_lists_the_shared_games_of_its_members(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        code = ask(server, "group", name="Friends")["groups"][0]["code"]
        ask(server, "join", BO, code=code)
        for token in (ADA, BO):
            server.client.post("/api/me/name", json={"token": token, "name": f"N{token[0]}"})
            finish(server, start(server, token, CLIMB), token, last=token == BO)
            standing(server, token, CLIMB)
        table, tokens = server.create(ME, HERE, game=GANZ)
        with server.sit(table, *tokens) as guest:
            while not guest.state["over"]:
                guest.play(
                    next(
                        seat
                        for seat in (0, 1)
                        if guest.moves(seat) or seat in guest.state["rollers"]
                    )
                )
            scores = guest.state["scores"]
        for token, seat in zip((ADA, BO), tokens, strict=True):
            server.client.post("/api/me/sit", json={"token": token, "table": table, "seat": seat})
        received = ask(server, "together", code=code)
        assert [
            (member["name"], member["you"], member["games"], member["days"])
            for member in received["members"]
        ] == [
            ("NA", True, 1, 1),
            ("NB", False, 1, 1),
        ]
        assert sum(member["won"] for member in received["members"]) == (
            1 if scores[0] != scores[1] else 2
        )
        assert sum(member["best"] for member in received["members"]) >= 1
        expected = {
            "one": 0,
            "other": 1,
            "games": 1,
            "ahead": int(scores[0] > scores[1]),
            "behind": int(scores[0] < scores[1]),
        }
        assert received["pairs"] == [expected]
        assert [
            (game["table"], [seat["score"] for seat in game["seats"]]) for game in received["games"]
        ] == [(table, scores)]
        assert [seat["member"] for seat in received["games"][0]["seats"]] == [0, 1]
        assert reason(server, "together", EVE, code=code) == "unknown_group"


def test_a_closed_day_shows_the_best_game_and_that_of_a_computer_player(
    tmp_path: Path, clock: Clock
) -> None:
    with context(tmp_path) as server:
        codes = [start(server, token) for token in (ADA, BO)]
        for code, token, last in zip(codes, (ADA, BO), (False, True), strict=True):
            finish(server, code, token, last)
        scores = [standing(server, token)["score"] for token in (ADA, BO)]
        clock.set("2026-11-17T01:00:00")
        deadline = time.monotonic() + 120
        while (received := ask(server, "solution", EVE, game=GANZ))[
            "strong"
        ] is None and time.monotonic() < deadline:
            time.sleep(0.1)
        best = codes[scores.index(max(scores))]
        assert (received["best"]["table"], received["best"]["score"]) == (best, max(scores))
        assert received["best"]["rolls"][0]["text"] == received["strong"]["rolls"][0]["text"]
        assert [roll["round"] for roll in received["best"]["rolls"]] == sorted(
            roll["round"] for roll in received["best"]["rolls"]
        )
        for replay in (received["best"], received["strong"]):
            text = server.client.get(f"/api/tables/{replay['table']}/transcript").text
            read = transcripts.read(text)
            assert read.position.score(0) == replay["score"]
            assert daily.verify(
                received["promise"], bytes.fromhex(received["key"]), read.position
            ) == len(replay["rolls"])
            with server.sit(replay["table"]) as guest:
                assert guest.ask("moments", first=0, count=3)["type"] == "moments"
        assert ask(server, "solution", EVE, game=GANZ)["strong"] == received["strong"], (
            "it is played once"
        )
        assert received["best"]["foreseen"] is False
        rolls = [{"at": 2 * at + 1, "luck": 5.0} for at in range(30)]
        review = {
            "format": FORMAT,
            "seats": [
                {"decisions": [{"at": 2 * at, "loss": 1.0} for at in range(30)], "chances": rolls}
            ],
        }
        store = server.client.app.state.lobby.store  # type: ignore[attr-defined]
        server.client.portal.call(store.keep_review, best, json.dumps(review))  # type: ignore[attr-defined]
        assert ask(server, "solution", EVE, game=GANZ)["best"]["foreseen"] is True, (
            "luck after every mistake"
        )


@pytest.mark.parametrize(
    "day", ["", "today", "2026-13-01", "2026-11-31", "2026-11-17", "20261116", "9999-12-31", 7]
)
def test_a_day_that_is_none_is_refused(tmp_path: Path, clock: Clock, day: Any) -> None:
    with context(tmp_path) as server:
        for question in ("board", "solution"):
            assert reason(server, question, game=GANZ, day=day) in ("no_such_day", "bad_message")


def test_days_are_taken_out_and_deleted_with_a_person(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        finish(server, start(server))
        start(server, ADA, CLIMB)
        ask(server, "group", name="Friends")
        score = standing(server)["score"]
        out = server.client.post("/api/me/export", json={"token": ADA}).json()["daily"]
        assert out == [
            {"day": DAY, "game": GANZ, "score": score},
            {"day": DAY, "game": CLIMB, "score": None},
        ]
        server.client.post("/api/me/delete", json={"token": ADA})
        for table in ("dailies", "daily_members", "daily_groups"):
            assert query(server, f"SELECT * FROM {table}") == []


def test_an_attempt_after_a_deletion_is_flagged(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        start(server)
        assert standing(server)["again"] is False
        server.client.post("/api/me/delete", json={"token": ADA})
        finish(server, start(server, BO), BO)
        (entry,) = ask(server, "board", BO, game=GANZ)["entries"]
        assert (entry["again"], standing(server, BO)["again"]) == (True, True), "the same address"
        assert standing(server, BO, CLIMB)["again"] is False
        start(server, BO, CLIMB)
        assert standing(server, BO, CLIMB)["again"] is False, (
            "nobody who has begun that game was deleted"
        )
        kept = repr(
            query(server, "SELECT mark FROM daily_marks")
            + query(server, "SELECT address FROM dailies")
        )
        assert "testclient" not in kept
        clock.set("2026-11-17T12:00:00")
        start(server, BO)
        assert standing(server, BO)["again"] is False, "another day"
    clock.set("2026-11-18T01:00:00")
    with context(tmp_path) as server:
        deadline = time.monotonic() + 120
        while query(server, "SELECT * FROM daily_marks") and time.monotonic() < deadline:
            time.sleep(0.01)
        assert query(server, "SELECT * FROM daily_marks") == []
        assert query(server, "SELECT address FROM dailies WHERE address IS NOT NULL") == []
        assert query(server, "SELECT name FROM secrets WHERE name LIKE 'marks%'") == [], (
            "what marks were made with goes with the day"
        )


def test_another_address_on_the_same_device_is_marked_too(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        start(server)
        lobby = server.client.app.state.lobby  # type: ignore[attr-defined]
        server.client.portal.call(lobby.forget, ADA, "192.0.2.1")  # type: ignore[attr-defined]
        request = {"token": ADA, "game": GANZ, "seat": SEATS[ADA]}
        server.client.portal.call(lobby.challenge.start, request, "192.0.2.2")  # type: ignore[attr-defined]
        assert standing(server)["again"] is True
        for token, client in ((BO, "192.0.2.1"), (EVE, "192.0.2.3")):
            request = {"token": token, "game": GANZ, "seat": SEATS[token]}
            server.client.portal.call(lobby.challenge.start, request, client)  # type: ignore[attr-defined]
        assert standing(server, BO)["again"] is True, "where it was deleted"
        assert standing(server, EVE)["again"] is False


def test_what_is_refused_leaves_nothing_behind(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        for number in range(30):
            assert reason(server, "board", game=f"game-{number}") == "unknown_game"
            ask(server, "board", game=GANZ, day=f"2026-10-{number + 1:02}")
        assert reason(server, "join", code="bcdfghjk") == "unknown_group"
        ask(server, "leave", code="bcdfghjk")
        ask(server, "")
        assert query(server, "SELECT * FROM people") == []
        looked = server.client.app.state.lobby.challenge._looked  # type: ignore[attr-defined]
        assert set(looked) == {(DAY, game) for game in game_names()}


def test_what_belongs_to_nobody_is_removed(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path) as server:
        mine, lost = start(server), start(server, BO)
        ask(server, "group", name="Friends")
        clock.set("2026-11-17T01:00:00")
        deadline = time.monotonic() + 120
        while ask(server, "solution", game=GANZ)["strong"] is None and time.monotonic() < deadline:
            time.sleep(0.1)
        ((played,),) = query(server, "SELECT code FROM daily_solutions")
        for statement in (
            (
                "DELETE FROM dailies "
                f"WHERE person IN (SELECT person FROM dailies WHERE code = '{lost}')"
            ),
            "INSERT INTO daily_groups (code, name, created) VALUES ('zzzzzzzz', 'Empty', 1)",
            "INSERT INTO daily_members (code, person) VALUES ('yyyyyyyy', 'nobody')",
            "INSERT INTO daily_groups (code, name, created) VALUES ('yyyyyyyy', 'Gone', 1)",
        ):
            query(server, statement)
        tidy = server.client.app.state.lobby.store.transact  # type: ignore[attr-defined]
        sweep = partial(forgetting.tidy, clock.now, "2026-11-16")
        assert server.client.portal.call(tidy, sweep) == [], "it may be begun at this moment"  # type: ignore[attr-defined]
        sweep = partial(forgetting.tidy, clock.now + 3 * 86_400, "2026-11-16")
        assert server.client.portal.call(tidy, sweep) == [lost]  # type: ignore[attr-defined]
        assert sorted(query(server, "SELECT code FROM tables")) == sorted([(mine,), (played,)])
        assert query(server, "SELECT name FROM daily_groups") == [("Friends",)]
        assert query(server, f"SELECT code FROM seats WHERE code = '{lost}'") == []


def test_your_own_result_is_shown_at_once_and_others_soon(
    tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    with context(tmp_path) as server:
        codes = {token: start(server, token) for token in (ADA, BO)}
        ask(server, "")
        monkeypatch.setattr(challenge, "LOOK_EVERY", 1e6)
        for token, code in codes.items():
            finish(server, code, token)
        assert (standing(server)["state"], standing(server)["finished"]) == ("finished", 1)
        monkeypatch.setattr(challenge, "LOOK_EVERY", 0.0)
        assert standing(server)["finished"] == 2


def test_nobody_fills_the_server_with_tables_of_a_day(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path, Limits(tables_per_client=3, requests_per_client=1000)) as server:
        answers = [post(server, "start", f"{n:022}", game=GANZ, seat=f"{n:032}") for n in range(6)]
        assert [answer.status_code for answer in answers] == [200] * 3 + [429] * 3
        assert len(query(server, "SELECT * FROM tables")) == 3


def test_the_secret_and_the_results_move_with_the_tables(tmp_path: Path, clock: Clock) -> None:
    with context(tmp_path / "one") as server:
        finish(server, start(server))
        code = start(server, BO)
        before = standing(server), key_of(server)

    async def carry() -> None:
        source, target = SqliteStore(tmp_path / "one"), SqliteStore(tmp_path / "two")
        await copy_tables(source, target)
        await source.close()
        await target.close()

    asyncio.run(carry())
    with context(tmp_path / "two") as server:
        assert (standing(server), key_of(server)) == before
        finish(server, code, BO)
        assert standing(server, BO)["state"] == "finished"


def me(server: ServerContext, question: str, token: str = ADA) -> Any:
    answer = server.client.post(f"/api/me/{question}", json={"token": token})
    assert answer.status_code == 200, answer.text
    return answer.json()


def until_reviewed(request: Callable[[], Any]) -> Any:
    """Repeat a request until no review is missing."""
    ends = time.monotonic() + 120
    while (found := request())["reviewing"]:
        assert time.monotonic() < ends, found
        time.sleep(0.1)
    return found


def test_finished_games_are_reviewed_and_rated_without_being_asked(
    tmp_path: Path, clock: Clock
) -> None:
    with context(tmp_path) as server:
        assert me(server, "games") == {
            "games": [],
            "unreadable": [],
            "skills": [],
            "reviewing": 0,
        }
        finish(server, start(server))
        first = me(server, "games")
        assert (first["reviewing"], first["skills"]) == (1, [])
        found = until_reviewed(lambda: me(server, "games"))
        (skill,) = found["skills"]
        review = found["games"][0]["review"]
        assert skill["loss"] == pytest.approx(review["loss"] / review["decisions"])
        assert (skill["game"], skill["several"], skill["games"]) == (GANZ, False, 1)
        assert (skill["error"], skill["curve"]) == (None, [skill["loss"]])
        assert {skill["weaker"], skill["stronger"]} <= {"", "random", "easy", "medium", "strong"}
        clock.set("2026-11-17T12:00:00")
        finish(server, start(server), last=True)
        (skill,) = until_reviewed(lambda: me(server, "games"))["skills"]
        assert skill["games"] == len(skill["curve"]) == 2
        assert skill["error"] > 0
        assert me(server, "skill")["skills"] == [skill]
        assert me(server, "skill", BO)["skills"] == []


def test_a_board_and_a_week_compare_points_and_skill(tmp_path: Path, clock: Clock) -> None:
    clock.set("2026-11-16T12:00:00")  # a Monday
    with context(tmp_path) as server:
        group = ask(server, "group", name="Us")["groups"][0]["code"]
        assert reason(server, "week", BO, code=group, game=GANZ) == "unknown_group"
        ask(server, "join", BO, code=group)
        finish(server, start(server))
        finish(server, start(server, BO), BO, last=True)
        board = until_reviewed(lambda: ask(server, "board", game=GANZ, group=group))
        losses = {entry["you"]: entry["loss"] for entry in board["entries"]}
        assert all(loss > 0 for loss in losses.values())
        clock.set("2026-11-18T12:00:00")
        finish(server, start(server))
        week = until_reviewed(lambda: ask(server, "week", code=group, game=GANZ))
        assert (week["days"][0], week["days"][6], len(week["days"])) == (DAY, "2026-11-22", 7)
        ada, bo = sorted(week["members"], key=lambda member: not member["you"])
        assert [score is not None for score in ada["scores"]] == [True, False, True] + [False] * 4
        assert [score is not None for score in bo["scores"]] == [True] + [False] * 6
        for member in (ada, bo):
            assert member["points"] == sum(score or 0 for score in member["scores"])
        assert (ada["losses"][0], bo["losses"][0]) == pytest.approx((losses[True], losses[False]))
        assert sorted([ada["place"], bo["place"]]) == [1, 2]
        better, worse = sorted([ada, bo], key=lambda member: member["skill"]["loss"])
        assert (better["skill_place"], worse["skill_place"]) == (1, 2), (
            "a missed day costs no skill"
        )
        assert [member["points"] for member in week["members"]] == sorted(
            (ada["points"], bo["points"]), reverse=True
        )
        until_reviewed(lambda: me(server, "games"))
        (again,) = [
            member
            for member in ask(server, "week", code=group, game=GANZ)["members"]
            if member["you"]
        ]
        assert again["rating"]["games"] == 2
        clock.set("2026-11-23T12:00:00")
        assert ask(server, "week", code=group, game=GANZ)["days"][0] == "2026-11-23"
        last = ask(server, "week", code=group, game=GANZ, day="2026-11-20")
        assert last["days"] == week["days"]
        assert [member["points"] for member in last["members"]] == [
            member["points"] for member in week["members"]
        ]
        for day in ("2026-11-24", "yesterday"):
            assert reason(server, "week", code=group, game=GANZ, day=day) == "no_such_day"
        assert reason(server, "week", code=group, game="chess") == "unknown_game"


def test_a_rank_among_ten_thousand_is_found_by_index_within_twenty_milliseconds(
    tmp_path: Path,
) -> None:
    async def make_file() -> None:
        await SqliteStore(tmp_path).close()

    asyncio.run(make_file())
    with sqlite3.connect(tmp_path / FILE) as connection:
        rows = [(DAY, GANZ, f"p{n}", "", 1, n % 300, 2) for n in range(10_000)]
        connection.executemany(
            "INSERT INTO dailies (day, game, person, code, begun, score, ended) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            rows,
        )
        connection.executemany(
            "INSERT INTO people VALUES (?, 'N', 't', 1)", [(f"p{n}",) for n in range(10_000)]
        )
    connection.close()

    async def look() -> None:
        store = SqliteStore(tmp_path)
        rows = DailyRows(store)
        now = daily.closes(DAY) - 1
        await rows.standing(DAY, GANZ, "p7", now)
        for answer in (rows.standing, rows.best):
            began = time.process_time()
            for _ in range(5):
                found = await answer(DAY, GANZ, "p7", now)
            assert (time.process_time() - began) / 5 < 0.02
        assert (await rows.standing(DAY, GANZ, "p299", now))["place"] == 1
        assert len(found.entries) == 20
        await store.close()

    asyncio.run(look())
