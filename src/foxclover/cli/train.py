"""``foxclover train``: let the nets of a game learn by playing with themselves."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from foxclover.ai.training import Progress as LearningProgress
from foxclover.ai.training import Training
from foxclover.cli.arguments import SEEDS, add_game, find_game, number
from foxclover.cli.cluster import connect
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.cli.progress import Progress
from foxclover.game import Game
from foxclover.locale import Say, say_number

if TYPE_CHECKING:
    from foxclover.simulation.cluster import Cluster

EPISODES = 1_000_000
CHECKPOINTS = 50  # in a whole training
PICTURE = "curve.png"


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("train", run)
    add_game(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help=say("cli.train.out"))
    parser.add_argument("--resume", type=Path, metavar="DIR", help=say("cli.train.resume"))
    parser.add_argument(
        "--episodes",
        type=number(say, 1),
        default=EPISODES,
        metavar="N",
        help=say("cli.train.episodes"),
    )
    parser.add_argument(
        "--workers",
        type=number(say, 1),
        default=os.cpu_count() or 1,
        metavar="W",
        help=say("cli.train.workers"),
    )
    parser.add_argument("--ray", metavar="ADDRESS", help=say("cli.help.ray"))
    parser.add_argument(
        "--seed", type=number(say, 0, SEEDS - 1), default=1, metavar="S", help=say("cli.help.seed")
    )


def run(args: Namespace, say: Say) -> int:
    """Train, with checkpoints; an interrupted training goes on with ``--resume``."""
    import matplotlib  # noqa: F401 - what is missing for the picture is told before hours are spent

    game = find_game(args, say)
    school = import_module(f"foxclover.ai.{game.family}.training")
    folder = args.resume or args.out or Path(f"training-{game.key}")
    training: Training
    if args.resume:
        training = _resume(school, game, folder, say)
    else:
        training = school.Training(
            game, args.seed, max(1, -(-args.episodes // school.GAMES_OF_TERM))
        )
        _make(folder, say)
    every = max(1, training.terms // CHECKPOINTS)
    left = training.terms - training.term
    with ExitStack() as open_while_training:
        cluster = open_while_training.enter_context(connect(args.ray, say)) if args.ray else None
        bar = open_while_training.enter_context(
            Progress(left * school.GAMES_OF_TERM, say("cli.train.training", game=game.name))
        )
        bar.advance(0, say("cli.simulate.preparing"))
        while training.term < training.terms:
            _run_term(training, args.workers, bar, cluster, say)
            if training.term % every == 0 or training.term == training.terms:
                progress = training.evaluate()
                bar.advance(0, _strength(progress, say))
                _save(training, folder, school.GAMES_OF_TERM, say)
    last = training.curve[-1]
    print(_strength(last, say))
    print(say("cli.train.done", folder=folder))
    return 0


def _run_term(
    training: Training, workers: int, bar: Progress, cluster: Cluster | None, say: Say
) -> None:
    """Play and learn; if the cluster is lost, what was saved before stays."""
    if cluster is None:
        training.run_term(workers, bar.advance)
        return
    from foxclover.simulation.cluster import ClusterError

    try:
        training.run_term(workers, bar.advance, cluster)
    except ClusterError as error:
        raise UserError(say("cli.error.cluster", problem=error)) from None


def _resume(school: ModuleType, game: Game, folder: Path, say: Say) -> Training:
    try:
        training: Training = school.Training.resume(game, folder)
        return training
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise UserError(say("cli.train.no_checkpoint", folder=folder, why=error)) from None


def _make(folder: Path, say: Say) -> None:
    """Make sure of the folder before hours are spent."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(say("cli.error.write", file=folder, why=error.strerror)) from None


def _strength(progress: LearningProgress, say: Say) -> str:
    solo, three = (
        say_number(points, ".1f", say) for points in (progress.solo, progress.three_players)
    )
    return say("cli.train.strength", solo=solo, three=three)


def _save(training: Training, folder: Path, games_of_term: int, say: Say) -> None:
    try:
        training.save(folder)
        draw_curve(training.curve, games_of_term, training.game.name, folder / PICTURE, say)
    except OSError as error:
        raise UserError(say("cli.error.write", file=folder, why=error.strerror)) from None


def draw_curve(
    curve: Sequence[LearningProgress], games_of_term: int, title: str, path: Path, say: Say
) -> None:
    """Write a picture of how the nets' strength grew."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    games = [progress.term * games_of_term for progress in curve]
    axes.plot(games, [progress.solo for progress in curve], label=say("cli.train.solo"))
    axes.plot(games, [progress.three_players for progress in curve], label=say("cli.train.three"))
    axes.set_title(title)
    axes.set_xlabel(say("cli.train.axis_games"))
    axes.set_ylabel(say("cli.simulate.axis_points"))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
