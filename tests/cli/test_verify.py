"""``foxclover verify``: what was sealed is confirmed, and the first wrong draw is named."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from cli.conftest import Run
from foxclover import transcripts
from foxclover.cli import saves
from test_fair_dice import played
from test_lying_servers import InventsSalt, Server


@pytest.fixture
def sealed_game(tmp_path: Path) -> Path:
    transcript, file = played("ganz", 2), tmp_path / "game.txt"
    file.write_text(transcripts.write(transcript.header, transcript.position, transcript.seals))
    return file


def test_a_sealed_game_is_confirmed(
    run: Run, sealed_game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("verify", sealed_game) == 0
    draws = sealed_game.read_text().count("chance:")
    out = capsys.readouterr().out
    assert out.startswith(
        f"All {draws} draws follow from the secrets and the salts. Rolls of computer players: P1 "
    )
    assert "nobody chose" not in out, "which a transcript alone cannot prove"
    assert run("verify", sealed_game, "--json") == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["ok"], answer["draws"], answer["problem"], len(answer["remarks"])) == (
        True,
        draws,
        None,
        2,
    )
    assert run("replay", sealed_game) == 0


def test_witness_files_confirm_or_contradict_a_game(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for kind, code in ((Server, 0), (InventsSalt, 1)):
        server = kind()
        server.play()
        file = tmp_path / "game.txt"
        file.write_text(server.transcript())
        options: list[object] = []
        for seat, page in server.pages.items():
            witness = tmp_path / f"witness-{seat}.json"
            witness.write_text(page.file(server.commitment))
            options += ["--witness", witness]
        assert run("verify", file) == 0, "a transcript alone does not show who invented a salt"
        capsys.readouterr()
        assert run("verify", file, *options) == code
        printed = capsys.readouterr()
        assert (server.testimony or "match 2 witness files") in printed.out + printed.err
    assert run("verify", file, "--witness", file) == 2
    assert "is not a witness file" in capsys.readouterr().err


def test_the_first_wrong_draw_is_named_with_its_line(
    run: Run, sealed_game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = sealed_game.read_text().splitlines()
    at = [number for number, line in enumerate(lines) if line.startswith("seal:")][6]
    lines[at] = "seal: " + "0" * 64
    sealed_game.write_text("\n".join(lines))
    assert run("verify", sealed_game) == 1
    assert f"Line {at + 2}: The secret of draw 7 does not belong" in capsys.readouterr().err
    assert run("verify", sealed_game, "--json") == 1
    answer = json.loads(capsys.readouterr().out)
    assert (answer["ok"], answer["draws"]) == (False, 6)
    assert "draw 7" in answer["problem"]


def test_a_roll_that_was_changed_or_left_out_is_found(
    run: Run, sealed_game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = sealed_game.read_text()
    roll = re.search(r"chance: (\S+)", text)
    assert roll
    line = text[: roll.start()].count("\n") + 1
    # and not the moves that it makes impossible
    changed = f"Line {line}: Draw 1 does not match its secret and the salts"
    for damaged, problem in (
        (text.replace(roll[0], "chance: y1b1g1o1p1w1", 1), changed),
        (text.replace(roll[0] + "\n", "", 1), "no draw"),
    ):
        sealed_game.write_text(damaged)
        assert run("verify", sealed_game) == 1
        assert problem in capsys.readouterr().err


def test_a_game_whose_dice_were_not_sealed_is_not_confirmed(
    run: Run, sealed_game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sealed_game.write_text(re.sub("dice: .*", "dice: seed 7", sealed_game.read_text()))
    assert run("verify", sealed_game) == 1
    assert "not provably fair" in capsys.readouterr().err
    sealed_game.write_text("Dear Ada")
    assert run("verify", "--lang", "de", sealed_game) == 1


def test_a_sealed_game_goes_on_unsealed_in_a_file_of_its_own(
    run: Run, sealed_game: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = sealed_game.read_text().splitlines()
    last = [number for number, line in enumerate(lines) if line.startswith("chance:")][8]
    sealed = "\n".join(lines[: last + 1]) + "\n"
    sealed_game.write_text(sealed)
    made = sum(line.startswith(("chance:", "1:", "2:")) for line in sealed.splitlines())
    assert run("play", "--resume", sealed_game, typed="1\n" * 8) == 0
    assert "continues with other dice" in capsys.readouterr().out
    assert sealed_game.read_text() == sealed
    assert run("verify", sealed_game) == 0
    (own,) = saves.newest_first()
    transcript = transcripts.read(own.read_text())
    assert re.fullmatch(rf"seed \d+ from move {made + 1}", transcript.header.dice)
    assert len(transcript.position.moves_made) > made
    followed = transcript.follow_seed()
    assert followed is not None
    assert followed.foreign is None, "what fell since then is what its seed gives"
    assert run("play", "--resume", own, typed="1\n") == 0
    assert "unsealed" not in capsys.readouterr().out
