"""The Python package as far as a browser needs it, in an archive.

Its modules come compiled, so that no browser has to. Bytecode is of one version of Python, the
browser's, which the page's build has at hand (web/build/engine.mjs); whoever makes the archive may have another one.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from foxclover.locale import LANGUAGES, site_texts

PACKAGE = Path(__file__).parents[1]
COMPILED = "compiled.zip"  # made by the page's build: bytecode under the hash of its source
NOT_NEEDED = (
    "cli/",
    "envs/",
    "web/",
    "site/build.py",
    "site/bundle.py",
    "site/page/",
    "site/engine/",
    "locale/",
)  # in a browser
NEEDED = (".py", ".toml", ".net", ".wasm")
MOMENT = (
    2020,
    1,
    1,
    0,
    0,
    0,
)  # of every file in an archive, so that the same sources make the same bytes


def compile_modules() -> bytes:
    """Compile all modules for the Python that runs this."""
    from _frozen_importlib_external import _code_to_hash_pyc  # type: ignore[attr-defined]
    from importlib.util import source_hash

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        for name, source in _sources():
            if name.endswith(".py"):
                code = compile(source, f"foxclover/{name}", "exec", dont_inherit=True, optimize=2)
                _pack(
                    packed,
                    _key(name, source),
                    bytes(_code_to_hash_pyc(code, source_hash(source), False)),
                )
    return made.getvalue()


def archive(engine: Path) -> bytes:
    """Pack the package; a module that has changed since the page was built comes as its source."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed, zipfile.ZipFile(engine / COMPILED) as compiled:
        known = set(compiled.namelist())
        for name, content in _sources():
            key = _key(name, content)
            if key in known:
                _pack(packed, f"foxclover/{name}c", compiled.read(key))
            else:
                _pack(packed, f"foxclover/{name}", content)
        for language in LANGUAGES:
            _pack(packed, f"foxclover/locale/{language}/all.json", as_json(site_texts(language)))
    return made.getvalue()


def _sources() -> Iterator[tuple[str, bytes]]:
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        if name == "locale/__init__.py" or (
            path.suffix in NEEDED and not name.startswith(NOT_NEEDED)
        ):
            yield name, path.read_bytes()


def _key(name: str, source: bytes) -> str:
    return hashlib.sha256(name.encode() + source).hexdigest()


def _pack(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    packed.writestr(zipfile.ZipInfo(name, MOMENT), content, zipfile.ZIP_DEFLATED, 9)


def as_json(value: Mapping[str, Any]) -> bytes:
    """Write something down as briefly as it goes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
