"""What the server answers over HTTP, and every way it says no there."""

from __future__ import annotations

import gzip
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from foxclover.locale import LANGUAGES, texts
from foxclover.server.http.app import create_app
from foxclover.server.http.pages import read_files
from foxclover.server.network import find_public_urls
from foxclover.server.stores.sqlite import SqliteStore
from tables import ADDRESS, CLIMB, DOPPELT, FRIEND, GANZ, ME, QUICK, ROBOT, ServerContext, context

PAGE = Path(__file__).parents[2] / "web" / "src"
LOADED_LATER = (  # with `withMoreTexts`; the last two are parts of such files
    *("companion/entry", "fair/dialog", "home/setup", "site/daily", "table/call-me"),
    *("table/invitation", "table/join", "table/reactions", "table/result", "table/seats"),
    *("table/settings", "table/webhooks", "ui/forms", "ui/settings"),
)


def refused(answer: Any, status: int, reason: str) -> None:
    assert (answer.status_code, answer.json()["reason"]) == (status, reason)
    assert answer.json()["words"]


def test_what_can_be_played(server: ServerContext) -> None:
    answer = server.client.get("/api/games").json()
    assert [entry["key"] for entry in answer["games"]] == [GANZ, DOPPELT, CLIMB]
    assert [entry["options"] for entry in answer["games"]] == [
        [],
        [],
        ["solo_rules", "free_placement"],
    ]
    assert answer["levels"][:2] == ["random", "greedy"]
    assert answer["languages"] == list(LANGUAGES)
    for entry in answer["games"]:
        layout = server.client.get(f"/api/games/{entry['key']}/layout").json()
        assert (layout["kind"], layout["game"]) == (entry["kind"], entry["key"])
    for level in answer["levels"]:
        assert all(f"server.level.{level}" in texts(language) for language in LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues(server: ServerContext, language: str) -> None:
    first = server.client.get(f"/api/locale/{language}").json()
    more = server.client.get(f"/api/locale/{language}/more").json()
    received, all_texts = first | more, texts(language)
    assert received.items() <= all_texts.items()
    assert not first.keys() & more.keys()
    left_out = {
        key.rpartition(".")[0].partition(".")[0] for key in all_texts.keys() - received.keys()
    }
    of_terminal, of_server = (
        {"cli", "number", "position", "puzzle"},
        {"server", "transcript", "data", "expected", "clever", "climb", "why", "legal"}
        | {"dice_check"},
    )
    assert left_out == of_terminal | of_server | {"site", "page", "rules"}, (
        "and those of a folder without a server, and the rules"
    )
    wanted = {key for key in all_texts if key.startswith(("page.", "common.", "server.level."))}
    assert {key for key in wanted if not key.startswith("page.site")} <= received.keys()


def test_the_first_texts_contain_all_that_the_start_page_and_tables_show(
    server: ServerContext,
) -> None:
    first = server.client.get("/api/locale/en").json().keys()
    more = server.client.get("/api/locale/en/more").json().keys()
    files = [
        path
        for path in PAGE.rglob("*.ts*")
        if path.relative_to(PAGE).parts[0] not in ("me", "daily", "puzzles", "review", "tour")
        # their texts are loaded with them
        and path.relative_to(PAGE).with_suffix("").as_posix() not in LOADED_LATER
    ]
    sources = "\n".join(path.read_text(encoding="utf-8") for path in files)
    used = {*re.findall(r'"([a-z]+\.[\w.-]+)"', sources)}
    assert len(used & first) > 150
    assert used & more == set()
    built = re.findall(r"`([a-z]+\.[\w.-]*)\$\{", sources)
    assert not [key for key in more if key.startswith(tuple(built))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_asked_for_apart(server: ServerContext, language: str) -> None:
    received = server.client.get(f"/api/locale/{language}/rules").json()
    assert received == {
        key: text for key, text in texts(language).items() if key.startswith("rules.")
    }
    assert received


def test_long_answers_are_packed_for_slow_lines(server: ServerContext) -> None:
    assert server.client.get("/api/locale/de").headers["content-encoding"] == "gzip"
    assert "content-encoding" not in server.client.get("/api/health").headers


@pytest.mark.parametrize(
    ("accepted", "coding", "body"),
    [
        ("gzip, deflate, br", "br", b"small"),
        ("gzip;q=1.0, br;q=0.5", "br", b"small"),
        ("gzip", "gzip", gzip.compress(b"x" * 2_000, 9, mtime=0)),
        ("identity", None, b"x" * 2_000),
    ],
)
def test_a_browser_gets_the_smallest_file_that_it_can_unpack(
    tmp_path: Path, accepted: str, coding: str | None, body: bytes
) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets/x.js").write_bytes(b"x" * 2_000)
    (tmp_path / "assets/x.js.br").write_bytes(b"small")
    files = read_files(tmp_path)
    assert list(files) == ["assets/x.js"]
    headers = [(b"accept-encoding", accepted.encode())]
    answer = files["assets/x.js"].answer(Request({"type": "http", "headers": headers}))
    assert (answer.headers.get("content-encoding"), answer.body) == (coding, body)
    assert answer.headers["vary"] == "accept-encoding"


def test_unknown_addresses(server: ServerContext) -> None:
    refused(server.client.get("/api/games/chess/layout"), 404, "unknown_game")
    refused(server.client.get("/api/games/ganz/layout"), 404, "unknown_game")
    refused(server.client.get("/api/locale/fr"), 404, "unknown_language")
    refused(server.client.get("/api/locale/fr/more"), 404, "unknown_language")
    refused(server.client.get("/api/locale/fr/rules"), 404, "unknown_language")
    refused(server.client.get("/api/tables/bbbbbb"), 404, "no_such_table")
    refused(server.client.get("/api/tables/not-a-code/transcript"), 404, "no_such_table")
    refused(
        server.client.post("/api/tables/bbbbbb/join", json={"invitation": "x"}),
        404,
        "no_such_table",
    )
    refused(server.client.get("/nothing/here"), 404, "not_found")
    refused(server.client.get("/../pyproject.toml"), 404, "not_found")
    refused(server.client.get("/%2e%2e/%2e%2e/pyproject.toml"), 404, "not_found")
    refused(server.client.delete("/api/games"), 405, "not_found")


def test_refusals_are_in_the_language_asked_for(server: ServerContext) -> None:
    german = server.client.get("/api/tables/bbbbbb?lang=de").json()["words"]
    assert german == texts("de")["server.refused.no_such_table"]
    by_header = server.client.get(
        "/api/tables/bbbbbb", headers={"accept-language": "fr, nl-BE;q=0.8"}
    ).json()["words"]
    assert by_header == texts("nl")["server.refused.no_such_table"]


GOOD = {"game": GANZ, "seats": [ME]}


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ([], "bad_message"),
        ({}, "bad_message"),
        (GOOD | {"game": 7}, "bad_message"),
        (GOOD | {"game": "chess"}, "unknown_game"),
        (GOOD | {"game": "ganz"}, "unknown_game"),
        (GOOD | {"seats": "me"}, "bad_message"),
        (GOOD | {"seats": []}, "bad_seats"),
        (GOOD | {"seats": [ME] * 5}, "bad_seats"),
        (GOOD | {"seats": [ME] * 65}, "bad_message"),
        (GOOD | {"seats": [ROBOT, ROBOT]}, "bad_seats"),
        (GOOD | {"seats": [ME, {"kind": "ghost"}]}, "bad_message"),
        (GOOD | {"seats": [ME, {"kind": "computer"}]}, "bad_message"),
        (GOOD | {"seats": [ME, {"kind": "computer", "level": "clairvoyant"}]}, "unknown_level"),
        (GOOD | {"seats": [{"kind": "me", "name": 3}]}, "bad_message"),
        (GOOD | {"seats": [{"kind": "me", "name": "x" * 81}]}, "bad_message"),
        (GOOD | {"options": []}, "bad_message"),
        (GOOD | {"options": {"seed": -1}}, "bad_message"),
        (GOOD | {"options": {"seed": 2**53}}, "bad_message"),
        (GOOD | {"options": {"seed": 1.5}}, "bad_message"),
        (GOOD | {"options": {"seed": True}}, "bad_message"),
        (GOOD | {"options": {"solo_rules": 1}}, "bad_message"),
        (GOOD | {"options": {"sead": 5}}, "unknown_option"),
        (GOOD | {"options": {"solo_rules": True}}, "unknown_option"),
        (GOOD | {"options": {"x" * 5_000: True}}, "unknown_option"),
        (GOOD | {"pace": -1}, "bad_message"),
        (GOOD | {"pace": "slow"}, "bad_message"),
        (GOOD | {"language": "fr"}, "unknown_language"),
    ],
)
def test_tables_that_cannot_be(server: ServerContext, body: object, reason: str) -> None:
    answer = server.client.post("/api/tables", json=body)
    refused(answer, 404 if reason in ("unknown_game", "unknown_language") else 400, reason)


def test_the_refusal_of_an_option_names_those_of_the_game(server: ServerContext) -> None:
    words = [
        server.client.post("/api/tables", json=body).json()["words"]
        for body in (
            GOOD | {"options": {"sead": 5}},
            GOOD | {"options": {"solo_rules": True, "seed": 5}},
        )
    ]
    assert words[0].startswith("There is no option “sead” here.")
    assert words[1] == (
        "There is no option “solo_rules” here. Known options: begins, seed, typed_dice."
    )


@pytest.mark.parametrize(
    "body", [b"", b"{", b"\xff\xfe", b"[" * 5000, b'{"game": NaN}', b"7" * 5000]
)
def test_bodies_that_are_no_json(server: ServerContext, body: bytes) -> None:
    refused(server.client.post("/api/tables", content=body), 400, "bad_message")


def test_a_body_that_is_too_long(server: ServerContext) -> None:
    refused(server.client.post("/api/tables", content=b" " * (QUICK.body + 1)), 413, "too_long")


def test_posts_from_other_sites_are_refused(server: ServerContext) -> None:
    answer = server.client.post(
        "/api/tables", json=GOOD, headers={"origin": "https://elsewhere.example"}
    )
    refused(answer, 403, "foreign_origin")
    assert (
        server.client.post("/api/tables", json=GOOD, headers={"origin": ADDRESS}).status_code == 201
    )
    for malformed in ("http://[", "null", "", "://"):
        refused(
            server.client.post("/api/tables", json=GOOD, headers={"origin": malformed}),
            403,
            "foreign_origin",
        )


def test_joining(server: ServerContext) -> None:
    code, _ = server.create(ME, FRIEND, FRIEND)
    refused(server.ask_for_seat(code, seat=0), 409, "seat_taken")
    refused(server.ask_for_seat(code, seat=8), 400, "bad_message")
    refused(server.ask_for_seat(code, name=[]), 400, "bad_message")
    third = server.ask_for_seat(code, seat=2, name="Cy").json()
    assert third["seat"] == 2
    refused(server.ask_for_seat(code, seat=2), 409, "seat_taken")
    second = server.ask_for_seat(code).json()
    assert second["seat"] == 1
    assert second["token"] != third["token"]
    refused(server.ask_for_seat(code), 409, "table_full")


def test_the_code_alone_gives_no_seat(server: ServerContext) -> None:
    code, _ = server.create(ME, FRIEND)
    other, _ = server.create(ME, FRIEND)
    refused(server.client.post(f"/api/tables/{code}/join", json={}), 400, "bad_message")
    for wrong in ("", "x", server.invitations[other], server.invitations[code][:-1]):
        refused(server.ask_for_seat(code, invitation=wrong), 403, "bad_invitation")
    assert server.client.get(f"/api/tables/{code}").json()["seats"][1]["open"]


def test_a_lost_answer_to_join_can_be_asked_for_again(server: ServerContext) -> None:
    code, _ = server.create(ME, FRIEND, FRIEND)
    token = "A" * 31 + "-"
    first = server.ask_for_seat(code, token=token).json()
    assert (first["seat"], first["token"]) == (1, token)
    assert server.ask_for_seat(code, token=token).json() == first
    assert server.ask_for_seat(code).json()["seat"] == 2
    assert server.ask_for_seat(code, token=token).json() == first, (
        "the table is full, but this seat is theirs"
    )
    for weak in ("", "short", "!" * 32):
        refused(server.ask_for_seat(code, token=weak), 400, "bad_message")


def test_two_friends_cannot_take_one_seat_at_once(server: ServerContext) -> None:
    code, _ = server.create(ME, FRIEND)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: server.ask_for_seat(code, seat=1), range(8)))
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 7


def test_names_show_what_they_are(server: ServerContext) -> None:
    stacked, invisible = "Z" + "\u0301" * 20 + "o", "B\u3164o\u2800\ufe0f\u200d"
    code, _ = server.create(
        {"kind": "me", "name": stacked},
        {"kind": "here", "name": invisible},
        {"kind": "here", "name": "Jos\u0065\u0301"},
    )
    names = [seat["name"] for seat in server.client.get(f"/api/tables/{code}").json()["seats"]]
    assert names == ["Ź\u0301\u0301o", "Bo", "Jos\u00e9"]


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1.evil.example", "", "localhost.evil.example:8000"]
)
def test_a_name_that_is_not_ours_is_refused(server: ServerContext, host: str) -> None:
    refused(
        server.client.post(
            "/api/tables", json=GOOD, headers={"host": host, "origin": f"http://{host}"}
        ),
        421,
        "foreign_host",
    )
    refused(server.client.get("/api/games", headers={"host": host}), 421, "foreign_host")


def test_our_own_names_and_plain_addresses_are_allowed() -> None:
    public_urls = find_public_urls("0.0.0.0", 8000, "https://play.example:8443/")
    for host in (
        "localhost:1",
        "127.0.0.1:8000",
        "[::1]:80",
        "192.168.7.7",
        "play.example",
        "PLAY.example:8443",
    ):
        assert public_urls.allows(host), host
    assert public_urls.links("/t/x", "http://127.0.0.1:8000") == ["https://play.example:8443/t/x"]


def test_the_public_facts_of_a_table_follow_the_game(server: ServerContext) -> None:
    code, tokens = server.create(ME, options={"seed": 5})
    with server.sit(code, *tokens) as ada:
        for _ in range(4):
            ada.play()
        info = server.client.get(f"/api/tables/{code}").json()
        assert {
            key: info[key] for key in ("table", "game", "seq", "scores", "over", "practice")
        } == {
            "table": code,
            "game": GANZ,
            "seq": 4,
            "scores": ada.state["scores"],
            "over": False,
            "practice": True,
        }
        assert info["seats"][0]["connected"]
        assert info["created"] <= info["touched"]


def test_the_transcript_is_a_download(server: ServerContext) -> None:
    code, _ = server.create({"kind": "me", "name": "A,d:a #1"})
    answer = server.client.get(f"/api/tables/{code}/transcript")
    assert answer.headers["content-disposition"] == f'attachment; filename="{GANZ}-{code}.txt"'
    assert "players: A d a 1\n" in answer.text


def test_every_answer_carries_the_security_headers(server: ServerContext) -> None:
    for path in ("/", "/api/games", "/nothing"):
        headers = server.client.get(path).headers
        assert headers["content-security-policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"


def test_files_of_the_page_carry_only_the_headers_that_work_on_files(server: ServerContext) -> None:
    page = server.client.get("/").text
    for file in re.findall(r"assets/[\w.-]+", page):
        headers = server.client.get(f"/{file}").headers
        assert "immutable" in headers["cache-control"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "content-security-policy" not in headers


def test_the_page_and_its_files(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        answer = server.client.get("/?lang=de")
        assert (answer.status_code, answer.text) == (503, texts("de")["server.problem.no_page"])
    page = tmp_path / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text("<p>the page</p>")
    (page / "assets" / "page-1a2b.js").write_text("1")
    (page / "favicon.svg").write_text("<svg/>")
    with context(tmp_path) as server:
        assert "max-age=3600" in server.client.get("/favicon.svg").headers["cache-control"]
        for path in ("/", "/t/bcdfgh"):
            answer = server.client.get(path)
            assert (answer.text, answer.headers["cache-control"]) == ("<p>the page</p>", "no-cache")
        assert "immutable" in server.client.get("/assets/page-1a2b.js").headers["cache-control"]


def test_health(server: ServerContext) -> None:
    code, _ = server.create(ME)
    with server.sit(code):
        health = server.client.get("/api/health").json()
    assert (health["ok"], health["tables"], health["connections"]) == (True, 1, 1)


def test_a_client_that_asks_too_much_has_to_wait(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, requests_per_client=5, request_interval=60.0)) as server:
        for _ in range(5):
            assert server.client.get("/api/games").status_code == 200
        refused(server.client.get("/api/games"), 429, "too_fast")
        assert server.client.get("/api/health").status_code == 200


def test_a_client_cannot_open_tables_without_end(tmp_path: Path) -> None:
    with context(tmp_path, replace(QUICK, tables_per_client=3, table_interval=60.0)) as server:
        for _ in range(3):
            server.create(ME)
        refused(server.client.post("/api/tables", json=GOOD), 429, "too_fast")


def test_an_error_of_the_server_is_reported_without_details(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(_: object, code: str, client: str) -> None:
        raise RuntimeError(f"secret details of {code}")

    monkeypatch.setattr("foxclover.server.lobby.Lobby.table", broken)
    with TestClient(
        create_app(SqliteStore(tmp_path), QUICK), ADDRESS, raise_server_exceptions=False
    ) as client:
        answer = client.get("/api/tables/bcdfgh")
        refused(answer, 500, "internal")
        assert "secret" not in answer.text


@pytest.mark.parametrize(
    "path", ["/", "/t/bcdfgh", "/daily", "/api/health", "/metrics", "/api/games", "/index.html"]
)
def test_a_host_that_is_not_ours_is_refused_everywhere(tmp_path: Path, path: str) -> None:
    app = create_app(SqliteStore(tmp_path), QUICK)
    with TestClient(app, base_url=ADDRESS, client=("127.0.0.1", 5)) as client:
        foreign = client.get(path, headers={"host": "evil.example"})
        assert foreign.status_code == 421, foreign.text
        assert foreign.json()["reason"] == "foreign_host"
        assert client.get(path).status_code != 421


def test_health_can_be_asked_for_by_any_host_where_the_operator_says_so(tmp_path: Path) -> None:
    with TestClient(
        create_app(SqliteStore(tmp_path), QUICK, health_any_host=True), base_url=ADDRESS
    ) as client:
        assert client.get("/api/health", headers={"host": "checked.example"}).status_code == 200
        assert client.get("/", headers={"host": "checked.example"}).status_code == 421
