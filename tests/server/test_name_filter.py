"""Names that the operator refuses, in every way a name can arrive."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import pytest
from starlette.testclient import TestClient

from foxclover.locale import LANGUAGES, catalogue
from foxclover.server.errors import RefusalError, StartError
from foxclover.server.http.api import QUESTIONS
from foxclover.server.http.app import create_app
from foxclover.server.limits import name_filter
from foxclover.server.limits.name_filter import FIELD, NameFilter
from foxclover.server.protocol.messages import ClientMessage
from foxclover.server.protocol.validate import person_name
from foxclover.server.stores.sqlite import SqliteStore
from server.test_people import text_of_game
from tables import ADDRESS, FRIEND, GANZ, ME, QUICK, ServerContext

WORDS = """# names that nobody wants
darn
*blast*
heck*

/^ad+min$/
"""
TOKEN = "A" * 22


def written(folder: Path, text: str = WORDS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "names.txt"
    file.write_text(text, encoding="utf-8")
    return file


@contextmanager
def serving(folder: Path, text: str = WORDS) -> Iterator[ServerContext]:
    app = create_app(SqliteStore(folder / "data"), QUICK, page=folder / "page")
    app.state.names = NameFilter(written(folder, text))
    with TestClient(app, base_url=ADDRESS) as client:
        yield ServerContext(client)


@pytest.mark.parametrize(
    "name",
    [
        *("darn", "Darn", "DÁRN", "d4rn", "oh darn!", "darn-it", "da\u0301rn"),
        *("blast", "Ablaster", "b l a s t", "b.l.a.s.t", "8l4st blast"),
        *("heck", "Hecklers", "heck 2"),
        *("Admin", "ADDDMIN"),
    ],
)
def test_a_refused_name_is_found_in_many_spellings(tmp_path: Path, name: str) -> None:
    with pytest.raises(RefusalError) as refused:
        NameFilter(written(tmp_path)).expect(name)
    assert refused.value.reason == "refused_name"
    for language in LANGUAGES:
        assert name in refused.value.words(catalogue(language))


@pytest.mark.parametrize("name", ["", "Ada", "darning", "bedarn", "checkers", "Admins", "Bo 4"])
def test_other_names_are_not(tmp_path: Path, name: str) -> None:
    NameFilter(written(tmp_path)).expect(name)


def test_without_a_file_every_name_is_fine() -> None:
    NameFilter().expect("darn")


@pytest.mark.parametrize(
    ("text", "line"), [("darn\n/(/\n", ":2"), ("darn\n\n***\n", ":3"), ("*", ":1")]
)
def test_an_unusable_entry_stops_the_start_and_names_its_line(
    tmp_path: Path, text: str, line: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(StartError) as stopped:
        NameFilter(file)
    assert f"{file}{line} " in stopped.value.words(catalogue("en"))


def test_a_missing_or_binary_file_stops_the_start(tmp_path: Path) -> None:
    with pytest.raises(StartError, match="nothing"):
        NameFilter(tmp_path / "nothing")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(StartError, match="binary"):
        NameFilter(tmp_path / "binary")


def test_a_changed_file_counts_without_a_restart_and_a_broken_one_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = written(tmp_path)
    names = NameFilter(file)
    monkeypatch.setattr(name_filter, "REREAD", 0.0)
    for text, refused in (("gosh", "gosh"), ("/(/", "gosh"), ("darn", "darn")):
        file.write_text(text)
        os.utime(file, ns=(time.time_ns(), names.changed + 1_000_000))
        assert names.refuses(refused)
        assert not names.refuses("blast")


def declared_names(hint: Any, at: str = "") -> Iterator[str]:
    """Return the fields of a declaration that contain a name."""
    if get_origin(hint) is Annotated and person_name in get_args(hint):
        yield at
    elif isinstance(hint, type) and hasattr(hint, "__annotations__"):
        for field, inner in get_type_hints(hint, include_extras=True).items():
            yield from declared_names(inner, field)
    else:
        for inner in get_args(hint):
            yield from declared_names(inner, at)


def test_every_message_with_a_name_has_it_where_the_filter_looks() -> None:
    found = {
        path: set(declared_names(question.shape)) - {""} for path, question in QUESTIONS.items()
    }
    named = {path for path, fields in found.items() if fields}
    assert named == {
        *("tables", "tables/from-transcript", "tables/{code}/join"),
        *("me/name", "me/arrive", "me/devices", "daily/start", "daily/group"),
    }
    assert set().union(*found.values()) == {FIELD}
    assert set(declared_names(ClientMessage)) - {""} == {FIELD}, "of a spectator"


def refusal(server: ServerContext, path: str, body: dict[str, Any]) -> str:
    answer = server.client.post(f"/api/{path}", json=body)
    assert answer.status_code == 400, answer.text
    assert "is not allowed on this server" in answer.json()["words"]
    return str(answer.json()["reason"])


def test_a_refused_name_of_a_spectator_is_not_shown(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        code, _ = server.create(ME)
        with server.sit(code) as eve:
            assert eve.ask("watch", name="D4rn")["reason"] == "refused_name"
            assert eve.ask("watch", name="Eve")["type"] == "ack"
            assert eve.until("seats")["watchers"] == ["Eve"]


def test_no_way_leads_past_the_filter(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        bad = {"kind": "me", "name": "D4rn"}
        code, _ = server.create(ME, FRIEND)
        text = text_of_game()
        for path, body in (
            ("tables", {"game": GANZ, "seats": [ME, bad | {"kind": "here"}]}),
            (
                "tables/from-transcript",
                {"transcript": text, "at": 3, "seats": [bad], "same_dice": False},
            ),
            (f"tables/{code}/join", {"invitation": server.invitations[code], "name": "darn"}),
            ("me/name", {"token": TOKEN, "name": "Blaster"}),
            ("daily/start", {"token": TOKEN, "game": GANZ, "seat": "s" * 32, "name": "heck"}),
            ("daily/group", {"token": TOKEN, "name": "The Admin darn"}),
        ):
            assert refusal(server, path, body) == "refused_name", path
        assert server.client.post("/api/me", json={"token": TOKEN}).json()["tag"] == "", (
            "nothing was stored"
        )
        assert server.join(code, name="Bo")


def test_names_in_transcripts_are_refused_too(tmp_path: Path) -> None:
    text = text_of_game()
    assert "Ada" in text
    with serving(tmp_path, "ada") as server:
        assert refusal(server, "transcripts", {"transcript": text}) == "refused_name"
        body = {"token": TOKEN, "games": [{"transcript": text}]}
        answer = server.client.post("/api/me/import", json=body).json()
        assert answer["added"] == 0
        assert ["“Ada” is not allowed" in words for words in answer["refused"]] == [True]
