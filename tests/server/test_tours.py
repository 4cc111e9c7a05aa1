"""The scripted rounds for newcomers."""

import pytest

from foxclover.core.game import game_names
from foxclover.locale import LANGUAGES
from foxclover.server.tours import tour
from tables import ServerContext


@pytest.mark.parametrize("key", game_names())
def test_each_step_of_a_round_asks_for_one_move_and_the_last_for_none(key: str) -> None:
    for language in LANGUAGES:
        *steps, end = tour(key, language)["steps"]
        assert len(steps) <= 10, "a round takes about a minute"
        assert all(step["roll"] != (step["move"] is not None) for step in steps)
        assert steps[0]["roll"]
        assert (end["roll"], end["move"]) == (False, None)
        assert end["score"] > steps[0]["score"]
        assert not [step["words"] for step in (*steps, end) if ".tour." in step["words"]]


def test_a_server_answers_with_the_round_in_the_language_of_the_page(server: ServerContext) -> None:
    games = server.client.get("/api/games").json()["games"]
    assert [game["tour"] for game in games] == [True] * len(games)
    found = server.client.get(
        f"/api/games/{games[0]['key']}/tour", headers={"Accept-Language": "de"}
    ).json()
    assert found == tour(games[0]["key"], "de")
    assert server.client.get("/api/games/chess/tour").status_code == 404
