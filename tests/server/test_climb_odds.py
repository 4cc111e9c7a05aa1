"""Odds on request at a table of Geht noch was?."""

from __future__ import annotations

from pathlib import Path

from tables import CLIMB, ME, house


def test_the_odds_of_the_next_roll_are_told_while_rolling(tmp_path: Path) -> None:
    with house(tmp_path) as server:
        code, tokens = server.create(ME, game=CLIMB)
        with server.sit(code, *tokens) as ada:
            answer = ada.act("odds")
    assert answer["type"] == "odds"
    assert answer["cards"] == [{"card": "1", "probability": 202_176 / 279_936}, {"card": "2", "probability": 216_513 / 279_936}]
    assert answer["fail"] == 13_608 / 279_936
