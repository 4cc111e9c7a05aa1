"""Workers that play many games: in the kernel, or in CPython for custom agents."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from foxclover.ai import WITH_NET, Named, agent, read_name
from foxclover.ai import is_custom as is_custom_name
from foxclover.ai.custom_agents import AgentFactory, CustomAgent, find
from foxclover.ai.families import POLICIES, seat_players
from foxclover.ai.nets import make_thinker, net_of
from foxclover.ai.playing import PlayerConfig
from foxclover.core.game import Game
from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.core.setup import DEFAULT_SETUP, Setup
from foxclover.dice.sources import game_seed, seeded
from foxclover.kernel import open_kernel
from foxclover.kernel.batch import LOG, LOG_SEATS, Batch, Result
from foxclover.kernel.memory import to_array
from foxclover.kernel.python_backend import link

if TYPE_CHECKING:
    from foxclover.ai.nets import Net

Moves = Sequence[tuple[int, int]]
"""Moves of a game as seat and number."""
Numbers = np.ndarray[Any, np.dtype[np.signedinteger[Any]]]

MOST = 8192  # games played at once
TOGETHER = 64  # games played side by side where an agent chooses for many positions at once


class KernelWorker:
    """Plays games in the kernel."""

    def __init__(self, game: Game, seats: Sequence[str], setup: Setup, net: Net | None) -> None:
        self.game, self.setup, self.workspace = game, setup, None
        named = [read_name(seat) for seat in seats]
        seats = [seat.player for seat in named]
        if set(seats) <= set(POLICIES):
            self.instance = open_kernel(game.family).instance()
            self.tables = self.instance.new(type(game.definition.tables))
            self.instance.set(self.tables, game.definition.tables)
        else:
            self.instance, self.tables, self.workspace = make_thinker(
                game, net or net_of(game, one_net(named))
            )
        new, state = self.instance.new, game.rules.State
        self.batch, self.states = new(Batch), [new(state) for _ in range(3)]
        self.ended, self.configs = new(Result, 1), new(PlayerConfig, len(seats))
        self.batch.players, self.batch.variant = len(seats), game.pack(setup)
        seat_players(game, seats, self.batch.policies, self.configs)

    def play(self, seed: int, first: int, count: int) -> None:
        """Play games; their results are available until the next ones are played."""
        if count > len(self.ended):
            self.ended = self.instance.new(Result, max(count, min(2 * len(self.ended), MOST)))
        self.batch.seed, self.batch.first, self.batch.count = seed, first, count
        if self.workspace is None:
            self.instance.call("play_games", self.tables, self.batch, *self.states, self.ended)
            return
        arguments = (self.tables, self.workspace, self.batch, self.configs, self.ended)
        self.instance.call("play_with_workspaces", *arguments)

    def results(self) -> Any:
        """Return the results of finished games as an array of ``Result``."""
        results = self.ended[: int(self.batch.played)]
        return to_array(Result, *results) if isinstance(results, list) else results

    def set_stop(self, stop: bool) -> None:
        """Set or clear the request to stop soon; safe from any thread."""
        self.batch.stop = int(stop)

    def replay(self, at: int = -1) -> Position:
        """Return the last game with all its moves."""
        return replay(self.game, int(self.batch.players), self.setup, self.moves(at))

    def moves(self, at: int = -1) -> Moves:
        """Return the moves of the last game."""
        assert at == -1, "the kernel plays one game at a time"
        if self.batch.logged > LOG:
            raise ValueError(
                f"a game of {self.batch.logged:,} moves is too long to be written down"
            )
        entries = (divmod(int(entry), LOG_SEATS) for entry in self.batch.log[: self.batch.logged])
        return [(seat - 1 if seat else CHANCE, number) for number, seat in entries]


class PythonWorker:
    """Plays games in CPython, with custom agents on some seats."""

    def __init__(self, game: Game, seats: Sequence[str | AgentFactory], setup: Setup) -> None:
        self.game, self.players, self.setup = game, len(seats), setup
        self.made: dict[Any, Any] = {
            name: CustomAgent(name, game) if is_custom(name) else agent(str(name), game, 0)
            for name in dict.fromkeys(seats)
        }
        self.agents = [self.made[name] for name in seats]
        many = any(getattr(player, "kind", "") == "choose_many" for player in self.agents)
        self.together = TOGETHER if many else 1
        self.functions = link(game.family)
        self.stopped = False
        self.done: list[Result] = []
        self.ended: list[Position] = []

    def play(self, seed: int, first: int, count: int) -> None:
        """Play games; their results are available until the next ones are played."""
        self.done = []
        for games in divide(first, count, self.together):
            for player in self.made.values():
                player.reset(game_seed(seed, games.start))
            positions = [self.game.start_with(self.players, self.setup) for _ in games]
            if not self._play_together(positions, [seeded(seed, number) for number in games]):
                return
            for position in positions:
                result = Result()
                self.functions.write_result(self.game.definition.tables, position.state, result)
                self.done.append(result)
            self.ended = positions

    def _play_together(self, positions: list[Position], dice: list[seeded]) -> bool:
        """Play all games side by side to their end; return False if stopped before."""
        while not self.stopped:
            waiting: dict[int, list[Position]] = {}
            for position, rolls in zip(positions, dice, strict=True):
                while position.chance_due:
                    position.roll(rolls)
                if position.acting:
                    waiting.setdefault(position.acting[0], []).append(position)
            if not waiting:
                return True
            for seat, asked in waiting.items():
                for position, move in zip(asked, self._choose(asked, seat), strict=True):
                    position.push_unchecked(move)
        return False

    def _choose(self, positions: list[Position], seat: int) -> list[Move]:
        player = self.agents[seat]
        if isinstance(player, CustomAgent):
            return player.choose_many(positions, [seat] * len(positions))
        return [player.choose(position, seat) for position in positions]

    def results(self) -> Any:
        """Return the results of finished games as an array of ``Result``."""
        return to_array(Result, *self.done)

    def set_stop(self, stop: bool) -> None:
        """Set or clear the request to stop soon; safe from any thread."""
        self.stopped = stop

    def replay(self, at: int = -1) -> Position:
        """Return the last game, or one played side by side with it, with all its moves."""
        return self.ended[at]

    def moves(self, at: int = -1) -> Moves:
        """Return the moves of the last game, or of one played side by side with it."""
        return [(move.seat, move.number) for _, move in self.ended[at].history()]


Worker = KernelWorker | PythonWorker


def is_custom(seat: str | AgentFactory) -> bool:
    """Return whether an agent is a factory or ``module:Class``, not the name of a player."""
    return not isinstance(seat, str) or is_custom_name(seat)


def one_net(named: Sequence[Named]) -> str:
    """Return the file of the net of all players that use one, "" for that of the game.

    Raises ``ValueError`` for several: the kernel has room for one.
    """
    files = net_files(named)
    if len(files) > 1:
        raise ValueError("computer players with different nets cannot play here together")
    return next(iter(files), "")


def net_files(named: Sequence[Named]) -> set[str]:
    """Return the files of the nets of all players that use one, "" for that of the game."""
    return {player.net for player in named if player.player in WITH_NET}


def replay(game: Game, players: int, setup: Setup, moves: Moves) -> Position:
    """Return the position after some moves, given by seat and number."""
    position = game.start_with(players, setup)
    for seat, number in moves:
        position.push_unchecked(position.move(seat, number))
    return position


def divide(first: int, count: int, together: int) -> Iterator[range]:
    """Divide games at multiples of a number, so that the same games always go together."""
    while count > 0:
        part = range(first, first + min(count, together - first % together))
        yield part
        first, count = part.stop, count - len(part)


def games_together(seats: Sequence[str | AgentFactory]) -> int:
    """Return how many games are played side by side.

    A run is divided only at multiples of it, so that it can be repeated. A factory counts as an
    agent that chooses for many positions, since its agent does not exist yet.
    """
    makers = [find(seat) if isinstance(seat, str) and is_custom(seat) else seat for seat in seats]
    many = (
        not isinstance(maker, str)
        and (not isinstance(maker, type) or hasattr(maker, "choose_many"))
        for maker in makers
    )
    return TOGETHER if any(many) else 1


class Runner:
    """Plays games ``first`` to ``first + count - 1`` of a seed, on any thread.

    Seed and number of a game determine its dice, for all players.
    """

    def __init__(
        self,
        game: Game,
        seats: Sequence[str | AgentFactory],
        setup: Setup = DEFAULT_SETUP,
        net: Net | None = None,
    ) -> None:
        self.game, self.seats, self.setup, self.net = game, seats, setup, net
        self.together = games_together(seats)
        self._local = threading.local()
        self._workers: list[Worker] = []
        self._stopped = False

    def __call__(self, seed: int, first: int, count: int) -> Numbers:
        """Return their scores, a row for each game."""
        worker = self.worker()
        worker.play(seed, first, count)
        scores: Numbers = worker.results().points[:, : len(self.seats)].copy()
        return scores

    def worker(self) -> Worker:
        """Return the worker of this thread."""
        if not hasattr(self._local, "worker"):
            self._local.worker = (
                PythonWorker(self.game, self.seats, self.setup)
                if any(map(is_custom, self.seats)) or self._has_several_nets()
                else KernelWorker(self.game, list(map(str, self.seats)), self.setup, self.net)
            )
            self._workers.append(self._local.worker)
        worker: Worker = self._local.worker
        worker.set_stop(self._stopped)
        return worker

    def _has_several_nets(self) -> bool:
        named = [read_name(seat) for seat in self.seats if isinstance(seat, str)]
        return len(net_files(named)) > 1

    def stop(self) -> None:
        """Ask all workers to stop soon; unfinished games are lost, finished ones are not."""
        self._stopped = True
        for worker in self._workers:
            worker.set_stop(True)
