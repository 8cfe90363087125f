"""Files next to the report: every run and every job as CSV, and the times apart from both."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from planner.scheduling.power.study import ScheduleStudy

FILES = ("runs.csv", "jobs.csv", "times.csv")
"""In the folder of a report. Only times.csv differs from run to run."""


def files(study: ScheduleStudy) -> Mapping[str, bytes]:
    """Every run, every job of every run, and the times of this run."""
    runs = [one.to_dict() for one in study.outcomes]
    cases = [{key: run[key] for key in ("log", "bound_w", "seed", "policy")} for run in runs]
    jobs = (case | job for case, run in zip(cases, runs, strict=True) for job in run["jobs"])
    plain = ({key: value for key, value in run.items() if key != "jobs"} for run in runs)
    texts = (_csv(plain), _csv(jobs), _csv(study.times()))
    return {name: text.encode() for name, text in zip(FILES, texts, strict=True)}


def _csv(rows: Iterable[Mapping[str, Any]]) -> str:
    text = io.StringIO(newline="")
    writer: csv.DictWriter[str] | None = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(text, list(row), lineterminator="\n")
            writer.writeheader()
        writer.writerow(row)
    return text.getvalue()
