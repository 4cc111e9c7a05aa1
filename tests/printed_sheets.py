"""The two printed sheets, typed off the rules pages by hand.

The yardstick for the data files and for the referee. Bonuses are written as on the page: RR a
re-roll, RET a return, +1 an extra die, X a cross, ? a free entry. ``-`` means none.
"""

from __future__ import annotations

from typing import ClassVar


def numbers(text: str) -> list[int]:
    return [int(word) for word in text.replace("-", "0").split()]


def bonuses(text: str) -> list[str]:
    """Bonuses separated by commas; a missing one is the empty text."""
    return ["" if name.strip() == "-" else name.strip() for name in text.split(",")]


def as_printed(name: str) -> str:
    """The name of a bonus in a data file as the rules page writes it."""
    return {"reroll": "RR", "return": "RET", "extra": "+1"}.get(name, name.replace(" x", " X"))


ROUNDS_BY_PLAYERS = {1: 6, 2: 6, 3: 5, 4: 4}


class Ganz:
    key = "ganz-schoen-clever"
    dice = ("yellow", "blue", "green", "orange", "purple", "white")
    areas = dice[:5]
    rewards = bonuses("RR, +1, RR, black, -, -")
    black = ("yellow X", "blue X", "green X", "orange 6", "purple 6")
    action_fields: ClassVar = {"RR": 7, "+1": 7}
    action_ends: ClassVar = {}
    foxes = 5
    rating = numbers("281 260 240 220 200 180 160 140")

    yellow_rows = ("3 6 5 X", "2 1 X 5", "1 X 2 4", "X 3 4 6")
    yellow_row_bonus = bonuses("blue X, orange 4, green X, fox")
    yellow_diagonal = numbers("3 1 2 6")
    yellow_diagonal_bonus = "+1"
    yellow_column_points = numbers("10 14 16 20")

    blue_rows = ("2 3 4", "5 6 7 8", "9 10 11 12")
    blue_row_bonus = bonuses("orange 5, yellow X, fox")
    blue_columns = ("5 9", "2 6 10", "3 7 11", "4 8 12")
    blue_column_bonus = bonuses("RR, green X, purple 6, +1")
    blue_points = numbers("1 2 4 7 11 16 22 29 37 46 56")

    green_minimum = numbers("1 2 3 4 5 1 2 3 4 5 6")
    green_bonus = bonuses("-, -, -, +1, -, blue X, fox, -, purple 6, RR, -")
    green_points = numbers("1 3 6 10 15 21 28 36 45 55 66")

    orange_factor = numbers("1 1 1 2 1 1 2 1 2 1 3")
    orange_bonus = bonuses("-, -, RR, -, yellow X, +1, -, fox, -, purple 6, -")

    purple_bonus = bonuses("-, -, RR, blue X, +1, yellow X, fox, RR, green X, orange 6, +1")


class Doppelt:
    key = "doppelt-so-clever"
    dice = ("silver", "yellow", "blue", "green", "pink", "white")
    areas = dice[:5]
    rewards = bonuses("RR, +1, RET, black, -, -")
    black = ("silver ?", "yellow ?", "blue ?", "green ?", "pink ?")
    action_fields: ClassVar = {"RR": 6, "RET": 6, "+1": 6}
    action_ends: ClassVar = {"RR": "fox", "RET": "pink ?", "+1": "silver ?"}
    foxes = 6
    rating = numbers("320 300 280 260 240 220 200 180 160 140")

    silver_rows = ("yellow", "blue", "green", "pink")
    silver_columns = numbers("1 2 3 4 5 6")
    silver_column_bonus = bonuses("+1, yellow ?, fox, blue ?, green ?, pink ?")
    silver_row_points = numbers("2 4 7 11 16 22")

    yellow_lattice = ("- 3 - 6", "1 - 2 -", "- 4 - 3", "2 - 5 -", "- 5 - 4")
    yellow_row_bonus = bonuses("blue ?, RET, yellow ?, green ?, pink ?")
    yellow_column_bonus = bonuses("RR, +1, silver ?, fox")
    yellow_points = numbers("3 10 21 36 55 75 96 118 141 165")

    blue_bonus = bonuses("-, RET, yellow ?, -, +1, RR, pink ?, -, fox, RET, -, green ?")
    blue_points = numbers("1 3 6 10 15 21 28 36 45 55 66 78")

    green_factor = numbers("2 2 2 1 3 3 3 2 3 1 4 1")
    green_bonus = bonuses("-, RR, -, blue ?, RET, -, fox, silver ?, +1, -, pink ?, yellow ?")

    pink_minimum = numbers("- - 2 3 4 5 6 2 3 4 5 6")
    pink_bonus = bonuses(
        "-, -, RR, RET, +1, green ?, yellow ?, fox, silver ?, RR, blue ?, yellow ?"
    )
