"""``foxclover train``: train the nets of a game by self-play."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING
from zipfile import BadZipFile

from foxclover.ai import nets
from foxclover.ai.net_file import NetError
from foxclover.cli.arguments import add_game, connect_cluster, find_game, number
from foxclover.cli.output import Progress
from foxclover.cli.parser import Commands, UserError
from foxclover.core.game import Game
from foxclover.core.registry import import_part
from foxclover.dice.sources import SEEDS
from foxclover.locale import Translator, format_number
from foxclover.simulation.training import Progress as LearningProgress
from foxclover.simulation.training import Training

if TYPE_CHECKING:
    from foxclover.ai.net_file import Net
    from foxclover.simulation.cluster import Cluster

EPISODES = 1_000_000
CHECKPOINTS = 50  # in a whole training
PICTURE = "curve.png"


def add_train(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("train", run)
    add_game(parser)
    parser.add_argument("--out", type=Path, metavar="DIR", help=translate("cli.train.out"))
    parser.add_argument("--resume", type=Path, metavar="DIR", help=translate("cli.train.resume"))
    parser.add_argument("--net", type=Path, metavar="FILE", help=translate("cli.train.net"))
    parser.add_argument(
        "--episodes",
        type=number(translate, 1),
        default=EPISODES,
        metavar="N",
        help=translate("cli.train.episodes"),
    )
    parser.add_argument(
        "--workers",
        type=number(translate, 1),
        default=os.cpu_count() or 1,
        metavar="W",
        help=translate("cli.train.workers"),
    )
    parser.add_argument("--ray", metavar="ADDRESS", help=translate("cli.help.ray"))
    parser.add_argument(
        "--seed",
        type=number(translate, 0, SEEDS - 1),
        default=1,
        metavar="S",
        help=translate("cli.help.seed"),
    )


def run(args: Namespace, translate: Translator) -> int:
    """Train with checkpoints; ``--resume`` continues an interrupted training."""
    import matplotlib  # noqa: F401 - raises if it is missing, before hours of training

    game = find_game(args, translate)
    school = import_part(game.family, "ai.training")
    folder = args.resume or args.out or Path(f"training-{game.key}")
    training: Training
    if args.resume:
        training = _resume(school, game, folder, translate)
    else:
        training = school.Training(
            game, args.seed, max(1, -(-args.episodes // school.GAMES_PER_ITERATION))
        )
        if args.net:
            training.begin_from(_load(args.net, game, translate))
        _make(folder, translate)
    every = max(1, training.iterations // CHECKPOINTS)
    left = training.iterations - training.iteration
    with ExitStack() as open_while_training:
        cluster = (
            open_while_training.enter_context(connect_cluster(args.ray, translate))
            if args.ray
            else None
        )
        bar = open_while_training.enter_context(
            Progress(
                left * school.GAMES_PER_ITERATION, translate("cli.train.training", game=game.name)
            )
        )
        bar.advance(0, translate("cli.simulate.preparing"))
        while training.iteration < training.iterations:
            _run_iteration(training, args.workers, bar, cluster, translate)
            if training.iteration % every == 0 or training.iteration == training.iterations:
                progress = training.evaluate()
                bar.advance(0, _strength(progress, translate))
                _save(training, folder, school.GAMES_PER_ITERATION, translate)
    last = training.curve[-1]
    print(_strength(last, translate))
    print(translate("cli.train.done", folder=folder))
    return 0


def _run_iteration(
    training: Training, workers: int, bar: Progress, cluster: Cluster | None, translate: Translator
) -> None:
    """Run an iteration; raise one sentence if the cluster is lost."""
    if cluster is None:
        training.run_iteration(workers, bar.advance)
        return
    from foxclover.simulation.cluster import ClusterError

    try:
        training.run_iteration(workers, bar.advance, cluster)
    except ClusterError as error:
        raise UserError(translate("cli.error.cluster", problem=error)) from None


def _resume(school: ModuleType, game: Game, folder: Path, translate: Translator) -> Training:
    try:
        training: Training = school.Training.resume(game, folder)
        return training
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise UserError(translate("cli.train.no_checkpoint", folder=folder, why=error)) from None


def _load(path: Path, game: Game, translate: Translator) -> Net:
    try:
        return nets.load(path, game)
    except NetError as error:
        raise UserError(translate("cli.error.net", problem=error)) from None


def _make(folder: Path, translate: Translator) -> None:
    """Create the folder, before hours of training."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(translate("cli.error.write", file=folder, why=error.strerror)) from None


def _strength(progress: LearningProgress, translate: Translator) -> str:
    solo, three = (
        format_number(points, ".1f", translate)
        for points in (progress.solo, progress.three_players)
    )
    return translate("cli.train.strength", solo=solo, three=three)


def _save(
    training: Training, folder: Path, games_per_iteration: int, translate: Translator
) -> None:
    try:
        training.save(folder)
        draw_curve(
            training.curve, games_per_iteration, training.game.name, folder / PICTURE, translate
        )
    except OSError as error:
        raise UserError(translate("cli.error.write", file=folder, why=error.strerror)) from None


def draw_curve(
    curve: Sequence[LearningProgress],
    games_per_iteration: int,
    title: str,
    path: Path,
    translate: Translator,
) -> None:
    """Write a picture of the strength of the nets over the games."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    games = [progress.iteration * games_per_iteration for progress in curve]
    axes.plot(games, [progress.solo for progress in curve], label=translate("cli.train.solo"))
    axes.plot(
        games, [progress.three_players for progress in curve], label=translate("cli.train.three")
    )
    axes.set_title(title)
    axes.set_xlabel(translate("cli.train.axis_games"))
    axes.set_ylabel(translate("cli.simulate.axis_points"))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
