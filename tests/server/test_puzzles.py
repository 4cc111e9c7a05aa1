"""Puzzles on a server: each answer counts once, and results belong to a person."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from foxclover import game_names, puzzles
from foxclover.core.game import game
from foxclover.locale import catalogue
from foxclover.server import puzzles as exercises
from tables import GANZ, ServerContext, context, limited_server

ADA, BO = "A" * 22, "B" * 22


def ask(server: ServerContext, token: str = ADA, key: str = GANZ, **values: Any) -> Any:
    wanted = {"token": token, "game": key, "which": "rated"} | values
    answer = server.client.post("/api/puzzles", json=wanted)
    return answer.json() | {"status": answer.status_code}


def answer(server: ServerContext, name: str, token: str = ADA, **values: Any) -> Any:
    wanted = {"token": token, "game": GANZ, "id": name, "rated": True} | values
    found = server.client.post("/api/puzzles/answer", json=wanted)
    return found.json() | {"status": found.status_code}


def export(server: ServerContext, token: str = ADA) -> Any:
    return server.client.post("/api/me/export", json={"token": token}).json()["puzzles"]


def best(name: str) -> int:
    return puzzles.load(game(GANZ))[name].best.move.number


@pytest.mark.parametrize("key", game_names())
def test_a_puzzle_is_asked_without_its_solution(key: str, server: ServerContext) -> None:
    asked = ask(server, key=key)
    puzzle = puzzles.load(game(key))[asked["id"]]
    legal = puzzle.position.legal_moves(puzzle.seat)
    assert [move["id"] for move in asked["moment"]["moves"]] == [move.number for move in legal]
    assert asked["seat"] == puzzle.seat
    assert asked["rated"]
    assert not {"best", "options", "why"} & asked.keys()
    assert export(server) == [], "asking stores nothing"


def test_only_the_first_answer_changes_ratings(server: ServerContext) -> None:
    name = ask(server)["id"]
    solved = answer(server, name, move=best(name))
    assert solved["solved"]
    assert solved["rated"]
    assert solved["change"] > 0
    assert (solved["you"]["tried"], solved["you"]["streak"]) == (1, 1)
    assert solved["rating"] < puzzles.load(game(GANZ)).rating(name)
    again = answer(server, name, move=best(name))
    assert (again["rated"], again["change"], again["you"]) == (False, 0, solved["you"])
    other = answer(server, name, BO)
    assert other["rating"] > solved["rating"], "a puzzle that is missed becomes harder"
    assert (other["solved"], other["you"]["missed"]) == (False, 1)
    assert other["loss"] > 0
    assert ask(server, BO, which="missed")["id"] == name
    assert answer(server, name, BO, rated=False, move=best(name))["you"]["missed"] == 0
    assert ask(server, BO, which="missed")["reason"] == "no_puzzles"


def test_a_practised_puzzle_is_never_rated_afterwards(server: ServerContext) -> None:
    asked = ask(server, which="theme", name="reroll")
    assert not asked["rated"]
    assert "reroll" in puzzles.load(game(GANZ)).themes(asked["id"])
    assert not answer(server, asked["id"], rated=False)["rated"]
    assert not answer(server, asked["id"], move=best(asked["id"]))["rated"]
    assert not ask(server, which="named", name=asked["id"])["rated"]


def test_the_puzzle_of_the_day_is_the_same_for_all(server: ServerContext) -> None:
    found = [ask(server, token, which="day") for token in (ADA, BO)]
    assert found[0]["id"] == found[1]["id"]
    assert found[0]["day"] == time.strftime("%Y-%m-%d", time.gmtime())


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ({"key": "chess"}, "unknown_game"),
        ({"which": "all"}, "bad_message"),
        ({"which": "named", "name": "nothing"}, "unknown_puzzle"),
        ({"which": "theme", "name": "nothing"}, "no_puzzles"),
        ({"token": "short"}, "bad_message"),
    ],
)
def test_a_bad_request_gets_a_sentence(
    values: dict[str, Any], reason: str, server: ServerContext
) -> None:
    refused = ask(server, **values)
    assert (refused["status"] >= 400, refused["reason"]) == (True, reason)
    assert refused["words"]


def test_a_refused_answer_changes_nothing(server: ServerContext) -> None:
    name = ask(server)["id"]
    assert answer(server, name, move=10**6)["reason"] == "illegal_move"
    assert answer(server, "nothing")["reason"] == "unknown_puzzle"
    assert answer(server, name, game="geht-noch-was")["reason"] == "unknown_puzzle"
    assert export(server) == []
    assert answer(server, name)["rated"]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_results_survive_a_kill_and_end_with_their_person(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    database = request.getfixturevalue("database") if kind == "postgres" else ""
    with limited_server(tmp_path, "", database) as server:
        name = ask(server)["id"]
        made = answer(server, name, move=best(name))
        server.kill()
    with limited_server(tmp_path, "", database) as server:
        assert ask(server)["you"] == made["you"]
        assert not answer(server, name, move=best(name))["rated"]
        (kept,) = export(server)
        assert json.loads(kept["results"])[0] == pytest.approx(made["you"]["rating"])
        assert [(attempt["id"], attempt["made"]) for attempt in kept["attempts"]] == [(name, 1)]
        server.client.post("/api/me/delete", json={"token": ADA})
        assert export(server) == []
        fresh = answer(server, name, BO, move=best(name))
        assert fresh["rating"] < made["rating"], "puzzles keep their ratings"


def test_a_linked_device_brings_its_results(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        name = ask(server, BO)["id"]
        made = answer(server, name, BO, move=best(name))
        code = server.client.post("/api/me/along", json={"token": ADA}).json()["code"]
        wanted = {"token": BO, "code": code, "agreed": True}
        check = server.client.post("/api/me/arrive", json=wanted).json()["check"]
        server.client.post("/api/me/admit", json={"token": ADA, "check": check, "admit": True})
        assert ask(server)["you"] == made["you"]


def test_without_a_server_the_page_keeps_the_record() -> None:
    translate = catalogue("en")
    asked = exercises.ask_locally({"token": ADA, "game": GANZ, "which": "rated"}, translate)
    request: Any = {"token": ADA, "game": GANZ, "id": asked["id"], "rated": True}
    request |= {"move": best(asked["id"]), "record": asked["you"]["record"]}
    made = exercises.answer_locally(request, translate)
    assert made["change"] > 0
    again = exercises.answer_locally(request | {"record": made["you"]["record"]}, translate)
    assert (again["rated"], again["you"]) == (False, made["you"])
    for damaged in ("", "{}", "[1]", '["[]",{}]', '["[1,2,3,4,5,6,7]",{"a":[]}]'):
        assert exercises.answer_locally(request | {"record": damaged}, translate)["rated"]
