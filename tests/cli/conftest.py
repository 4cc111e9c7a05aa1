from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from foxclover.cli import main

Run = Callable[..., int]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing is saved outside the test's own folder; texts are English, drawings plain."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    return tmp_path


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command with what is typed into it; returns its exit code."""

    def call(*words: object, typed: str = "") -> int:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        return main([str(word) for word in words])

    return call
