"""The family of Ganz schön clever and Doppelt so clever.

``Board`` reads its positions and moves by name; other packages use everything else here.
"""

from foxclover.games.clever.board import (
    ActionTrack,
    Area,
    Board,
    Choice,
    Die,
    Field,
    Line,
    Mark,
    Sheet,
)

__all__ = ["ActionTrack", "Area", "Board", "Choice", "Die", "Field", "Line", "Mark", "Sheet"]
