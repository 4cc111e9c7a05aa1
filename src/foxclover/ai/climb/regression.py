"""A net that learns from tableaus and what they were worth, by Adam; with numpy, whose matrix products are quick on batches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float32]]

BATCH = 256
FRESH, FRESH_SQUARE, EPSILON = 0.1, 0.001, 1e-7  # Adam
SHRINK = 1e-6  # keeps weights small that nothing speaks for
SPREAD = 0.3  # of the first weights
NEWEST = 0.15  # share of the newest weights in their moving average


class Regression:
    """One net and the memories of Adam: rows of the first layer, weights and bias of the output."""

    def __init__(self, inputs: int, hidden: int, rng: np.random.Generator) -> None:
        import numpy as np

        self.weights: list[Array] = [
            rng.normal(0, SPREAD, (inputs, hidden)).astype(np.float32),
            np.zeros(hidden, np.float32),
            np.zeros(1, np.float32),
        ]
        self.averages = [
            array.copy() for array in self.weights
        ]  # steadier than the weights: what plays
        self.means = [np.zeros_like(array) for array in self.weights]
        self.squares = [np.zeros_like(array) for array in self.weights]
        self.steps = 0

    def arrays(self) -> list[Array]:
        """Everything that a checkpoint keeps, to be written or overwritten."""
        return [*self.weights, *self.averages, *self.means, *self.squares]

    def learn(
        self, inputs: Array, targets: Array, steps: int, rate: float, rng: np.random.Generator
    ) -> float:
        """Take steps on random batches, at a rate that sinks to a third; return the mean squared error on the way."""
        error = 0.0
        for step in range(steps):
            chosen = rng.integers(0, len(inputs), BATCH)
            error += self._step(
                inputs[chosen], targets[chosen], rate * (1 - 2 * step / (3 * steps))
            )
        return error / steps

    def settle(self, first: bool) -> None:
        """Let the averages follow the weights."""
        for average, weights in zip(self.averages, self.weights, strict=True):
            average += (weights - average) * (1.0 if first else NEWEST)

    def _step(self, inputs: Array, targets: Array, rate: float) -> float:
        import numpy as np

        rows, out, bias = self.weights
        hidden = inputs @ rows
        firing = np.maximum(hidden, 0)
        error = firing @ out + bias[0] - targets
        share = error / len(inputs)
        flow = np.outer(share, out) * (hidden > 0)
        self._adam(
            [inputs.T @ flow + SHRINK * rows, firing.T @ share, share.sum(keepdims=True)], rate
        )
        return float(np.mean(error * error))

    def _adam(self, gradients: list[Array], rate: float) -> None:
        import numpy as np

        self.steps += 1
        rate *= (1 - (1 - FRESH_SQUARE) ** self.steps) ** 0.5 / (1 - (1 - FRESH) ** self.steps)
        for weights, gradient, mean, square in zip(
            self.weights, gradients, self.means, self.squares, strict=True
        ):
            mean += np.float32(FRESH) * (gradient - mean)
            square += np.float32(FRESH_SQUARE) * (gradient * gradient - square)
            weights -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(EPSILON))
