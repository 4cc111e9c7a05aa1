"""Show a table to the connections at it, in the language of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from foxclover.core.contract import View
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.dice.fair import sealed
from foxclover.locale import Translator, catalogue
from foxclover.server import games
from foxclover.server.connection import Connection
from foxclover.server.protocol import encode, encode_once
from foxclover.server.protocol.messages import (
    LogEntry,
    Prompt,
    Result,
    SeatsMessage,
    StateMessage,
    WantedEntry,
)
from foxclover.server.protocol.tables import DrawSeal, Sealing, SeatInfo
from foxclover.server.stores.store import SeatRecord, TableRecord
from foxclover.server.tables.game_log import Entry
from foxclover.server.tables.master import Master

if TYPE_CHECKING:
    from foxclover.server.tables.seating import Attendance
    from foxclover.server.tables.table import Table

ROLL = "roll"  # of a view's ``chance``
SEPARATORS = str.maketrans(",:#", "   ")  # between the names and entries of a transcript


class StateRenderer:
    """Build the state messages of one moment; connections share what they see alike."""

    def __init__(
        self, master: Master, log_from: int, absent: Mapping[int, int], there: Attendance
    ) -> None:
        record, dice = master.record, master.dice
        self.master = master
        self.log_from = log_from
        self.absent = tuple(absent.items())
        self.acting = list(master.acting)
        self.rollers = [] if dice.typed else list(master.rollers)
        self.open = any(seat.open for seat in record.seats)
        self.undoers = master.undoers()
        self.entry = _wanted_entry(master)
        self.common = {
            "type": "state",
            "table": record.code,
            "game": record.game,
            "spectators": there.spectators,
            "watchers": there.watchers,
            "acting": self.acting,
            "rollers": self.rollers,
            "log_from": log_from,
            "over": master.over,
            "result": _result(master) if master.over else None,
            "rematch": record.rematch,
            "deadline": master.deadline(),
            "practice": dice.practice,
            "daily": record.day or None,
            "sealing": sealing(dice.fair),
            "typed_dice": dice.typed,
            "pace": record.pace,
        }

    def state(self, held: Sequence[int], language: str) -> StateMessage:
        """Return everything that a page with these seats shows."""
        master, translate = self.master, catalogue(language)
        record = master.record
        you = master.playing(held)
        shown = master.shown(you)
        prompts = self._prompts(shown.position, shown.view, translate)
        own: dict[str, object] = {
            "seq": master.log.seq_for(you),
            "you": you,
            "resting": [seat for seat in held if seat not in you],
            "host": master.is_host(held),
            "seats": _encoded_seats(tuple(record.seats), self.absent, language),
            "view": shown.encoded,
            "moves": [
                {"seat": seat, "moves": list(master.legal_moves(seat).views(translate))}
                for seat in self.acting
                if seat in you
            ],
            "prompts": prompts,
            "headline": self._headline(you, prompts, translate),
            "undo": [seat for seat in self.undoers if seat in you],
            "scores": shown.scores,
            "log": _log(master, shown.lines, language, self.log_from),
            "invitation": invitation(record) if held and self.open else None,
            "entry": self.entry if you else None,
            "correct": bool(you) and master.can_correct(),
        }
        return cast(StateMessage, self.common | own)

    def _prompts(self, position: Position, view: View, translate: Translator) -> list[Prompt]:
        prompts: list[Prompt] = [
            {"seat": seat, "words": position.prompt(seat, translate)} for seat in self.acting
        ]
        words = translate(
            "start_player.prompt" if view["chance"] == "lot" else "server.prompt.roll"
        )
        return prompts + [{"seat": seat, "words": words} for seat in self.rollers]

    def _headline(self, you: Sequence[int], prompts: list[Prompt], translate: Translator) -> str:
        """Return one sentence about what the table waits for, for the players of some seats."""
        master, acting = self.master, self.acting
        if master.over:
            return translate("common.over")
        mine = [seat for seat in acting if seat in you]
        if mine:
            prompt = prompts[acting.index(mine[0])]["words"]
            name = self._name(mine[0], translate)
            return translate("server.headline.you", name=name, prompt=prompt)
        if master.view["chance"] == "lot":
            return translate("start_player.headline")
        if master.dice.typed and master.position.chance_due:
            if not master.rollers:
                return translate(f"server.headline.enter_{master.view['chance']}")
            name = self._name(master.rollers[0], translate)
            return translate("server.headline.enter_roll_of", name=name)
        if self.rollers:
            return translate("server.headline.roll", name=self._name(self.rollers[0], translate))
        vacant = [seat for seat in acting if master.record.seats[seat].open]
        if vacant:
            return translate("server.headline.open", number=vacant[0] + 1)
        names = ", ".join(self._name(seat, translate) for seat in acting)
        return translate("server.headline.wait", names=names)

    def _name(self, number: int, translate: Translator) -> str:
        return _name(self.master.record.seats, number, translate)


def show_all(table: Table, before: int, changed: bool = False) -> None:
    """Show the table, with the log since ``before``, to all who may know of something new.

    If its record has changed, show it to everybody.
    """
    log = table.master.log
    renderer = _renderer(table, log.known_from(before))
    texts: dict[tuple[str, tuple[int, ...]], bytes] = {}
    for connection in table.presence.connections:
        you = table.you(connection)
        if not changed and log.seq_for(you, before) == log.seq_for(you):
            continue
        alike = connection.language, connection.seats
        if alike not in texts:
            texts[alike] = encode(renderer.state(connection.seats, connection.language))
        connection.send_text(texts[alike])


def show(table: Table, connection: Connection, log_from: int) -> None:
    """Show the table to one connection."""
    connection.send(_renderer(table, log_from).state(connection.seats, connection.language))


def _renderer(table: Table, log_from: int) -> StateRenderer:
    return StateRenderer(table.master, log_from, table.absent(), table.presence.everywhere())


def show_seats(table: Table, but: Connection | None = None) -> None:
    """Show who is at the table to everybody but one connection."""
    texts: dict[str, bytes] = {}
    there = table.presence.everywhere()
    for connection in table.presence.connections - {but}:
        if connection.language not in texts:
            message: SeatsMessage = {
                "type": "seats",
                "seats": seats(table.record.seats, table.absent(), connection.translate),
                "spectators": there.spectators,
                "watchers": list(there.watchers),
            }
            texts[connection.language] = encode(message)
        connection.send_text(texts[connection.language])


def send_all(table: Table, message: Mapping[str, object]) -> None:
    """Send a message to everybody at the table."""
    text = encode(message)
    for connection in table.presence.connections:
        connection.send_text(text)


def acknowledge(table: Table, connection: Connection, ref: int) -> None:
    """Confirm that a message has been carried out."""
    connection.send({"type": "ack", "ref": ref, "seq": table.seq_for(connection)})


@lru_cache(4_096)  # they are the same after most moves
def _encoded_seats(
    records: tuple[SeatRecord, ...], absent: tuple[tuple[int, int], ...], language: str
) -> Any:
    return encode_once(seats(records, dict(absent), catalogue(language)))


def seats(
    records: Sequence[SeatRecord], absent: Mapping[int, int], translate: Translator
) -> list[SeatInfo]:
    """Return who sits where, and who is absent since when."""
    return [
        {
            "seat": number,
            "kind": "computer" if seat.computer else "person",
            "name": _name(records, number, translate),
            "named": bool(seat.name),
            "level": seat.strength,
            "open": seat.open,
            "connected": seat.key is not None and number not in absent,
            "stand_in": seat.computer and seat.key is not None,
            "away_since": absent.get(number),
        }
        for number, seat in enumerate(records)
    ]


def sealing(dice: sealed | None) -> Sealing | None:
    """Return what is published of fair dice before the first roll."""
    if dice is None:
        return None
    return {"context": dice.context.decode(), "commitment": dice.commitment.hex()}


def invitation(record: TableRecord) -> str:
    """Return the path at which friends join.

    Browsers never send the part after ``#`` to a server, so no log contains it.
    """
    return f"/t/{record.code}#{record.invitation}"


def plain_names(master: Master, translate: Translator) -> list[str]:
    """Return the names as a transcript can contain them; computer players with their strength."""
    records = master.record.seats
    return [_plain_name(records, number, translate) for number in range(len(records))]


def _plain_name(records: Sequence[SeatRecord], number: int, translate: Translator) -> str:
    seat = records[number]
    if _is_unnamed_computer(seat):
        return f"{translate('server.seat.computer.plain', number=number + 1)}:{seat.strength}"
    name = _name(records, number, translate).translate(SEPARATORS)
    return " ".join(name.split()) or str(number + 1)


def _name(records: Sequence[SeatRecord], number: int, translate: Translator) -> str:
    """Return the entered name; computer players are called by their strength."""
    seat = records[number]
    if seat.name:
        return seat.name
    if _is_unnamed_computer(seat):
        level = translate(f"server.level.{seat.strength}")
        alike = [
            index
            for index, other in enumerate(records)
            if _is_unnamed_computer(other) and other.strength == seat.strength
        ]
        if len(alike) == 1:
            return level
        return translate("server.seat.computer", number=alike.index(number) + 1, level=level)
    return translate("server.seat.person", number=number + 1)


def _is_unnamed_computer(seat: SeatRecord) -> bool:
    return seat.computer and seat.key is None and not seat.name


def _log(master: Master, lines: Sequence[int], language: str, log_from: int) -> list[LogEntry]:
    sentences, entries = master.log.sentences(language), list[LogEntry]()
    for index, line in enumerate(lines[log_from:], start=log_from):
        seat, _, text, at, *_ = entry = master.log.entries[line]
        entries.append(
            {"index": index, "seat": seat, "text": text, "words": sentences[line], "at": at}
        )
        # Hidden draws would follow from a secret and its number, so wait until all have decided.
        if line < master.log.public[-1] and (seal := _seal(master, entry)) is not None:
            entries[-1]["seal"] = seal
    return entries


def _wanted_entry(master: Master) -> WantedEntry | None:
    if not master.dice.typed or not master.position.chance_due:
        return None
    kind = master.view["chance"]
    outcomes = [] if kind == ROLL else list(map(str, master.position.legal_moves(CHANCE)))
    return {"kind": kind, "outcomes": outcomes}


def _seal(master: Master, entry: Entry) -> DrawSeal | None:
    found = master.dice.seal_of(entry)
    if found is None:
        return None
    published: DrawSeal = {"draw": entry.draw, "secret": found.secret.hex()}
    if found.next:
        published["next"] = found.next.hex()
    if found.roller is not None:
        published["roller"] = {"seat": found.roller.seat}
        if found.roller.salt:
            published["roller"]["salt"] = found.roller.salt.hex()
    if entry.among:
        published["among"] = list(entry.among)
    return published


def _result(master: Master) -> Result:
    places, scores = master.position.places(), master.scores()
    rating, missing = -1, 0
    if master.players == 1:
        rating, missing = games.rating(master.record.game, scores[0])
    return {
        "seats": [
            {
                "seat": seat,
                "place": places[seat],
                "total": scores[seat],
                "parts": master.position.breakdown(seat),
            }
            for seat in range(master.players)
        ],
        "rating": rating,
        "missing": missing,
        "seed": master.record.seed,
    }
