"""Many games from Python: ``foxclover.simulate``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from foxclover.ai import AGENTS, UnknownAgent
from foxclover.chance import fresh_seed
from foxclover.game import Game, game

if TYPE_CHECKING:
    from foxclover.own_agents import Maker
    from foxclover.simulation.outcome import Outcome

MOST_SEEDS = 2**63  # in either direction


def simulate(
    played: Game | str,
    agents: str | Maker | Sequence[str | Maker] = "random",
    games: int = 1000,
    seed: int | None = None,
    *,
    first: int = 0,
    workers: int = 1,
    options: Iterable[str] = (),
    begins: int = 0,
) -> Outcome:
    """Play games ``first`` to ``first + games - 1`` of a seed and return what came of them as numpy arrays.

    ``agents`` sit at the table, a single one plays solo: names of computer players, ``module:Class``, or what makes an agent of a game,
    usually its class. ``begins`` is a seat, or ``LOT``. Raises ``simulation.outcome.Stopped``, with what came of the games that were
    finished, if an agent fails.

    >>> outcome = simulate("ganz", ["greedy", "random"], games=100, seed=1)
    >>> outcome.scores.shape, outcome.places.min(), sorted(outcome.tallies)
    ((100, 2), 1, ['foxes'])
    """
    from foxclover.simulation import batch

    chosen = game(played) if isinstance(played, str) else played
    seats: list[str | Maker] = (
        [agents] if isinstance(agents, str) or callable(agents) else list(agents)
    )
    unknown = [
        name for name in seats if isinstance(name, str) and ":" not in name and name not in AGENTS
    ]
    if unknown:
        raise UnknownAgent(
            f"{unknown[0]!r} is no computer player; there are {', '.join(AGENTS)}, or module:Class"
        )
    if len(seats) not in chosen.players:
        raise ValueError(
            f"{chosen.name} is for {chosen.players[0]} to {chosen.players[-1]} players, not {len(seats)}"
        )
    if games < 1 or first < 0 or workers < 1:
        raise ValueError("games and workers count from 1, first from 0")
    if seed is not None and not -MOST_SEEDS <= seed < MOST_SEEDS:
        raise ValueError("a seed has at most 64 bits")
    variant = chosen.start(len(seats), chosen.variant(options), begins).variant
    return batch.play(
        chosen, seats, games, fresh_seed() if seed is None else seed, workers, variant, first=first
    )
