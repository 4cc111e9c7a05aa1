"""Fox & Clover: Ganz schön clever, Doppelt so clever and Geht noch was?, exact and fast."""

__version__ = "0.1.0"
