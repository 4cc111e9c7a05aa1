"""``foxclover simulate``: many games by computer players, and what they tell."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.ai import AGENTS
from foxclover.chance import fresh_seed
from foxclover.cli import results, statistics
from foxclover.cli.arguments import (
    SEEDS,
    add_begins,
    add_game,
    add_json,
    check_players,
    find_game,
    find_variant,
    number,
)
from foxclover.cli.cluster import connect
from foxclover.cli.errors import UserError
from foxclover.cli.parser import Commands
from foxclover.cli.progress import Progress
from foxclover.game import Game, Position
from foxclover.locale import Say
from foxclover.net_file import NetError
from foxclover.own_agents import find

if TYPE_CHECKING:
    from foxclover.simulation.outcome import Outcome, Unfinished
    from foxclover.simulation.rows import Rows


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("simulate", run)
    add_game(parser)
    add_begins(parser)
    parser.add_argument(
        "--agent",
        metavar="A",
        help=say("cli.simulate.agent", agents=", ".join((*AGENTS, "module:Class"))),
    )
    parser.add_argument("--seats", metavar="A,B", help=say("cli.simulate.seats"))
    parser.add_argument(
        "--players", type=number(say, 1), metavar="N", help=say("cli.simulate.players")
    )
    parser.add_argument(
        "--games", type=number(say, 1), default=1000, metavar="N", help=say("cli.simulate.games")
    )
    parser.add_argument(
        "--first",
        type=number(say, 0, SEEDS - 1),
        default=0,
        metavar="N",
        help=say("cli.simulate.first"),
    )
    parser.add_argument(
        "--seed",
        type=number(say, 0, SEEDS - 1),
        metavar="S",
        help=say("cli.help.else", text=say("cli.help.seed"), value=say("cli.help.new_seed")),
    )
    parser.add_argument(
        "--workers",
        type=number(say, 1),
        default=os.cpu_count() or 1,
        metavar="W",
        help=say("cli.simulate.workers"),
    )
    parser.add_argument("--ray", metavar="ADDRESS", help=say("cli.help.ray"))
    parser.add_argument("--out", type=Path, metavar="FILE", help=say("cli.simulate.out"))
    parser.add_argument(
        "--transcripts", type=Path, metavar="DIR", help=say("cli.simulate.transcripts")
    )
    results.add_pictures(parser)
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
    if args.first + args.games > SEEDS:
        raise UserError(say("cli.simulate.too_many", most=SEEDS))
    if args.seats and args.agent:
        raise UserError(say("cli.simulate.seats_or_agent"))
    results.check_files(args, say)
    agents = _agents(args.seats or args.agent or "random", say)
    seated = len(agents) if args.seats else args.players or 1
    check_players(game, seated, say)
    if args.players not in (None, seated):
        raise UserError(say("cli.simulate.seats_or_players", count=seated, players=args.players))
    args.players = seated
    with ExitStack() as open_while_playing:
        if args.ray:
            args.workers = open_while_playing.enter_context(connect(args.ray, say))
        return (_table if args.seats else _compare)(game, agents, args, say)


def _compare(game: Game, agents: Sequence[str], args: Namespace, say: Say) -> int:
    """Agents one after the other, on the same dice."""
    from foxclover.simulation import batch, rows
    from foxclover.simulation.outcome import Interrupted, Stopped

    outcomes: dict[str, Outcome] = {}
    unfinished: Unfinished | None = None
    for run, agent in enumerate(agents):
        try:
            with _progress(args, say) as bar:
                seats, variant = [agent] * args.players, find_variant(args, game, args.players, say)
                each = _transcriber(game, seats, run, args, variant)
                outcomes[agent] = batch.play(
                    game,
                    seats,
                    args.games,
                    args.seed,
                    args.workers,
                    variant,
                    lambda played: bar.advance(played, " "),
                    args.first,
                    each,
                )
        except (Stopped, Interrupted) as error:
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
        if args.out and outcomes:
            results.write_rows(
                args.out,
                [rows.to_rows(outcome, run) for run, outcome in enumerate(outcomes.values())],
                say,
            )
    finally:  # figures are told even if the file could not be written
        results.show(
            game,
            shown,
            differences,
            {agent: outcome.scores for agent, outcome in outcomes.items()},
            args,
            say,
        )
    return _end(unfinished, sum(map(len, outcomes.values())), args.games * len(agents), say)


def _end(unfinished: Any, done: int, games: int, say: Say) -> int:
    """Tell what has kept the rest of the games from being played."""
    if unfinished:
        raise UserError(
            say("cli.simulate.unfinished", done=done, games=games, why=unfinished.reason)
        )
    return 0


def figures(agent: str, outcome: Outcome) -> dict[str, Any]:
    """The figures of one agent, under the names programs know."""
    games, players = outcome.scores.shape
    head = {
        "game": outcome.game.key,
        "agent": agent,
        "players": players,
        "games": games,
        "seed": outcome.seed,
    }
    areas = {
        name: float(values.mean()) for name, values in outcome.parts.items() if name != "foxes"
    }
    tallies = {name: float(values.mean()) for name, values in outcome.tallies.items()}
    return {
        **head,
        **statistics.describe(outcome.scores),
        "areas": areas,
        **tallies,
        "ms_per_game": outcome.ms_per_game,
    }


def difference(first: str, second: str, one: Any, other: Any) -> dict[str, Any]:
    """Paired by game: both had the same dice."""
    paired = (other - one).mean(axis=1)
    error = float(paired.std(ddof=1)) / len(paired) ** 0.5 if len(paired) > 1 else 0.0
    return {"first": first, "second": second, "difference": float(paired.mean()), "se": error}


def _agents(text: str, say: Say) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if ":" in name:
            find(name)
        elif name not in AGENTS:
            raise UserError(say("cli.error.agent", text=name, agents=", ".join(AGENTS)))
    return names


def _progress(args: Namespace, say: Say) -> Progress:
    bar = Progress(args.games, say("cli.simulate.playing"))
    bar.advance(0, say("cli.simulate.preparing"))
    return bar


def _transcriber(
    game: Game, names: Sequence[str], run: int, args: Namespace, variant: int
) -> Callable[[int, Position], None] | None:
    """What writes each game down, if that is wanted."""
    if not args.transcripts:
        return None
    from foxclover import notation

    header = notation.Header(game, list(names), "", variant)

    def write(game_number: int, position: Position) -> None:
        header.dice = f"seed {args.seed} game {game_number}"
        (args.transcripts / f"{game.key}-{args.seed}-{run}-{game_number:07}.txt").write_text(
            notation.write(header, position), encoding="utf-8"
        )

    return write


def _table(game: Game, seats: Sequence[str], args: Namespace, say: Say) -> int:
    """Agents against each other. They change seats from game to game, so that none profits from where it sits."""
    from foxclover.simulation import batch, rows, tournament
    from foxclover.simulation.outcome import Interrupted, Stopped

    kept: list[Rows] = []
    unfinished: Unfinished | None = None
    turns = [
        [seats[(seat + turn) % len(seats)] for seat in range(len(seats))]
        for turn in range(len(seats))
    ]
    variant = find_variant(args, game, len(seats), say)
    writers = [_transcriber(game, names, turn, args, variant) for turn, names in enumerate(turns)]

    def each(turn: int, game_number: int, position: Position) -> None:
        if write := writers[turn]:
            write(game_number, position)

    try:
        with _progress(args, say) as bar:
            tick, told = lambda played: bar.advance(played, " "), each if args.transcripts else None
            dealt = {"seed": args.seed, "first": args.first, "variant": variant}
            tournament.play(
                seats,
                args.games,
                partial(batch.play, game, **dealt, workers=args.workers, tick=tick),
                told,
                kept.append,
            )
    except (Stopped, Interrupted) as error:
        unfinished = error
    if kept:
        try:
            if args.out:
                results.write_rows(args.out, kept, say)
        finally:  # as in ``_compare``
            results.show_table(game, rows.join(kept), args, say)
    done = sum(len(table["points"]) for table in kept) // len(seats)
    return _end(unfinished, done, -(-args.games // len(seats)) * len(seats), say)
