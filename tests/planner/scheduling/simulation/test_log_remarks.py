"""Warnings next to the headline: no limits, shared machines, what is not simulated, sizes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from planner.scheduling.simulation.log_facts import log_remarks
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.swf_header import UNKNOWN_SIZE
from scenarios.remark import remark
from tests.planner.cli.commands import answered, ran
from tests.planner.scheduling.simulation.literal import made_log
from tests.scenarios.job_logs.logs import swf_line

LIMITS = "Jobs without a time limit: "


def log_of(jobs: int, without: int = 0) -> JobLog:
    log = made_log([(n, 10, 4, 10) for n in range(jobs)])
    return replace(log, no_limit=np.arange(jobs) < without if without else None)


def remarks(log: JobLog, **how: Any) -> dict[str, Mapping[str, Any]]:
    return {each.kind: each.values for each in log_remarks(log, **how)}


@pytest.mark.parametrize(("without", "warned"), [(0, False), (2, False), (3, True), (200, True)])
def test_more_than_one_job_in_a_hundred_without_a_limit_is_warned_of(
    without: int, warned: bool
) -> None:
    found = remarks(log_of(200, without))
    assert found == ({"log-unlimited": {"jobs": (without, 200)}} if warned else {})
    assert remarks(log_of(200, without), limits=False) == {}


def test_most_jobs_larger_than_the_machine_are_warned_of() -> None:
    log = log_of(10)
    for given, warned in ((4, False), (3, True), (None, False)):
        assert ("log-larger" in remarks(log, given=given)) == warned
    assert remarks(log, given=1) == {"log-larger": {"jobs": (10, 10), "machine": 1}}
    half = replace(log, processors=np.array([1] * 5 + [9] * 5))
    assert remarks(half, given=4) == {}
    assert remarks(half, given=4, larger=11)["log-larger"]["jobs"] == (11, 21)


def test_a_size_that_is_given_needs_no_header() -> None:
    unknown = remark(UNKNOWN_SIZE, line=(1, "id"), key=("MaxProcs", "id"), text=("4x16", "text"))
    log = replace(log_of(3), remarks=(unknown,), machine_processors=None)
    assert list(remarks(log)) == [UNKNOWN_SIZE]
    assert remarks(log, given=8) == {}


def test_partitions_that_share_a_machine_are_named() -> None:
    log = replace(log_of(4), partition=np.array([0, 1, -1, 1], np.int32))
    shared = {"partitions": ("0", "1"), "remedy": "own-machine"}
    assert remarks(log) == {"log-partitions": shared}
    assert remarks(log, clusters=("0",)) == {}
    named = replace(log, names={"partition": ("cpu", "gpu")})
    assert remarks(named)["log-partitions"]["partitions"] == ("cpu", "gpu")
    assert remarks(log_of(4)) == {}


@pytest.fixture
def log(tmp_path: Path) -> str:
    """Three jobs: no limit, a dependency, memory and a think time; of two partitions."""
    lines = [swf_line(1, f9=-1, f16=1), swf_line(2, f17=1, f18=9, f16=2), swf_line(3, f10=5, f16=2)]
    (tmp_path / "log.swf").write_text("; MaxProcs: 8\n" + "".join(lines))
    return str(tmp_path / "log.swf")


NOT_USED = "The simulation ignores memory of the log: 1 job. Waits that these cause are missing."


def test_every_command_that_reads_a_log_says_so(log: str) -> None:
    simulated = answered("simulate", log)["warnings"]
    sized = answered("size", log, "--for", "mean-wait<=1h", "--resamples", "0")["warnings"]
    for warnings in (simulated, sized):
        assert NOT_USED in warnings
        assert any("share one machine:" in warning for warning in warnings)
        assert any(LIMITS in warning for warning in warnings)
    assert f"Warning: {NOT_USED}" in ran("simulate", log).stdout


def test_a_rule_ends_the_warning_and_plans_longer(log: str) -> None:
    answer = answered("simulate", log, "--default-limit", "2h")
    assert not any(LIMITS in item for item in answer["warnings"])
    assert answer["counts"]["no requested time: the limit of a rule taken"] == 1
    assert "no requested time: the run time taken" not in answer["counts"]
    one = answered("simulate", log, "--default-limit", "1=2h", "--default-limit", "2=1h")
    assert one["counts"] == answer["counts"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--default-limit", "24"], "'24' has no unit"),
        (["--default-limit", "7=2h"], "there are no jobs of a partition '7'; there are 1, 2"),
        (["--default-limit", "2h", "--default-limit", "3h"], "the general limit is given twice"),
    ],
)
def test_rules_that_make_no_sense_are_refused(log: str, words: list[str], said: str) -> None:
    done = ran("simulate", log, *words)
    assert done.exit_code == 2
    assert said in " ".join(done.output.split())
    assert ran("simulate", "lublin", "--default-limit", "2h").exit_code == 2
