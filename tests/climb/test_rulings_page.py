"""Every ruling in the documents has its test, and every test of a ruling is in the documents."""

from __future__ import annotations

import re
from pathlib import Path

HERE = Path(__file__).parent
PAGE = (HERE.parents[1] / "docs" / "rules-climb.md").read_text(encoding="utf-8")


def test_rulings_and_their_tests_name_each_other() -> None:
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    written = {
        name
        for file in HERE.glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", file.read_text(encoding="utf-8"), re.M)
    }
    assert named <= written
    assert {name for name in written if "ruling_" in name} <= named
