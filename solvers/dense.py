"""Dense algebra runs on one thread.

On several it waits for a busy machine, takes longer for small matrices, and sums in an order that
depends on their number.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager


class _Hold:
    """The libraries held, from the first call that enters to the last that leaves."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.inside = 0
        self.limits = ExitStack()

    def enter(self, modules: tuple[str, ...]) -> None:
        from threadpoolctl import threadpool_limits

        with self.lock:
            fresh = [module for module in modules if module not in sys.modules]
            for module in fresh:
                importlib.import_module(module)
            if fresh or not self.inside:
                self.limits.enter_context(threadpool_limits(1))
            self.inside += 1

    def leave(self) -> None:
        with self.lock:
            self.inside -= 1
            if not self.inside:
                self.limits.close()


_HOLD = _Hold()


@contextmanager
def one_thread(*modules: str) -> Iterator[None]:
    """Hold BLAS and OpenMP to one thread; as a decorator, for the time of each call.

    A call inside another costs nothing; the outer one looks for the libraries, 0.4 ms.

    Parameters
    ----------
    modules
        What is imported inside, loaded first: a library that is loaded later is not held.
    """
    _HOLD.enter(modules)
    try:
        yield
    finally:
        _HOLD.leave()
