"""``foxclover daily``: the daily challenge of this machine's server, played in the terminal while the server is not running."""

from __future__ import annotations

import asyncio
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from foxclover import daily, notation
from foxclover.addressed import addressed
from foxclover.ai import FOR_PEOPLE, SIMPLE, agent
from foxclover.cli import saves
from foxclover.cli.arguments import find_key, read_transcript
from foxclover.cli.errors import UserError
from foxclover.cli.folders import data_folder
from foxclover.cli.parser import Commands
from foxclover.cli.seats import Seat
from foxclover.cli.session import Session
from foxclover.game import CHANCE, Game, game, games
from foxclover.locale import Say
from foxclover.net_file import NetError

if TYPE_CHECKING:
    from foxclover.server.daily_protocol import DailyStanding
    from foxclover.server.daily_rows import DailyRows

PERSON = "terminal"  # who plays here, for the store
T = TypeVar("T")


class DailySession(Session):
    """A game of the day: without hints, and gone on with by its own command."""

    def show_hint(self) -> None:
        """Nobody is helped."""
        self.show(self.say("cli.daily.no_hint"))

    def resume_command(self) -> str:
        """What to type to go on."""
        return resume_command(self.position.game.key)


def resume_command(key: str) -> str:
    """What to type to go on with the game of today."""
    return f"foxclover daily {key}"


def add(commands: Commands, say: Say) -> None:
    """Declare the command."""
    parser = commands.add("daily", run)
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help=say("cli.help.game", games=", ".join(games()))
    )
    parser.add_argument("--name", metavar="NAME", help=say("daily.name"))
    parser.add_argument("--closed", action="store_true", help=say("cli.daily.closed"))
    parser.add_argument(
        "--data", type=Path, default=data_folder(), metavar="DIR", help=say("cli.serve.data")
    )


def run(args: Namespace, say: Say) -> int:
    """Play the game of today, or tell how things stand, or everything about the last day that is closed."""
    chosen = game(find_key(args.game, say)) if args.game else None
    if args.closed:
        return _show_closed(args.data, [chosen] if chosen else _alone(), say)
    if chosen is None:
        return _show_today(args.data, say)
    return _play(args.data, chosen, args.name or say("cli.play.you"), say)


def _play(data: Path, chosen: Game, name: str, say: Say) -> int:
    day, key, begun = _with_rows(data, say, lambda rows: _begin(rows, chosen.key, name))
    file = saves.saves_folder() / f"daily-{day}-{chosen.key}{saves.SUFFIX}"
    header = notation.Header(chosen, [name], daily.dice_words(day, key, told=False))
    position = chosen.start(1)
    if begun:
        if not file.exists():
            raise UserError(say("cli.daily.begun"))
        transcript = read_transcript(file, say)
        header, position = transcript.header, transcript.position
    try:
        dice = daily.follow(key, position)
    except daily.NotOfTheDay:
        raise UserError(say("cli.daily.foreign", file=file)) from None
    session = DailySession(header, position, [Seat(header.players[0])], dice, file, say)
    if not position.over:
        print(say("cli.daily.left", left=_hours(daily.ends(day) - time.time())))
        session.play()
    if position.over:
        standing = _with_rows(
            data, say, lambda rows: _finish(rows, day, chosen.key, position.score(0))
        )
        print(_standing_words(standing, say))
    return 0


async def _begin(rows: DailyRows, key: str, name: str) -> tuple[str, bytes, bool]:
    """Begin today's game, or go on with it, or with yesterday's in the hour after midnight; return day, key and whether it was begun."""
    now = time.time()
    day, before = daily.day_of(now), daily.day_after(daily.day_of(now), -1)
    if now < daily.closes(before):
        found = await rows.attempt(before, key, PERSON)
        if found is not None and found.score is None:
            return before, await rows.key(before, key), True
    await rows.rows.query(
        "INSERT INTO people (id, name, tag, created) VALUES (?, ?, '', ?) ON CONFLICT DO NOTHING",
        PERSON,
        name,
        int(now),
    )
    begun = not await rows.begin(day, key, PERSON, "")
    return day, await rows.key(day, key), begun


async def _finish(rows: DailyRows, day: str, key: str, score: int) -> DailyStanding:
    await rows.finish(day, key, PERSON, score, int(time.time()))
    return await rows.standing(day, key, PERSON, time.time())


def _show_today(data: Path, say: Say) -> int:
    now = time.time()
    day = daily.day_of(now)

    async def look(rows: DailyRows) -> list[tuple[Game, DailyStanding, str]]:
        return [
            (
                one,
                await rows.standing(day, one.key, PERSON, now),
                daily.promise(await rows.key(daily.day_after(day), one.key)),
            )
            for one in _alone()
        ]

    print(say("cli.daily.today", day=day, left=_hours(daily.ends(day) - now)))
    for one, standing, promise in _with_rows(data, say, look):
        print(f"{one.name}: {_standing_words(standing, say)}")
        print(f"  {say('cli.daily.promise', promise=promise)}")
    print(say("cli.daily.how"))
    return 0


def _show_closed(data: Path, chosen: list[Game], say: Say) -> int:
    """Key, results and the strongest computer player's game, which is played here if it was not before."""
    now = time.time()
    day = daily.day_of(now - daily.GRACE - 86_400)

    async def look(rows: DailyRows) -> list[tuple[Game, bytes, DailyStanding]]:
        return [
            (one, await rows.key(day, one.key), await rows.standing(day, one.key, PERSON, now))
            for one in chosen
        ]

    for one, key, standing in _with_rows(data, say, look):
        print(f"{one.name}, {day}: {_standing_words(standing, say)}")
        print(f"  {say('cli.daily.key', key=key.hex(), promise=daily.promise(key))}")
        if len(chosen) == 1:
            print(f"  {say('cli.daily.strong', **_computer_game(day, one, key, say))}")
    return 0


def _computer_game(day: str, chosen: Game, key: bytes, say: Say) -> dict[str, object]:
    file = saves.saves_folder() / f"daily-{day}-{chosen.key}-{FOR_PEOPLE[-1]}{saves.SUFFIX}"
    if not file.exists():
        try:
            player, level = agent(FOR_PEOPLE[-1], chosen), FOR_PEOPLE[-1]
        except NetError:
            player, level = agent(SIMPLE[-1], chosen), SIMPLE[-1]
        position, dice = chosen.start(1), addressed(key)
        while not position.over:
            position.push(
                dice.draw(position) if position.chance_due else player.choose(position, 0)
            )
        header = notation.Header(
            chosen, [f"{level}:{level}"], daily.dice_words(day, key, told=True)
        )
        saves.write(file, notation.write(header, position), say)
    position = read_transcript(file, say).position
    rolls = [move.text for move in position.moves_made if move.seat == CHANCE]
    return {
        "score": position.score(0),
        "rolls": " ".join(f"[{roll}]" for roll in rolls),
        "command": f"foxclover review {file}",
    }


def _standing_words(standing: DailyStanding, say: Say) -> str:
    words = say(
        f"daily.{standing['state']}",
        score=standing["score"],
        place=standing["place"],
        count=standing["finished"],
    )
    share = standing["better_than"]
    return words if share is None else f"{words} {say('daily.better', share=round(100 * share))}"


def _hours(seconds: float) -> str:
    minutes = max(0, int(seconds)) // 60
    return f"{minutes // 60}:{minutes % 60:02}"


def _alone() -> list[Game]:
    return [found for key in games() if 1 in (found := game(key)).players]


def _with_rows(data: Path, say: Say, work: Callable[[DailyRows], Awaitable[T]]) -> T:
    """Do something with what is kept of the daily challenge; while the server runs it is its alone."""
    from foxclover.server.daily_rows import DailyRows
    from foxclover.server.errors import StartError
    from foxclover.server.sqlite import SqliteStore

    async def use() -> T:
        store = SqliteStore(data)
        try:
            return await work(DailyRows(store))
        finally:
            await store.close()

    try:
        return asyncio.run(use())
    except StartError as error:
        raise UserError(f"{error.words(say)} {say('cli.daily.in_page')}") from None
