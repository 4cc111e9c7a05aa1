"""The value net of a Clever game: sparse inputs, two hidden layers, one output.

An input slot is in one of several states (its code); code 0 adds nothing to the first hidden layer, any other code adds its row. Going
from one position to the next, only the slots that changed are taken out and put in.
"""

from __future__ import annotations

from foxclover.ai.clever.inputs import ROWS, SCALARS, SLOTS, Inputs, Plan
from foxclover.records import Record, ints, one, singles

FIRST, SECOND = 192, 64  # widths of the hidden layers
NO_ROW = ROWS  # the row of every slot's code 0


class Net(Record):
    """The weights."""

    rows: list[list[float]] = singles(
        ROWS + 1, FIRST
    )  # a row for each state of an input slot; the last one stays 0
    scalars: list[list[float]] = singles(SCALARS, FIRST)
    first: list[float] = singles(FIRST)  # bias of the first hidden layer
    weights: list[list[float]] = singles(FIRST, SECOND)
    second: list[float] = singles(SECOND)  # bias of the second hidden layer
    out: list[float] = singles(SECOND)
    bias: list[float] = singles(1)


class Activations(Record):
    """A net at work."""

    seen: Inputs = one(Inputs)  # what ``sums`` stands for
    removed: list[int] = ints(SLOTS)  # rows that are to be taken out
    added: list[int] = ints(SLOTS)  # and for each one that is to be put in
    sums: list[float] = singles(FIRST)  # of the first hidden layer, before its threshold
    firing: list[int] = ints(FIRST + 1)  # which of them are positive
    hidden: list[float] = singles(SECOND)


def restart_sums(net: Net, plan: Plan, at_work: Activations) -> None:
    """Begin anew from the blank position, so that rounding errors do not pile up."""
    for slot in range(plan.slots):
        at_work.seen.codes[slot] = 0
    for scalar in range(SCALARS):
        at_work.seen.scalars[scalar] = 0.0
    for i in range(FIRST):
        at_work.sums[i] = net.first[i]


def find_changes(plan: Plan, at_work: Activations, inputs: Inputs) -> int:
    """Write which rows new inputs take out and put in; return how many."""
    count = 0
    for slot in range(plan.slots):
        old = at_work.seen.codes[slot]
        new = inputs.codes[slot]
        if old != new:
            at_work.seen.codes[slot] = new
            at_work.removed[count] = plan.base[slot] + old if old > 0 else NO_ROW
            at_work.added[count] = plan.base[slot] + new if new > 0 else NO_ROW
            count += 1
    return count


def update_sums(net: Net, plan: Plan, at_work: Activations, inputs: Inputs) -> None:
    """Bring the first hidden layer up to new inputs."""
    sums = at_work.sums
    rows = net.rows
    removed = at_work.removed
    added = at_work.added
    seen = at_work.seen
    count = find_changes(plan, at_work, inputs)
    done = 0
    while done + 4 <= count:
        # Four at a time, one after the other: the sums are read and written a quarter as often.
        a = added[done]
        b = added[done + 1]
        c = added[done + 2]
        d = added[done + 3]
        p = removed[done]
        q = removed[done + 1]
        r = removed[done + 2]
        s = removed[done + 3]
        for i in range(FIRST):
            sums[i] = (
                sums[i]
                + (rows[a][i] - rows[p][i])
                + (rows[b][i] - rows[q][i])
                + (rows[c][i] - rows[r][i])
                + (rows[d][i] - rows[s][i])
            )
        done += 4
    while done < count:
        a = added[done]
        p = removed[done]
        for i in range(FIRST):
            sums[i] += rows[a][i] - rows[p][i]
        done += 1
    for scalar in range(SCALARS):
        change = inputs.scalars[scalar] - seen.scalars[scalar]
        if change != 0:
            seen.scalars[scalar] = inputs.scalars[scalar]
            for i in range(FIRST):
                sums[i] += change * net.scalars[scalar][i]


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
            hidden[j] += (
                x * weights[a][j] + y * weights[b][j] + z * weights[c][j] + w * weights[d][j]
            )
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
