"""People without accounts.

Devices, games that are kept, and everything taken along, out, in and away.
"""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any, get_type_hints

import pytest

from foxclover import agent, game_names, seeded, transcripts
from foxclover.core.game import game
from foxclover.review.schema import FORMAT
from foxclover.server.people import history
from foxclover.server.people import people as people_module
from foxclover.server.protocol.identifiers import token_key
from foxclover.server.protocol.people import Export
from foxclover.server.stores import copy_tables
from foxclover.server.stores.postgres import PostgresStore
from foxclover.server.stores.sqlite import SqliteStore
from tables import (
    GANZ,
    HERE,
    ME,
    PLENTY,
    QUICK,
    ROBOT,
    ServerContext,
    context,
    limited_server,
    real_server,
)

ADA = "A" * 22
BO = "B" * 22
EVE = "E" * 22


def imported(added: int, known: int) -> dict[str, Any]:
    """The answer to an import of good transcripts."""
    return {"added": added, "known": known, "puzzles": 0, "refused": []}


def ask(server: ServerContext, question: str, token: str = ADA, **values: Any) -> Any:
    answer = server.client.post(
        f"/api/me{question and '/' + question}", json={"token": token} | values
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def reason(server: ServerContext, question: str, **values: Any) -> str:
    answer = server.client.post(
        f"/api/me{question and '/' + question}", json={"token": ADA} | values
    )
    assert answer.status_code >= 400
    assert answer.json()["words"]
    return str(answer.json()["reason"])


def finish(server: ServerContext, *seats: Any, key: str = GANZ) -> tuple[str, list[str], list[int]]:
    """Play a game to its end; return table, tokens and scores."""
    code, tokens = server.create(*seats, game=key)
    with server.sit(code, *tokens) as guest:
        while not guest.state["over"]:
            seat = next(
                (
                    seat
                    for seat in guest.state["you"]
                    if guest.moves(seat) or seat in guest.state["rollers"]
                ),
                None,
            )
            if seat is None:
                guest.until("state")
            else:
                guest.play(seat)
        return code, tokens, guest.state["scores"]


def text_of_game(
    key: str = "ganz", seed: int = 3, names: tuple[str, ...] = ("Ada", "Robot:random")
) -> str:
    position, dice, player = (
        game(key).start(len(names)),
        seeded(seed),
        agent("random", game(key), seed),
    )
    while not position.over:
        if position.chance_due:
            position.roll(dice)
        else:
            position.push(player.choose(position, position.acting[0]))
    return transcripts.write(
        transcripts.Header(position.game, list(names), f"seed {seed}"), position
    )


def rows(server: ServerContext, statement: str, *values: Any) -> list[Any]:
    store = server.client.app.state.lobby.store  # type: ignore[attr-defined]
    return list(server.client.portal.call(store.query, statement, *values))  # type: ignore[attr-defined]


def who_plays_whom(server: ServerContext, group: str) -> Any:
    return server.client.post("/api/daily/together", json={"token": ADA, "code": group}).json()


def test_a_device_belongs_to_a_person_with_a_name_and_a_tag(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        assert ask(server, "") == {"name": "", "tag": "", "devices": 1, "games": 0}, (
            "nothing is kept of who only looks"
        )
        first = ask(server, "name", name="  Ada\u202e ")
        assert (first["name"], first["devices"], first["games"], len(first["tag"])) == (
            "Ada",
            1,
            0,
            4,
        )
        others = {ask(server, "name", token, name="Ada")["tag"] for token in (BO, EVE)}
        assert others != {first["tag"]}
    with context(tmp_path) as server:
        assert ask(server, "") == first


def test_only_hashes_of_secrets_are_stored(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code = ask(server, "along")["code"]
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert token_key(ADA) in stored
    assert ADA.encode() not in stored
    assert code.encode() not in stored


def test_finished_games_of_own_seats_are_kept_and_read_again_as_text(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        for key in game_names():
            code, tokens, scores = finish(server, ME, ROBOT, key=key)
            ask(server, "sit", table=code.upper(), seat=tokens[0])
            ask(server, "sit", table=code, seat=tokens[0])
            newest = next(game for game in ask(server, "games")["games"] if game["id"] == code)
            assert newest["scores"] == scores
            assert (newest["seat"], newest["names"][0], newest["levels"]) == (
                0,
                "Ada",
                ["", "random"],
            )
            assert sum(newest["parts"].values()) == scores[0]
            assert sorted(newest["places"])[0] == 1
            assert newest["dice"] == "sealed"
            read = transcripts.read(ask(server, "transcript", id=code)["transcript"])
            assert [read.position.score(seat) for seat in range(2)] == scores
        assert len(ask(server, "games")["games"]) == len(game_names())
        assert ask(server, "games", BO)["games"] == []
        assert reason(server, "transcript", id="zzzzzz") == "not_found"
        assert (
            server.client.post("/api/me/transcript", json={"token": BO, "id": code}).json()[
                "reason"
            ]
            == "not_found"
        )
    with context(tmp_path) as server:
        assert len(ask(server, "games")["games"]) == len(game_names())


def test_every_game_of_the_history_can_be_replayed_and_shows_luck_and_loss_once_reviewed(
    tmp_path: Path,
) -> None:
    with context(tmp_path) as server:
        code, tokens, _ = finish(server, ME, ROBOT)
        ask(server, "sit", table=code, seat=tokens[0])
        ask(server, "import", games=[{"transcript": text_of_game(), "seat": 0}])
        found = ask(server, "games")["games"]
        tables = {entry["id"]: ask(server, "look", id=entry["id"])["table"] for entry in found}
        assert tables[code] == code
        assert {
            entry["id"]: ask(server, "look", id=entry["id"])["table"] for entry in found
        } == tables, "opened once"
        assert reason(server, "look", id="zzzzzz") == "not_found"
        assert (
            server.client.post("/api/me/look", json={"token": BO, "id": code}).json()["reason"]
            == "not_found"
        )
        store = server.client.app.state.lobby.store  # type: ignore[attr-defined]
        decisions = [{"loss": 0.0}, {"loss": 2.5}, {"loss": 0.0}]
        figures = {"luck": 4.5, "loss": 2.5, "adjusted": 90.25, "decisions": decisions}
        record = {"format": FORMAT, "seats": [figures, figures | {"luck": -1.0}]}
        for table in tables.values():
            with server.sit(table) as guest:
                assert guest.ask("moments", first=0, count=2)["type"] == "moments"
            server.client.portal.call(store.keep_review, table, json.dumps(record))  # type: ignore[attr-defined]
        for one in ask(server, "games")["games"]:
            assert one["table"] == tables[one["id"]]
            assert one["review"] == {
                "luck": 4.5,
                "loss": 2.5,
                "adjusted": 90.25,
                "decisions": 3,
                "best": 2,
            }
        ask(server, "delete")
        names = server.client.portal.call(
            store.query, "SELECT DISTINCT name FROM seats WHERE level = ''"
        )  # type: ignore[attr-defined]
        assert names == [("",)]


def test_a_game_counts_when_it_is_over_whatever_ends_the_server_before(tmp_path: Path) -> None:
    with real_server(tmp_path) as server:
        code, tokens = server.create(ME)
        ask(server, "sit", table=code, seat=tokens[0])
        assert ask(server, "games")["games"] == []
        with server.sit(code, *tokens) as guest:
            while not guest.state["over"]:
                guest.play()
        server.kill()
    with context(tmp_path) as server:
        assert [game["id"] for game in ask(server, "games")["games"]] == [code]


def test_a_seat_of_another_person_cannot_be_claimed(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME, HERE)
        assert reason(server, "sit", table=code, seat="x" * 32) == "unknown_token"
        assert reason(server, "sit", table="zzzzzz", seat=tokens[0]) == "unknown_token"
        assert rows(server, "SELECT * FROM people") == [], "a refused device is not stored"


def hand_over(server: ServerContext, code: str, token: str = BO) -> None:
    """Let another device in, as both users agree."""
    handover = ask(server, "arrive", token, code=code, name="Phone")
    assert handover["state"] == "asked"
    assert ask(server, "arrive", token, code=code, agreed=True)["state"] == "waiting"
    assert ask(server, "admit", check=handover["check"], admit=True) == {"asking": []}


def test_a_table_that_cannot_be_read_is_named_and_the_others_are_listed(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        codes = []
        for _ in range(3):
            code, tokens, _ = finish(server, ME)
            ask(server, "sit", table=code, seat=tokens[0])
            codes.append(code)
        rows(server, "UPDATE tables SET game = 'my-own-sheet' WHERE code = ?", codes[1])
        for answer in (ask(server, "games"), ask(server, "export")):
            assert len(answer["games"]) == 2
            assert answer["unreadable"] == [
                {
                    "table": codes[1],
                    "words": "This server does not have that game. Choose another one.",
                }
            ]
        rows(server, "UPDATE tables SET game = ? WHERE code = ?", GANZ, codes[1])
        assert len(ask(server, "games")["games"]) == 3


def test_another_device_is_taken_along_once_with_all_it_had(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        ask(server, "name", name="Ada")
        for token, seed in ((ADA, 1), (BO, 2)):
            ask(server, "import", token, games=[{"transcript": text_of_game(seed=seed)}])
        code = ask(server, "along")["code"]
        hand_over(server, f" {code[:4].upper()}-{code[4:]} ")
        assert (ask(server, "", BO)["devices"], ask(server, "", BO)["games"]) == (2, 2)
        assert ask(server, "games") == ask(server, "games", BO)
        assert ask(server, "arrive", BO, code=code)["state"] == "done"
        assert reason(server, "arrive", token=EVE, code=code) == "unknown_code", "it is used"
        assert reason(server, "arrive", code="bcdfghjk") == "unknown_code"
        assert ask(server, "arrive", ADA, code=ask(server, "along")["code"])["state"] == "done", (
            "to oneself"
        )
        assert ask(server, "")["devices"] == 2


def test_each_device_of_a_person_opens_their_tables(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        assert ask(server, "tables") == {"tables": []}
        code, [seat, other] = server.create(ME, HERE)
        ask(server, "sit", table=code, seat=seat)
        assert (ask(server, "tables"), ask(server, "tables", BO)) == (
            {"tables": [code]},
            {"tables": []},
        )
        with server.visit(code) as phone:
            assert phone.hello(BO)["reason"] == "unknown_token", "it is nobody's yet"
            hand_over(server, ask(server, "along")["code"])
            assert ask(server, "tables", BO) == {"tables": [code]}
            assert phone.hello(BO)["type"] == "state"
            assert phone.state["you"] == [0], "the seat that was claimed, no other"
            phone.play()
            info = server.client.post(f"/api/tables/{code}", json={"tokens": [BO]}).json()
            assert (info["you"], info["seq"]) == ([0], phone.state["seq"])
        with server.sit(code, seat, other) as guest:
            guest.play_out()
            again = guest.ask_rematch()
        assert ask(server, "tables", BO) == {"tables": [again]}, "a rematch has the same people"
        with server.sit(again, BO) as phone:
            assert phone.state["you"] == [1]
            assert phone.ask("seat", seat=1, change="leave")["type"] == "ack"
        assert ask(server, "tables", BO) == {"tables": []}
        device = ask(server, "devices")["devices"][1]["id"]
        ask(server, "revoke", device=device)
        with server.visit(code) as phone:
            assert phone.hello(BO)["reason"] == "unknown_token"


def test_a_history_is_handed_over_only_when_both_devices_agree(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        ask(server, "name", name="Ada")
        ask(server, "import", BO, games=[{"transcript": text_of_game()}])
        code = ask(server, "along")["code"]
        assert ask(server, "asking") == {"asking": []}
        received = ask(server, "arrive", BO, code=code, name="Phone")
        assert (received["state"], received["name"], received["games"], len(received["check"])) == (
            "asked",
            "Ada",
            1,
            4,
        )
        assert ask(server, "asking") == {
            "asking": [{"name": "Phone", "check": received["check"], "agreed": False}]
        }
        ask(server, "admit", check=received["check"], admit=True)
        assert (ask(server, "")["devices"], ask(server, "", BO)["name"]) == (1, ""), (
            "opening a link is no consent"
        )
        assert ask(server, "arrive", BO, code=code, agreed=True)["state"] == "done"
        assert (ask(server, "", BO)["devices"], ask(server, "")["games"]) == (2, 1)
        second = ask(server, "along")["code"]
        check = ask(server, "arrive", EVE, code=second, agreed=True)["check"]
        assert ask(server, "", EVE)["devices"] == 1, "knowing a code gives nothing"
        assert reason(server, "admit", check="no", admit=True) == "unknown_code"
        ask(server, "admit", check=check, admit=False)
        assert reason(server, "arrive", token=EVE, code=second, agreed=True) == "unknown_code"
        assert ask(server, "")["devices"] == 2


def test_devices_are_listed_and_can_be_revoked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with context(tmp_path) as server:
        assert ask(server, "devices") == {"devices": []}, "nothing is kept of who only looks"
        ask(server, "name", name="Ada")
        hand_over(server, ask(server, "along")["code"])
        mine, phone = ask(server, "devices", name="Laptop\u202e")["devices"]
        assert (mine["name"], mine["this"], phone["name"], phone["this"]) == (
            "Laptop",
            True,
            "Phone",
            False,
        )
        assert all(
            abs(device[when] - time.time()) < 60
            for device in (mine, phone)
            for when in ("added", "seen")
        )
        now = time.time() + 7_200
        with monkeypatch.context() as later:
            later.setattr(people_module.time, "time", lambda: now)
            ask(server, "", BO)
        assert ask(server, "devices")["devices"][1]["seen"] == int(now)
        left = ask(server, "along")["code"]
        assert (
            ask(server, "revoke", device=phone["id"])["devices"]
            == ask(server, "devices")["devices"]
        )
        assert [device["id"] for device in ask(server, "devices")["devices"]] == [mine["id"]]
        assert ask(server, "", BO) == {"name": "", "tag": "", "devices": 1, "games": 0}
        assert reason(server, "arrive", token=BO, code=left) == "unknown_code", (
            "codes given out before are not good any more"
        )
        assert reason(server, "revoke", device=mine["id"]) == "only_device"
        assert (
            server.client.post("/api/me/revoke", json={"token": EVE, "device": mine["id"]}).json()[
                "reason"
            ]
            == "not_found"
        )


def test_a_code_is_good_for_ten_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with context(tmp_path) as server:
        code = ask(server, "along")["code"]
        now = time.time()
        monkeypatch.setattr(people_module.time, "time", lambda: now + 601)
        assert reason(server, "arrive", token=BO, code=code) == "unknown_code"


def comparable(kept: list[Any]) -> list[str]:
    """Return what games have in common wherever they are stored, in an order without times."""
    return sorted(
        json.dumps(
            {
                key: game[key]
                for key in ("at", "game", "seat", "levels", "scores", "places", "parts")
            }
        )
        for game in kept
    )


def test_everything_can_be_taken_out_and_brought_in_elsewhere(tmp_path: Path) -> None:
    with context(tmp_path / "one") as server:
        ask(server, "name", name="Ada")
        code, tokens, _ = finish(server, ME, ROBOT)
        ask(server, "sit", table=code, seat=tokens[0])
        ask(server, "import", games=[{"transcript": text_of_game("geht", names=("Bo", "Ada"))}])
        out = ask(server, "export")
        assert (out["foxclover"], out["name"], len(out["games"])) == (1, "Ada", 2)
        before = ask(server, "games")["games"]
        assert ask(server, "import", games=out["games"]) == imported(added=0, known=2)
        saved = server.client.get(f"/api/tables/{code}/transcript?lang=de").text
        assert ask(server, "import", games=[{"transcript": saved}]) == imported(added=0, known=1)
    with context(tmp_path / "two") as server:
        assert ask(server, "import", games=out["games"]) == imported(added=2, known=0)
        assert ask(server, "import", games=out["games"]) == imported(added=0, known=2)
        assert comparable(ask(server, "games")["games"]) == comparable(before)


def test_a_game_from_a_position_belongs_to_no_history(tmp_path: Path) -> None:
    start = game("ganz").start()
    request = {"transcript": start.text, "at": 0, "seats": [ME], "same_dice": False}
    with context(tmp_path) as server:
        made = server.client.post("/api/tables/from-transcript", json=request).json()
        code, token = made["table"], made["seats"][0]["token"]
        with server.sit(code, token) as guest:
            while not guest.state["over"]:
                guest.play(0)
        ask(server, "sit", table=code, seat=token)
        assert ask(server, "games")["games"] == []
        text = server.client.get(f"/api/tables/{code}/transcript").text
        found = ask(server, "import", games=[{"transcript": text}])
        assert (found["added"], found["refused"]) == (
            0,
            ["This game starts from a position. Only whole games can be added to yours."],
        )


def test_own_games_are_found_by_name_and_bad_ones_refused_with_a_sentence(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        ask(server, "name", name="ada")
        whole = text_of_game(names=("Bo", "Ada"))
        broken = [
            whole[: whole.rindex("\n", 0, 500)],
            "Dear Ada",
            whole.replace("chance: ", "chance: z", 1),
            "x" * 60_001,
        ]
        answer = server.client.post(
            "/api/me/import",
            json={"token": ADA, "games": [{"transcript": text} for text in broken]},
        )
        assert answer.json()["reason"] == "bad_message", "too long at all"
        found = server.client.post(
            "/api/me/import",
            json={"token": ADA, "games": [{"transcript": text} for text in (*broken[:3], whole)]},
            headers={"Accept-Language": "de"},
        ).json()
        assert (found["added"], found["refused"]) == (
            1,
            [
                "Die Partie dieses Protokolls ist nicht zu Ende. Spiel sie zuerst zu Ende.",
                "Das ist kein Protokoll von Fox & Clover. Wähle eine andere Datei.",
                "Dieses Protokoll ist beschädigt: Zeile 7 lässt sich nicht nachspielen.",
            ],
        )
        assert ask(server, "games")["games"][0]["seat"] == 1
        ask(server, "import", games=[{"transcript": text_of_game(seed=9), "at": 2**53 - 1}])
        assert ask(server, "games")["games"][0]["at"] <= time.time(), (
            "a time that no page could show"
        )


def test_a_text_is_kept_as_we_write_it_ourselves(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        text = text_of_game()
        padded = (
            text.replace("chance: ", "   chance:  ").replace("\n\n", "\n# remark\n\n", 1)
            + "# "
            + "x" * 50_000
            + "\n"
        )
        assert ask(server, "import", games=[{"transcript": padded}]) == imported(added=1, known=0)
        ((kept, size),) = rows(server, "SELECT transcript, size FROM results")
        assert (kept, size) == (text, len(text))
        assert ask(server, "import", games=[{"transcript": text}]) == imported(added=0, known=1)
        other = (
            text_of_game(seed=4)
            .replace("players: Ada,", f"players: {'Ada' * 500},")
            .replace("dice: seed 4", f"dice: {'z' * 9_000}")
        )
        assert ask(server, "import", games=[{"transcript": other}])["added"] == 1
        assert max(size for (size,) in rows(server, "SELECT size FROM results")) < 2_000


def test_no_text_of_characters_that_are_none_is_kept(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        for sign in ("\0", "\ud800"):
            broken = text_of_game().replace("dice: seed", f"dice: {sign}seed")
            body = json.dumps(
                {"token": ADA, "games": [{"transcript": broken}, {"transcript": text_of_game()}]}
            )
            answer = server.client.post(
                "/api/me/import", content=body, headers={"content-type": "application/json"}
            )
            if sign == "\0":
                assert answer.json()["refused"] == [
                    "This transcript contains characters that are not text. Choose another file."
                ]
                looked = server.client.post("/api/transcripts", json={"transcript": broken})
                assert looked.json()["reason"] == "unreadable_transcript"
            else:
                assert answer.json()["reason"] == "bad_message", "no reader of JSON takes it"
        assert ask(server, "")["games"] == 1


def test_a_person_and_an_address_bring_in_only_so_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(text_of_game(seed=0))
    with context(
        tmp_path, replace(QUICK, import_bytes_per_client=5 * size, import_byte_interval=1e6)
    ) as server:
        monkeypatch.setattr(history, "MOST_BYTES", 2 * size + size // 2)
        texts = [text_of_game(seed=seed) for seed in range(6)]
        assert (
            ask(server, "import", games=[{"transcript": text} for text in texts[:2]])["added"] == 2
        )
        assert reason(server, "import", games=[{"transcript": texts[2]}]) == "history_full"
        assert ask(server, "", BO)["games"] == 0
        assert (
            ask(server, "import", BO, games=[{"transcript": text} for text in texts[2:4]])["added"]
            == 2
        )
        answer = server.client.post(
            "/api/me/import",
            json={"token": EVE, "games": [{"transcript": text} for text in texts[4:]]},
        )
        assert answer.json()["reason"] == "too_fast", "whatever token they send"
        assert (
            server.client.post("/api/me/import", json={"token": EVE, "games": []}).status_code
            == 200
        )


def test_what_an_import_or_export_asks_is_found_by_index(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        for statement, index in (
            (
                "SELECT 1 FROM results WHERE digest = '' AND person = ''",
                "results_of_game (digest=? AND person=?)",
            ),
            (
                "SELECT count(*), sum(size) FROM results WHERE person = ''",
                "COVERING INDEX results_by_time (person=?)",
            ),
            (
                (
                    "SELECT r.body FROM results r WHERE r.person = '' AND (r.at, r.id) > (1, '') "
                    "ORDER BY r.at, r.id LIMIT 20"
                ),
                "results_by_time (person=? AND (at,id)>(?,?))",
            ),
        ):
            ((*_, plan),) = rows(server, f"EXPLAIN QUERY PLAN {statement}")
            assert index in plan


def test_importing_is_charged_by_size_before_anything_is_read(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, work_per_client=60, work_interval=10.0)) as server:
        games = [{"transcript": "Dear Ada"}] * 3
        assert len(ask(server, "import", games=games)["refused"]) == 3
        assert reason(server, "import", games=games) == "too_fast"


def test_an_export_is_one_whole_file_with_everything(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        ask(server, "name", name="Ada")
        ask(server, "devices", name="Laptop")
        over = [finish(server, ME) for _ in range(3)]
        running, (seat,) = server.create(ME, {"kind": "friend"})
        for code, tokens, _ in over:
            ask(server, "sit", table=code, seat=tokens[0])
        ask(server, "sit", table=running, seat=seat)
        ask(
            server,
            "import",
            games=[{"transcript": text_of_game(seed=seed), "at": seed} for seed in range(20)],
        )
        ask(
            server,
            "import",
            games=[{"transcript": text_of_game(seed=seed), "at": 7} for seed in range(20, 40)],
        )
        server.client.post("/api/daily/group", json={"token": ADA, "name": "Friends"})
        store = server.client.app.state.lobby.store  # type: ignore[attr-defined]
        review = {
            "format": FORMAT,
            "seats": [{"luck": 1, "loss": 2, "adjusted": 3, "decisions": []}],
        }
        server.client.portal.call(store.keep_review, over[0][0], json.dumps(review))  # type: ignore[attr-defined]
        answer = server.client.post("/api/me/export", json={"token": ADA})
        out = answer.json()
        assert "attachment" in answer.headers["content-disposition"]
        assert len(out["games"]) == len({game["transcript"] for game in out["games"]}) == 43
        assert [game["at"] for game in out["games"]] == sorted(game["at"] for game in out["games"])
        assert [game["review"] for game in out["games"] if game["review"]] == [review]
        assert [(table["table"], table["seat"], table["name"]) for table in out["running"]] == [
            (running, 0, "Ada")
        ]
        assert (
            [device["name"] for device in out["devices"]],
            [group["name"] for group in out["groups"]],
        ) == (["Laptop"], ["Friends"])
        assert ADA not in answer.text
        empty = ask(server, "export", BO)
        assert set(empty) == set(out) == set(get_type_hints(Export))
    with context(tmp_path / "two") as server:
        for first in range(0, 43, 20):
            ask(server, "import", games=out["games"][first : first + 20])
        assert ask(server, "")["games"] == 43
        again = ask(server, "export")["games"]
        # games of the same second are in the order of their ids, which an import changes
        assert sorted((game["at"], game["seat"], game["transcript"]) for game in again) == sorted(
            (game["at"], game["seat"], game["transcript"]) for game in out["games"]
        )


def test_texts_kept_by_an_older_version_become_our_own(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        ask(server, "import", games=[{"transcript": text_of_game()}])
        padded = text_of_game() + "# " + "x" * 9_000
        rows(server, "UPDATE results SET transcript = ?, digest = '', size = 9999", padded)
        assert ask(server, "import", games=[{"transcript": padded}]) == imported(added=0, known=1)
        assert rows(server, "SELECT transcript FROM results") == [(text_of_game(),)]


PEOPLE_TABLES = ("people", "devices", "alongs", "sittings", "results", "copies")


def test_deleting_leaves_nothing(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        ask(server, "name", name="Adalgisa")
        code, tokens, _ = finish(server, {"kind": "me", "name": "Adalgisa"}, ROBOT)
        ask(server, "sit", table=code, seat=tokens[0])
        ask(server, "games")
        ask(server, "delete")
        ask(server, "delete")

        async def rest() -> list[Any]:
            store = server.client.app.state.lobby.store  # type: ignore[attr-defined]
            tables = [await store.query(f"SELECT * FROM {table}") for table in PEOPLE_TABLES]
            return [*tables, await store.query("SELECT name FROM seats WHERE name = 'Adalgisa'")]

        assert server.client.portal is not None  # type: ignore[attr-defined]
        assert server.client.portal.call(rest) == [[]] * 7  # type: ignore[attr-defined]


@pytest.mark.parametrize("token", ["", "A" * 21, "A" * 23, "A" * 21 + "!", 7, None])
def test_a_token_that_is_none_is_refused(tmp_path: Path, token: Any) -> None:
    with context(tmp_path) as server:
        for question in (
            "",
            "name",
            "sit",
            "along",
            "arrive",
            "games",
            "transcript",
            "export",
            "import",
            "delete",
        ):
            answer = server.client.post(
                f"/api/me{question and '/' + question}", json={"token": token}
            )
            assert answer.json()["reason"] == "bad_message"
        assert server.client.post("/api/me/nothing", json={"token": ADA}).status_code == 404


def test_people_live_in_a_database_too_and_move_with_the_tables(
    tmp_path: Path, database: str
) -> None:
    quick = f"messages={PLENTY}, messages_per_client={PLENTY}"  # a game by a test takes a second
    with limited_server(tmp_path / "data", quick, database) as server:
        ask(server, "name", name="Ada")
        code, tokens, scores = finish(server, ME, HERE)
        for token, seat in zip((ADA, EVE), tokens, strict=True):
            ask(server, "sit", token, table=code, seat=seat)
        assert ask(server, "games")["games"][0]["scores"] == scores
        ask(server, "import", games=[{"transcript": text_of_game(), "at": 5}])
        brought = next(game["id"] for game in ask(server, "games")["games"] if game["id"] != code)
        assert ask(server, "look", id=brought)["table"] == ask(server, "look", id=brought)["table"]
        group = server.client.post(
            "/api/daily/group", json={"token": ADA, "name": "Friends"}
        ).json()["groups"][0]["code"]
        server.client.post("/api/daily/join", json={"token": EVE, "code": group})
        together = who_plays_whom(server, group)
        first, second = (seat["place"] for seat in together["games"][0]["seats"])
        assert [(pair["games"], pair["ahead"] + pair["behind"]) for pair in together["pairs"]] == [
            (1, int(first != second))  # a tie-break decides among equal scores
        ]
        assert scores[0] == scores[1] or (scores[0] > scores[1]) == (first < second)
        assert [
            (game["table"], [seat["score"] for seat in game["seats"]]) for game in together["games"]
        ] == [(code, scores)]
        hand_over(server, ask(server, "along")["code"])
        kept = ask(server, "export", BO)

    async def carry() -> None:
        source, target = PostgresStore(database), SqliteStore(tmp_path / "files")
        await copy_tables(source, target)
        await source.close()
        await target.close()

    asyncio.run(carry())
    with context(tmp_path / "files") as server:
        assert json.dumps(ask(server, "export", BO)) == json.dumps(kept)
        assert who_plays_whom(server, group) == together
        ask(server, "delete", BO)
        assert ask(server, "games")["games"] == []
