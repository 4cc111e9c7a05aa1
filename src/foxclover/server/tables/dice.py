"""The dice of a table: provably fair dice, dice of a seed or a day, or real dice."""

from __future__ import annotations

from copy import copy, deepcopy

from foxclover import transcripts
from foxclover.core.move import Move
from foxclover.core.position import Dice, Position
from foxclover.core.rules import CHANCE, ROLL_DUE
from foxclover.dice import daily
from foxclover.dice.fair import DICE, Roller, Seal, context_of, sealed
from foxclover.dice.sources import keyed, recorded, seeded, system
from foxclover.server.confirmed_time import CLOCK
from foxclover.server.errors import require
from foxclover.server.stores.store import Event, TableRecord
from foxclover.server.tables.game_log import SALT, Entry

TYPED_DICE = "typed"  # of a table whose players roll real dice and enter the results


class TableDice:
    """Draw the moves of chance and keep what proves them."""

    def __init__(self, record: TableRecord) -> None:
        self.typed = record.dice == TYPED_DICE
        self.fair = fair_dice(record)
        # Where dice can be known before, or a game was taken over, results do not count.
        self.practice = record.seed is not None or record.origin != ""
        self.counted = self.practice or record.day != ""  # each roll depends on those before it
        source: Dice = system() if record.seed is None else seeded(record.seed)
        if record.day and record.seal is not None:
            source = keyed(record.seal)
        if record.script:
            source = recorded(record.script, source)
        self.source: Dice = self.fair or source
        self._piles: list[list[int]] = []  # what is left of piles that were drawn from

    def copy(self) -> TableDice:
        """Return independent dice that draw the same."""
        twin = copy(self)
        if self.fair is not None:
            twin.source = twin.fair = self.fair.copy()
        elif self.counted:
            twin.source = deepcopy(self.source)
        return twin

    @property
    def awaits_salt(self) -> bool:
        """Return whether the first draw still waits for the salt of a person."""
        return self.fair is not None and not self.fair.salts

    def wants_entry(self, position: Position) -> bool:
        """Return whether players have to enter a result; the only card left is clear."""
        return self.typed and len(position.legal_moves(CHANCE)) > 1

    def expect_salt(self, salt: bytes, pool: bytes) -> None:
        """Refuse a roll without a new salt, or for another entropy pool than ours."""
        assert self.fair is not None
        # no verifier accepts a salt twice
        require(salt and salt not in self.fair.salts, "bad_message", what="salt")
        require(not pool or pool == self.fair.pool, "other_pool")

    def mix(self, event: Event) -> None:
        """Mix the salt of an event into the entropy pool.

        Old tables contain salts for dice that prove nothing.
        """
        if self.fair is not None and event.text is not None:
            self.fair.mix(Roller(event.seat, bytes.fromhex(event.text.removeprefix(SALT))))

    def entry(self, move: Move, position: Position, at: int) -> Entry:
        """Return the line of the log for a move that is about to be made, and count its draw."""
        line = Entry(move.seat, move.number, str(move), at)
        if self.fair is None or move.seat != CHANCE:
            return line
        rollers = position.rollers
        roller = self.fair.happened() or (Roller(rollers[0]) if rollers else None)
        return line._replace(
            draw=self.fair.drawn, roller=roller, among=self._outcomes(move, position)
        )

    def _outcomes(self, move: Move, position: Position) -> tuple[str, ...]:
        """Return what a draw could be, so that pages can verify it.

        Rolls need nothing, and neither does a pile that is known from earlier draws.
        """
        if roll_due(position):
            return ()
        outcomes = position.legal_moves(CHANCE)
        numbers = [outcome.number for outcome in outcomes]
        named = () if numbers in self._piles else tuple(map(str, outcomes))
        others = [pile for pile in self._piles if not set(pile) & set(numbers)]
        self._piles = [*others, [number for number in numbers if number != move.number]]
        return named

    def seal_of(self, entry: Entry) -> Seal | None:
        """Return what is published with a draw."""
        if self.fair is None or not entry.draw:
            return None
        return self.fair.seal(entry.draw, entry.roller)

    def header(self, record: TableRecord, over: bool) -> str:
        """Return the dice as a transcript names them.

        A seed is named only when no roll is left to foresee.
        """
        if record.day and record.seal is not None:
            return daily.dice_words(record.day, record.seal, with_key=not is_hidden(record))
        if self.fair is not None:
            return transcripts.sealed_dice(record.code, self.fair.commitment)
        return f"seed {record.seed}" if over and record.seed is not None else transcripts.TYPED


def fair_dice(record: TableRecord) -> sealed | None:
    """Return the fair dice of a table before their first draw; none if it has other dice."""
    if record.seal is None or record.dice != DICE:
        return None
    return sealed(
        context_of(record.code, record.game, len(record.seats), record.variant), record.seal
    )


def is_hidden(record: TableRecord) -> bool:
    """Return whether only the player may see the game, while others play the same daily dice."""
    if record.day == "" or record.seal == daily.open_key(record.day, record.game):
        return False
    return CLOCK.now() < daily.closes(record.day)


def roll_due(position: Position) -> bool:
    """Return whether a position waits for a roll, not for a card or a tie."""
    game = position.game
    return game.rules.chance_pending(game.definition.tables, position.state) == ROLL_DUE
