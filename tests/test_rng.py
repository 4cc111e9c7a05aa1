"""The seeded generator: the same numbers everywhere, and every number alike."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from foxclover.core.rules import MASK, below, next32, seed_rng
from foxclover.kernel import open_kernel

SEEDS = st.integers(0, 2**63 - 1)


def numbers(seed: int, stream: int, count: int) -> list[int]:
    rng = [0] * 4
    seed_rng(rng, seed, stream)
    return [next32(rng) for _ in range(count)]


def test_known_numbers_so_that_old_seeds_keep_their_games() -> None:
    assert numbers(2018, 0, 3) == [2_215_842_405, 1_380_813_452, 2_102_866_001]


@given(SEEDS, st.integers(0, 2**31))
def test_kernel_and_cpython_draw_the_same(seed: int, stream: int) -> None:
    instance = open_kernel("clever").instance()
    buffer, plain = instance.ints(4), [0] * 4
    instance.call("seed_rng", buffer, seed, stream)
    seed_rng(plain, seed, stream)
    assert [instance.call("below", buffer, n) for n in range(1, 100)] == [
        below(plain, n) for n in range(1, 100)
    ]


@given(SEEDS, st.integers(1, 50_000))
def test_below_stays_below(seed: int, n: int) -> None:
    rng = [0] * 4
    seed_rng(rng, seed, 0)
    assert all(0 <= below(rng, n) < n for _ in range(20))


def test_seeds_streams_and_the_high_half_of_a_seed_all_matter() -> None:
    assert (
        len(
            {
                tuple(numbers(*key, 4))
                for key in [(1, 0), (2, 0), (1, 1), (1 + (1 << 32), 0), (0, 0)]
            }
        )
        == 5
    )


def test_faces_fall_alike() -> None:
    rng = [0] * 4
    seed_rng(rng, 5, 0)
    counts = [0] * 6
    for _ in range(60_000):
        counts[below(rng, 6)] += 1
    chi_square = sum((count - 10_000) ** 2 / 10_000 for count in counts)
    assert chi_square < 20.5  # five degrees of freedom, one in a thousand


def test_draws_that_would_favour_low_numbers_are_made_again() -> None:
    # 2**32 is no multiple of n: without redrawing, a third of the numbers is twice as likely
    n = 3 << 30
    rng = [0] * 4
    seed_rng(rng, 8, 0)
    drawn = [below(rng, n) for _ in range(30_000)]
    lows = sum(number < n // 3 for number in drawn)
    assert abs(lows / len(drawn) - 1 / 3) < 0.015
    assert max(drawn) <= MASK
