"""Measure the marks of the skill scale: the points that computer players lose per decision.

python bench/skill.py [GAME ...] [--games 40] [--seed 1] [--agents random,easy,...] [--keep]
                      [--untried]
    --keep: write them into the families' packages
    --untried: losses by ratings alone, without rollouts, in a tenth of the time

Games with lucky and with unlucky dice are compared: their skill should be the same, and the loss
per decision of a game should not depend on its dice luck.
"""

from __future__ import annotations

import argparse
import math
from statistics import correlation

from foxclover import agent, game, game_names
from foxclover.ai import FOR_PEOPLE
from foxclover.ai.agents import SearchAgent
from foxclover.ai.families import family_of
from foxclover.core.game import Game
from foxclover.core.registry import GAMES, families
from foxclover.dice.sources import keyed
from foxclover.review import SeatReview, review
from foxclover.review.analyser import Analyser
from foxclover.review.skill import MARKS, Lost, Skill, marks_of, rate

SCALE = ("random", *FOR_PEOPLE)
COMPANIES = {False: 1, True: 2}  # numbers of players, by whether there are several


def play(
    chosen: Game, name: str, players: int, seed: int, games: int, tried: bool
) -> list[SeatReview]:
    """Return the reviews of the seats of some games of equal players."""
    analyser, found = Analyser(chosen), list[SeatReview]()
    strength = family_of(chosen).STRENGTHS.get(name)
    searches = strength is not None and strength.tries > 0
    agents = [
        # A fixed number of rollouts: the marks must not depend on how busy the machine is.
        SearchAgent(chosen, strength._replace(seconds=0.0), seed + seat)
        if searches and strength
        else agent(name, chosen, seed + seat)
        for seat in range(players)
    ]
    for number in range(games):
        position, dice = chosen.start(players), keyed(f"{seed} {number}".encode())
        while not position.over:
            if position.chance_due:
                position.roll(dice)
            else:
                seat = position.acting[0]
                position.push_unchecked(agents[seat].choose(position, seat))
        found += review(position, analyser=analyser, tried=tried).seats
    return found


def skill_of(seats: list[SeatReview]) -> Skill:
    """Return the skill that all games show together."""
    found = rate([Lost(seat.loss, len(seat.decisions)) for seat in seats], len(seats))
    assert found is not None
    return found


def shown(name: str, seats: list[SeatReview]) -> str:
    """Return the skill in some games with its error and their dice luck."""
    skill, luck = skill_of(seats), [seat.dice_luck for seat in seats]
    return f"{name} {skill.loss:.3f} ± {skill.error:.3f} (dice luck {sum(luck) / len(luck):+.1f})"


def dependence(seats: list[SeatReview]) -> str:
    """Return the correlation of the loss per decision with dice luck, and its 95 % interval."""
    losses = [seat.loss / len(seat.decisions) for seat in seats]
    found = correlation(losses, [seat.dice_luck for seat in seats])
    reach = 1.96 / math.sqrt(len(seats) - 3)
    low, high = (math.tanh(math.atanh(found) + sign * reach) for sign in (-1, 1))
    return f"correlation {found:+.3f} ({low:+.3f} to {high:+.3f}), {len(seats)} games"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("game", nargs="*", default=game_names())
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--agents", default=",".join(SCALE))
    parser.add_argument("--keep", action="store_true")
    parser.add_argument("--untried", action="store_true")
    args = parser.parse_args()
    measured: dict[str, dict[bool, dict[str, Skill]]] = {}
    for key in args.game:
        chosen = game(key)
        for several, players in COMPANIES.items():
            company = measured.setdefault(chosen.key, {}).setdefault(several, {})
            for name in args.agents.split(","):
                # A seat of every game counts as a game.
                seats = play(
                    chosen, name, players, args.seed, args.games // players, not args.untried
                )
                company[name] = skill_of(seats)
                by_luck = sorted(seats, key=lambda seat: seat.dice_luck)
                half = len(seats) // 2
                parts = {"all": seats, "unlucky half": by_luck[:half], "lucky half": by_luck[half:]}
                print(
                    f"{chosen.name}, {players} {name}:",
                    ", ".join(shown(*part) for part in parts.items()),
                    dependence(seats),
                    flush=True,
                )
    if args.keep:
        keep(measured)


def keep(measured: dict[str, dict[bool, dict[str, Skill]]]) -> None:
    """Write the marks of these games, and the other ones as they were."""
    for family in families():
        lines = ["# Points lost per decision, standard error, games: python bench/skill.py --keep"]
        for chosen in map(game, game_names()):
            if chosen.family != family:
                continue
            for several in COMPANIES:
                marks = measured.get(chosen.key, {}).get(several) or marks_of(chosen, several)
                lines += ["", f"[{chosen.key}.{'several' if several else 'solo'}]"]
                for name, mark in sorted(marks.items(), key=lambda entry: -entry[1].loss):
                    lines.append(f"{name} = [{mark.loss:.3f}, {mark.error:.3f}, {mark.games}]")
        (GAMES / family / MARKS).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
