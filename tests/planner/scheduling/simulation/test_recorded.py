"""What the log recorded, next to what policies would have done: by hand, and on Theta's log."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from planner.cli.main import main
from planner.errors import InputError
from planner.scheduling.policies.fcfs import Fcfs
from planner.scheduling.policies.registry import POLICIES
from planner.scheduling.simulation.settings import SimulationSettings, Trim
from planner.scheduling.simulation.study import SimulationStudy, study
from reports.view import view
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.write_swf import write_swf
from tests.planner.scheduling.simulation.literal import made_log
from tests.shared_data import TRACES, needs_data

# Four processors. Recorded starts 0, 130, 140, 90; job 3 runs 140-180 while job 2 holds all four
# processors until 180; job 4 runs 90-100 next to job 1 on 3 processors.
ROWS = [(0, 100, 3, 100), (10, 50, 4, 60), (20, 40, 1, 40), (30, 10, 1, 20)]
WAITS = [0, 120, 120, 60]


def log_with(waits: list[int], rows: list[tuple[int, int, int, int]] = ROWS) -> JobLog:
    return replace(made_log(rows), wait_s=np.array(waits, np.int64), machine_processors=4)


def played(log: JobLog, *names: str, **requested: object) -> SimulationStudy:
    settings = SimulationSettings(**requested)  # type: ignore[arg-type]
    return study(log, [POLICIES[name] for name in names or ("easy",)], settings)


def risk(result: SimulationStudy, kind: str) -> dict[str, object]:
    """The values of a risk; it is stated once."""
    (found,) = (each for each in result.study.findings if each.kind == kind)
    return dict(found.values)


def test_the_record_is_measured_as_a_policy_is() -> None:
    result = played(log_with(WAITS), "easy", "fcfs")
    assert result.recorded is not None
    row = result.recorded.measures
    assert (row.policy, row.jobs, row.jobs_started) == ("recorded", 4, 4)
    assert row.wait_s is not None
    assert (row.wait_s.mean, row.wait_s.largest) == (75, 120)
    assert row.makespan_s == 180
    assert row.utilisation == pytest.approx((300 + 200 + 40 + 10) / (4 * 180))
    # slowdowns 1, 170 / 50, 160 / 40, 70 / 10
    assert row.bounded_slowdown is not None
    assert row.bounded_slowdown.mean == pytest.approx((1 + 3.4 + 4 + 7) / 4)
    assert [row.policy for row in result.rows] == ["easy", "fcfs", "recorded"]
    assert result.ranking == (0, 1)  # a record is no policy, and wins or loses nothing


def test_more_processors_than_there_are_is_counted_and_said() -> None:
    result = played(log_with(WAITS))
    assert result.recorded is not None
    over = result.recorded
    assert (over.most_processors, over.over_s, over.jobs_over) == (5, 40, 2)
    assert result.violations is None
    assert risk(result, "recorded-over") == {"most": 5, "machine": 4, "time": 40, "jobs": 2}
    alone = played(log_with([0, 90, 150, 0], [*ROWS[:3], (30, 10, 1, 20)])).recorded
    assert alone is not None
    assert (alone.most_processors, alone.over_s, alone.jobs_over) == (4, 0, 0)


def test_a_log_without_starts_has_no_row() -> None:
    result = played(log_with([-1] * 4))
    assert result.recorded is None
    assert result.rows == result.measures
    assert "recorded" not in result.to_dict()


def test_jobs_without_a_start_are_counted_and_left_out() -> None:
    result = played(log_with([0, -1, 120, -1]))
    recorded = result.recorded
    assert recorded is not None
    assert (recorded.without_start, recorded.measures.jobs) == (2, 2)
    assert risk(result, "no-recorded-start")["jobs"] == (2, 4)


def test_the_record_is_of_the_jobs_that_are_simulated_and_measured() -> None:
    rows = [*ROWS, (40, 10, 9, 10)]  # rejected by a machine of 4
    recorded = played(log_with([*WAITS, 500], rows), trim=Trim(0.25)).recorded
    assert recorded is not None
    assert recorded.measures.jobs == 3
    assert recorded.measures.wait_s is not None
    assert recorded.measures.wait_s.mean == 100
    assert recorded.without_start == 0


def test_cut_runs_are_said() -> None:
    log = replace(log_with(WAITS), killed=np.array([True, False, False, False]))
    result = played(log)
    assert result.recorded is not None
    assert result.recorded.measures.jobs_killed == 1
    assert risk(result, "recorded-cut")["runs"] == 1


def test_the_record_is_in_the_json_the_workbook_and_the_report() -> None:
    result = played(log_with(WAITS), "easy", "fcfs")
    row = result.to_dict()["recorded"]
    assert (row["mean_wait_s"], row["seconds_over_machine"], row["jobs_over_machine"]) == (
        75,
        40,
        2,
    )
    assert json.loads(json.dumps(row)) == row
    policies = result.tables()["policies"]
    assert [policy["policy"] for policy in policies] == ["easy", "fcfs", "recorded"]
    assert policies[2]["mean_wait_s"] == 75
    assert {table["policy"] for table in result.tables()["by run time"]} >= {"recorded"}


def test_a_policy_may_not_be_called_recorded() -> None:
    with pytest.raises(InputError, match="rename the policy 'recorded'"):
        study(log_with(WAITS), [Fcfs("recorded")])
    with pytest.raises(InputError, match="rename the policy 'as in the file'"):
        study(log_with(WAITS), [Fcfs("as in the file")])


def test_a_synthetic_log_does_not_claim_that_a_machine_did_anything(tmp_path: Path) -> None:
    log = replace(log_with(WAITS), header={"Synthetic": "some model, seed 1"})
    result = played(log, "easy", "fcfs")
    assert [row.policy for row in result.rows] == ["easy", "fcfs", "as in the file"]
    path = tmp_path / "x.swf"
    write_swf(path, log)
    shown = CliRunner().invoke(main, ["simulate", str(path)]).output
    everything = json.dumps(result.to_dict()) + repr(view(result.study))
    for text in (everything, shown):
        assert "as in the file" in text.lower()
        for claim in ("recorded schedule", "recorded row", "machine did", "machine itself"):
            assert claim not in text
    assert '"recorded"' not in repr(view(result.study))


@needs_data
def test_theta_recorded_waits_stand_next_to_simulated_ones() -> None:
    """Recorded mean wait of the log itself: 90,413 s, of 23,911 jobs; none is rejected."""
    trace = str(TRACES / "theta_2022.swf.gz")
    words = ["simulate", trace, "--policy", "easy", "--overruns", "keep"]
    done = CliRunner().invoke(main, [*words, "--check", "--json"])
    assert done.exit_code == 0, done.output
    row = json.loads(done.stdout)["recorded"]
    assert row["jobs"] == 23_911
    assert row["mean_wait_s"] == pytest.approx(90_413, abs=1)
    assert row["utilisation"] == pytest.approx(0.7591, abs=1e-4)
    assert row["most_processors"] == 5084
    assert row["jobs_over_machine"] == 41
    shown = CliRunner().invoke(main, words).stdout
    assert [line.split()[0] for line in shown.splitlines() if "25.1 h" in line] == ["Recorded"]
