"""``foxclover simulate`` and ``merge``: many games by computer players, and their results."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from foxclover import AGENTS, Game, Position, UnknownGame, game, transcripts
from foxclover.ai import is_custom, read_name
from foxclover.ai.custom_agents import find
from foxclover.cli import results
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
from foxclover.core.setup import Setup
from foxclover.dice.sources import SEEDS, STREAMS, fresh_seed
from foxclover.locale import Translator
from foxclover.simulation import batch, table
from foxclover.simulation.batch import Outcome
from foxclover.simulation.cluster import Cluster
from foxclover.simulation.table import Array, Table

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
    parser.add_argument(
        "--transcripts", type=Path, metavar="DIR", help=translate("cli.simulate.transcripts")
    )
    results.add_pictures(parser)
    add_net(parser)
    add_traceback(parser)
    add_json(parser)


def run_simulate(args: Namespace, translate: Translator) -> int:
    """Play many games of one agent, of several on the same dice, or of agents at one table."""
    game = find_game(args, translate)
    args.seed = fresh_seed() if args.seed is None else args.seed
    if args.start + args.games > STREAMS:
        raise UserError(translate("cli.simulate.too_many", most=STREAMS))
    if args.seats and args.agent:
        raise UserError(translate("cli.simulate.seats_or_agent"))
    results.check_files(args, translate)
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
    everyone = list(range(seated))
    line_ups = (
        [LineUp(agents, everyone[turn:] + everyone[:turn]) for turn in everyone]
        if args.seats
        else [LineUp([agent] * seated, everyone) for agent in agents]
    )
    workers: AbstractContextManager[Any] = (
        Cluster(args.ray) if args.ray else nullcontext(args.workers)
    )
    with workers as args.workers:
        return _play(game, line_ups, args, translate)


class LineUp(NamedTuple):
    """The players of a run, by their agents, and the player on each seat."""

    agents: list[str]
    order: list[int]


def _play(game: Game, line_ups: Sequence[LineUp], args: Namespace, translate: Translator) -> int:
    """Play all line-ups on the same dice, and print the results."""
    games = -(-args.games // len(line_ups)) if args.seats else args.games
    setup = find_setup(args, game, args.players, translate)
    out = table.TableFile(args.results) if args.results else None
    outcomes: list[Outcome] = []
    unfinished: batch.Unfinished | None = None
    with Progress(games * len(line_ups), translate("cli.simulate.playing")) as bar:
        bar.advance(0, translate("cli.simulate.preparing"))
        for run, (agents, order) in enumerate(line_ups):
            seats = [agents[player] for player in order]
            callbacks = batch.Callbacks(
                lambda played: bar.advance(played, " "),
                _transcriber(game, seats, run, args, setup),
                _keeper(out, run, order),
            )
            dealt = (games, args.seed, args.workers, setup, args.start)
            try:
                outcomes.append(batch.play(game, seats, *dealt, callbacks))
            except batch.Unfinished as error:
                unfinished = error
                outcomes += [error.outcome] if error.outcome else []
                break
    try:
        with file_errors("write", args.results, translate):
            if out:
                out.close()
    finally:  # figures are printed even if the file could not be written
        if args.seats:
            _show_table(game, outcomes, line_ups, args, translate)
        else:
            _show_agents(game, outcomes, not unfinished, args, translate)
    if unfinished is None:
        return 0
    done, wanted = sum(map(len, outcomes)), games * len(line_ups)
    sentence = translate("cli.simulate.unfinished", done=done, games=wanted, why=unfinished.reason)
    if args.traceback:
        print_cause(unfinished)
    if isinstance(unfinished, batch.Stopped):
        raise UserError(sentence)
    if args.results and not args.seats:
        played = dict.fromkeys((agents[0] for agents, _ in line_ups), 0)
        played |= {outcome.seats[0]: len(outcome) for outcome in outcomes}
        sentence += _how_to_go_on(played, args, translate)
    raise Halted(sentence)


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


def _how_to_go_on(played: dict[str, int], args: Namespace, translate: Translator) -> str:
    """Return the commands that play the missing games and merge all files."""
    commands, files = [], [args.results] if any(played.values()) else []
    rests = [([agent], done) for agent, done in played.items() if 0 < done < args.games]
    if whole := [agent for agent, done in played.items() if not done]:
        rests.append((whole, 0))
    free = (
        file
        for at in count(2)
        if not (file := args.results.with_stem(f"{args.results.stem}-{at}")).exists()
    )
    for agents, done in rests:
        files.append(next(free))
        changed = {
            "--agent": ",".join(agents),
            "--seed": args.seed,
            "--start": args.start + done,
            "--games": args.games - done,
            "--results": files[-1],
        }
        commands.append(_command(args.words, changed))
    commands.append(shlex.join([*program().split(), "merge", *map(str, files)]))
    return "".join(f"\n  {line}" for line in (translate("cli.simulate.go_on"), *commands))


def _command(words: Sequence[str], changed: dict[str, object]) -> str:
    """Return a command line with other values of some options."""
    kept, skipping = list[str](), False
    for word in words:
        name = word.partition("=")[0]
        if not skipping and name not in changed:
            kept.append(word)
        skipping = name in changed and name == word
    return shlex.join(
        [*program().split(), *kept, *(str(part) for option in changed.items() for part in option)]
    )


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
        groups = table.split_by_agents(joined)
    except (table.TableError, UnknownGame) as error:
        raise UserError(translate("cli.merge.unlike", problem=error)) from None
    if args.results:
        with file_errors("write", args.results, translate):
            table.write(args.results, joined)
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
    shown = [_group_figures(played, group) for group in alone.values()]
    tables = [group for agents, group in groups.items() if agents not in alone]
    results.show(played, shown, list(_differences(alone)), scores, tables, args, translate)
    return 0


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
