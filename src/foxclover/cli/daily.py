"""``foxclover daily``: the daily challenge of this machine's server, while it is stopped."""

from __future__ import annotations

import asyncio
import time
from argparse import Namespace
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from foxclover import CHANCE, Game, game, game_names, keyed, transcripts
from foxclover.ai import FOR_PEOPLE, SIMPLE, agent
from foxclover.ai.nets import NetError
from foxclover.cli import saves
from foxclover.cli.arguments import Seat, find_key, read_transcript
from foxclover.cli.parser import Parser, UserError, program
from foxclover.cli.play import add_screen, play_session
from foxclover.cli.saves import data_folder
from foxclover.cli.session import Session
from foxclover.dice import daily
from foxclover.locale import Translator, format_number

if TYPE_CHECKING:
    from foxclover.server.daily.rows import DailyRows
    from foxclover.server.protocol.people import DailyStanding

PERSON = "terminal"  # the id of the player in the store
T = TypeVar("T")
S = TypeVar("S", bound=Session)


def add_daily(parser: Parser, translate: Translator) -> None:
    """Declare the command."""
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help=translate("cli.help.game", games=", ".join(game_names())),
    )
    parser.add_argument("--name", metavar="NAME", help=translate("daily.name"))
    add_screen(parser, translate)
    parser.add_argument("--closed", action="store_true", help=translate("cli.daily.closed"))
    parser.add_argument(
        "--data", type=Path, default=data_folder(), metavar="DIR", help=translate("cli.serve.data")
    )


def run_daily(args: Namespace, translate: Translator) -> int:
    """Play today's game, or print today's standing, or the results of the last closed day."""
    chosen = game(find_key(args.game, translate)) if args.game else None
    if args.closed:
        return _show_closed(args.data, [chosen] if chosen else _solo_games(), translate)
    if chosen is None:
        return _show_today(args.data, translate)
    return _play(args, chosen, args.name or translate("cli.play.you"), translate)


def _play(args: Namespace, chosen: Game, name: str, translate: Translator) -> int:
    data: Path = args.data
    day, key, begun = _with_rows(data, translate, lambda rows: _begin(rows, chosen.key, name))
    file = saves.saves_folder() / f"daily-{day}-{chosen.key}{saves.SUFFIX}"
    header = transcripts.Header(chosen, [name], daily.dice_words(day, key, with_key=False))
    position = chosen.start(1)
    if begun:
        if not file.exists():
            raise UserError(translate("cli.daily.begun"))
        transcript = read_transcript(file, translate)
        header, position = transcript.header, transcript.position
    try:
        dice = daily.follow(key, position)
    except daily.NotOfTheDay:
        raise UserError(translate("cli.daily.foreign", file=file)) from None

    def start(kind: type[S]) -> S:
        seats = [Seat(header.players[0])]
        return kind(header, position, seats, dice, file, translate, daily=True)

    if not position.over:
        print(translate("cli.daily.left", left=_hours(daily.ends(day) - time.time())))
        play_session(args, translate, start)
    if position.over:
        standing = _with_rows(
            data, translate, lambda rows: _finish(rows, day, chosen.key, position.score(0))
        )
        print(_standing_words(standing, translate))
    return 0


async def _begin(rows: DailyRows, key: str, name: str) -> tuple[str, bytes, bool]:
    """Start or resume today's game, or yesterday's in the hour after midnight.

    Return day, key and whether the game was resumed.
    """
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


def _show_today(data: Path, translate: Translator) -> int:
    now = time.time()
    day = daily.day_of(now)
    print(translate("cli.daily.today", day=day, left=_hours(daily.ends(day) - now)))
    found = _standings(data, _solo_games(), day, daily.day_after(day), translate)
    for chosen, standing, next_key in found:
        print(f"{chosen.name}: {_standing_words(standing, translate)}")
        print(f"  {translate('cli.daily.promise', promise=daily.promise(next_key))}")
    print(translate("cli.daily.how", command=f"{program()} daily"))
    return 0


def _show_closed(data: Path, games: list[Game], translate: Translator) -> int:
    """Print key, results and the game of the strongest computer player, which plays it here."""
    day = daily.day_of(time.time() - daily.GRACE - 86_400)
    for chosen, standing, key in _standings(data, games, day, day, translate):
        print(f"{chosen.name}, {day}: {_standing_words(standing, translate)}")
        print(f"  {translate('cli.daily.key', key=key.hex(), promise=daily.promise(key))}")
        if len(games) == 1:
            strong = _computer_game(day, chosen, key, translate)
            print(f"  {translate('cli.daily.strong', **strong)}")
    return 0


def _standings(
    data: Path, games: list[Game], day: str, day_of_key: str, translate: Translator
) -> list[tuple[Game, DailyStanding, bytes]]:
    """Return games with their standing of a day and a key."""

    async def look(rows: DailyRows) -> list[tuple[Game, DailyStanding, bytes]]:
        return [
            (
                chosen,
                await rows.standing(day, chosen.key, PERSON, time.time()),
                await rows.key(day_of_key, chosen.key),
            )
            for chosen in games
        ]

    return _with_rows(data, translate, look)


def _computer_game(day: str, chosen: Game, key: bytes, translate: Translator) -> dict[str, object]:
    file = saves.saves_folder() / f"daily-{day}-{chosen.key}-{FOR_PEOPLE[-1]}{saves.SUFFIX}"
    if not file.exists():
        try:
            player, level = agent(FOR_PEOPLE[-1], chosen), FOR_PEOPLE[-1]
        except NetError:
            player, level = agent(SIMPLE[-1], chosen), SIMPLE[-1]
        position, dice = chosen.start(1), keyed(key)
        while not position.over:
            position.push(
                dice.draw(position) if position.chance_due else player.choose(position, 0)
            )
        header = transcripts.Header(
            chosen, [f"{level}:{level}"], daily.dice_words(day, key, with_key=True)
        )
        saves.write(file, transcripts.write(header, position), translate)
    position = read_transcript(file, translate).position
    rolls = [move.text for move in position.moves_made if move.seat == CHANCE]
    return {
        "score": position.score(0),
        "rolls": " ".join(f"[{roll}]" for roll in rolls),
        "command": f"{program()} review {file}",
    }


def _standing_words(standing: DailyStanding, translate: Translator) -> str:
    words = translate(
        f"daily.{standing['state']}",
        score=standing["score"],
        place=standing["place"],
        count=standing["finished"],
    )
    share = standing["better_than"]
    if share is None:
        return words
    return f"{words} {translate('daily.better', share=format_number(share, '.0%', translate))}"


def _hours(seconds: float) -> str:
    minutes = max(0, int(seconds)) // 60
    return f"{minutes // 60}:{minutes % 60:02}"


def _solo_games() -> list[Game]:
    return [found for found in map(game, game_names()) if 1 in found.players]


def _with_rows(data: Path, translate: Translator, work: Callable[[DailyRows], Awaitable[T]]) -> T:
    """Use the stored rows of the daily challenge; raise while the server runs and locks them."""
    from foxclover.server.daily.rows import DailyRows
    from foxclover.server.errors import StartError
    from foxclover.server.stores.sqlite import SqliteStore

    async def use() -> T:
        store = SqliteStore(data)
        try:
            return await work(DailyRows(store))
        finally:
            await store.close()

    try:
        return asyncio.run(use())
    except StartError as error:
        raise UserError(f"{error.words(translate)} {translate('cli.daily.in_page')}") from None
