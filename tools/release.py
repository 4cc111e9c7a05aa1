"""Prepare a release, up to the upload.

``python tools/release.py version 0.2.0`` writes the version and the date to all files that have
them. Review and commit the change, then ``python tools/release.py build`` checks everything and
writes to ``dist/``: wheels and sdists of both packages, lists of their components (SBOM) and
checksums, signed if ``FOXCLOVER_SIGNING_KEY`` names a private SSH key.
"""

from __future__ import annotations

import argparse
import datetime
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DIST = ROOT / "dist"
PLACES = {  # file: what precedes the version
    "pyproject.toml": (r'^version = "', r'"foxclover-site=='),
    "packages/site/pyproject.toml": (r'^version = "', r'"foxclover=='),
    "src/foxclover/__init__.py": (r'^__version__ = "',),
    "CITATION.cff": (r"^version: ",),
}
NUMBER = r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?"


class ReleaseError(Exception):
    """Something that has to be done before a release."""


def main(words: list[str] | None = None) -> int:
    """Run a step; print what is missing as one sentence."""
    parser = argparse.ArgumentParser(description="Prepare a release, up to the upload.")
    steps = parser.add_subparsers(dest="step", required=True)
    version = steps.add_parser("version", help="write a version to all files that have it")
    version.add_argument("version")
    build = steps.add_parser("build", help="check, build and list a release in dist/")
    build.add_argument("--unchecked", action="store_true", help="leave out ./check full")
    args = parser.parse_args(words)
    try:
        if args.step == "version":
            set_version(ROOT, args.version, datetime.date.today())
        else:
            build_release(checked=not args.unchecked)
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 2
    return 0


def read_version(root: Path) -> str:
    """Return the version that all files agree on."""
    found = {
        (file, number)
        for file, places in PLACES.items()
        for place in places
        for number in re.findall(f"{place}({NUMBER})", read(root / file), re.MULTILINE) or [""]
    }
    versions = {number for _, number in found}
    if len(versions) != 1 or "" in versions:
        raise ReleaseError(f"the files name different versions: {sorted(found)}")
    return versions.pop()


def set_version(root: Path, version: str, today: datetime.date) -> None:
    """Write a version and its date to all files that have them."""
    if not re.fullmatch(NUMBER, version):
        raise ReleaseError(f"{version} is no version: write 1.2.3 or 1.2.3rc1.")
    changelog = read(root / "CHANGELOG.md")
    if not re.search(r"^## .*, unreleased$", changelog, re.MULTILINE):
        raise ReleaseError("CHANGELOG.md has no entries under a heading '## VERSION, unreleased'.")
    for file, places in PLACES.items():
        text = read(root / file)
        for place in places:
            text = re.sub(f"({place}){NUMBER}", rf"\g<1>{version}", text, flags=re.MULTILINE)
        if file == "CITATION.cff":
            text = re.sub(r"^date-released: .*\n", "", text, flags=re.MULTILINE)
            text = f"{text.rstrip()}\ndate-released: {today.isoformat()}\n"
        (root / file).write_text(text, encoding="utf-8")
    heading = f"## {version}, {today.isoformat()}"
    changelog = re.sub(r"^## .*, unreleased$", heading, changelog, count=1, flags=re.MULTILINE)
    (root / "CHANGELOG.md").write_text(changelog, encoding="utf-8")
    print(f"The version is {version}. Review the change, commit it, then build the release.")


def build_release(*, checked: bool) -> None:
    """Check and build the version that is committed."""
    version = read_version(ROOT)
    if git("status", "--porcelain"):
        raise ReleaseError("there are changes that are not committed.")
    if checked:
        run("./check", "full")
        if f"\n## {version}, unreleased\n" in read(ROOT / "CHANGELOG.md"):
            raise ReleaseError("CHANGELOG.md calls this version unreleased: set the version first.")
    shutil.rmtree(DIST, ignore_errors=True)
    DIST.mkdir()
    with tempfile.TemporaryDirectory() as folder:
        tools = make_environment(Path(folder) / "tools", "-r", "requirements/release.txt")
        clone = Path(folder) / "clone"
        run("git", "clone", "--quiet", "--no-local", ROOT, clone)
        # the same commit gives the same files
        settings = {
            "FOXCLOVER_PAGE": "require",
            "SOURCE_DATE_EPOCH": git("log", "-1", "--format=%ct"),
        }
        for project in (clone, clone / "packages/site"):
            run(tools / "python", "-m", "build", "--outdir", DIST, project, **settings)
        files = sorted(DIST.iterdir())
        run(tools / "twine", "check", "--strict", *files)
        wheels = [file for file in files if file.suffix == ".whl"]
        used = make_environment(Path(folder) / "used", *wheels)
        output = DIST / f"foxclover-{version}.cdx.json"
        run(tools / "cyclonedx-py", "environment", used / "python", "--output-file", output)
        list_page_components(clone, DIST / f"foxclover-{version}-page.cdx.json")
    sums = write_sums(DIST)
    sign(sums)
    print(f"\n{version} is in dist/. To publish it:\n")
    print(f"  git tag -a v{version} -m 'Fox & Clover {version}' && git push origin v{version}")
    print("  twine upload dist/*.whl dist/*.tar.gz")


def list_page_components(clone: Path, output: Path) -> None:
    """List the npm packages that the page is built from, with the Node of the checks."""
    listed = subprocess.run(
        ["npm", "--prefix", "web", "sbom", "--sbom-format=cyclonedx", "--package-lock-only"],
        cwd=clone,
        env={**os.environ, "PATH": f"{ROOT / '.venv/bin'}{os.pathsep}{os.environ['PATH']}"},
        stdout=subprocess.PIPE,
        check=False,
    )
    if listed.returncode:
        raise ReleaseError("npm could not list the components of the page; the reason is above.")
    output.write_bytes(listed.stdout)


def write_sums(folder: Path) -> Path:
    """Write the checksums of a folder's files, as ``sha256sum --check`` reads them."""
    lines = [
        f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n"
        for file in sorted(folder.iterdir())
    ]
    sums = folder / "SHA256SUMS"
    sums.write_text("".join(lines), encoding="ascii")
    return sums


def sign(sums: Path) -> None:
    """Sign the checksums, where there is a key."""
    if key := os.environ.get("FOXCLOVER_SIGNING_KEY"):
        run("ssh-keygen", "-Y", "sign", "-n", "foxclover", "-f", key, sums)
    else:
        print("FOXCLOVER_SIGNING_KEY names no key: the checksums are not signed.")


def make_environment(folder: Path, *requirements: str | Path) -> Path:
    """Install requirements to a fresh environment; return the folder of its programs."""
    venv.create(folder, with_pip=True)
    programs = folder / "bin"
    run(programs / "python", "-m", "pip", "install", "--quiet", *requirements)
    return programs


def run(*command: str | Path, **settings: str) -> None:
    """Run a program in the clone."""
    words = [str(word) for word in command]
    print(f"\n== {' '.join(words)}", flush=True)
    if subprocess.run(words, cwd=ROOT, env={**os.environ, **settings}, check=False).returncode:
        raise ReleaseError(f"{Path(words[0]).name} failed; the reason is above.")


def git(*words: str) -> str:
    """Return what git answers."""
    return subprocess.run(
        ["git", *words], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.strip()


def read(file: Path) -> str:
    """Return the text of a file."""
    return file.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
