"""Compare a group's seven daily challenges of a week by points and by skill."""

from __future__ import annotations

import json
from datetime import date, timedelta
from typing import Any

from foxclover.review.skill import Lost, rate
from foxclover.server.people import skills
from foxclover.server.protocol.people import Week, WeekMember
from foxclover.server.stores.store import Rows

DAYS = 7


def days_of_week(day: str) -> list[str]:
    """Return the days from Monday to Sunday of a day's week."""
    found = date.fromisoformat(day)
    monday = found - timedelta(days=found.weekday())
    return [(monday + timedelta(days=number)).isoformat() for number in range(DAYS)]


async def week_of(rows: Rows, code: str, game: str, day: str, you: str) -> tuple[Week, list[str]]:
    """Return the week of a group's members, and the tables that are not reviewed yet.

    A missed day counts as no points, and not at all for the skill.
    """
    days = days_of_week(day)
    members = await rows.query(
        "SELECT p.id, p.name, p.tag FROM daily_members m JOIN people p ON p.id = m.person"
        " WHERE m.code = ? ORDER BY p.name, p.id",
        code,
    )
    played = await rows.query(
        """SELECT d.person, d.day, d.score, d.code, d.review FROM dailies d
        JOIN daily_members m ON m.person = d.person
        WHERE m.code = ? AND d.game = ? AND d.day >= ? AND d.day <= ? AND d.score IS NOT NULL""",
        *(code, game, days[0], days[-1]),
    )
    listed: list[WeekMember] = []
    for person, name, tag in members:
        own = {day: found for owner, day, *found in played if owner == person}
        row = _member(game, name, tag, person == you, [own.get(day) for day in days])
        if own:
            found = skills.of_rows(await rows.query(skills.RATED, person))
            row["rating"] = next(
                (each for each in found if (each["game"], each["several"]) == (game, False)), None
            )
        listed.append(row)
    _add_places(listed)
    listed.sort(key=lambda member: -member["points"])
    unreviewed = [table for _, _, _, table, review in played if table and not review]
    return {"game": game, "days": days, "members": listed, "reviewing": 0}, unreviewed


def _member(
    game: str, name: str, tag: str, is_you: bool, results: list[list[Any] | None]
) -> WeekMember:
    reviews = [json.loads(found[2]) if found and found[2] else None for found in results]
    losses = [skills.lost(review) if review else Lost(0.0, 0) for review in reviews]
    skill = rate(losses)
    return {
        "name": name,
        "tag": tag,
        "you": is_you,
        "scores": [found[0] if found else None for found in results],
        "losses": [lost.points / lost.decisions if lost.decisions else None for lost in losses],
        "points": sum(found[0] for found in results if found),
        "place": 0,
        "skill": skills.place(game, False, skill) if skill else None,
        "skill_place": None,
        "rating": None,
    }


def _add_places(members: list[WeekMember]) -> None:
    points = sorted((member["points"] for member in members), reverse=True)
    losses = sorted(member["skill"]["loss"] for member in members if member["skill"])
    for member in members:
        member["place"] = points.index(member["points"]) + 1
        if member["skill"]:
            member["skill_place"] = losses.index(member["skill"]["loss"]) + 1
