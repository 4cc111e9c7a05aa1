"""The contract of the Clever games, and the modules of their kernel."""

from __future__ import annotations

from foxclover.core.contract import Family
from foxclover.games.clever import (
    definitions,
    drawing,
    notation,
    picture,
    position_text,
    reasons,
    scoring,
    view,
)
from foxclover.games.clever import text as words
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules import table as rules
from foxclover.games.clever.rules.state import Sheet, State
from foxclover.kernel.program import ENTRIES, MODULES, Program, within

FAMILY = Family[CleverDefinition, Sheet, State](
    name="clever",
    kind="sheet",
    needs_header=True,
    definitions=definitions,
    rules=rules,
    bounds=definitions.BOUNDS,
    notation=notation,
    position_text=position_text,
    dice_keys=notation,
    words=words,
    reasons=reasons,
    views=view,
    scoring=scoring,
    drawing=drawing,
    pictures=picture,
    odds=None,
    features=notation,
    page_texts=(),
    options=(),
)

RULES = within("foxclover.games.clever.rules", "state", "moves", "turns", "table")
PLAYERS = within("foxclover.games.clever.ai", "network", "rating", "self_play")
PROGRAM = Program(
    modules=(*MODULES, *RULES, *PLAYERS, "foxclover.kernel.vectors"),
    records={
        "Tables": "foxclover.games.clever.rules.state.Sheet",
        "State": "foxclover.games.clever.rules.state.State",
        "Workspace": "foxclover.games.clever.ai.network.Workspace",
    },
    entries=(*ENTRIES, "teach", "step_net", "transpose"),
)
