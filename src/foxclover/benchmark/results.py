"""Play a task, write its result, and check a result by playing it again.

A result contains the agent's moves. The dice follow from the frozen seed, and the opponents play
again when a result is checked. So a check needs neither the agent nor trust in who wrote the file.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from foxclover import __version__, transcripts
from foxclover.ai import AGENTS, WITH_NET, UnknownAgent, is_custom, read_name
from foxclover.ai.custom_agents import AgentFactory, CustomAgentError, find
from foxclover.ai.nets import NetError, net_of, net_path
from foxclover.benchmark import (
    DECISIONS,
    FINGERPRINTS,
    GAMES,
    OPPONENTS,
    PROTOCOL,
    SEEDS,
    Task,
    find_task,
)
from foxclover.benchmark.isolation import SECONDS, isolated
from foxclover.core.game import Game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.dice.sources import game_seed
from foxclover.simulation import batch
from foxclover.simulation.table import Array, standard_error

FORMAT = "Fox & Clover benchmark"
BETWEEN = "; "  # moves of a game


class BadResult(ValueError):
    """A result that cannot be read or is not what the agent's moves lead to."""


class Declared(NamedTuple):
    """What the author of an agent states, which no check can prove."""

    observation: str = "position"
    steps: int | None = None  # of training in the environment; None if unknown


NOT_DECLARED = Declared()


@dataclass
class Result:
    """The result of an agent in a task."""

    task: str
    agent: str
    games: int  # with each opponent; or decisions
    set: str = "report"
    protocol: int = PROTOCOL
    fingerprint: str = ""
    declared: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    digests: dict[str, str] = field(default_factory=dict)  # of the agent's file and of the nets
    figures: dict[str, Any] = field(default_factory=dict)
    failure: str = ""
    transcripts: str = ""  # the SHA-256 of all transcripts, or of the decisions
    ms_per_game: float = 0.0  # by the clock
    moves: list[list[str]] = field(default_factory=list)
    """The agent's moves in each game, for each opponent and seat in turn."""

    def row(self) -> dict[str, Any]:
        """Return the result without the moves."""
        return {name: value for name, value in asdict(self).items() if name != "moves"}


class Part(NamedTuple):
    """Games of the agent on one seat against one kind of opponent."""

    opponent: str
    seat: int
    games: int


def parts(task: Task, games: int) -> list[Part]:
    """Return the parts of a task: every seat plays the same dice against the same opponents."""
    return [
        Part(opponent, seat, -(-games // task.players))
        for opponent in task.opponents
        for seat in range(task.players)
    ]


class Recorder:
    """Collects transcripts and the agent's moves of one part, from any thread."""

    def __init__(self, task: Task, part: Part, agent: str, seed: int) -> None:
        self.game, self.seat, self.seed = task.game, part.seat, seed
        self.names = [agent if seat == part.seat else part.opponent for seat in range(task.players)]
        self.digests: dict[int, str] = {}
        self.moves: dict[int, str] = {}

    def add(self, number: int, position: Position) -> None:
        """Add a finished game."""
        header = transcripts.Header(self.game, self.names, f"seed {self.seed} game {number}")
        written = transcripts.write(header, position)
        self.digests[number] = hashlib.sha256(written.encode()).hexdigest()
        self.moves[number] = BETWEEN.join(
            move.text for _, move in position.history() if move.seat == self.seat
        )


def play(
    task: Task,
    agent: str,
    *,
    games: int = GAMES,
    chosen_set: str = "report",
    workers: int = 1,
    seconds: float = SECONDS,
    declared: Declared = NOT_DECLARED,
    tick: Callable[[int], None] = lambda _: None,
) -> Result:
    """Play a task. An agent that fails gets a result that says why."""
    result = Result(task.name, agent, games, chosen_set, declared=declared._asdict())
    result.versions = versions()
    result.fingerprint = FINGERPRINTS[task.key]
    try:
        result.digests = digests(task, agent)
        maker = isolated(agent, seconds) if is_custom(agent) else agent
        _play(task, result, [maker] * len(parts(task, games)), workers, tick)
    except (CustomAgentError, NetError, UnknownAgent) as error:
        result.failure = str(error)
    return result


def _play(
    task: Task,
    result: Result,
    makers: Sequence[str | AgentFactory],
    workers: int,
    tick: Callable[[int], None],
) -> None:
    """Play all parts, and fill in figures, moves and digests."""
    seed, digest = SEEDS[result.set], hashlib.sha256()
    outcomes: list[tuple[Part, batch.Outcome]] = []
    started = time.perf_counter()
    for part, maker in zip(parts(task, result.games), makers, strict=True):
        seats: list[str | AgentFactory] = [part.opponent] * task.players
        seats[part.seat] = maker
        recorder = Recorder(task, part, result.agent, seed)
        callbacks = batch.Callbacks(tick, recorder.add)
        try:
            outcome = batch.play(task.game, seats, part.games, seed, workers, callbacks=callbacks)
        except batch.Stopped as error:
            result.failure = error.reason
            if error.outcome:
                outcomes.append((part, error.outcome))
            break
        outcomes.append((part, outcome))
        for number in range(part.games):
            digest.update(recorder.digests[number].encode())
        result.moves.append([recorder.moves[number] for number in range(part.games)])
    if outcomes:
        result.figures = figures(outcomes)
        result.ms_per_game = round(
            1000 * (time.perf_counter() - started) / result.figures["games"], 3
        )
    if not result.failure:
        result.transcripts = digest.hexdigest()


def figures(outcomes: Sequence[tuple[Part, batch.Outcome]]) -> dict[str, Any]:
    """Return the figures of the agent's seats: points, and shares of wins by opponent."""
    points = np.concatenate([outcome.scores[:, part.seat] for part, outcome in outcomes])
    numbers = np.concatenate([outcome.numbers for _, outcome in outcomes])
    found: dict[str, Any] = {
        "games": len(points),
        "mean": round(float(points.mean()), 3),
        "se": round(error_by_dice(points, numbers), 3),
        "p10": round(float(np.quantile(points, 0.1)), 1),
        "median": round(float(np.quantile(points, 0.5)), 1),
        "max": int(points.max()),
    }
    wins = {}
    for opponent in dict.fromkeys(part.opponent for part, _ in outcomes if part.opponent):
        met = [(part, outcome) for part, outcome in outcomes if part.opponent == opponent]
        shares = np.concatenate([_shares(outcome)[:, part.seat] for part, outcome in met])
        error = error_by_dice(shares, np.concatenate([outcome.numbers for _, outcome in met]))
        wins[opponent] = {"share": round(float(shares.mean()), 4), "se": round(error, 4)}
    return found | ({"wins": wins} if wins else {})


def _shares(outcome: batch.Outcome) -> Array:
    """Return each seat's share of the win; equals divide it."""
    first = outcome.places == 1
    shares: Array = first / first.sum(axis=1, keepdims=True)
    return shares


def error_by_dice(values: Array, numbers: Array) -> float:
    """Return the standard error of a mean of games; those of one number have the same dice."""
    counts = np.bincount(numbers)
    played = counts > 0
    means = np.bincount(numbers, values)[played] / counts[played]
    return standard_error(means)


def versions() -> dict[str, str]:
    """Return the versions that a result was made with."""
    return {
        "foxclover": __version__,
        "python": platform.python_version(),
        "numpy": version("numpy"),
        "wasmtime": version("wasmtime"),
        "platform": platform.platform(),
    }


def digests(task: Task, agent: str) -> dict[str, str]:
    """Return digests of the agent's module and of the nets that take part.

    Raises ``UnknownAgent``, ``CustomAgentError`` or ``NetError`` for an agent that cannot play.
    """
    found = {}
    if is_custom(agent):
        module = sys.modules[find(agent).__module__]
        if module.__file__:
            found["agent"] = _sha256(Path(module.__file__))
    elif not read_name(agent).is_known:
        raise UnknownAgent(
            f"{agent!r} is no computer player; there are {', '.join(AGENTS)}, or module:Class"
        )
    for name in (agent, *task.opponents):
        player, file = read_name(name)
        if player in WITH_NET:
            net_of(task.game, file)
            found[f"net of {name}"] = _sha256(net_path(task.game, file))
    return found


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write(result: Result, path: Path) -> None:
    """Write a result with all moves."""
    text = json.dumps({"format": FORMAT, **asdict(result)}, ensure_ascii=False, indent=1)
    path.write_text(text + "\n", encoding="utf-8")


def read(path: Path) -> Result:
    """Read a result; raise ``BadResult`` for anything else."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise BadResult("this file is no JSON") from None
    if not isinstance(data, dict) or data.pop("format", "") != FORMAT:
        raise BadResult("this file is no result of a benchmark")
    if data.get("protocol") != PROTOCOL:
        raise BadResult(f"this result follows protocol {data.get('protocol')}, not {PROTOCOL}")
    try:
        result = Result(**data)
        task = find_task(result.task)
        scored = result.set == DECISIONS
        shape = [result.games] if scored else [part.games for part in parts(task, result.games)]
        moves = [[str(game) for game in games] for games in result.moves]
    except (TypeError, ValueError) as error:
        raise BadResult(str(error)) from None
    if not scored and result.set not in SEEDS:
        raise BadResult(f"{result.set!r} is no set of games; there are {', '.join(SEEDS)}")
    if not result.failure and [len(games) for games in moves] != shape:
        raise BadResult("some moves are missing")
    return result


def check(result: Result, workers: int = 1, tick: Callable[[int], None] = lambda _: None) -> Result:
    """Play a result again: computer players by themselves, other agents by their moves.

    Raises ``BadResult`` for the first difference.
    """
    task = find_task(result.task)
    if result.failure:
        raise BadResult(f"the run was not finished: {result.failure}")
    if result.fingerprint != FINGERPRINTS[task.key]:
        raise BadResult("it was made with other rules, actions or observations")
    custom = is_custom(result.agent)
    expected = digests(task, OPPONENTS[0] if custom else result.agent)
    for name, digest in expected.items():
        if result.digests.get(name) != digest:
            raise BadResult(f"the {name} is another one here")
    again = Result(result.task, result.agent, result.games, result.set)
    seed = SEEDS[result.set]
    makers: list[str | AgentFactory] = [
        _scripted(result.agent, seed, games) if custom else result.agent for games in result.moves
    ]
    _play(task, again, makers, workers, tick)
    if again.failure:
        raise BadResult(again.failure)
    for name in ("moves", "figures", "transcripts"):
        if getattr(again, name) != getattr(result, name):
            raise BadResult(f"the {name} in the file differ from those of the games")
    return again


def _scripted(name: str, seed: int, games: Sequence[str]) -> AgentFactory:
    """Return the class of an agent that makes the moves of a result."""
    scripts = {game_seed(seed, number): moves for number, moves in enumerate(games)}

    class Script:
        def __init__(self, _: Game) -> None:
            self.moves: Iterator[str] = iter(())

        def reset(self, seed: int) -> None:
            self.moves = iter(scripts[seed].split(BETWEEN))

        def choose(self, position: Position, seat: int) -> Move:
            text = next(self.moves, "")
            legal = [move for move in position.legal_moves(seat) if move.text == text]
            if not legal:
                raise ValueError(f"{text!r} is no legal move")
            return legal[0]

    Script.__name__ = name
    return Script
