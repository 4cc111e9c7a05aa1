"""The links, the privacy notice and the security contact of a public server."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from foxclover.locale import LANGUAGES, catalogue, site_texts
from foxclover.server.http.app import create_app
from foxclover.server.http.legal import STORED, Legal
from foxclover.server.logs import ADDRESSES
from foxclover.server.stores.postgres import PostgresStore
from foxclover.server.stores.sqlite import SqliteStore
from tables import ADDRESS, QUICK

IMPRINT = "https://example.org/imprint?a=1&b=2"
PAGES = ("/", "/t/bcdfgh", "/t/bcdfgh/12", "/look", "/me", "/daily", "/nowhere")
BROWSER = {"accept": "text/html"}


@contextmanager
def serving(folder: Path, **legal: Any) -> Iterator[TestClient]:
    page = folder / "page"
    page.mkdir(parents=True)
    (page / "index.html").write_text("<html><head></head><body><div></div></body></html>")
    app = create_app(SqliteStore(folder / "data"), QUICK, page=page, legal=Legal(**legal))
    with TestClient(app, base_url=ADDRESS) as client:
        yield client


def links(text: str) -> list[tuple[str, str]]:
    (footer,) = re.findall(r'<footer class="legal">(.*)</footer></body>', text)
    return [(unescape(to), words) for to, words in re.findall(r'<a href="(.*?)">(.*?)</a>', footer)]


def described() -> dict[str, set[str]]:
    return {table: set(columns.split()) for topic in STORED.values() for table, columns in
            topic.items()}  # fmt: skip


def test_the_notice_describes_every_column_of_a_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    asyncio.run(store.close())
    with sqlite3.connect(tmp_path / "foxclover.sqlite") as file:
        names = [
            name for (name,) in file.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        columns = {name: {row[1] for row in file.execute(f"PRAGMA table_info({name})")}
                   for name in names}  # fmt: skip
    file.close()
    assert columns == described()


def test_the_notice_describes_every_column_of_a_database(database: str) -> None:
    statement = (
        "SELECT table_name, column_name FROM information_schema.columns"
        " WHERE table_schema = current_schema()"
    )

    async def read() -> list[tuple[Any, ...]]:
        store = PostgresStore(database)
        try:
            return await store.query(statement)
        finally:
            await store.close()

    columns: dict[str, set[str]] = {}
    for table, column in asyncio.run(read()):
        columns.setdefault(table, set()).add(column)
    assert columns.pop("format") == {"version"}
    assert columns == described()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_of_a_public_server_has_the_links(tmp_path: Path, language: str) -> None:
    translate = catalogue(language)
    wanted = [(IMPRINT, translate("legal.imprint")), ("/privacy", translate("legal.privacy"))]
    with serving(tmp_path, imprint=IMPRINT) as client:
        for page in PAGES:
            answer = client.get(page, headers=BROWSER | {"accept-language": language})
            assert links(answer.text) == wanted, page
            assert "accept-language" in answer.headers["vary"]
        style = client.get("/legal.css")
    assert 'href="/legal.css"></head>' in answer.text
    assert (style.status_code, style.headers["content-type"]) == (200, "text/css; charset=utf-8")
    assert ".legal" in style.text


def test_an_own_privacy_notice_replaces_the_link(tmp_path: Path) -> None:
    with serving(tmp_path, public=ADDRESS, privacy="https://example.org/privacy") as client:
        assert links(client.get("/").text) == [("https://example.org/privacy", "Privacy")]


def test_a_server_of_ones_own_machine_has_no_links(tmp_path: Path) -> None:
    with serving(tmp_path) as client:
        assert "legal" not in client.get("/").text
        assert client.get("/.well-known/security.txt").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("logged", ADDRESSES)
def test_the_notice_has_every_topic_and_the_settings_of_the_server(
    tmp_path: Path, language: str, logged: str
) -> None:
    translate = catalogue(language)
    with serving(tmp_path, imprint=IMPRINT, keep=77, log_addresses=logged) as client:
        answer = client.get("/privacy", headers={"accept-language": language})
    text = unescape(answer.text)
    assert answer.headers["content-type"].startswith("text/html")
    assert f'<html lang="{language}">' in text
    for topic in STORED:
        assert translate(f"legal.stored.{topic}", days=77) in text
    assert " 77 " in text
    others = [translate(f"legal.log.{other}") for other in ADDRESSES if other != logged]
    assert translate(f"legal.log.{logged}") in text
    assert not [other for other in others if other in text]
    assert f'href="{IMPRINT}"' in text
    assert translate("page.me") in translate("legal.rights.text"), "it names a page that exists"
    assert "<script" not in text


def test_the_notice_of_a_server_without_an_imprint_links_none(tmp_path: Path) -> None:
    with serving(tmp_path, public=ADDRESS) as client:
        text = client.get("/privacy").text
    assert re.findall('href="(.*?)"', text) == ["/legal.css", "/"]


def test_the_security_contact_is_the_imprint_and_valid_for_half_a_year(tmp_path: Path) -> None:
    with serving(tmp_path, public="https://play.example/", imprint=IMPRINT) as client:
        answer = client.get("/.well-known/security.txt")
    assert answer.headers["content-type"] == "text/plain; charset=utf-8"
    entries = dict(line.split(": ", 1) for line in answer.text.splitlines())
    assert entries["Contact"] == IMPRINT
    assert entries["Canonical"] == "https://play.example/.well-known/security.txt"
    expires = time.mktime(time.strptime(entries["Expires"], "%Y-%m-%dT%H:%M:%SZ"))
    assert 178 < (expires - time.time()) / 86_400 < 181


def test_the_page_without_a_server_has_none_of_these_texts() -> None:
    assert not [key for key in site_texts("en") if key.startswith("legal.")]
