"""One question at many values of a scenario, in processes or on a cluster; sweeps can resume."""

from __future__ import annotations

import inspect
import itertools
import json
import logging
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.answer import Answer, show_with, shown_with
from planner.api import FilePath, plan
from planner.dependences import files as part_files
from planner.dependences.digest import files_needed, installed, mark_of
from planner.dependences.sources import source_with_globals
from planner.errors import InputError, PlanError
from planner.parallel import in_processes
from planner.parts import is_own, loaded_from
from planner.result_folder import ResultFolder, result_in, result_text
from planner.version import headroom_version, program_digest
from scenarios.catalogue import load
from scenarios.faults import ScenarioError
from scenarios.model.scenario import Scenario
from scenarios.reading.replaced import numpy_free, with_values

if TYPE_CHECKING:
    import pandas as pd

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class SweepCase:
    """One combination of values.

    Attributes
    ----------
    chosen
        Values by key path.
    scenario
        Scenario with these values; ``None`` if they are invalid.
    error
        Why they are invalid.
    mark
        Digest of everything that the answer depends on; empty without a scenario.
    """

    chosen: Mapping[str, Any]
    scenario: Scenario | None
    error: str = ""
    mark: str = ""


@dataclass(frozen=True)
class _SweepTask:
    """What a worker needs for a case."""

    scenario: Scenario
    mark: str
    answer: Callable[..., Answer]
    options: Mapping[str, Any]
    program: str
    folder: Path | None
    renderers: Mapping[str, Callable[..., Any]] = field(default_factory=shown_with)


def sweep(
    scenario: Scenario | FilePath,
    values: Mapping[str, Iterable[Any]],
    *,
    answer: Callable[..., Answer] = plan,
    keep: FilePath | None = None,
    workers: int = 1,
    dask: str | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
    **options: Any,
) -> pd.DataFrame:
    """Answer a scenario at every combination of some of its values.

    Parameters
    ----------
    scenario
        A scenario, the name of a bundled one, or a path.
    values
        Values by key path, as :func:`with_values` takes them: lists, or
        arrays of one dimension. Numbers of numpy count as those of Python. The first path varies
        slowest.
    answer
        Function for one scenario: :func:`plan`, or your own, which returns a study.
    keep
        Folder that stores finished cases, so that an interrupted run can continue: a file of each
        case, which contains its whole study. Results of another version of Headroom or of its
        libraries are not used, nor those of a function of which a module or file has changed
        since; and no file is ever replaced.
    workers
        Number of cases at the same time, each in its own process.
    dask
        Address of a Dask scheduler, as ``tcp://host:8786``, whose workers answer the cases instead;
        Headroom must be installed there too (``pip install headroom-planner[dask]``).
    progress
        Called with the number of finished cases and the number of all cases.
    options
        Further arguments of ``answer``, such as ``gap`` of :func:`plan`.

    Returns
    -------
    pandas.DataFrame
        A row for each case: the values, the numbers of its study
        (``study.numbers()``), ``error``: why it has no plan; missing
        where it has one.

    Raises
    ------
    ScenarioError
        The scenario cannot be read, or no case is a valid scenario: a wrong key path, say.
    InputError
        A path has no values, the folder cannot be used or holds a damaged result, no Dask
        scheduler answers, or a process was ended from outside.

    Examples
    --------
    >>> frame = sweep("hopper-2010", {"machine.utilisation": [0.5, 1.0]})
    >>> frame["cost_per_core_hour"].round(4).tolist()
    [0.0314, 0.0157]
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    depends = _dependences(answer, options, keeps_results=keep is not None)
    cases = _cases(scenario, values, depends)
    results = None if keep is None else ResultFolder(Path(keep))
    own = (answer,) if is_own(answer) else ()
    scenarios = {case.mark: case.scenario for case in cases if case.scenario is not None}
    texts = {} if results is None else results.finished(dict.fromkeys(scenarios, own))
    progress(len(texts), len(scenarios))
    tasks = [
        _SweepTask(made, mark, answer, options, program_digest(), _folder_of(answer))
        for mark, made in scenarios.items()
        if mark not in texts
    ]
    for mark, result, files in in_processes(
        _answered, tasks, workers, dask, keeps_results=results is not None
    ):
        # The workers of a cluster may be other machines, whose files say nothing about those here.
        text = result_text(mark, result, files_needed(own) if dask else files)
        if results is not None:
            results.write(mark, text)
        texts[mark] = text
        progress(len(texts), len(scenarios))
    return _frame(cases, texts)


def _cases(
    scenario: Scenario, values: Mapping[str, Iterable[Any]], depends: Mapping[str, Any]
) -> list[SweepCase]:
    """Return every combination.

    Raises
    ------
    ScenarioError
        None of them is a scenario.
    """
    lists = {path: _listed(path, listed) for path, listed in values.items()}
    cases, refused = [], []
    for combination in itertools.product(*lists.values()):
        chosen = dict(zip(lists, combination, strict=True))
        try:
            made = with_values(scenario, chosen)
        except ScenarioError as error:
            refused.append(error)
            cases.append(SweepCase(chosen, None, str(error)))
        else:
            cases.append(SweepCase(chosen, made, mark=_mark(made, depends)))
    if len(refused) == len(cases):
        raise refused[0]
    return cases


def _listed(path: str, values: Iterable[Any]) -> Sequence[Any]:
    if isinstance(values, str | bytes | Mapping) or not isinstance(values, Iterable):
        raise InputError(f"{path}: {values!r} is not a list of values; write it in square brackets")
    if getattr(values, "ndim", 1) != 1:
        raise InputError(
            f"{path}: an array of {getattr(values, 'ndim', 0)} dimensions is not a list of values; "
            "give an array of 1 dimension"
        )
    listed = [numpy_free(value) for value in values]
    if not listed:
        raise InputError(f"{path}: the list of values is empty; give at least one value")
    return listed


def _mark(scenario: Scenario, depends: Mapping[str, Any]) -> str:
    """Return a digest of everything that the answer depends on; file locations do not count."""
    origin = scenario.provenance.model_dump(mode="json", exclude={"paths"})
    content = {"scenario": scenario.model_dump(mode="json"), "origin": origin, **depends}
    return mark_of(content)


def _folder_of(answer: Callable[..., Answer]) -> Path | None:
    """Return where the modules of a user's function lie; ``None`` for ours, or in a notebook."""
    loaded = loaded_from(answer) if is_own(answer) else None
    return None if loaded is None else loaded.folder


def _dependences(
    answer: Callable[..., Answer], options: Mapping[str, Any], *, keeps_results: bool
) -> dict[str, Any]:
    """Return what the answers depend on besides the scenario.

    Raises
    ------
    InputError
        Results are kept, and the function or its options have nothing to recognise them by.
    """
    name = getattr(answer, "__qualname__", "")
    if not keeps_results:
        return {}
    nameless = not inspect.isfunction(answer) or "<" in name
    if nameless or (is_own(answer) and answer.__closure__):
        raise InputError(
            f"answer = {name or answer!r} is not a named function, so the folder could "
            "mix up its results with "
            "others; give a function of a module or script, and its arguments as options"
        )
    try:
        stated = json.dumps(options, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError):
        message = (
            f"options {', '.join(options)} cannot all be stored in the folder; give plain values"
        )
        raise InputError(message) from None
    libraries = installed() if is_own(answer) else {}
    return {
        "answer": [f"{answer.__module__}:{name}", _source(answer), stated],
        "libraries": libraries,
    }


def _source(answer: Callable[..., Answer]) -> str:
    """Return the text of a function; ours is part of the program."""
    if not is_own(answer):
        return ""
    try:
        return source_with_globals(answer)
    except OSError:
        message = f"answer = {answer.__qualname__} has no readable source"
        raise InputError(f"{message}; move it into a file, or leave the folder out") from None


def _answered(task: _SweepTask) -> tuple[str, dict[str, Any], list[part_files.Files]]:
    """Answer one case, in any process; return its mark, the result and the files it needed."""
    if program_digest() != task.program:
        raise InputError(
            "a worker has another version of Headroom or of its libraries; install the "
            "same versions"
        )
    if task.renderers:
        show_with(**task.renderers)
    _log.info("answering case %s", task.mark[:24])
    plain: dict[str, Any] | None = None
    numbers: dict[str, Any] = {}
    error = None
    try:
        with nullcontext() if task.folder is None else part_files.running(task.folder):
            study = task.answer(task.scenario, **task.options)
        plain = study.to_dict()
        numbers = study.numbers()
    except (PlanError, ScenarioError) as failed:
        error = str(failed)
    result = {"headroom": headroom_version(), "error": error, "numbers": numbers, "study": plain}
    return task.mark, result, _needed(task)


def _needed(task: _SweepTask) -> list[part_files.Files]:
    """Return what a user's function needed in this process."""
    if not is_own(task.answer):
        return []
    return [{} if task.folder is None else part_files.files_needed(task.folder)]


def _frame(cases: Sequence[SweepCase], texts: Mapping[str, bytes]) -> pd.DataFrame:
    """Return a row for each case, in the order of the values."""
    import pandas as pd

    rows = []
    for case in cases:
        row: dict[str, Any] = {"numbers": {}, "error": case.error}
        if case.scenario is not None:
            row = result_in(texts[case.mark], case.mark)
        rows.append({**case.chosen, **row["numbers"], "error": row["error"]})
    columns = dict.fromkeys(key for row in rows for key in row if key != "error")
    return pd.DataFrame(rows, columns=[*columns, "error"])
