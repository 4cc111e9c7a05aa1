"""Check the subjects of commits: ``area: verb object``, at most 72 characters.

``python tools/check_commits.py`` checks the commits that the main branch does not have yet. As a
``commit-msg`` hook (``.pre-commit-config.yaml``) it gets the file with the message:
``python tools/check_commits.py --message FILE``.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 72
MAIN = ("@{upstream}", "origin/main", "origin/master", "main")  # the first that exists is the base
SUBJECT = re.compile(r"[a-z][\w.-]*(?:(?:, |/)[a-z][\w.-]*)*: (?P<verb>\S+) \S.*")
DRAFT = re.compile(r"(?:fixup|squash|amend)! ")  # git rebase --autosquash removes them
MADE_BY_GIT = re.compile(r"Merge (?:branch|commit|pull request|remote-tracking|tag) ")
# Verbs that only look like "added", "adding" or "adds".
IMPERATIVE = re.compile(r".*(?:ss|us|eed)|(?:embed|shed|bring|ping|spring|string)")
OTHER_FORM = re.compile(r".*(?:ed|ing|s)")


def find_problem(subject: str) -> str | None:
    """Return what is wrong with a subject, or None."""
    if len(subject) > LONGEST:
        return f"{len(subject)} characters: use at most {LONGEST}, the body has room for the rest"
    found = SUBJECT.fullmatch(subject)
    if not found:
        return "write it as 'area: verb object', such as 'server: close idle connections'"
    verb = found["verb"]
    if verb[0].isupper():
        return f"start with a small letter after the colon: '{verb.lower()}'"
    if OTHER_FORM.fullmatch(verb) and not IMPERATIVE.fullmatch(verb):
        return f"start with a verb in the imperative ('add', not 'added' or 'adds'): '{verb}'"
    return "leave out the full stop at the end" if subject.endswith(".") else None


def git(*words: str) -> str | None:
    """Return the output of a git command, or None if it fails."""
    try:
        done = subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None


def new_subjects() -> list[tuple[str, str]] | None:
    """Return id and subject of each commit that the main branch lacks; None if that is unknown."""
    folder = git("rev-parse", "--show-toplevel")
    if folder is None or Path(folder.strip()).resolve() != ROOT:
        return None  # an unpacked archive, perhaps inside another repository
    if (git("rev-parse", "--is-shallow-repository") or "").strip() != "false":
        return None
    branch = (git("rev-parse", "--abbrev-ref", "HEAD") or "").strip()
    for base in MAIN:
        if base != branch and git("rev-parse", "--verify", "--quiet", f"{base}^{{commit}}"):
            listed = git("log", "--no-merges", "--format=%h %s", f"{base}..HEAD")
            return None if listed is None else [split(line) for line in listed.splitlines()]
    return None


def split(line: str) -> tuple[str, str]:
    """Return the two parts of a line of ``git log --format="%h %s"``."""
    commit, _, subject = line.partition(" ")
    return commit, subject


def report(subjects: Iterable[tuple[str, str]]) -> int:
    """Print what is wrong with each subject; return the number of bad ones."""
    bad = [(name, subject, why) for name, subject in subjects if (why := find_problem(subject))]
    for name, subject, why in bad:
        print(f"{name}: {subject}\n    {why}", file=sys.stderr)
    return len(bad)


def main(words: list[str] | None = None) -> int:
    """Check a message, or all new commits; return 1 if a subject is bad."""
    parser = argparse.ArgumentParser(description="Check the subjects of commits.")
    parser.add_argument("--message", type=Path, metavar="FILE", help="check only this message")
    args = parser.parse_args(words)
    if args.message:
        subject = args.message.read_text(encoding="utf-8").partition("\n")[0].rstrip()
        if MADE_BY_GIT.match(subject):
            return 0
        return 1 if report([("subject", DRAFT.sub("", subject))]) else 0
    subjects = new_subjects()
    if subjects is None:
        print("The main branch is not known here: no commit was checked.")
        return 0
    bad = report(subjects)
    print(f"{len(subjects)} new commits, {bad} with a bad subject")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
