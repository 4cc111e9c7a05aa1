"""A restore drill: back up a running server, restore on a fresh one, find everything again."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

from foxclover.cli import main
from postgres import NOBODY, Cluster, programs
from tables import FRIEND, HERE, ME, RealServer, real_server

ADA = "A" * 22
PAUSE = 0.05  # between moves, within the server's limits
Kept = dict[str, Any]


def play_some(server: RealServer, code: str, *tokens: str, moves: int = 12) -> None:
    with server.sit(code, *tokens) as guest:
        for _ in range(moves):
            guest.play((guest.state["rollers"] or guest.state["acting"])[0])
            time.sleep(PAUSE)


def fill(server: RealServer) -> dict[str, list[str]]:
    """Open tables of several kinds and play at them; return the tokens by table."""
    tables = [
        server.create(ME),
        server.create(ME, HERE, game="geht-noch-was"),
        server.create(ME, HERE, options={"seed": 7}),
    ]
    for code, tokens in tables:
        play_some(server, code, *tokens)
    code, tokens = server.create(ME, FRIEND)
    server.join(code, name="Bo")
    server.client.post("/api/me/name", json={"token": ADA, "name": "Ada"})
    seat = {"token": ADA, "table": tables[0][0], "seat": tables[0][1][0]}
    server.client.post("/api/me/sit", json=seat)
    server.client.post("/api/daily/group", json={"token": ADA, "name": "Friends"})
    return dict([*tables, (code, tokens)])


def contents(server: RealServer, tables: dict[str, list[str]]) -> Kept:
    """Return what a player sees of everything: tables, transcripts, and the person's data."""
    found: Kept = {}
    for code, tokens in tables.items():
        with server.sit(code, *tokens) as guest:
            found[code] = (guest.state["seq"], guest.log, guest.state["seats"])
        found[f"{code}.txt"] = server.client.get(f"/api/tables/{code}/transcript").text
    export = server.client.post("/api/me/export", json={"token": ADA})
    assert export.status_code == 200
    found["export"] = {
        key: value for key, value in export.json().items() if key not in ("exported", "at")
    }
    found["groups"] = server.client.post("/api/daily", json={"token": ADA}).json()["groups"]
    return found


def without_presence(found: Kept) -> Kept:
    """Leave out who is connected and since when, which no backup keeps."""
    for key, value in found.items():
        if isinstance(value, tuple):
            seq, log, seats = value
            found[key] = (seq, log, [(seat["name"], seat["kind"]) for seat in seats])
    return found


def test_a_backup_of_a_running_sqlite_server_is_restored_on_a_fresh_one(tmp_path: Path) -> None:
    old, new, copy = tmp_path / "old", tmp_path / "new", tmp_path / "backup.sqlite"
    with real_server(old) as server:
        tables = fill(server)
        before = without_presence(contents(server, tables))
        assert main(["backup", str(copy), "--data", str(old)]) == 0
        later, tokens = server.create(ME)
        play_some(server, later, *tokens, moves=2)
        server.kill()
    shutil.rmtree(old)

    new.mkdir()
    shutil.copy(copy, new / "foxclover.sqlite")
    with real_server(new) as server:
        assert server.client.get("/api/health").json()["ok"]
        assert without_presence(contents(server, tables)) == before
        assert server.client.get(f"/api/tables/{later}").status_code == 404, "it was opened later"
        code, tokens = next(iter(tables.items()))
        play_some(server, code, *tokens, moves=3)


def test_a_dump_of_a_running_postgresql_server_is_restored_on_a_fresh_one(
    tmp_path: Path, cluster: Cluster
) -> None:
    first, second = cluster.database(), cluster.database()
    found = programs()
    assert found
    as_nobody = ["runuser", "-u", NOBODY, "--"] if os.getuid() == 0 else []
    with real_server(tmp_path / "one", "--database", first, "--workers", "2") as server:
        tables = fill(server)
        before = without_presence(contents(server, tables))
        dump = subprocess.run(
            [*as_nobody, str(found / "pg_dump"), "--format=custom", first],
            capture_output=True,
            check=True,
            cwd="/",
        ).stdout
        later, tokens = server.create(ME)
        play_some(server, later, *tokens, moves=2)
        server.process.terminate()
        server.process.wait(20)

    restore = [str(found / "pg_restore"), "--no-owner", "--exit-on-error", "--dbname", second]
    subprocess.run([*as_nobody, *restore], input=dump, check=True, cwd="/")
    with real_server(tmp_path / "two", "--database", second) as server:
        assert server.client.get("/api/health").json()["ok"]
        assert without_presence(contents(server, tables)) == before
        assert server.client.get(f"/api/tables/{later}").status_code == 404, "it was opened later"
        code, tokens = next(iter(tables.items()))
        play_some(server, code, *tokens, moves=3)
