"""Places to play many games in: one in the kernel, one in CPython for agents of one's own."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from foxclover.accounts import Result
from foxclover.ai import agent
from foxclover.ai.families import seat_players
from foxclover.ai.nets import make_thinker, shipped_net
from foxclover.ai.playing import Habit
from foxclover.ai.simple import POLICIES
from foxclover.chance import seeded
from foxclover.game import CHANCE, Game, Move, Position
from foxclover.kernel import open_kernel
from foxclover.kernel.link import link
from foxclover.own_agents import Maker, OwnAgent
from foxclover.playouts import LOG, LOG_SEATS, Batch

if TYPE_CHECKING:
    import numpy as np

    from foxclover.net_file import Net

    Numbers = np.ndarray[Any, np.dtype[np.signedinteger[Any]]]

MOST = 8192  # games played at once
TOGETHER = 64  # games played side by side where an agent chooses for many positions at once


class AnyRoom(Protocol):
    """One thread's place to play in."""

    def play(self, seed: int, first: int, count: int) -> None:
        """Play games; what comes of them can be asked for until the next ones are played."""

    @property
    def played(self) -> int:
        """How many games were played to their end."""

    def results(self) -> Any:
        """What came of them, as an array of ``Result``."""

    def set_stop(self, stop: bool) -> None:
        """End soon, or not; may be called from any thread."""

    def replay(self) -> Position:
        """The last game, move by move."""


class Room:
    """A place to play in the kernel."""

    def __init__(self, game: Game, seats: Sequence[str], variant: int, net: Net | None) -> None:
        self.game = game
        self.mind = None
        if set(seats) <= set(POLICIES):
            self.instance = open_kernel(game.family).instance()
            self.tables = self.instance.new(type(game.book.tables))
            self.instance.set(self.tables, game.book.tables)
        else:
            self.instance, self.tables, self.mind = make_thinker(game, net or shipped_net(game))
        new, state = self.instance.new, game.rules.State
        self.batch, self.states = new(Batch), [new(state) for _ in range(3)]
        self.ended, self.habits = new(Result, 1), new(Habit, len(seats))
        self.batch.players, self.batch.variant = len(seats), variant
        seat_players(game, seats, self.batch.policies, self.habits)

    def play(self, seed: int, first: int, count: int) -> None:
        """Play games; what comes of them can be asked for until the next ones are played."""
        if count > len(self.ended):
            self.ended = self.instance.new(Result, max(count, min(2 * len(self.ended), MOST)))
        self.batch.seed, self.batch.first, self.batch.count = seed, first, count
        if self.mind is None:
            self.instance.call("play_games", self.tables, self.batch, *self.states, self.ended)
        else:
            self.instance.call(
                "play_with_minds", self.tables, self.mind, self.batch, self.habits, self.ended
            )

    @property
    def played(self) -> int:
        """How many games were played to their end."""
        return int(self.batch.played)

    def results(self) -> Any:
        """What came of them, as an array of ``Result``."""
        from foxclover.kernel.arrays import to_array

        results = self.ended[: self.played]
        return to_array(Result, *results) if isinstance(results, list) else results

    def set_stop(self, stop: bool) -> None:
        """End soon, or not; may be called from any thread."""
        self.batch.stop = int(stop)

    def replay(self) -> Position:
        """The last game, move by move."""
        if self.batch.logged > LOG:
            raise ValueError(
                f"a game of {self.batch.logged:,} moves is too long to be written down"
            )
        position = self.game.start(int(self.batch.players), int(self.batch.variant))
        for entry in self.batch.log[: self.batch.logged]:
            number, seat = divmod(int(entry), LOG_SEATS)
            position.push_unchecked(position.move(seat - 1 if seat else CHANCE, number))
        return position


class OwnRoom:
    """A place to play games in CPython, move by move, with agents of one's own on some seats."""

    def __init__(self, game: Game, seats: Sequence[str | Maker], variant: int) -> None:
        self.game, self.players, self.variant = game, len(seats), variant
        made = {
            name: OwnAgent(name, game)
            if not isinstance(name, str) or ":" in name
            else agent(name, game, 0)
            for name in set(seats)
        }
        self.agents: list[Any] = [made[name] for name in seats]
        self.together = (
            TOGETHER
            if any(getattr(player, "kind", "") == "choose_many" for player in self.agents)
            else 1
        )
        self.functions = link(game.family)
        self.stopped = False
        self.done: list[Result] = []
        self.last = game.start(self.players, variant)

    def play(self, seed: int, first: int, count: int) -> None:
        """Play games; what comes of them can be asked for until the next ones are played."""
        self.done = []
        for start in range(first, first + count, self.together):
            games = range(start, min(start + self.together, first + count))
            for player in {id(player): player for player in self.agents}.values():
                player.reset((seed << 32) + start)
            positions = [self.game.start(self.players, self.variant) for _ in games]
            if not self._play_together(positions, [seeded(seed, number) for number in games]):
                return
            for position in positions:
                result = Result()
                self.functions.write_result(self.game.book.tables, position.state, result)
                self.done.append(result)
            self.last = positions[-1]

    def _play_together(self, positions: list[Position], dice: list[seeded]) -> bool:
        """Play to the end, all games side by side; tell whether it was reached."""
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
        if isinstance(player, OwnAgent):
            return player.choose_many(positions, [seat] * len(positions))
        return [player.choose(position, seat) for position in positions]

    @property
    def played(self) -> int:
        """How many games were played to their end."""
        return len(self.done)

    def results(self) -> Any:
        """What came of them, as an array of ``Result``."""
        from foxclover.kernel.arrays import to_array

        return to_array(Result, *self.done)

    def set_stop(self, stop: bool) -> None:
        """End soon, or not; may be called from any thread."""
        self.stopped = stop

    def replay(self) -> Position:
        """The last game, move by move."""
        return self.last


class Runner:
    """Plays games ``first`` to ``first + count - 1`` of a seed with computer players on the seats, on any thread.

    The same seed and number of a game give the same dice, whoever plays.
    """

    def __init__(
        self, game: Game, seats: Sequence[str | Maker], variant: int = 0, net: Net | None = None
    ) -> None:
        own = any(not isinstance(seat, str) or ":" in seat for seat in seats)
        self._make_room: Callable[[], AnyRoom] = lambda: (
            OwnRoom(game, seats, variant)
            if own
            else Room(game, [str(seat) for seat in seats], variant, net)
        )
        self._players = len(seats)
        self._local = threading.local()
        self._rooms: list[AnyRoom] = []
        self._stopped = False

    def __call__(self, seed: int, first: int, count: int) -> Numbers:
        """Return their scores, a row for each game."""
        room = self.room()
        room.play(seed, first, count)
        scores: Numbers = room.results().points[:, : self._players].copy()
        return scores

    def room(self) -> AnyRoom:
        """The place of this thread."""
        if not hasattr(self._local, "room"):
            self._local.room = self._make_room()
            self._rooms.append(self._local.room)
        room: AnyRoom = self._local.room
        room.set_stop(self._stopped)
        return room

    def stop(self) -> None:
        """Let all threads come to an end soon; the games that they are playing are lost, those they have finished are not."""
        self._stopped = True
        for room in self._rooms:
            room.set_stop(True)
