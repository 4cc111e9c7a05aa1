"""Puzzles on a server: each answer counts once, and results belong to a person."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
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
    assert (solved["you"]["tried"], solved["you"]["streak"]) == (1, 0)
    assert solved["rating"] < puzzles.load(game(GANZ)).rating(name)
    again = answer(server, name, move=best(name))
    assert (again["rated"], again["change"], again["you"]) == (False, 0, solved["you"])
    other = answer(server, name, BO)
    assert other["rating"] > solved["rating"], "a puzzle that is missed becomes harder"
    every = puzzles.load(game(GANZ))
    missed = {"id": name, "rating": every.rating(name), "themes": list(every.themes(name))}
    assert (other["solved"], other["you"]["missed"]) == (False, [missed])
    assert other["loss"] > 0
    assert ask(server, BO, which="missed")["id"] == name
    assert answer(server, name, BO, rated=False, move=best(name))["you"]["missed"] == []
    assert ask(server, BO, which="missed")["reason"] == "no_puzzles"


def test_a_streak_gets_harder_and_ends_with_the_first_miss(server: ServerContext) -> None:
    every = puzzles.load(game(GANZ))
    ratings = []
    for count in range(1, 4):
        asked = ask(server, which="streak")
        assert ask(server, which="streak")["id"] == asked["id"], "to reload gives no easier one"
        ratings.append(every.rating(asked["id"]))
        made = answer(server, asked["id"], move=best(asked["id"]), streak=True)
        assert (made["you"]["streak"], made["you"]["best"]) == (count, count)
        again = answer(server, asked["id"], move=best(asked["id"]), streak=True)
        assert again["you"]["streak"] == count, "an answer counts once"
    assert ratings == sorted(set(ratings))
    other = ask(server)["id"]
    assert answer(server, other, move=best(other))["you"]["streak"] == 3, "not of the streak"
    ended = answer(server, ask(server, which="streak")["id"], streak=True)["you"]
    assert (ended["streak"], ended["best"]) == (0, 3)


def test_a_missed_puzzle_is_repeated_by_choice(server: ServerContext) -> None:
    names = []
    for _ in range(3):
        names.append(ask(server)["id"])
        missed = answer(server, names[-1])["you"]["missed"]
    assert sorted(each["id"] for each in missed) == sorted(names)
    for name in names:
        asked = ask(server, which="missed", name=name)
        assert (asked["id"], asked["rated"]) == (name, False)
    assert ask(server, which="missed", name="nothing")["id"] in names


def test_all_missed_puzzles_are_counted_and_the_latest_listed(
    server: ServerContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("foxclover.server.puzzles.MOST_LISTED", 2)
    names = []
    for _ in range(3):
        names.append(ask(server)["id"])
        you = answer(server, names[-1])["you"]
    assert {each["id"] for each in you["missed"]} < set(names)
    assert (len(you["missed"]), you["missed_count"]) == (2, 3)


def test_puzzles_of_another_version_or_damaged_are_refused_and_change_nothing(
    server: ServerContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = ask(server)["id"]
    other = puzzles.load(game("doppelt"))
    old = tmp_path / "old.json.gz"
    puzzles.write(old, game("doppelt"), [other[next(iter(other))]])
    damaged = tmp_path / "damaged.json.gz"
    damaged.write_bytes(old.read_bytes()[:-20])
    for unusable in (old, damaged, tmp_path / "missing"):
        with monkeypatch.context() as patched:
            patched.setattr(exercises, "load", partial(puzzles.PuzzleSet, unusable))
            for refused in (ask(server), answer(server, name, move=best(name))):
                assert (refused["status"], refused["reason"]) == (404, "no_puzzles")
                assert refused["words"]
    assert answer(server, next(iter(other)))["reason"] == "unknown_puzzle"
    assert export(server) == []
    assert answer(server, name, move=best(name))["rated"]


def bring_in(server: ServerContext, token: str, own: Any) -> Any:
    wanted = {"token": token, "games": [], "puzzles": own}
    return server.client.post("/api/me/import", json=wanted).json()


def test_exported_results_are_imported_once(tmp_path: Path) -> None:
    with context(tmp_path / "one") as server:
        names = [ask(server)["id"]]
        answer(server, names[0], move=best(names[0]))
        names.append(ask(server)["id"])
        you = answer(server, names[1])["you"]
        own = export(server)
    with context(tmp_path / "two") as server:
        assert bring_in(server, ADA, own)["puzzles"] == 2
        assert export(server) == own
        assert ask(server)["you"] == you
        assert not answer(server, names[0], move=best(names[0]))["rated"]
        assert bring_in(server, ADA, own)["puzzles"] == 0, "twice"
        assert export(server) == own
        bo = answer(server, names[0], BO, move=best(names[0]))["you"]
        assert bring_in(server, BO, own)["puzzles"] == 1
        assert ask(server, BO)["you"]["rating"] == bo["rating"], "a rating of your own stays"


@pytest.mark.parametrize(
    "damage",
    [
        {"game": "chess"},
        {"results": "[1,2"},
        {"results": "[9999,60,0.06,1,1,0,0]"},
        {"results": "[1500,1,0.06,1,1,0,0]"},
        {"results": "[NaN,60,0.06,1,1,0,0]"},
        {"results": "[1500,60,0.06,1e999,1,0,0]"},
        {"results": "[1500,60,0.06,9,9,0,0]"},
        {"results": "[1500,60,0.06,1,2,0,0]"},
        {"results": '{"a":1}'},
        {"attempts": [{"id": "x", "made": 3, "at": 1}]},
        {"attempts": 7},
    ],
)
def test_damaged_results_are_not_imported(damage: dict[str, Any], server: ServerContext) -> None:
    name = next(iter(puzzles.load(game(GANZ))))
    own = {"game": GANZ, "results": "", "attempts": [{"id": name, "made": 1, "at": 1}]}
    found = bring_in(server, ADA, [own | damage])
    assert found.get("refused") or found["reason"] == "bad_message"
    assert export(server) == []
    foreign = own | {"attempts": [{"id": "no such", "made": 1, "at": 2**52}]}
    assert bring_in(server, ADA, [foreign])["puzzles"] == 0, "of another version"


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
        with ThreadPoolExecutor(4) as pool:
            at_once = list(pool.map(lambda _: answer(server, name, move=best(name)), range(4)))
        (made,) = [each for each in at_once if each["rated"]]
        assert all(each["you"] == made["you"] for each in at_once), "an answer counts once"
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
