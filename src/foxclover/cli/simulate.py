"""``foxclover simulate``: many games by computer players, and what they tell."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.ai import AGENTS
from foxclover.ai.files import NetError
from foxclover.chance import fresh_seed
from foxclover.cli import statistics
from foxclover.cli.arguments import SEEDS, add_game, add_json, find_game, find_variant, number, print_json
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.cli.progress import Progress
from foxclover.game import Game
from foxclover.locale import Say

if TYPE_CHECKING:
    from foxclover.ai.batch import Outcome


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("simulate", run)
    add_game(parser)
    parser.add_argument("--agent", default="random", metavar="A", help=say("cli.simulate.agent", agents=", ".join(AGENTS)))
    parser.add_argument("--seats", metavar="A,B", help=say("cli.simulate.seats"))
    parser.add_argument("--players", type=number(say, 1, 4), metavar="N", help=say("cli.simulate.players"))
    parser.add_argument("--games", type=number(say, 1), default=1000, metavar="N", help=say("cli.simulate.games"))
    parser.add_argument("--seed", type=number(say, 0, SEEDS - 1), metavar="S", help=say("cli.help.seed"))
    parser.add_argument("--workers", type=number(say, 1), default=os.cpu_count() or 1, metavar="W", help=say("cli.simulate.workers"))
    parser.add_argument("--plot", type=Path, metavar="FILE", help=say("cli.simulate.plot"))
    add_json(parser)


def run(args: Namespace, say: Say) -> int:
    """Play the games and tell the figures: of one agent, of several on the same dice, or of agents at one table."""
    try:
        return _simulate(args, say)
    except NetError as error:
        raise UserError(say("cli.error.net", problem=error)) from None


def _simulate(args: Namespace, say: Say) -> int:
    game = find_game(args, say)
    args.seed = fresh_seed() if args.seed is None else args.seed
    if args.seats:
        seats = _agents(args.seats, say)
        if len(seats) not in game.players or args.players not in (None, len(seats)):
            raise UserError(say("cli.error.players", game=game.name, count=len(seats)))
        return _table(game, seats, args, say)
    agents = _agents(args.agent, say)
    args.players = args.players or 1
    results = {}
    for agent in agents:
        batch = _play(game, [agent] * args.players, args, say)
        results[agent] = (figures(game, agent, args.seed, batch), batch)
    if args.plot:
        _plot(args.plot, {agent: batch for agent, (_, batch) in results.items()}, game, args, say)
    shown = [shown for shown, _ in results.values()]
    differences = [_difference(agents[0], other, results[agents[0]][1], results[other][1]) for other in agents[1:]]
    if args.json:
        print_json({"agents": shown, "differences": differences} if len(agents) > 1 else shown[0])
        return 0
    for result in shown:
        _print_figures(game, result, say)
    for difference in differences:
        gain = f"{difference['difference']:+.2f} ± {difference['se']:.2f}"
        print(say("cli.simulate.difference", first=difference["first"], second=difference["second"], gain=gain))
    return 0


def figures(game: Game, agent: str, seed: int, batch: Outcome) -> dict[str, Any]:
    """The figures of one agent, under the names programs know."""
    games, players = batch.scores.shape
    areas = {name: value for name, value in batch.parts.items() if name != "foxes"}
    head = {"game": game.key, "agent": agent, "players": players, "games": games, "seed": seed}
    rest = {"areas": areas, **batch.tallies, "ms_per_game": batch.ms_per_game}
    return {**head, **statistics.describe(batch.scores), **rest}


def _agents(text: str, say: Say) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in AGENTS:
            raise UserError(say("cli.error.agent", text=name, agents=", ".join(AGENTS)))
    return names


def _play(game: Game, seats: Sequence[str], args: Namespace, say: Say) -> Outcome:
    from foxclover.ai import batch

    with Progress(args.games, say("cli.simulate.playing")) as bar:
        bar.advance(0, say("cli.simulate.preparing"))
        return batch.play(
            game, seats, args.games, args.seed, args.workers, find_variant(args, game), lambda played: bar.advance(played, " ")
        )


def _difference(first: str, second: str, one: Outcome, other: Outcome) -> dict[str, Any]:
    """Paired by game: both had the same dice."""
    paired = (other.scores - one.scores).mean(axis=1)
    error = float(paired.std(ddof=1)) / len(paired) ** 0.5 if len(paired) > 1 else 0.0
    return {"first": first, "second": second, "difference": float(paired.mean()), "se": error}


def _table(game: Game, seats: Sequence[str], args: Namespace, say: Say) -> int:
    """Agents against each other. They change seats from game to game, so that none profits from where it sits."""
    from foxclover.ai import tournament

    with Progress(args.games, say("cli.simulate.playing")) as bar:
        bar.advance(0, say("cli.simulate.preparing"))
        result = tournament.play(
            game, seats, args.games, args.seed, args.workers, find_variant(args, game), lambda played: bar.advance(played, " ")
        )
    if args.json:
        print_json(result)
        return 0
    print(say("cli.simulate.title", game=game.name, agent=", ".join(seats), games=result["games"], seed=args.seed))
    for seat in result["seats"]:
        print(say("cli.simulate.wins", agent=seat["agent"], wins=f"{seat['wins']:.1%}", se=f"{seat['se']:.1%}", mean=f"{seat['mean']:.1f}"))
    return 0


def _plot(path: Path, batches: dict[str, Outcome], game: Game, args: Namespace, say: Say) -> None:
    title = say("cli.simulate.title", game=game.name, agent=", ".join(batches), games=args.games, seed=args.seed)
    try:
        statistics.draw_histogram({agent: batch.scores for agent, batch in batches.items()}, title, path, say)
    except OSError as error:
        raise UserError(say("cli.error.write", file=path, why=error.strerror)) from None
    except ValueError:
        raise UserError(say("cli.error.picture", file=path)) from None


def _print_figures(game: Game, result: dict[str, Any], say: Say) -> None:
    title = say("cli.simulate.title", game=game.name, agent=result["agent"], games=result["games"], seed=result["seed"])
    print(f"{title}, {say('cli.simulate.players_title', count=result['players'])}")
    spread = "  ".join(f"{result[key]:g}" for key in ("min", "p10", "median", "p90", "max"))
    rows = {
        say("cli.simulate.mean"): f"{result['mean']:.2f} ± {result['se']:.2f}",
        say("cli.simulate.std"): f"{result['std']:.2f}",
        say("cli.simulate.range"): spread,
        say("cli.simulate.areas"): "  ".join(
            f"{game.words.part_words(game.book, name, say)} {value:.1f}" for name, value in result["areas"].items()
        ),
        **{say(f"cli.simulate.{name}"): f"{result[name]:.2f}" for name in ("foxes",) if name in result},
        say("cli.simulate.ms"): f"{result['ms_per_game']:.4f}",
    }
    width = max(map(len, rows))
    for name, value in rows.items():
        print(f"  {name:<{width}}  {value}")
