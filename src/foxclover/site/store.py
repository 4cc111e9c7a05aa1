"""Store tables in the browser, as the same log of events as on a server.

Several tabs may use the storage at once.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, fields, replace
from typing import Any

from foxclover.server.errors import RefusalError
from foxclover.server.stores.store import Conflict, Event, SeatRecord, Steps, StoreAway, TableRecord

BYTES = "hex"  # key of an object that encodes bytes, which JSON lacks


class BrowserStore:
    """A ``Store`` that uses web/src/site/store.ts (``host``) and tabs.ts (``tabs``)."""

    shared = True
    keeps_people = False

    def __init__(self, host: Any, tabs: Any) -> None:
        self.host, self.tabs = host, tabs
        # kept while the page is open, even if the storage has no room for them
        self._reviews: dict[str, str] = {}

    async def create(self, table: TableRecord) -> bool:
        """Store a new table with its events; return ``False`` if its code is in use."""
        return bool(
            await self._ask(
                "put", table.code, 0, _pack(table), [_pack_event(event) for event in table.events]
            )
        )

    async def load(self, code: str, seq: int = 0) -> TableRecord | None:
        """Return a table with its events from ``seq`` on, ``None`` if there is no such table."""
        found = await self._ask("load", code, seq)
        return None if found is None else _unpack(found["record"], found["events"])

    async def append(
        self,
        code: str,
        seq: int,
        events: Sequence[Event],
        finished: bool = False,  # noqa: ARG002
    ) -> None:
        """Append events after the first ``seq`` events of a table.

        Raises ``Conflict`` if the table has more. ``finished`` is not stored: the events imply it,
        and nothing in the browser queries it.
        """
        if not await self._ask("append", code, seq, [_pack_event(event) for event in events]):
            raise Conflict

    async def change_seat(
        self, code: str, seat: int, before: SeatRecord, after: SeatRecord
    ) -> bool:
        """Replace the player of a seat.

        Return ``False`` if the seat no longer has the player ``before``.
        """

        def change(record: TableRecord) -> TableRecord | None:
            found = record.seats[seat]
            if (found.strength, found.key) != (before.strength, before.key):
                return None
            return replace(record, seats=[*record.seats[:seat], after, *record.seats[seat + 1 :]])

        return await self._change(code, change)

    async def set_pace(self, code: str, pace: int) -> None:
        """Store how fast computer players move."""
        await self._change(code, lambda record: replace(record, pace=pace))

    async def review(self, code: str) -> str | None:
        """Return the review of a table, if it is stored."""
        return self._reviews.get(code) or await self._ask("review", code)

    async def keep_review(self, code: str, text: str) -> None:
        """Store the review of a table if there is room, since it can be computed again."""
        self._reviews[code] = text
        with suppress(StoreAway):
            await self._ask("keepReview", code, text)

    async def open_rematch(self, code: str, successor: TableRecord) -> str | None:
        """Store the table of the next game unless there already is a rematch.

        Return the code of the rematch, ``None`` if the code of the new table is in use.
        """
        if not await self.create(successor):
            return None
        if await self._change(
            code, lambda record: None if record.rematch else replace(record, rematch=successor.code)
        ):
            return successor.code
        await self.remove(successor.code)
        found = await self.load(code)
        return found.rematch if found else None

    async def codes(self) -> AsyncIterator[str]:
        """Yield the codes of all tables."""
        for code, _ in await self._ask("lengths"):
            yield code

    async def untouched(self, since: int) -> list[str]:  # noqa: ARG002
        """Return no tables: idle tables never expire in the browser of their owner."""
        return []

    async def remove(self, code: str) -> None:
        """Delete a table."""
        await self._ask("remove", code)

    async def ping(self) -> None:
        """Check that the store works; raises ``StoreAway`` if not."""
        await self._ask("lengths")

    async def close(self) -> None:
        """Do nothing: there is no connection to close."""

    async def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ARG002
        """Raise ``StoreAway``: only servers store people and their histories."""
        raise StoreAway("a browser keeps no people")

    @property
    def patient(self) -> BrowserStore:
        """Return itself."""
        return self

    async def transact(self, work: Callable[[], Steps[Any]], erase: bool = False) -> Any:  # noqa: ARG002
        """Raise ``StoreAway``: only servers store people and their histories."""
        raise StoreAway("a browser keeps no people")

    # --- several tabs

    async def lengths(self, codes: Sequence[str]) -> dict[str, int]:
        """Return the number of events of each of these tables."""
        return {code: length for code, length in await self._ask("lengths") if code in codes}

    async def listen(
        self,
        heard: Callable[[str], None],
        lost: Callable[[], None],  # noqa: ARG002
        reconnected: Callable[[], None],  # noqa: ARG002
    ) -> None:
        """Call ``heard`` with the announcements of other tabs from now on.

        The other callbacks are unused, since the connection between tabs cannot be lost.
        """
        from pyodide.ffi import create_proxy

        self.tabs.listen(create_proxy(heard))

    def announce(self, text: str) -> None:
        """Send a text to the other tabs, without waiting."""
        self.tabs.announce(text)

    async def hold(self, code: str) -> bool:
        """Try to reserve the computer players of a table for this tab until ``release``.

        Return whether this tab runs them.
        """
        return bool(await self.tabs.hold(code))

    async def release(self, code: str) -> None:
        """Release the computer players of a table, so that another tab can run them."""
        self.tabs.release(code)

    # --- calls to the page

    async def _ask(self, what: str, *arguments: Any) -> Any:
        from pyodide.ffi import JsException, to_js

        try:
            answer = await getattr(self.host, what)(*(to_js(argument) for argument in arguments))
        except JsException as error:  # the disk is full, or the browser has removed the storage
            raise StoreAway(str(error)) from None
        return answer.to_py() if hasattr(answer, "to_py") else answer

    async def _change(self, code: str, change: Callable[[TableRecord], TableRecord | None]) -> bool:
        """Store the changed record of a table unless ``change`` returns ``None``.

        Retry if another tab was faster. Return whether the record was stored.
        """
        while (found := await self._ask("load", code, 0)) is not None:
            changed = change(_unpack(found["record"], []))
            if changed is None:
                return False
            if await self._ask("put", code, found["version"], _pack(changed), []):
                return True
        return False


def _pack(record: TableRecord) -> str:
    values = asdict(replace(record, events=[]))
    del values["events"]
    for seat in values["seats"]:
        seat["level"] = seat.pop("strength")  # the key that stored tables have always used
    return json.dumps(values, default=lambda content: {BYTES: content.hex()})


def _unpack(text: str, events: Sequence[str]) -> TableRecord:
    """Read a table that this version or an older one has written.

    Missing fields have their declared defaults. Raises ``RefusalError`` for a damaged table.
    """
    try:
        values = json.loads(
            text,
            object_hook=lambda found: bytes.fromhex(found[BYTES]) if BYTES in found else found,
        )
        values["seats"] = [
            SeatRecord(**_known(SeatRecord, seat | {"strength": seat.get("level", "")}))
            for seat in values["seats"]
        ]
        values["events"] = [Event(*json.loads(event)) for event in events]
        return TableRecord(**_known(TableRecord, values))
    except (KeyError, TypeError, ValueError) as error:
        raise RefusalError("damaged_table") from error


def _known(kind: Any, values: dict[str, Any]) -> dict[str, Any]:
    return {field.name: values[field.name] for field in fields(kind) if field.name in values}


def _pack_event(event: Event) -> str:
    return json.dumps([event.seat, event.text, event.at, event.number])
