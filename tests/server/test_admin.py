"""The operator lists, counts, blocks, renames and deletes while the server runs, on both stores."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

from foxclover.cli import main
from foxclover.server.http.admin import Blocks
from tables import FRIEND, HERE, ME, Guest, RealServer, real_server

ADA, EVE = "A" * 22, "E" * 22
NOWHERE = "0" * 32
PATIENCE = 60.0

Run = Callable[..., Any]


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def server(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RealServer]:
    """A server of one process on files, or of two on a database."""
    options: list[str] = []
    if request.param == "PostgreSQL":
        options = ["--database", request.getfixturevalue("database"), "--workers", "2"]
    with real_server(tmp_path / "data", *options) as server:
        yield server
        server.process.terminate()
        server.process.wait(PATIENCE)


@pytest.fixture
def admin(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command; return the rows of its answer, or its sentence."""

    def call(*words: str, code: int = 0) -> Any:
        capsys.readouterr()
        data = ["--data", str(tmp_path / "data")]
        assert main(["admin", *words, *data, "--json", "--lang", "en"]) == code
        said = capsys.readouterr()
        return said.err if code else json.loads(said.out)

    return call


def ask(server: RealServer, question: str, token: str = ADA, **values: Any) -> Any:
    answer = server.client.post(f"/api/me/{question}".rstrip("/"), json={"token": token} | values)
    return answer.json() if answer.status_code == 200 else answer.status_code


def person_at(server: RealServer, name: str = "Ada") -> tuple[str, list[str]]:
    """Open a table with a seat that belongs to a person of this name."""
    code, tokens = server.create({"kind": "me", "name": name}, HERE)
    ask(server, "name", name=name)
    ask(server, "sit", table=code, seat=tokens[0])
    return code, tokens


def wait_for(done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not done():
        assert time.monotonic() < deadline
        time.sleep(1)  # within the limit of requests


def statuses(server: RealServer) -> set[int]:
    """Return the answers of all processes: each new connection may go to another."""
    asked = [server.client.get("/api/games", headers={"connection": "close"}) for _ in range(16)]
    return {answer.status_code for answer in asked}


def names(guest: Guest) -> list[str]:
    return [seat["name"] for seat in guest.state["seats"]]


def reason_of_end(guest: Guest) -> str:
    reason = str(guest.until("bye")["reason"])
    with pytest.raises(ConnectionClosed):
        guest.drain()
    return reason


def test_tables_people_and_counts_are_listed(server: RealServer, admin: Run) -> None:
    code, tokens = person_at(server)
    other, _ = server.create(ME, FRIEND, game="geht-noch-was")
    with server.sit(code, *tokens) as ada:
        ada.play()
    listed = {row["table"]: row for row in admin("tables")}
    assert listed.keys() == {code, other}
    assert listed[code]["seats"] == ["Ada", "Bo"]
    assert listed[code]["moves"] > 0
    assert listed[other]["game"] == "geht-noch-was"
    assert len(admin("tables", "--limit", "1")) == 1
    (found,) = admin("people", "aD")
    assert (found["name"], found["devices"], found["blocked"]) == ("Ada", 1, False)
    assert admin("people", found["tag"]) == admin("people", found["person"]) == [found]
    assert admin("people", "nobody") == []
    (counts,) = admin("stats")
    assert (counts["tables"], counts["people"], counts["blocks"]) == (2, 1, 0)
    assert counts["moves"] == listed[code]["moves"]
    assert counts["reports"] == len(admin("reports")) == 0
    assert "no open reports about" in admin("close", found["person"], code=2)


def test_a_person_is_renamed_everywhere_at_once(server: RealServer, admin: Run) -> None:
    code, tokens = person_at(server, "Rude")
    (found,) = admin("people", "rude")
    with server.sit(code, *tokens) as ada:
        assert names(ada) == ["Rude", "Bo"]
        assert admin("rename", found["person"], " Ada\u202e ") == [{"table": code}]
        while names(ada) != ["Ada", "Bo"]:
            ada.until("state")
    assert ask(server, "")["name"] == "Ada"
    assert "neither" in admin("rename", NOWHERE, "Ada", code=2)


def test_a_seat_is_renamed(server: RealServer, admin: Run) -> None:
    code, tokens = server.create(ME, HERE, {"kind": "computer", "level": "random"})
    with server.sit(code, *tokens) as ada:
        admin("rename", f"{code.upper()}/2", "Cy")
        while names(ada)[:2] != ["Ada", "Cy"]:
            ada.until("state")
    for seat in ("3", "4", "0", "x"):
        assert "not a seat of a person" in admin("rename", f"{code}/{seat}", "Cy", code=2)


def test_a_deleted_table_is_gone_for_those_who_sit_there(server: RealServer, admin: Run) -> None:
    code, tokens = server.create(ME, HERE)
    with server.sit(code, tokens[0]) as ada, server.sit(code, tokens[1]) as bo:
        assert admin("delete", code) == [{"table": code}]
        assert reason_of_end(ada) == reason_of_end(bo) == "no_such_table"
    wait_for(lambda: server.client.get(f"/api/tables/{code}").status_code == 404)
    assert admin("tables") == []
    assert "neither" in admin("delete", code, code=2)


def test_a_deleted_person_leaves_no_name(server: RealServer, admin: Run) -> None:
    code, tokens = person_at(server)
    (found,) = admin("people")
    with server.sit(code, *tokens) as ada:
        assert admin("delete", found["person"]) == [{"person": found["person"]}]
        while "Ada" in names(ada):
            ada.until("state")
    assert admin("people") == []
    assert ask(server, "") == {"name": "", "tag": "", "devices": 1, "games": 0}


def test_a_table_of_a_daily_challenge_goes_with_its_person(server: RealServer, admin: Run) -> None:
    body = {"token": ADA, "game": "ganz-schoen-clever", "seat": "s" * 32}
    started = server.client.post("/api/daily/start", json=body)
    assert started.status_code == 200, started.text
    (table,) = admin("tables")
    assert "daily challenge" in admin("delete", table["table"], code=2)
    (found,) = admin("people")
    admin("delete", found["person"])
    assert admin("tables") == []


def test_a_blocked_network_is_refused_until_it_is_unblocked(server: RealServer, admin: Run) -> None:
    code, tokens = server.create(ME)
    with server.sit(code, *tokens) as ada:
        (block,) = admin("block", "127.0.0.1/8")
        assert block["target"] == "127.0.0.0/8"
        assert reason_of_end(ada) == "blocked"
    wait_for(lambda: statuses(server) == {403})
    answer = server.client.get("/").json()
    assert answer["reason"] == "blocked"
    assert server.client.get("/api/health").status_code == 200, "the server can be watched"
    with server.visit(code) as guest:
        assert reason_of_end(guest) == "blocked"
    assert admin("unblock", "127.0.0.0/8") == [], "the operator is never blocked"
    wait_for(lambda: statuses(server) == {200})


def test_a_blocked_person_keeps_the_rights_of_the_law(server: RealServer, admin: Run) -> None:
    person_at(server)
    ask(server, "name", EVE, name="Eve")
    (found,) = admin("people", "ada")
    admin("block", found["person"])
    wait_for(lambda: ask(server, "games") == 403)
    assert ask(server, "name", name="Other") == 403
    assert server.client.post("/api/daily", json={"token": ADA}).status_code == 403
    assert ask(server, "name", EVE, name="Eva")["name"] == "Eva", "nobody else is"
    wait_for(lambda: bool(admin("people", "ada")[0]["blocked"]))
    assert server.client.post("/api/me/export", json={"token": ADA}).status_code == 200
    assert ask(server, "delete") == {}
    assert admin("blocks") == [], "nothing leads to a deleted person"
    assert "neither" in admin("block", NOWHERE, code=2)


def test_blocks_survive_a_restart(tmp_path: Path, admin: Run) -> None:
    with real_server(tmp_path / "data"):
        admin("block", "127.0.0.1")
    with real_server(tmp_path / "data") as server:
        assert server.client.get("/api/games").status_code == 403
        assert [row["target"] for row in admin("blocks")] == ["127.0.0.1/32"]


def test_only_programs_on_this_machine_with_the_key_are_answered(tmp_path: Path) -> None:
    with real_server(tmp_path / "data") as server:
        file = tmp_path / "data" / "admin.key"
        assert file.stat().st_mode & 0o777 == 0o600
        right = {"authorization": f"Bearer {file.read_text().strip()}"}

        def status(headers: dict[str, str], action: str = "stats") -> int:
            return server.client.post(f"/api/admin/{action}", json={}, headers=headers).status_code

        assert status(right) == 200
        assert status({}) == 404
        assert status({"authorization": "Bearer"}) == 404
        assert status({"authorization": "Bearer wrong"}) == 404
        assert status(right | {"x-forwarded-for": "203.0.113.7"}) == 404, "through a proxy"
        assert status(right | {"origin": "https://elsewhere.example"}) == 403
        assert status(right, "reboot") == 409
        key = file.read_text()
    with real_server(tmp_path / "data"):
        assert file.read_text() == key, "other servers on the same folder use it too"


def test_errors_are_one_sentence(tmp_path: Path, admin: Run) -> None:
    assert "No server has used" in admin("stats", code=2)
    assert "TARGET" in admin("block", code=2)
    assert "NAME" in admin("rename", "bcdfgh/1", code=2)
    with real_server(tmp_path / "data"):
        pass
    assert "Start it first" in admin("stats", code=2)


def test_the_answer_is_a_table_for_people(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("FOXCLOVER_DATA", str(tmp_path / "data"))
    with real_server(tmp_path / "data") as server:
        code, _ = server.create(ME)
        capsys.readouterr()
        assert main(["admin", "tables", "--lang", "en"]) == 0
        heads, row = capsys.readouterr().out.splitlines()
        assert main(["admin", "people", "--lang", "en"]) == 0
    assert heads.split("\t") == ["table", "game", "created", "finished", "moves", "seats"]
    assert row.split("\t")[0] == code
    assert capsys.readouterr().out == "Nothing found.\n"


@pytest.mark.parametrize(
    ("blocked", "client", "refused"),
    [
        ("203.0.113.0/24", "203.0.113.7", True),
        ("203.0.113.0/24", "203.0.114.7", False),
        ("2001:db8::/32", "2001:db8:1::/64", True),
        ("2001:db8::/32", "2001:db9::/64", False),
        ("0.0.0.0/0", "2001:db8::/64", False),
        ("203.0.113.0/24", "local", False),
    ],
)
def test_a_client_is_compared_with_the_blocked_networks(
    blocked: str, client: str, refused: bool
) -> None:
    async def query(_: str) -> list[tuple[str]]:
        return [(blocked,)]

    store: Any = SimpleNamespace(keeps_people=True, query=query)
    blocks = Blocks(store)
    asyncio.run(blocks.load())
    assert blocks.covers(client) == refused
