"""Who may change what about the seats of a table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from foxclover.server.errors import RefusalError
from foxclover.server.protocol import ChangeSeat
from foxclover.server.store import SeatRecord, TableRecord
from foxclover.server.validate import bad

FREE = SeatRecord("")


def is_host(record: TableRecord, held: Collection[int]) -> bool:
    """Whether the holder of these seats made the table; when that one has left it, everybody who sits there counts as such."""
    hosts = [
        number
        for number, seat in enumerate(record.seats)
        if seat.key is not None and seat.key == record.host
    ]
    return bool(set(hosts) & set(held)) if hosts else bool(held)


def seat_after(
    record: TableRecord,
    held: Collection[int],
    present: Collection[int],
    wish: ChangeSeat,
    levels: Collection[str],
) -> SeatRecord:
    """Return a seat as it is after a change, wished by the holder of some seats while some are present; or refuse it."""
    number, change = wish["seat"], wish["change"]
    if number >= len(record.seats):
        raise bad("seat")
    seat, mine = record.seats[number], number in held
    if change == "leave" or change == "return":
        if not mine:
            raise RefusalError("not_your_seat")
        return FREE if change == "leave" else replace(seat, level="")
    if change == "replace":
        if not mine and not is_host(record, held):
            raise RefusalError("not_host")
        if "level" not in wish:
            raise bad("level")
        if wish["level"] not in levels:
            raise RefusalError("unknown_level")
        return replace(seat, level=wish["level"])
    if not is_host(record, held):
        raise RefusalError("not_host")
    if number in present and not mine:
        raise RefusalError("still_here")
    return FREE
