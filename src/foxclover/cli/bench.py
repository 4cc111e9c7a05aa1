"""``foxclover bench``: how many random games a second the rules play, as they are and compiled, on one core."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from foxclover.cli.arguments import add_json, print_json
from foxclover.cli.parser import Commands
from foxclover.cli.progress import Progress
from foxclover.game import GAMES, Game, game
from foxclover.locale import Say

SECONDS = 2.0  # a measurement takes at least this long
PLAIN_GAMES, COMPILED_GAMES = 200, 2000  # of one go
SEED = 1
TABLES = {"clever": (1, 4), "climb": (1, 3, 4)}  # numbers of players measured
COMPILE = """
import sys
from foxclover.ai.batch import Runner
from foxclover.game import game
Runner(game(sys.argv[1]), ["random"])(1, 0, 1)
"""


def add(commands: Commands, _: Say) -> None:
    """Declare the command."""
    add_json(commands.add("bench", run))


def run(args: Namespace, say: Say) -> int:
    """Measure and tell."""
    games = {key: game(key) for key in GAMES}
    compiled = {chosen.package: key for key, chosen in games.items()}
    steps = sum(1 + len(TABLES[chosen.package]) for chosen in games.values()) + 2 * len(compiled)
    result: dict[str, Any] = {"games": {}, "compile": {}}
    with Progress(steps, say("cli.bench.measuring")) as bar:
        for package, key in compiled.items():
            bar.advance(0, package)
            result["compile"][package] = compile_times(key)
            bar.advance(2)
        for key, chosen in games.items():
            bar.advance(0, key)
            speeds = {"cpython_games_per_s": speed(plain(chosen), PLAIN_GAMES)}
            bar.advance(1)
            for players in TABLES[chosen.package]:
                name = "compiled_games_per_s" + (f"_{players}p" if players > 1 else "")
                speeds[name] = speed(fast(chosen, players), COMPILED_GAMES)
                bar.advance(1)
            result["games"][key] = speeds
    if args.json:
        print_json(result)
    else:
        _print(result, say)
    return 0


def plain(chosen: Game) -> Callable[[int, int], object]:
    """Random solo games by CPython: a function of the first game and their number."""
    from foxclover.fast import link

    functions, state = link(chosen.package, compiled=False), chosen.rules.State

    def play(first: int, count: int) -> object:
        work = ([0] * 4, [0] * 4, [0] * chosen.rules.MOVES, [[0] for _ in range(count)])
        tables = [state() for _ in range(count)]
        return functions.play_games([chosen.book.tables], [state()], tables, 1, 0, [0] * 4, SEED, first, count, *work)

    return play


def fast(chosen: Game, players: int) -> Callable[[int, int], object]:
    """Random games compiled: a function of the first game and their number."""
    from foxclover.ai.batch import Runner

    run_games = Runner(chosen, ["random"] * players)
    return lambda first, count: run_games(SEED, first, count)


def speed(play: Callable[[int, int], object], games: int) -> float:
    """Games per second of processor time in the fastest go at the same games: other work on the machine can only slow a go down."""
    play(0, 1)
    goes: list[float] = []
    while sum(goes) < SECONDS:
        started = time.process_time()
        play(0, games)
        goes.append(time.process_time() - started)
    return games / min(goes)


def compile_times(key: str) -> dict[str, float]:
    """Seconds of processor time from starting Python to the first compiled game, with an empty cache and with a filled one."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        times = []
        for _ in range(2):
            before = os.times()
            subprocess.run([sys.executable, "-c", COMPILE, key], env=environment, check=True)
            after = os.times()
            times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return {"cold_s": times[0], "cached_s": times[1]}


def _print(result: dict[str, Any], say: Say) -> None:
    print(say("cli.bench.unit"))
    for key, speeds in result["games"].items():
        print(f"\n{key}")
        rows = {say("cli.bench.cpython"): speeds["cpython_games_per_s"], say("cli.bench.compiled"): speeds["compiled_games_per_s"]}
        for players in (3, 4):
            if f"compiled_games_per_s_{players}p" in speeds:
                rows[say("cli.bench.compiled_more", players=players)] = speeds[f"compiled_games_per_s_{players}p"]
        width = max(map(len, rows))
        for name, value in rows.items():
            print(f"  {name:<{width}}  {value:>9,.0f}")
        print(f"  {say('cli.bench.ratio'):<{width}}  {speeds['compiled_games_per_s'] / speeds['cpython_games_per_s']:>9.0f}")
    print()
    for package, times in result["compile"].items():
        print(say("cli.bench.compile", package=package, cold=f"{times['cold_s']:.1f}", cached=f"{times['cached_s']:.1f}"))
