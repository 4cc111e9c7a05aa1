"""A server below a path of its host: `--public-url https://example.org/games/`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from foxclover.cli import build
from foxclover.cli.parser import UserError
from foxclover.locale import catalogue
from foxclover.server.http.app import create_app
from foxclover.server.http.legal import Legal
from foxclover.server.network import find_public_urls
from foxclover.server.stores.sqlite import SqliteStore
from proxies import Proxy, caddy, free_port, nginx
from tables import ADDRESS, FRIEND, ME, QUICK, ServerContext, real_server

PUBLIC = "https://example.org/games/"
INDEX = """<html data-base="./"><head><script src="./assets/page.js"></script></head>
<body></body></html>"""


@contextmanager
def serving(folder: Path, public: str = PUBLIC, **legal: str) -> Iterator[ServerContext]:
    page = folder / "page"
    (page / "assets").mkdir(parents=True)
    (page / "index.html").write_text(INDEX)
    (page / "assets" / "page.js").write_text('import "./other.js"')
    urls = find_public_urls("127.0.0.1", 8000, public)
    app = create_app(
        SqliteStore(folder / "data"),
        QUICK,
        page=page,
        public_urls=urls,
        legal=Legal(public, **legal),
    )
    with TestClient(app, base_url=ADDRESS, follow_redirects=False) as client:
        yield ServerContext(client)


@pytest.mark.parametrize("path", ["", "t/bcdfgh", "t/bcdfgh/12", "look", "me", "daily"])
def test_every_page_names_the_path_and_its_files_below_it(tmp_path: Path, path: str) -> None:
    with serving(tmp_path) as server:
        page = server.client.get(f"/games/{path}")
        assert page.status_code == 200
        assert 'data-base="/games/"' in page.text
        assert 'src="/games/assets/page.js"' in page.text
        assert 'href="/games/privacy"' in page.text
        assert 'href="/games/legal.css"' in page.text
        assert server.client.get("/games/assets/page.js").text == 'import "./other.js"'


def test_a_server_without_a_path_names_the_root(tmp_path: Path) -> None:
    with serving(tmp_path, "https://example.org") as server:
        text = server.client.get("/").text
        assert 'data-base="/"' in text
        assert 'src="/assets/page.js"' in text
        assert 'href="/privacy"' in text


def test_requests_work_below_the_path_and_without_it(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        for base in ("/games", ""):
            for path in ("/api/health", "/api/games", "/api/locale/en", "/privacy", "/legal.css"):
                assert server.client.get(base + path).status_code == 200, base + path
            assert server.client.post(f"{base}/api/me", json={"token": "A" * 22}).is_success
            assert server.client.get(f"{base}/api/nothing").status_code == 404


def test_the_path_without_its_slash_leads_to_the_page(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        answer = server.client.get("/games")
        assert answer.status_code == 308
        assert answer.headers["location"] == "/games/"


@pytest.mark.parametrize("path", ["/gamesroom/", "/games.txt", "/games/games/", "/other/api/games"])
def test_other_paths_are_not_ours(tmp_path: Path, path: str) -> None:
    with serving(tmp_path) as server:
        assert server.client.get(path).status_code == 404


def test_invitations_and_codes_for_devices_have_the_path(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        code, (token,) = server.create(ME, FRIEND)
        with server.sit(code, token) as ada:
            links = [entry["link"] for entry in ada.ask("invite")["links"]]
            assert links == [f"{PUBLIC}t/{code}#{server.invitations[code]}"]
        answer = server.client.post("/games/api/me/along", json={"token": "A" * 22}).json()
        assert [entry["link"] for entry in answer["links"]] == [f"{PUBLIC}me#{answer['code']}"]


def test_the_notice_leads_back_and_the_contact_names_its_address(tmp_path: Path) -> None:
    with serving(tmp_path, imprint="https://example.org/imprint") as server:
        assert '<a href="/games/">' in server.client.get("/games/privacy").text
        for base in ("", "/games"):
            contact = server.client.get(f"{base}/.well-known/security.txt").text
            assert f"Canonical: {PUBLIC}.well-known/security.txt\n" in contact


@pytest.mark.parametrize(
    "address",
    [
        *("https://example.org/games/?a", "https://example.org/a//b", "https://example.org/../a"),
        *("https://example.org/#a", "https://ada@example.org/", "https://example.org/a b"),
        *("https://example.org/%67ames", 'https://example.org/">', "ftp://example.org/games/"),
    ],
)
def test_addresses_that_no_page_can_have_are_refused(address: str) -> None:
    with pytest.raises(UserError, match="is not the address of a site like"):
        build(catalogue("en")).parse_args(["serve", "--public-url", address])


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_one_can_play_below_a_path_through_a_proxy(tmp_path: Path, proxy: Proxy) -> None:
    folder, port = tmp_path / "proxy", free_port()
    folder.mkdir()
    public = f"http://127.0.0.1:{port}/games/"
    with (
        real_server(tmp_path / "data", "--public-url", public) as server,
        proxy(folder, server, port=port, path="/games/") as proxied,
    ):
        page = proxied.client.get("")
        assert 'data-base="/games/"' in page.text
        bare = proxied.client.get(f"http://127.0.0.1:{port}/games")
        assert bare.status_code in (301, 308)
        assert bare.headers["location"].removeprefix(f"http://127.0.0.1:{port}") == "/games/"
        outside = proxied.client.get(f"http://127.0.0.1:{port}/gamesroom")
        assert "<html data-base" not in outside.text, "it belongs to the rest of the site"
        code, tokens = proxied.create(ME)
        with proxied.sit(code, *tokens) as ada:
            for _ in range(5):
                ada.play()
        assert server.client.get("/api/health").status_code == 200, "without the path, too"
        assert proxied.client.get("metrics").status_code == 404
