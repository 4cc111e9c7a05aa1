"""The Clever games as the contract asks for them."""

from __future__ import annotations

from foxclover.clever import (
    addresses,
    drawing,
    features,
    notation,
    reasons,
    rules,
    scoring,
    tables,
    view,
    words,
)
from foxclover.clever.state import Sheet, State
from foxclover.clever.tables import CleverBook
from foxclover.contract import Family

FAMILY = Family[CleverBook, Sheet, State](
    name="clever",
    book_word="sheet",
    headless=False,
    books=tables,
    rules=rules,
    notation=notation,
    addresses=addresses,
    words=words,
    explaining=reasons,
    views=view,
    scoring=scoring,
    drawing=drawing,
    odds=None,
    features=features,
    options=(),
)
