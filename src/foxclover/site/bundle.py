"""Pack the parts of the Python package that a browser needs into an archive.

Modules are compiled in advance, so that the browser does not have to. Bytecode depends on the
version of Python. The build of the page compiles with the browser's version
(web/build/engine.ts), since the Python that writes the archive may differ.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from foxclover.locale import LANGUAGES, site_texts

PACKAGE = Path(__file__).parents[1]
COMPILED = "compiled.zip"  # written by the build of the page: bytecode by hash of its source
# parts of the package that a browser does not need
NOT_NEEDED = (
    "cli/",
    "envs/",
    "web/",
    "site/build.py",
    "site/bundle.py",
    "site/page/",
    "site/engine/",
    "locale/",
)
NEEDED = (".py", ".toml", ".net", ".wasm", ".gz")
# time of every file in an archive, so that the same sources give the same bytes
MOMENT = (2020, 1, 1, 0, 0, 0)


def compile_modules() -> bytes:
    """Compile all modules for the running version of Python; return an archive."""
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
    """Pack the package; modules that changed since the page was built are included as source.

    A compressed tar: the page unpacks it without Python, which would take longer.
    """
    made = io.BytesIO()
    with (
        tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as packed,
        zipfile.ZipFile(engine / COMPILED) as compiled,
    ):
        known = set(compiled.namelist())
        for name, content in _sources():
            key = _key(name, content)
            if key in known:
                _add(packed, f"foxclover/{name}c", compiled.read(key))
            else:
                _add(packed, f"foxclover/{name}", content)
        for language in LANGUAGES:
            _add(packed, f"foxclover/locale/{language}/all.json", as_json(site_texts(language)))
    return gzip.compress(made.getvalue(), mtime=0)


def _sources() -> Iterator[tuple[str, bytes]]:
    for path in sorted(PACKAGE.rglob("*")):
        name = path.relative_to(PACKAGE).as_posix()
        if name == "locale/__init__.py" or (
            path.suffix in NEEDED and not name.startswith(NOT_NEEDED)
        ):
            yield name, path.read_bytes()


def _key(name: str, source: bytes) -> str:
    return hashlib.sha256(name.encode() + source).hexdigest()


def _add(packed: tarfile.TarFile, name: str, content: bytes) -> None:
    entry = tarfile.TarInfo(name)
    entry.size = len(content)
    packed.addfile(entry, io.BytesIO(content))


def _pack(packed: zipfile.ZipFile, name: str, content: bytes) -> None:
    packed.writestr(zipfile.ZipInfo(name, MOMENT), content, zipfile.ZIP_DEFLATED, 9)


def as_json(value: Mapping[str, Any]) -> bytes:
    """Return a value as compact JSON."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
