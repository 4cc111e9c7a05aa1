"""A table of a Clever game for tests: rolls and moves by text, and sheets filled in beforehand.

Seats are counted from 1, as in transcripts; 0 is chance.
"""

from __future__ import annotations

from functools import cache

from foxclover.core.game import Game, game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE, NO_CHANCE
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.notation import entry_text
from foxclover.games.clever.rules.moves import enter
from foxclover.games.clever.rules.state import (
    ACTIONS,
    AREAS,
    BONUSES,
    BY_GROUP,
    BY_SUM,
    CELLS,
    EXTRA,
    FIELDS,
    GRID,
    REROLL,
    RETURN,
    Player,
)
from foxclover.games.clever.rules.turns import advance, start_round
from printed_sheets import as_printed

ACTION_NUMBERS = {"reroll": REROLL, "ret": RETURN, "extra": EXTRA}
PAGE_NAMES = {"RR": REROLL, "RET": RETURN, "+1": EXTRA}


def fill(position: Position, seat: int, entries: str) -> None:
    """Make entries on a sheet (seat from 0).

    Actions and foxes are recorded, bonuses to be placed are thrown away.
    """
    definition = position.game.definition
    mine: Player = position.state.seats[seat]
    for text in entries.split():
        enter(definition.tables, mine, entries_by_text(position.game)[text])
        mine.heap, mine.heaped = [0] * BONUSES, 0


@cache
def entries_by_text(played: Game) -> dict[str, int]:
    """Every entry that some sheet of a game allows."""
    tables = played.definition.tables
    slots = [
        tables.cells[area] if tables.kind[area] == GRID else FIELDS + 1 for area in range(AREAS)
    ]
    entries = [area * CELLS + slot for area in range(AREAS) for slot in range(slots[area])]
    return {entry_text(played.definition, entry): entry for entry in entries}


class CleverTable:
    def __init__(self, name: str, players: int = 1) -> None:
        self.position = game(name).start(players)

    def given(self, seat: int, entries: str = "", **actions: int) -> CleverTable:
        """Fill a sheet without any bonus; then the player has exactly these actions.

        Reroll, ret, extra.
        """
        mine = self.player(seat)
        foxes, unlocked = mine.foxes, mine.unlocked[:]
        fill(self.position, seat - 1, entries)
        mine.foxes, mine.unlocked = foxes, unlocked
        mine.actions = [0] * ACTIONS
        for name, count in actions.items():
            mine.actions[ACTION_NUMBERS[name]] = count
        return self

    def unlocked(self, seat: int, **fields: int) -> CleverTable:
        """So many fields of an action track are unlocked already, all of them used."""
        for name, count in fields.items():
            self.player(seat).unlocked[ACTION_NUMBERS[name]] = count
        return self

    def begin_round(self, number: int) -> CleverTable:
        """Go straight to the beginning of a round, where its reward is given."""
        state = self.position.state
        state.round, state.chance = number - 1, NO_CHANCE
        start_round(self.position.game.definition.tables, state)
        advance(self.position.game.definition.tables, state)
        self.position.forget()  # the game begins with what was changed by hand
        return self

    def player(self, seat: int) -> Player:
        mine: Player = self.position.state.seats[seat - 1]
        return mine

    def roll(self, text: str) -> CleverTable:
        self.position.push_text(text, CHANCE)
        return self

    def move(self, *texts: str, seat: int = 1) -> CleverTable:
        """Moves of one seat, written out in full."""
        for text in texts:
            assert text in self.legal(seat), f"{text} is not among {sorted(self.legal(seat))}"
            self.position.push_text(text, seat - 1)
        return self

    def pick(self, entry: str) -> CleverTable:
        """Roll so that an entry can be made with the die of its colour, and make it."""
        letters = self.position.game.definition.letters
        faces = dict.fromkeys(letters, entry[1])
        if entry[0] == "b":
            blue = max(1, int(entry[1:]) - 6)
            faces = dict.fromkeys(letters, "1") | {"b": str(blue), "w": str(int(entry[1:]) - blue)}
        return self.roll("".join(faces.values())).move(f"{entry[0]}>{entry}")

    def finish(self) -> CleverTable:
        """Pass, finish or make the first legal move for all until chance acts or the game ends."""
        while self.position.acting:
            seat = self.position.acting[0] + 1
            stops = [text for text in ("pass", "done") if text in self.legal(seat)]
            self.move(*(stops or [self.position.legal_moves(seat - 1)[0].text])[:1], seat=seat)
        return self

    def legal(self, seat: int = 1) -> set[str]:
        return {move.text for move in self.position.legal_moves(seat - 1)}

    def uses(self, seat: int = 1) -> set[str]:
        """The dice a seat may use now, by letter."""
        return {text[0] for text in self.legal(seat) if ">" in text}

    @property
    def to_act(self) -> set[int]:
        return {seat + 1 for seat in self.position.to_act}

    def actions(self, seat: int = 1) -> dict[str, int]:
        return {name: self.player(seat).actions[number] for name, number in ACTION_NUMBERS.items()}

    def won(self, seat: int = 1) -> list[str]:
        """What a player holds.

        Actions not used, foxes, and bonuses to be placed, named as on the rules pages.
        """
        mine, definition = self.player(seat), self.position.game.definition
        actions = [name for name, number in PAGE_NAMES.items() for _ in range(mine.actions[number])]
        heap = [
            as_printed(definition.bonus_names[bonus])
            for bonus in range(definition.tables.bonuses)
            for _ in range(mine.heap[bonus])
        ]
        return actions + ["fox"] * mine.foxes + heap

    def points(self, area: str, seat: int = 1) -> int:
        return self.position.breakdown(seat - 1)[area]

    def letters(self, mask: int) -> str:
        letters = self.position.game.definition.letters
        return "".join(letter for die, letter in enumerate(letters) if mask >> die & 1)

    @property
    def platter(self) -> str:
        return self.letters(self.position.state.platter)

    @property
    def hand(self) -> str:
        return self.letters(self.position.state.hand)

    @property
    def laid(self) -> list[str]:
        """The three dice fields; an empty text is an empty field."""
        letters = ("", *self.position.game.definition.letters)
        return [letters[die] for die in self.position.state.field]

    @property
    def chance(self) -> dict[str, int]:
        """Every outcome of the chance move due, with its weight."""
        return {move.text: weight for move, weight in self.position.chance_moves()}

    def written(self, area: str, seat: int = 1) -> list[int]:
        """The numbers standing on a track."""
        index = self._area(area)
        fields = len(self.position.game.definition.areas[index].cells)
        return self.player(seat).written[index][: fields - self.player(seat).room[index]]

    def crossed(self, area: str, seat: int = 1) -> set[str]:
        """The cells crossed in a grid, by name."""
        return self._marked(area, self.player(seat).crossed)

    def circled(self, area: str, seat: int = 1) -> set[str]:
        return self._marked(area, self.player(seat).circled)

    def _area(self, name: str) -> int:
        return [area.name for area in self.position.game.definition.areas].index(name)

    def _marked(self, area: str, masks: list[int]) -> set[str]:
        index = self._area(area)
        cells = self.position.game.definition.areas[index].cells
        return {cell.name for number, cell in enumerate(cells) if masks[index] >> number & 1}


def recount(definition: CleverDefinition, mine: Player) -> list[int]:
    """Count the points of each area from the entries on the sheet, not as they were made."""
    result = []
    for index, area in enumerate(definition.areas):
        crossed = mine.crossed[index]
        scoring = definition.tables.scoring[index]
        if scoring == BY_GROUP:
            result.append(
                sum(
                    points[sum(crossed >> cell & 1 for cell in cells)]
                    for cells, points in area.groups
                )
            )
        elif scoring == BY_SUM:
            result.append(sum(mine.written[index]))
        else:
            pairs = range(0, len(area.cells), 2)
            result.append(
                sum(
                    mine.written[index][i] - mine.written[index][i + 1]
                    for i in pairs
                    if crossed >> (i + 1) & 1
                )
            )
    return result
