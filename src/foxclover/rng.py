"""The seeded generator behind every reproducible game: sfc32, on plain integers below 2**32.

The same seed gives the same numbers in CPython and in the kernel, on every platform. ``rng`` is a buffer of four integers.
"""

MASK = 0xFFFFFFFF
WARM_UP = 12


def seed_rng(rng: list[int], seed: int, stream: int) -> None:
    """Start the generator; games of one batch share a seed and differ in ``stream``."""
    rng[0] = seed & MASK
    rng[1] = (seed >> 32) & MASK
    rng[2] = stream & MASK
    rng[3] = 1
    for _ in range(WARM_UP):
        next32(rng)


def next32(rng: list[int]) -> int:
    """Return the next 32 random bits."""
    a = rng[0]
    b = rng[1]
    c = rng[2]
    counter = rng[3]
    result = (a + b + counter) & MASK
    rng[3] = (counter + 1) & MASK
    rng[0] = b ^ (b >> 9)
    rng[1] = (c * 9) & MASK
    rng[2] = (((c << 21) | (c >> 11)) + result) & MASK
    return result


def below(rng: list[int], n: int) -> int:
    """Draw from 0..n-1, every number exactly alike: the few draws that would favour some are made again (Lemire)."""
    product = next32(rng) * n
    if product & MASK < n:
        surplus = (MASK + 1) % n
        while product & MASK < surplus:
            product = next32(rng) * n
    return product >> 32
