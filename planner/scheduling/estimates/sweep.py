"""Many cases, each in a file of its own, so that an interrupted sweep goes on where it stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from planner.dependences.digest import files_needed, mark_of
from planner.result_folder import ResultFolder, result_in, result_text
from planner.scheduling.estimates.cases import CaseOutcome, EstimateCase, play

if TYPE_CHECKING:
    from planner.scheduling.estimates.workload import EstimateWorkload
    from scenarios.maui.settings import MauiConfiguration


def sweep(
    workload: EstimateWorkload,
    configurations: Mapping[str, MauiConfiguration],
    cases: Iterable[EstimateCase],
    seeds: Sequence[int],
    *,
    keep: Path | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> dict[EstimateCase, CaseOutcome]:
    """Simulate each case once.

    Parameters
    ----------
    workload
        The jobs.
    configurations
        Configurations of the scheduler, by variant of the cases.
    cases
        The cases; duplicates are simulated once.
    seeds
        Seeds of the sampled users that are reported where a case has no seed of its own.
    keep
        Folder that stores finished cases (:class:`planner.result_folder.ResultFolder`). A file is
        reused if its case, jobs, configuration, seeds, this program and files of an own predictor
        are equal.
    workers
        Number of cases at once.
    progress
        Called with the number of cases done and the number of all cases.

    Raises
    ------
    InputError
        The folder cannot be written, or a file in it is damaged.
    """
    from joblib import Parallel, delayed

    distinct = list(dict.fromkeys(cases))
    marks = {
        case: _mark(workload.digest, configurations[case.variant], case, seeds) for case in distinct
    }
    outcomes: dict[EstimateCase, CaseOutcome] = {}
    results = None if keep is None else ResultFolder(keep)
    if results is not None:
        texts = results.finished({marks[case]: _own(case) for case in distinct})
        for case in distinct:
            if text := texts.get(marks[case]):
                outcomes[case] = CaseOutcome.from_dict(result_in(text, marks[case])["outcome"])
    missing = [case for case in distinct if case not in outcomes]
    progress(len(outcomes), len(distinct))

    lock, stop = threading.Lock(), threading.Event()
    playing = threading.Semaphore(workers)
    failed: list[BaseException] = []

    def one(case: EstimateCase) -> None:
        with playing:
            if stop.is_set():
                return
            try:
                outcome = play(workload, configurations[case.variant], case, seeds)
                if results is not None:
                    results.write(marks[case], _text(marks[case], case, outcome))
            except BaseException as error:
                # Also an interrupt: other threads stop before it is raised in the caller's.
                failed.append(error)
                stop.set()
                return
        with lock:
            outcomes[case] = outcome
            progress(len(outcomes), len(distinct))

    # Threads: the compiled loops run without the interpreter's lock, and share the jobs.
    try:
        Parallel(n_jobs=workers, backend="threading")(delayed(one)(case) for case in missing)
    finally:
        stop.set()
        for _ in range(workers):  # wait until running cases are stored
            playing.acquire()
    if failed:
        raise failed[0]
    return {case: outcomes[case] for case in distinct}


def _mark(
    workload: str, configuration: MauiConfiguration, case: EstimateCase, seeds: Sequence[int]
) -> str:
    """Return what an outcome depends on."""
    content = {
        "workload": workload,
        "configuration": configuration.model_dump(mode="json"),
        "case": repr(case),
        "seeds": _told(case, seeds),
    }
    return mark_of(content, _own(case))


def _own(case: EstimateCase) -> tuple[object, ...]:
    """Return the predictor of a case if it is the user's own."""
    own = getattr(case.tool, "own", None)
    return () if own is None else (own,)


def _told(case: EstimateCase, seeds: Sequence[int]) -> list[int]:
    """Return the seeds for which a case reports the groups."""
    return list(seeds) if case.seed is None else [case.seed]


def _text(mark: str, case: EstimateCase, outcome: CaseOutcome) -> bytes:
    result = {"case": case.key, "outcome": outcome.to_dict()}
    return result_text(mark, result, files_needed(_own(case)))
