"""How a value net learns inside the compiled kernel: errors flow back, and Adam takes a step."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

from foxclover.ai.network import output, restart_sums, update_sums

if TYPE_CHECKING:
    from foxclover.ai.parts import Desk, Floats, Ints, Net


def learn(net: Net, flipped: Floats, grads: Net, base: Ints, desk: Desk, codes: Ints, values: Floats, sample: int, target: float) -> float:
    """Add the gradient of half the squared error for one sample; return the error."""
    for slot in range(codes.shape[1]):
        desk.new_codes[slot] = codes[sample, slot]
    for scalar in range(values.shape[1]):
        desk.new_values[scalar] = values[sample, scalar]
    restart_sums(net, desk)
    update_sums(net, base, desk)
    error = output(net, desk) - target
    grads.bias[0] += error
    flow_back(net, flipped, grads, desk, error)
    flow_in(grads, base, desk)
    return error


def flow_back(net: Net, flipped: Floats, grads: Net, desk: Desk, error: float) -> None:
    """Gradients of the upper layers; the flow to the first hidden layer is left on the desk."""
    back = desk.back
    flow = desk.flow
    width = flow.shape[0]
    for i in range(width):
        flow[i] = 0
    for j in range(back.shape[0]):
        back[j] = 0
        if desk.hidden[j] > 0:
            grads.out[j] += error * desk.hidden[j]
            back[j] = error * net.out[j]
            strength = back[j]
            grads.second[j] += strength
            for i in range(width):
                flow[i] += strength * flipped[j, i]
    for i in range(width):
        strength = desk.sums[i]
        if strength > 0:
            grads.first[i] += flow[i]
            for j in range(back.shape[0]):
                grads.weights[i, j] += strength * back[j]
        else:
            flow[i] = 0


def flow_in(grads: Net, base: Ints, desk: Desk) -> None:
    """Gradients of the rows and scalars that made up the first hidden layer."""
    flow = desk.flow
    width = flow.shape[0]
    for slot in range(desk.codes.shape[0]):
        if desk.codes[slot] > 0:
            row = base[slot] + desk.codes[slot]
            for i in range(width):
                grads.rows[row, i] += flow[i]
    for scalar in range(desk.values.shape[0]):
        strength = desk.values[scalar]
        for i in range(width):
            grads.scalars[scalar, i] += strength * flow[i]


def adam(weights: Floats, grads: Floats, means: Floats, squares: Floats, constants: Floats, lazy: bool) -> None:
    """One step of Adam on the rows of a matrix; the gradient is cleared. ``lazy``: rows no sample touched stay as they are.

    Constants: step size, 1 - beta1, 1 - beta2, epsilon, 1 / samples.
    """
    step = constants[0]
    fresh = constants[1]
    fresh_square = constants[2]
    epsilon = constants[3]
    share = constants[4]
    width = weights.shape[1]
    for row in range(weights.shape[0]):
        if lazy and is_blank(grads, row):
            continue
        for i in range(width):
            gradient = grads[row, i] * share
            means[row, i] += fresh * (gradient - means[row, i])
            squares[row, i] += fresh_square * (gradient * gradient - squares[row, i])
            weights[row, i] -= step * means[row, i] / (sqrt(squares[row, i]) + epsilon)
            grads[row, i] = 0


def is_blank(grads: Floats, row: int) -> bool:
    """Has no sample touched this row?"""
    blank = True
    for i in range(grads.shape[1]):
        blank = blank and grads[row, i] == 0
    return blank


def step_net(net: Net, grads: Net, means: Net, squares: Net, flipped: Floats, constants: Floats) -> None:
    """One step of Adam on a whole net."""
    adam(net.rows, grads.rows, means.rows, squares.rows, constants, True)
    adam(net.weights, grads.weights, means.weights, squares.weights, constants, False)
    adam(net.scalars, grads.scalars, means.scalars, squares.scalars, constants, False)
    adam(as_row(net.first), as_row(grads.first), as_row(means.first), as_row(squares.first), constants, False)
    adam(as_row(net.second), as_row(grads.second), as_row(means.second), as_row(squares.second), constants, False)
    adam(as_row(net.out), as_row(grads.out), as_row(means.out), as_row(squares.out), constants, False)
    adam(as_row(net.bias), as_row(grads.bias), as_row(means.bias), as_row(squares.bias), constants, False)
    for i in range(net.weights.shape[0]):
        for j in range(net.weights.shape[1]):
            flipped[j, i] = net.weights[i, j]


def as_row(vector: Floats) -> Floats:
    """A vector as a matrix of one row."""
    return vector.reshape((1, vector.shape[0]))
