"""Geht noch was? as the contract asks for it."""

from __future__ import annotations

from foxclover.climb import (
    addresses,
    drawing,
    features,
    notation,
    odds,
    reasons,
    rules,
    scoring,
    tables,
    view,
    words,
)
from foxclover.climb.state import FREE_PLACEMENT, SEATS, SOLO_RULES, Deck, State
from foxclover.climb.tables import ClimbBook
from foxclover.contract import Family, Option

FAMILY = Family[ClimbBook, Deck, State](
    name="climb",
    book_word="deck",
    headless=True,
    books=tables,
    rules=rules,
    notation=notation,
    addresses=addresses,
    words=words,
    explaining=reasons,
    views=view,
    scoring=scoring,
    drawing=drawing,
    odds=odds,
    features=features,
    options=(
        Option("solo_rules", SOLO_RULES, range(2, SEATS + 1)),  # alone they hold anyway
        Option("free_placement", FREE_PLACEMENT, range(1, SEATS + 1)),
    ),
)
