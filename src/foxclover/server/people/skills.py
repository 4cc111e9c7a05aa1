"""Rate the skill of a person from the reviews of their games."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from foxclover.core.game import game, game_names
from foxclover.review.schema import FORMAT, ReviewRecord
from foxclover.review.skill import LATEST, Lost, Skill, curve, marks_of, neighbours, rate
from foxclover.server.people import finished_games
from foxclover.server.protocol.people import GameReview, SkillPlace, SkillRating

READ = 100  # latest reviewed games of a person that a rating outside their own list reads
RATED = f"""SELECT body, review FROM results WHERE person = ? AND review <> ''
    ORDER BY at DESC, id LIMIT {READ}"""


def lost(review: GameReview) -> Lost:
    """Return the losses in a reviewed game."""
    return Lost(review["loss"], review["decisions"])


def summary_of(text: str, seat: int) -> str:
    """Return the summary of a stored review for one seat; "" if its version is another."""
    record: ReviewRecord = json.loads(text)
    if record["format"] != FORMAT:
        return ""
    return json.dumps(finished_games.of_review(record["seats"][seat]))


def ratings(games: Iterable[Mapping[str, Any]]) -> list[SkillRating]:
    """Return the ratings of a person by game and company; the newest game is first."""
    by_kind: dict[tuple[str, bool], list[Lost]] = {}
    for played in games:
        if played["review"] and played["game"] in game_names():
            kind = played["game"], len(played["scores"]) > 1
            by_kind.setdefault(kind, []).insert(0, lost(played["review"]))
    found = (_rating(*kind, losses) for kind, losses in by_kind.items())
    return [rating for rating in found if rating]


def of_rows(rows: Iterable[tuple[str, str]]) -> list[SkillRating]:
    """Return the ratings by stored summaries of games and reviews; the newest is first."""
    return ratings({**json.loads(body), "review": json.loads(review)} for body, review in rows)


def unreviewed(games: Iterable[Mapping[str, Any]]) -> list[str]:
    """Return the tables without a review among the latest games of each kind."""
    counts: dict[tuple[str, bool], int] = {}
    codes = []
    for played in games:
        kind = played["game"], len(played["scores"]) > 1
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= LATEST and played["table"] and not played["review"]:
            codes.append(str(played["table"]))
    return codes


def _rating(key: str, several: bool, losses: list[Lost]) -> SkillRating | None:
    skill = rate(losses)
    if skill is None:
        return None
    return {
        "game": key,
        "several": several,
        "games": skill.games,
        **place(key, several, skill),
        "curve": curve(losses),
    }


def place(key: str, several: bool, skill: Skill) -> SkillPlace:
    """Return the place of a skill on the scale."""
    weaker, stronger = neighbours(skill, marks_of(game(key), several))
    return {"loss": skill.loss, "error": skill.error, "weaker": weaker, "stronger": stronger}
