"""The table of rulings in docs/rules.md and the tests of rulings name each other."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "rules.md").read_text(encoding="utf-8")


def names_in(*names: str) -> set[str]:
    return {
        test
        for name in names
        for test in re.findall(
            r"^def (test_\w+)", (HERE / name).read_text(encoding="utf-8"), re.MULTILINE
        )
    }


def test_every_test_named_on_the_page_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert named <= names_in(*(path.name for path in HERE.glob("test_*.py")))


def test_every_test_of_a_ruling_is_named_on_the_page() -> None:
    assert names_in("test_rulings.py") <= set(re.findall(r"`(test_\w+)`", PAGE))
