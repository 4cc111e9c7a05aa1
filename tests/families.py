"""The games of a family, for tests about what they share."""

from __future__ import annotations

from foxclover.core.registry import game_entries


def keys_of(family: str) -> list[str]:
    """The keys of a family's games."""
    return [key for key, item in game_entries().items() if item.head.family == family]


CLEVER = keys_of("clever")
