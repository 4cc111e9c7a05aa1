"""Which tests run when: ``./check quick``, ``./check`` and ``./check full``.

A test is ``slow`` by its folder or file: ``./check quick`` leaves it out. A test is ``full`` by its
name or its parameters: ``./check`` runs one of several similar cases, ``./check full`` all of them.
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
FULL = {  # cases that are left to ./check full, and why: other cases of the same tests are not
    # Four to seven players: the table only has more seats. ./check plays with 1, 2, 3 and 8.
    r"test_parity\.py::.*\[(\w+-)?geht-noch-was-[4-7]-",
    r"test_games\.py::.*\[geht-noch-was-[4-7]\]",
    r"test_position_text\.py::.*\[geht-noch-was-[4-7]-",
    r"referee/test_referee_climb\.py::.*\[[4-7]-",
    # More games with other dice, and look-ahead for more seats, which runs the same code.
    r"test_parity\.py::test_kernel_and_cpython_agree_move_by_move\[.*\brest\b",
    r"test_parity\.py::test_computer_players_stay_within_bounds\[.*-[2348]-search\]",
    # Eight seats: ./check compares the engine with the referee on the games of one policy.
    r"referee/test_referee_climb\.py::.*\[8-[12]-(climber|anything)\]",
    # A search of every move takes seconds: ./check replays the recorded ones of the Clever games,
    # and compares kernel and CPython in games of one and of two.
    r"ai/test_scores\.py::.*\[search geht",
    r"ai/test_climb_players\.py::test_kernel_and_cpython_think_alike\[[34]-",
    # Statistics over many games: ./check does them with the strongest player of one game only.
    r"review/test_fairness\.py::test_luck_is_nothing_on_average\[(.*-(random|medium)|geht.*)\]",
    r"review/test_fairness\.py::test_weaker_players_lose_more\[geht",
    r"review/test_skill\.py::test_dice_luck.*\[geht",
    # The two Clever games differ in their sheets alone, which the tests of rules read. Reviews,
    # puzzles and entered games of both run the same code.
    r"review/test_fairness\.py::.*\[doppelt-so-clever",
    r"review/test_skill\.py::test_dice_luck.*\[doppelt-so-clever",
    r"server/test_companion\.py::test_whole_games_are_entered.*\[\d-doppelt-so-clever",
    r"test_puzzles\.py::test_a_puzzle_has_one_clearly_best_move.*\[doppelt-so-clever",
    # ./check damages the file of one Clever game.
    r"test_data_files\.py::test_a_damaged_file.*\[doppelt",
    r"test_unique_texts\.py::test_texts_of_legal_moves.*\[doppelt",
    # Building is the same for all games; a puzzle of Ganz schön clever is found soonest.
    r"test_puzzles\.py::test_a_puzzle_is_never_similar.*\[(doppelt-so-clever|geht-noch-was)",
    r"test_puzzles\.py::test_puzzles_survive_their_file.*\[(doppelt-so-clever|geht-noch-was)",
    # More random functions for the translator: ./check tries the first ones.
    r"kernel/test_grammar\.py::.*\[many\]",
    # A cluster shares out jobs, whatever they are: ./check plays one game on it.
    r"simulation/test_cluster\.py::test_a_cluster_plays_the_same_games.*\[(?!ganz)",
    # More of the same: the first ten times are in ./check.
    r"server/test_process\.py::test_no_acknowledged_move_is_lost.*\[50\]",
    # Long games of one kind of action: ./check plays one.
    r"server/test_long_games\.py::test_a_game_of_rerolls_and_returns_ends\[(?!reroll-doppelt)",
    # The commands of an operator ask the server, which reads from either store. The stores have
    # tests of their own, and ./check lists tables, people and counts of both.
    r"server/test_admin\.py::(?!test_tables_people_and_counts).*\[PostgreSQL\]",
    r"server/test_deletion\.py::test_a_friend_who_reads.*\[postgres\]",
    # More moments at which a server is killed: ./check has those between a move and its notice.
    r"server/test_notices\.py::test_a_notice_survives_the_end_of_its_server\[postgres-queued\]",
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
    # ./check plays one game of a server in Firefox.
    r"browser/test_other_browsers\.py::test_a_game_alone.*\[(?!firefox-ganz)",
    # Whole games of them are played by clicks against a computer player.
    r"browser/test_whole_games\.py::test_a_whole_game_alone_by_clicks\[(ganz|geht)",
    # The same words and places on the sheet of the other family.
    r"browser/test_beginning\.py::test_one_press_begins.*\[geht",
    r"browser/test_newcomer\.py::.*\[ganz",
    r"browser/test_places\.py::test_nothing_moves_through_a_whole_game\[ganz",
    r"browser/test_review\.py::test_a_pasted_game_fits_a_phone\[ganz",
    r"browser/test_everybody\.py::test_a_whole_game_fits_a_phone\[ganz",
    r"browser/test_everybody\.py::test_the_keyboard_alone_suffices\[ganz",
    r"browser/test_places\.py::test_(dice_prompt_and|what_is_to_be_touched|wide_screens).*\[geht",
    r"cli/test_fullscreen\.py::test_the_end_shows_the_result.*\[doppelt",
    # A dead connection: ./check loses the answers, which is harder than to lose everything.
    r"browser/test_connection\.py::test_a_move_made_over_a_dead_connection.*\[nothing",
    # Another lie about the same part of a draw, and other refusals of the same request.
    r"browser/test_lying_server\.py::.*\[(LeavesSaltOut|ReplaysSecret|SaltsComputerAsPerson)\]",
    r"browser/test_lying_server\.py::.*\[(too_fast|not_saved)\]",
    # The same flow with the other family's sheet, or with another kind of the same damage.
    r"browser/test_companion\.py::test_a_whole_game_by_taps_on_a_phone\[ganz-schoen-clever\]",
    r"browser/test_site\.py::test_a_game_from_elsewhere.*\[ganz-schoen-clever-1\]",
    r"browser/test_site\.py::test_a_table_that_this_version_cannot_read.*\[moves\]",
    r"browser/test_whole_games\.py::test_a_whole_game_against_a_computer.*\[(ganz|doppelt)-",
}
ONLY_FULL = {  # tests that are left to ./check full in all their cases, and why
    # Clones, containers and collecting all tests twice take minutes.
    *("packaging/test_clean_clone.py", "server/test_container.py"),
    "test_tiers.py::test_the_quick_tests_are_a_part_of_all_and_need_no_browser",
    "test_tiers.py::test_every_case_that_is_left_out_has_one_that_is_not",
    # ./check asks one of two type checkers.
    "test_boards.py::test_mypy_accepts_the_players_and_finds_a_mistake",
    # ./check plays on a cluster and kills a worker; nodes and training take longer.
    "simulation/test_cluster.py::test_a_clever_net_learns_the_same_on_a_cluster",
    "simulation/test_cluster.py::test_an_agent_that_fails_loses_no_finished_game",
    "simulation/test_cluster.py::test_every_game_can_be_written_down",
    "simulation/test_cluster.py::test_the_nets_of_geht_noch_was_learn_the_same_on_a_cluster",
    "simulation/test_cluster.py::test_what_is_lost_with_a_node_is_played_again",
    # Five games with a deck of equal cards.
    "server/test_long_games.py::test_identical_cards_are_exchanged",
    # Webhooks use the queue of notices, which ./check tests with kills, and with two servers.
    "server/test_webhooks.py::test_a_message_survives_the_end_of_its_server",
    "server/test_webhooks.py::test_two_servers_write_one_message",
    # Whole games that end in what ./check looks at elsewhere: games given up in
    # server/test_daily.py, shared pictures in test_the_system_shares_invitations_and_results, cards
    # to be placed in test_friends.py, a table of eight in test_places.py. The bars of a result are
    # in ./check full alone.
    "browser/test_daily.py::test_an_unfinished_game_of_yesterday_says_that_it_counts_as_given_up",
    "browser/test_learning.py::test_the_result_has_bars_is_kept_and_can_be_shared_as_a_picture",
    "browser/test_whole_games.py::test_a_whole_game_with_cards_placed_freely_and_the_solo_rules_for_two",
    "browser/test_whole_games.py::test_a_whole_game_of_eight_four_of_them_at_one_screen",
    # The site without a server: ./check plays it in Chromium without a network, takes a new
    # version, fills its storage, and kills its tabs. Node compares its moves with Python in
    # tests/site.
    "browser/test_site.py::test_a_later_visit_restores_python_unless_its_snapshot_is_damaged",
    "browser/test_site.py::test_a_new_version_covers_nothing_one_plays_with_and_can_wait",
    "browser/test_site.py::test_tabs_share_a_worker_and_play_on_without_the_first_of_them",
    "browser/test_site.py::test_leaving_a_table_goes_to_the_start_page_of_the_folder",
    "browser/test_site.py::test_an_interrupted_download_is_told_and_can_be_tried_again",
    "browser/test_site.py::test_a_review_is_kept_with_its_table_and_a_moment_of_it_shared_as_a_link",
    "browser/test_site.py::test_the_same_seeds_give_the_same_moves_in_this_browser_as_in_python",
    "browser/test_site.py::test_real_dice_are_entered_in_a_whole_game",
    "browser/test_site.py::test_finished_games_of_this_browser_have_statistics",
    "browser/test_site.py::test_a_table_of_an_older_version_is_played_on",
    "browser/test_sub_path.py::test_it_is_installed_below_its_path_and_starts_without_a_network",
    "browser/test_other_browsers.py::test_the_site_starts_and_goes_on_without_a_network",
    "cli/test_build_site.py::test_parts_of_the_last_version_are_left_for_pages_that_are_open",
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
        if name.startswith(tuple(ONLY_FULL)) or left_out.match(name):
            item.add_marker("full")
    for cases in screens.values():
        if any(PHONE.search(case.nodeid) for case in cases):
            for case in cases:
                if OTHER_SCREEN.search(case.nodeid):
                    case.add_marker("full")
