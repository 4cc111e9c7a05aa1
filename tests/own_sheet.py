"""A third Clever sheet, with colours, words, letters and bonuses of its own."""

from pathlib import Path

from foxclover.core.registry import game_entries

KEY = "ganz-bunt"
CHANGES = {
    "ganz-schoen-clever.toml": "ganz-bunt.toml",
    'title = "Ganz schön clever"': 'title = "Ganz bunt"',
    'designer = "Wolfgang Warsch"': 'designer = "Somebody"',
    "year = 2018": "year = 2026",
    'dice = ["yellow", "blue", "green", "orange", "purple", "white"]': (
        'dice = ["yellow", "blue", "green", "ochre", "burgundy", "white"]\n'
        'letters = ["y", "b", "g", "o", "u", "w"]'
    ),
    'orange = "#ee8434"': 'ochre = "#b87333"',
    'purple = "#7d52bd"': 'burgundy = "#800020"',
    "[actions]": (
        '[words.en]\nochre = "ochre"\nburgundy = "burgundy"\n\n'
        '[words.de]\nochre = "ocker"\nburgundy = "weinrot, weinrote"\n\n'
        "[actions]"
    ),
    'rewards = ["reroll", "extra", "reroll", "black", "", ""]': (
        'rewards = ["extra", "reroll", "fox", "black", "", "burgundy ?"]'
    ),
    "reroll = { fields = 7 }": 'reroll = { fields = 6, end = "green x" }',
    'row_bonus = ["blue x", "orange 4", "green x", "fox"]': (
        'row_bonus = ["burgundy 5", "ochre ?", "green x", "fox"]'
    ),
    "orange": "ochre",
    "purple": "burgundy",
}


def write_sheet(folder: Path) -> Path:
    """Write the sheet into a new folder of its own."""
    text = game_entries()["ganz-schoen-clever"].file.read_text(encoding="utf-8")
    for old, new in CHANGES.items():
        text = text.replace(old, new)
    folder.mkdir()
    path = folder / f"{KEY}.toml"
    path.write_text(text, encoding="utf-8")
    return path
