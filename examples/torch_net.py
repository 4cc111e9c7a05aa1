"""Load a net of Fox & Clover as tensors of PyTorch.

Run ``python torch_net.py FILE.net`` to list the tensors of a net, for example one that
``foxclover train ganz --out DIR`` has written.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
from pathlib import Path

import numpy as np
import torch


def load_net(path: str) -> dict[str, torch.Tensor]:
    """Return the arrays of a net by name, as float32; raises ``ValueError`` for other files."""
    title, header, body = Path(path).read_bytes().split(b"\n", 2)
    facts = json.loads(header)
    if title != b"foxclover net 1" or hashlib.sha256(body).hexdigest() != facts["sha256"]:
        raise ValueError(f"{path} is no net, or damaged")
    tensors, start = {}, 0
    for entry in facts["arrays"]:
        shape, count = entry["shape"], math.prod(entry["shape"])
        if entry["kind"] == "bytes":  # a scale for each row, then the numbers
            scales = np.frombuffer(body, "<f2", shape[0], start).astype(np.float32)
            start += 2 * shape[0]
            numbers = np.frombuffer(body, np.int8, count, start).astype(np.float32)
            numbers, start = numbers.reshape(shape) * scales[:, None], start + count
        else:
            numbers = np.frombuffer(body, "<f2", count, start).astype(np.float32)
            numbers, start = numbers.reshape(shape), start + 2 * count
        tensors[entry["name"]] = torch.from_numpy(numbers)
    return tensors


if __name__ == "__main__":
    for name, tensor in load_net(sys.argv[1]).items():
        print(name, tuple(tensor.shape))
