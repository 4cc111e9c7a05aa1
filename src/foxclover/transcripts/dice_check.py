"""Check the dice of a game: provably fair dice, or those of a daily challenge.

Every draw is computed again, and the first wrong one is named. A witness is a file of what a page
saw and sent: it shows salts that the server invented, which a transcript alone cannot.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from foxclover.core.game import game_names
from foxclover.dice import daily
from foxclover.dice.fair import (
    MARK_BYTES,
    SALT_BYTES,
    SECRET_BYTES,
    VERSION,
    Draw,
    Roller,
    SealError,
    context_of,
    verify,
)
from foxclover.locale import Translator, catalogue
from foxclover.transcripts.format import Transcript
from foxclover.transcripts.reading import read

FORMAT = "foxclover witness 1"


class WitnessError(ValueError):
    """A file that is no witness."""


@dataclass(frozen=True)
class Held:
    """A seat that the page held from one draw to another."""

    seat: int
    first: int
    last: int


@dataclass(frozen=True)
class Witness:
    """The notes of a page: what it saw and sent."""

    context: str
    commitment: bytes
    marks: tuple[bytes, ...]  # of the draws it has seen, from the first one on
    requests: dict[int, Roller]  # rolls it asked for, by draw
    held: tuple[Held, ...]


def read_witness(text: str) -> Witness:
    """Read a witness file; raises ``WitnessError``."""
    try:
        body = json.loads(text)
        if body["format"] != FORMAT:
            raise WitnessError(FORMAT)
        return Witness(
            str(body["context"]),
            _bytes(body["commitment"], SECRET_BYTES),
            tuple(_bytes(mark, MARK_BYTES) for mark in body["marks"]),
            {
                _count(made["draw"]): Roller(_count(made["seat"]), _bytes(made["salt"], SALT_BYTES))
                for made in body["requests"]
            },
            tuple(
                Held(*(_count(held[name]) for name in ("seat", "first", "last")))
                for held in body["held"]
            ),
        )
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WitnessError(FORMAT) from error


def _contradiction(number: int, draw: Draw, witnesses: Sequence[Witness]) -> str:
    """Return how a draw differs from the notes of all pages together.

    It has "changed", is a "request" without its salt, or was "invented".
    """
    if any(
        number <= len(witness.marks) and witness.marks[number - 1] != draw.mark
        for witness in witnesses
    ):
        return "changed"
    sent = [witness.requests[number] for witness in witnesses if number in witness.requests]
    if draw.roller in sent:
        return ""
    if sent:
        return "request"
    seat = draw.roller.seat if draw.roller is not None and draw.roller.salt else None
    was_held = any(
        held.seat == seat and held.first <= number <= held.last
        for witness in witnesses
        for held in witness.held
    )
    return "invented" if was_held else ""


def _bytes(value: Any, length: int) -> bytes:
    found = bytes.fromhex(value)
    if len(found) != length:
        raise ValueError(value)
    return found


def _count(value: Any) -> int:
    if type(value) is not int:
        raise ValueError(value)
    return value


@dataclass(frozen=True)
class DiceCheck:
    """The result of a check: the number of right draws, and the problem of the first wrong one."""

    draws: int
    problem: str = ""
    day: str = ""  # of a daily challenge
    promise: str = ""
    remarks: tuple[str, ...] = ()  # what a verifier cannot know, and who can

    def words(self, translate: Translator) -> str:
        """Describe the result in a few sentences."""
        if self.problem:
            return self.problem
        if self.day:
            return translate("dice_check.day", count=self.draws, day=self.day, promise=self.promise)
        return " ".join([translate("dice_check.fine", count=self.draws), *self.remarks])


def check_dice(
    transcript: Transcript,
    translate: Translator,
    key: bytes | None = None,
    witnesses: Sequence[Witness] = (),
) -> DiceCheck | None:
    """Check the draws of a game by its secrets and salts, or by a daily key; None without any."""
    if (of_day := daily.read_dice(transcript.header.dice)) is not None:
        return _check_day(transcript, *of_day[:2], key or of_day[2], translate)
    if (sealing := transcript.sealing) is None:
        return None
    if sealing.version != VERSION:
        return DiceCheck(0, translate("dice_check.old_version"))
    position = transcript.position
    context = context_of(
        sealing.code, position.game.key, position.players, position.game.pack(position.setup)
    )
    try:
        draws = verify(context, sealing.commitment, position, transcript.seals)
    except SealError as error:
        problem = translate(f"dice_check.{error.problem}", draw=error.draw, expected=error.expected)
        return _wrong_draw(transcript, error.draw, error.move, problem, translate)
    if any(
        (witness.context, witness.commitment) != (context.decode(), sealing.commitment)
        for witness in witnesses
    ):
        return DiceCheck(0, translate("dice_check.witness.other"))
    for number, draw in enumerate(draws, start=1):
        if contradiction := _contradiction(number, draw, witnesses):
            problem = translate(f"dice_check.witness.{contradiction}", draw=number)
            return _wrong_draw(transcript, number, draw.move, problem, translate)
    return DiceCheck(
        len(draws),
        remarks=tuple(_remarks(draws, transcript.header.players, len(witnesses), translate)),
    )


def _remarks(
    draws: Sequence[Draw], players: Sequence[str], witnesses: int, translate: Translator
) -> Iterable[str]:
    names = [player.partition(":")[0] for player in players]
    rollers = [draw.roller for draw in draws if draw.roller is not None]
    if computers := Counter(names[roller.seat] for roller in rollers if not roller.salt):
        yield translate("dice_check.computers", names=_counted(computers))
    if people := Counter(
        names[roller.seat] for roller in rollers if roller.salt and ":" in players[roller.seat]
    ):
        yield translate("dice_check.left", names=_counted(people))
    yield (
        translate("dice_check.witnessed", count=witnesses)
        if witnesses
        else translate("dice_check.alone")
    )


def _counted(names: Counter[str]) -> str:
    return ", ".join(f"{name} {times}" for name, times in names.items())


def check_sent_dice(text: str, language: str) -> tuple[bool, str] | None:
    """Check a readable transcript; return whether all is right, and the result in words."""
    translate = catalogue(language)
    checked = check_dice(read(text.strip(), game_names()), translate)
    return (not checked.problem, checked.words(translate)) if checked else None


def _check_day(
    transcript: Transcript, day: str, promise: str, key: bytes | None, translate: Translator
) -> DiceCheck:
    if key is None:
        return DiceCheck(0, translate("dice_check.no_key", day=day))
    try:
        return DiceCheck(daily.verify(promise, key, transcript.position), day=day, promise=promise)
    except daily.NotOfTheDay as error:
        if error.problem == "key":
            return DiceCheck(0, translate("dice_check.other_key", promise=promise))
        problem = translate("dice_check.day_roll", draw=error.draw, expected=error.expected)
        return _wrong_draw(transcript, error.draw, error.move, problem, translate)


def _wrong_draw(
    transcript: Transcript, draw: int, move: int, problem: str, translate: Translator
) -> DiceCheck:
    line = transcript.lines[move]
    return DiceCheck(draw - 1, translate("dice_check.line", line=line, problem=problem))
