"""By how much the net of a game expects too little.

The nets of the Clever games have learnt from players who rated a move as if they stopped after it. Players now look through, and make
more of the turns that they have still to come. What they make more of them is told together with ratings: the same for all moves of a
position and for everything that chance may do in it, so that it changes no order, no loss and no luck.
"""

from __future__ import annotations

from functools import cache

from foxclover import net_file
from foxclover.contract import AnyState
from foxclover.game import Game


def shortfall(game: Game, state: AnyState, seat: int) -> float:
    """Points that a player may expect beyond what the net says; none where that was not measured."""
    measured = _measured(game)
    return measured[game.scoring.turns_to_come(game.book, state, seat)] if measured else 0.0


@cache
def _measured(game: Game) -> tuple[float, ...]:
    """By turns of his own that a player has still to come."""
    try:
        return net_file.shortfall(net_file.shipped(game.key))
    except net_file.NetError:  # whoever thinks with the net says what is wrong with it
        return ()
