"""What only a table of Geht noch was? has: odds on request, and up to eight players."""

from __future__ import annotations

from pathlib import Path

from tables import CLIMB, GANZ, HERE, ME, context


def test_the_odds_of_the_next_roll_are_sent_while_rolling(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME, game=CLIMB)
        with server.sit(code, *tokens) as ada:
            answer = ada.act("odds")
    assert answer["type"] == "odds"
    assert answer["cards"] == [
        {"card": "1", "probability": 202_176 / 279_936},
        {"card": "2", "probability": 216_513 / 279_936},
    ]
    assert answer["fail"] == 13_608 / 279_936


def test_eight_sit_at_one_table_and_the_last_of_them_moves(tmp_path: Path) -> None:
    with context(tmp_path) as server:
        code, tokens = server.create(ME, *[HERE] * 7, game=CLIMB)
        with server.sit(code, *tokens) as all_eight:
            assert all_eight.state["you"] == list(range(8))
            all_eight.play(0)
            assert {move["card"] for move in all_eight.moves(7)} <= {"", "19b", "20b"}
            answer = all_eight.act("move", 7, move=all_eight.moves(7)[-1]["id"])
            assert answer["type"] == "ack"


def test_nine_players_or_five_of_clever_are_refused_with_the_right_range(
    tmp_path: Path,
) -> None:
    with context(tmp_path) as server:
        for game, seats, most in ((CLIMB, 9, 8), (GANZ, 5, 4)):
            answer = server.client.post(
                "/api/tables", json={"game": game, "seats": [ME] + [HERE] * (seats - 1)}
            )
            assert answer.status_code == 400
            assert f"1 to {most} players" in answer.json()["words"]
