"""How the value net learns: errors flow back, and Adam takes a step."""

from __future__ import annotations

from math import sqrt

from foxclover.ai.clever.inputs import SCALARS, Inputs, Plan
from foxclover.ai.clever.network import (
    FIRST,
    SECOND,
    Activations,
    Net,
    output,
    restart_sums,
    update_sums,
)
from foxclover.records import Record, one, singles


class Learner(Record):
    """What a net learns with: the gradient, the two memories of Adam and the constants of his next step."""

    grads: Net = one(Net)
    means: Net = one(Net)
    squares: Net = one(Net)
    transposed: list[list[float]] = singles(
        SECOND, FIRST
    )  # the net's weights between the hidden layers
    flow: list[float] = singles(FIRST)  # errors flowing back to the first hidden layer
    back: list[float] = singles(SECOND)  # and to the second
    constants: list[float] = singles(5)  # step size, 1 - beta1, 1 - beta2, epsilon, 1 / examples


def learn(
    net: Net, plan: Plan, at_work: Activations, learner: Learner, inputs: Inputs, target: float
) -> None:
    """Add the gradient of half the squared error for some inputs."""
    restart_sums(net, plan, at_work)
    update_sums(net, plan, at_work, inputs)
    error = output(net, at_work) - target
    learner.grads.bias[0] += error
    flow_back(net, at_work, learner, error)
    flow_in(plan, learner, inputs)


def flow_back(net: Net, at_work: Activations, learner: Learner, error: float) -> None:
    """Gradients of the upper layers, and the flow to the first hidden layer."""
    grads = learner.grads
    back = learner.back
    flow = learner.flow
    for i in range(FIRST):
        flow[i] = 0.0
    for j in range(SECOND):
        back[j] = 0.0
        if at_work.hidden[j] > 0:
            grads.out[j] += error * at_work.hidden[j]
            back[j] = error * net.out[j]
            strength = back[j]
            grads.second[j] += strength
            for i in range(FIRST):
                flow[i] += strength * learner.transposed[j][i]
    for i in range(FIRST):
        strength = at_work.sums[i]
        if strength > 0:
            grads.first[i] += flow[i]
            for j in range(SECOND):
                grads.weights[i][j] += strength * back[j]
        else:
            flow[i] = 0.0


def flow_in(plan: Plan, learner: Learner, inputs: Inputs) -> None:
    """Gradients of the rows and scalars that made up the first hidden layer."""
    grads = learner.grads
    flow = learner.flow
    for slot in range(plan.slots):
        if inputs.codes[slot] > 0:
            row = plan.base[slot] + inputs.codes[slot]
            for i in range(FIRST):
                grads.rows[row][i] += flow[i]
    for scalar in range(SCALARS):
        strength = inputs.scalars[scalar]
        for i in range(FIRST):
            grads.scalars[scalar][i] += strength * flow[i]


def step_net(net: Net, plan: Plan, learner: Learner) -> None:
    """One step of Adam on a whole net. Rows of inputs that no example showed stay as they are."""
    grads = learner.grads
    means = learner.means
    squares = learner.squares
    constants = learner.constants
    for row in range(plan.rows):
        if not is_blank(grads.rows[row]):
            step_row(net.rows[row], grads.rows[row], means.rows[row], squares.rows[row], constants)
    for i in range(FIRST):
        step_row(net.weights[i], grads.weights[i], means.weights[i], squares.weights[i], constants)
    for scalar in range(SCALARS):
        step_row(
            net.scalars[scalar],
            grads.scalars[scalar],
            means.scalars[scalar],
            squares.scalars[scalar],
            constants,
        )
    step_row(net.first, grads.first, means.first, squares.first, constants)
    step_row(net.second, grads.second, means.second, squares.second, constants)
    step_row(net.out, grads.out, means.out, squares.out, constants)
    step_row(net.bias, grads.bias, means.bias, squares.bias, constants)
    transpose(net, learner)


def is_blank(grads: list[float]) -> bool:
    """Has no example touched this row?"""
    blank = True
    for i in range(len(grads)):
        blank = blank and grads[i] == 0
    return blank


def step_row(
    weights: list[float],
    grads: list[float],
    means: list[float],
    squares: list[float],
    constants: list[float],
) -> None:
    """One step of Adam on a row of weights; the gradient is cleared."""
    step = constants[0]
    fresh = constants[1]
    fresh_square = constants[2]
    epsilon = constants[3]
    share = constants[4]
    for i in range(len(weights)):
        gradient = grads[i] * share
        means[i] += fresh * (gradient - means[i])
        squares[i] += fresh_square * (gradient * gradient - squares[i])
        weights[i] -= step * means[i] / (sqrt(squares[i]) + epsilon)
        grads[i] = 0.0


def transpose(net: Net, learner: Learner) -> None:
    """Keep the weights between the hidden layers in the order in which errors flow back."""
    for i in range(FIRST):
        for j in range(SECOND):
            learner.transposed[j][i] = net.weights[i][j]
