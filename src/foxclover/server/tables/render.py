"""What a table looks like to one who sits or watches there, in his language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, cast

from foxclover.contract import View
from foxclover.game import CHANCE, Position
from foxclover.locale import Say, catalogue
from foxclover.review.report import DecisionRecord, ReviewRecord, SeatRecord
from foxclover.seal import sealed
from foxclover.server import games
from foxclover.server.encoding import encode_once
from foxclover.server.master import Entry, Master
from foxclover.server.past import Past
from foxclover.server.protocol import (
    DrawSeal,
    LogEntry,
    Prompt,
    RankedMove,
    Result,
    Sealing,
    SeatInfo,
    SeatMoves,
    StateMessage,
    WantedEntry,
)
from foxclover.server.review_protocol import Moment, ReviewedDecision, ReviewedSeat
from foxclover.server.seating import is_host
from foxclover.server.store import SeatRecord as Sitting
from foxclover.server.store import TableRecord
from foxclover.server.thinking import Valued

ROLL = "roll"  # of a view's ``chance``
NO_SIGNS = str.maketrans(",:#", "   ")  # they part the entries of a transcript


class Telling:
    """A table at one moment, to be told to all who are there: what several of them see alike is made once."""

    def __init__(
        self, master: Master, log_from: int, absent: Mapping[int, int], spectators: int
    ) -> None:
        record = master.record
        self.master = master
        self.log_from = log_from
        self.absent = tuple(absent.items())
        self.acting = list(master.acting)
        self.rollers = [] if master.typed else list(master.rollers)
        self.open = any(seat.open for seat in record.seats)
        self.undo = master.undoer()
        self.entry = _entry(master)
        self.common = {
            "type": "state",
            "table": record.code,
            "seq": master.seq,
            "game": record.game,
            "spectators": spectators,
            "acting": self.acting,
            "rollers": self.rollers,
            "log_from": log_from,
            "over": master.over,
            "result": _result(master) if master.over else None,
            "rematch": record.rematch,
            "practice": master.practice,
            "daily": record.day or None,
            "sealing": sealing(master.sealed),
            "typed_dice": master.typed,
            "pace": record.pace,
        }

    def state(self, held: Sequence[int], language: str) -> StateMessage:
        """Return everything a page shows that holds some seats."""
        master, say = self.master, catalogue(language)
        you, resting = split(master.record, held)
        shown = master.shown(you)
        prompts = _prompts(shown.position, shown.view, self.acting, self.rollers, say)
        own: dict[str, object] = {
            "you": you,
            "resting": resting,
            "host": is_host(master.record, held),
            "seats": _encoded_seats(tuple(master.record.seats), self.absent, language),
            "view": shown.encoded,
            "moves": [_moves(master, seat, say) for seat in self.acting if seat in you],
            "prompts": prompts,
            "headline": _headline(master, you, prompts, self.acting, self.rollers, say),
            "undo": [self.undo] if self.undo in you else [],
            "scores": shown.scores,
            "log": _log(master, shown.lines, language, self.log_from),
            "invitation": invitation(master.record) if held and self.open else None,
            "entry": self.entry if you else None,
            "correct": bool(you) and master.can_correct(),
        }
        return cast(StateMessage, self.common | own)


def split(record: TableRecord, held: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return which of these seats their holder plays, and for which a computer player stands in."""
    resting = [seat for seat in held if record.seats[seat].computer]
    return [seat for seat in held if seat not in resting], resting


@lru_cache(4_096)  # they are the same after most moves
def _encoded_seats(
    records: tuple[Sitting, ...], absent: tuple[tuple[int, int], ...], language: str
) -> Any:
    return encode_once(seats(records, dict(absent), catalogue(language)))


def seats(records: Sequence[Sitting], absent: Mapping[int, int], say: Say) -> list[SeatInfo]:
    """Return who sits where, and who is absent since when."""
    return [
        {
            "seat": number,
            "kind": "computer" if seat.computer else "person",
            "name": _name(seat, number, say),
            "level": seat.level,
            "open": seat.open,
            "connected": seat.key is not None and number not in absent,
            "stand_in": seat.computer and seat.key is not None,
            "away_since": absent.get(number),
        }
        for number, seat in enumerate(records)
    ]


def sealing(dice: sealed | None) -> Sealing | None:
    """Return what everybody is told of sealed dice before the first roll."""
    return None if dice is None else {"title": dice.name.decode(), "anchor": dice.anchor.hex()}


def invitation(record: TableRecord) -> str:
    """Return the path at which friends sit down. What stands behind the sign is never sent to a server, so no log has it."""
    return f"/t/{record.code}#{record.invitation}"


def plain_names(master: Master, say: Say) -> list[str]:
    """Return the names as a transcript can hold them, computer players with what plays there."""
    return [_plain_name(seat, number, say) for number, seat in enumerate(master.record.seats)]


def _plain_name(seat: Sitting, number: int, say: Say) -> str:
    if seat.computer and seat.key is None and not seat.name:
        return f"{say('server.seat.computer.plain', number=number + 1)}:{seat.level}"
    return " ".join(_name(seat, number, say).translate(NO_SIGNS).split()) or str(number + 1)


def ranked(position: Position, seat: int, values: Sequence[Valued], say: Say) -> list[RankedMove]:
    """Return moves, which come best first, with what they are worth."""
    words = {move.number: (move.text, move.words(say)) for move in position.legal_moves(seat)}
    best = values[0].expected if values else 0.0
    return [
        {
            "move": value.move,
            "text": words[value.move][0],
            "words": words[value.move][1],
            "expected": value.expected,
            "error": value.error,
            "loss": best - value.expected,
        }
        for value in values
    ]


def moment(past: Past, at: int, with_moves: bool, say: Say) -> Moment:
    """Return a finished game as it was after so many moves."""
    position, made = past.position(at), past.next(at)
    seat = CHANCE if made is None else made.seat
    decided = made is not None and seat != CHANCE
    return {
        "at": at,
        "view": position.view(),
        "scores": [position.score(one) for one in range(position.players)],
        "seat": seat,
        "next": made.view(say) if made is not None and decided else None,
        "moves": list(position.legal_moves(seat).views(say)) if decided and with_moves else [],
        "prompt": position.prompt(seat, say) if decided else "",
    }


def review(record: ReviewRecord, past: Past, say: Say) -> list[ReviewedSeat]:
    """Return a review in words."""
    game = past.game

    def decision(made: DecisionRecord, seat: int) -> ReviewedDecision:
        best = past.position(made["at"]).move(seat, made["best"]).view(say)
        return cast(ReviewedDecision, {**made, "best": best})

    def told(seat: SeatRecord) -> ReviewedSeat:
        parts = [
            {**part, "words": game.words.part_words(game.book, part["part"], say)}
            for part in seat["parts"]
        ]
        decisions = [decision(made, seat["seat"]) for made in seat["decisions"]]
        return cast(ReviewedSeat, {**seat, "decisions": decisions, "parts": parts})

    return [told(seat) for seat in record["seats"]]


def _name_at(master: Master, number: int, say: Say) -> str:
    return _name(master.record.seats[number], number, say)


def _name(seat: Sitting, number: int, say: Say) -> str:
    if seat.name:
        return seat.name
    if seat.computer and seat.key is None:
        return say(
            "server.seat.computer", number=number + 1, level=say(f"server.level.{seat.level}")
        )
    return say("server.seat.person", number=number + 1)


def _moves(master: Master, seat: int, say: Say) -> SeatMoves:
    return {"seat": seat, "moves": list(master.legal_moves(seat).views(say))}


def _prompts(
    position: Position, view: View, acting: list[int], rollers: list[int], say: Say
) -> list[Prompt]:
    prompts: list[Prompt] = [{"seat": seat, "words": position.prompt(seat, say)} for seat in acting]
    words = say("lot.prompt" if view["chance"] == "lot" else "server.prompt.roll")
    return prompts + [{"seat": seat, "words": words} for seat in rollers]


def _headline(
    master: Master,
    you: Sequence[int],
    prompts: list[Prompt],
    acting: list[int],
    rollers: list[int],
    say: Say,
) -> str:
    """One sentence: what the table waits for, from the viewer's point of view."""
    if master.over:
        return say("common.over")
    mine = [seat for seat in acting if seat in you]
    if mine:
        return say(
            "server.headline.you",
            name=_name_at(master, mine[0], say),
            prompt=prompts[acting.index(mine[0])]["words"],
        )
    if master.view["chance"] == "lot":
        return say("lot.headline")
    if master.typed and master.position.chance_due:
        return _entry_words(master, say)
    if len(rollers) == 1:
        return say("server.headline.roll", name=_name_at(master, rollers[0], say))
    if rollers:
        return say("server.headline.anyone")
    vacant = [seat for seat in acting if master.record.seats[seat].open]
    if vacant:
        return say("server.headline.open", number=vacant[0] + 1)
    return say(
        "server.headline.wait", names=", ".join(_name_at(master, seat, say) for seat in acting)
    )


def _entry_words(master: Master, say: Say) -> str:
    if len(master.rollers) == 1:
        return say("server.headline.enter_roll_of", name=_name_at(master, master.rollers[0], say))
    return say(f"server.headline.enter_{master.view['chance']}")


def _log(master: Master, lines: Sequence[int], language: str, log_from: int) -> list[LogEntry]:
    sentences = master.sentences(language)
    entries: list[LogEntry] = []
    for index, line in enumerate(lines[log_from:], start=log_from):
        entry = master.log[line]
        told: LogEntry = {
            "index": index,
            "seat": entry.seat,
            "text": entry.text,
            "words": sentences[line],
            "at": entry.at,
        }
        # Behind a hidden draw no secret is told: those before it follow from it.
        if index == line and (seal := _seal(master, entry)) is not None:
            told["seal"] = seal
        entries.append(told)
    return entries


def _entry(master: Master) -> WantedEntry | None:
    """Return what people who roll their own dice have to enter."""
    if not master.typed or not master.position.chance_due:
        return None
    kind = master.view["chance"]
    return {
        "kind": kind,
        "outcomes": []
        if kind == ROLL
        else [str(move) for move in master.position.legal_moves(CHANCE)],
    }


def _seal(master: Master, entry: Entry) -> DrawSeal | None:
    found = master.seal_of(entry)
    if found is None:
        return None
    told: DrawSeal = {
        "draw": entry.draw,
        "secret": found.secret.hex(),
        "salts": [{"seat": salt.seat, "salt": salt.salt.hex()} for salt in found.salts],
    }
    if entry.among:
        told["among"] = list(entry.among)
    return told


def _result(master: Master) -> Result:
    places, scores = master.position.places(), master.scores()
    rating, missing = (
        games.rating(master.record.game, scores[0]) if master.players == 1 else (-1, 0)
    )
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
