"""``foxclover draw``: pictures of positions and transcripts."""

from __future__ import annotations

import struct
import sys
from pathlib import Path

import pytest

from cli.conftest import Run
from foxclover import game, seeded, transcripts
from foxclover.cli import explain
from foxclover.locale import catalogue


def test_a_position_and_the_end_of_a_transcript_are_drawn(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    position = game("ganz").start(2)
    position.roll(seeded(1))
    file = tmp_path / "game.txt"
    file.write_text(transcripts.write(transcripts.Header(position.game, ["A", "B"]), position))
    for source in (file, position.text):
        assert run("draw", source, "--out", tmp_path / "x.svg") == 0
        assert (tmp_path / "x.svg").read_text(encoding="utf-8") == position.svg(0)
    assert run("draw", file, "--out", tmp_path / "y.svg", "--seat", 2) == 0
    assert (tmp_path / "y.svg").read_text(encoding="utf-8") == position.svg(1)
    assert str(tmp_path / "y.svg") in capsys.readouterr().out


def test_a_png_has_twice_the_size_and_text_in_it(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("resvg_py", reason="PNG needs the extra pictures")
    assert run("draw", game("geht").start().text, "--out", tmp_path / "x.png") == 0
    content = (tmp_path / "x.png").read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", content[16:24])
    assert width == 2 * 760
    assert height > 1000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--out", "x.gif"], "must end with .svg or .png"),
        (["--out", "x.svg", "--seat", "3"], "There is no player 3 in a game of 1"),
        (["--out", "/nowhere/x.svg"], "cannot be written"),
    ],
)
def test_what_cannot_be_drawn_is_one_sentence(
    run: Run, capsys: pytest.CaptureFixture[str], arguments: list[str], sentence: str
) -> None:
    assert run("draw", game("ganz").start().text, *arguments) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "package", "words"),
    [
        ("resvg_py", "resvg-py", ("draw", game("ganz").start().text, "--out", "x.png")),
        ("matplotlib", "matplotlib", ("simulate", "ganz", "--games", 10, "--plot", "x.png")),
        ("pyarrow", "pyarrow", ("simulate", "ganz", "--games", 10, "--results", "x.parquet")),
    ],
)
def test_a_missing_extra_is_named_with_the_pip_of_this_environment(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    package: str,
    words: tuple[object, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == module]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, module, None)
    assert run(*words) == 2
    error = capsys.readouterr().err
    assert f"{sys.executable} -m pip install {package}\n" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("module", ["asyncpg.pool", "ray", "textual.app"])
def test_other_missing_extras_are_named_too(module: str) -> None:
    sentence = explain(ModuleNotFoundError(name=module), catalogue("en"))
    package = module.partition(".")[0]
    assert sentence == (
        f"This needs {package}. Install it with: {sys.executable} -m pip install {package}"
    )
