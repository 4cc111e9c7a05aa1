"""Read finished games for the history, from tables and from transcripts.

Run these functions in a worker process, since replaying a game is slow.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from foxclover import transcripts
from foxclover.locale import catalogue
from foxclover.review.schema import SeatRecord as SeatReview
from foxclover.review.transcripts import NotReplayable, read_for_others
from foxclover.server.errors import Reason, RefusalError
from foxclover.server.protocol.identifiers import presentable
from foxclover.server.protocol.people import GameReview
from foxclover.server.stores.store import TableRecord
from foxclover.server.tables import render
from foxclover.server.tables.master import Master

KINDS = ("sealed", "seed", "typed", "daily", "system")
LONGEST_DICE = 200  # characters of the dice entry of a header


class Finished(NamedTuple):
    """A finished game: end time, summary, canonical transcript, digest shared by all copies."""

    at: int
    body: dict[str, Any]
    text: str
    digest: str


def of_table(record: TableRecord, keys: set[bytes]) -> Finished | Reason:
    """Return the game of a table from the perspective of the seat with one of these keys.

    Return the reason instead if the table cannot be read.
    """
    try:
        master = Master(record)
    except RefusalError as error:
        return error.reason
    return of_master(
        master, next(number for number, held in enumerate(record.seats) if held.key in keys)
    )


def of_master(master: Master, seat: int) -> Finished:
    """Return the game of a table that was read, from the perspective of a seat."""
    record = master.record
    dice = "seed" if record.seed is not None else record.dice.partition(" ")[0] or "system"
    body = _body(
        master.position,
        seat,
        [held.name for held in record.seats],
        [held.strength for held in record.seats],
        "sealed" if master.dice.fair else dice,
    )
    moves = [(entry.seat, entry.number) for entry in master.log.entries]
    return Finished(
        master.log.events[-1].at,
        body,
        master.transcript(render.plain_names(master, catalogue("en"))),
        digest(record.game, record.variant, master.players, moves, record.start),
    )


def of_review(seat: SeatReview) -> GameReview:
    """Return the figures of a seat's review that a history contains."""
    return {
        "luck": seat["luck"],
        "loss": seat["loss"],
        "adjusted": seat["adjusted"],
        "decisions": len(seat["decisions"]),
        "best": sum(decision["loss"] == 0 for decision in seat["decisions"]),
    }


def of_text(text: str, seat: int | None, name: str) -> Finished:
    """Return the game of a transcript without its comments and with an unknown time (0).

    ``seat`` names the owner. Without it, the owner is found by ``name``.
    Raises ``NotReplayable`` for unreadable and unfinished games, and those from a position.
    """
    read = read_for_others(text)
    position, header = read.position, read.header
    if not position.over:
        raise NotReplayable("unfinished")
    if header.setup.position:
        raise NotReplayable("begun")
    called = [player.partition(":") for player in header.players]
    names = [presentable(name) for name, _, _ in called]
    levels = [presentable(level) for _, _, level in called]
    people = [number for number, level in enumerate(levels) if not level] or [0]
    mine = next((number for number in people if names[number].lower() == name.lower()), people[0])
    if seat is not None and seat < len(names):
        mine = seat
    dice = header.dice
    if len(dice) > LONGEST_DICE or not dice.isprintable():
        dice = transcripts.TYPED
    kind = dice.partition(" ")[0]
    body = _body(position, mine, names, levels, kind if kind in KINDS else transcripts.TYPED)
    players = [
        transcripts.plain_name(f"{name}:{level}" if level else name, number)
        for number, (name, level) in enumerate(zip(names, levels, strict=True))
    ]
    canonical = transcripts.write(
        transcripts.Header(header.game, players, dice, header.setup), position, read.seals
    )
    moves = [(move.seat, move.number) for move in position.moves_made]
    return Finished(
        0,
        body,
        canonical,
        digest(header.game.key, header.game.pack(header.setup), position.players, moves),
    )


def of_texts(texts: Sequence[tuple[str, int | None]], name: str) -> list[Finished | NotReplayable]:
    """Return the games of several transcripts, or the error of each that cannot be read.

    Each transcript has the seat of its owner. Equal pairs are read only once.
    """
    read = {wanted: _if_readable(*wanted, name) for wanted in dict.fromkeys(texts)}
    return [read[wanted] for wanted in texts]


def digest(
    game: str, variant: int, players: int, moves: Iterable[tuple[int, int]], start: str = ""
) -> str:
    """Return a hash that is equal for copies of the same game.

    ``start`` is the position that it starts from, if not the usual one. The hash ignores names,
    times and the place where the game was played.
    """
    first = " ".join(filter(None, (game, str(variant), str(players), start)))
    lines = [first, *(f"{seat} {number}" for seat, number in moves)]
    return sha256("\n".join(lines).encode()).hexdigest()


def without_name(body: dict[str, Any], text: str, seat: int) -> tuple[dict[str, Any], str]:
    """Return the summary and transcript of a stored game with the name of one seat removed."""
    names = [*body["names"]]
    names[seat] = ""
    lines = text.splitlines()
    line = next((at for at, found in enumerate(lines) if found.startswith("players: ")), None)
    if line is not None:
        players = lines[line].removeprefix("players: ").split(", ")
        players[seat] = transcripts.plain_name("", seat)
        lines[line] = f"players: {', '.join(players)}"
        lines[-1] = "# " + ", ".join(
            f"{player} {score}" for player, score in zip(players, body["scores"], strict=True)
        )
    return body | {"names": names}, "\n".join(lines) + "\n"


def _if_readable(text: str, seat: int | None, name: str) -> Finished | NotReplayable:
    try:
        return of_text(text, seat, name)
    except NotReplayable as error:
        return error


def _body(
    position: Any, seat: int, names: list[str], levels: list[str], dice: str
) -> dict[str, Any]:
    return {
        "game": position.game.key,
        "variant": position.game.pack(position.setup),
        "dice": dice,
        "seat": seat,
        "names": names,
        "levels": levels,
        "scores": [position.score(number) for number in range(position.players)],
        "places": position.places(),
        "parts": position.breakdown(seat),
    }
