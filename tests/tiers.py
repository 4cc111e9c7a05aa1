"""Which tests run when: ``./check quick``, ``./check`` and ``./check full``.

A test is ``slow`` by its folder or file: ``./check quick`` leaves it out. A test is ``full`` by its
parameters: ``./check`` runs one of several similar cases, ``./check full`` all of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
SLOW = {  # folders, and files elsewhere
    *("ai", "browser", "envs", "kernel", "referee", "review", "server", "simulation", "site"),
    *("cli/test_bench.py", "cli/test_data_out.py", "cli/test_mcp.py", "climb/test_random_play.py"),
    *("cli/test_build_site.py", "cli/test_fullscreen.py", "test_data_files.py", "test_docs.py"),
    *("test_parity.py", "test_puzzles.py", "test_run_tests.py", "test_third_sheet.py"),
}
FULL = {  # what is left to ./check full, and why
    # Four to seven players: the table only has more seats. ./check plays with 1, 2, 3 and 8.
    r"test_parity\.py::.*\[(\w+-)?geht-noch-was-[4-7]-",
    r"test_games\.py::.*\[geht-noch-was-[4-7]\]",
    r"test_position_text\.py::.*\[geht-noch-was-[4-7]-",
    r"referee/test_referee_climb\.py::.*\[[4-7]-",
    # More games with other dice, and look-ahead for more seats, which runs the same code.
    r"test_parity\.py::test_kernel_and_cpython_agree_move_by_move\[.*\brest\b",
    r"test_parity\.py::test_computer_players_stay_within_bounds\[.*-[48]-search\]",
    # Statistics over many games: ./check does them with the strongest player only.
    r"review/test_fairness\.py::test_luck_is_nothing_on_average\[.*-(random|medium)\]",
    # The two Clever games differ in their sheets alone, which the tests of rules read. Reviews,
    # puzzles and entered games of both run the same code.
    r"review/test_fairness\.py::.*\[doppelt-so-clever",
    r"review/test_skill\.py::test_dice_luck.*\[doppelt-so-clever",
    r"server/test_companion\.py::test_whole_games_are_entered.*\[\d-doppelt-so-clever",
    r"test_puzzles\.py::test_a_puzzle_has_one_clearly_best_move.*\[doppelt-so-clever",
    # Building is the same for all games; a puzzle of Ganz schön clever is found soonest.
    r"test_puzzles\.py::test_a_puzzle_is_never_similar.*\[(doppelt-so-clever|geht-noch-was)",
    r"test_puzzles\.py::test_puzzles_survive_their_file.*\[(doppelt-so-clever|geht-noch-was)",
    # More of the same: the first ten times are in ./check.
    r"server/test_process\.py::test_no_acknowledged_move_is_lost.*\[50\]",
    # Webhooks use the queue of notices, which ./check tests with kills on both kinds of stores.
    r"server/test_webhooks\.py::test_a_message_survives.*\[postgres\]",
    r"server/test_notices\.py::test_a_notice_survives.*\[.*unseen",
    # In the browser both Clever games use the same components: ./check plays one of them, and both
    # in test_whole_games.py.
    r"browser/(?!test_whole_games).*\[(.*-)?doppelt-so-clever",
    # Computer players in the browser's own Python: tests/site compares every move of all of them.
    r"browser/test_site\.py::test_a_whole_game_against_each_level.*\[(?!geht-noch-was-greedy)",
    # The same page in a light and a dark theme, with other numbers of players, in other languages:
    # ./check takes the dark one, three players, and German with the longest words.
    r"browser/.*::test_axe_finds_nothing_serious.*\[light\]",
    r"browser/test_result\.py::test_nothing_moves.*\[(alone on a phone|four|five)\]",
    r"browser/test_review\.py::test_reviews_are_told_in_each_language\[(en|nl)\]",
    r"browser/test_everybody\.py::test_every_text_is_there_in_each_language\[(en|nl)-",
    r"browser/test_places\.py::test_every_page_fits_a_small_phone_in_every_language\[(en|nl)\]",
    r"browser/test_newcomer\.py::.*-(en|nl)-",
    r"browser/test_legal\.py::.*\[1280\]",
    # ./check plays a game of a server in Firefox, and one of the site without a network in WebKit.
    r"browser/test_other_browsers\.py::test_a_game_alone.*\[(?!firefox-ganz)",
    r"browser/test_other_browsers\.py::test_the_site_starts.*\[firefox\]",
    # ./check plays whole games with fewer players, and looks at a table of eight in test_places.py.
    r"browser/test_whole_games\.py::test_a_whole_game_of_eight",
    # Whole games of them are played by clicks against a computer player.
    r"browser/test_whole_games\.py::test_a_whole_game_alone_by_clicks\[(ganz|geht)",
    # The same flow with the other family's sheet, or with another kind of the same damage.
    r"browser/test_companion\.py::test_a_whole_game_by_taps_on_a_phone\[ganz-schoen-clever\]",
    r"browser/test_site\.py::test_a_game_from_elsewhere.*\[ganz-schoen-clever-1\]",
    r"browser/test_site\.py::test_a_table_that_this_version_cannot_read.*\[moves\]",
    r"browser/test_whole_games\.py::test_a_whole_game_against_a_computer.*\[doppelt-so-clever\]",
}
# Flows in the browser that run on several screens: ./check runs them on an upright phone.
OTHER_SCREEN = re.compile(r"\[(.*-)?(desktop|wide|widest|laptop|tablet|on its side|small)\]")
PHONE = re.compile(r"\[(.*-)?(phone|upright)\]")


def leaves_out(expression: str, path: Path) -> bool:
    """Return whether a ``-m`` expression leaves a whole folder or file out.

    Importing it would take longer than many tests.
    """
    name = path.relative_to(TESTS).as_posix()
    return expression.startswith("not slow") and name in SLOW


def mark(items: Sequence[pytest.Item]) -> None:
    """Mark tests as ``browser``, ``slow`` and ``full``."""
    left_out = re.compile("|".join(FULL))
    screens = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        parts = item.path.relative_to(TESTS).parts
        if parts[0] == "browser":
            item.add_marker("browser")
            screens[name.partition("[")[0]].append(item)
        if {parts[0], "/".join(parts)} & SLOW:
            item.add_marker("slow")
        if left_out.match(name):
            item.add_marker("full")
    for cases in screens.values():
        if any(PHONE.search(case.nodeid) for case in cases):
            for case in cases:
                if OTHER_SCREEN.search(case.nodeid):
                    case.add_marker("full")
