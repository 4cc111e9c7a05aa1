"""Read and check sheet files, with the line of every error.

A sheet is a TOML file: the table rules, the colours and words of its dice, and its five areas.
CONTRIBUTING.md explains the entries; the files in ``sheets/`` are the examples to copy.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from foxclover.core.data_file import HEAD_ENTRIES, DataFile, Path
from foxclover.core.errors import quote
from foxclover.core.rules import MAX_MOVES
from foxclover.games.clever.area_kind import Area, AreaKind, AreaReader
from foxclover.games.clever.grid import Grid
from foxclover.games.clever.rules.state import (
    AREAS,
    BONUSES,
    DICE,
    FIELDS,
    FREE,
    GROUPS,
    LINES,
    OPTIONS,
    PLACED,
    SEATS,
)
from foxclover.games.clever.track import Track
from foxclover.locale import FALLBACK, LANGUAGES, lazy_message, texts

ACTION_NAMES = ("reroll", "return", "extra")
FOX, BLACK = "fox", "black"
AREA_KINDS: dict[str, AreaKind] = {kind.name: kind for kind in (Grid(), Track())}
ROUNDS = 6
PASSIVE_TURNS = 12  # of a player in a game, at most
FOXES = 6  # at most

_RESERVED = {FOX, "foxes", BLACK, *ACTION_NAMES}
_NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
_SHEET_ENTRIES = (
    *HEAD_ENTRIES,
    "dice",
    "letters",
    "joker",
    "dice_are_optional",
    "rounds",
    "rewards",
    "rating",
    "black",
)
_SHEET_TABLES = ("colours", "words", "actions", "area")
_AREA_ENTRIES = ("name", "kind", "adds_joker", "points")


class Action(NamedTuple):
    """An action track."""

    fields: int
    end: str


@dataclass
class SheetFile:
    """The content of a sheet file, as far as it is readable."""

    file: DataFile
    dice: tuple[str, ...] = ()
    letters: tuple[str, ...] = ()
    joker: str = ""
    optional: bool = False
    rounds: list[int] = field(default_factory=list)  # by number of players, from 1
    rewards: list[str] = field(default_factory=list)  # by round, from 1
    rating: tuple[int, ...] = ()
    black: list[str] = field(default_factory=list)
    actions: dict[str, Action] = field(default_factory=dict)
    areas: list[Area] = field(default_factory=list)
    colours: dict[str, str] = field(default_factory=dict)
    words: dict[str, dict[str, str]] = field(
        default_factory=dict
    )  # by language and colour: what the sheet brings
    bonuses: list[str] = field(default_factory=list)  # all that are printed

    def options(self, bonus: str) -> list[str]:
        """List what a bonus may become."""
        return self.black if bonus == BLACK else [bonus]

    def area_index(self, name: str) -> int:
        """Return the index of the area with this name."""
        return [area.name for area in self.areas].index(name)


def read_sheet(source: bytes) -> SheetFile:
    """Read a sheet file and check it; nothing is raised, everything wrong is among the findings."""
    sheet = SheetFile(DataFile(source))
    if not sheet.file.errors:
        _Check(sheet).run()
    return sheet


class _Check:
    """The checks of a sheet file, one method per topic."""

    def __init__(self, sheet: SheetFile) -> None:
        self.sheet = sheet
        self.file = sheet.file
        self.seen: list[tuple[Path, str]] = []  # bonuses and their paths

    def run(self) -> None:
        self.file.table((), _SHEET_ENTRIES + _SHEET_TABLES)
        if self.file.has(("players",)):
            self.file.wholes(("players",), 2, 1, SEATS)
        self.dice()
        self.colours_and_words()
        self.table_rules()
        self.actions()
        if self.file.length(
            ("area",), AREAS, AREAS, lazy_message("data.sheet.areas", number=AREAS)
        ):
            for index in range(AREAS):
                self.area(("area", index))
        if len(self.sheet.areas) == AREAS:
            self.areas_together()
        if {area.name for area in self.sheet.areas} == set(self.sheet.dice) - {self.sheet.joker}:
            self.bonuses()
        if not self.file.errors:
            self.sizes()

    # -- the table

    def dice(self) -> None:
        dice = self.file.strings(("dice",), DICE, lazy_message("data.sheet.dice", number=DICE))
        for index, name in enumerate(dice):
            if name in _RESERVED or not _NAME.fullmatch(name) or name in dice[:index]:
                self.file.expected(("dice", index), lazy_message("data.sheet.die"))
        self.sheet.dice = tuple(dice)
        self.sheet.joker = self.file.choice(("joker",), dice)
        letters = [name[:1] for name in dice]
        path: Path = ("dice",)
        if self.file.has(("letters",)):
            path = ("letters",)
            letters = self.file.strings(path, DICE, lazy_message("data.sheet.letters", number=DICE))
        for index, letter in enumerate(letters):
            if not re.fullmatch("[a-z]", letter):
                self.file.expected((*path, index), lazy_message("data.sheet.letter"))
            elif letter in letters[:index]:
                self.file.error(
                    (*path, index), lazy_message("data.sheet.same_letter", letter=letter)
                )
        self.sheet.letters = tuple(letters)

    def colours_and_words(self) -> None:
        self.file.table(("colours",), self.sheet.dice, lazy_message("data.sheet.colours"))
        self.sheet.colours = {name: self.file.colour(("colours", name)) for name in self.sheet.dice}
        if self.file.has(("words",)):
            for language in self.file.table(("words",), LANGUAGES):
                words = self.file.table(
                    ("words", language), self.sheet.dice, lazy_message("data.sheet.words")
                )
                self.sheet.words[language] = {
                    name: self.file.label(("words", language, name), 30) for name in words
                }
        for name in self.sheet.dice:
            known = f"common.colour.{name}" in texts(FALLBACK) or name in self.sheet.words.get(
                FALLBACK, {}
            )
            if not known and _NAME.fullmatch(name):
                self.file.expected(
                    ("words", FALLBACK, name), lazy_message("data.sheet.word", name=name)
                )

    def table_rules(self) -> None:
        file, sheet = self.file, self.sheet
        sheet.optional = file.flag(("dice_are_optional",))
        file.table(
            ("rounds",),
            [str(players) for players in range(1, SEATS + 1)],
            lazy_message("data.sheet.rounds"),
        )
        for players in range(1, SEATS + 1):
            sheet.rounds.append(
                file.whole(
                    ("rounds", str(players)), 1, min(ROUNDS, PASSIVE_TURNS // max(players - 1, 1))
                )
            )
        sheet.rewards = file.strings(
            ("rewards",), ROUNDS, lazy_message("data.sheet.rewards", number=ROUNDS)
        )
        self.note_bonuses(("rewards",), sheet.rewards)
        length = file.length(("rating",), 1, 20, lazy_message("data.sheet.rating", most=20))
        sheet.rating = tuple(file.whole(("rating", index), 0, 10_000) for index in range(length))
        for index in range(1, length):
            if sheet.rating[index] >= sheet.rating[index - 1]:
                file.expected(
                    ("rating", index),
                    lazy_message("data.sheet.lower", score=sheet.rating[index - 1]),
                )

    def actions(self) -> None:
        for name in self.file.table(("actions",), ACTION_NAMES):
            path = ("actions", name)
            entries = self.file.table(path, ("fields", "end"), lazy_message("data.sheet.action"))
            fields = self.file.whole((*path, "fields"), 1, 99)
            end = self.file.string((*path, "end")) if "end" in entries else ""
            self.note_bonuses((*path, "end"), [end], alone=True)
            self.sheet.actions[name] = Action(fields, end)

    def note_bonuses(self, path: Path, names: list[str], alone: bool = False) -> None:
        self.seen += [
            (path if alone else (*path, index), name) for index, name in enumerate(names) if name
        ]

    # -- areas

    def area(self, path: Path) -> None:
        file, sheet = self.file, self.sheet
        if not isinstance(file.entry(path), dict):
            file.expected(path, lazy_message("data.sheet.area"))
            return
        kind = AREA_KINDS[file.choice((*path, "kind"), AREA_KINDS)]
        file.table(path, _AREA_ENTRIES + kind.entries)
        name = file.choice((*path, "name"), [name for name in sheet.dice if name != sheet.joker])
        if name in [area.name for area in sheet.areas]:
            file.error((*path, "name"), lazy_message("data.sheet.same_area", name=name))
        letters = dict(zip(sheet.dice, sheet.letters, strict=False))
        reader = AreaReader(file, path, letters, self.seen)
        area = Area(len(sheet.areas), name, kind, letters.get(name, ""), reader.flag("adds_joker"))
        kind.read(reader, area)
        sheet.areas.append(area)

    def areas_together(self) -> None:
        for entry in ("adds_joker", "follow_ups"):
            having = [index for index, area in enumerate(self.sheet.areas) if getattr(area, entry)]
            for index in having[1:]:
                self.file.error(
                    ("area", index, entry), lazy_message("data.sheet.only_one", entry=entry)
                )
        for index, area in enumerate(self.sheet.areas):
            if area.follow_ups and area.adds_joker:
                self.file.error(
                    ("area", index, "follow_ups"),
                    lazy_message("data.sheet.not_both", area=area.name),
                )

    # -- bonuses

    def bonuses(self) -> None:
        file, sheet = self.file, self.sheet
        sheet.bonuses = [name for _, name in self.seen]
        for path, name in self.seen:
            if name not in (FOX, BLACK, *ACTION_NAMES):
                self.placed(path, name)
        if BLACK in sheet.bonuses or file.has(("black",)):
            length = file.length(
                ("black",), 1, OPTIONS, lazy_message("data.sheet.black", most=OPTIONS)
            )
            sheet.black = [file.string(("black", index)) for index in range(length)]
            order = [self.placed(("black", index), name) for index, name in enumerate(sheet.black)]
            for index in range(1, length):
                if order[index] <= order[index - 1] and -1 not in order:
                    file.expected(("black", index), lazy_message("data.sheet.order"))
        for name in ACTION_NAMES:
            sources = sheet.bonuses.count(name)
            fields = sheet.actions[name].fields if name in sheet.actions else 0
            if sources != fields and not file.errors:
                file.error(
                    ("actions", name, "fields"),
                    lazy_message("data.sheet.sources", name=name, sources=sources, fields=fields),
                )

    def placed(self, path: Path, name: str) -> int:
        """Check a bonus that is placed in an area; return which area it is, -1 for none."""
        names = [area.name for area in self.sheet.areas]
        first, _, what = name.partition(" ")
        if first not in names:
            others = ", ".join((FOX, BLACK, *ACTION_NAMES))
            self.file.expected(
                path,
                lazy_message(
                    "data.sheet.bonus", others=others, areas=", ".join(names), text=quote(name)
                ),
            )
            return -1
        area = self.sheet.areas[names.index(first)]
        gives = area.kind.gives(area)
        if what not in gives:
            self.file.expected(
                path,
                lazy_message(
                    "data.sheet.gives", area=first, names=", ".join(gives), text=quote(name)
                ),
            )
        return names.index(first)

    def sizes(self) -> None:
        """Check that the kernel's tables are large enough."""
        sheet = self.sheet
        kinds = {name for name in sheet.bonuses if name not in (FOX, *ACTION_NAMES)}
        if len(kinds) > BONUSES - PLACED:
            self.file.error(
                (), lazy_message("data.sheet.kinds", number=len(kinds), most=BONUSES - PLACED)
            )
        placements = 0
        for bonus in [option for name in kinds for option in sheet.options(name)]:
            name, _, gives = bonus.partition(" ")
            area = sheet.areas[sheet.area_index(name)]
            placements += len(area.kind.slots(area, FREE if gives == "?" else 0))
        if placements >= MAX_MOVES:
            self.file.error((), lazy_message("data.sheet.ways", most=MAX_MOVES))
        if sheet.bonuses.count(FOX) > FOXES:
            self.file.error(
                (), lazy_message("data.sheet.foxes", number=sheet.bonuses.count(FOX), most=FOXES)
            )
        if sum(len(area.lines) for area in sheet.areas) >= LINES:
            self.file.error(("area", 0), lazy_message("data.sheet.lines", most=LINES - 1))
        if sum(len(area.groups) for area in sheet.areas) > GROUPS:
            self.file.error(("area", 0), lazy_message("data.sheet.groups", most=GROUPS))
        for index, area in enumerate(sheet.areas):
            if any(len(group.cells) > FIELDS for group in area.groups):
                self.file.error(
                    ("area", index), lazy_message("data.sheet.fields", most=FIELDS, area=area.name)
                )
