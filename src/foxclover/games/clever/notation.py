"""Moves, chance moves and features of the Clever games as short texts.

y>y3a          use the yellow die: the 3 in row a of yellow
w>g4           the white die as a green 4
b>b9           blue and white together: 9
s>s4b          the silver 4 in the blue row
+y5a           place a bonus: the 5 in row a of yellow
+gx            the next green field
+o6            a 6 in orange
+o6 (black)    which bonus, if another one could be placed there too
pass           choose no die
reroll         roll the same dice again
<b             return the blue die from the platter
done           no more crosses, returns or extra dice
y3b2g4o1p6w5   a roll (chance)
=ybo           the dice on the platter after a tie (chance)
begins 2       the start player (chance)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from foxclover.core.contract import Feature, KeyedRandom
from foxclover.core.errors import UnreadableMove
from foxclover.core.rules import CHANCE, NO_MOVE, ROLL_DUE, START_PLAYER_DUE
from foxclover.core.setup import expected_start_player, parse_start_player, start_player_text
from foxclover.games.clever.colours import colour_words
from foxclover.games.clever.definitions import CleverDefinition
from foxclover.games.clever.rules.moves import (
    DONE,
    ENTRIES,
    LOT_OF,
    PASS,
    PLACE,
    REROLL_ALL,
    ROLL,
    TAKE_BACK,
    TIE,
)
from foxclover.games.clever.rules.state import (
    ACTIONS,
    ADDING,
    CELLS,
    DICE,
    FREE,
    OVER,
    PASSIVE,
    PLACED,
    ROLLS,
    USES,
    Player,
    State,
)
from foxclover.games.clever.rules.table import outcomes
from foxclover.games.clever.rules.turns import nth_platter
from foxclover.games.clever.sheet_file import ACTION_NAMES
from foxclover.locale import LazyMessage, Translator, lazy_message

_READABLE = re.compile(
    r"[a-z](>([a-z](\d{1,2}[a-z]?)?)?)?|\+([a-z]((x|\d{1,2}[a-z]?)(\([^)]*\)?)?)?)?|pass|done|reroll|<[a-z]?"
)


def is_readable(text: str) -> bool:
    """Return whether a text could be a player's move, or the beginning of one."""
    return _READABLE.fullmatch(text) is not None


def move_text(definition: CleverDefinition, state: State, seat: int, move: int) -> str:
    """Return the canonical text of a legal move."""
    if seat == CHANCE:
        return chance_text(definition, state, move)
    return player_text(definition, move, has_rival(definition, state, seat, move))


def player_text(definition: CleverDefinition, move: int, rival: bool = False) -> str:
    """Return the text of a player's move.

    With a rival, another bonus that could be placed there too, the text names the bonus.
    """
    if move < PASS:
        entry = entry_text(definition, move)
        if move < PLACE:
            return f"{definition.letters[move // ENTRIES]}>{entry}"
        return f"+{entry} ({bonus_placed(definition, move)})" if rival else f"+{entry}"
    if move >= TAKE_BACK:
        return f"<{definition.letters[move - TAKE_BACK]}"
    return {PASS: "pass", REROLL_ALL: "reroll", DONE: "done"}[move]


def bonus_placed(definition: CleverDefinition, move: int) -> str:
    """Name the bonus that a move places."""
    return definition.bonus_names[PLACED + (move - PLACE) // ENTRIES]


def heap_names(definition: CleverDefinition, mine: Player) -> list[str]:
    """Name the bonuses that a player still has to place."""
    return [
        name for bonus, name in enumerate(definition.bonus_names) for _ in range(mine.heap[bonus])
    ]


def has_rival(definition: CleverDefinition, state: State, seat: int, move: int) -> bool:
    """Return whether another bonus of the heap could be placed as the same entry."""
    if not PLACE <= move < PASS:
        return False
    sheet, mine = definition.tables, state.seats[seat]
    area, placed = definition.areas[move % ENTRIES // CELLS], PLACED + (move - PLACE) // ENTRIES
    return any(
        sheet.option_area[bonus][option] == area.index
        and area.kind.could_place(mine, area, move % CELLS, sheet.option_value[bonus][option])
        for bonus in range(PLACED, sheet.bonuses)
        if mine.heap[bonus] and bonus != placed
        for option in range(sheet.options[bonus])
    )


def entry_text(definition: CleverDefinition, move: int) -> str:
    """Return the letter of the area of a move and what is entered there."""
    area = definition.areas[move % ENTRIES // CELLS]
    return area.letter + area.kind.slot_text(area, move % CELLS)


def chance_text(definition: CleverDefinition, state: State, move: int) -> str:
    """Return the text of a roll, of the dice on the platter, or of the start player."""
    if move >= LOT_OF:
        return start_player_text(move - LOT_OF)
    if move < ROLL:
        return "=" + "".join(definition.letters[die] for die in bits_of(move - TIE))
    return "".join(f"{definition.letters[die]}{face}" for die, face in dice_rolled(state, move))


def bits_of(mask: int) -> list[int]:
    """List the numbers in a mask, ascending."""
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


def dice_rolled(state: State, move: int) -> list[tuple[int, int]]:
    """List the dice of a roll and their faces."""
    digits = move - ROLL
    return [(die, 1 + digits // 6**n % 6) for n, die in enumerate(bits_of(state.hand))]


def parse_chance(definition: CleverDefinition, state: State, text: str) -> int:
    """Read a roll, the dice on the platter, or the start player; raises ``UnreadableMove``.

    A roll has letters in any order, or only the faces in the order of the dice. The outcome
    need not be possible here.
    """
    if state.chance == START_PLAYER_DUE:
        return LOT_OF + parse_start_player(text, state.players)
    bare = re.sub(r"[\s,]+", "", text.lower())
    if state.chance == ROLL_DUE:
        return _parse_roll(definition, bits_of(state.hand), bare, text)
    if not re.fullmatch(r"=?[a-z]+", bare):
        raise UnreadableMove(
            text,
            wanted=lazy_message("expected.served", example="=" + "".join(definition.letters[:3])),
        )
    served = set(bare.removeprefix("="))
    return (
        TIE + sum(1 << definition.letters.index(letter) for letter in served)
        if served <= set(definition.letters)
        else NO_MOVE
    )


def _parse_roll(definition: CleverDefinition, dice: list[int], bare: str, text: str) -> int:
    example = "".join(f"{definition.letters[die]}{1 + die % 6}" for die in dice)
    if not re.fullmatch(r"(\d+|([a-z]\d)+)", bare):
        raise UnreadableMove(text, wanted=lazy_message("expected.roll", example=example))
    faces = (
        bare
        if bare.isdigit()
        else "".join(
            bare[bare.find(definition.letters[die]) + 1]
            for die in dice
            if definition.letters[die] in bare
        )
    )
    known = bare.isdigit() or sorted(bare[::2]) == sorted(definition.letters[die] for die in dice)
    if not known or len(faces) != len(dice) or not all(face in "123456" for face in faces):
        return NO_MOVE
    return _roll_of(map(int, faces))


def _roll_of(faces: Iterable[int]) -> int:
    number: int = ROLL + sum((face - 1) * 6**index for index, face in enumerate(faces))
    return number


def expected_chance(definition: CleverDefinition, state: State) -> LazyMessage:
    """Describe the outcomes of the chance move due."""
    if state.chance == START_PLAYER_DUE:
        return expected_start_player(state.players)
    if state.chance != ROLL_DUE:
        return lazy_message("expected.lowest")
    names = [definition.dice[die] for die in bits_of(state.hand)]
    return lazy_message("expected.faces", dice=partial(_list_colours, definition.file.words, names))


def _list_colours(
    brought: Mapping[str, Mapping[str, str]], names: Sequence[str], translate: Translator
) -> str:
    return ", ".join(colour_words(brought, name, translate) for name in names)


def chance(definition: CleverDefinition, state: State, keyed_random: KeyedRandom) -> int:
    """Return the chance move that is due from keyed dice."""
    if state.chance == START_PLAYER_DUE:
        return LOT_OF + min(range(state.players), key=lambda seat: keyed_random.rank(f"lot/{seat}"))
    if state.chance != ROLL_DUE:
        return TIE + _served(definition, state, keyed_random)
    if state.phase == PASSIVE:
        where = f"passive/{state.round}"
    else:
        roll = f"roll/{state.round}/{state.active}/{state.roll}"
        where = f"{roll}/{keyed_random.attempt(roll)}"
    return _roll_of(
        keyed_random.face(f"{where}/{definition.dice[die]}") for die in bits_of(state.hand)
    )


def _served(definition: CleverDefinition, state: State, keyed_random: KeyedRandom) -> int:
    """Return which tied dice go to the platter: those whose hashes rank first."""
    ranks = [keyed_random.rank(f"tie/{state.round}/{name}") for name in definition.dice]
    possible = [nth_platter(state, n) for n in range(outcomes(state))]
    return min(possible, key=lambda mask: sorted(ranks[die] for die in bits_of(mask)))


MOST_OF_A_BONUS = 12


def point_bounds(definition: CleverDefinition, players: int) -> tuple[int, int]:
    """Return the fewest and the most points: of all areas, and of the lowest one for every fox."""
    least, most = zip(*(area.point_bounds for area in definition.areas), strict=True)
    foxes = definition.foxes
    return sum(least) + foxes * min(0, *least), sum(most) + foxes * min(most)


def name_features(definition: CleverDefinition, players: int) -> list[Feature]:
    """Name the features of a seat: the table, then the sheets, its own first."""
    return [
        *name_table(definition, players),
        *(feature for turn in range(players) for feature in _sheet(definition, f"sheet{turn}")),
    ]


def name_table(definition: CleverDefinition, players: int) -> Iterator[Feature]:
    """Name the features of the table."""
    yield Feature("round", 0, max(definition.tables.rounds))
    yield Feature("phase", 0, OVER)
    yield Feature("roll", 0, ROLLS)
    yield Feature("active player", 0, players - 1)
    yield Feature("player who begins", 0, players - 1)
    for letter in definition.letters:
        yield Feature(f"die {letter} face", 0, 6)
        yield Feature(f"die {letter} lies (0 hand, 1 platter, 2 field)", 0, 2)
        yield Feature(f"die {letter} may follow", 0, 1)


def _sheet(definition: CleverDefinition, owner: str) -> Iterator[Feature]:
    sheet = definition.tables
    yield Feature(f"{owner} stage", 0, ADDING)
    yield Feature(f"{owner} foxes", 0, definition.foxes)
    yield Feature(f"{owner} total points", *point_bounds(definition, 1))
    for letter in definition.letters:
        yield Feature(f"{owner} die {letter} used as extra", 0, 1)
    for bonus in range(PLACED, sheet.bonuses):
        yield Feature(f"{owner} bonus {definition.bonus_names[bonus]} to place", 0, MOST_OF_A_BONUS)
    for action in range(ACTIONS):
        yield Feature(f"{owner} {ACTION_NAMES[action]} left", 0, sheet.action_fields[action])
        yield Feature(f"{owner} {ACTION_NAMES[action]} unlocked", 0, sheet.action_fields[action])
    for area in definition.areas:
        yield Feature(f"{owner} {area.name} points", *area.point_bounds)
        yield Feature(f"{owner} {area.name} room", 0, 2 * CELLS)
        yield Feature(f"{owner} {area.name} last", 0, 12)
        for cell in range(len(area.cells)):
            name, highest = area.kind.cell_feature(area, cell)
            yield Feature(f"{owner} {area.name} {name}", 0, highest)


def player_moves(definition: CleverDefinition, players: int) -> list[int]:
    """List every move that a player can make in some position, in ascending order."""
    sheet = definition.tables
    found = {PASS, REROLL_ALL, DONE, *range(TAKE_BACK, TAKE_BACK + DICE)}
    for use in range(USES):
        area = definition.areas[sheet.use_area[use]]
        found |= {sheet.use_move[use] + slot for slot in area.kind.slots(area, FREE)}
    if sheet.follow_area >= 0:
        for die, masks in enumerate(sheet.follow_cells):
            first = die * ENTRIES + sheet.follow_area * CELLS
            found |= {first + cell for mask in masks for cell in bits_of(mask)}
    for bonus in range(PLACED, sheet.bonuses):
        for option in range(sheet.options[bonus]):
            area = definition.areas[sheet.option_area[bonus][option]]
            first = PLACE + (bonus - PLACED) * ENTRIES + area.index * CELLS
            slots = area.kind.slots(area, sheet.option_value[bonus][option])
            found |= {first + slot for slot in slots}
    return sorted(found)


def name_move(definition: CleverDefinition, move: int) -> str:
    """Return a text of a move that is unique in all positions."""
    text = move_text(definition, State(), 0, move)
    return f"{text} ({bonus_placed(definition, move)})" if PLACE <= move < PASS else text


def dice_due(state: State) -> int:
    """Return how many dice are rolled next."""
    return state.hand.bit_count()
