"""Bundles of arrays that the compiled functions of the computer players take; ``fast`` never executes this module again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float32]]
    Ints = np.ndarray[Any, np.dtype[np.int64]]
    Buffer = Any  # an array that functions shared with CPython use like a list


class Net(NamedTuple):
    """A value net over sparse inputs: a row per state of an input slot, a few scalars, two hidden layers, one output."""

    rows: Floats  # [row][first hidden]
    scalars: Floats  # [scalar][first hidden]
    first: Floats  # bias of the first hidden layer
    weights: Floats  # [first hidden][second hidden]
    second: Floats  # bias of the second hidden layer
    out: Floats  # [second hidden]
    bias: Floats  # [1]


class Desk(NamedTuple):
    """What one thread computes a net's output on. ``codes`` and ``values`` are the inputs that ``sums`` stands for."""

    codes: Ints
    values: Floats
    sums: Floats  # of the first hidden layer, before its threshold
    firing: Ints  # which of them are positive
    hidden: Floats
    new_codes: Buffer
    new_values: Buffer
    flow: Floats  # errors flowing back to the first hidden layer
    back: Floats  # and to the second


def make_net(rows: int, scalars: int, first: int, second: int) -> Net:
    """A net of zeros."""
    import numpy as np

    shapes = ((rows, first), (scalars, first), (first,), (first, second), (second,), (second,), (1,))
    return Net(*(np.zeros(shape, np.float32) for shape in shapes))


def make_desk(net: Net, slots: int) -> Desk:
    """Room to compute a net's output."""
    import numpy as np

    first, second = net.weights.shape
    scalars = len(net.scalars)

    def floats(length: int) -> Floats:
        return np.zeros(length, np.float32)

    def ints(length: int) -> Ints:
        return np.zeros(length, np.int64)

    return Desk(
        codes=ints(slots),
        values=floats(scalars),
        sums=floats(first),
        firing=ints(first + 1),
        hidden=floats(second),
        new_codes=ints(slots),
        new_values=floats(scalars),
        flow=floats(first),
        back=floats(second),
    )
