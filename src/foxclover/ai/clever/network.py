"""The value net of a Clever game: sparse inputs, two hidden layers, one output.

An input slot is in one of several states (its code); code 0 adds nothing to the first hidden layer, any other code adds its row. Going
from one position to the next, only the slots that changed are taken out and put in.
"""

from __future__ import annotations

from foxclover.ai.clever.inputs import ROWS, SCALARS, SLOTS, Plan
from foxclover.records import Record, ints, shorts, singles

FIRST, SECOND = 192, 64  # widths of the hidden layers


class Net(Record):
    """The weights."""

    rows: list[list[float]] = singles(ROWS, FIRST)  # a row for each state of an input slot
    scalars: list[list[float]] = singles(SCALARS, FIRST)
    first: list[float] = singles(FIRST)  # bias of the first hidden layer
    weights: list[list[float]] = singles(FIRST, SECOND)
    second: list[float] = singles(SECOND)  # bias of the second hidden layer
    out: list[float] = singles(SECOND)
    bias: list[float] = singles(1)


class Activations(Record):
    """A net at work. ``codes`` and ``scalars`` are the inputs that ``sums`` stands for, the others those wanted next."""

    codes: list[int] = shorts(SLOTS)
    scalars: list[float] = singles(SCALARS)
    new_codes: list[int] = shorts(SLOTS)
    new_scalars: list[float] = singles(SCALARS)
    sums: list[float] = singles(FIRST)  # of the first hidden layer, before its threshold
    firing: list[int] = ints(FIRST + 1)  # which of them are positive
    hidden: list[float] = singles(SECOND)


def restart_sums(net: Net, plan: Plan, at_work: Activations) -> None:
    """Begin anew from the blank position, so that rounding errors do not pile up."""
    for slot in range(plan.slots):
        at_work.codes[slot] = 0
    for scalar in range(SCALARS):
        at_work.scalars[scalar] = 0.0
    for i in range(FIRST):
        at_work.sums[i] = net.first[i]


def update_sums(net: Net, plan: Plan, at_work: Activations) -> None:
    """Bring the first hidden layer up to the new inputs."""
    sums = at_work.sums
    for slot in range(plan.slots):
        old = at_work.codes[slot]
        new = at_work.new_codes[slot]
        if old != new:
            at_work.codes[slot] = new
            if old == 0:
                add_row(sums, net.rows[plan.base[slot] + new])
            elif new == 0:
                remove_row(sums, net.rows[plan.base[slot] + old])
            else:
                exchange_rows(sums, net.rows[plan.base[slot] + new], net.rows[plan.base[slot] + old])
    for scalar in range(SCALARS):
        change = at_work.new_scalars[scalar] - at_work.scalars[scalar]
        if change != 0:
            at_work.scalars[scalar] = at_work.new_scalars[scalar]
            for i in range(FIRST):
                sums[i] += change * net.scalars[scalar][i]


def add_row(sums: list[float], added: list[float]) -> None:
    """Put a row in."""
    for i in range(FIRST):
        sums[i] += added[i]


def remove_row(sums: list[float], removed: list[float]) -> None:
    """Take a row out."""
    for i in range(FIRST):
        sums[i] -= removed[i]


def exchange_rows(sums: list[float], added: list[float], removed: list[float]) -> None:
    """Put a row in and take another out."""
    for i in range(FIRST):
        sums[i] += added[i] - removed[i]


def output(net: Net, at_work: Activations) -> float:
    """What the net says about the inputs that the first hidden layer stands for."""
    sums = at_work.sums
    firing = at_work.firing
    count = 0
    for i in range(FIRST):
        firing[count] = i
        count += 1 if sums[i] > 0 else 0
    weights = net.weights
    hidden = at_work.hidden
    for j in range(SECOND):
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
        for j in range(SECOND):
            hidden[j] += x * weights[a][j] + y * weights[b][j] + z * weights[c][j] + w * weights[d][j]
        done += 4
    while done < count:
        a = firing[done]
        x = sums[a]
        for j in range(SECOND):
            hidden[j] += x * weights[a][j]
        done += 1
    # Two sums, so that one addition need not wait for the other.
    even = net.bias[0]
    zero = even - even  # of the weights' own type
    odd = zero
    for j in range(0, SECOND, 2):
        even += max(hidden[j], zero) * net.out[j]
        odd += max(hidden[j + 1], zero) * net.out[j + 1]
    return even + odd
