"""``foxclover mcp``: a game as tools of the Model Context Protocol, for language models."""

from __future__ import annotations

import threading
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager

from foxclover import AGENTS, __version__, adviser
from foxclover.ai import UnknownAgent
from foxclover.cli.parser import Parser, UserError
from foxclover.cli.review import odds_lines, seat_lines
from foxclover.core.registry import UnknownGame
from foxclover.envs.text import TextEnv, read_answer
from foxclover.locale import Translator, catalogue, format_number
from foxclover.review import review

SHOWN = 5  # moves of a hint
INSTRUCTIONS = (
    "Play Ganz schön clever, Doppelt so clever and Geht noch was?. Call new_game first: it returns "
    "the rules, the position and the legal moves. Then call play with the notation of one of them."
)


def add_mcp(_: Parser, __: Translator) -> None:
    """Declare the command, which has no arguments."""


def run_mcp(_: Namespace, __: Translator) -> int:
    """Answer a client on standard input and output until it closes them."""
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    tools = GameTools(ToolError)
    server: MCPServer[object] = MCPServer(
        "foxclover", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    for tool in (
        tools.new_game,
        tools.position,
        tools.legal_moves,
        tools.play,
        tools.hint,
        tools.review,
        tools.odds,
    ):
        server.add_tool(tool, structured_output=False)
    server.run()
    return 0


class GameTools:
    """One game and its tools. Clients read the docstrings; calls run on threads."""

    def __init__(self, error: type[Exception]) -> None:
        self.error = error  # sent to the client: a call failed
        self.lock = threading.Lock()
        self.words = catalogue("en")
        self.env: TextEnv | None = None

    @contextmanager
    def _explaining(self) -> Iterator[None]:
        """Run one call at a time, and turn errors of arguments into sentences."""
        with self.lock:
            try:
                yield
            except UserError as error:
                raise self.error(str(error)) from None
            except (UnknownGame, ValueError) as error:
                raise self.error(f"{error}.") from None

    def _playing(self) -> TextEnv:
        if self.env is None:
            raise self.error("There is no game yet: call new_game.")
        return self.env

    def _to_move(self) -> TextEnv:
        env = self._playing()
        if env.position.over:
            raise self.error("The game is over: call review or new_game.")
        return env

    def new_game(
        self,
        game: str = "ganz-schoen-clever",
        opponents: list[str] | None = None,
        seat: int = 1,
        seed: int | None = None,
    ) -> str:
        """Start a game and drop the running one; return rules, position and legal moves.

        game is ganz-schoen-clever, doppelt-so-clever or geht-noch-was. opponents are computer
        players on the other seats: random, greedy, easy, medium, strong, net or search; without
        them you play solo. seat counts from 1. Equal seeds give equal dice.
        """
        with self._explaining():
            for name in opponents or ():
                if name not in AGENTS:
                    raise UnknownAgent(f"{name!r} is no opponent; there are {', '.join(AGENTS)}")
            env = TextEnv(game, opponents or (), seat - 1)
            text = env.reset(seed)
            self.env = env
            return text

    def position(self) -> str:
        """Return the position, what is expected of you, and your legal moves."""
        with self._explaining():
            return self._playing().describe()

    def legal_moves(self) -> str:
        """Return your legal moves, one a line: the notation, then a sentence."""
        with self._explaining():
            env = self._to_move()
            moves = env.position.legal_moves(env.seat)
            return "\n".join(f"{move.text}: {move.words(self.words)}" for move in moves)

    def play(self, move: str) -> str:
        """Make a move by its notation; return the next position at which you decide.

        Dice are rolled and opponents move by themselves. An illegal move changes nothing.
        """
        with self._explaining():
            env = self._to_move()
            read_answer(move, env.position, env.seat)
            return env.step(move).text

    def hint(self) -> str:
        """Rank your best moves by rollouts, with the final points that they lead to."""
        with self._explaining():
            env = self._to_move()
            ranked = adviser("search", env.game).rank(env.position, env.seat)
            return "\n".join(
                f"{value.move.text}: {format_number(value.expected, '.1f', self.words)}"
                f" ± {format_number(value.error, '.1f', self.words)}"
                f" points. {value.move.words(self.words)}"
                for value in ranked[:SHOWN]
            )

    def review(self) -> str:
        """Review your decisions so far: points lost, dice luck, the worst mistakes."""
        with self._explaining():
            env = self._playing()
            names = [f"player {seat + 1}" for seat in range(env.position.players)]
            if not any(move.seat == env.seat for _, move in env.position.history()):
                raise self.error("There is nothing to review yet: play a move.")
            (seat,) = review(env.position, names, seats=[env.seat]).seats
            return "\n".join(seat_lines(seat, env.game, self.words))

    def odds(self, conditions: list[str] | None = None) -> str:
        """Return exact chances of task cards of Geht noch was?, like 3*W4+.

        Without conditions, return the chances of your own cards on the next roll.
        """
        with self._explaining():
            if conditions:
                return "\n".join(odds_lines(conditions, self.words))
            env = self._playing()
            odds, position = env.game.odds, env.position
            if odds is None:
                raise self.error(self.words("cli.play.never_odds"))
            found = odds.next_roll_words(env.game.definition, position.state, env.seat, self.words)
            return "\n".join(found) or self.words("cli.play.no_odds")
