"""One question at many values of a scenario, in processes or on a cluster; sweeps can resume."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.answer import Answer, show_with, shown_with
from planner.api import FilePath, plan
from planner.dependences import files as part_files
from planner.dependences.digest import files_needed, mark_of
from planner.errors import InputError, PlanError
from planner.parallel import in_processes
from planner.parts import is_own, loaded_from
from planner.sweeps.cases import Cases, cases_of
from planner.sweeps.columns import Columns, columns_of
from planner.sweeps.folder import SweepFolder
from planner.sweeps.question import Question, ScenarioQuestion
from planner.version import program_digest
from scenarios.catalogue import load
from scenarios.faults import ScenarioError
from scenarios.model.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Task:
    """A shard: the question, and the values of each case by its number.

    Attributes
    ----------
    mixed
        Key paths whose values are stored as floats.
    """

    question: Question
    shard: int
    chosen: Mapping[int, Mapping[str, Any]]
    mixed: frozenset[str]
    program: str
    renderers: Mapping[str, Callable[..., Any]]


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
        Folder that stores finished cases, so that an interrupted run can continue: a file for
        each shard of at most 1,000 cases. The folder holds one sweep. Another scenario, other
        values, another function, or another version of Headroom or of its libraries need another
        folder; and no file is ever replaced.
    workers
        Number of shards at the same time, each in its own process.
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
        The scenario cannot be read, or no case is a valid scenario: a wrong key path, say. A
        larger sweep tries 1,000 cases, spread over all.
    InputError
        A path has no values, there are too many cases, the folder cannot be used, holds another
        sweep or a damaged shard, no Dask scheduler answers, or a process was ended from outside.

    Examples
    --------
    >>> frame = sweep("hopper-2010", {"machine.utilisation": [0.5, 1.0]})
    >>> frame["cost_per_core_hour"].round(4).tolist()
    [0.0314, 0.0157]
    """
    question = question_of(scenario, answer, options)
    cases = cases_of(values)
    folder = None if keep is None else folder_of(question, cases, Path(keep))
    shards = dict(answered(question, cases, folder, workers=workers, dask=dask, progress=progress))
    in_order = [shards[shard] for shard in range(cases.shards)]
    if folder is not None:
        folder.summarise(in_order)
    return _frame(cases, in_order)


def question_of(
    scenario: Scenario | FilePath, answer: Callable[..., Answer], options: Mapping[str, Any]
) -> ScenarioQuestion:
    """Return the question of every case.

    Raises
    ------
    ScenarioError
        The scenario cannot be read.
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    loaded = loaded_from(answer) if is_own(answer) else None
    folder = None if loaded is None else loaded.folder
    return ScenarioQuestion(scenario, answer, options, folder)


def folder_of(question: Question, cases: Cases, path: Path) -> SweepFolder:
    """Return the folder of a sweep, which is not made yet.

    Raises
    ------
    InputError
        The function or its options have nothing to recognise them by.
    """
    values = json.dumps(list(cases.lists.items()), default=str)
    mark = mark_of({"values": values, **question.content()})
    return SweepFolder(path, mark, cases, question.parts())


def answered(
    question: Question,
    cases: Cases,
    folder: SweepFolder | None = None,
    part: tuple[int, int] = (1, 1),
    *,
    workers: int = 1,
    dask: str | None = None,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> Iterator[tuple[int, Columns]]:
    """Yield number and columns of each shard as it is finished; those in the folder come first.

    Parameters
    ----------
    part
        Number of a part, from 1 on, and of all: shards are dealt out to the parts in turn.

    Raises
    ------
    ScenarioError, InputError
        As :func:`sweep`.
    """
    question.refuse_without_answer(cases)
    shards = range(part[0] - 1, cases.shards, part[1])
    total, done = sum(len(cases.of_shard(shard)) for shard in shards), 0
    open_shards = dict.fromkeys(shards)
    if folder is not None:
        folder.begin(question.name)
        for shard, columns in folder.finished(shards):
            del open_shards[shard]
            done += len(columns["case"])
            yield shard, columns
    progress(done, total)
    if not open_shards:
        return
    same = cases.mixed(), program_digest(), shown_with()
    tasks = (
        _Task(question, shard, {case: cases.chosen(case) for case in cases.of_shard(shard)}, *same)
        for shard in open_shards
    )
    for shard, columns, files in in_processes(
        _shard_answered, tasks, workers, dask, keeps_results=folder is not None
    ):
        if folder is not None:
            # The workers of a cluster may be other machines, whose files say nothing about those
            # here.
            folder.write(shard, columns, files_needed(question.parts()) if dask else files)
        done += len(columns["case"])
        yield shard, columns
        progress(done, total)


def _shard_answered(task: _Task) -> tuple[int, Columns, list[part_files.Files]]:
    """Answer a shard, in any process; return its number, columns and the files it needed."""
    question = task.question
    if program_digest() != task.program:
        raise InputError(
            "a worker has another version of Headroom or of its libraries; install the "
            "same versions"
        )
    if task.renderers:
        show_with(**task.renderers)
    _log.info("answering shard %d", task.shard)
    rows = []
    for case, chosen in task.chosen.items():
        numbers, error = _numbers(question, chosen)
        stored = {path: float(chosen[path]) for path in chosen if path in task.mixed}
        known = {"case": case, **chosen, **stored}
        rows.append({**known, **numbers, **known, "error": error})
    columns = dict(columns_of(rows))
    columns["error"] = columns.pop("error")  # behind the numbers of every case
    return task.shard, columns, _needed(question)


def _numbers(question: Question, chosen: Mapping[str, Any]) -> tuple[Mapping[str, Any], str | None]:
    """Return the numbers of a case, or why it has none."""
    try:
        return question.study(chosen).numbers(), None
    except (PlanError, ScenarioError) as failed:
        return {}, str(failed)


def _needed(question: Question) -> list[part_files.Files]:
    """Return what a user's function needed in this process."""
    if not question.parts():
        return []
    return [{} if question.folder is None else part_files.files_needed(question.folder)]


def _frame(cases: Cases, shards: Sequence[Columns]) -> pd.DataFrame:
    """Return a row for each case, in the order of the values."""
    import pandas as pd

    frame: dict[str, list[Any]] = {path: list(cases.column(path)) for path in cases.lists}
    names = dict.fromkeys(name for columns in shards for name in columns)
    for name in [name for name in names if name not in {"case", "error", *frame}] + ["error"]:
        frame[name] = []
        for columns in shards:
            frame[name] += columns.get(name) or [None] * len(columns["case"])
    return pd.DataFrame(frame)
