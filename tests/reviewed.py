"""Games to be reviewed."""

from __future__ import annotations

from foxclover.ai import agent
from foxclover.core.game import Game
from foxclover.core.position import Position
from foxclover.core.setup import DEFAULT_SETUP, Setup
from foxclover.dice.sources import seeded


def played(
    chosen: Game,
    name: str,
    players: int = 1,
    seed: int = 1,
    number: int = 0,
    setup: Setup = DEFAULT_SETUP,
    moves: int = 10_000,
) -> Position:
    """A game by one computer player on all seats, or its beginning."""
    agents = [agent(name, chosen, seed + seat) for seat in range(players)]
    position, dice = chosen.start_with(players, setup), seeded(seed, number)
    while not position.over and len(position.moves_made) < moves:
        if position.chance_due:
            position.roll(dice)
        else:
            seat = position.acting[0]
            position.push_unchecked(agents[seat].choose(position, seat))
    return position
