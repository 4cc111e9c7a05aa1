"""``foxclover simulate`` and ``merge``: many games by computer players, and their results."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.ai import AGENTS
from foxclover.ai.custom_agents import find
from foxclover.ai.net_file import NetError
from foxclover.cli import results
from foxclover.cli.arguments import (
    add_begins,
    add_game,
    add_json,
    check_players,
    connect_cluster,
    find_game,
    find_setup,
    number,
)
from foxclover.cli.output import Progress
from foxclover.cli.parser import Commands, Halted, UserError
from foxclover.core.game import Game, game
from foxclover.core.position import Position
from foxclover.core.registry import UnknownGame
from foxclover.core.setup import Setup
from foxclover.dice.sources import SEEDS, STREAMS, fresh_seed
from foxclover.locale import Translator

if TYPE_CHECKING:
    from foxclover.simulation.batch import Outcome, Unfinished
    from foxclover.simulation.table import Table


def add_simulate(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("simulate", run_simulate)
    add_game(parser)
    add_begins(parser)
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
        "--first",
        type=number(translate, 0, STREAMS - 1),
        default=0,
        metavar="N",
        help=translate("cli.simulate.first"),
    )
    parser.add_argument(
        "--seed",
        type=number(translate, 0, SEEDS - 1),
        metavar="S",
        help=translate(
            "cli.help.else", text=translate("cli.help.seed"), value=translate("cli.help.new_seed")
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
    results.add_out(parser, translate("cli.simulate.out"))
    parser.add_argument(
        "--transcripts", type=Path, metavar="DIR", help=translate("cli.simulate.transcripts")
    )
    results.add_pictures(parser)
    add_json(parser)


def run_simulate(args: Namespace, translate: Translator) -> int:
    """Play many games of one agent, of several on the same dice, or of agents at one table."""
    try:
        return _simulate(args, translate)
    except NetError as error:
        raise UserError(translate("cli.error.net", problem=error)) from None


def _simulate(args: Namespace, translate: Translator) -> int:
    game = find_game(args, translate)
    args.seed = fresh_seed() if args.seed is None else args.seed
    if args.first + args.games > STREAMS:
        raise UserError(translate("cli.simulate.too_many", most=STREAMS))
    if args.seats and args.agent:
        raise UserError(translate("cli.simulate.seats_or_agent"))
    results.check_files(args, translate)
    agents = (
        _agents(args.seats, translate)
        if args.seats
        else list(dict.fromkeys(_agents(args.agent or "random", translate)))
    )
    seated = len(agents) if args.seats else args.players or 1
    check_players(game, seated, translate)
    if args.players not in (None, seated):
        raise UserError(
            translate("cli.simulate.seats_or_players", count=seated, players=args.players)
        )
    args.players = seated
    with ExitStack() as open_while_playing:
        if args.ray:
            args.workers = open_while_playing.enter_context(connect_cluster(args.ray, translate))
        return (_table if args.seats else _compare)(game, agents, args, translate)


def _compare(game: Game, agents: Sequence[str], args: Namespace, translate: Translator) -> int:
    """Play each agent alone on the same dice, and print the results."""
    from foxclover.simulation import batch

    outcomes: dict[str, Outcome] = {}
    unfinished: Unfinished | None = None
    out = results.TableOut(args.out, translate)
    for run, agent in enumerate(agents):
        try:
            with _progress(args, translate) as bar:
                seats = [agent] * args.players
                setup = find_setup(args, game, args.players, translate)
                each = _transcriber(game, seats, run, args, setup)
                tick = lambda played: bar.advance(played, " ")  # noqa: E731
                callbacks = batch.Callbacks(tick, each, out.keeper(run))
                dealt = (args.games, args.seed, args.workers, setup, args.first)
                outcomes[agent] = batch.play(game, seats, *dealt, callbacks)
        except (batch.Stopped, batch.Interrupted) as error:
            unfinished = error
            if error.outcome:
                outcomes[agent] = error.outcome
            break
    shown = [figures(agent, outcome) for agent, outcome in outcomes.items()]
    differences = []
    if not unfinished:
        differences = [
            difference(agents[0], other, outcomes[agents[0]].scores, outcomes[other].scores)
            for other in agents[1:]
        ]
    try:
        out.close()
    finally:  # figures are printed even if the file could not be written
        results.show(
            game,
            shown,
            differences,
            {agent: outcome.scores for agent, outcome in outcomes.items()},
            [],
            args,
            translate,
        )
    played = {agent: len(outcomes.get(agent, ())) for agent in agents}
    more = (
        _how_to_go_on(played, args, translate)
        if isinstance(unfinished, batch.Interrupted) and args.out
        else ""
    )
    return _end(unfinished, sum(played.values()), args.games * len(agents), translate, more)


def _end(unfinished: Any, done: int, games: int, translate: Translator, more: str = "") -> int:
    """Raise why not all games were played, and how to play the rest."""
    if unfinished:
        sentence = translate(
            "cli.simulate.unfinished", done=done, games=games, why=unfinished.reason
        )
        raise (Halted if isinstance(unfinished, KeyboardInterrupt) else UserError)(sentence + more)
    return 0


def _how_to_go_on(played: dict[str, int], args: Namespace, translate: Translator) -> str:
    """Return the commands that play the missing games and merge all files."""
    commands, files = [], [args.out] if any(played.values()) else []
    rests = [([agent], done) for agent, done in played.items() if 0 < done < args.games]
    if whole := [agent for agent, done in played.items() if not done]:
        rests.append((whole, 0))
    free = (
        file
        for at in count(2)
        if not (file := args.out.with_stem(f"{args.out.stem}-{at}")).exists()
    )
    for agents, done in rests:
        files.append(next(free))
        changed = {
            "--agent": ",".join(agents),
            "--seed": args.seed,
            "--first": args.first + done,
            "--games": args.games - done,
            "--out": files[-1],
        }
        commands.append(_command(args.words, changed))
    commands.append(shlex.join(["foxclover", "merge", *map(str, files)]))
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
        ["foxclover", *kept, *(str(part) for option in changed.items() for part in option)]
    )


def figures(agent: str, outcome: Outcome) -> dict[str, Any]:
    """Return the figures of one agent, by their names in JSON."""
    games, players = outcome.scores.shape
    head = {
        "game": outcome.game.key,
        "agent": agent,
        "players": players,
        "games": games,
        "seed": outcome.seed,
    }
    areas = {
        name: float(values.mean())
        for name, values in outcome.parts.items()
        if name not in outcome.tallies
    }
    tallies = {name: float(values.mean()) for name, values in outcome.tallies.items()}
    return {
        **head,
        **results.describe(outcome.scores),
        "areas": areas,
        **tallies,
        "ms_per_game": outcome.ms_per_game,
    }


def difference(first: str, second: str, one: Any, other: Any) -> dict[str, Any]:
    """Return the difference of two agents, paired by game, since both had the same dice."""
    paired = (other - one).mean(axis=1)
    error = float(paired.std(ddof=1)) / len(paired) ** 0.5 if len(paired) > 1 else 0.0
    return {"first": first, "second": second, "difference": float(paired.mean()), "se": error}


def _agents(text: str, translate: Translator) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if ":" in name:
            find(name)
        elif name not in AGENTS:
            raise UserError(translate("cli.error.agent", text=name, agents=", ".join(AGENTS)))
    return names


def _progress(args: Namespace, translate: Translator) -> Progress:
    bar = Progress(args.games, translate("cli.simulate.playing"))
    bar.advance(0, translate("cli.simulate.preparing"))
    return bar


def _transcriber(
    game: Game, names: Sequence[str], run: int, args: Namespace, setup: Setup
) -> Callable[[int, Position], None] | None:
    """Return a callback that writes each game as a transcript, if requested."""
    if not args.transcripts:
        return None
    from foxclover import transcripts

    def write(game_number: int, position: Position) -> None:
        header = transcripts.Header(
            game, list(names), f"seed {args.seed} game {game_number}", setup
        )  # its own: threads write side by side
        (args.transcripts / f"{game.key}-{args.seed}-{run}-{game_number:07}.txt").write_text(
            transcripts.write(header, position), encoding="utf-8"
        )

    return write


def _table(game: Game, seats: Sequence[str], args: Namespace, translate: Translator) -> int:
    """Play agents against each other, in every order of seats, and print the results."""
    from foxclover.simulation import batch
    from foxclover.simulation.table import join

    kept: list[Table] = []
    out = results.TableOut(args.out, translate)
    unfinished: Unfinished | None = None
    turns = [
        [seats[(seat + turn) % len(seats)] for seat in range(len(seats))]
        for turn in range(len(seats))
    ]
    setup = find_setup(args, game, len(seats), translate)
    writers = [_transcriber(game, names, turn, args, setup) for turn, names in enumerate(turns)]

    def each(turn: int, game_number: int, position: Position) -> None:
        if write := writers[turn]:
            write(game_number, position)

    try:
        with _progress(args, translate) as bar:
            tick, told = lambda played: bar.advance(played, " "), each if args.transcripts else None
            dealt = {"seed": args.seed, "first": args.first, "setup": setup}
            play = partial(batch.play, game, **dealt, workers=args.workers)
            batch.play_tournament(seats, args.games, play, tick, told, kept.append, out.keeper)
    except (batch.Stopped, batch.Interrupted) as error:
        unfinished = error
    try:
        out.close()
    finally:  # as in ``_compare``
        results.show(game, [], [], {}, [join(kept)] if kept else [], args, translate)
    done = sum(len(table["points"]) for table in kept) // len(seats)
    return _end(unfinished, done, -(-args.games // len(seats)) * len(seats), translate)


def add_merge(commands: Commands, translate: Translator) -> None:
    """Declare the command."""
    parser = commands.add("merge", run_merge)
    parser.add_argument(
        "files", type=Path, nargs="+", metavar="FILE", help=translate("cli.merge.files")
    )
    results.add_out(parser, translate("cli.merge.out"))
    results.add_pictures(parser)
    add_json(parser)


def run_merge(args: Namespace, translate: Translator) -> int:
    """Merge files of results, and print the figures."""
    from foxclover.simulation import table

    results.check_files(args, translate)
    tables = []
    for file in args.files:
        try:
            tables.append(table.read(file))
        except (OSError, table.TableError) as error:
            raise UserError(
                translate(
                    "cli.error.read", file=file, why=getattr(error, "strerror", None) or error
                )
            ) from None
    try:
        joined = table.merge(tables)
        played = game(str(joined["game"][0]))
        groups = table.split_by_agents(joined)
    except (table.TableError, UnknownGame) as error:
        raise UserError(translate("cli.merge.unlike", problem=error)) from None
    if args.out:
        results.write_table(args.out, joined, translate)
    alone = {
        agents: one
        for agents, one in groups.items()
        if len(set(agents)) == 1 and len(set(one["run"].tolist())) == 1
    }
    names = _group_names(list(alone))
    scores = {names[agents]: _scores_of(one) for agents, one in alone.items()}
    shown = [_table_figures(one, _scores_of(one)) for one in alone.values()]
    tables = [one for agents, one in groups.items() if agents not in alone]
    results.show(played, shown, list(_differences(alone)), scores, tables, args, translate)
    return 0


def _group_names(groups: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """Return the names of groups: the agent, with the number of players if that differs."""
    several = len({len(agents) for agents in groups}) > 1
    return {agents: f"{agents[0]} ({len(agents)})" if several else agents[0] for agents in groups}


def _scores_of(group: Table) -> Any:
    return group["points"].reshape(-1, int(group["seat"].max()))


def _differences(groups: dict[tuple[str, ...], Table]) -> Iterator[dict[str, Any]]:
    """Yield how much each agent differs from the first one, on the dice that both had."""
    from foxclover.simulation.table import on_equal_dice

    first: dict[int, tuple[str, ...]] = {}
    for agents, group in groups.items():
        base = first.setdefault(len(agents), agents)
        if base != agents:
            one, other = on_equal_dice(groups[base], group)
            if len(one["points"]):
                yield difference(base[0], agents[0], _scores_of(one), _scores_of(other))


def _table_figures(table: Table, scores: Any) -> dict[str, Any]:
    """Return the figures of one agent, like ``figures``."""
    from foxclover.simulation.table import seeds_of

    head = {
        "game": str(table["game"][0]),
        "agent": str(table["agent"][0]),
        "players": scores.shape[1],
        "games": len(scores),
    }
    areas = {
        name.removeprefix("points_"): float(values.mean())
        for name, values in table.items()
        if name.startswith("points_")
    }
    tallies = {
        name: float(table[name].mean())
        for name in game(str(table["game"][0])).scoring.TALLIES
        if name in table
    }
    areas = {name: value for name, value in areas.items() if name not in tallies}
    described = results.describe(scores)
    return {**head, "seed": seeds_of(table), **described, "areas": areas, **tallies}
