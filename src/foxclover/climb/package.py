"""Geht noch was? as the contract asks for it."""

from __future__ import annotations

from foxclover.climb import books, drawing, features, notation, odds, rules, scoring, view, words
from foxclover.climb.books import ClimbBook
from foxclover.climb.state import FREE_PLACEMENT, SEATS, SOLO_RULES, Deck, State
from foxclover.contract import Family, Option

FAMILY = Family[ClimbBook, Deck, State](
    name="climb",
    book_word="deck",
    books=books,
    rules=rules,
    notation=notation,
    words=words,
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
