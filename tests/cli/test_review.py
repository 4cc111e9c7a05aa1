"""Reviews and practice at the command line."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import replace
from pathlib import Path

import pytest

from cli.conftest import Run
from foxclover import transcripts
from foxclover.cli import saves
from foxclover.core.game import game
from foxclover.core.position import Position
from foxclover.core.rules import CHANCE
from foxclover.locale import catalogue
from reviewed import played

SEAT_KEYS = {
    "seat",
    "name",
    "score",
    "start",
    "luck",
    "loss",
    "rest",
    "adjusted",
    "decisions",
    "chance",
    "areas",
    "rounds",
}
DECISION_KEYS = {"at", "round", "move", "words", "best", "loss", "error", "class"}


def write(position: Position, path: Path) -> Path:
    header = transcripts.Header(
        position.game, ["Ada", "Bo", "Cy", "Di"][: position.players], "seed 4"
    )
    path.write_text(transcripts.write(header, position), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def solo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(
        played(game("ganz"), "easy", seed=4), tmp_path_factory.mktemp("games") / "solo.txt"
    )


def test_a_review_is_printed(run: Run, capsys: pytest.CaptureFixture[str], solo: Path) -> None:
    assert run("review", solo) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("Ada, Ganz schön clever: ")
    for part in (
        "Worst decisions:",
        "better: ",
        " ± ",
        "Luckiest rolls:",
        "Unluckiest rolls:",
        "score with average dice luck",
        "By area:",
        "By round:",
    ):
        assert part in shown


def test_a_game_is_read_from_standard_input_too(
    run: Run, capsys: pytest.CaptureFixture[str], solo: Path
) -> None:
    assert run("practise", "-", "--at", 5, "--share", typed=solo.read_text(encoding="utf-8")) == 0
    assert len(transcripts.read(capsys.readouterr().out).position.moves_made) == 5
    assert run("review", "-", typed="nonsense") == 1
    assert "line 1: this is not a transcript" in capsys.readouterr().err


@pytest.mark.parametrize(("language", "word"), [("de", "Glück"), ("nl", "geluk")])
def test_a_review_is_printed_in_other_languages(
    run: Run, capsys: pytest.CaptureFixture[str], solo: Path, language: str, word: str
) -> None:
    assert run("review", solo, "--lang", language) == 0
    shown = capsys.readouterr().out
    assert word in shown
    assert re.search(r"\d,\d", shown)
    assert not re.search(r"\d\.\d", shown)


def test_a_review_as_data_has_the_keys_that_programs_know(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = write(played(game("geht"), "medium", 2), tmp_path / "two.txt")
    picture = tmp_path / "curve.png"
    assert run("review", file, "--json", "--seat", 2, "--plot", picture) == 0
    found = json.loads(capsys.readouterr().out)
    assert found.keys() == {"game", "players", "seats"}
    (seat,) = found["seats"]
    assert seat.keys() == SEAT_KEYS
    assert (seat["seat"], seat["name"], found["players"]) == (2, "Bo", 2)
    assert all(made.keys() == DECISION_KEYS for made in seat["decisions"])
    assert seat["start"] + seat["luck"] - seat["loss"] + seat["rest"] == pytest.approx(
        seat["score"], abs=1e-9
    )
    assert picture.stat().st_size > 1000


def sentence(run: Run, capsys: pytest.CaptureFixture[str], *words: object, code: int = 2) -> str:
    assert run(*words) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.count("\n") == 1
    return printed.err


@pytest.mark.parametrize(
    ("language", "words"),
    [("de", ("zeigen", "weiter", "ende")), ("nl", ("tonen", "volgende", "stop"))],
)
def test_mistakes_are_practised_with_the_words_of_a_language(
    run: Run, capsys: pytest.CaptureFixture[str], solo: Path, language: str, words: tuple[str, ...]
) -> None:
    assert run("practise", solo, "--lang", language, typed="\n".join([*words, ""])) == 0
    first, *others = capsys.readouterr().out.splitlines()
    assert all(word in first for word in words)
    translate = catalogue(language)
    assert sum(line.startswith(translate("practice.answer", best="")) for line in others) == 2
    assert run("practise", solo, "--lang", language, typed="show\nquit\n") == 0


def test_a_review_so_far_lists_lucky_and_unlucky_rolls(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("play", "ganz", "--seed", 3, "--lang", "de", typed="1\n\n1\nanalyse\nende\n") == 0
    shown = capsys.readouterr().out
    assert "Glücklichste Würfe" not in shown, "both rolls were bad"
    assert shown.count("  nach Zug 0, ") == shown.count("  nach Zug 2, ") == 1
    assert re.search(r"^  Punkte +\d+,\d$", shown, re.MULTILINE)
    assert "  Blau: 1 Punkt, 0,0 verloren\n" in shown


@pytest.mark.parametrize("command", ["review", "practise"])
def test_an_unfinished_game_is_refused_in_one_sentence(
    run: Run, capsys: pytest.CaptureFixture[str], solo: Path, tmp_path: Path, command: str
) -> None:
    text, bad = solo.read_text(encoding="utf-8"), tmp_path / "bad.txt"
    cases = {
        "Dear diary\n": ("not a transcript", 1),
        text.replace("transcript 1", "transcript 2", 1): ("another version", 1),
        text.replace("game: ganz", "game: gans", 1): ("line 2", 1),
        "\n".join(text.splitlines()[:40]): ("not over", 2),
        text.replace("chance: ", "chance: zz", 1): ("Line 7", 1),
        text[:5000].ljust(10_000_000, "#"): ("too large", 2),
    }
    for content, (printed, code) in cases.items():
        bad.write_text(content, encoding="utf-8")
        assert printed in sentence(run, capsys, command, bad, code=code)
    bad.write_bytes(b"\xff\xfe\x00")
    assert "not a text file" in sentence(run, capsys, command, bad)
    assert "cannot be read" in sentence(run, capsys, command, tmp_path / "missing.txt")
    assert "no seat 3" in sentence(run, capsys, command, solo, "--seat", 3)


def test_mistakes_are_practised_one_after_the_other(
    run: Run, capsys: pytest.CaptureFixture[str], solo: Path
) -> None:
    assert run("practise", solo, typed="show\nnonsense\n999\nshow\nquit\n") == 0
    shown = capsys.readouterr().out
    assert "Position 1 of" in shown
    assert "Position 3 of" in shown
    assert "Best move: " in shown
    assert "There is no move 999" in shown
    assert "Solved: 0 of" in shown
    assert run("practise", solo, typed="") == 2
    assert "The input ended." in capsys.readouterr().err


def test_a_moment_is_printed_and_opens_as_a_game(
    run: Run, capsys: pytest.CaptureFixture[str], solo: Path, tmp_path: Path
) -> None:
    assert run("practise", solo, "--at", 20, "--share", "--same-dice") == 0
    text = capsys.readouterr().out
    assert solo.read_text(encoding="utf-8").startswith(text.rstrip())
    assert (
        run(
            "practise",
            "-",
            "--at",
            20,
            "--share",
            "--same-dice",
            typed=solo.read_text(encoding="utf-8"),
        )
        == 0
    )
    assert capsys.readouterr().out == text
    file = tmp_path / "moment.txt"
    file.write_text(text, encoding="utf-8")
    assert run("play", "--resume", file, typed="quit\n") == 0
    assert len(transcripts.read(file.read_text(encoding="utf-8")).position.moves_made) >= 20
    capsys.readouterr()
    assert run("practise", solo, "--at", 20, typed="quit\n") == 0
    assert "Continue with" in capsys.readouterr().out
    assert "no position 5000" in sentence(run, capsys, "practise", solo, "--at", 5000)
    assert "--at" in sentence(run, capsys, "practise", solo, "--share")


def link_to(text: str) -> str:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    packed = packer.compress(text.encode()) + packer.flush()
    return f"http://fox.example/look#{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def test_a_position_in_a_link_opens_as_a_game(
    run: Run, capsys: pytest.CaptureFixture[str], solo: Path
) -> None:
    assert run("practise", solo, "--at", 20, "--share") == 0
    link = link_to(capsys.readouterr().out)
    assert run("play", "--resume", link, typed="quit\n") == 0
    assert (
        len(
            transcripts.read(
                saves.newest_first()[0].read_text(encoding="utf-8")
            ).position.moves_made
        )
        >= 20
    )
    capsys.readouterr()
    for bad in (
        link[:-40],
        "http://fox.example/look#damaged",
        "http://fox.example/look",
        link_to("hello"),
    ):
        assert "This link contains no game" in sentence(run, capsys, "play", "--resume", bad)


@pytest.mark.parametrize("before", ["", "https://fox.example/look#"])
def test_a_position_as_text_opens_as_a_game_too(
    run: Run, capsys: pytest.CaptureFixture[str], before: str
) -> None:
    text = "ganz-schoen-clever_round:2_phase:rolling_roll:1_hand:y3b2g4o1p6w5_/_stage:choose_o:4_/"
    link = before + text.replace(":", "%3a" if before else ":")
    assert run("play", "--resume", link, typed="w>o5\nquit\n") == 0
    assert "── Player 1 · Round 2 of 6 ──" in capsys.readouterr().out
    written = saves.newest_first()[0].read_text(encoding="utf-8")
    assert f"\nposition: {text.replace('_', ' ')}\n" in written
    assert run("play", "--resume", typed="quit\n") == 0  # from the saved game, with its dice
    assert "── Player 1 · Round 2 of 6 ──" in capsys.readouterr().out
    wrong = sentence(run, capsys, "play", "--resume", link.replace("round", "runde"), code=1)
    assert "there is no word “runde” here" in wrong


@pytest.mark.parametrize("dice", ["typed", "seed 4", f"sealed ABCD {'0' * 64}"])
def test_the_dice_of_a_game_as_written_fall_again(
    run: Run, solo: Path, tmp_path: Path, dice: str
) -> None:
    whole = transcripts.read(solo.read_text(encoding="utf-8"))
    file = tmp_path / "written.txt"
    file.write_text(
        transcripts.write(replace(whole.header, dice=dice), whole.position), encoding="utf-8"
    )
    rolls = [index for index, move in enumerate(whole.position.moves_made) if move.seat == CHANCE]
    at = rolls[7]
    own = [move.text for move in whole.position.moves_made[at + 1 : rolls[8]]]
    assert (
        run(
            "practise",
            file,
            "--at",
            at,
            "--same-dice",
            typed="\n".join(["1", *own, "1", "quit", ""]),
        )
        == 0
    )
    again = transcripts.read(saves.newest_first()[0].read_text(encoding="utf-8"))
    assert again.position.moves_made[: rolls[8] + 1] == whole.position.moves_made[: rolls[8] + 1]
