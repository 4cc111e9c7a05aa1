"""The value net inside the compiled kernel.

An input slot is in one of several states (its code); code 0 adds nothing to the first hidden layer, any other code adds its row. Going
from one position to the next, only the slots that changed are taken out and put in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from foxclover.ai.parts import Desk, Ints, Net


def restart_sums(net: Net, desk: Desk) -> None:
    """Begin anew from the blank position, so that rounding errors do not pile up."""
    for slot in range(desk.codes.shape[0]):
        desk.codes[slot] = 0
    for scalar in range(desk.values.shape[0]):
        desk.values[scalar] = 0
    for i in range(desk.sums.shape[0]):
        desk.sums[i] = net.first[i]


def update_sums(net: Net, base: Ints, desk: Desk) -> None:
    """Bring the first hidden layer up to the new inputs on the desk."""
    # Indexed as one array: a view of a row would cost more than the work on it.
    rows = net.rows
    sums = desk.sums
    width = sums.shape[0]
    for slot in range(desk.codes.shape[0]):
        old = desk.codes[slot]
        new = desk.new_codes[slot]
        if old != new:
            desk.codes[slot] = new
            added = base[slot] + new
            removed = base[slot] + old
            if old == 0:
                for i in range(width):
                    sums[i] += rows[added, i]
            elif new == 0:
                for i in range(width):
                    sums[i] -= rows[removed, i]
            else:
                for i in range(width):
                    sums[i] += rows[added, i] - rows[removed, i]
    for scalar in range(desk.values.shape[0]):
        change = desk.new_values[scalar] - desk.values[scalar]
        if change != 0:
            desk.values[scalar] = desk.new_values[scalar]
            for i in range(width):
                sums[i] += change * net.scalars[scalar, i]


def output(net: Net, desk: Desk) -> float:
    """What the net says about the inputs that the first hidden layer stands for."""
    sums = desk.sums
    firing = desk.firing
    count = 0
    for i in range(sums.shape[0]):
        firing[count] = i
        count += 1 if sums[i] > 0 else 0
    weights = net.weights
    hidden = desk.hidden
    width = hidden.shape[0]
    for j in range(width):
        hidden[j] = net.second[j]
    done = 0
    while done + 4 <= count:
        # Four at a time: the hidden layer is read and written a quarter as often.
        a = firing[done]
        b = firing[done + 1]
        c = firing[done + 2]
        d = firing[done + 3]
        x = sums[a]
        y = sums[b]
        z = sums[c]
        w = sums[d]
        for j in range(width):
            hidden[j] += x * weights[a, j] + y * weights[b, j] + z * weights[c, j] + w * weights[d, j]
        done += 4
    while done < count:
        a = firing[done]
        x = sums[a]
        for j in range(width):
            hidden[j] += x * weights[a, j]
        done += 1
    # Two sums, so that one addition need not wait for the other.
    even = net.bias[0]
    zero = even - even  # of the weights' own type
    odd = zero
    for j in range(0, width, 2):
        even += max(hidden[j], zero) * net.out[j]
        odd += max(hidden[j + 1], zero) * net.out[j + 1]
    total: float = even + odd
    return total
