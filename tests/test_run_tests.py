"""The tests' own runner: a few failures get a second run, which decides and names races."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

RUN_TESTS = Path(__file__).parent.parent / "tools" / "run_tests"
RACE = """
from pathlib import Path

def test_race():
    mark = Path("was_here")
    first = not mark.exists()
    mark.touch()
    assert not first
"""
STEADY = "def test_steady():\n    assert False\n"
FINE = "def test_fine():\n    pass\n"
AGAIN = "run once more, alone"
RACES = "failed first and passed alone"


def run_tests(folder: Path, tests: str, *arguments: str) -> tuple[int, str]:
    (folder / "pytest.ini").write_text("[pytest]\naddopts = -p xdist\n")
    (folder / "test_some.py").write_text(tests)
    environment = {
        name: text for name, text in os.environ.items() if not name.startswith("PYTEST_")
    }
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # the others take seconds to load
    environment["CHECK_WORKERS"] = "2"
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    ended = subprocess.run(
        [RUN_TESTS, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.returncode, ended.stdout + ended.stderr


def test_a_failure_that_passes_alone_is_named_and_forgiven(tmp_path: Path) -> None:
    code, printed = run_tests(tmp_path, RACE + FINE)
    assert code == 0
    assert printed.partition(RACES)[2].split() == [",", "fix", "them:", "test_some.py::test_race"]
    assert "1 failed, 1 passed" in printed
    assert "rerun previous 1 failure" in printed
    assert printed.count("1 passed") == 2, "only the failed test runs again"


def test_a_failure_that_fails_again_decides(tmp_path: Path) -> None:
    code, printed = run_tests(tmp_path, RACE + STEADY)
    assert code == 1
    assert "test_steady" not in printed.partition(RACES)[2]
    assert "test_race" in printed.partition(RACES)[2]


@pytest.mark.parametrize(
    ("tests", "arguments", "wanted"),
    [
        ("".join(STEADY.replace("steady", f"steady_{number}") for number in range(6)), (), 1),
        (FINE + "import nothing_of_this_name\n", (), 1),
        (RACE, ("--maxfail=1",), 2),
        (FINE, (), 0),
    ],
    ids=["six failures", "unreadable", "stopped", "all pass"],
)
def test_everything_else_is_decided_at_once(
    tmp_path: Path, tests: str, arguments: tuple[str, ...], wanted: int
) -> None:
    code, printed = run_tests(tmp_path, tests, *arguments)
    assert code == wanted
    assert AGAIN not in printed


def test_failures_of_a_run_before_do_not_count(tmp_path: Path) -> None:
    many = "".join(STEADY.replace("steady", f"steady_{number}") for number in range(6))
    assert run_tests(tmp_path, many + RACE)[0] == 1
    (tmp_path / "was_here").unlink()
    code, printed = run_tests(tmp_path, many + RACE, "-k", "race")
    assert (code, printed.count("test_steady")) == (0, 0)


CRASH = """
import os
from pathlib import Path
import pytest

@pytest.mark.parametrize("number", range(40))
def test_some(number):
    mark = Path("was_here")
    if number == 15 and not mark.exists():
        mark.touch()
        os._exit(3)
"""
SCHEDULER = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from scheduling import GroupScheduling

def pytest_xdist_make_scheduler(config, log):
    return GroupScheduling(config, log)
"""


def test_a_process_that_crashes_loses_no_other_test(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(SCHEDULER)
    code, printed = run_tests(tmp_path, CRASH)
    assert "1 failed, 39 passed" in printed
    assert "crashed while running 'test_some.py::test_some[15]'" in printed
    assert code == 0, "it passes alone"
