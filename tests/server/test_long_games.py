"""Games with more draws than one chain has secrets, played at a real server and verified."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import pytest

from foxclover import CHANCE
from foxclover.cli.check import verify_dice
from foxclover.core.registry import add_search_path
from foxclover.dice.fair import LENGTH
from foxclover.locale import catalogue
from tables import DOPPELT, GANZ, HERE, ME, PLENTY, Guest, RealServer, limited_server

SAY = catalogue("en")
EDGE = "edge-deck"
MANY = 1_024  # draws after which a table could not go on, when there was one chain
QUICK = f"messages={PLENTY}, messages_per_client={PLENTY}, work_per_client={PLENTY}"
EXCHANGING = ("exchange", "take 1", "buy red", "buy", "build", "fulfil")


@pytest.fixture
def identical_cards(tmp_path: Path) -> Iterator[None]:
    """Add a valid deck in which every card of a colour can be exchanged for another one."""
    text = (files("foxclover.games.climb") / "decks" / "standard.toml").read_text()
    text = text.replace('game = "geht-noch-was"', f'game = "{EDGE}"').replace(
        'title = "Geht noch was?"', 'title = "Edge"'
    )
    folder = tmp_path / "decks"
    folder.mkdir()
    (folder / f"{EDGE}.toml").write_text(
        re.sub(r'^(\d+) = ".*?"', r'\1 = "W3"', text, flags=re.MULTILINE)
    )
    add_search_path(folder)  # in processes started from here, too
    yield
    add_search_path(None)


def play_hostile(guest: Guest, policy: tuple[str, ...]) -> None:
    """Play to the end, with the first of these moves whenever there is one."""
    chance = random.Random(1)
    while not guest.state["over"]:
        if guest.state["rollers"]:
            answer = guest.act("roll", guest.state["rollers"][0])
        else:
            seat, moves = guest.state["moves"][0]["seat"], guest.state["moves"][0]["moves"]
            wanted = [move for liked in policy for move in moves if move["text"].startswith(liked)]
            answer = guest.act("move", seat, move=(wanted or [chance.choice(moves)])[0]["id"])
        assert answer["type"] == "ack", answer
        while guest.state["seq"] < answer["seq"]:
            guest.until("state")


def draws_of(server: RealServer, game: str, players: int, policy: tuple[str, ...]) -> int:
    """Play a game and verify it; return how many draws it had."""
    code, tokens = server.create(ME, *[HERE] * (players - 1), game=game)
    with server.sit(code, *tokens) as guest:
        play_hostile(guest, policy)
        draws = sum(entry["seat"] == CHANCE for entry in guest.log)
        commitments = [
            entry["seal"]["next"] for entry in guest.log if "next" in entry.get("seal", {})
        ]
        assert len(commitments) == len(set(commitments)) == -(-draws // LENGTH)
    found = verify_dice(server.client.get(f"/api/tables/{code}/transcript").text, SAY)
    assert (found.problem, found.draws) == ("", draws)
    return draws


@pytest.mark.usefixtures("identical_cards")
def test_identical_cards_are_exchanged_past_the_end_of_several_chains(tmp_path: Path) -> None:
    with limited_server(tmp_path / "data", QUICK) as server:
        assert any(draws_of(server, EDGE, 8, EXCHANGING) > MANY for _ in range(5))


@pytest.mark.parametrize("game", [GANZ, DOPPELT])
@pytest.mark.parametrize("policy", [("reroll",), ("return",)], ids=lambda policy: policy[0])
def test_a_game_of_rerolls_and_returns_ends(
    tmp_path: Path, game: str, policy: tuple[str, ...]
) -> None:
    with limited_server(tmp_path, QUICK) as server:
        assert draws_of(server, game, 4, policy) > 4
