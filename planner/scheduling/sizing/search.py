"""The smallest size from which on a level is kept, where larger is not always better."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

LOOKED_SHARE = 0.02
LOOKED_LEAST, LOOKED_MOST = 2, 10
"""How far around an answer every size is tried: 2 % of it, within these."""
STEPS = 10
"""Number of further sizes above an answer that are tried, in steps of 1 %."""

Value = Callable[[int], float | None]


@dataclass(frozen=True)
class SearchResult:
    """The result of a search for the smallest size.

    Attributes
    ----------
    size
        The smallest size of which it and all larger sizes that were tried keep the level; ``None``:
        the largest that was to be tried does not.
    tried
        Value by size, of every size that was tried, ascending.
    looked
        How far around the size every size was tried; above it also sizes in steps of 1 % to 10 %.
    """

    size: int | None
    tried: dict[int, float | None]
    looked: int


def looked_around(size: int) -> int:
    """Return how far around an answer every size is tried.

    Examples
    --------
    >>> looked_around(4), looked_around(200), looked_around(10_000)
    (2, 4, 10)
    """
    return min(max(math.ceil(LOOKED_SHARE * size), LOOKED_LEAST), LOOKED_MOST)


def search(
    value: Value,
    keeps: Callable[[float | None], bool],
    least: int,
    most: int,
    first: Sequence[int] = (),
    *,
    below: bool = True,
) -> SearchResult:
    """Bisect between a size that misses the level and one that meets it; then try sizes nearby.

    Scheduling has anomalies: a larger machine may serve a log worse (Graham 1969). So the answer is
    the smallest tried size from which all larger tried sizes meet the level. The search tries all
    sizes next to it, and some larger ones. A larger size that misses the level moves the answer up.

    Parameters
    ----------
    value
        Function that gives the value of a size; called at most once for each size.
    keeps
        Function that says whether a value is within the level.
    least, most
        Range of sizes of the search. It tries no size below ``least``, and sizes above ``most``
        only next to an answer.
    first
        Sizes to try first.
    below
        Whether it also tries sizes below the answer beyond the next one.

    References
    ----------
    Graham, "Bounds on multiprocessing timing anomalies", SIAM J. Appl. Math. 17(2), 1969.
    """
    tried: dict[int, float | None] = {}

    def held(size: int) -> bool:
        if size not in tried:
            tried[size] = value(size)
        return keeps(tried[size])

    for size in first or (least,):
        held(min(max(size, least), most))
    stride = 0
    # `fails` is the largest size that misses, and the answer is the least tried size above it. Each
    # turn tries one new size, so the loop ends.
    while True:
        fails = max((size for size in tried if not keeps(tried[size])), default=least - 1)
        above = [size for size in tried if size > fails]
        if not above:
            # No larger size has been tried: upwards in growing strides, at most to `most`.
            if fails >= most:
                break
            stride = max(2 * stride, _stride(fails))
            held(min(most, fails + stride))
            continue
        smallest = min(above)
        if smallest == fails + 1:
            # The edge is found; sizes around it are tried, as larger may be worse (Graham 1969).
            sizes = _around(smallest, least, below=below)
            missing = [size for size in sizes if size not in tried]
            if not missing:
                break
            held(missing[0])
            continue
        if fails < least and min(tried) == smallest:
            # No size misses yet: downwards in growing strides.
            stride = max(2 * stride, _stride(smallest))
            held(max(least, smallest - stride))
        else:
            # Bisection; a size in between that meets the level alone does not count.
            held((fails + smallest) // 2)
    everything = dict(sorted(tried.items()))
    return (
        SearchResult(smallest, everything, looked_around(smallest))
        if above
        else SearchResult(None, everything, 0)
    )


def _stride(size: int) -> int:
    return max(1, math.ceil(LOOKED_SHARE * size))


def _around(size: int, least: int, *, below: bool) -> list[int]:
    """The neighbours of a size, from the next ones on, and larger ones in steps of 1 %."""
    far = looked_around(size)
    close = [size + step for step in range(1, far + 1)]
    deep = [size - step for step in range(1, (far if below else 1) + 1)]
    wide = [size + math.ceil(size * step / 100) for step in range(1, STEPS + 1)]
    # Larger sizes first: a miss among them moves the answer, and smaller ones need not be tried.
    return [near for near in (*close, *wide, *deep) if near >= least]
