"""Writes the game without a server: a folder of files that any web host serves as it is."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from foxclover import __version__
from foxclover.kernel import open_kernel
from foxclover.kernel.program import families
from foxclover.locale import LANGUAGES, rules_texts, site_texts
from foxclover.server import games, thinking
from foxclover.server.protocol import PROTOCOL, GamesAnswer
from foxclover.site.bundle import archive, as_json

HERE = Path(__file__).parent
PAGE, ENGINE = HERE / "page", HERE / "engine"  # made by the page's build
FACTS = "site.json"  # what the folder holds; marks it as one of ours
KEEPER = "service-worker.js"  # told which files there are
FILES = {
    "wasm": "pyodide.asm.wasm.gz",
    "module": "pyodide.asm.mjs.gz",
    "library": "python_stdlib.zip",
}


class NotBuilt(Exception):
    """The page's part is missing, or a kernel is older than its sources."""


class NotOurs(Exception):
    """The folder holds something else."""


def build_site(folder: Path) -> int:
    """Write the folder, in place of an older site that stands there; return how many bytes it has."""
    if (
        not (PAGE / "index.html").is_file()
        or not (ENGINE / FILES["wasm"]).is_file()
        or not all(open_kernel(one).built for one in families())
    ):
        raise NotBuilt
    if folder.exists() and any(folder.iterdir()) and not (folder / FACTS).is_file():
        raise NotOurs
    files = dict(_files())
    _remove_old(folder)
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return sum(map(len, files.values()))


def _files() -> Iterator[tuple[str, bytes]]:
    files = {
        path.relative_to(PAGE).as_posix(): path.read_bytes()
        for path in sorted(PAGE.rglob("*"))
        if path.is_file()
    }
    parts: dict[str, dict[str, Any]] = {}
    for name, content in {
        **{name: (ENGINE / file).read_bytes() for name, file in FILES.items()},
        "package": archive(ENGINE),
    }.items():
        path = f"engine/{_named(FILES.get(name, 'foxclover.zip'), content)}"
        files[path] = content
        parts[name] = {"path": path, "size": len(content)}
    files["api/games.json"] = as_json(_games())
    for language in LANGUAGES:
        files[f"api/locale/{language}.json"] = as_json(site_texts(language))
        files[f"api/locale/{language}/rules.json"] = as_json(rules_texts(language))
        for game in games.infos():
            files[f"api/games/{game['key']}/layout.{language}.json"] = as_json(
                games.layout(game["key"], language)
            )
    files["licences.txt"] = (HERE / "licences.txt").read_bytes()
    files[FACTS] = as_json(
        {"version": __version__, "pyodide": _pyodide(), "parts": parts, "files": sorted(files)}
    )
    keeper = files.pop(KEEPER)
    kept = {path: hashlib.sha256(content).hexdigest()[:12] for path, content in files.items()}
    files[KEEPER] = re.sub(
        rb"const FACTS = .*;",
        lambda _: b"const FACTS = " + as_json({"served": False, "files": kept}) + b";",
        keeper,
        count=1,
    )
    yield from files.items()


def _pyodide() -> str:
    """Return the version of Pyodide, whose source one may ask for."""
    return (ENGINE / "version.txt").read_text(encoding="ascii").strip()


def _games() -> GamesAnswer:
    return {
        "protocol": PROTOCOL,
        "games": games.infos(),
        "levels": list(thinking.OPPONENTS),
        "languages": list(LANGUAGES),
    }


def _named(file: str, content: bytes) -> str:
    """A name that changes with the content, so that nothing old is ever taken for it."""
    stem, _, ending = file.partition(".")
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:12]}.{ending}"


def _remove_old(folder: Path) -> None:
    """Remove what an older site put here, and nothing else."""
    if (folder / FACTS).is_file():
        for path in json.loads((folder / FACTS).read_text(encoding="utf-8"))["files"]:
            (folder / path).unlink(missing_ok=True)
        for part in ("engine", "assets"):
            if (folder / part).is_dir() and not any((folder / part).iterdir()):
                shutil.rmtree(folder / part)
