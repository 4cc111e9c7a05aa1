"""Custom agents: in many games, at a table, and what they may not do."""

from __future__ import annotations

import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import foxclover
from foxclover import Game, Position, simulate
from foxclover.ai.custom_agents import CustomAgent, CustomAgentError
from foxclover.core.game import game, game_names
from foxclover.dice.sources import seeded
from foxclover.simulation.batch import Stopped

EXAMPLES = Path(__file__).parents[2] / "examples"
EXAMPLE = "own_agent:OpenMinded"
DICING = """import random


class Dicer:
    def __init__(self, game):
        self.chance = random.Random(0)

    def reset(self, seed):
        self.chance = random.Random(seed)

    def choose_many(self, positions, seats):
        return [
            self.chance.choice(position.legal_numbers(seat))
            for position, seat in zip(positions, seats)
        ]
"""


@pytest.fixture(autouse=True)
def _examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))


class First:
    """Takes the first legal move; answers in the requested form."""

    def __init__(self, _: Game) -> None:
        self.asked = 0

    def choose(self, position: Position, seat: int) -> object:
        self.asked += 1
        move = position.legal_moves(seat)[0]
        return (move, move.number, move.text)[self.asked % 3]


class FirstOfMany:
    most = 0

    def __init__(self, _: Game) -> None:
        pass

    def choose_many(self, positions: Sequence[Position], seats: Sequence[int]) -> list[int]:
        FirstOfMany.most = max(FirstOfMany.most, len(positions))
        return [
            position.legal_numbers(seat)[0] for position, seat in zip(positions, seats, strict=True)
        ]


class FirstByRating:
    def __init__(self, _: Game) -> None:
        pass

    def rate(self, position: Position, seat: int) -> list[float]:
        return [-float(index) for index, _ in enumerate(position.legal_numbers(seat))]


class FirstByRank:
    def __init__(self, _: Game) -> None:
        self.ranks = 0

    def rank(self, position: Position, seat: int) -> list[Any]:
        self.ranks += 1
        moves = list(position.legal_moves(seat))
        return moves if self.ranks % 2 else [foxclover.ai.Ranked(move, 0.0, 0.0) for move in moves]


class FirstPlayedOut:
    """Plays on in the position it is shown, dice included, and leaves it so."""

    def __init__(self, _: Game) -> None:
        pass

    def choose(self, position: Position, seat: int) -> object:
        move = position.legal_moves(seat)[0]
        position.push(move)
        while position.chance_due:
            position.roll(seeded(1))
        return move


@pytest.mark.parametrize("key", game_names())
def test_all_ways_to_choose_play_the_same_games(key: str) -> None:
    ways = (First, FirstOfMany, FirstByRating, FirstByRank, FirstPlayedOut)
    outcomes = [simulate(key, [agent, "greedy"], games=4, seed=6) for agent in ways]
    assert all(outcome.scores.tolist() == outcomes[0].scores.tolist() for outcome in outcomes)
    assert outcomes[0].seats == ("First", "greedy")
    assert FirstOfMany.most > 1


def test_an_own_agent_meets_the_dice_of_the_seed() -> None:
    chosen = game("ganz")
    position, dice, player = chosen.start(), seeded(6, 2), First(chosen)
    while not position.over:
        if position.chance_due:
            position.roll(dice)
        else:
            position.push(position.legal_moves(0)[0])
    assert simulate(chosen, First, games=1, seed=6, first=2).scores.tolist() == [
        [position.score(0)]
    ]
    assert player.asked == 0


def test_the_example_plays_well_and_can_be_repeated() -> None:
    one, two = (simulate("ganz", EXAMPLE, games=8, seed=3, workers=workers) for workers in (1, 2))
    assert one.scores.tolist() == two.scores.tolist()
    assert one.scores.mean() > simulate("ganz", "random", games=8, seed=3).scores.mean()


def test_custom_agents_play_in_simulate_and_at_a_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from foxclover.cli import main

    assert (
        main(["simulate", "ganz", "--seats", f"{EXAMPLE},random", "--games", "4", "--seed", "1"])
        == 0
    )
    assert f"{EXAMPLE}: " in capsys.readouterr().out
    chosen = game("geht")
    position, dice = chosen.start(2), seeded(1)
    while position.chance_due:
        position.roll(dice)
    seat = position.acting[0]
    assert position.is_legal(foxclover.agent(EXAMPLE, chosen, seed=1).choose(position, seat))


class Dicer:
    """Chooses at random for many positions, from one generator for all of them."""

    def __init__(self, _: Game) -> None:
        self.chance = random.Random(0)

    def reset(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def choose_many(self, positions: Sequence[Position], seats: Sequence[int]) -> list[int]:
        return [
            self.chance.choice(position.legal_numbers(seat))
            for position, seat in zip(positions, seats, strict=True)
        ]


def make_dicer(chosen: Game) -> Dicer:
    return Dicer(chosen)


@pytest.mark.parametrize("agent", [Dicer, make_dicer])
def test_agents_for_many_positions_can_be_repeated_however_threads_take_turns(
    agent: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = simulate("ganz", agent, games=150, seed=5, first=10).scores.tolist()
    monkeypatch.setattr("foxclover.simulation.batch.CHUNK_SECONDS", 1e-4)
    assert simulate("ganz", agent, games=150, seed=5, first=10, workers=2).scores.tolist() == whole
    parts = [
        simulate("ganz", agent, games=games, seed=5, first=first).scores.tolist()
        for first, games in ((10, 54), (64, 96))
    ]
    assert parts[0] + parts[1] == whole


def test_search_beside_an_own_agent_counts_its_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "foxclover.ai.agents.halve", lambda *_: pytest.fail("it looked at the clock")
    )
    once, again = (
        simulate("ganz", [First, "search"], games=1, seed=2, workers=workers).scores.tolist()
        for workers in (1, 2)
    )
    assert once == again


def test_transcripts_of_games_played_side_by_side_are_those_of_the_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from foxclover import transcripts
    from foxclover.cli import main

    (tmp_path / "dicing.py").write_text(DICING)
    monkeypatch.syspath_prepend(str(tmp_path))
    command = [
        "simulate",
        "ganz",
        "--agent",
        "dicing:Dicer",
        "--games",
        "70",
        "--seed",
        "5",
        "--workers",
        "2",
    ]
    assert main([*command, "--transcripts", str(tmp_path / "games")]) == 0
    written = sorted((tmp_path / "games").iterdir())
    found = [transcripts.read(file.read_text(encoding="utf-8")) for file in written]
    assert [transcript.header.dice for transcript in found] == [
        f"seed 5 game {number}" for number in range(70)
    ]
    scores = simulate("ganz", "dicing:Dicer", games=70, seed=5).scores.ravel().tolist()
    assert [transcript.position.score(0) for transcript in found] == scores


def make(answer: Any) -> Any:
    """An agent that gives this answer, or raises it."""

    class Odd:
        def __init__(self, _: Game) -> None:
            pass

        def choose(self, *_: Any) -> Any:
            if isinstance(answer, Exception):
                raise answer
            return answer

    return Odd


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (
            None,
            r"Odd chose None, which is no legal move; player 1 may choose .*, in game 0 of seed 1",
        ),
        (-5, "Odd chose -5"),
        (True, "Odd chose True"),
        ("nonsense", "Odd chose 'nonsense'"),
        (
            ZeroDivisionError("division by zero"),
            "Odd fails in choose: ZeroDivisionError: division by zero, in game 0 of seed 1",
        ),
    ],
)
def test_an_invalid_answer_is_reported_with_its_game(answer: Any, sentence: str) -> None:
    with pytest.raises(Stopped, match=sentence):
        simulate("ganz", make(answer), games=2, seed=1)


def test_a_rating_that_is_no_number_is_reported() -> None:
    class Unsure(FirstByRating):
        def rate(self, position: Position, seat: int) -> list[float]:
            return [float("nan")] * len(position.legal_moves(seat))

    with pytest.raises(
        Stopped,
        match="Unsure fails in rate: ValueError: a rating is no number, in game 0 of seed 1",
    ):
        simulate("ganz", Unsure, games=2, seed=1)


@pytest.mark.parametrize("kind", [RuntimeError, SystemExit])
def test_an_agent_that_fails_later_loses_no_game_that_was_finished(
    kind: type[BaseException],
) -> None:
    class Tired(First):
        def reset(self, seed: int) -> None:
            if seed % 2**32 == 3:
                raise kind("enough")

    with pytest.raises(Stopped, match="enough, in game 3 of seed 1") as caught:
        simulate("ganz", Tired, games=9, seed=1)
    assert caught.value.outcome is not None
    assert (
        caught.value.outcome.scores.tolist()
        == simulate("ganz", First, games=3, seed=1).scores.tolist()
    )


def test_what_is_no_agent_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = game("ganz")
    with pytest.raises(CustomAgentError, match="it has none of choose_many, choose, rate, rank"):
        CustomAgent(lambda _: object(), chosen)
    with pytest.raises(CustomAgentError, match="cannot be made: ValueError: no"):
        CustomAgent(lambda _: (x for x in ()).throw(ValueError("no")), chosen)
    (tmp_path / "half_written.py").write_text(
        "import math\n\nmath.tau_squared\n\nclass Agent:\n    pass\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(
        CustomAgentError, match=r"'half_written' cannot be imported: AttributeError: .*tau_squared"
    ):
        CustomAgent("half_written:Agent", chosen)
    with pytest.raises(foxclover.ai.UnknownAgent, match="'genius' is no computer player"):
        simulate("ganz", "genius")
    with pytest.raises(ValueError, match="not 5"):
        simulate("ganz", ["random"] * 5)
    with pytest.raises(ValueError, match="a seed is a whole number from 0 to"):
        simulate("ganz", games=1, seed=2**53)


def test_a_transcript_cannot_name_a_module_to_import(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from foxclover.cli import main

    file = tmp_path / "game.txt"
    file.write_text(
        "Fox & Clover transcript 1\ngame: ganz\nplayers: Ada, Bo:antigravity_spy:Agent\n"
        "dice: seed 7\n\n"
    )
    assert main(["play", "--resume", str(file)]) == 2
    assert "antigravity_spy" not in sys.modules
    assert "There is no computer player" in capsys.readouterr().err
