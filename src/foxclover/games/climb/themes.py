"""The themes of a decision in Geht noch was?, found from the position and its best moves."""

from __future__ import annotations

from typing import cast

from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.games.climb.definitions import ClimbDefinition
from foxclover.games.climb.rules.state import State
from foxclover.games.climb.scoring import position_odds
from foxclover.games.climb.text import move_kind
from foxclover.games.climb.view import move_views, preview
from foxclover.locale import Translator, catalogue, format_number

ROUND_BONUS = "round_bonus"
CARD_TO_BUY = "card_to_buy"  # which card to buy, or whether to stop
EXCHANGE = "exchange"  # keep a card or draw another
PLACE_CARD = "place_card"  # on which level to place a card
CARD_TO_FULFIL = "card_to_fulfil"
PAY_LUCK = "pay_luck"
STAY_OR_DROP_OUT = "stay_or_drop_out"
PUSH_OR_SCORE = "push_or_score"
LIFT_SCORED = "lift_scored"  # which scored card to push

THEME_OF_KIND = {
    "bonus": ROUND_BONUS,
    "buy": CARD_TO_BUY,
    "turn_in": CARD_TO_BUY,
    "exchange": EXCHANGE,
    "keep": EXCHANGE,
    "build": PLACE_CARD,
    "fulfil": CARD_TO_FULFIL,
    "pay": PAY_LUCK,
    "fail": PAY_LUCK,
    "stay": STAY_OR_DROP_OUT,
    "out": STAY_OR_DROP_OUT,
    "push": PUSH_OR_SCORE,
    "score": PUSH_OR_SCORE,
    "lift": LIFT_SCORED,
}
STAY_OR_OUT = (("stay", "out"), ("out", "stay"))
# Kinds of the best and the other move: the last part of the key of a sentence.
REASONS = {
    ("pay", "fail"): "pay",
    ("buy", "done"): "buy",
    ("turn_in", "done"): "buy",
    ("done", "buy"): "done",
    ("done", "turn_in"): "done",
    ("push", "score"): "push",
}
THEMES = tuple(dict.fromkeys(THEME_OF_KIND.values()))


def themes(position: Position, seat: int, best: Move, second: Move) -> list[str]:
    """Return the themes of a decision by its best and its second best move."""
    moves = move_views(
        cast(ClimbDefinition, position.game.definition),
        cast(State, position.state),
        seat,
        [best.number, second.number],
        catalogue("en"),
    )
    found = (THEME_OF_KIND.get(move["kind"]) for move in moves)
    return list(dict.fromkeys(theme for theme in found if theme))


def explain(
    position: Position, seat: int, best: Move, played: Move, translate: Translator
) -> list[str]:
    """Describe what the best move does and the move played does not."""
    definition, state = cast(ClimbDefinition, position.game.definition), cast(State, position.state)
    ahead, behind = (preview(definition, state, seat, move.number) for move in (best, played))
    kinds, found = (move_kind(best.number), move_kind(played.number)), []
    if kinds in STAY_OR_OUT:
        fail = position_odds(definition, state, seat).fail.probability
        share = 100 * (1 - fail if kinds[0] == "stay" else fail)
        percent = format_number(share, ".0f", translate)
        found.append(translate(f"puzzle.why.{kinds[0]}", percent=percent))
    elif kinds in REASONS:
        found.append(translate(f"puzzle.why.{REASONS[kinds]}"))
    if ahead["points"] > behind["points"]:
        found.append(translate("puzzle.why.points", count=ahead["points"] - behind["points"]))
    return found
