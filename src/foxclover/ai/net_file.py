"""Read and write net files: a title line, a line of JSON, and the numbers.

    foxclover net 1
    {"game": ..., "inputs": 1, "arrays": [{"name": ..., "shape": [...], "kind": "half"}, ...],
     "sha256": ..., "shortfall": [0.0, ...]}
    the arrays one after another, little-endian

``inputs`` is the version of the inputs: a net for other inputs is refused. An array of kind "half"
holds float16. An array of kind "bytes" holds a float16 scale for each row, then int8 numbers: a
number is the scale of its row times its byte. ``shortfall`` is the value bias: points that the net
expects too little, by the number of turns that a player has left. A newly trained net has none
until it is measured.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from array import array
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from foxclover.core.registry import GAMES

if TYPE_CHECKING:
    import numpy as np

    from foxclover.core.game import Game

    Array = np.ndarray[Any, np.dtype[Any]]
    Net = dict[str, Array]

TITLE = b"foxclover net 1\n"
HALF, BYTES = "half", "bytes"
NO_STEPS: Mapping[str, float] = {}


class NetError(ValueError):
    """A net is not usable; the message explains why."""


def shipped(game: Game) -> Path:
    """Return the path of the net of a game in the package."""
    return GAMES / game.family / "nets" / f"{game.key}.net"


def save(
    path: Path,
    game: str,
    inputs: int,
    net: Net,
    coarse: tuple[str, ...] = (),
    steps: Mapping[str, float] = NO_STEPS,
) -> None:
    """Write a net: arrays in ``coarse`` as bytes, those in ``steps`` as multiples of a step."""
    described = []
    body = b""
    for name, numbers in net.items():
        kind = BYTES if name in coarse else HALF
        described.append({"name": name, "shape": list(numbers.shape), "kind": kind})
        body += (
            _pack_bytes(numbers, steps.get(name))
            if kind == BYTES
            else _pack_halves(numbers, steps.get(name))
        )
    header = {
        "game": game,
        "inputs": inputs,
        "arrays": described,
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    path.write_bytes(TITLE + json.dumps(header).encode() + b"\n" + body)


def load(path: Path, game: str, inputs: int) -> Net:
    """Read a net for these inputs of a game."""
    header, body = _read(path)
    try:
        told = json.loads(header)
        whole = told["sha256"] == hashlib.sha256(body).hexdigest()
        if whole and told["game"] == game and told["inputs"] == inputs:
            return _unpack(told["arrays"], body)
    except (ValueError, KeyError, TypeError):
        whole = False
    if not whole:
        raise NetError(f"the net {path} is damaged")
    raise NetError(
        f"the net {path} is for version {told['inputs']} of the inputs of {told['game']}, "
        f"not {inputs} of {game}"
    )


def value_bias(path: Path) -> tuple[float, ...]:
    """Return the points that a net expects too little, by turns left; empty if not measured."""
    header, _ = _read(path)
    return tuple(json.loads(header).get("shortfall", ()))


def write_value_bias(path: Path, points: Sequence[float]) -> None:
    """Write the value bias into the file of a net."""
    header, body = _read(path)
    path.write_bytes(
        TITLE + json.dumps(json.loads(header) | {"shortfall": list(points)}).encode() + b"\n" + body
    )


def _read(path: Path) -> tuple[bytes, bytes]:
    """Return the header and the numbers of a net file."""
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

    packed: bytes = (
        (numbers if step is None else np.rint(numbers / step) * step).astype("<f2").tobytes()
    )
    return packed


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
    packed: bytes = scale.tobytes() + np.clip(np.rint(steps), -127, 127).astype(np.int8).tobytes()
    return packed


def _unpack(described: list[dict[str, Any]], body: bytes) -> Net:
    if sys.platform == "emscripten":
        return cast("Net", unpack_plainly(described, body))
    import numpy as np

    arrays: Net = {}
    start = 0
    for entry in described:
        shape = tuple(entry["shape"])
        count = int(np.prod(shape))
        if entry["kind"] == BYTES:
            scale = np.frombuffer(body, "<f2", shape[0], start).astype(np.float32)
            start += 2 * shape[0]
            steps = np.frombuffer(body, np.int8, count, start).reshape(shape)
            arrays[entry["name"]] = scale[:, None] * steps.astype(np.float32)
            start += count
        else:
            arrays[entry["name"]] = (
                np.frombuffer(body, "<f2", count, start).astype(np.float32).reshape(shape)
            )
            start += 2 * count
    return arrays


class PlainArray(NamedTuple):
    """An array without numpy."""

    shape: tuple[int, ...]
    numbers: array[float]


def unpack_plainly(described: list[dict[str, Any]], body: bytes) -> dict[str, PlainArray]:
    """Unpack a net without numpy, to the same numbers: scale times byte is exact."""
    arrays: dict[str, PlainArray] = {}
    start = 0
    for entry in described:
        shape = tuple(entry["shape"])
        count = prod(shape)
        numbers = array("f")
        if entry["kind"] == BYTES:
            scales = struct.unpack_from(f"<{shape[0]}e", body, start)
            start += 2 * shape[0]
            width = count // shape[0]
            steps = memoryview(body).cast("b")[start : start + count]
            for row, scale in enumerate(scales):
                numbers.extend([scale * step for step in steps[row * width : (row + 1) * width]])
            start += count
        else:
            numbers.extend(struct.unpack_from(f"<{count}e", body, start))
            start += 2 * count
        arrays[entry["name"]] = PlainArray(shape, numbers)
    return arrays
