"""Who somebody is without an account: devices, games that are kept, and everything taken along, out, in and away."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest

from foxclover import agent, game, games, notation, seeded
from foxclover.review.report import FORMAT
from foxclover.server import people as people_module
from foxclover.server.codes import token_key
from foxclover.server.postgres import PostgresStore
from foxclover.server.sqlite import SqliteStore
from foxclover.server.stores import copy_tables
from tables import GANZ, HERE, ME, PLENTY, ROBOT, House, house, limited_house, real_house

ADA = "A" * 22
BO = "B" * 22
EVE = "E" * 22


def ask(server: House, question: str, token: str = ADA, **values: Any) -> Any:
    answer = server.client.post(
        f"/api/me{question and '/' + question}", json={"token": token} | values
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def reason(server: House, question: str, **values: Any) -> str:
    answer = server.client.post(
        f"/api/me{question and '/' + question}", json={"token": ADA} | values
    )
    assert answer.status_code >= 400
    assert answer.json()["words"]
    return str(answer.json()["reason"])


def finish(server: House, *seats: Any, key: str = GANZ) -> tuple[str, list[str], list[int]]:
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
    return notation.write(notation.Header(position.game, list(names), f"seed {seed}"), position)


def who_plays_whom(server: House, group: str) -> Any:
    return server.client.post("/api/daily/together", json={"token": ADA, "code": group}).json()


def test_a_device_is_somebody_and_keeps_a_name_and_a_tag(tmp_path: Path) -> None:
    with house(tmp_path) as server:
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
    with house(tmp_path) as server:
        assert ask(server, "") == first


def test_only_hashes_of_secrets_are_stored(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        code = ask(server, "along")["code"]
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir() if path.is_file())
    assert token_key(ADA) in stored
    assert ADA.encode() not in stored
    assert code.encode() not in stored


def test_finished_games_of_own_seats_are_kept_and_read_again_as_text(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        for key in games():
            code, tokens, scores = finish(server, ME, ROBOT, key=key)
            ask(server, "sit", table=code.upper(), seat=tokens[0])
            ask(server, "sit", table=code, seat=tokens[0])
            newest = next(one for one in ask(server, "games")["games"] if one["id"] == code)
            assert newest["scores"] == scores
            assert (newest["seat"], newest["names"][0], newest["levels"]) == (
                0,
                "Ada",
                ["", "random"],
            )
            assert sum(newest["parts"].values()) == scores[0]
            assert sorted(newest["places"])[0] == 1
            assert newest["dice"] == "sealed"
            read = notation.read(ask(server, "transcript", id=code)["transcript"])
            assert [read.position.score(seat) for seat in range(2)] == scores
        assert len(ask(server, "games")["games"]) == len(games())
        assert ask(server, "games", BO)["games"] == []
        assert reason(server, "transcript", id="zzzzzz") == "not_found"
        assert (
            server.client.post("/api/me/transcript", json={"token": BO, "id": code}).json()[
                "reason"
            ]
            == "not_found"
        )
    with house(tmp_path) as server:
        assert len(ask(server, "games")["games"]) == len(games())


def test_every_game_of_the_history_can_be_replayed_and_tells_luck_and_loss_once_reviewed(
    tmp_path: Path,
) -> None:
    with house(tmp_path) as server:
        code, tokens, _ = finish(server, ME, ROBOT)
        ask(server, "sit", table=code, seat=tokens[0])
        ask(server, "import", games=[{"transcript": text_of_game(), "seat": 0}])
        found = ask(server, "games")["games"]
        tables = {one["id"]: ask(server, "look", id=one["id"])["table"] for one in found}
        assert tables[code] == code
        assert {one["id"]: ask(server, "look", id=one["id"])["table"] for one in found} == tables, (
            "opened once"
        )
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
    with real_house(tmp_path) as server:
        code, tokens = server.create(ME)
        ask(server, "sit", table=code, seat=tokens[0])
        assert ask(server, "games")["games"] == []
        with server.sit(code, *tokens) as guest:
            while not guest.state["over"]:
                guest.play()
        server.kill()
    with house(tmp_path) as server:
        assert [one["id"] for one in ask(server, "games")["games"]] == [code]


def test_a_seat_of_somebody_else_cannot_be_claimed(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        code, tokens = server.create(ME, HERE)
        assert reason(server, "sit", table=code, seat="x" * 32) == "unknown_token"
        assert reason(server, "sit", table="zzzzzz", seat=tokens[0]) == "unknown_token"


def test_another_device_is_taken_along_once_with_all_it_had(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        ask(server, "name", name="Ada")
        for token, seed in ((ADA, 1), (BO, 2)):
            ask(server, "import", token, games=[{"transcript": text_of_game(seed=seed)}])
        code = ask(server, "along")["code"]
        assert ask(server, "arrive", BO, code=f" {code[:4].upper()}-{code[4:]} ")["name"] == "Ada"
        assert (ask(server, "", BO)["devices"], ask(server, "", BO)["games"]) == (2, 2)
        assert ask(server, "games") == ask(server, "games", BO)
        assert reason(server, "arrive", token=EVE, code=code) == "unknown_code", "it is used"
        assert reason(server, "arrive", code="bcdfghjk") == "unknown_code"
        ask(server, "arrive", ADA, code=ask(server, "along")["code"])
        assert ask(server, "")["devices"] == 2, "to oneself"


def test_a_code_is_good_for_ten_minutes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with house(tmp_path) as server:
        code = ask(server, "along")["code"]
        now = time.time()
        monkeypatch.setattr(people_module.time, "time", lambda: now + 601)
        assert reason(server, "arrive", token=BO, code=code) == "unknown_code"


def told(kept: list[Any]) -> list[str]:
    """What is the same of games wherever they are kept, in an order that does not depend on the second they ended in."""
    return sorted(
        json.dumps(
            {key: one[key] for key in ("at", "game", "seat", "levels", "scores", "places", "parts")}
        )
        for one in kept
    )


def test_everything_can_be_taken_out_and_brought_in_elsewhere(tmp_path: Path) -> None:
    with house(tmp_path / "one") as server:
        ask(server, "name", name="Ada")
        code, tokens, _ = finish(server, ME, ROBOT)
        ask(server, "sit", table=code, seat=tokens[0])
        ask(server, "import", games=[{"transcript": text_of_game("geht", names=("Bo", "Ada"))}])
        out = ask(server, "export")
        assert (out["foxclover"], out["name"], len(out["games"])) == (1, "Ada", 2)
        before = ask(server, "games")["games"]
        assert ask(server, "import", games=out["games"]) == {"added": 0, "known": 2, "refused": []}
        saved = server.client.get(f"/api/tables/{code}/transcript?lang=de").text
        assert ask(server, "import", games=[{"transcript": saved}]) == {
            "added": 0,
            "known": 1,
            "refused": [],
        }
    with house(tmp_path / "two") as server:
        assert ask(server, "import", games=out["games"]) == {"added": 2, "known": 0, "refused": []}
        assert ask(server, "import", games=out["games"]) == {"added": 0, "known": 2, "refused": []}
        assert told(ask(server, "games")["games"]) == told(before)


def test_own_games_are_found_by_name_and_bad_ones_refused_with_a_sentence(tmp_path: Path) -> None:
    with house(tmp_path) as server:
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
                "Die Partie dieses Spielprotokolls ist nicht zu Ende.",
                "Das ist kein Spielprotokoll von Fox & Clover.",
                "Dieses Spielprotokoll ist beschädigt: Zeile 7 lässt sich nicht nachspielen.",
            ],
        )
        assert ask(server, "games")["games"][0]["seat"] == 1
        ask(server, "import", games=[{"transcript": text_of_game(seed=9), "at": 2**53 - 1}])
        assert ask(server, "games")["games"][0]["at"] <= time.time(), (
            "a time that no page could show"
        )


def test_deleting_leaves_nothing(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        ask(server, "name", name="Adalgisa")
        code, tokens, _ = finish(server, {"kind": "me", "name": "Adalgisa"}, ROBOT)
        ask(server, "sit", table=code, seat=tokens[0])
        ask(server, "games")
        ask(server, "delete")
        ask(server, "delete")

        async def rest() -> list[Any]:
            store = server.client.app.state.lobby.store  # type: ignore[attr-defined]
            tables = [await store.query(f"SELECT * FROM {table}") for table in people_module.TABLES]
            return [*tables, await store.query("SELECT name FROM seats WHERE name = 'Adalgisa'")]

        assert server.client.portal is not None  # type: ignore[attr-defined]
        assert server.client.portal.call(rest) == [[]] * 6  # type: ignore[attr-defined]


@pytest.mark.parametrize("token", ["", "A" * 21, "A" * 23, "A" * 21 + "!", 7, None])
def test_a_token_that_is_none_is_refused(tmp_path: Path, token: Any) -> None:
    with house(tmp_path) as server:
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
    with limited_house(tmp_path / "data", quick, database) as server:
        ask(server, "name", name="Ada")
        code, tokens, scores = finish(server, ME, HERE)
        for token, seat in zip((ADA, EVE), tokens, strict=True):
            ask(server, "sit", token, table=code, seat=seat)
        assert ask(server, "games")["games"][0]["scores"] == scores
        ask(server, "import", games=[{"transcript": text_of_game(), "at": 5}])
        brought = next(one["id"] for one in ask(server, "games")["games"] if one["id"] != code)
        assert ask(server, "look", id=brought)["table"] == ask(server, "look", id=brought)["table"]
        group = server.client.post(
            "/api/daily/group", json={"token": ADA, "name": "Friends"}
        ).json()["groups"][0]["code"]
        server.client.post("/api/daily/join", json={"token": EVE, "code": group})
        together = who_plays_whom(server, group)
        assert [(pair["games"], {pair["ahead"], pair["behind"]}) for pair in together["pairs"]] == [
            (1, {0, int(scores[0] != scores[1])})
        ]
        assert [
            (one["table"], [seat["score"] for seat in one["seats"]]) for one in together["games"]
        ] == [(code, scores)]
        ask(server, "arrive", BO, code=ask(server, "along")["code"])
        kept = ask(server, "export", BO)

    async def carry() -> None:
        source, target = PostgresStore(database), SqliteStore(tmp_path / "files")
        await copy_tables(source, target)
        await source.close()
        await target.close()

    asyncio.run(carry())
    with house(tmp_path / "files") as server:
        assert json.dumps(ask(server, "export", BO)) == json.dumps(kept)
        assert who_plays_whom(server, group) == together
        ask(server, "delete", BO)
        assert ask(server, "games")["games"] == []
