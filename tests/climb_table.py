"""A table of Geht noch was? for tests.

Cards laid as wanted, dice and drawn cards dictated, moves given as text.
"""

from __future__ import annotations

from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.games.climb.definitions import ClimbDefinition
from foxclover.games.climb.rules.state import (
    CODES,
    COLOURS,
    FOURFOLD,
    LEVELS,
    SPOTS,
    STACKS,
    TRIPLE,
    Player,
    State,
    colour_of,
)
from foxclover.games.climb.rules.tableau import lay_card

ANY_ROLL = "B1234 R135"

Card = int | str  # the number printed on it, or "35b" in the second copy
Cards = dict[int, list[Card]]  # by level, from 1


class Table:
    """A position that is spoken to in short; levels count from 1, seats from 0."""

    def __init__(self, players: int = 1, deck: str = "", **options: bool) -> None:
        self.position: Position = game("geht-noch-was", deck).start(players, **options)
        self.definition: ClimbDefinition = self.position.game.definition

    @property
    def state(self) -> State:
        state: State = self.position.state
        return state

    def player(self, seat: int = 0) -> Player:
        return self.state.seats[seat]

    # --- moves

    def roll(self, dice: str = ANY_ROLL) -> None:
        self.position.push_text(dice, CHANCE)

    def card(self, number: Card) -> None:
        self.position.push_text(f"card {number}", CHANCE)

    def do(self, *moves: str, seat: int = 0) -> None:
        for move in moves:
            self.position.push_text(move, seat)

    def all_do(self, *moves: str) -> None:
        for seat in range(self.position.players):
            self.do(*moves, seat=seat)

    def skip_rolling(self) -> None:
        """All players pay luck for a roll that suits none of them, and leave without a marker."""
        for seat in range(self.position.players):
            self.player(seat).luck += 1
            self.state.supply -= 1
        self.roll()
        self.all_do("pay", "out")

    def to_round(self, number: int) -> None:
        """Go on to the bonus of a round in which no player has scored."""
        while self.state.round < number:
            if self.view["phase"] == "bonus":
                self.all_do("take 2 luck")
            self.skip_rolling()

    # --- looking

    @property
    def view(self) -> dict[str, object]:
        view: dict[str, object] = self.position.view()
        return view

    def legal(self, seat: int = 0) -> set[str]:
        return {move.text for move in self.position.legal_moves(seat)}

    def acting(self) -> set[int]:
        return set(self.position.acting)

    def active(self, seat: int = 0) -> Cards:
        return self._by_level(
            [[self.player(seat).active[spot]] for spot in range(SPOTS)], SPOTS // LEVELS
        )

    def scored(self, seat: int = 0) -> Cards:
        levels = [
            [code for code in range(CODES) if row[code >> 6] >> (code & 63) & 1]
            for row in self.player(seat).scored
        ]
        return self._by_level(levels, 1)

    def _by_level(self, rows: list[list[int]], per_level: int) -> Cards:
        found: Cards = {}
        for index, row in enumerate(rows):
            for code in filter(None, row):
                found.setdefault(index // per_level + 1, []).append(self.called(code))
        return found

    def called(self, code: int) -> Card:
        name = self.definition.name(code)
        return int(name) if name.isdecimal() else name

    def waiting(self, seat: int = 0) -> list[Card]:
        return [self.called(card) for card in self.player(seat).waiting if card]

    def under(self) -> list[Card]:
        return [self.called(card) for card in self.state.under if card]

    def shuffled(self, colour: int) -> set[Card]:
        return {
            self.called(64 * stack + n)
            for stack in (colour, colour + COLOURS)
            for n in range(64)
            if self.state.shuffled[stack] >> n & 1
        }

    def marked(self, seat: int = 0) -> set[Card]:
        mine = self.player(seat)
        return {self.called(mine.active[spot]) for spot in range(SPOTS) if mine.marked >> spot & 1}

    # --- laying cards

    def lay(self, seat: int = 0, active: Cards | None = None, scored: Cards | None = None) -> None:
        """Give a player exactly these cards.

        What he had goes back to the piles, and what others hold of it is taken from them.
        """
        mine = self.player(seat)
        for spot in range(SPOTS):
            self._to_pile(mine.active[spot])
            mine.active[spot] = 0
        for level in range(LEVELS):
            for stack in range(STACKS):
                self.state.shuffled[stack] |= mine.scored[level][stack]
                mine.scored[level][stack] = 0
        for level, numbers in (active or {}).items():
            for number in numbers:
                lay_card(mine, self._from_table(number), level - 1)
        for level, numbers in (scored or {}).items():
            for number in numbers:
                code = self._from_table(number)
                mine.scored[level - 1][code >> 6] |= 1 << (code & 63)

    def empty_pile(self, colour: int, keep: tuple[Card, ...] = ()) -> None:
        """Take a pile out of the game but for some cards."""
        self.state.shuffled[colour] = self.state.shuffled[colour + COLOURS] = 0
        for number in keep:
            self._to_pile(self.definition.code_of[str(number)])
        rest = [card for card in self.state.under if card and colour_of(card) != colour]
        self.state.under_count = len(rest)
        self.state.under[:] = rest + [0] * (len(self.state.under) - len(rest))

    def multiply(self, number: Card, times: int) -> None:
        """Put a multiplier marker on a scored card."""
        code = self.definition.code_of[str(number)]
        {TRIPLE: self.state.tripled, FOURFOLD: self.state.fourfold}[times][code >> 6] |= 1 << (
            code & 63
        )
        self.state.multipliers -= 1

    def _to_pile(self, code: int) -> None:
        if code:
            self.state.shuffled[code >> 6] |= 1 << (code & 63)

    def _from_table(self, number: Card) -> int:
        code = self.definition.code_of[str(number)]
        bit = 1 << (code & 63)
        self.state.shuffled[code >> 6] &= ~bit
        for mine in self.state.seats:
            mine.active[:] = [0 if card == code else card for card in mine.active]
            for level in range(LEVELS):
                mine.scored[level][code >> 6] &= ~bit
        return code
