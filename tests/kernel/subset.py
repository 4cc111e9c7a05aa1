"""One small function for each construct of the kernel's subset, run in CPython and the kernel."""

from __future__ import annotations

from math import exp, log, sqrt

from foxclover.core.records import Record, assign, flag, floats, ints, one, rows, shorts, singles
from foxclover.kernel.vectors import (
    BITS,
    differing_bits,
    exchange_rows,
    lowest_bit,
    positive_bits,
    weigh_rows,
)

SMALL, LARGE = 3, 1 << 61
WEIGHTS = (5, 7, 11)
HALF = 0.5


class Inner(Record):
    integer = "i4"
    level: int
    marks: list[int] = ints(3)


class Desk(Record):
    count: int
    mean: float
    stop: int = flag()
    inner: Inner = one(Inner)
    grid: list[list[int]] = ints(2, 3)
    small: list[int] = shorts(4)
    numbers: list[float] = floats(4)
    weights: list[float] = singles(4)
    cube: list[list[list[float]]] = floats(2, 2, 2)
    inners: list[Inner] = rows(Inner, 3)


class Compared(Record):
    weights: list[float] = singles(2 * BITS)
    before: list[int] = shorts(2 * BITS)
    after: list[int] = shorts(2 * BITS)
    rows: list[list[float]] = singles(2 * BITS, BITS)
    added: list[int] = ints(9)
    removed: list[int] = ints(9)
    sums: list[float] = singles(BITS)


# --- numbers


def arithmetic(a: int, b: int) -> int:
    return (a + b) * SMALL - a * 2 + -b


def floor_division(a: int, b: int) -> int:
    return a // b


def modulo(a: int, b: int) -> int:
    return a % b


def bits(a: int, b: int) -> int:
    return (a & b | a ^ ~b) & (LARGE - 1)


def shift_left(a: int, n: int) -> int:
    return a << n


def shift_right(a: int, n: int) -> int:
    return a >> n


def population(a: int) -> int:
    return a.bit_count()


def powers(a: int, n: int) -> int:
    return a**n


def float_arithmetic(x: float, y: float) -> float:
    return (x + y) * x - y / 3 + HALF


def divide(a: int, b: int) -> float:
    return a / b


def mixed(a: int, x: float) -> float:
    return a * x + (a > 2)


def mathematics(x: float) -> float:
    return sqrt(x) + log(x) - exp(-x)


def conversions(x: float, a: int) -> float:
    return int(x) + float(a) + int(bool(a)) + abs(x) + abs(a)


def extremes(a: int, b: int, x: float) -> float:
    return max(a, b, SMALL) + min(x, 0.25) + min(a, b) + max(a, x)


def signs(a: int, b: int) -> int:
    return +3 + +a * 2 - (+(a > b)) + ~-b


def wide_product(desk: Desk, a: int) -> int:
    desk.inner.level = a  # 32 bits there, 64 here
    return desk.inner.level * desk.inner.level - -desk.inner.level


# --- conditions


def compare(a: int, b: int) -> int:
    result = 0
    if a < b:
        result |= 1
    if a <= b:
        result |= 2
    if a == b:
        result |= 4
    if a != b:
        result |= 8
    if not a > b and not a >= b:
        result |= 16
    return result


def chained(a: int, b: int, c: int) -> bool:
    return a <= b < c != 0


def logic(a: int, b: int) -> bool:
    return (a > 0 and b > 0) or not (a or b)


def conditional(a: int, b: int) -> int:
    return a if a & 1 else b if b > 0 else -1


def member(a: int) -> bool:
    return a in (1, SMALL, 8) and a not in (2, 8)


# --- statements


def loops(n: int) -> int:
    total = 0
    for i in range(n):
        if i == 5:
            continue
        if i == 9:
            break
        total += i
        i = 100  # changes nothing about the loop
    for i in range(n, 0, -2):
        total += i * 3
    for i in range(2, n, 3):
        total -= i
    while n > 0:
        n //= 2
        total ^= n
    while True:
        total += 1
        if total % 7 == 3:
            return total


def loop_over_tuples(a: int) -> int:
    total = 0
    for weight in WEIGHTS:
        total = total * 13 + weight
    for other in (a, a + 1, 4):
        total += other
    return total + WEIGHTS[a % 3]


def pair(a: int, b: int) -> tuple[int, float]:
    return a * 2, b / 2


def unpacking(a: int, b: int) -> float:
    a, b = b, a + 1
    whole, half = pair(a, b)
    kept = (a, b, whole)
    return kept[b % 3] + half


def recursive(n: int) -> int:
    if n < 2:
        return n
    return recursive(n - 1) + recursive(n - 2)


# --- records and buffers


def fill(desk: Desk, seed: int) -> None:
    desk.count = seed
    desk.mean = seed / 4
    desk.inner.level = seed % 100
    for i in range(len(desk.inner.marks)):
        desk.inner.marks[i] = i + seed % 50
    for row in range(2):
        for column in range(3):
            desk.grid[row][column] = row * 10 + column + seed
    for i in range(len(desk.small)):
        desk.small[i] = i - seed % 7
        desk.numbers[i] = i / 3
        desk.weights[i] = i / 3 + seed % 5
    desk.cube[1][0][1] = 0.75
    for i in range(3):
        desk.inners[i].level = i * seed % 1000
        assign(desk.inners[i], desk.inner)
        desk.inners[i].marks[1] -= i


def summed(row: list[int]) -> int:
    total = 0
    for number in row:
        total += number
    return total


def first_of(inners: list[Inner], at: int) -> Inner:
    return inners[at]


def read_back(desk: Desk) -> int:
    total = desk.count + summed(desk.grid[1]) + summed(desk.small) + summed(desk.inner.marks)
    for n, inner in enumerate(desk.inners):
        total += n * inner.marks[1] + inner.level
    for n, number in enumerate(desk.small):
        total += n * number
    here = first_of(desk.inners, 2)
    here.level += 1
    return total + here.level + desk.inners[2].level


def given_lists(
    numbers: list[int], inners: list[Inner], scale: float, values: list[float]
) -> float:
    for i in range(len(numbers)):
        numbers[i] += summed(inners[i % len(inners)].marks)
        values[i] = numbers[i] * scale
    return values[len(values) - 1]


def single_sum(desk: Desk, x: float) -> float:
    """Singles among themselves stay single; with a float or an int they meet as floats."""
    total = desk.weights[0]
    for weight in desk.weights:
        total += weight * weight
    desk.weights[3] = x * total
    root = sqrt(desk.weights[3])
    larger = max(root, total)
    count = 1 if desk.weights[1] > 0 else 0
    return larger + count * x


# --- order of evaluation


def step(desk: Desk) -> int:
    desk.count = desk.count * 3 + 1
    return desk.count


def join(a: int, b: int, c: int) -> int:
    return a * 10000 + b * 100 + c


def operands(desk: Desk) -> int:
    return step(desk) - 2 * step(desk)


def read_before_call(desk: Desk) -> int:
    return desk.count + step(desk) * desk.count


def arguments(desk: Desk) -> int:
    return join(step(desk), desk.count, step(desk))


def store_after_call(desk: Desk) -> int:
    desk.grid[0][desk.count % 3] = step(desk)
    return desk.grid[0][0] * 100 + desk.grid[0][1] * 10 + desk.grid[0][2]


def augmented(desk: Desk) -> int:
    desk.count += step(desk)
    desk.grid[1][step(desk) % 3] += step(desk)
    return desk.count + desk.grid[1][0] + 2 * desk.grid[1][1] + 3 * desk.grid[1][2]


def loop_over_a_row_found_once(desk: Desk) -> int:
    row, total = 0, 0
    for number in desk.grid[row]:
        row = 1
        total = total * 7 + number
    for number in desk.grid[step(desk) % 2]:
        total = total * 7 + number
    line = desk.grid[0]
    for n, number in enumerate(line):
        line = desk.grid[1]
        total += n * number
    for mark in touched(desk).marks:
        total = total * 7 + mark
    return total % LARGE + desk.count


def touched(desk: Desk) -> Inner:
    desk.count = desk.count % 1000 + 1
    return desk.inners[desk.count % 3]


def back(desk: Desk, n: int) -> int:
    return forth(desk, n - 1) if n > 0 else 0


def forth(desk: Desk, n: int) -> int:
    desk.count += 1
    return back(desk, n - 1)


def order_with_mutual_recursion(desk: Desk) -> int:
    return back(desk, 4) + desk.count * 2 + forth(desk, 2) + desk.count


def order_in_tuples(desk: Desk) -> int:
    return desk.count + WEIGHTS[step(desk) % 3] * 1000 + desk.count


def store_what_the_index_changes(desk: Desk) -> int:
    desk.grid[0][step(desk) % 3] = desk.count
    return desk.grid[0][0] * 100 + desk.grid[0][1] * 10 + desk.grid[0][2]


def copy_in_order(desk: Desk) -> int:
    touched(desk).level = 77
    assign(touched(desk), touched(desk))
    return desk.inners[0].level * 10000 + desk.inners[1].level * 100 + desk.inners[2].level


def short_circuit(desk: Desk) -> int:
    if desk.count > 5 and step(desk) > 0:
        return desk.count
    return desk.count if desk.count < 3 or step(desk) > 8 else step(desk)


def swapped(desk: Desk) -> int:
    desk.grid[0][0], desk.grid[0][1] = step(desk), step(desk) + desk.grid[0][0]
    return desk.grid[0][0] * 1000 + desk.grid[0][1]


def returned(desk: Desk) -> tuple[int, float]:
    return step(desk), step(desk) / 2


def returned_pair(desk: Desk) -> float:
    a, b = returned(desk)
    return a * 1000 + b


# --- what goes wrong


def read_at(numbers: list[int], at: int) -> int:
    return numbers[at]


def write_small(desk: Desk, number: int) -> None:
    desk.small[0] = number


def write_level(desk: Desk, number: int) -> None:
    desk.inner.level = number


def wait(desk: Desk) -> int:
    while not desk.stop:
        desk.count += 1
    return desk.count


# --- many numbers at once


def positives(compared: Compared, start: int) -> int:
    return positive_bits(compared.weights, start)


def differences(compared: Compared, start: int) -> int:
    return differing_bits(compared.before, compared.after, start)


def lowest(bits: int) -> int:
    return lowest_bit(bits)


def exchange(compared: Compared, count: int) -> None:
    exchange_rows(compared.sums, compared.rows, compared.added, compared.removed, count, BITS)


def weigh(compared: Compared, count: int) -> None:
    weigh_rows(compared.sums, compared.rows, compared.added, compared.weights, count, BITS)
