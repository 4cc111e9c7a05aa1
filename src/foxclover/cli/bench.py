"""``foxclover bench``: how fast games are played on one core, by CPython and by the kernel, at random and with the net."""

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
from foxclover.game import Game, game, games
from foxclover.locale import Say, say_number

SECONDS = 1.0  # a measurement takes at least this long
PLAIN_GAMES, KERNEL_GAMES, NET_GAMES = 200, 2000, 10  # of one go
SEED = 1
FIRST_GAME = """
import sys
from foxclover.simulation.rooms import Runner
from foxclover.game import game
Runner(game(sys.argv[1]), ["net"])(1, 0, 1)
"""


def add(commands: Commands, _: Say) -> None:
    """Declare the command."""
    add_json(commands.add("bench", run))


def run(args: Namespace, say: Say) -> int:
    """Measure and tell."""
    chosen = {key: game(key) for key in games()}
    steps = sum(2 + 2 * len(one.players) for one in chosen.values())
    result: dict[str, Any] = {"games": {}}
    with Progress(steps, say("cli.bench.measuring")) as bar:
        for key, one in chosen.items():
            bar.advance(0, key)
            figures = result["games"][key] = measure(one, lambda: bar.advance(1))
            figures |= first_game(key)
            bar.advance(1)
    if args.json:
        print_json(result)
    else:
        _print(result, say)
    return 0


def measure(chosen: Game, tick: Callable[[], None]) -> dict[str, float]:
    """The speeds of a game, by CPython alone and by the kernel for each number of players."""
    from foxclover.simulation.rooms import Runner

    figures = {"cpython_games_per_s": speed(plain(chosen), PLAIN_GAMES)}
    tick()
    for players in chosen.players:
        end = f"_{players}p" if players > 1 else ""
        figures[f"compiled_games_per_s{end}"] = speed(
            _batches(Runner(chosen, ["random"] * players)), KERNEL_GAMES
        )
        tick()
        figures[f"net_ms_per_game{end}"] = 1000 / speed(
            _batches(Runner(chosen, ["net"] * players)), NET_GAMES
        )
        tick()
    return figures


def plain(chosen: Game) -> Callable[[int], object]:
    """Random solo games by CPython."""
    from foxclover.accounts import Result
    from foxclover.kernel.plain import PlainKernel
    from foxclover.playouts import Batch

    instance, state = PlainKernel(chosen.family).instance(), chosen.rules.State
    batch = Batch()
    batch.players, batch.seed = 1, SEED

    def play(count: int) -> object:
        batch.count = count
        return instance.call(
            "play_games",
            chosen.book.tables,
            batch,
            state(),
            state(),
            state(),
            instance.new(Result, count),
        )

    return play


def _batches(runner: Callable[[int, int, int], object]) -> Callable[[int], object]:
    return lambda count: runner(SEED, 0, count)


def speed(play: Callable[[int], object], count: int) -> float:
    """Games per second of processor time in the fastest go at the same games: other work on the machine can only slow a go down."""
    play(1)
    goes: list[float] = []
    while sum(goes) < SECONDS:
        started = time.process_time()
        play(count)
        goes.append(time.process_time() - started)
    return count / min(goes)


def first_game(key: str) -> dict[str, float]:
    """Processor seconds from starting Python to the end of a first game of ``net``, with an empty cache and with a filled one."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "XDG_CACHE_HOME": cache}
        times = []
        for _ in range(2):
            before = os.times()
            subprocess.run([sys.executable, "-c", FIRST_GAME, key], env=environment, check=True)
            after = os.times()
            times.append(
                after.children_user
                + after.children_system
                - before.children_user
                - before.children_system
            )
    return {"first_net_game_s": times[0], "first_net_game_cached_s": times[1]}


def _print(result: dict[str, Any], say: Say) -> None:
    for key, figures in result["games"].items():
        print(f"\n{key}")
        rows = [
            (say("cli.bench.cpython"), say_number(figures["cpython_games_per_s"], ",.0f", say), "")
        ]
        for players in game(key).players:
            end = f"_{players}p" if players > 1 else ""
            name = say("cli.bench.kernel", players=players, count=players)
            random = say_number(figures[f"compiled_games_per_s{end}"], ",.0f", say)
            rows.append((name, random, say_number(figures[f"net_ms_per_game{end}"], ".2f", say)))
        width = max(len(name) for name, _, _ in rows)
        print(f"  {'':<{width}}  {say('cli.bench.random'):>18}  {say('cli.bench.net'):>18}")
        for name, random, net in rows:
            print(f"  {name:<{width}}  {random:>18}  {net:>18}")
        ratio = figures["compiled_games_per_s"] / figures["cpython_games_per_s"]
        print(f"  {say('cli.bench.ratio', ratio=f'{ratio:.0f}')}")
        seconds = {
            name: say_number(figures[name], ".2f", say)
            for name in ("first_net_game_s", "first_net_game_cached_s")
        }
        print(
            f"  {say('cli.bench.first', cold=seconds['first_net_game_s'], cached=seconds['first_net_game_cached_s'])}"
        )
