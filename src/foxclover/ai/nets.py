"""Nets: their files, their checks, and the way into the kernel.

A file has a title line, a line of JSON, and the numbers::

    foxclover net 1
    {"game": ..., "inputs": 1, "arrays": [{"name": ..., "shape": [...], "kind": "half"}, ...],
     "sha256": ..., "shortfall": [0.0, ...], "rmse": [5.1, ...]}
    the arrays one after another, little-endian

``inputs`` is the version of the inputs: a net for other inputs is refused. An array of kind "half"
holds float16. An array of kind "bytes" holds a float16 scale for each row, then int8 numbers: a
number is the scale of its row times its byte. ``shortfall`` is the value bias: points that the net
expects too little, by the number of turns that a player has left. ``rmse`` is the error of its
values, also by turns. A newly trained net has neither until it is measured.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import sys
from array import array
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import prod
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from foxclover.ai.families import family_of
from foxclover.core.contract import AnyState
from foxclover.core.game import Game
from foxclover.core.registry import GAMES
from foxclover.kernel import Instance, open_kernel

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]
    Net = dict[str, Array]

TITLE = b"foxclover net 1\n"
HALF, BYTES = "half", "bytes"
NET_VARIABLE = "FOXCLOVER_NET"  # names a net for all computer players of this process


class NetError(ValueError):
    """A net is not usable; the message explains why."""


def shipped(game: Game) -> Path:
    """Return the path of the net of a game in the package."""
    return GAMES / game.family / "nets" / f"{game.key}.net"


def write_net(
    path: Path,
    game: str,
    inputs: int,
    net: Net,
    coarse: tuple[str, ...] = (),
    steps: Mapping[str, float] | None = None,
) -> None:
    """Write a net: arrays in ``coarse`` as bytes, those in ``steps`` as multiples of a step."""
    described, body = [], b""
    for name, numbers in net.items():
        kind, pack = (BYTES, _pack_bytes) if name in coarse else (HALF, _pack_halves)
        described.append({"name": name, "shape": list(numbers.shape), "kind": kind})
        body += pack(numbers, (steps or {}).get(name))
    header = {
        "game": game,
        "inputs": inputs,
        "arrays": described,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    path.write_bytes(TITLE + json.dumps(header).encode() + b"\n" + body)


def read_net(path: Path, game: str, inputs: int) -> Net:
    """Read a net for these inputs of a game."""
    header, body = _read(path)
    try:
        found = json.loads(header)
        whole = found["sha256"] == hashlib.sha256(body).hexdigest()
        if whole and found["game"] == game and found["inputs"] == inputs:
            return _unpack(found["arrays"], body)
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise NetError(f"the net {path} is damaged")
    if found["game"] != game:
        raise NetError(f"the net {path} is for {found['game']}, not for {game}")
    raise NetError(
        f"the net {path} is for version {found['inputs']} of the inputs of {game}, not {inputs}: "
        f"it belongs to another version of Fox & Clover"
    )


class Accuracy(NamedTuple):
    """What was measured about the values of a net, by turns left; empty if not measured."""

    value_bias: tuple[float, ...] = ()  # points that it expects too little
    rmse: tuple[float, ...] = ()  # error of its values in points, after play of weaker players


HEADER = {"value_bias": "shortfall", "rmse": "rmse"}  # where the file contains them


def read_accuracy(path: Path) -> Accuracy:
    """Read what was measured about a net."""
    header = json.loads(_read(path)[0])
    return Accuracy(*(tuple(header.get(HEADER[name], ())) for name in Accuracy._fields))


def net_digest(path: Path) -> str:
    """Return the SHA-256 of a net's numbers, which what was measured about it does not change."""
    digest: str = json.loads(_read(path)[0])["sha256"]
    return digest


def write_accuracy(path: Path, **measured: Sequence[float]) -> None:
    """Write fields of ``Accuracy`` into the file of a net."""
    header, body = _read(path)
    changed = {HEADER[name]: list(points) for name, points in measured.items()}
    path.write_bytes(TITLE + json.dumps(json.loads(header) | changed).encode() + b"\n" + body)


def _read(path: Path) -> tuple[bytes, bytes]:
    try:
        title, header, body = path.read_bytes().split(b"\n", 2)
    except OSError as error:
        raise NetError(f"the net {path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise NetError(f"{path} is no net") from None
    if title + b"\n" != TITLE:
        raise NetError(f"{path} is no net")
    return header, body


def _pack_halves(numbers: Array, step: float | None) -> bytes:
    import numpy as np

    rounded = numbers if step is None else np.rint(numbers / step) * step
    return bytes(rounded.astype("<f2").tobytes())


def _pack_bytes(numbers: Array, step: float | None) -> bytes:
    import numpy as np

    least = np.abs(numbers).max(axis=1) / 127
    scale = (least if step is None else np.ceil(least / step) * step).astype("<f2")
    steps = np.divide(
        numbers,
        scale[:, None].astype(np.float32),
        out=np.zeros_like(numbers),
        where=scale[:, None] > 0,
    )
    return bytes(scale.tobytes() + np.clip(np.rint(steps), -127, 127).astype(np.int8).tobytes())


def _unpack(described: list[dict[str, Any]], body: bytes) -> Net:
    if sys.platform == "emscripten":
        return cast("Net", unpack_plainly(described, body))
    import numpy as np

    arrays: Net = {}
    for name, shape, scales, content in _split(described, body):
        kind = np.int8 if scales else "<f2"
        arrays[name] = np.frombuffer(content, kind).astype(np.float32).reshape(shape)
        if scales:
            arrays[name] *= np.frombuffer(scales, "<f2").astype(np.float32)[:, None]
    return arrays


def _split(
    described: list[dict[str, Any]], body: bytes
) -> Iterator[tuple[str, tuple[int, ...], bytes, bytes]]:
    """Yield name and shape of each array, its scales (for bytes only) and its numbers."""
    start = 0
    for entry in described:
        shape, is_bytes = tuple(entry["shape"]), entry["kind"] == BYTES
        first = start + 2 * shape[0] * is_bytes
        end = first + prod(shape) * (1 if is_bytes else 2)
        yield entry["name"], shape, body[start:first], body[first:end]
        start = end


class PlainArray(NamedTuple):
    """An array without numpy."""

    shape: tuple[int, ...]
    numbers: array[float]


def unpack_plainly(described: list[dict[str, Any]], body: bytes) -> dict[str, PlainArray]:
    """Unpack a net without numpy, to the same numbers: scale times byte is exact."""
    arrays: dict[str, PlainArray] = {}
    for name, shape, scales, content in _split(described, body):
        numbers = array("f")
        if scales:
            steps, width = memoryview(content).cast("b"), prod(shape[1:])
            for row, (scale,) in enumerate(struct.iter_unpack("<e", scales)):
                numbers.extend([scale * step for step in steps[row * width : (row + 1) * width]])
        else:
            numbers.extend(struct.unpack(f"<{prod(shape)}e", content))
        arrays[name] = PlainArray(shape, numbers)
    return arrays


def net_path(game: Game, file: str | PathLike[str] | None = None) -> Path:
    """Return the file of a game's net.

    That is the one named here or by the variable FOXCLOVER_NET, the one of the package, or for
    sheets and decks of your own the one in ``user_folder``.
    """
    named = file or os.environ.get(NET_VARIABLE)
    path = Path(named) if named else shipped(game)
    if named or path.exists() or sys.platform == "emscripten":
        return path
    own = user_folder() / path.name
    return own if own.exists() else path


def user_folder() -> Path:
    """Return the folder for nets of your own, ``GAME.net``; it need not exist."""
    from platformdirs import user_data_path

    return user_data_path("foxclover", appauthor=False) / "nets"


def net_of(game: Game, file: str | PathLike[str] | None = None) -> Net:
    """Return the net of a game, from ``net_path``; raise ``NetError``."""
    path = net_path(game, file)
    return shipped_net(game) if path == shipped(game) else _load(path, _changed(path), game)


@cache
def shipped_net(game: Game) -> Net:
    """Return the net that is shipped with the package."""
    return load(shipped(game), game)


def _changed(path: Path) -> int:
    """Return when a file was changed, so that a new net is read again."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(16)
def _load(path: Path, _: int, game: Game) -> Net:
    return load(path, game)


def load(path: Path, game: Game) -> Net:
    """Read a net that fits a game; raise ``NetError``."""
    family = family_of(game)
    net, shapes = read_net(path, game.key, family.INPUTS), family.shapes(game)
    if net.keys() != shapes.keys():
        raise NetError(f"the net {path} is damaged")
    if any(net[name].shape != shape for name, shape in shapes.items()):
        raise NetError(f"the net {path} does not fit {game.name}")
    return net


def save(path: Path, game: Game, net: Net) -> None:
    """Write the net of a game."""
    family = family_of(game)
    write_net(path, game.key, family.INPUTS, net, family.COARSE, family.STEPS)


class Thinker(NamedTuple):
    """A kernel instance of one thread, with the tables of a game and perhaps a workspace."""

    instance: Instance
    tables: Any
    workspace: Any


def make_thinker(game: Game, net: Net | None) -> Thinker:
    """Return a thinker; without a net it has no workspace."""
    instance = open_kernel(game.family).instance()
    tables, workspace = instance.new(type(game.definition.tables)), None
    instance.set(tables, game.definition.tables)
    if net:
        workspace = make_workspace(instance, game, net)
    return Thinker(instance, tables, workspace)


def make_workspace(instance: Instance, game: Game, net: Net) -> Any:
    """Return a workspace in a kernel's memory.

    Without the arrays of a net it rates nothing, but computes the inputs of a net.
    """
    family = family_of(game)
    workspace = instance.new(family.Workspace)
    family.equip(instance, workspace, game)
    for name, numbers in net.items():
        instance.fill(getattr(workspace.net, name), numbers)
    return workspace


def value_bias(
    game: Game, state: AnyState, seat: int, file: str | PathLike[str] | None = None
) -> float:
    """Return the points that a player may expect beyond the net's rating; 0 if not measured.

    The nets of the Clever games learnt from players without look-ahead, which earn less in the
    turns left. The bias is the same for all moves and chance outcomes of a position.
    """
    return _by_turns(_accuracy_of(game, file).value_bias, game, state, seat)


def value_error(
    game: Game, state: AnyState, seat: int, file: str | PathLike[str] | None = None
) -> float:
    """Return the error of the net's value of a position, in points; 0 if not measured."""
    return _by_turns(_accuracy_of(game, file).rmse, game, state, seat)


def _by_turns(measured: Sequence[float], game: Game, state: AnyState, seat: int) -> float:
    return measured[game.scoring.turns_to_come(game.definition, state, seat)] if measured else 0.0


def _accuracy_of(game: Game, file: str | PathLike[str] | None) -> Accuracy:
    path = net_path(game, file)
    return _measured(path, _changed(path))


@lru_cache(16)
def _measured(path: Path, _: int) -> Accuracy:
    try:
        return read_accuracy(path)
    except NetError:  # the error appears when the net is loaded
        return Accuracy()
