"""Dense algebra runs on one thread.

On several it waits for a busy machine, takes longer for small matrices, and sums in an order that
depends on their number.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def one_thread(*modules: str) -> Iterator[None]:
    """Hold BLAS and OpenMP to one thread; as a decorator, for the time of each call.

    Parameters
    ----------
    modules
        What is imported inside, loaded first: a library that is loaded later is not held.
    """
    from threadpoolctl import threadpool_limits

    for module in modules:
        importlib.import_module(module)
    with threadpool_limits(1):
        yield
