"""``foxclover simulate`` and ``merge``: many games by computer players, and their results."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover import AGENTS, Game, Position, UnknownGame, game, transcripts
from foxclover.ai import is_custom, read_name
from foxclover.ai.custom_agents import find
from foxclover.cli import results, resume
from foxclover.cli.arguments import (
    add_first_player,
    add_game,
    add_json,
    add_net,
    add_traceback,
    check_players,
    file_errors,
    find_game,
    find_setup,
    number,
    print_cause,
)
from foxclover.cli.output import Progress
from foxclover.cli.parser import Halted, Parser, UserError, program
from foxclover.cli.resume import Plan
from foxclover.core.setup import Setup
from foxclover.dice.sources import SEEDS, STREAMS, fresh_seed
from foxclover.locale import Translator
from foxclover.simulation import batch, table
from foxclover.simulation.batch import Outcome
from foxclover.simulation.cluster import Cluster
from foxclover.simulation.table import Array, LineUp, Table

if TYPE_CHECKING:
    from foxclover.envs.dataset import Dataset

Columns = Mapping[str, Array]


def add_simulate(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    add_game(parser)
    add_first_player(parser)
    parser.add_argument(
        "--agent",
        metavar="A",
        help=translate("cli.simulate.agent", agents=", ".join((*AGENTS, "module:Class"))),
    )
    parser.add_argument("--seats", metavar="A,B", help=translate("cli.simulate.seats"))
    parser.add_argument(
        "--players", type=number(translate, 1), metavar="N", help=translate("cli.simulate.players")
    )
    parser.add_argument(
        "--games",
        type=number(translate, 1),
        default=1000,
        metavar="N",
        help=translate("cli.simulate.games"),
    )
    parser.add_argument(
        "--start",
        type=number(translate, 0, STREAMS - 1),
        default=0,
        metavar="N",
        help=translate("cli.simulate.start"),
    )
    parser.add_argument(
        "--seed",
        type=number(translate, 0, SEEDS - 1),
        metavar="S",
        help=translate(
            "cli.help.default",
            text=translate("cli.help.seed"),
            value=translate("cli.help.new_seed"),
        ),
    )
    parser.add_argument(
        "--workers",
        type=number(translate, 1),
        default=os.cpu_count() or 1,
        metavar="W",
        help=translate("cli.simulate.workers"),
    )
    parser.add_argument("--ray", metavar="ADDRESS", help=translate("cli.help.ray"))
    results.add_results(parser, translate("cli.simulate.results"))
    parser.add_argument("--resume", action="store_true", help=translate("cli.simulate.resume"))
    parser.add_argument(
        "--transcripts", type=Path, metavar="DIR", help=translate("cli.simulate.transcripts")
    )
    parser.add_argument(
        "--dataset", type=Path, metavar="FILE|DIR", help=translate("cli.simulate.dataset")
    )
    results.add_pictures(parser)
    add_net(parser)
    add_traceback(parser)
    add_json(parser)


def run_simulate(args: Namespace, translate: Translator) -> int:
    """Play many games of one agent, of several on the same dice, or of agents at one table."""
    game = find_game(args, translate)
    if args.start + args.games > STREAMS:
        raise UserError(translate("cli.simulate.too_many", most=STREAMS))
    if args.seats and args.agent:
        raise UserError(translate("cli.simulate.seats_or_agent"))
    if args.resume and (args.force or not args.results):
        raise UserError(translate("cli.simulate.resume_what"))
    results.check_files(args, translate)
    _check_dataset(args, translate)
    agents = _agents(args.seats or args.agent or "random", translate)
    if not args.seats:
        agents = list(dict.fromkeys(agents))
    seated = len(agents) if args.seats else args.players or 1
    check_players(game, seated, translate)
    if args.players not in (None, seated):
        raise UserError(
            translate("cli.simulate.seats_or_players", count=seated, players=args.players)
        )
    args.players = seated
    everyone = tuple(range(seated))
    line_ups = (
        [LineUp(tuple(agents), everyone[turn:] + everyone[:turn]) for turn in everyone]
        if args.seats
        else [LineUp((agent,) * seated, everyone) for agent in agents]
    )
    setup = find_setup(args, game, seated, translate)
    games = -(-args.games // len(line_ups)) if args.seats else args.games
    numbers = range(args.start, args.start + games)
    plan = Plan(game, line_ups, setup, numbers)
    left = resume.find_left(plan, args, translate) if args.resume else None
    args.seed = fresh_seed() if args.seed is None else args.seed
    workers: AbstractContextManager[Any] = (
        Cluster(args.ray) if args.ray else nullcontext(args.workers)
    )
    with workers as args.workers:
        return _play(plan, left, args, translate)


def _play(plan: Plan, left: Table | None, args: Namespace, translate: Translator) -> int:
    """Play all line-ups on the same dice, and print the results."""
    out = table.TableFile(args.results) if args.results else None
    if out and left:
        out.write(left)
    parts = [
        (run, part)
        for run in range(len(plan.line_ups))
        for part in resume.missing(left, run, plan.numbers)
    ]
    dataset = _open_dataset(plan, args, translate)
    outcomes: list[tuple[int, Outcome]] = []
    unfinished: batch.Unfinished | None = None
    with Progress(sum(len(part) for _, part in parts), translate("cli.simulate.playing")) as bar:
        bar.advance(0, translate("cli.simulate.preparing"))
        for run, part in parts:
            agents, order = plan.line_ups[run]
            seats = [agents[player] for player in order]
            callbacks = batch.Callbacks(
                lambda played: bar.advance(played, " "),
                _transcriber(plan.game, seats, run, args, plan.setup),
                keep=_keeper(out, run, order),
                log=dataset.add if dataset else None,
            )
            if dataset:
                dataset.begin(seats, args.seed, run, part.start)
            dealt = (len(part), args.seed, args.workers, plan.setup, part.start)
            try:
                outcomes.append((run, batch.play(plan.game, seats, *dealt, callbacks)))
            except batch.Unfinished as error:
                unfinished = error
                outcomes += [(run, error.outcome)] if error.outcome else []
                break
            finally:
                if dataset:
                    dataset.finish()
    if dataset:
        with file_errors("write", args.dataset, translate):
            dataset.close()
    try:
        with file_errors("write", args.results, translate):
            if out:
                out.close()
    finally:  # figures are printed even if the file could not be written
        _show(plan, left, outcomes, not unfinished, args, translate)
    if unfinished is None:
        return 0
    done = sum(len(outcome) for _, outcome in outcomes) + resume.games_of(left)
    wanted = len(plan.numbers) * len(plan.line_ups)
    sentence = translate("cli.simulate.unfinished", done=done, games=wanted, why=unfinished.reason)
    if args.traceback:
        print_cause(unfinished)
    if isinstance(unfinished, batch.Stopped):
        raise UserError(sentence)
    if args.results:
        sentence += f"\n  {translate('cli.simulate.go_on')}\n  {_resuming_command(args)}"
    raise Halted(sentence)


def _show(
    plan: Plan,
    left: Table | None,
    played: Sequence[tuple[int, Outcome]],
    compared: bool,
    args: Namespace,
    translate: Translator,
) -> None:
    """Print the figures of all games, of earlier runs too."""
    outcomes = [outcome for _, outcome in played]
    if left:
        added = [table.to_table(outcome, run, plan.line_ups[run].order) for run, outcome in played]
        _show_rows(plan.game, table.join([left, *added]), args, translate)
    elif args.seats:
        _show_table(plan.game, outcomes, plan.line_ups, args, translate)
    else:
        _show_agents(plan.game, outcomes, compared, args, translate)


def _show_agents(
    game: Game, outcomes: Sequence[Outcome], compared: bool, args: Namespace, translate: Translator
) -> None:
    """Print the figures of agents that played alone, compared with the first one."""
    scores = {outcome.seats[0]: outcome.scores for outcome in outcomes}
    shown = [
        figures(game, agent, outcome.seed, outcome.scores, outcome.parts, outcome.tallies)
        | {"ms_per_game": outcome.ms_per_game}
        for agent, outcome in zip(scores, outcomes, strict=True)
    ]
    first, *others = scores or [""]
    differences = [
        difference(first, other, scores[first], scores[other]) for other in others if compared
    ]
    results.show(game, shown, differences, scores, [], args, translate)


def _show_table(
    game: Game,
    outcomes: Sequence[Outcome],
    line_ups: Sequence[LineUp],
    args: Namespace,
    translate: Translator,
) -> None:
    """Print the results of agents at one table."""
    tables = [
        table.to_table(replace(outcome, parts={}, tallies={}), run, line_ups[run].order)
        for run, outcome in enumerate(outcomes)
    ]
    results.show(game, [], [], {}, [table.join(tables)] if tables else [], args, translate)


def _resuming_command(args: Namespace) -> str:
    """Return the command that plays the rest of an interrupted run."""
    kept, skipping = list[str](), False
    for word in args.words:
        if not skipping and word.partition("=")[0] not in ("--seed", "--resume", "--force"):
            kept.append(word)
        skipping = word == "--seed"
    return shlex.join([*program().split(), *kept, "--seed", str(args.seed), "--resume"])


def figures(
    game: Game, agent: str, seed: object, scores: Array, parts: Columns, tallies: Columns
) -> dict[str, Any]:
    """Return the figures of one agent, by their names in JSON."""
    games, players = scores.shape
    return {
        "game": game.key,
        "agent": agent,
        "players": players,
        "games": games,
        "seed": seed,
        **results.describe(scores),
        "areas": {
            name: float(values.mean()) for name, values in parts.items() if name not in tallies
        },
        **{name: float(values.mean()) for name, values in tallies.items()},
    }


def difference(
    first: str, second: str, first_scores: Array, second_scores: Array
) -> dict[str, Any]:
    """Return the difference of two agents, paired by game, since both had the same dice."""
    paired = (second_scores - first_scores).mean(axis=1)
    se = table.standard_error(paired)
    return {"first": first, "second": second, "difference": float(paired.mean()), "se": se}


def _check_dataset(args: Namespace, translate: Translator) -> None:
    """Raise before a long run if its dataset cannot be written."""
    if not args.dataset:
        return
    if args.resume:
        raise UserError(translate("cli.simulate.dataset_resume"))
    if args.dataset.exists():
        raise UserError(translate("cli.simulate.dataset_exists", file=args.dataset))


def _open_dataset(plan: Plan, args: Namespace, translate: Translator) -> Dataset | None:
    """Return the dataset to write, if there is one."""
    if not args.dataset:
        return None
    from foxclover.envs.dataset import Dataset

    with file_errors("write", args.dataset, translate):
        return Dataset(args.dataset, plan.game, args.players, plan.setup)


def _agents(text: str, translate: Translator) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if is_custom(name):
            find(name)
        elif not read_name(name).is_known:
            raise UserError(translate("cli.error.agent", text=name, agents=", ".join(AGENTS)))
    return names


def _keeper(
    out: table.TableFile | None, run: int, order: Sequence[int]
) -> Callable[[Outcome], None] | None:
    """Return a callback that adds games to the file of results, if there is one."""
    if out is None:
        return None
    return lambda outcome: out.write(table.to_table(outcome, run, order))


def _transcriber(
    game: Game, names: Sequence[str], run: int, args: Namespace, setup: Setup
) -> Callable[[int, Position], None] | None:
    """Return a callback that writes each game as a transcript, if requested."""
    if not args.transcripts:
        return None

    def write(game_number: int, position: Position) -> None:
        header = transcripts.Header(
            game, list(names), f"seed {args.seed} game {game_number}", setup
        )  # its own: threads write side by side
        (args.transcripts / f"{game.key}-{args.seed}-{run}-{game_number:07}.txt").write_text(
            transcripts.write(header, position), encoding="utf-8"
        )

    return write


def add_merge(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help=translate("cli.merge.files")
    )
    results.add_results(parser, translate("cli.merge.results"))
    results.add_pictures(parser)
    add_json(parser)


def run_merge(args: Namespace, translate: Translator) -> int:
    """Merge files of results, and print the figures."""
    results.check_files(args, translate)
    tables = []
    for file in args.files:
        try:
            with file_errors("read", file, translate):
                tables.append(table.read(file))
        except table.TableError as error:
            raise UserError(translate("cli.error.read", file=file, why=error)) from None
    try:
        joined = table.merge(tables)
        played = game(str(joined["game"][0]))
        table.split_by_agents(joined)
    except (table.TableError, UnknownGame) as error:
        raise UserError(translate("cli.merge.unlike", problem=error)) from None
    if args.results:
        with file_errors("write", args.results, translate):
            table.write(args.results, joined)
    _show_rows(played, joined, args, translate)
    return 0


def _show_rows(game: Game, rows: Table, args: Namespace, translate: Translator) -> None:
    """Print the figures of all games of a table."""
    groups = table.split_by_agents(rows)
    alone = {
        agents: group
        for agents, group in groups.items()
        if len(set(agents)) == 1 and len(set(group["run"].tolist())) == 1
    }
    several = len({len(agents) for agents in alone}) > 1  # numbers of players
    scores = {
        f"{agents[0]} ({len(agents)})" if several else agents[0]: _scores_of(group)
        for agents, group in alone.items()
    }
    shown = [_group_figures(game, group) for group in alone.values()]
    tables = [group for agents, group in groups.items() if agents not in alone]
    results.show(game, shown, list(_differences(alone)), scores, tables, args, translate)


def _scores_of(group: Table) -> Array:
    return group["points"].reshape(-1, int(group["seat"].max()))


def _differences(groups: Mapping[tuple[str, ...], Table]) -> Iterator[dict[str, Any]]:
    """Yield how much each agent differs from the first one, on the dice that both had."""
    first: dict[int, tuple[str, ...]] = {}  # by the number of players
    for agents, group in groups.items():
        base = first.setdefault(len(agents), agents)
        if base != agents:
            first_games, games = table.on_equal_dice(groups[base], group)
            if len(games["points"]):
                yield difference(base[0], agents[0], _scores_of(first_games), _scores_of(games))


def _group_figures(game: Game, group: Table) -> dict[str, Any]:
    parts = {
        name.removeprefix("points_"): values
        for name, values in group.items()
        if name.startswith("points_")
    }
    tallies = {name: group[name] for name in game.scoring.TALLIES if name in group}
    agent, seeds = str(group["agent"][0]), table.seeds_of(group)
    return figures(game, agent, seeds, _scores_of(group), parts, tallies)
