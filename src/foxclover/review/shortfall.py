"""By how much the net of a game expects too little.

The nets of the Clever games have learnt from players who rated a move as if they stopped after it. Players now look through, and make
more of the turns that they have still to come. A review adds what they make more of them: the same to all moves of a position and to
everything that chance may do in it, so that neither losses nor luck change.
"""

from __future__ import annotations

from foxclover.contract import AnyState
from foxclover.game import Game

POINTS = {
    "ganz-schoen-clever": (0.0, 4.3, 7.1, 8.7, 9.5, 9.9, 9.9),
    "doppelt-so-clever": (0.0, 3.7, 11.0, 15.4, 19.2, 20.1, 20.6),
}
"""By turns of his own that a player has still to come, in 1,000 and 800 games alone, forced moves left out.

``bench/review.py shortfall GAME --games 1000 --seed 20261120``, which counts those too, says the same within 0.4 points.
"""

NETS = {
    "ganz-schoen-clever": "60271037ad271c2ff8a3350ddeb6208336e260908616f92c76dfeac86df8ae06",
    "doppelt-so-clever": "5a7548d0c8efb81ee21ee0dcc740f1152eacc844b85895a6ce8b3a409bdeb500",
}
"""The nets of which that was measured, by the sha256 of their files."""


def shortfall(game: Game, state: AnyState, seat: int) -> float:
    """Points that a player may expect beyond what the net says; none where that was not measured."""
    points = POINTS.get(game.key)
    return points[game.scoring.turns_to_come(game.book, state, seat)] if points else 0.0
