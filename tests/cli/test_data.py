"""Data on its way: copied to another store, and backed up while a server runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from foxclover.cli import main
from foxclover.server.stores import open_store
from foxclover.server.stores.sqlite_files import FILE, LOG
from tables import ME, context, real_server


def keep_review(folder: Path, code: str, text: str) -> None:
    store = open_store(str(folder))
    asyncio.run(store.keep_review(code, text))
    asyncio.run(store.close())


def kept_review(folder: Path, code: str) -> str | None:
    store = open_store(str(folder))
    found = asyncio.run(store.review(code))
    asyncio.run(store.close())
    return found


def test_tables_are_copied_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with context(tmp_path / "from") as server:
        code, tokens = server.create(ME, options={"seed": 3})
        with server.sit(code, *tokens) as ada:
            for _ in range(5):
                ada.play()
    keep_review(tmp_path / "from", code, "a review")
    for words in ("Tables copied: 1. Already there: 0", "Tables copied: 0. Already there: 1"):
        assert (
            main(["copy-data", str(tmp_path / "from"), str(tmp_path / "to"), "--lang", "en"]) == 0
        )
        assert words in capsys.readouterr().out
    with context(tmp_path / "to") as server, server.sit(code, *tokens) as again:
        assert again.log == ada.log
        again.play()
    assert kept_review(tmp_path / "to", code) == "a review"


def test_a_backup_is_made_while_the_server_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy" / "foxclover.sqlite"
    copy.parent.mkdir()
    with real_server(tmp_path / "data") as server:
        code, tokens = server.create(ME, options={"seed": 3})
        with server.sit(code, *tokens) as ada:
            ada.play()
            assert (
                main(["backup", str(copy), "--data", str(tmp_path / "data"), "--lang", "en"]) == 0
            )
            ada.play()
        assert main(["backup", str(copy), "--data", str(tmp_path / "data"), "--lang", "en"]) == 2
        assert "already exists" in capsys.readouterr().err
    with context(copy.parent) as server, server.sit(code, *tokens) as again:
        assert len(again.log) == 1


def test_missing_data_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["backup", str(tmp_path / "copy"), "--data", str(tmp_path / "none"), "--lang", "en"])
        == 2
    )
    assert "no data" in capsys.readouterr().err
    assert main(["copy-data", str(tmp_path / "none"), str(tmp_path / "to"), "--lang", "en"]) == 2
    assert "no data" in capsys.readouterr().err
    with context(tmp_path / "a"):
        pass
    assert (
        main(
            ["copy-data", str(tmp_path / "a"), "postgresql://fox@127.0.0.1:1/none", "--lang", "en"]
        )
        == 2
    )
    assert "cannot be used" in capsys.readouterr().err


def test_a_backup_of_a_lost_database_leaves_its_log_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / FILE).write_bytes(b"")
    (tmp_path / LOG).write_bytes(b"games")
    assert main(["backup", str(tmp_path / "copy"), "--data", str(tmp_path), "--lang", "en"]) == 2
    assert "its log" in capsys.readouterr().err
    assert (tmp_path / LOG).read_bytes() == b"games"
