"""Who begins: the first seat, a chosen one, or one drawn by lot, which is a move of chance before all others.

It is part of the number that stands for a game's options, so that it goes wherever that goes: kernel code.
"""

from __future__ import annotations

BEGINS = 256  # the options of a game are below; above them stands the seat that begins,
LOT = 15  # or that it is drawn
LOT_DUE = 3  # of ``chance_pending``
