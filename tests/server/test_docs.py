"""The documentation site at /docs of a server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from foxclover.locale import LANGUAGES, catalogue
from foxclover.server.http import docs
from foxclover.server.http.app import POLICY, create_app
from foxclover.server.network import PublicUrls
from foxclover.server.stores.sqlite import SqliteStore
from tables import ADDRESS, QUICK

SCRIPT = "alert(1)\n" * 400


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "docs"
    (folder / "_static").mkdir(parents=True)
    (folder / "api").mkdir()
    (folder / "index.html").write_text("<html>front")
    (folder / "api" / "index.html").write_text("<html>reference")
    (folder / "_static" / "site.js").write_text(SCRIPT)
    (folder / "picture.png").write_bytes(b"png")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(docs.Docs.__init__, "__defaults__", (folder,))
    return folder


@contextmanager
def serving(folder: Path, public: str = "") -> Iterator[TestClient]:
    page = folder / "page"
    page.mkdir()
    (page / "index.html").write_text("<html><head></head><body></body></html>")
    urls = PublicUrls(public, names=frozenset({"play.example"}))
    app = create_app(SqliteStore(folder / "data"), QUICK, page=page, public_urls=urls)
    with TestClient(app, base_url=ADDRESS, follow_redirects=False) as client:
        yield client


def test_a_built_site_is_served(tmp_path: Path, built: Path) -> None:
    with serving(tmp_path) as client:
        front, reference = client.get("/docs/"), client.get("/docs/api/")
        assert (front.status_code, front.text) == (200, "<html>front")
        assert front.headers["content-type"] == "text/html; charset=utf-8"
        assert front.headers["content-security-policy"] == POLICY
        assert reference.text == client.get("/docs/api/index.html").text == "<html>reference"
        assert client.head("/docs/").status_code == 200


def test_the_address_without_a_slash_leads_to_the_one_with_it(tmp_path: Path, built: Path) -> None:
    with serving(tmp_path) as client:
        answer = client.get("/docs")
        # relative, so that it is right under a sub-path too
        assert (answer.status_code, answer.headers["location"]) == (308, "docs/")
        assert client.get("/docs", follow_redirects=True).text == "<html>front"


def test_pages_are_checked_again_and_versioned_files_kept(tmp_path: Path, built: Path) -> None:
    with serving(tmp_path) as client:
        front = client.get("/docs/")
        assert front.headers["cache-control"] == "no-cache"
        known = {"if-none-match": front.headers["etag"]}
        assert client.get("/docs/", headers=known).status_code == 304
        plain, versioned = (
            client.get(f"/docs/_static/site.js{query}") for query in ("", "?v=1a2b3c")
        )
        assert plain.headers["cache-control"] == "no-cache"
        assert "immutable" in versioned.headers["cache-control"]
        assert plain.text == versioned.text == SCRIPT
        assert versioned.headers["content-encoding"] == "gzip"
        assert "max-age=3600" in client.get("/docs/picture.png").headers["cache-control"]


@pytest.mark.parametrize("path", ["nowhere.html", "api/nowhere", "_static/", "../secret.txt",
                                  "%2e%2e/secret.txt", "..%2fsecret.txt", "api"])  # fmt: skip
def test_unknown_pages_are_not_found(tmp_path: Path, built: Path, path: str) -> None:
    with serving(tmp_path) as client:
        answer = client.get(f"/docs/{path}")
        assert answer.status_code == 404
        assert "secret" not in answer.text


def test_a_page_that_a_new_build_removed_is_not_found(tmp_path: Path, built: Path) -> None:
    with serving(tmp_path) as client:
        (built / "picture.png").unlink()
        assert client.get("/docs/picture.png").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_a_built_site_a_sentence_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr(docs.Docs.__init__, "__defaults__", (tmp_path / "docs",))
    with serving(tmp_path) as client:
        for path in ("/docs/", "/docs/rules.html"):
            answer = client.get(path, headers={"accept-language": language, "accept": "text/html"})
            assert answer.status_code == 404
            assert answer.text == catalogue(language)("server.problem.no_docs")
        assert 'rel="help"' not in client.get("/").text


@pytest.mark.parametrize(
    ("public", "address"),
    [("", "/docs/"), ("https://play.example", "/docs/"), ("https://play.example/g/", "/g/docs/")],
)
def test_the_page_names_the_address_of_a_built_site(
    tmp_path: Path, built: Path, public: str, address: str
) -> None:
    with serving(tmp_path, public) as client:
        page = client.get("/t/bcdfgh", headers={"accept": "text/html"})
        assert f'<link rel="help" href="{address}"></head>' in page.text
