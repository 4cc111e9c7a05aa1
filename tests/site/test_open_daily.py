"""The daily challenge without a server: public dice, which anybody can check."""

import asyncio
import json
import random
from pathlib import Path

import pytest

from foxclover.cli import main
from foxclover.core.game import game
from foxclover.dice import daily
from foxclover.dice.sources import keyed
from foxclover.server.stores import open_store
from foxclover.server.stores.store import Event
from foxclover.site.browser import Site

GAME = "geht-noch-was"


async def play(place: str) -> tuple[str, str]:
    """Play the game of today to its end; return the day and the transcript."""
    store = open_store(place)
    site = Site(store)
    wish = json.dumps({"game": GAME, "seat": "a" * 32})
    started = json.loads(await site.answer("/api/daily/start", wish, "en"))["content"]
    position, chooser = game(GAME).start(1), random.Random(1)
    dice, events = keyed(daily.open_key(started["day"], GAME)), list[Event]()
    while not position.over:
        chosen = (
            dice.draw(position)
            if position.chance_due
            else chooser.choice(list(position.legal_moves(0)))
        )
        events.append(Event(chosen.seat, chosen.text, 1, chosen.number))
        position.push(chosen)
    await store.append(started["table"], 0, events)
    path = f"/api/tables/{started['table']}/transcript"
    answer = json.loads(await site.answer(path, None, "en"))
    for task in site.tasks:
        task.cancel()
    return started["day"], answer["content"]


def test_the_dice_of_today_are_public_and_verify_checks_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    day, transcript = asyncio.run(play(str(tmp_path / "data")))
    key = daily.open_key(day, GAME)
    assert f"daily {day} {daily.promise(key)} {key.hex()}" in transcript, "nothing is hidden"
    file = tmp_path / "daily.txt"
    file.write_text(transcript, encoding="utf-8")
    assert main(["verify", str(file)]) == 0
    assert key != daily.open_key(daily.day_after(day), GAME)
    file.write_text(transcript.replace(key.hex(), "00" * 32), encoding="utf-8")
    assert main(["verify", str(file)]) != 0
    assert capsys.readouterr().out


def test_an_unknown_game_or_a_damaged_wish_is_refused(tmp_path: Path) -> None:
    async def ask(*wishes: dict[str, str]) -> list[bool]:
        site = Site(open_store(str(tmp_path)))
        answers = [
            json.loads(await site.answer("/api/daily/start", json.dumps(wish), "en"))["ok"]
            for wish in wishes
        ]
        for task in site.tasks:
            task.cancel()
        return answers

    wishes = {"game": "chess", "seat": "a" * 32}, {"game": GAME, "seat": "short"}
    assert asyncio.run(ask(*wishes)) == [False, False]
