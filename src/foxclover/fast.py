"""The same rules compiled: a rules package's modules are executed again with their functions under numba.

Nothing is written twice. States and books become numpy records whose fields come from the declarations of ``records``; a batch
of games runs without returning to Python. ``link`` binds the generic loops of ``playouts`` to a package, compiled or plain.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import sys
import tempfile
import types
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foxclover.records import Record, assign

if TYPE_CHECKING:
    import numpy as np

PLAYOUTS = "foxclover.playouts"


@cache
def link(package: str, compiled: bool, extra: tuple[str, ...] = ()) -> types.SimpleNamespace:
    """All functions of a package's rules, of ``playouts`` and of ``extra`` modules, bound to each other, as one namespace."""
    names = (*importlib.import_module(f"foxclover.{package}").COMPILED, PLAYOUTS, *extra)
    prepare = _compiler(package, names) if compiled else _plain
    namespace: dict[str, Any] = {}
    for name in names:
        namespace.update(_execute(name, namespace, prepare))
    return types.SimpleNamespace(**namespace)


def _execute(name: str, bound: dict[str, Any], prepare: Any) -> dict[str, Any]:
    """Execute a module again, with the functions bound so far in place of those it imports or leaves open."""
    spec = importlib.util.find_spec(name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    names = vars(module)
    for key, value in list(names.items()):
        if isinstance(value, types.FunctionType) and (value.__module__ == name or value is assign):
            names[key] = prepare(value)
        elif isinstance(value, types.FunctionType) and key in bound:
            names[key] = bound[key]
    own = {key: value for key, value in names.items() if not key.startswith("_")}
    for key, value in bound.items():
        names.setdefault(key, value)
    return own


def _plain(function: Any) -> Any:
    return function


def _compiler(package: str, names: tuple[str, ...]) -> Any:
    """A decorator that compiles, with a cache on disk that no edited rule or sheet can fool."""
    import numba

    _teach_bit_count()
    numba.config.CACHE_DIR = str(cache_directory(package, names))  # type: ignore[attr-defined]

    def compile_function(function: Any) -> Any:
        if function is assign:
            return _assign_record()
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)

    return compile_function


def cache_directory(package: str, names: tuple[str, ...]) -> Path:
    """Where compiled code is kept: named by everything it was made from, so that an edited rule or sheet is compiled anew."""
    digest = hashlib.sha256(sys.version.encode())
    root = Path(__file__).parent
    modules = [root.parent / f"{name.replace('.', '/')}.py" for name in names]
    for file in sorted({Path(__file__), root / "records.py", *modules, *(root / package).rglob("*.toml")}):
        if file.exists():
            digest.update(file.read_bytes())
    base = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    for parent in (base, Path(tempfile.gettempdir())):
        directory = parent / "foxclover" / f"{package}-{digest.hexdigest()[:16]}"
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        return directory
    raise OSError(f"neither {base} nor the temporary directory can be written")


@cache
def _teach_bit_count() -> None:
    """``int.bit_count`` for numba, which does not know it: one instruction."""
    from numba.core import types
    from numba.extending import intrinsic, overload_method

    @intrinsic
    def population(_typing_context: Any, mask: Any) -> Any:
        def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return mask(mask), generate

    @overload_method(types.Integer, "bit_count")
    def bit_count(mask: Any) -> Any:  # noqa: ARG001 (numba compares the signatures)
        def count(mask: Any) -> Any:
            return population(mask)  # type: ignore[call-arg]

        return count


@cache
def _assign_record() -> Any:
    """``records.assign`` for numpy records: one block of memory copied."""
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def copy_record(_typing_context: Any, target: Any, source: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            size = ir.Constant(ir.IntType(64), signature.args[0].size)
            cgutils.raw_memcpy(builder, arguments[0], arguments[1], size, 1)  # type: ignore[no-untyped-call]
            return context.get_dummy_value()

        return types.void(target, source), generate

    return copy_record


def dtype(record: type[Record]) -> np.dtype[Any]:
    """The numpy record type with the fields of a record class."""
    import numpy as np

    fields: list[Any] = []
    for name, shape in record.shapes.items():
        inner = dtype(shape.record) if shape.record else np.dtype(shape.kind)
        fields.append((name, inner, shape.lengths) if shape.lengths else (name, inner))
    return np.dtype(fields)


def to_array(*records: Record) -> np.ndarray[Any, Any]:
    """Records of one class as a numpy array."""
    import numpy as np

    array = np.zeros(len(records), dtype(type(records[0])))
    flat = array.view(type(records[0]).integer).reshape(len(records), -1)
    for index, record in enumerate(records):
        flat[index] = record.values()
    return array


def from_array(record: type[Record], element: Any) -> Any:
    """A record from one element of such an array."""
    import numpy as np

    return record.from_values(iter(np.atleast_1d(element).view(record.integer).ravel().tolist()))
