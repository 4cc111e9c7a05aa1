"""Numbers about a running server, as Prometheus reads them."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable

BOUNDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)  # seconds


class Histogram:
    """How often something took how long."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.total = 0.0

    def note(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str) -> Iterable[str]:
        """Return the lines of a report."""
        seen = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            seen += count
            yield f'{name}_bucket{{le="{bound}"}} {seen}'
        yield f"{name}_sum {self.total:.6f}"
        yield f"{name}_count {seen}"


class Metrics:
    """What is counted as it happens."""

    def __init__(self) -> None:
        self.moves = 0
        self.messages = Histogram()
        self.refusals = Counter[str]()

    def report(self, now: dict[str, int]) -> str:
        """Return everything, with the numbers that are known only now."""
        lines: list[str] = []
        for name, value in now.items():
            lines += [f"# TYPE foxclover_{name} gauge", f"foxclover_{name} {value}"]
        lines += ["# TYPE foxclover_moves_total counter", f"foxclover_moves_total {self.moves}"]
        lines.append("# TYPE foxclover_refusals_total counter")
        lines += [
            f'foxclover_refusals_total{{reason="{reason}"}} {count}'
            for reason, count in sorted(self.refusals.items())
        ]
        lines.append("# TYPE foxclover_message_seconds histogram")
        lines += self.messages.lines("foxclover_message_seconds")
        return "\n".join(lines) + "\n"
