"""The contract of the family: Geht noch was? and the modules of its kernel."""

from __future__ import annotations

from foxclover.core.contract import Family
from foxclover.core.setup import Option
from foxclover.games.climb import (
    definitions,
    drawing,
    notation,
    picture,
    position_text,
    reasons,
    scoring,
    view,
)
from foxclover.games.climb import text as words
from foxclover.games.climb.definitions import ClimbDefinition
from foxclover.games.climb.rules import table as rules
from foxclover.games.climb.rules.state import FREE_PLACEMENT, SEATS, SOLO_RULES, Deck, State
from foxclover.kernel.program import ENTRIES, MODULES, Program, within

FAMILY = Family[ClimbDefinition, Deck, State](
    name="climb",
    kind="deck",
    needs_header=False,
    definitions=definitions,
    rules=rules,
    bounds=notation.BOUNDS,
    notation=notation,
    position_text=position_text,
    dice_keys=notation,
    words=words,
    reasons=reasons,
    views=view,
    scoring=scoring,
    drawing=drawing,
    pictures=picture,
    odds=scoring,
    features=notation,
    page_texts=("climb.luck", "climb.in", "climb.out"),
    options=(
        Option("solo_rules", SOLO_RULES, range(2, SEATS + 1)),  # alone they hold anyway
        Option("free_placement", FREE_PLACEMENT, range(1, SEATS + 1)),
    ),
)

RULES = within("foxclover.games.climb.rules", "state", "tableau", "moves", "table", "evaluation")
PLAYERS = ("workspace", "after_round", "rolling", "buying", "rating", "winning", "self_play")
PROGRAM = Program(
    modules=(*MODULES, *RULES, *within("foxclover.games.climb.ai", *PLAYERS)),
    records={
        "Tables": "foxclover.games.climb.rules.state.Deck",
        "State": "foxclover.games.climb.rules.state.State",
        "Workspace": "foxclover.games.climb.ai.workspace.Workspace",
    },
    entries=(*ENTRIES, "play_games_to_learn"),
)
