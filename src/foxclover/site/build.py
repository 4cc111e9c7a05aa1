"""Write the game without a server: a folder of static files for any web host."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any

from foxclover import __version__
from foxclover.core.registry import families
from foxclover.kernel import open_kernel
from foxclover.locale import LANGUAGES, rules_texts, site_texts
from foxclover.server import games, tours
from foxclover.server.protocol.messages import PROTOCOL
from foxclover.server.protocol.tables import GamesAnswer
from foxclover.server.thinking import tasks as thinking
from foxclover.site.bundle import archive, as_json

HERE = Path(__file__).parent
PAGE, ENGINE = HERE / "page", HERE / "engine"  # written by the build of the page
FACTS = "site.json"  # lists the files; marks the folder as written by this module
KEEPER = "service-worker.js"  # gets the list of files
LAZY = "assets/"  # parts that the page loads when they are needed
SCREENSHOT = "screenshot-"  # shown before an installation, not by the page
FILES = {
    "wasm": "pyodide.asm.wasm.gz",
    "module": "pyodide.asm.mjs.gz",
    "library": "python_stdlib.zip",
}


class NotBuilt(Exception):
    """The built page is missing, or a kernel is older than its sources."""


class NotOurs(Exception):
    """The folder contains files that are not a site."""


def build_site(folder: Path) -> int:
    """Write the site to a folder, replacing an older site in it.

    Return its size in bytes. Raises ``NotBuilt`` and ``NotOurs``.
    """
    if (
        not (PAGE / "index.html").is_file()
        or not (ENGINE / FILES["wasm"]).is_file()
        or not all(open_kernel(family).built for family in families())
    ):
        raise NotBuilt
    old, files = _old_files(folder), _files()
    left = _left_for_open_pages(folder, files)
    files[FACTS] = as_json(json.loads(files[FACTS]) | {"left": left})
    _remove([path for path in old if path.relative_to(folder).as_posix() not in left], folder)
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return sum(map(len, files.values()))


def _files() -> dict[str, bytes]:
    files = {
        path.relative_to(PAGE).as_posix(): path.read_bytes()
        for path in sorted(PAGE.rglob("*"))
        if path.is_file()
    }
    engine = {name: (ENGINE / file).read_bytes() for name, file in FILES.items()}
    parts: dict[str, dict[str, Any]] = {}
    for name, content in {**engine, "package": archive(ENGINE)}.items():
        path = f"engine/{_named(FILES.get(name, 'foxclover.tar.gz'), content)}"
        files[path] = content
        parts[name] = {"path": path, "size": len(content)}
    offered: GamesAnswer = {
        "protocol": PROTOCOL,
        "games": games.infos(),
        "levels": list(thinking.OPPONENTS),
        "languages": list(LANGUAGES),
    }
    files["api/games.json"] = as_json(offered)
    for language in LANGUAGES:
        files[f"api/locale/{language}.json"] = as_json(site_texts(language))
        files[f"api/locale/{language}/rules.json"] = as_json(rules_texts(language))
        for game in games.infos():
            files[f"api/games/{game['key']}/layout.{language}.json"] = as_json(
                games.layout(game["key"], language)
            )
            if game["tour"]:
                files[f"api/games/{game['key']}/tour.{language}.json"] = as_json(
                    tours.tour(game["key"], language)
                )
    files["licences.txt"] = (HERE / "licences.txt").read_bytes()
    # You may request the source of Pyodide, by its version.
    pyodide = (ENGINE / "version.txt").read_text(encoding="ascii").strip()
    files[FACTS] = as_json(
        {"version": __version__, "pyodide": pyodide, "parts": parts, "files": sorted(files)}
    )
    keeper = files.pop(KEEPER)
    kept = {
        path: hashlib.sha256(content).hexdigest()[:12]
        for path, content in files.items()
        if not path.startswith(SCREENSHOT)
    }
    files[KEEPER] = re.sub(
        rb"const FACTS = .*;",
        lambda _: b"const FACTS = " + as_json({"served": False, "files": kept}) + b";",
        keeper,
        count=1,
    )
    return files


def _named(file: str, content: bytes) -> str:
    """Return a file name with a hash of the content, so that caches never use an old file."""
    stem, _, ending = file.partition(".")
    return f"{stem}-{hashlib.sha256(content).hexdigest()[:12]}.{ending}"


def _old_files(folder: Path) -> list[Path]:
    """Return the files of an older site in a folder.

    Raises ``NotOurs`` if the folder contains anything else.
    """
    if not folder.exists() or not any(folder.iterdir()):
        return []
    try:
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        named = [folder / path for path in (*facts["files"], *facts.get("left", ()))]
        ours = {"version", "pyodide", "parts"} <= facts.keys()
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        raise NotOurs from None
    if not ours or not all(_is_within(path, folder) for path in named):
        raise NotOurs
    return named


def _left_for_open_pages(folder: Path, files: dict[str, bytes]) -> list[str]:
    """Return the parts of the last other version, which pages that are open may still load."""
    if not (folder / FACTS).is_file():
        return []
    facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
    parts = [path for path in facts["files"] if path.startswith(LAZY) and path not in files]
    return parts or [path for path in facts.get("left", ()) if path not in files]


def _is_within(path: Path, folder: Path) -> bool:
    """Return whether a path is inside a folder and not a directory; the file may be missing.

    Links and ``..`` are resolved, so that they cannot point outside.
    """
    return path.resolve().is_relative_to(folder.resolve()) and not path.is_dir()


def _remove(old: list[Path], folder: Path) -> None:
    """Remove the files of an older site and the folders they leave empty, and nothing else."""
    for path in old:
        path.unlink(missing_ok=True)
    for part in ("engine", "assets"):
        if (folder / part).is_dir() and not any((folder / part).iterdir()):
            (folder / part).rmdir()
