"""The computer players of a table: run them when it is their turn."""

from __future__ import annotations

import asyncio
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from foxclover.ai.nets import NetError
from foxclover.server.errors import RefusalError
from foxclover.server.logs import log_exception
from foxclover.server.stores.store import StoreAway
from foxclover.server.tables import render
from foxclover.server.thinking.tasks import SIMPLER

if TYPE_CHECKING:
    from foxclover.server.tables.table import Table

RETRY_AFTER = 5.0  # seconds after a computer player has failed
UNDO_TIME = 2.0  # seconds in which a person can take back the last decision of a turn


def wake(table: Table) -> None:
    """Start the computer players, if it is their turn."""
    if not table.driving and table.master.computer_due() is not None:
        table.driving = True
        table.start(_drive(table))


async def _drive(table: Table) -> None:
    code = table.record.code
    try:
        if not await table.store.hold(code):
            return  # another process drives them, and is woken by what happens
        try:
            while (due := table.master.computer_due()) is not None:
                try:
                    await _act(table, due)
                except NetError:
                    await _weaken(table, due)
                except Exception:
                    where = table.master.position.text
                    log_exception("computer_player_failed", table=code, position=where)
                    await asyncio.sleep(RETRY_AFTER)
        finally:
            await table.store.release(code)
    except StoreAway:
        table.uncertain = True
    finally:
        table.driving = False


async def _act(table: Table, seat: int) -> None:
    """Think, wait for the rest of the pace, and act if nothing has changed for the seat."""
    started, seq, code = time.monotonic(), table.master.seq, table.record.code
    rolls, pause = bool(table.master.rollers), pause_of(table)
    strength, position = table.record.seats[seat].strength, table.master.position.copy()
    move = -1 if rolls else await table.context.computers.choose(strength, position, seat, code)
    await asyncio.sleep(max(0.0, pause - (time.monotonic() - started)))
    async with table.lock:
        await table.be_certain()
        if not table.record.seats[seat].computer:
            return  # the person has returned
        try:
            before = await table.commit(
                lambda master: master.roll(seat, seq) if rolls else master.move(seat, seq, move)
            )
        except RefusalError as refusal:
            if refusal.reason == "stale":
                return
            raise
        render.show_all(table, before)


def pause_of(table: Table) -> float:
    """Return the seconds before a computer player acts: more if a person could undo no longer."""
    master, pace = table.master, table.record.pace / 1000
    ends_undo = bool(master.rollers) or master.log.decision is None
    persons = [seat for seat in master.undoers() if not table.record.seats[seat].computer]
    return max(pace, UNDO_TIME) if pace > 0 and ends_undo and persons else pace


async def _weaken(table: Table, seat: int) -> None:
    """Replace a player whose net cannot be used by a simpler one, and say so to everybody."""
    log_exception("net_unusable", table=table.record.code, level=table.record.seats[seat].strength)
    async with table.lock:
        before = table.record.seats[seat]
        if not before.computer or not await table.set_seat(seat, replace(before, strength=SIMPLER)):
            return
    refusal = RefusalError("weaker_player", number=seat + 1)
    for connection in table.presence.connections:
        connection.refuse(refusal, -1, table.seq_for(connection))
