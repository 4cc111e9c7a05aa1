"""Many games from Python: ``foxclover.simulate``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from foxclover.ai import AGENTS, UnknownAgent, is_custom, read_name
from foxclover.core.game import Game, game
from foxclover.dice.sources import STREAMS, check_seed, fresh_seed

if TYPE_CHECKING:
    from foxclover.ai.custom_agents import AgentFactory
    from foxclover.simulation.batch import Outcome


def simulate(
    played: Game | str,
    agents: str | AgentFactory | Sequence[str | AgentFactory] = "random",
    games: int = 1000,
    seed: int | None = None,
    *,
    first: int = 0,
    workers: int = 1,
    start_player: int = 0,
    **options: bool,
) -> Outcome:
    """Play games ``first`` to ``first + games - 1`` of a seed; return their results as arrays.

    ``agents`` play the seats, a single one plays solo: names of computer players,
    ``module:Class``, or a function that makes an agent for a game, usually its class.
    ``start_player`` is a seat, or ``RANDOM``; ``options`` are those of ``Game.start``. Raises
    ``simulation.batch.Stopped``, with the results of the finished games, if an agent fails.

    >>> outcome = simulate("ganz", ["greedy", "random"], games=100, seed=1)
    >>> outcome.scores.shape, int(outcome.places.min())
    ((100, 2), 1)
    """
    from foxclover.simulation import batch

    chosen = played if isinstance(played, Game) else game(played)
    seats: list[str | AgentFactory] = (
        [agents] if isinstance(agents, str) or callable(agents) else list(agents)
    )
    unknown = [
        name
        for name in seats
        if isinstance(name, str) and not is_custom(name) and not read_name(name).is_known
    ]
    if unknown:
        raise UnknownAgent(
            f"{unknown[0]!r} is no computer player; there are {', '.join(AGENTS)}, or module:Class"
        )
    if len(seats) not in chosen.players:
        raise ValueError(
            f"{chosen.name} is for {chosen.players[0]} to {chosen.players[-1]} players,"
            f" not {len(seats)}"
        )
    if games < 1 or first < 0 or workers < 1:
        raise ValueError("games and workers count from 1, first from 0")
    if first + games > STREAMS:
        raise ValueError(f"a seed has {STREAMS} games, not {first + games}")
    setup = chosen.start(len(seats), start_player=start_player, **options).setup
    return batch.play(
        chosen,
        seats,
        games,
        fresh_seed() if seed is None else check_seed(seed),
        workers,
        setup,
        first=first,
    )
