"""What holds of every command: help, languages, bad input, broken pipes."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import foxclover.kernel
from cli.conftest import Run
from foxclover.cli import COMMANDS, EXAMPLES, build, print_warning, serve
from foxclover.core.game import game
from foxclover.kernel import open_kernel
from foxclover.locale import LANGUAGES, catalogue
from foxclover.server.http.run import ServerSettings

FOXCLOVER = [sys.executable, "-c", "import sys; from foxclover.cli import main; sys.exit(main())"]


def commands() -> list[str]:
    actions = build(catalogue("en"))._subparsers
    assert actions is not None
    return list(next(action.choices for action in actions._group_actions if action.choices))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("command", ["", *commands()])
def test_every_command_explains_itself_in_every_language(
    run: Run, capsys: pytest.CaptureFixture[str], command: str, language: str
) -> None:
    with pytest.raises(SystemExit) as stop:
        run(*[command] if command else [], "--help", "--lang", language)
    assert stop.value.code == 0
    assert catalogue(language)("cli.help.lang") in " ".join(capsys.readouterr().out.split())


BAD = {
    "unknown command": (["dance"], "'dance' is not possible"),
    "unknown option": (
        ["play", "ganz", "--fast"],
        "Unknown: --fast. See: foxclover play --help",
    ),
    "unknown language": (
        ["play", "ganz", "--lang", "fr"],
        "'fr' is not possible. Choose one of de, en, nl.",
    ),
    "no game": (["simulate"], "missing: GAME"),
    "unknown game": (["play", "skat"], "There is no game skat. Choose one of ganz-schoen-clever"),
    "ambiguous game": (["play", "g"], "g could be ganz-schoen-clever, geht-noch-was"),
    "five players": (
        ["play", "ganz", "--players", "A,B,C,D,E"],
        "is for 1 to 4 players, not for 5",
    ),
    "name that steers the terminal": (
        ["play", "ganz", "--players", "A\x1b[31mda"],
        "The name “A\N{REPLACEMENT CHARACTER}[31mda” contains characters that cannot",
    ),
    "nameless player": (["play", "ganz", "--players", "A,,B"], "Every player needs a name"),
    "unknown computer player": (
        ["play", "ganz", "--players", "A,B:genius"],
        "There is no computer player genius",
    ),
    "own agent without a module": (
        ["play", "ganz", "--players", "A,B:no_such_module:Agent"],
        "'no_such_module' cannot be imported",
    ),
    "own agent that cannot be made": (
        ["play", "ganz", "--players", "A,B:os:getcwd"],
        "os:getcwd cannot be made: TypeError",
    ),
    "own agent that cannot be made for many games": (
        ["simulate", "ganz", "--agent", "os:getcwd"],
        "os:getcwd cannot be made: TypeError",
    ),
    "no number": (
        ["simulate", "ganz", "--games", "many"],
        "many is not a whole number of at least 1",
    ),
    "no games": (["simulate", "ganz", "--games", "0"], "0 is not a whole number of at least 1"),
    "too many at Ganz": (
        ["simulate", "ganz", "--players", "5"],
        "Ganz schön clever is for 1 to 4 players, not for 5.",
    ),
    "too many at Geht": (
        ["simulate", "geht", "--players", "9"],
        "Geht noch was? is for 1 to 8 players, not for 9.",
    ),
    "too many names": (
        ["play", "geht", "--players", "A,B,C,D,E,F,G,H,I"],
        "Geht noch was? is for 1 to 8 players, not for 9.",
    ),
    "negative seed": (["simulate", "ganz", "--seed", "-1"], "--seed: -1 is not a whole number"),
    "unknown agent": (
        ["simulate", "ganz", "--agent", "genius"],
        "There is no computer player genius",
    ),
    "seats and players differ": (
        ["simulate", "ganz", "--seats", "random,random", "--players", "3"],
        "--seats names 2 players, but --players 3. Leave out --players.",
    ),
    "a deck where there is none": (["play", "ganz", "--deck", "mine.toml"], "has no decks"),
    "missing deck": (
        ["play", "geht", "--deck", "no/such.toml"],
        "no/such.toml cannot be read: No such file",
    ),
    "seed for typed dice": (
        ["play", "ganz", "--real-dice", "--seed", "1"],
        "Real dice have no seed",
    ),
    "unwritable save": (
        ["play", "ganz", "--save", "/dev/null/game.txt"],
        "/dev/null/game.txt cannot be written",
    ),
    "missing transcript": (["replay", "no/such.txt"], "no/such.txt cannot be read: No such file"),
    "nothing to resume": (["play", "--resume"], "There is no unfinished game"),
    "resume with more": (["play", "ganz", "--resume"], "Leave out the other arguments"),
    "resume with a deck": (
        ["play", "--resume", "--deck", "mine.toml"],
        "Leave out the other arguments",
    ),
    "resume with an option": (
        ["play", "--resume", "--solo-rules"],
        "Leave out the other arguments",
    ),
    "an option where there is none": (["play", "ganz", "--solo-rules"], "has no variants"),
    "a sheet where there is none": (["play", "geht", "--sheet", "mine.toml"], "has no sheets"),
    "a deck alone": (["play", "--deck", "mine.toml"], "No game given"),
    "no condition": (["odds", "3*W7"], "Column 4, expected: a number from 1 to 6."),
    "port out of range": (
        ["serve", "--port", "70000"],
        "70000 is not a whole number from 0 to 65535",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_gets_one_sentence_and_exit_code_2(
    run: Run, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    words, sentence = BAD[name]
    assert run(*words) == 2
    captured = capsys.readouterr()
    assert sentence in captured.err
    assert captured.err.startswith("foxclover: ")
    assert captured.err.count("\n") == 1
    assert "Traceback" not in captured.out + captured.err


GERMAN = {
    "condition": (["odds", "=W"], "Spalte 3, erwartet: ein zweiter Würfel: B, R oder W."),
    "deck": (
        ["play", "geht", "--deck", "bad.toml"],
        (
            "bad.toml lässt sich nicht verwenden: Zeile 1: name: "
            "erwartet wird ein Text von 1 bis 80 Buchstaben"
        ),
    ),
    "sheet": (
        ["play", "bad.toml"],
        (
            "bad.toml lässt sich nicht verwenden: Zeile 1: title: "
            "erwartet wird ein Text von 1 bis 80 Buchstaben (und "
        ),
    ),
    "checked deck": (
        ["deck", "bad.toml"],
        "bad.toml: Zeile 1: limits: erwartet wird ein Abschnitt mit Einträgen",
    ),
    "whose turn": (
        ["replay", "turn.txt"],
        "Zeile 7: „w>o“ ist hier nicht erlaubt. Möglich: ein Zug von Spieler 1",
    ),
    "faces": (
        ["replay", "faces.txt"],
        "Möglich: die Augen 1 bis 6 von genau diesen Würfeln: Gelb, Blau, Grün, Orange, Lila, Weiß",
    ),
    "line": (["replay", "line.txt"], "Möglich: chance oder 1 oder 2, ein Doppelpunkt und ein Zug"),
    "deck of a transcript": (
        ["replay", "deck.txt"],
        "bad.toml lässt sich nicht verwenden: Zeile 1: name: erwartet wird",
    ),
}


@pytest.mark.parametrize("name", GERMAN)
def test_what_was_expected_is_said_in_the_readers_language(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    head = "Fox & Clover transcript 1\ngame: ganz\nplayers: A, B\ndice: typed\n\n"
    Path("bad.toml").write_text('family = "cards"\n')
    Path("turn.txt").write_text(head + "chance: 324165\n2: w>o\n")
    Path("faces.txt").write_text(head + "chance: 324169\n")
    Path("line.txt").write_text(head + "hello\n")
    Path("deck.txt").write_text(
        head.replace("ganz", "geht").replace("typed", "typed\ndeck: bad.toml")
    )
    words, sentence = GERMAN[name]
    assert run("--lang", "de", *words) in (1, 2)
    assert sentence in "".join(capsys.readouterr())


def test_a_sheet_may_have_any_name(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    sheet = tmp_path / "sheet.txt"
    sheet.write_bytes(game("ganz").definition.source)
    assert run("play", "--sheet", sheet, "--players", "A:random") == 0
    assert f"sheet: {sheet}" in next((tmp_path / "foxclover" / "games").iterdir()).read_text()


def test_a_file_that_is_no_text_is_refused(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    picture = tmp_path / "picture.png"
    picture.write_bytes(b"\x89PNG\xff\xfe")
    assert run("replay", picture) == 2
    assert "is not a text file" in capsys.readouterr().err


def test_a_reader_who_goes_away_is_no_error(tmp_path: Path) -> None:
    script = (
        f"{sys.executable} -c 'from foxclover.cli import main; raise SystemExit(main())' "
        "play ganz --players A:random,B:random | head -n 1"
    )
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {script}"],
        capture_output=True,
        check=False,
        text=True,
        env={"XDG_DATA_HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
    )
    assert done.stderr == ""
    assert done.returncode == 0


@pytest.mark.parametrize(
    "command", ["replay", "review", "practise", "advise", "verify", "play --resume"]
)
@pytest.mark.parametrize(
    "text",
    [
        "nonsense",
        (
            "Fox & Clover transcript 1\ngame: ganz\nplayers: Ada\ndice: typed\n\n"
            "chance: y1b1g1o1p1w1\n1: y9z\n"
        ),
    ],
)
def test_a_bad_transcript_has_one_exit_code(
    run: Run, capsys: pytest.CaptureFixture[str], tmp_path: Path, command: str, text: str
) -> None:
    file = tmp_path / "game.txt"
    file.write_text(text, encoding="utf-8")
    assert run(*command.split(), file) == 1
    assert capsys.readouterr().err.startswith(f"foxclover: {file}: ")
    assert run(*command.split(), tmp_path / "missing.txt") == 2


SHIPPED = Path(foxclover.__file__).parent
SHEET, DECK = (
    SHIPPED / "games/clever/sheets/ganz-schoen-clever.toml",
    SHIPPED / "games/climb/decks/standard.toml",
)


@pytest.mark.parametrize(
    ("command", "source", "sentence"),
    [("sheet", DECK, "is a deck file"), ("deck", SHEET, "is a sheet file")],
)
@pytest.mark.parametrize("headless", [False, True])
def test_a_file_of_the_other_kind_is_recognised(
    run: Run,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    command: str,
    source: Path,
    sentence: str,
    headless: bool,
) -> None:
    file = tmp_path / "own.toml"
    text = source.read_text(encoding="utf-8")
    file.write_text(
        text.replace("family = ", "# family = ") if headless and source is DECK else text,
        encoding="utf-8",
    )
    assert run(command, file) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert error.count("\n") == 1


def test_an_interrupted_game_says_how_to_go_on(tmp_path: Path) -> None:
    save = tmp_path / "game.txt"
    game = subprocess.Popen(
        [*FOXCLOVER, "play", "ganz", "--seed", "1", "--save", str(save)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert game.stdin is not None
    assert game.stdout is not None
    game.stdin.write("1\n")
    game.stdin.flush()
    assert any(line.startswith("You > 1") for line in game.stdout)
    game.send_signal(signal.SIGINT)
    _, complaint = game.communicate(timeout=120)
    assert game.returncode == 130
    assert f"foxclover play --resume {save}" in complaint
    assert "Traceback" not in complaint


def test_a_kernel_that_cannot_be_used_is_one_plain_sentence(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(foxclover.kernel, "kernel_file", lambda family: tmp_path / f"{family}.wasm")
    open_kernel.cache_clear()
    with warnings.catch_warnings():
        warnings.simplefilter("default")
        assert run("simulate", "ganz", "--games", 2, "--seed", 1, "--workers", 1) == 0
    open_kernel.cache_clear()
    printed = (
        "foxclover: CPython runs the rules, many times slower: "
        "the kernel file clever.wasm cannot be read (No such file or directory); "
    )
    assert capsys.readouterr().err == f"{printed}tools/kernel builds it.\n"


def test_other_warnings_stay_as_python_shows_them(capsys: pytest.CaptureFixture[str]) -> None:
    print_warning("something is old", DeprecationWarning, "file.py", 7)
    assert "file.py:7: DeprecationWarning: something is old" in capsys.readouterr().err


@pytest.mark.parametrize(("words", "host"), [([], serve.LOCAL), (["--lan"], serve.EVERYWHERE)])
def test_without_a_command_the_game_opens_in_the_browser(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], host: str
) -> None:
    begun: list[tuple[str, bool]] = []

    def begin(settings: ServerSettings, translate: object) -> int:
        begun.append((settings.host, settings.open_browser))
        return 0

    monkeypatch.setattr(serve, "_serve", begin)
    assert run(*words) == 0
    assert begun == [(host, True)]


def test_only_the_command_that_is_used_is_imported() -> None:
    code = (
        "import sys; from foxclover.cli import build; from foxclover.locale import catalogue; "
        "build(catalogue('en'), ['odds']); print(*sys.modules)"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert "foxclover.cli.review" in loaded
    assert not {"foxclover.cli.simulate", "foxclover.cli.session", "foxclover.cli.train"} & set(
        loaded
    )


def test_python_runs_the_package_as_the_command() -> None:
    printed = subprocess.run(
        [sys.executable, "-m", "foxclover", "--version"], capture_output=True, text=True, check=True
    ).stdout
    assert printed == f"foxclover {foxclover.__version__}\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_commands_options_and_games(
    run: Run, capsys: pytest.CaptureFixture[str], shell: str
) -> None:
    assert run("completion", shell) == 0
    script = capsys.readouterr().out
    assert "--transcripts" in script
    assert "ganz-schoen-clever" in script
    if shell == "bash":
        subprocess.run(["bash", "-n"], input=script, text=True, check=True)
        asked = "COMP_WORDS=(foxclover simulate doppelt); COMP_CWORD=2; _shtab_foxclover"
        code = f"{script}\ncomplete -p foxclover ./play\n{asked}\necho ${{COMPREPLY[@]}}"
        printed = subprocess.run(["bash"], input=code, text=True, check=True, capture_output=True)
        assert "_shtab_foxclover foxclover\n" in printed.stdout
        assert printed.stdout.endswith("\ndoppelt-so-clever\n")


def test_what_is_not_installed_is_named_with_its_extra(
    run: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert run("simulate", "ganz", "--games", 2, "--seed", 1, "--plot", "points.png") == 2
    assert f"{sys.executable} -m pip install matplotlib" in capsys.readouterr().err


@pytest.mark.parametrize("language", ["de", "en", "nl"])
def test_help_shows_defaults(run: Run, capsys: pytest.CaptureFixture[str], language: str) -> None:
    words = {"de": "Vorgabe", "en": "default", "nl": "standaard"}[language]
    with pytest.raises(SystemExit):
        run("--lang", language, "simulate", "--help")
    printed = " ".join(capsys.readouterr().out.split())
    for value in ("1000", "0", "1", "random"):
        assert f"({words}: {value})" in printed


def test_help_lists_every_command_in_its_group(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run("--help")
    shown = capsys.readouterr().out
    heads = [f"\n  {head}\n" for head in ("Play", "Analyse", "Host", "Research", "Other")]
    parts = re.split("|".join(map(re.escape, heads)), shown)[1:]
    for part, names in zip(parts, COMMANDS.values(), strict=True):
        assert re.findall(r"^    ([a-z-]+)", f"\n{part}", re.MULTILINE) == list(names)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_help_ends_with_an_example_that_can_be_read(
    name: str, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run(name, "--help")
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.endswith(f"Example: foxclover {EXAMPLES[name]}")
    words = shlex.split(EXAMPLES[name])
    assert build(catalogue("en"), words).parse_args(words).command == name


def test_every_command_has_an_example() -> None:
    assert set(EXAMPLES) == {name for group in COMMANDS.values() for name in group}


def test_practice_is_practise(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("practice", "nowhere.txt") == 2
    assert "nowhere.txt cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "script", "named"),
    [
        ("./play", "/venv/bin/foxclover", "./play"),
        ("", "/venv/bin/foxclover", "foxclover"),
        ("", "/venv/lib/foxclover/__main__.py", "python -m foxclover"),
    ],
)
def test_messages_name_the_command_as_it_was_typed(
    typed: str,
    script: str,
    named: str,
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("_FOXCLOVER_COMMAND", typed)
    monkeypatch.setattr("sys.argv", [script])
    assert run("sheet") == 2
    assert capsys.readouterr().err == (
        f"{named}: Arguments are missing: FILE. See: {named} sheet --help\n"
    )
