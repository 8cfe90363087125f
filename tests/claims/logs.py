"""What is stated of a job log, from its text and by hand: docs/job-logs.md.

Cases are texts of logs with what a reader has to remark. Those that are drawn come with counts by
the rows from which the text is made.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.unused import NOT_SIMULATED

Claim = Callable[..., bool]
Stated = Mapping[str, Mapping[str, Any]]
_MONTH_S = 31 * 86_400


@dataclass(frozen=True)
class Text:
    """A log, and what has to be remarked on it, by kind."""

    text: str
    stated: Stated
    zone: str = "UTC"
    lenient: bool = False

    def read(self) -> JobLog:
        """The log, as its file is read."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "jobs.txt"
            path.write_text(self.text)
            rules = Cleaning(unreadable="leave out" if self.lenient else "fault", overruns="keep")
            log = read_job_log(path, file_name="jobs.txt", zone=self.zone, clean=rules)
        return replace(log, name=log.file)


_SACCT = "JobID|Submit|Start|End|Timelimit|AllocCPUS|State\n"
_DAY = "2025-10-26T{}:00"


def _sacct(number: str, submit: str, start: str, end: str, state: str = "COMPLETED") -> str:
    times = "|".join(map(_DAY.format, (submit, start, end)))
    return f"{number}|{times}|1-00:00:00|4|{state}\n"


def _pbs(number: int, processors: str) -> str:
    times = "qtime=1773057600 start=1773057660 end=1773061260"
    return f"03/09/2026 13:01:00;E;{number}.s;user=a queue=q {times} {processors}\n"


def _swf(number: int, submit: int, status: int = 1) -> str:
    return f"{number} {submit} 5 60 4 -1 -1 4 100 -1 {status} 1 1 -1 1 1 -1 -1\n"


def by_hand() -> Iterator[Text]:
    """Each remark of a reader once or twice."""
    fine = _sacct("1", "10:00", "10:01", "10:31")
    twice = {"log-hour-twice": {"jobs": 1}, "log-sorted": {"jobs": 1}}
    yield Text(_SACCT + fine + _sacct("2", "01:50", "02:50", "02:10"), twice, "Europe/Berlin")
    yield Text(
        _SACCT + _sacct("1", "10:00", "10:01", "10:31", "LOST")
        + _sacct("2", "10:05", "10:06", "10:31", "ODD by 7"),
        {"log-unknown-state": {"jobs": 2, "line": 2, "states": ("LOST (2)", "ODD by 7 (3)")}},
    )  # fmt: skip
    shifted = (
        "3: 2 cells, but 7 headings; a name may contain the delimiter: leave JobName and "
        "Comment out of --format"
    )
    late = "4: End: '2025-10-26T10:3:00' is not a time; write it as in 2026-03-09T12:00:00"
    lines = {"lines": 2, "first": (shifted, late)}
    yield Text(_SACCT + fine + "x|y\n" + _sacct("3", "10:05", "10:06", "10:3"),
               {"log-unreadable": lines}, lenient=True)  # fmt: skip
    yield Text(_SACCT + fine + _sacct("2", "10:05", "11:06", "10:31"),
               {"log-ended-early": {"jobs": 1}})  # fmt: skip
    wide = "JobID User     Submit              Start               End                 AllocCPUS\n"
    rule = "----- -------- ------------------- ------------------- ------------------- ---------\n"
    for user, stated in (("alexand+", {"log-names-cut": {"names": ("alexand+",)}}), ("ann", {})):
        job = f"1     {user:<8} {_DAY.format('10:00')} {_DAY.format('10:01')} "
        yield Text(f"{wide}{rule}{job}{_DAY.format('10:31')} {4:>9}\n", stated)
    limits = "job_id,submit_time,start_time,end_time,time_limit,cores\n"
    rows = "".join(f"{n},{n},{n + 5},{n + 65},{2 if n else 0.5},4\n" for n in range(6))
    yield Text(limits + rows, {"log-limits-in-minutes": {"column": "time_limit"}})
    plain = limits.replace("job_id", "job")
    yield Text(plain + rows, {"log-beyond-limits": {"jobs": (6, 6)}, "log-rounded": {"jobs": 1}})
    few = "".join(f"{n},{n},{n + 5},{n + 65},{2 if n < 3 else 99},4\n" for n in range(5))
    yield Text(plain + few, {"log-beyond-limits": {"jobs": (3, 5)}})
    yield Text(plain + "\n".join(few.split("\n")[:4]), {})
    size = {"line": 1, "key": "MaxProcs", "text": "4x16"}
    yield Text("; MaxProcs: 4x16\n" + _swf(1, 0) + _swf(2, 5, 8), {
        "log-unknown-size": size, "log-unknown-status": {"jobs": 1, "line": 3},
    })  # fmt: skip
    yield Text(_pbs(1, "Resource_List.ncpus=1 exec_host=n/0-15") + _pbs(2, "exec_host=n/0*4"),
               {"log-allocated": {"jobs": 1}})  # fmt: skip
    yield Text(_pbs(1, "Resource_List.ncpus=8 exec_host=n/0"), {"log-ncpus-larger": {"jobs": 1}})
    yield from _sizes_and_nodes()


def _sizes_and_nodes() -> Iterator[Text]:
    """Nodes as counts, as names and as resources, next to fewer cores, and to just enough."""
    heads = "submit,start,end,cores"
    columns = {"NodeList": ("n[01-05]", "n[1-3,7]"), "nodes": ("5", "4"),
               "AllocTRES": ("cpu=4;node=5", "cpu=4;node=4")}  # fmt: skip
    for heading, (more, equal) in columns.items():
        for cell, stated in ((more, {"log-below-nodes": {"jobs": 1}}), (equal, {})):
            quoted_cell = '"' + cell.replace(";", ",") + '"'
            yield Text(f"{heads},{heading}\n0,5,65,4,{quoted_cell}\n9,9,99,8,\n", stated)


def drawn(seed: int) -> Text:
    """A table of jobs with what the remarks count."""
    rng = random.Random(seed)
    rows = []
    for _ in range(rng.randint(1, 9)):
        submit = rng.randint(0, 50) + rng.choice((0, 0, 0, 0.25))
        rows.append({
            "job": rng.randint(1, 6), "submit": submit, "start": submit + rng.choice((-3, 0, 7, 9)),
            "run": rng.choice((1, 60, _MONTH_S, _MONTH_S + 1, 7_000_000)),
            "cores": rng.choice((0, 4, 4, 4, 4)),
        })  # fmt: skip
    rows[0]["cores"] = 4
    rows = list({(row["job"], int(row["submit"] + 0.5)): row for row in rows}.values())
    rows = [{**row, "start": max(row["start"], 0)} for row in rows]
    text = "job,submit,start,run,cores\n" + "".join(
        "{job},{submit},{start},{run},{cores}\n".format(**row) for row in rows
    )
    rows = [row for row in rows if row["cores"]]
    whole = [int(row["submit"] + 0.5) for row in rows]
    numbers = [row["job"] for row in rows]
    counts = {
        "log-rounded": sum(row["submit"] % 1 != 0 for row in rows),
        "log-sorted": sum(b < a for a, b in pairwise(whole)),
        "log-number-again": len(numbers) - len({*numbers}),
        "log-started-early": sum(row["start"] < row["submit"] for row in rows),
    }
    stated: dict[str, Mapping[str, Any]] = {
        kind: {"jobs": much} for kind, much in counts.items() if much
    }
    long = [row["run"] for row in rows if row["run"] > _MONTH_S]
    if long:
        stated["log-long-runs"] = {"jobs": len(long), "longest": max(long)}
    return Text(text, stated)


def _of_reader(kind: str) -> Claim:
    def claim(case: Any, **values: Any) -> bool:
        return kind in case.stated and values == {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in case.stated[kind].items()
        }

    return claim


UNKNOWN_SIZE = "log-unknown-size"
READ = (
    "log-names-cut", "log-unreadable", "log-rounded", "log-sorted", "log-number-again",
    "log-started-early",
    "log-ended-early", "log-hour-twice", "log-unknown-state", "log-unknown-status",
    "log-beyond-limits", "log-long-runs",
    "log-limits-in-minutes", UNKNOWN_SIZE, "log-allocated", "log-ncpus-larger",
    "log-below-nodes",
)  # fmt: skip
"""Kinds that pass on what a reader remarked."""


def _unlimited(log: JobLog) -> int:
    return 0 if log.no_limit is None else sum(log.no_limit.tolist())


def _partitions(log: JobLog) -> list[str]:
    codes = sorted({*log.partition.tolist()} - {MISSING})
    names = log.names.get("partition", ())
    return [names[code] if names else str(code) for code in codes]


FINDINGS: dict[str, Claim] = {
    **{kind: _of_reader(kind) for kind in READ},
    "log-unlimited": lambda case, jobs: (*jobs,) == (_unlimited(case.log), len(case.log)) and (
        100 * jobs[0] > jobs[1]
    ),
    "log-larger": lambda case, jobs, machine: machine == case.machine and (*jobs,) == (
        sum(much > machine for much in case.log.processors.tolist()), len(case.log)
    ) and 2 * jobs[0] > jobs[1],
    "log-partitions": lambda case, partitions, remedy: (
        [*partitions] == _partitions(case.log) and len(partitions) > 1 and remedy == case.remedy
    ),
    "log-ignored": lambda case, what, jobs: jobs == case.log.counts.get(f"{NOT_SIMULATED}{what}"),
}  # fmt: skip
"""Whether a finding on a log is true, from its case and its values."""

DUE: dict[str, Claim] = {kind: lambda case, kind=kind: kind in case.stated for kind in READ}
"""When these kinds are due."""
