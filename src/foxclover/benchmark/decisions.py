"""Decision sets: positions with the expected loss of every legal move, and agents' scores on them.

A set is a file of JSON lines, compressed by gzip: a header, then a decision on every line.
``benchmark.rollouts`` builds sets.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from foxclover.ai import UnknownAgent, agent, is_custom
from foxclover.ai.custom_agents import CustomAgent, CustomAgentError
from foxclover.ai.nets import NetError
from foxclover.benchmark import DECISIONS, FINGERPRINTS, SEEDS, Task, find_task
from foxclover.benchmark.isolation import SECONDS, isolated
from foxclover.benchmark.results import (
    NOT_DECLARED,
    BadResult,
    Declared,
    Result,
    digests,
    error_by_dice,
    versions,
)
from foxclover.core.game import Game
from foxclover.dice.sources import game_seed
from foxclover.puzzles import rules
from foxclover.simulation.table import Array, TableError, kind_of

FORMAT = "foxclover decisions 1"
FROM_A_GAME = 2  # decisions
SETS = Path(__file__).parents[3] / "bench" / "decisions"
"""The sets of a clone; the package does not contain them."""


class DecisionError(ValueError):
    """A file of decisions is not usable; the message explains why."""


class Option(NamedTuple):
    """A sensible move after its rollouts."""

    move: str
    value: float  # expected final points
    loss: float  # points behind the best move, with the same dice
    error: float  # standard error of the loss; 0 for the best move
    rollouts: int


class Decision(NamedTuple):
    """A position in which a seat has several legal moves."""

    number: int
    position: str
    seat: int
    source: str  # the computer player that decided here
    themes: tuple[str, ...]
    moves: tuple[Option, ...]  # sensible moves, the best first
    rest: dict[str, float]  # all other legal moves: points behind the best-rated one, by the net

    @property
    def line(self) -> str:
        """The decision as a line of JSON."""
        moves = [
            {
                "move": option.move,
                "value": round(option.value, 1),
                "loss": round(option.loss, 2),
                "error": round(option.error, 2),
                "rollouts": option.rollouts,
            }
            for option in self.moves
        ]
        rest = {move: round(loss, 1) for move, loss in self.rest.items()}
        return compact(self._asdict() | {"moves": moves, "rest": rest})

    def loss(self, move: str) -> float:
        """Return the expected loss of a legal move."""
        for option in self.moves:
            if option.move == move:
                return option.loss
        return self.rest[move]


def from_line(line: str) -> Decision:
    """Read a decision."""
    fields = json.loads(line)
    moves = tuple(Option(**option) for option in fields.pop("moves"))
    return Decision(**fields | {"themes": tuple(fields["themes"]), "moves": moves})


def compact(value: Any) -> str:
    """Return a value as JSON without blanks."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class Header(NamedTuple):
    """The first line of a set: what its decisions depend on."""

    game: str
    rules: str  # digest of the game's data file
    net: str  # SHA-256 of the numbers of the net that rated and rolled out
    seed: int
    settings: dict[str, float]  # of the rollouts
    format: str = FORMAT


class DecisionSet(NamedTuple):
    """A set of decisions of a game."""

    header: Header
    decisions: list[Decision]


def shipped(game: Game) -> Path:
    """Return the path of the set of a game in a clone."""
    return SETS / f"{game.key}.jsonl.gz"


def read_lines(path: Path, game: Game) -> tuple[Header, list[str]]:
    """Return the header and the lines of a set; raise ``DecisionError``."""
    try:
        content = path.read_bytes()
        text = gzip.decompress(content) if path.suffix == ".gz" else content
        first, *lines = text.decode().splitlines()
        fields = json.loads(first)
        if fields["format"] != FORMAT or fields["game"] != game.key:
            raise DecisionError(f"{path} contains no decisions of {game.name}")
        if fields["rules"] != rules(game):
            raise DecisionError(f"the decisions {path} are for another version of {game.name}")
        return Header(**fields), lines
    except DecisionError:
        raise
    except FileNotFoundError:
        raise DecisionError(f"there are no decisions {path}") from None
    except OSError as error:
        raise DecisionError(f"the decisions {path} cannot be read: {error.strerror}") from None
    except (zlib.error, EOFError, ValueError, LookupError, TypeError):
        raise DecisionError(f"the decisions {path} are damaged") from None


def read(path: Path, game: Game) -> DecisionSet:
    """Read a set; raise ``DecisionError``."""
    header, lines = read_lines(path, game)
    if not lines:
        raise DecisionError(f"{path} contains no decisions of {game.name}")
    try:
        return DecisionSet(header, [from_line(line) for line in lines])
    except (ValueError, LookupError, TypeError):
        raise DecisionError(f"the decisions {path} are damaged") from None


def write_lines(path: Path, header: Header, lines: Iterable[str]) -> None:
    """Write a set, always the same bytes for the same lines."""
    text = "\n".join([compact(header._asdict()), *lines])
    path.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def export(path: Path, chosen: DecisionSet) -> None:
    """Write a set as .jsonl, or as .parquet with a row for each legal move.

    Raise ``DecisionError`` for another kind of file, or if pyarrow is not installed.
    """
    if path.suffix == ".jsonl":
        lines = [compact(chosen.header._asdict()), *(each.line for each in chosen.decisions)]
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return
    if path.suffix != ".parquet":
        raise DecisionError("the name must end in .jsonl or .parquet")
    try:
        kind_of(path)
    except TableError as error:
        raise DecisionError(str(error)) from None
    import pyarrow
    from pyarrow import parquet

    rows = [row for decision in chosen.decisions for row in _rows(decision)]
    table = pyarrow.Table.from_pylist(rows)
    header = {name: json.dumps(value) for name, value in chosen.header._asdict().items()}
    parquet.write_table(table.replace_schema_metadata(header), path, compression="zstd")


def _rows(decision: Decision) -> list[dict[str, Any]]:
    """Return a row for each legal move; those without rollouts have a loss by the net only."""
    shared = {
        "number": decision.number,
        "position": decision.position,
        "seat": decision.seat,
        "source": decision.source,
        "themes": list(decision.themes),
    }
    moves = [option._asdict() for option in decision.moves]
    without = {"value": None, "error": None, "rollouts": 0}
    moves += [{"move": move, "loss": loss} | without for move, loss in decision.rest.items()]
    return [shared | move for move in moves]


def score(
    task: Task,
    name: str,
    path: Path,
    *,
    count: int | None = None,
    workers: int = 1,
    seconds: float = SECONDS,
    declared: Declared = NOT_DECLARED,
    tick: Callable[[int], None] = lambda _: None,
) -> Result:
    """Ask an agent for its moves in the first decisions of a set, and sum up their losses.

    An agent that fails gets a result that says why. Raise ``DecisionError`` for an unusable file.
    """
    decisions = read(path, task.game).decisions[:count]
    result = Result(task.name, name, len(decisions), DECISIONS, declared=declared._asdict())
    result.versions, result.fingerprint = versions(), FINGERPRINTS[task.key]
    result.transcripts = digest_of(decisions)
    started = time.perf_counter()
    try:
        result.digests = digests(task._replace(players=1), name)
        moves = choose_all(task.game, name, decisions, workers, seconds, tick)
        result.moves = [moves]
        result.figures = figures(decisions, moves)
    except (CustomAgentError, NetError, UnknownAgent) as error:
        result.failure = str(error)
    result.ms_per_game = round(1000 * (time.perf_counter() - started) / len(decisions), 3)
    return result


def choose_all(
    game: Game,
    name: str,
    decisions: Sequence[Decision],
    workers: int,
    seconds: float,
    tick: Callable[[int], None],
) -> list[str]:
    """Return an agent's moves; its random choices depend on the number of the decision only."""
    local = threading.local()

    def choose(decision: Decision) -> str:
        if not hasattr(local, "agent"):
            local.agent = (
                CustomAgent(isolated(name, seconds), game)
                if is_custom(name)
                else agent(name, game, 0)
            )
        local.agent.reset(game_seed(SEEDS["report"], decision.number))
        try:
            move = local.agent.choose(game.read_position(decision.position), decision.seat)
        except CustomAgentError as error:
            raise CustomAgentError(f"{error}, in decision {decision.number}") from error
        tick(1)
        return str(move.text)

    with ThreadPoolExecutor(workers) as threads:
        try:
            return list(threads.map(choose, decisions))
        except BaseException:
            threads.shutdown(cancel_futures=True)
            raise


def figures(decisions: Sequence[Decision], moves: Sequence[str]) -> dict[str, Any]:
    """Return mean loss and share of best moves, of all decisions and by theme.

    Decisions of one game count as one sample.
    """
    losses = np.array([each.loss(move) for each, move in zip(decisions, moves, strict=True)])
    games = np.array([decision.number // FROM_A_GAME for decision in decisions])

    def sum_up(chosen: Array) -> dict[str, Any]:
        best = losses[chosen] == 0
        return {
            "decisions": int(chosen.sum()),
            "loss": round(float(losses[chosen].mean()), 3),
            "se": round(error_by_dice(losses[chosen], games[chosen]), 3),
            "best": round(float(best.mean()), 4),
        }

    named = [set(decision.themes) for decision in decisions]
    themes = sorted(set().union(*named))
    return sum_up(np.ones(len(losses), np.bool_)) | {
        "themes": {theme: sum_up(np.array([theme in each for each in named])) for theme in themes}
    }


def digest_of(decisions: Sequence[Decision]) -> str:
    """Return the SHA-256 of decisions."""
    return hashlib.sha256("\n".join(decision.line for decision in decisions).encode()).hexdigest()


def check(
    result: Result, path: Path, workers: int = 1, tick: Callable[[int], None] = lambda _: None
) -> None:
    """Look up the losses of a result's moves again; computer players choose again.

    Raise ``BadResult`` for the first difference, and ``DecisionError`` for an unusable set.
    """
    if result.failure:
        raise BadResult(f"the run was not finished: {result.failure}")
    task = find_task(result.task)
    decisions = read(path, task.game).decisions[: result.games]
    if digest_of(decisions) != result.transcripts:
        raise BadResult("it was made with another decision set")
    moves = result.moves[0]
    if not is_custom(result.agent):
        if digests(task._replace(players=1), result.agent) != result.digests:
            raise BadResult("the net is another one here")
        moves = choose_all(task.game, result.agent, decisions, workers, SECONDS, tick)
    if moves != result.moves[0]:
        raise BadResult("the moves in the file differ from those of the agent")
    try:
        found = figures(decisions, moves)
    except KeyError as error:
        raise BadResult(f"{error} is no legal move") from None
    if found != result.figures:
        raise BadResult("the figures in the file differ from those of the moves")
