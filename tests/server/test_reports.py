"""Players report names and results, and the operator reads and closes the reports: both stores."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from foxclover.dice.daily import day_of
from foxclover.locale import LANGUAGES, catalogue
from foxclover.server.errors import RefusalError
from foxclover.server.http.admin import Admin
from foxclover.server.http.app import create_app
from foxclover.server.network import PublicUrls
from foxclover.server.people import reports
from foxclover.server.people.deletion import tidy
from foxclover.server.stores import copy_tables
from foxclover.server.stores.postgres import PostgresStore
from foxclover.server.stores.sqlite import SqliteStore
from foxclover.server.stores.store import Store
from tables import ADDRESS, GANZ, QUICK

ADA, BO, EVE = "A" * 22, "B" * 22, "E" * 22
DAY = day_of(time.time())


class Reported:
    """A server with people on its leaderboard."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.app: Any = client.app
        self.store: Store = self.app.state.lobby.store
        self.admin: Admin = self.app.state.admin

    def ask(self, path: str, token: str = ADA, **values: Any) -> Any:
        answer = self.client.post(f"/api/{path}", json={"token": token} | values)
        return answer.json()

    def do(self, work: Any, *values: Any) -> Any:
        assert self.client.portal is not None
        return self.client.portal.call(work, *values)

    def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = self.do(self.store.query, statement, *values)
        return found

    def operate(self, action: str, target: str = "", name: str = "") -> Any:
        return self.do(self.admin.answer, action, target, name, 20)

    def finished(self, token: str, name: str, score: int) -> dict[str, str]:
        """Put a person on the leaderboard; return how it shows them."""
        shown = self.ask("me/name", token, name=name)
        person = self.person(shown["tag"])
        self.query(
            "INSERT INTO dailies (day, game, person, code, begun, score, ended)"
            " VALUES (?, ?, ?, '', 1, ?, 2)",
            *(DAY, GANZ, person, score),
        )
        return {"shown": name, "tag": shown["tag"], "day": DAY, "game": GANZ}

    def person(self, tag: str) -> str:
        ((found,),) = self.query("SELECT id FROM people WHERE tag = ?", tag)
        return str(found)

    def report(self, about: dict[str, str], token: str = BO, why: str = "name") -> Any:
        return self.ask("daily/report", token, why=why, **about)

    def listed(self) -> list[tuple[str, int, int, int]]:
        return [
            (row["name"], row["reports"], row["for_name"], row["for_cheating"])
            for row in self.operate("reports")
        ]


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Reported]:
    store: Store = (
        PostgresStore(request.getfixturevalue("database"))
        if request.param == "PostgreSQL"
        else SqliteStore(tmp_path)
    )
    urls = PublicUrls("https://play.example")
    app = create_app(store, QUICK, page=tmp_path / "page", public_urls=urls)
    with TestClient(app, base_url=ADDRESS) as client:
        yield Reported(client)


def test_a_name_on_the_leaderboard_is_reported_once_by_each_device(server: Reported) -> None:
    eve = server.finished(EVE, "Rude", 200)
    server.finished(ADA, "Ada", 100)
    assert server.ask("daily")["reports"] is True
    for token, why in ((BO, "name"), (BO, "cheating"), (ADA, "cheating")):
        assert server.report(eve, token, why) == {}
    assert server.listed() == [("Rude", 2, 1, 1)]
    (row,) = server.operate("reports")
    assert (row["target"], row["kind"]) == (server.person(eve["tag"]), "person")
    assert server.operate("stats")[0]["reports"] == 2


def test_nothing_is_stored_about_a_device_that_reports_but_its_hash(server: Reported) -> None:
    server.report(server.finished(EVE, "Rude", 200))
    assert server.query("SELECT count(*) FROM people") == [(1,)]
    ((stored,),) = server.query("SELECT reporter FROM reports")
    assert BO.encode() not in bytes(stored)


def test_members_report_each_other_and_their_group(server: Reported) -> None:
    tag = server.ask("me/name", EVE, name="Rude")["tag"]
    code = server.ask("daily/group", EVE, name="Ruder")["groups"][0]["code"]
    member, group = {"shown": "Rude", "tag": tag, "group": code}, {"shown": "Ruder", "group": code}
    for about in (member, group):
        assert server.report(about)["reason"] == "unknown_group", "only its members see it"
    server.ask("daily/join", BO, code=f"{code[:4]} {code[4:].upper()}")
    for about in (member, group):
        assert server.report(about) == {}
    assert sorted(server.listed()) == [("Rude", 1, 1, 0), ("Ruder", 1, 1, 0)]
    server.operate("rename", code, "Friends")
    assert server.ask("daily", BO)["groups"][0]["name"] == "Friends"
    assert server.listed() == [("Rude", 1, 1, 0)], "what was mended needs no reports"
    server.report(group | {"shown": "Friends"})
    server.operate("delete", code)
    assert server.ask("daily", BO)["groups"] == []
    assert server.listed() == [("Rude", 1, 1, 0)]


@pytest.mark.parametrize(
    "change", [{"shown": "Ada"}, {"tag": "xxxx"}, {"day": "2020-01-01"}, {"game": "chess"}]
)
def test_only_what_the_list_shows_can_be_reported(server: Reported, change: dict[str, str]) -> None:
    answer = server.report(server.finished(EVE, "Rude", 200) | change)
    assert answer["reason"] == "not_reportable"
    assert server.listed() == []


def test_a_closed_report_stays_closed_for_the_same_name_only(server: Reported) -> None:
    eve = server.finished(EVE, "Rude", 200)
    person = server.person(eve["tag"])
    server.report(eve)
    assert server.operate("close", person) == [{"target": person, "closed": 1}]
    assert server.listed() == []
    with pytest.raises(Exception, match="no_reports"):
        server.operate("close", person)
    assert server.report(eve) == {}
    assert server.listed() == [], "the operator has decided"
    server.ask("me/name", EVE, name="Ruder")
    server.report(eve | {"shown": "Ruder"})
    assert server.listed() == [("Ruder", 1, 1, 0)]
    server.operate("rename", person, "Eve")
    assert server.listed() == []


def test_a_device_and_a_server_have_only_so_many_open_reports(
    server: Reported, monkeypatch: pytest.MonkeyPatch
) -> None:
    eve, ada = server.finished(EVE, "Rude", 200), server.finished(ADA, "Ada", 100)
    monkeypatch.setattr(reports, "MOST_OF_DEVICE", 1)
    server.report(eve)
    assert server.report(ada)["reason"] == "too_many_reports"
    assert server.report(ada, EVE) == {}
    monkeypatch.setattr(reports, "MOST_OPEN", 2)
    assert server.report(eve, ADA)["reason"] == "too_many_reports"
    server.operate("close", server.person(eve["tag"]))
    assert server.report(ada) == {}
    for language in LANGUAGES:
        assert RefusalError("too_many_reports").words(catalogue(language))


def test_reports_are_exported_and_deleted_with_both_people(server: Reported) -> None:
    eve, ada = server.finished(EVE, "Rude", 200), server.finished(ADA, "Ada", 100)
    server.report(eve, ADA)
    server.report(ada, EVE, "cheating")
    export = server.client.post("/api/me/export", json={"token": ADA})
    about = [(row["name"], row["why"], row["yours"]) for row in export.json()["reports"]]
    assert sorted(about) == [("Ada", "cheating", False), ("Rude", "name", True)]
    assert "reporter" not in export.text
    server.ask("me/delete", ADA)
    assert server.query("SELECT count(*) FROM reports") == [(0,)]


def test_reports_follow_a_person_to_another_device(server: Reported) -> None:
    eve = server.finished(EVE, "Rude", 200)
    server.report(eve)
    ada = server.finished(ADA, "Ada", 100)
    code = server.ask("me/along", ADA)["code"]
    server.ask("me/arrive", EVE, code=code, agreed=True)
    check = server.ask("me/asking", ADA)["asking"][0]["check"]
    server.ask("me/admit", ADA, check=check, admit=True)
    server.ask("me/arrive", EVE, code=code, agreed=True)
    (row,) = server.operate("reports")
    assert row["target"] == server.person(ada["tag"])


def test_old_reports_and_those_about_nobody_are_removed(server: Reported) -> None:
    eve = server.finished(EVE, "Rude", 200)
    server.report(eve)
    server.operate("close", server.person(eve["tag"]))
    now = time.time()
    for later, left in ((29, 1), (31, 0)):
        at = now + later * 86_400
        server.do(server.store.transact, lambda at=at: tidy(at, ""))
        assert server.query("SELECT count(*) FROM reports") == [(left,)]
    server.report(eve)
    server.query("UPDATE reports SET target = 'nobody'")
    server.do(server.store.transact, lambda: tidy(now, ""))
    assert server.query("SELECT count(*) FROM reports") == [(0,)]


def test_reports_are_copied_to_another_store(server: Reported, tmp_path: Path) -> None:
    server.report(server.finished(EVE, "Rude", 200))

    async def copy() -> list[tuple[Any, ...]]:
        other = SqliteStore(tmp_path / "copy")
        try:
            await copy_tables(server.store, other)
            return await other.query("SELECT name, why FROM reports")
        finally:
            await other.close()

    assert server.do(copy) == [("Rude", "name")]


def test_a_server_for_oneself_offers_no_reports(tmp_path: Path) -> None:
    app = create_app(SqliteStore(tmp_path), QUICK, page=tmp_path / "page")
    with TestClient(app, base_url=ADDRESS) as client:
        assert Reported(client).ask("daily")["reports"] is False
