"""The computer players of Geht noch was? in the kernel.

They think the same as in CPython, and they win.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from foxclover.ai import nets
from foxclover.ai.families import Strength
from foxclover.ai.nets import Thinker, make_thinker, shipped_net
from foxclover.core.game import game
from foxclover.core.rules import seed_rng
from foxclover.dice.sources import seeded
from foxclover.games.climb.ai import players
from foxclover.games.climb.ai.workspace import Solver
from foxclover.games.climb.rules.state import FREE_PLACEMENT, SOLO_RULES, TO_BUILD, TO_DECIDE, Deck
from foxclover.kernel import open_kernel
from foxclover.kernel.python_backend import PythonKernel
from foxclover.simulation.workers import Runner

GAME = game("geht-noch-was")
ROUNDING = 1e-9  # points; CPython has another logarithm


def plain_thinker(monkeypatch: pytest.MonkeyPatch) -> Thinker:
    with monkeypatch.context() as patched:
        patched.setattr(nets, "open_kernel", PythonKernel)
        return make_thinker(GAME, shipped_net(GAME))


@pytest.mark.parametrize(
    ("seats", "variant"),
    [(1, 0), (2, 0), (3, SOLO_RULES), (4, FREE_PLACEMENT)],
)
def test_kernel_and_cpython_think_alike(
    seats: int, variant: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert open_kernel("climb").built
    kernel, plain = thinkers = (make_thinker(GAME, shipped_net(GAME)), plain_thinker(monkeypatch))
    position, dice = GAME.start_with(seats, GAME.unpack(variant)), seeded(12, seats)
    stages: Counter[int] = Counter()
    while not position.over:
        if position.chance_due:
            position.push(dice.draw(position))
            continue
        seat = position.acting[0]
        stage = position.state.seats[seat].stage
        found = []
        for instance, tables, workspace in thinkers:
            instance.set(workspace.here, position.state)
            workspace.draws = 1  # CPython is slow
            workspace.candidates.count = instance.call(
                "legal", tables, workspace.here, seat, workspace.candidates.moves
            )
            seed_rng(workspace.choice_rng, 5, stages.total())
            best = instance.call("rate", tables, workspace, seat)
            found.append(
                [
                    float(rating)
                    for rating in workspace.candidates.ratings[: workspace.candidates.count]
                ]
            )
        assert found[0] == pytest.approx(found[1], abs=ROUNDING)
        if stage == TO_DECIDE:
            assert_solved_alike(
                GAME.definition.tables,
                kernel.workspace.solvers[seat],
                plain.workspace.solvers[seat],
            )
        position.push(position.legal_moves(seat)[best])
        stages[stage] += 1
    assert stages[TO_DECIDE] > 10 * seats
    assert len(stages) >= 6


def assert_solved_alike(deck: Deck, built: Any, plain: Solver) -> None:
    """Check that both know the same positions of the round with the same values, for all luck."""
    count = plain.count
    for field in (
        "round",
        "early",
        "last",
        "solo",
        "net",
        "luck",
        "rolled",
        "marked",
        "lucky",
        "cards",
        "count",
        "cut",
    ):
        assert built[field] == getattr(plain, field), field
    assert built.masks[:count].tolist() == plain.masks[:count]
    marked = np.bitwise_count(plain.masks[:count]).astype(int)
    luck = plain.luck + plain.lucky - np.maximum(marked - deck.black_markers, 0)
    possible = np.arange(len(plain.failed)) <= luck[:, None]
    for field in ("stop", "roll", "value"):
        assert (
            np.abs(built[field][:count] - np.array(getattr(plain, field)[:count]))[possible].max()
            < ROUNDING
        )


def test_a_mind_needs_little_memory() -> None:
    assert make_thinker(GAME, shipped_net(GAME)).workspace.nbytes < 20_000_000


def test_net_beats_greedy() -> None:
    scores = Runner(GAME, ["net", "greedy"])(31, 0, 40)
    assert (scores[:, 0] > scores[:, 1]).mean() > 0.7


@pytest.mark.parametrize(("seats", "variant"), [(1, 0), (4, SOLO_RULES | FREE_PLACEMENT)])
def test_the_same_seed_gives_the_same_games(
    seats: int, variant: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(players.STRENGTHS, "search", Strength(tries=6, to_win=True))
    run = Runner(GAME, ["search", "net", "easy", "random"][:seats], GAME.unpack(variant))
    first, again = run(7, 3, 1), run(7, 3, 1)
    assert (first == again).all()
    assert (first > 0).all()


def test_close_ways_to_build_are_decided_by_solving_the_round() -> None:
    instance, tables, workspace = make_thinker(GAME, shipped_net(GAME))
    compared, results = instance.ints(1), instance.floats(2)
    position, dice, decided, games = GAME.start(1), seeded(7), 0, 1
    while decided < 3:
        if position.over:
            position, games = GAME.start(1), games + 1
            assert games < 9, "close ways are frequent"
        if position.chance_due:
            position.push(dice.draw(position))
            continue
        mine, moves = position.state.seats[0], position.legal_moves(0)
        instance.set(workspace.here, position.state)
        candidates = workspace.candidates
        candidates.count = instance.call("legal", tables, workspace.here, 0, candidates.moves)
        best = instance.call("rate", tables, workspace, 0)
        ratings = [float(rating) for rating in candidates.ratings[: len(moves)]]
        if mine.stage == TO_BUILD and mine.waiting_count == 1:
            solved = []
            for number, rating in zip(position.legal_numbers(0), ratings, strict=True):
                compared[0] = number
                instance.call("compare", tables, workspace, 0, compared, 0, 1, 1, results)
                if rating == pytest.approx(float(results[0]), abs=ROUNDING):
                    solved.append(rating)
            assert not solved or ratings[best] == max(solved)
            decided += len(solved) > 1
        position.push(moves[best])
