"""Games to be reviewed."""

from __future__ import annotations

from foxclover.ai import agent
from foxclover.chance import seeded
from foxclover.game import Game, Position


def played(
    chosen: Game,
    name: str,
    players: int = 1,
    seed: int = 1,
    number: int = 0,
    variant: int = 0,
    moves: int = 10_000,
) -> Position:
    """A game by one computer player on all seats, or its beginning."""
    agents = [agent(name, chosen, seed + seat) for seat in range(players)]
    position, dice = chosen.start(players, variant), seeded(seed, number)
    while not position.over and len(position.moves_made) < moves:
        if position.chance_due:
            position.roll(dice)
        else:
            seat = position.acting[0]
            position.push_unchecked(agents[seat].choose(position, seat))
    return position
