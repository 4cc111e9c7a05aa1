"""Whole games in a terminal that is a pipe: moves, mistakes, undo, save and resume."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Run
from foxclover import transcripts
from foxclover.ai import Agent, agent
from foxclover.ai.nets import NetError
from foxclover.cli import saves, screen
from foxclover.core.game import Game, game, game_names
from foxclover.core.ratings import GRADES, rating_words
from foxclover.core.rules import CHANCE
from foxclover.locale import catalogue

LONG = "1\n" * 2000


def scores(out: str) -> list[int]:
    """The last row of totals."""
    return [
        int(text)
        for line in out.splitlines()
        if line.startswith("total")
        for text in line.split()[1:]
    ]


@pytest.mark.parametrize("key", game_names())
@pytest.mark.parametrize(
    "players", ["Ada", "Ada,Bo", "Ada,computer:greedy,computer:random", "A,B,C,D"]
)
def test_a_whole_game_can_be_played_by_numbers(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, key: str, players: str
) -> None:
    save = tmp_path / "game.txt"
    assert run("play", key, "--players", players, "--seed", 11, "--save", save, typed=LONG) == 0
    out = capsys.readouterr().out
    transcript = transcripts.read(save.read_text())
    assert transcript.position.over
    assert transcript.header.dice == "seed 11"
    assert scores(out) == [
        transcript.position.score(seat) for seat in range(transcript.position.players)
    ]
    assert "\x1b" not in out


def test_a_solo_game_is_rated(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "ganz", "--players", "Ada:greedy", "--seed", 2) == 0
    out = capsys.readouterr().out
    (total,) = scores(out)
    steps = [total >= lowest for lowest in (140, 160, 180, 200, 220, 240, 260, 281)]
    assert f"Rating {1 + sum(steps)} of 9: " in out
    assert "281 or more" in out
    assert "below 140" in out
    assert sum(line.startswith("▸") for line in out.splitlines()) == 1


@pytest.mark.parametrize(("key", "levels"), [("ganz", 9), ("doppelt", 11), ("geht", 8)])
def test_all_levels_of_the_rulebooks_have_names_of_their_own(key: str, levels: int) -> None:
    printed = game(key).layout()["levels"]
    assert len(printed) == levels
    assert len({level["grade"] for level in printed}) == levels
    assert (printed[0]["grade"], printed[-1]["grade"]) == (0, GRADES - 1)


def test_the_points_to_the_next_rating_are_shown() -> None:
    translate = catalogue("en")
    levels = game("doppelt").layout()["levels"]
    assert rating_words(levels, 299, translate) == [
        "Rating 9 of 11: brilliant.",
        "1 point to the next rating: outstanding.",
    ]
    assert rating_words(levels, 320, translate) == [
        "Rating 11 of 11: legendary, foxes will sing about it."
    ]
    assert rating_words(game("geht").layout()["levels"], 0, translate) == [
        "No rating yet.",
        "1 point to the next rating: room for improvement.",
    ]


def test_who_begins_can_be_chosen_or_drawn(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen, drawn, typed = (tmp_path / name for name in ("chosen", "drawn", "typed"))
    assert (
        run(
            "play",
            "ganz",
            "--players",
            "Ada:greedy,Bo:greedy",
            "--first-player",
            2,
            "--seed",
            1,
            "--save",
            chosen,
        )
        == 0
    )
    assert "begins: 2\n" in chosen.read_text()
    assert "\n2: " in chosen.read_text().partition("\n1: ")[0]
    assert (
        run(
            "play",
            "geht",
            "--players",
            "Ada:greedy,Bo:greedy",
            "--first-player",
            "random",
            "--seed",
            1,
            "--save",
            drawn,
        )
        == 0
    )
    assert "is the start player" in capsys.readouterr().out
    assert run("replay", drawn) == 0
    assert (
        run(
            "play",
            "ganz",
            "--players",
            "Ada,Bo",
            "--first-player",
            "random",
            "--real-dice",
            "--save",
            typed,
            typed="3\n2\nquit\n",
        )
        == 0
    )
    out = capsys.readouterr().out
    assert "Draw the start player" in out
    assert "a seat from 1 to 2" in out
    assert "chance: begins 2" in typed.read_text()


@pytest.mark.parametrize(
    ("players", "start_player"),
    [("Ada", "random"), ("Ada", "2"), ("Ada,Bo", "3"), ("Ada,Bo", "Bo")],
)
def test_an_impossible_start_player_is_refused(
    run: Run, capsys: pytest.CaptureFixture[str], players: str, start_player: str
) -> None:
    assert run("play", "ganz", "--players", players, "--first-player", start_player) == 2
    assert (
        f"{start_player} cannot be the start player"
        if "," in players
        else "A solo game has only one start player"
    ) in capsys.readouterr().err


def test_computer_players_of_the_same_name_get_numbers(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("play", "ganz", "--players", "computer:greedy,computer:greedy", "--seed", 2) == 0
    assert "computer 2" in capsys.readouterr().out


def test_the_same_seed_rolls_the_same_dice(run: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        assert run("play", "doppelt", "--seed", 3, "--save", tmp_path / name, typed=LONG) == 0
    assert (tmp_path / "one").read_text() == (tmp_path / "two").read_text()


def test_a_move_can_be_typed_in_the_notation_or_its_beginning(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "game.txt"
    assert run("play", "ganz", "--seed", 1, "--save", save, typed="") == 0
    position = transcripts.read(save.read_text()).position
    move = next(move for move in position.legal_moves(0) if move.text.startswith("y"))
    assert run("play", "--resume", save, typed=f"  {move.text.upper()} \n") == 0
    assert transcripts.read(save.read_text()).position.moves_made[1] == move
    capsys.readouterr()


def test_mistakes_at_the_prompt_change_nothing_and_are_explained(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "game.txt"
    assert (
        run("play", "ganz", "--seed", 1, "--save", save, typed="99\nhello\nw\ny>y6z\n\nundo\n") == 0
    )
    out = capsys.readouterr().out
    assert "There is no move 99" in out
    assert "“hello” cannot be read." in out
    assert "“w” could be several moves. Possible: w>" in out
    assert "There is nothing to undo" in out
    assert all(
        move.seat == CHANCE for move in transcripts.read(save.read_text()).position.moves_made
    )


def test_undo_takes_back_the_last_own_move_until_chance_has_spoken(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "game.txt"
    assert (
        run(
            "play",
            "doppelt",
            "--seed",
            3,
            "--players",
            "Ada,Bo",
            "--save",
            save,
            typed="1\n1\nundo\nundo\nundo\n",
        )
        == 0
    )
    out = capsys.readouterr().out
    assert out.count("Undone:") == 2
    assert "There is nothing to undo" in out
    assert len(transcripts.read(save.read_text()).position.moves_made) == 1


@pytest.mark.parametrize("key", game_names())
def test_every_decision_can_be_taken_back_before_the_dice_fall(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str], key: str
) -> None:
    save = tmp_path / "game.txt"
    for _ in range(40):
        if not save.exists():
            assert (
                run(
                    "play", key, "--seed", 3, "--players", "Ada,Bo:greedy", "--save", save, typed=""
                )
                == 0
            )
        before = transcripts.read(save.read_text()).position
        if before.acting == (0,):
            assert run("play", "--resume", save, typed="1\nundo\n") == 0
            assert transcripts.read(save.read_text()).position.moves_made == before.moves_made
        assert run("play", "--resume", save, typed="1\n") == 0
    assert "Nothing of yours" not in capsys.readouterr().out


def test_undo_takes_back_typed_dice_too(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "game.txt"
    typed = "y1b2g3o4p5w7\ny1b2g3o4p5w6\nundo\ny6b5g4o3p2w1\n"
    assert run("play", "ganz", "--real-dice", "--save", save, typed=typed) == 0
    transcript = transcripts.read(save.read_text())
    assert transcript.header.dice == "typed"
    assert [str(move) for move in transcript.position.moves_made] == ["y6b5g4o3p2w1"]
    assert "“y1b2g3o4p5w7”" in capsys.readouterr().out


def test_a_game_cut_off_after_every_move_ends_like_one_played_through(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole, pieces = tmp_path / "whole.txt", tmp_path / "pieces.txt"
    assert run("play", "ganz", "--seed", 8, "--players", "Ada,Bo", "--save", whole, typed=LONG) == 0
    assert (
        run("play", "ganz", "--seed", 8, "--players", "Ada,Bo", "--save", pieces, typed="1\n") == 0
    )
    assert f"foxclover play --resume {pieces}" in capsys.readouterr().out
    for _ in range(300):
        if transcripts.read(pieces.read_text()).position.over:
            break
        assert run("play", "--resume", pieces, typed="1\n") == 0
    assert pieces.read_text() == whole.read_text()


def test_the_end_of_the_input_leaves_a_saved_game_and_is_no_error(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("play", "ganz", "--seed", 1, typed="1\n") == 0
    out, error = capsys.readouterr()
    assert "The game is saved. Continue with: foxclover play --resume" in out
    assert not error


GERMAN = [
    ("gelb>gelb3a", "y>y3a"),
    ("ge3a", "y>y3a"),
    ("G>G3A", "y>y3a"),
    ("y>y3a", "y>y3a"),
    ("l", "p>p6"),
    ("grün>gr4", "g>g4"),
    ("gruen>", "g>g4"),
]


@pytest.mark.parametrize(("typed", "move"), GERMAN)
def test_moves_are_typed_with_the_letters_of_the_players_language(
    run: Run, tmp_path: Path, typed: str, move: str
) -> None:
    save = tmp_path / "game.txt"
    words = f"ge3b2gr4o1l6w5\n{typed}\n"
    assert run("play", "ganz", "--real-dice", "--lang", "de", "--save", save, typed=words) == 0
    assert [str(made) for made in transcripts.read(save.read_text()).position.moves_made] == [
        "y3b2g4o1p6w5",
        move,
    ]


def test_a_letter_that_two_colours_begin_with_is_asked_about(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save = tmp_path / "game.txt"
    assert (
        run(
            "play",
            "ganz",
            "--real-dice",
            "--lang",
            "de",
            "--save",
            save,
            typed="y3b2g4o1p6w5\ng\n",
        )
        == 0
    )
    assert (
        "„g“ kann mehrere Züge bedeuten. Möglich: ge>ge3a, ge>ge3d, gr>gr4"
        in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "erfülle 3"),
        ("de", "ERFUELLE3"),
        ("nl", "voltooi 3"),
        ("en", "fulfil 3"),
        ("de", "fulfil 3"),
    ],
)
def test_moves_of_geht_noch_was_are_typed_with_the_players_words(
    run: Run, tmp_path: Path, language: str, words: str
) -> None:
    save = tmp_path / "game.txt"
    typed = f"3456 444\n1\n1\n3456 444\n{words}\n"
    assert run("play", "geht", "--real-dice", "--lang", language, "--save", save, typed=typed) == 0
    assert str(transcripts.read(save.read_text()).position.moves_made[-1]) == "fulfil 3"


@pytest.mark.parametrize(
    ("key", "command", "shown"),
    [
        ("ganz", "hint", "+0.0  Choose white 1: cross blue 3 [w>b3]"),
        ("geht", "odds", "%"),
        ("ganz", "odds", "Only Geht noch was? has chances"),
        ("ganz", "rules", "── Extra dice ──"),
        ("geht", "rules", "── Rolling ──"),
        ("ganz", "rules", "  281 or more  legendary"),
        ("geht", "rules", "  141 or more  legendary"),
        ("ganz", "score", "  1   2   4   7  11  16  22  29  37  46  56"),
        ("doppelt", "score", "2   4   7  11"),
        ("geht", "score", "Each luck marker on the clover counts 1"),
        ("ganz", "history", "── Round 1 of 6 ──"),
        ("ganz", "review", "You have made no decision yet."),
        ("ganz", "why g#5", "the next one is field 1"),
        ("ganz", "why yellow 99", "Nothing here has this name"),
        ("geht", "why", "Cards above level 1: the first card of a round must be on level 1.\n"),
    ],
)
def test_words_at_the_prompt(
    run: Run, capsys: pytest.CaptureFixture[str], key: str, command: str, shown: str
) -> None:
    assert run("play", key, "--seed", 1, typed=f"{command}\nquit\n") == 0
    assert shown in capsys.readouterr().out.split(" > ", 1)[1]


def test_why_answers_for_the_seats_to_decide_only(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("play", "geht", "--seed", 3, "--players", "A,B,C", typed="why\nquit\n") == 0
    answer = capsys.readouterr().out.partition("A > why\n")[2].partition("A > quit")[0]
    assert answer.count("Cards above level 1") == 1
    assert "Card 7" not in answer, "which is one of B's"


def test_words_at_the_prompt_are_those_of_the_language_too(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert (
        run(
            "play",
            "ganz",
            "--seed",
            1,
            "--lang",
            "de",
            typed="Spielblätter\nspielblaetter\nhilfe\nsheets\nende\n",
        )
        == 0
    )
    out = capsys.readouterr().out
    assert out.count("── Du ──") == 3
    assert "zurück " in out


def test_decisions_so_far_are_reviewed(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "ganz", "--seed", 1, "--players", "Zoe", typed="1\nreview\nquit\n") == 0
    assert "Zoe" in (answer := capsys.readouterr().out.split(" > ")[2])
    assert "dice luck" in answer


def test_ties_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    position = game("ganz").start(2)
    translate = catalogue("en")
    (shared,) = screen.tie_lines(position, ["Ada", "Bo"], translate)
    assert shared == (
        "Tie at 0 points: Ada, Bo. Also equal: the points of the best area (Ada 0, Bo 0). "
        "The place is shared."
    )
    for seat, points in enumerate(([9, 1, 0, 0, 0], [4, 6, 0, 0, 0])):
        position.state.seats[seat].points[:] = points  # type: ignore[attr-defined]
    (decided,) = screen.tie_lines(position, ["Ada", "Bo"], translate)
    assert (
        decided == "Tie at 10 points: Ada, Bo. Decided by the points of the best area: Ada 9, Bo 6."
    )


def test_saved_games_are_listed_and_resumed_by_number(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("play", "--list") == 0
    assert "There is no game in" in capsys.readouterr().out
    assert run("play", "ganz", "--seed", 1, "--players", "Zoe", typed="1\nquit\n") == 0
    assert run("play", "doppelt", "--seed", 1, "--players", "Bo:greedy") == 0
    capsys.readouterr()
    assert run("play", "--list") == 0
    last, first, how = capsys.readouterr().out.splitlines()
    assert "Doppelt so clever, finished: Bo " in last
    assert "Ganz schön clever, Round 1 of 6: Zoe " in first
    assert "--resume NUMBER" in how
    assert run("play", "--resume", 2, typed="quit\n") == 0
    assert "── Zoe · Round 1 of 6 ──" in capsys.readouterr().out
    assert run("play", "--resume", 3) == 2
    assert "There is no saved game 3" in capsys.readouterr().err


def test_quit_leaves_a_game_that_resume_finds_again(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("play", "ganz", "--seed", 1, "--players", "Zoe", typed="1\nquit\n") == 0
    assert "The game is saved" in capsys.readouterr().out
    assert run("play", "--resume", typed="quit\n") == 0
    assert "── Zoe · Round 1 of 6 ──" in capsys.readouterr().out


def test_an_existing_file_is_never_overwritten(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada")
    assert run("play", "ganz", "--save", letter, typed=LONG) == 2
    assert "already exists" in capsys.readouterr().err
    assert letter.read_text() == "Dear Ada"


def test_help_and_sheets_can_be_asked_for(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        run("play", "ganz", "--seed", 1, "--players", "Ada,Bo", typed="help\n?\nsheets\nquit\n")
        == 0
    )
    out = capsys.readouterr().out
    assert out.count("undo your last move") == 2
    assert out.count("such as y>y6a or y6a") == 2
    assert "── Bo ──" in out
    assert run("play", "geht", "--seed", 1, "--players", "Ada,Bo", typed="help\nquit\n") == 0
    assert "such as fulfil 35 or buy g" in capsys.readouterr().out


def test_colours_are_for_terminals_or_on_demand(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert run("play", "ganz", "--seed", 1, typed="quit\n") == 0
    assert "\x1b[" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    assert run("play", "ganz", "--seed", 1, typed="quit\n") == 0
    assert "\x1b[" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("language", "word"), [("de", "Runde 1 von 6"), ("en", "Round 1 of 6"), ("nl", "Ronde 1 van 6")]
)
def test_the_game_speaks_the_language_asked_for(
    run: Run, capsys: pytest.CaptureFixture[str], language: str, word: str
) -> None:
    assert run("play", "ganz", "--seed", 1, "--lang", language, typed="quit\n") == 0
    assert word in capsys.readouterr().out


def test_a_computer_player_without_its_net_plays_weaker_and_says_so(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(name: str, game: Game) -> Agent:
        if name == "net":
            raise NetError("the net is damaged")
        return agent(name, game)

    monkeypatch.setattr("foxclover.cli.session.agent", broken)
    assert run("play", "ganz", "--players", "Bo:net", "--seed", 1) == 0
    assert (
        "Bo cannot play as net (the net is damaged) and plays as greedy instead."
        in capsys.readouterr().out
    )


@pytest.mark.parametrize("text", ["²", "9" * 5000, "٣"])
def test_signs_that_look_like_numbers_are_no_traceback(
    run: Run, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    assert run("play", "ganz", "--seed", 1, typed=f"{text}\nquit\n") == 0
    out = capsys.readouterr().out
    assert "There is no move" in out or "cannot be read" in out


def test_a_transcript_with_a_seed_out_of_range_is_refused(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    save = tmp_path / "game.txt"
    assert run("play", "ganz", "--seed", 1, "--save", save, typed="1\nquit\n") == 0
    damaged = save.read_text().replace("seed 1", "seed " + "9" * 5000)
    save.write_text(damaged)
    assert run("play", "--resume", save) == 1
    assert "is not a seed" in capsys.readouterr().err
    assert save.read_text() == damaged


@pytest.mark.parametrize("seed", ["seed ²", "seed -1", "coins"])
def test_a_transcript_with_a_seed_that_is_none_is_played_on_with_fresh_dice(
    run: Run, tmp_path: Path, seed: str
) -> None:
    save = tmp_path / "game.txt"
    assert run("play", "ganz", "--seed", 1, "--save", save, typed="1\nquit\n") == 0
    save.write_text(save.read_text().replace("seed 1", seed))
    assert run("play", "--resume", save, typed=LONG) == 0
    assert transcripts.read(save.read_text()).position.over


def test_a_save_that_cannot_be_read_does_not_block_the_others(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("play", "ganz", "--seed", 1, "--players", "Zoe", typed="1\nquit\n") == 0
    for name, content in (
        ("torn.txt", b"Fox & Clover transcript 1\ngame: ga"),
        ("picture.txt", b"\x89PNG\xff"),
    ):
        (saves.saves_folder() / name).write_bytes(content)
    capsys.readouterr()
    assert run("play", "--resume", typed="quit\n") == 0
    out, error = capsys.readouterr()
    assert "── Zoe · Round 1 of 6 ──" in out
    assert error.count("Skipped: ") == 2
    assert "torn.txt" in error
    assert "picture.txt" in error
