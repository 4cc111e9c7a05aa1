"""The style sheets of the page and of the games."""

import re
from pathlib import Path

WEB = Path(__file__).parents[1] / "web" / "src"
SHEETS = {path.name: path.read_text(encoding="utf-8") for path in sorted(WEB.rglob("*.css"))}
BREAKPOINTS = SHEETS["breakpoints.css"]


def test_each_breakpoint_is_written_once_and_has_a_name() -> None:
    named = set(re.findall(r"@custom-media (--[\w-]+)", BREAKPOINTS))
    queries = [
        (name, query) for name, text in SHEETS.items() for query in re.findall(r"@media[^{]*", text)
    ]
    assert [found for found in queries if re.search(r"\d(px|em)", found[1])] == []
    containers = [
        found for text in SHEETS.values() for found in re.findall(r"@container[^{]*", text)
    ]
    assert [
        query for query in containers if re.search(r"\dpx|(min|max)-(width|height)", query)
    ] == []
    assert {used for _, query in queries for used in re.findall(r"\((--[\w-]+)\)", query)} == named


def test_scripts_and_styles_agree_on_wide_screens() -> None:
    (wide,) = re.findall(r'WIDE = "(.*)"', (WEB / "media.ts").read_text(encoding="utf-8"))
    assert f"@custom-media --wide {wide};" in BREAKPOINTS


def test_no_class_is_selected_by_a_part_of_its_name() -> None:
    assert [name for name, text in SHEETS.items() if re.search(r"\[class[*^$]=", text)] == []


def test_text_has_the_size_that_the_user_has_chosen() -> None:
    sizes = {name: re.findall(r"font-size:\s*[\d.]+px", text) for name, text in SHEETS.items()}
    assert {name: found for name, found in sizes.items() if found} == {}
