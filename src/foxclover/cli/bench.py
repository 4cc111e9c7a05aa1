"""``foxclover bench``: the speed of games on one core, by CPython and by the kernel."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from typing import Any

from foxclover.cli.arguments import add_json, print_json
from foxclover.cli.output import Progress
from foxclover.cli.parser import Parser
from foxclover.core.game import Game, game, game_names
from foxclover.locale import Translator, format_number

SECONDS = 1.0  # of a measurement, at least
PLAIN_GAMES, KERNEL_GAMES, NET_GAMES = 200, 2000, 10  # of one repetition
SEED = 1
FIRST_GAME = """
import sys
from foxclover.simulation.workers import Runner
from foxclover.core.game import game
Runner(game(sys.argv[1]), ["net"])(1, 0, 1)
"""


def add_bench(parser: Parser, _: Translator) -> None:
    """Declare the command."""
    add_json(parser)


def run_bench(args: Namespace, translate: Translator) -> int:
    """Measure, and print the figures."""
    games = [game(key) for key in game_names()]
    steps = sum(2 + 2 * len(chosen.players) for chosen in games)
    result: dict[str, Any] = {"games": {}}
    with Progress(steps, translate("cli.bench.measuring")) as bar:
        for chosen in games:
            bar.advance(0, chosen.key)
            figures = measure(chosen, lambda: bar.advance(1))
            result["games"][chosen.key] = figures | first_game(chosen.key)
            bar.advance(1)
    if args.json:
        print_json(result)
    else:
        _print(result, translate)
    return 0


def measure(chosen: Game, tick: Callable[[], None]) -> dict[str, float]:
    """Return the speeds of a game, by CPython and by the kernel for each number of players."""
    from foxclover.simulation.workers import Runner

    figures = {"cpython_games_per_s": speed(plain(chosen), PLAIN_GAMES)}
    tick()
    for players in chosen.players:
        end = f"_{players}p" if players > 1 else ""
        random, net = (
            partial(Runner(chosen, [agent] * players), SEED, 0) for agent in ("random", "net")
        )
        figures[f"compiled_games_per_s{end}"] = speed(random, KERNEL_GAMES)
        tick()
        figures[f"net_ms_per_game{end}"] = 1000 / speed(net, NET_GAMES)
        tick()
    return figures


def plain(chosen: Game) -> Callable[[int], object]:
    """Return a function that plays random solo games by CPython."""
    from foxclover.kernel.batch import Batch, Result
    from foxclover.kernel.python_backend import PythonKernel

    instance, state = PythonKernel(chosen.family).instance(), chosen.rules.State
    batch = Batch()
    batch.players, batch.seed = 1, SEED
    states = [state() for _ in range(3)]

    def play(count: int) -> object:
        batch.count = count
        results = instance.new(Result, count)
        return instance.call("play_games", chosen.definition.tables, batch, *states, results)

    return play


def speed(play: Callable[[int], object], count: int) -> float:
    """Return the games per second of processor time in the fastest of several repetitions.

    Other work on the machine can only slow a repetition down.
    """
    play(1)
    seconds: list[float] = []
    while sum(seconds) < SECONDS:
        started = time.process_time()
        play(count)
        seconds.append(time.process_time() - started)
    return count / min(seconds)


def first_game(key: str) -> dict[str, float]:
    """Measure the start of Python and a first game of ``net``, with an empty and a full cache."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        times = []
        for _ in range(2):
            before = sum(os.times()[2:4])  # of processes that have ended
            subprocess.run([sys.executable, "-c", FIRST_GAME, key], env=environment, check=True)
            times.append(sum(os.times()[2:4]) - before)
    return {"first_net_game_s": times[0], "first_net_game_cached_s": times[1]}


def _print(result: dict[str, Any], translate: Translator) -> None:
    for key, figures in result["games"].items():
        print(f"\n{key}")
        cpython = format_number(figures["cpython_games_per_s"], ",.0f", translate)
        rows = [
            ("", translate("cli.bench.random"), translate("cli.bench.net")),
            (translate("cli.bench.cpython"), cpython, ""),
        ]
        for players in game(key).players:
            end = f"_{players}p" if players > 1 else ""
            name = translate("cli.bench.kernel", players=players, count=players)
            random = format_number(figures[f"compiled_games_per_s{end}"], ",.0f", translate)
            net = format_number(figures[f"net_ms_per_game{end}"], ".2f", translate)
            rows.append((name, random, net))
        width = max(len(name) for name, _, _ in rows)
        for name, random, net in rows:
            print(f"  {name:<{width}}  {random:>18}  {net:>18}")
        ratio = figures["compiled_games_per_s"] / figures["cpython_games_per_s"]
        print(f"  {translate('cli.bench.ratio', ratio=f'{ratio:.0f}')}")
        cold, cached = (
            format_number(figures[name], ".2f", translate)
            for name in ("first_net_game_s", "first_net_game_cached_s")
        )
        print(f"  {translate('cli.bench.first', cold=cold, cached=cached)}")
