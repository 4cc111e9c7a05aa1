"""The family of Geht noch was?.

``Board`` reads its positions and moves by name; other packages use everything else here.
"""

from foxclover.games.climb.board import (
    ActiveCard,
    Board,
    Bonus,
    Card,
    Choice,
    Draw,
    Level,
    Pile,
    ScoredCard,
    Tableau,
)

__all__ = [
    "ActiveCard",
    "Board",
    "Bonus",
    "Card",
    "Choice",
    "Draw",
    "Level",
    "Pile",
    "ScoredCard",
    "Tableau",
]
