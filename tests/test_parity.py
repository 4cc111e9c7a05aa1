"""CPython referees the kernel.

The same seeds give the same games, move by move, and the same final states; so does a checking
build.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from foxclover.ai import nets
from foxclover.ai.families import family_of
from foxclover.core.game import Game, game, game_names
from foxclover.kernel.program import Program, program
from foxclover.kernel.python_backend import PythonInstance
from foxclover.kernel.wasm import WasmKernel
from foxclover.simulation import workers as rooms
from foxclover.simulation.workers import Runner
from kernels import build
from tracing import Trace, trace_game

SEEDS = {"first": range(500), "rest": range(500, 2000)}
COMBINATIONS = [(key, players) for key in game_names() for players in game(key).players]


@cache
def tracing_kernel(family: str, checking: bool) -> WasmKernel:
    """A family's kernel with ``trace_game`` for its only entry."""
    whole = program(family)
    return WasmKernel(
        family,
        build(
            Program((*whole.modules, trace_game.__module__), whole.records, ("trace_game",)),
            checking=checking,
        ),
    )


@cache
def checking_kernel(family: str) -> WasmKernel:
    """A family's whole kernel, which traps where Python would raise an error."""
    return WasmKernel(family, build(program(family), checking=True))


class PlainTracing(PythonInstance):
    """``trace_game`` bound to a family in CPython."""

    def __init__(self, family: str) -> None:
        self.rules = game(next(key for key in game_names() if game(key).family == family)).rules

    def call(self, _: str, *arguments: Any) -> Any:
        """Run it with the family's functions in place of the stubs."""
        from types import FunctionType

        names = {
            name: getattr(self.rules, name)
            for name in ("start", "acting", "legal", "apply", "chance_pending", "draw", "score")
        }
        return FunctionType(trace_game.__code__, {**trace_game.__globals__, **names})(*arguments)


def setting(instance: Any, found: Game) -> tuple[Any, Any, Any, Any]:
    """The tables, a blank state, one to play on and a trace."""
    tables = instance.new(type(found.definition.tables))
    instance.set(tables, found.definition.tables)
    return (
        tables,
        instance.new(found.rules.State),
        instance.new(found.rules.State),
        instance.new(Trace),
    )


@pytest.mark.parametrize("checking", [False, True], ids=["fast", "checking"])
@pytest.mark.parametrize(("key", "players"), COMBINATIONS)
@pytest.mark.parametrize("seeds", SEEDS.values(), ids=SEEDS)
def test_kernel_and_cpython_agree_move_by_move(
    seeds: range, key: str, players: int, checking: bool
) -> None:
    found = game(key)
    instance, plain = tracing_kernel(found.family, checking).instance(), PlainTracing(found.family)
    here, there = setting(instance, found), setting(plain, found)
    variants = 1 << len(found.options)
    for seed in seeds[:: 4 if checking else 1]:
        for trace in (here[3], there[3]):
            trace.players, trace.variant, trace.game = players, seed % variants, seed
        instance.call("trace_game", *here)
        plain.call("trace_game", *there)
        length = there[3].length
        assert length > 0, f"seed {seed} does not end"
        assert int(here[3].length) == length, f"seed {seed}"
        assert here[3].steps[:length].tolist() == there[3].steps[:length], f"seed {seed}"
        assert instance.read(found.rules.State, here[2]) == there[2], f"seed {seed}"


@pytest.mark.parametrize("player", ["greedy", "easy", "net", "search"])
@pytest.mark.parametrize(("key", "players"), COMBINATIONS)
def test_computer_players_stay_within_bounds(
    key: str, players: int, player: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = game(key)
    strengths = family_of(found).STRENGTHS
    # enough to reach all code
    monkeypatch.setitem(strengths, "search", strengths["search"]._replace(tries=6))
    scores = [Runner(found, [player] * players)(5, 0, 2).tolist()]
    for module in (rooms, nets):
        monkeypatch.setattr(module, "open_kernel", checking_kernel)
    scores.append(Runner(found, [player] * players)(5, 0, 2).tolist())
    assert scores[0] == scores[1]
