"""Many tasks at once: in processes of this machine, or on the workers of a Dask cluster."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from typing import Any, TypeVar

from planner.compiling import compiling_is_told, tell_compiling
from planner.errors import InputError

_Task = TypeVar("_Task")
_Result = TypeVar("_Result")
_CONNECT_S = 15
_LOOK_S = 1.0
_AHEAD = 1000
_LOST = (
    "a {} was ended from outside ({}); see whether the memory was enough, take fewer workers, and "
    "run it again{}"
)
_KEPT = ": finished cases in the folder are kept"


def in_processes(
    function: Callable[[_Task], _Result],
    tasks: Iterable[_Task],
    workers: int = 1,
    dask: str | None = None,
    *,
    keeps_results: bool = False,
) -> Iterator[_Result]:
    """Call a function with each task; yields the results in the order in which they come.

    Parameters
    ----------
    tasks
        A list, or an iterator, of which a few tasks for each process are taken ahead, or 1,000
        for Dask.
    workers
        Processes of this machine; with 1 it is this process.
    dask
        Address of a Dask scheduler whose workers are taken instead.
    keeps_results
        Whether the caller keeps results in a folder, for the message on a lost process.

    Raises
    ------
    InputError
        Dask cannot be used, or a process was ended from outside.
    """
    from joblib import Parallel, delayed

    if not tasks:
        return
    with _backend(dask, _KEPT if keeps_results else ""):
        # Batches of one: a worker that is lost takes one task with it. On Dask many at once, since
        # its workers may come later.
        ahead = "2 * n_jobs" if dask is None else _AHEAD
        how: dict[str, Any] = {"batch_size": 1, "pre_dispatch": ahead}
        run = Parallel(workers, return_as="generator_unordered", **how)
        yield from run(delayed(_unpacked)(function, (task,)) for task in tasks)


def _unpacked(function: Callable[[_Task], _Result], packed: tuple[_Task]) -> _Result:
    """A task comes in a tuple: joblib would spread larger objects over Dask's workers.

    A worker that is lost would then take the tasks of others with it.
    """
    return function(packed[0])


def _begin(parent: int, told: bool) -> None:  # noqa: FBT001 - joblib passes no names
    """Make this process a worker of its parent."""
    _end_with(parent)
    tell_compiling(told=told)


def _end_with(parent: int) -> None:
    """End this worker when its parent does, however that ends.

    A thread waits for it: the system's own signal comes already when the thread of the parent
    ends that started this process.
    """
    threading.Thread(target=_wait_for_end, args=(parent,), daemon=True).start()


def _wait_for_end(parent: int) -> None:
    try:
        handle = os.pidfd_open(parent)
    except (AttributeError, OSError):  # another system, or the parent has ended already
        while os.getppid() == parent:
            threading.Event().wait(_LOOK_S)
    else:
        if os.getppid() == parent:  # and not a later process with its number
            select.select([handle], [], [])
    os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def _backend(dask: str | None, advice: str) -> Iterator[None]:
    from joblib import parallel_config

    if dask is None:
        try:
            # Dask's own workers end with those who started them.
            told = compiling_is_told()
            with parallel_config("loky", initializer=_begin, initargs=(os.getpid(), told)):
                yield
        except BrokenProcessPool as error:
            raise InputError(_LOST.format("process", error, advice)) from None
        return
    distributed = _distributed()
    try:
        with _client(distributed, dask) as client, parallel_config("dask", client=client) as chosen:
            _mend(chosen["backend"])
            yield
    except distributed.KilledWorker as error:
        raise InputError(_LOST.format("Dask worker", error, advice)) from None


@contextmanager
def _client(distributed: Any, address: str) -> Iterator[Any]:
    """A connection to a scheduler that has workers; it is closed afterwards."""
    with ExitStack() as closed:
        try:
            client = closed.enter_context(
                distributed.Client(address, timeout=_CONNECT_S, set_as_default=False)
            )
            client.wait_for_workers(1, timeout=_CONNECT_S)
        except (OSError, ValueError) as error:
            message = f"no Dask scheduler with workers answers at {address} ({error})"
            raise InputError(f"{message}; start them, or correct the address") from None
        yield client


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        message = "dask is not installed; install headroom-planner[dask], or leave dask out"
        raise InputError(message) from None
    return distributed


def _mend(backend: Any) -> None:
    """Correct two habits of joblib's Dask backend.

    It waits for ever for a task that lost its worker for good; and while the cluster has one core,
    joblib takes the tasks to this process, which may be too small for them.
    """
    submit, cores = backend.submit, backend.effective_n_jobs

    def submit_watched(batch: Any, callback: Callable[[Any], None]) -> Any:
        job = submit(batch, callback)
        job.add_done_callback(lambda done: callback(done.exception()) if done.exception() else None)
        return job

    backend.submit = submit_watched
    backend.effective_n_jobs = lambda jobs: max(2, cores(jobs))
