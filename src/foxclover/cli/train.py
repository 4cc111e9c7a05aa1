"""``foxclover train`` and ``export-net``: nets by self-play, and nets for other programs."""

from __future__ import annotations

import os
from argparse import Namespace
from contextlib import nullcontext
from pathlib import Path
from zipfile import BadZipFile

from foxclover.ai import export, nets
from foxclover.benchmark import GAMES, SEEDS
from foxclover.cli.arguments import (
    add_game,
    add_json,
    add_net,
    file_errors,
    find_game,
    number,
    print_json,
)
from foxclover.cli.output import Progress
from foxclover.cli.parser import Parser, UserError
from foxclover.cli.results import new_axes
from foxclover.core.registry import import_part
from foxclover.dice import sources
from foxclover.locale import Translator, format_number
from foxclover.simulation import batch
from foxclover.simulation.cluster import Cluster
from foxclover.simulation.table import standard_error
from foxclover.simulation.training import Progress as LearningProgress
from foxclover.simulation.training import Training

EPISODES = 1_000_000
CHECKPOINTS = 50  # in a whole training
PICTURE = "curve.png"


def add_train(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
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
    add_json(parser)
    parser.add_argument(
        "--seed",
        type=number(translate, 0, sources.SEEDS - 1),
        default=1,
        metavar="S",
        help=translate("cli.help.seed"),
    )


def run_train(args: Namespace, translate: Translator) -> int:
    """Train with checkpoints; ``--resume`` continues an interrupted training."""
    import matplotlib  # noqa: F401 - raises if it is missing, before hours of training

    game = find_game(args, translate)
    module = import_part(game.family, "ai.training")
    folder = args.resume or args.out or Path(f"training-{game.key}")
    training: Training
    if args.resume:
        try:
            training = module.Training.resume(game, folder)
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            raise UserError(
                translate("cli.train.no_checkpoint", folder=folder, why=error)
            ) from None
    else:
        iterations = max(1, -(-args.episodes // module.GAMES_PER_ITERATION))
        training = module.Training(game, args.seed, iterations)
        if args.net:
            training.begin_from(nets.load(args.net, game))
        with file_errors("write", folder, translate):  # before hours of training
            folder.mkdir(parents=True, exist_ok=True)
    _train(training, module.GAMES_PER_ITERATION, folder, args, translate)
    if args.json:
        last = training.curve[-1]
        print_json(
            {
                "game": game.key,
                "net": str(folder / f"{game.key}.net"),
                "games": training.iteration * module.GAMES_PER_ITERATION,
                "solo": last.solo,
                "three_players": last.three_players,
            }
        )
        return 0
    print(_strength(training.curve[-1], translate))
    print(translate("cli.train.done", folder=folder))
    return 0


def _train(
    training: Training,
    games_per_iteration: int,
    folder: Path,
    args: Namespace,
    translate: Translator,
) -> None:
    """Run the iterations that are left; save and draw the curve now and then."""
    every = max(1, training.iterations // CHECKPOINTS)
    games = (training.iterations - training.iteration) * games_per_iteration
    label = translate("cli.train.training", game=training.game.name)
    with Cluster(args.ray) if args.ray else nullcontext() as cluster, Progress(games, label) as bar:
        bar.advance(0, translate("cli.simulate.preparing"))
        while training.iteration < training.iterations:
            training.run_iteration(args.workers, bar.advance, cluster)
            if training.iteration % every == 0 or training.iteration == training.iterations:
                bar.advance(0, _strength(training.evaluate(), translate))
                with file_errors("write", folder, translate):
                    training.save(folder)
                    draw_curve(training, games_per_iteration, folder / PICTURE, translate)


def _strength(progress: LearningProgress, translate: Translator) -> str:
    return translate(
        "cli.train.strength",
        solo=format_number(progress.solo, ".1f", translate),
        three=format_number(progress.three_players, ".1f", translate),
    )


def draw_curve(
    training: Training, games_per_iteration: int, path: Path, translate: Translator
) -> None:
    """Write a picture of the strength of the nets over the games."""
    figure, axes = new_axes(
        training.game.name,
        translate("cli.train.axis_games"),
        translate("cli.simulate.axis_points"),
    )
    iterations, three_players, solo, _ = zip(*training.curve, strict=True)
    games = [iteration * games_per_iteration for iteration in iterations]
    axes.plot(games, solo, label=translate("cli.train.solo"))
    axes.plot(games, three_players, label=translate("cli.train.three"))
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)


def add_export_net(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    add_game(parser)
    parser.add_argument(
        "--format",
        choices=export.FORMATS,
        default=export.FORMATS[0],
        help=translate("cli.export_net.format"),
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help=translate("cli.export_net.out"))
    parser.add_argument("--force", action="store_true", help=translate("cli.export_net.force"))
    add_net(parser)


def run_export_net(args: Namespace, translate: Translator) -> int:
    """Write a net for other programs, and its model card with the strength measured now."""
    game = find_game(args, translate)
    kind = f".{args.format}"
    file = args.out or Path(f"{game.key}{kind}")
    if file.suffix != kind:
        raise UserError(translate("cli.export_net.kind", file=file, kind=kind))
    model_card = file.with_name(f"{file.name}.md")
    for path in (file, model_card):
        if path.exists() and not args.force:
            raise UserError(translate("cli.simulate.exists", file=path))
    with file_errors("write", file, translate):
        graph = export.export(game, args.format, file)
    seed = SEEDS["report"]
    with Progress(GAMES, translate("cli.simulate.playing")) as bar:
        callbacks = batch.Callbacks(bar.advance)
        scores = batch.play(game, ["net"], GAMES, seed, callbacks=callbacks).scores.mean(axis=1)
    measured = {"mean": scores.mean(), "se": standard_error(scores), "games": GAMES, "seed": seed}
    with file_errors("write", model_card, translate):
        model_card.write_text(export.card(game, file, graph, measured), encoding="utf-8")
    print(translate("cli.export_net.written", file=file, card=model_card))
    return 0
