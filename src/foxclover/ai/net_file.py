"""Nets in files: a line that says so, a line of JSON that says what, and the numbers.

    foxclover net 1
    {"game": ..., "inputs": 1, "arrays": [{"name": ..., "shape": [...], "kind": "half"}, ...], "sha256": ..., "shortfall": [0.0, ...]}
    the arrays one after another, little-endian

``inputs`` is the version of what the net sees: a net for other inputs is refused. An array of kind "half" holds float16; one of kind
"bytes" holds a float16 scale for each of its rows and then the numbers as int8, so that a number is its row's scale times its byte.
``shortfall`` tells by how many points the net was found to expect too little, by turns that a player has still to come. A net that was
trained anew has none until that is measured again.
"""

from __future__ import annotations

import hashlib
import json
import struct
import sys
from array import array
from collections.abc import Sequence
from importlib import resources
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, cast

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[Any]]
    Net = dict[str, Array]

TITLE = b"foxclover net 1\n"
HALF, BYTES = "half", "bytes"


class NetError(ValueError):
    """A net that cannot be used, and why."""


def shipped(game: str) -> Path:
    """Where the net of a game lies in the package."""
    return Path(str(resources.files("foxclover.ai") / "nets" / f"{game}.net"))


def save(path: Path, game: str, inputs: int, net: Net, coarse: tuple[str, ...] = ()) -> None:
    """Write a net; the arrays named in ``coarse`` as bytes."""
    described = []
    body = b""
    for name, numbers in net.items():
        kind = BYTES if name in coarse else HALF
        described.append({"name": name, "shape": list(numbers.shape), "kind": kind})
        body += _pack_bytes(numbers) if kind == BYTES else numbers.astype("<f2").tobytes()
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
        f"the net {path} is for version {told['inputs']} of the inputs of {told['game']}, not {inputs} of {game}"
    )


def shortfall(path: Path) -> tuple[float, ...]:
    """By how many points a net expects too little, by turns still to come; nothing where that was not measured."""
    header, _ = _read(path)
    return tuple(json.loads(header).get("shortfall", ()))


def note_shortfall(path: Path, points: Sequence[float]) -> None:
    """Write into the file of a net by how many points it expects too little."""
    header, body = _read(path)
    path.write_bytes(
        TITLE + json.dumps(json.loads(header) | {"shortfall": list(points)}).encode() + b"\n" + body
    )


def _read(path: Path) -> tuple[bytes, bytes]:
    """What a file says of its net, and the numbers."""
    try:
        title, header, body = path.read_bytes().split(b"\n", 2)
    except OSError as error:
        raise NetError(f"the net {path} cannot be read: {error.strerror}") from None
    except ValueError:
        raise NetError(f"{path} is no net") from None
    if title + b"\n" != TITLE:
        raise NetError(f"{path} is no net")
    return header, body


def _pack_bytes(numbers: Array) -> bytes:
    import numpy as np

    scale = (np.abs(numbers).max(axis=1) / 127).astype("<f2")
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
    """What is asked of an array where there is no numpy."""

    shape: tuple[int, ...]
    numbers: array[float]


def unpack_plainly(described: list[dict[str, Any]], body: bytes) -> dict[str, PlainArray]:
    """Unpack a net without numpy, to the same numbers: a scale and a byte multiply exactly."""
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
