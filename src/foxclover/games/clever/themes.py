"""The themes of a decision in a Clever game, found from the position and its best moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules.moves import PASS as PASS_ALL
from foxclover.games.clever.rules.moves import REROLL_ALL
from foxclover.games.clever.rules.state import State
from foxclover.games.clever.text import names
from foxclover.games.clever.view import (
    CleverMoveView,
    CleverPreview,
    CleverView,
    move_views,
    preview,
)
from foxclover.locale import Translator, catalogue

BONUS_CHAIN = "bonus_chain"  # the best move wins at least two bonuses
FOX = "fox"  # it wins a fox
LOWEST_AREA = "lowest_area"  # it enters the area that the foxes count
KEEP_DICE = "keep_dice"  # it leaves more dice for later rolls than the second best
PLATTER_GIFT = "platter_gift"  # the second best gives another player a die that wins a bonus
REROLL = "reroll"  # rolling again is the question
EXTRA_DIE = "extra_die"
RETURN = "return"
FOLLOW_UP = "follow_up"
PASSIVE_CHOICE = "passive_choice"
BONUS_PLACE = "bonus_place"  # where to place a bonus
PASS = "pass"  # leaving all dice is best

THEMES = (
    BONUS_CHAIN,
    FOX,
    LOWEST_AREA,
    KEEP_DICE,
    PLATTER_GIFT,
    REROLL,
    EXTRA_DIE,
    RETURN,
    FOLLOW_UP,
    PASSIVE_CHOICE,
    BONUS_PLACE,
    PASS,
)
SAVED = ("extra", "return")  # stages in which an action may be kept for later
STAGES = {"extra": EXTRA_DIE, "return": RETURN, "follow": FOLLOW_UP, "take": PASSIVE_CHOICE}


def themes(position: Position, seat: int, best: Move, second: Move) -> list[str]:
    """Return the themes of a decision by its best and its second best move."""
    return list(_themes(position, seat, best, second))


def _themes(position: Position, seat: int, best: Move, second: Move) -> Iterator[str]:
    definition = cast(CleverDefinition, position.game.definition)
    state = cast(State, position.state)
    one, other = move_views(definition, state, seat, [best.number, second.number], catalogue("en"))
    ahead, behind = (preview(definition, state, seat, move.number) for move in (best, second))
    if len(ahead["bonuses"]) > 1:
        yield BONUS_CHAIN
    if "fox" in ahead["bonuses"]:
        yield FOX
    if _helps_foxes(state, seat, one):
        yield LOWEST_AREA
    used = one["kind"] == other["kind"] == "use"
    if used and len(ahead["platter"]) < len(behind["platter"]):
        yield KEEP_DICE
    if _gifts(position, seat, second) and not _gifts(position, seat, best):
        yield PLATTER_GIFT
    if "reroll" in (one["kind"], other["kind"]):
        yield REROLL
    stage = cast(CleverView, position.view())["sheets"][seat]["stage"]
    if one["kind"] == "bonus":
        yield BONUS_PLACE
    elif stage in STAGES:
        yield STAGES[stage]
    if one["kind"] == "pass":
        yield PASS


def explain(
    position: Position, seat: int, best: Move, played: Move, translate: Translator
) -> list[str]:
    """Describe what the best move does and the move played does not."""
    definition = cast(CleverDefinition, position.game.definition)
    state = cast(State, position.state)
    ahead, behind = (preview(definition, state, seat, move.number) for move in (best, played))
    words, found = names(definition, translate), []
    one, other = (
        view["kind"]
        for view in move_views(definition, state, seat, [best.number, played.number], translate)
    )
    stage = cast(CleverView, position.view())["sheets"][seat]["stage"]
    if one == "reroll":
        found.append(translate("puzzle.why.reroll"))
    elif other == "reroll":
        found.append(translate("puzzle.why.save.reroll"))
    elif one == "done" and stage in SAVED:
        found.append(translate(f"puzzle.why.save.{stage}"))
    won = Counter(ahead["bonuses"]) - Counter(behind["bonuses"])
    if won:
        listed = ", ".join(words[bonus] for bonus in won.elements())
        found.append(translate("puzzle.why.bonuses", bonuses=listed))
    kept = len(behind["platter"]) - len(ahead["platter"])
    if kept > 0 and best.number not in (REROLL_ALL, PASS_ALL):
        found.append(translate("puzzle.why.dice", count=kept))
    more = ahead["points"] - behind["points"]
    if more > 0:
        found.append(translate("puzzle.why.points", count=more))
    if _gifts(position, seat, played) and not _gifts(position, seat, best):
        found.append(translate("puzzle.why.gift"))
    return found


def _helps_foxes(state: State, seat: int, move: CleverMoveView) -> bool:
    """Return whether a player with foxes enters the area with the fewest points."""
    mine = state.seats[seat]
    return mine.foxes > 0 and move["area"] >= 0 and mine.points[move["area"]] == min(mine.points)


def _gifts(position: Position, seat: int, move: Move) -> bool:
    """Return whether a move gives another player at once a die that wins a bonus."""
    after = position.copy()
    after.push(move)
    definition, state = cast(CleverDefinition, after.game.definition), cast(State, after.state)
    return any(
        _wins(preview(definition, state, other, number))
        for other in after.acting
        if other != seat
        for number in after.legal_numbers(other)
    )


def _wins(made: CleverPreview) -> bool:
    return bool(made["bonuses"])
