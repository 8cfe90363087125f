"""Files next to the report: runs, jobs and watts as CSV, and the times to decide apart."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from planner.scheduling.power.result import ScheduleResult
from planner.scheduling.power.results.paired import by_key
from planner.scheduling.power.results.result import PolicyOutcome
from scenarios.tables.inert import inert

FILES = ("runs.csv", "jobs.csv", "power.csv", "times.csv")
"""In the folder of a report. Only times.csv differs from run to run."""


def files(result: ScheduleResult) -> dict[str, bytes]:
    """Return every run, every job of every run, watts over time, and the times of this run."""
    runs = [outcome.to_dict() for outcome in result.outcomes]
    plain = ({key: value for key, value in run.items() if key != "jobs"} for run in runs)
    texts = (_csv(plain), _csv(_jobs(result)), _csv(_watts(result)), _csv(result.times()))
    return {name: text.encode() for name, text in zip(FILES, texts, strict=True)}


def _case(outcome: PolicyOutcome) -> dict[str, Any]:
    return {name: getattr(outcome, name) for name in ("log", "bound_w", "seed", "policy")}


def _jobs(result: ScheduleResult) -> Iterator[dict[str, Any]]:
    """Yield every job, and by how much it ends sooner than under the reference policy."""
    base = by_key(result.outcomes)[result.reference]
    for outcome in result.outcomes:
        other = base.get((outcome.log, outcome.bound_w, outcome.seed))
        reference_s = other.turnaround_s if other else np.full(len(outcome.jobs), np.nan)
        gains = np.round(reference_s - outcome.turnaround_s, 3)
        for job, gain in zip(outcome.jobs, gains.tolist(), strict=True):
            yield _case(outcome) | vars(job) | {"gain_s": "" if np.isnan(gain) else gain}


def _watts(result: ScheduleResult) -> Iterator[dict[str, Any]]:
    """Yield watts from each time on, of the runs for which they are kept."""
    for outcome in result.outcomes:
        if outcome.power is None:
            continue
        series = outcome.power
        ends = ((*series.true_w, 0.0), (*series.charged_w, 0.0))
        for time_s, true_w, charged_w in zip(series.time_s, *ends, strict=True):
            yield _case(outcome) | {"time_s": time_s, "true_w": true_w, "charged_w": charged_w}


def _csv(rows: Iterable[Mapping[str, Any]]) -> str:
    text = io.StringIO(newline="")
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow({key: inert(value) for key, value in row.items()})
    return text.getvalue()
