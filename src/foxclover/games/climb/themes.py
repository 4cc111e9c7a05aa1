"""The themes of a decision in Geht noch was?, found from the position and its best moves."""

from __future__ import annotations

from typing import cast

from foxclover.core.move import Move
from foxclover.core.position import Position
from foxclover.games.climb.definitions import ClimbDefinition
from foxclover.games.climb.rules.state import State
from foxclover.games.climb.view import move_views
from foxclover.locale import Translator, catalogue

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
    points = []
    for move in (best, played):
        after = position.copy()
        after.push(move)
        points.append(after.score(seat))
    more = points[0] - points[1]
    return [translate("puzzle.why.points", count=more)] if more > 0 else []
