"""Tables in the browser's own storage: the same log of events as on a server. Several tabs may use it at once."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, fields, replace
from typing import Any

from foxclover.server.errors import RefusalError
from foxclover.server.store import Conflict, Event, SeatRecord, StoreAway, TableRecord

BYTES = "hex"  # marks what JSON has no sign for


class BrowserStore:
    """A ``Store`` over the functions of web/src/site/store.ts and tabs.ts, which are handed over as ``host`` and ``tabs``."""

    shared = True

    def __init__(self, host: Any, tabs: Any) -> None:
        self.host = host
        self.tabs = tabs
        self._reviews: dict[
            str, str
        ] = {}  # for as long as the page is open, whether or not there was room for them

    async def create(self, table: TableRecord) -> bool:
        """Keep a new table, with the events it may bring; ``False`` if its code is in use."""
        return bool(
            await self._ask(
                "put", table.code, 0, _pack(table), [_pack_event(event) for event in table.events]
            )
        )

    async def load(self, code: str, seq: int = 0) -> TableRecord | None:
        """Return a table with its events from ``seq`` on."""
        found = await self._ask("load", code, seq)
        return None if found is None else _unpack(found["record"], found["events"])

    async def append(
        self, code: str, seq: int, events: Sequence[Event], finished: bool = False
    ) -> None:  # noqa: ARG002
        """Put events behind the first ``seq`` ones of a table; raises ``Conflict`` if there are more.

        That a game is finished is not marked, since nothing here asks for it: the events tell, and are all there is to write.
        """
        if not await self._ask("append", code, seq, [_pack_event(event) for event in events]):
            raise Conflict

    async def change_seat(
        self, code: str, seat: int, before: SeatRecord, after: SeatRecord
    ) -> bool:
        """Let somebody else sit in a seat; ``False`` if who sits there is no longer who was thought to."""

        def change(record: TableRecord) -> TableRecord | None:
            found = record.seats[seat]
            if (found.level, found.key) != (before.level, before.key):
                return None
            return replace(record, seats=[*record.seats[:seat], after, *record.seats[seat + 1 :]])

        return await self._change(code, change)

    async def set_pace(self, code: str, pace: int) -> None:
        """Remember how fast computer players move."""
        await self._change(code, lambda record: replace(record, pace=pace))

    async def review(self, code: str) -> str | None:
        """Return the review of a table, if one was kept."""
        return self._reviews.get(code) or await self._ask("review", code)

    async def keep_review(self, code: str, text: str) -> None:
        """Keep the review of a table, if there is room: it can be worked out again."""
        self._reviews[code] = text
        with suppress(StoreAway):
            await self._ask("keepReview", code, text)

    async def open_rematch(self, code: str, successor: TableRecord) -> str | None:
        """Keep the table of the next game unless there is one; return the code of the one there is, ``None`` if its code is in use."""
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
        """Go through all tables."""
        for code, _ in await self._ask("lengths"):
            yield code

    async def untouched(self, since: int) -> list[str]:  # noqa: ARG002
        """Nothing is ever removed because nobody has touched it: the browser is its owner's."""
        return []

    async def remove(self, code: str) -> None:
        """Forget a table."""
        await self._ask("remove", code)

    async def ping(self) -> None:
        """See whether the store still works; raises ``StoreAway`` if not."""
        await self._ask("lengths")

    async def close(self) -> None:
        """Nothing is left to be done."""

    async def query(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:  # noqa: ARG002
        """People and their histories are kept by servers only."""
        raise StoreAway("a browser keeps no people")

    # --- several tabs -----------------------------------------------------------------------------------------------------

    async def lengths(self, codes: Sequence[str]) -> dict[str, int]:
        """Return how many events each of these tables has."""
        return {code: length for code, length in await self._ask("lengths") if code in codes}

    async def listen(
        self,
        heard: Callable[[str], None],
        lost: Callable[[], None],
        reconnected: Callable[[], None],
    ) -> None:  # noqa: ARG002
        """From now on hand over what other tabs announce; nothing comes between them."""
        from pyodide.ffi import create_proxy

        self.tabs.listen(create_proxy(heard))

    def announce(self, text: str) -> None:
        """Tell the other tabs something, soon."""
        self.tabs.announce(text)

    async def hold(self, code: str) -> bool:
        """Whether the computer players of a table are this tab's to drive, until ``release``."""
        return bool(await self.tabs.hold(code))

    async def release(self, code: str) -> None:
        """Let another tab drive them."""
        self.tabs.release(code)

    # --- asking -------------------------------------------------------------------------------------------------------------

    async def _ask(self, what: str, *arguments: Any) -> Any:
        from pyodide.ffi import JsException, to_js

        try:
            answer = await getattr(self.host, what)(*(to_js(argument) for argument in arguments))
        except JsException as error:  # the disk is full, or the browser has taken the storage away
            raise StoreAway(str(error)) from None
        return answer.to_py() if hasattr(answer, "to_py") else answer

    async def _change(self, code: str, change: Callable[[TableRecord], TableRecord | None]) -> bool:
        """Write a changed record unless ``change`` says that it must not be; start again if another tab was quicker."""
        while (found := await self._ask("load", code, 0)) is not None:
            changed = change(_unpack(found["record"], []))
            if changed is None:
                return False
            if await self._ask("put", code, found["version"], _pack(changed), []):
                return True
        return False


def _pack(record: TableRecord) -> str:
    told = asdict(replace(record, events=[]))
    del told["events"]
    return json.dumps(told, default=lambda content: {BYTES: content.hex()})


def _unpack(text: str, events: Sequence[str]) -> TableRecord:
    """Read a table that this version or an older one has written: what is not told is as the declaration says."""
    try:
        told = _known(
            TableRecord,
            json.loads(
                text,
                object_hook=lambda found: bytes.fromhex(found[BYTES]) if BYTES in found else found,
            ),
        )
        seats = [SeatRecord(**_known(SeatRecord, seat)) for seat in told.pop("seats")]
        return TableRecord(
            **told, seats=seats, events=[Event(*json.loads(event)) for event in events]
        )
    except (KeyError, TypeError, ValueError) as error:
        raise RefusalError("damaged_table") from error


def _known(kind: Any, told: dict[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields(kind)}
    return {name: value for name, value in told.items() if name in names}


def _pack_event(event: Event) -> str:
    return json.dumps([event.seat, event.text, event.at, event.number])
