"""What goes wrong at the command line and is the user's to mend."""

from __future__ import annotations


class UserError(Exception):
    """One clear sentence for the user; the command ends with exit code 2."""
