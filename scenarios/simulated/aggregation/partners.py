"""Who talks to whom in a code."""

from __future__ import annotations

import numpy as np

from scenarios.aggregation.task_samples import Traffic
from scenarios.simulated.aggregation.codes import Code


def traffic(code: Code) -> Traffic:
    """Messages of an iteration of a code.

    ``grid``: four neighbours on a grid without wrap, as near to square as powers of two allow.
    ``torus``: six neighbours of a block in three dimensions, with wrap.
    ``hypercube``: partners at distances of 1, 2, 4 ... below the square root of the tasks, and
    the transposed task. ``all``: one exchange of all with all.
    """
    if code.pattern == "all":
        nobody = np.zeros(0, dtype=np.int64)
        empty = np.zeros(0)
        return Traffic(code.tasks, nobody, nobody, empty, empty, code.messages[0][0])
    pairs = np.array(sorted(_pairs(code.pattern, code.tasks)), dtype=np.int64)
    kinds = len(code.messages)
    sizes, counts = np.array(code.messages).T
    return Traffic(
        tasks=code.tasks,
        source=np.repeat(pairs[:, 0], kinds),
        target=np.repeat(pairs[:, 1], kinds),
        size_b=np.tile(sizes, len(pairs)),
        count=np.tile(counts, len(pairs)),
        block_b=0.0,
    )


def _pairs(pattern: str, tasks: int) -> set[tuple[int, int]]:
    power = tasks.bit_length() - 1
    if pattern == "hypercube":
        side = 1 << ((power + 1) // 2)
        near = {(t, t ^ (1 << bit)) for t in range(tasks) for bit in range(side.bit_length() - 1)}
        other = tasks // side
        across = {(t, t % other * side + t // other) for t in range(tasks)}
        return {(a, b) for a, b in near | across | {(b, a) for a, b in across} if a != b}
    ways = 3 if pattern == "torus" else 2
    shape = tuple(1 << ((power + way) // ways) for way in reversed(range(ways)))
    grid = np.arange(tasks).reshape(shape)
    pairs: set[tuple[int, int]] = set()
    for axis in range(ways):
        length = shape[axis] if pattern == "torus" else shape[axis] - 1
        here: list[int] = grid.take(range(length), axis).ravel().tolist()
        there: list[int] = np.roll(grid, -1, axis).take(range(length), axis).ravel().tolist()
        pairs |= {pair for a, b in zip(here, there, strict=True) for pair in ((a, b), (b, a))}
    return {(a, b) for a, b in pairs if a != b}
