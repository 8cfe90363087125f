"""From a scenario to power problems: one for each bound, log and seed.

A seed stands for one replication: the nodes of a simulated cluster, the measured runs, those that
a model is trained on, the synthetic logs, and the scatter of jobs from run to run. All bounds and
policies of a replication share these, so that they are compared on the same jobs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from planner.configurations.prediction.candidates import CandidateConfigurations
from planner.errors import InputError
from planner.question import schedule_of
from planner.scheduling.power.inputs.details import details_of
from planner.scheduling.power.inputs.file_logs import file_log
from planner.scheduling.power.inputs.logs import PowerLog, listed_log, synthetic_log
from planner.scheduling.power.inputs.node_laws import node_law
from planner.scheduling.power.inputs.pruning import only_rows, undominated_or_packed
from planner.scheduling.power.inputs.simulated import (
    SimulatedSubject,
    scatter,
    simulated_cluster,
    simulated_rows,
)
from planner.scheduling.power.inputs.stated_phases import with_phases
from planner.scheduling.power.inputs.subjects import MeasuredSubject, Subject, listed_runs
from planner.scheduling.power.problem import MS, Floats, JobDetails, Occupied, PowerProblem
from planner.scheduling.power.truth import PowerTruth
from scenarios import Scenario
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.reader import read_job_log
from scenarios.job_logs.swf_header import UNKNOWN_SIZE
from scenarios.measurements.reader import read_measurements
from scenarios.measurements.runs import Runs
from scenarios.model.schedule import Schedule, ScheduleApplication, ScheduleLog
from scenarios.remark import Remark
from scenarios.simulated import SimulatedCluster, find_application
from scenarios.simulated import calibration as measured_nodes

_CLUSTER, _TABLE, _LOG, _SCATTER, _CALIBRATION = range(5)
"""Numbers of the random streams; each random part of a replication has its own stream."""


@dataclass(frozen=True, eq=False)
class InputFiles:
    """Contents of a scenario's files, read once for all seeds.

    Attributes
    ----------
    runs
        Measured runs by application.
    logs
        Job logs by the name of the scenario's log.
    remarks
        What the readers remarked on them.
    """

    runs: Mapping[str, Runs] = field(default_factory=dict)
    logs: Mapping[str, JobLog] = field(default_factory=dict)
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True, eq=False)
class Replication:
    """All that one seed decides.

    Attributes
    ----------
    schedule
        The question.
    seed
        Seed of the replication.
    details
        What the scheduler knows.
    truth
        What happens, without the scatter of jobs.
    logs
        By name, in the order of the scenario.
    simulated
        Applications of the simulated cluster, as indices of the job details table.
    cluster
        The simulated cluster; ``None`` where no application is simulated.
    node_w
        What each node drew in its calibration [W]; empty where nodes are alike.
    remarks
        What the readers of its files remarked.
    """

    schedule: Schedule
    seed: int
    details: JobDetails
    truth: PowerTruth
    logs: Mapping[str, PowerLog]
    simulated: frozenset[int]
    cluster: SimulatedCluster | None
    node_w: Floats = field(default_factory=lambda: np.empty(0))
    remarks: tuple[Remark, ...] = ()

    def problem(self, bound_w: float, log: str) -> PowerProblem:
        """Give the log under a bound.

        Raises
        ------
        InputError
            There is no such log, or the bound leaves nothing to jobs.
        """
        if log not in self.logs:
            raise InputError(f"unknown log {log!r}; there are {', '.join(self.logs)}")
        power_log, cluster = self.logs[log], self.schedule.cluster
        return PowerProblem(
            nodes=cluster.nodes,
            bound_mw=round(bound_w * MS),
            jobs=power_log.jobs,
            details=self.details,
            truth=self._truth_of(power_log),
            charge=self.schedule.charge,
            idle_mw=round(cluster.idle_node_w * MS),
            occupied=tuple(
                Occupied(use.nodes, round(use.power_w * MS), round(use.until_s * MS))
                for use in self.schedule.occupied
            ),
            node_w=self.node_w,
        )

    def _truth_of(self, log: PowerLog) -> PowerTruth:
        """The truth with factors and phases of the log's jobs, equal for all policies."""
        time, power = np.ones((2, len(log.jobs)))
        if self.cluster is not None:
            index = [*self.logs].index(log.name)
            factors = scatter(
                self.cluster, int(log.request_index.max()) + 1, self._stream(_SCATTER, index)
            )
            scattered = np.isin(log.jobs.application, [*self.simulated])
            time, power = np.where(scattered, factors[:, log.request_index], 1.0)
        truth = replace(self.truth, time_factor=time * log.true_factor, power_factor=power)
        return with_phases(truth, self.schedule, log, self.details.applications)

    def _stream(self, purpose: int, index: int) -> np.random.SeedSequence:
        return np.random.SeedSequence((self.seed, purpose, index))


def files_of(scenario: Scenario) -> InputFiles:
    """Read the files that a scenario's question about scheduling names.

    Raises
    ------
    ScenarioError
        A file has errors.
    InputError
        The scenario names files but was not read from a folder, or has no scheduling question.
    """
    schedule = schedule_of(scenario)
    named = {log.name: log.file for log in schedule.logs if log.file is not None}
    measured = schedule.details.file
    if not named and measured is None:
        return InputFiles()
    if not scenario.provenance.paths:
        raise InputError(f"{scenario.name} names files; load it from its folder")
    folder = Path(scenario.provenance.paths[0]).parent
    runs: Mapping[str, Runs] = {}
    remarks: list[Remark] = []
    if measured is not None:
        table = read_measurements(folder / measured, file_name=measured)
        runs, remarks = table.runs, [*table.remarks]
    logs = {name: read_job_log(folder / file, file_name=file) for name, file in named.items()}
    of_logs = (each for log in logs.values() for each in log.remarks)
    remarks += (each for each in of_logs if each.kind != UNKNOWN_SIZE)  # the scenario has a size
    return InputFiles(runs, logs, tuple(remarks))


def replicate(scenario: Scenario, seed: int, files: InputFiles | None = None) -> Replication:
    """Generate one random replication of a scenario.

    Parameters
    ----------
    files
        Result of :func:`files_of`, so that the files are read once for many seeds.

    Raises
    ------
    InputError
        No configuration fits the cluster, a model has too few runs, or no job of a log can run.
    ScenarioError
        A file has errors.
    """
    schedule = schedule_of(scenario)
    read = files_of(scenario) if files is None else files
    cluster = _cluster(schedule, seed)
    subjects = _subjects(schedule, cluster, read)
    size, settings = schedule.cluster.nodes, schedule.details
    # A stream for each application: a further one leaves the tables before it as they are.
    tables = [
        subject.known_table(settings, np.random.default_rng((seed, _TABLE, index)))
        for index, subject in enumerate(subjects)
    ]
    details = details_of(tables, settings.method, size)
    true = details_of([subject.truth() for subject in subjects], "oracle", size)
    if settings.node_counts == "every":
        selected = undominated_or_packed(details)
        details, true = only_rows(details, selected), only_rows(true, selected)
    law = None
    if cluster is not None and schedule.cluster.variability:
        law = node_law(subjects, true, size)
    truth = PowerTruth(true.time_ms, true.charge_mw, law)
    return Replication(
        schedule,
        seed,
        details,
        truth,
        _logs(schedule, details, truth, read, seed),
        frozenset(i for i, item in enumerate(subjects) if isinstance(item, SimulatedSubject)),
        cluster,
        _calibrated(schedule, cluster, seed),
        read.remarks,
    )


def _cluster(schedule: Schedule, seed: int) -> SimulatedCluster | None:
    if not any(application.problem for application in schedule.applications):
        return None
    settings = schedule.cluster
    cluster_seed = int(np.random.SeedSequence((seed, _CLUSTER)).generate_state(1)[0])
    return simulated_cluster(
        settings.nodes, cluster_seed, variability=settings.variability, noise=settings.noise
    )


def _calibrated(schedule: Schedule, cluster: SimulatedCluster | None, seed: int) -> Floats:
    """Measure each node of a cluster whose nodes differ, with the noise of its runs."""
    if cluster is None or not schedule.cluster.variability:
        return np.empty(0)
    stated = schedule.calibration
    simulated = [
        application for application in schedule.applications if application.problem is not None
    ]
    chosen = next(subject for subject in simulated if stated.application in {None, subject.name})
    calibration_seed = int(np.random.SeedSequence((seed, _CALIBRATION)).generate_state(1)[0])
    return measured_nodes(
        cluster,
        find_application(chosen.name, chosen.problem or "D"),
        (stated.cores_per_node, stated.package_cap_w),
        stated.repetitions,
        calibration_seed,
    )


def _subjects(
    schedule: Schedule, cluster: SimulatedCluster | None, files: InputFiles
) -> tuple[Subject, ...]:
    listed = schedule.applications or tuple(ScheduleApplication(name=n) for n in files.runs)
    return tuple(_subject(schedule, application, cluster, files) for application in listed)


def simulated_candidates(
    schedule: Schedule, application: ScheduleApplication
) -> CandidateConfigurations:
    """The configurations in which a simulated application can run."""
    simulated = find_application(application.name, application.problem or "D")
    every = schedule.details.node_counts == "every"
    return simulated_rows(simulated, schedule.cluster.nodes, every=every)


def _subject(
    schedule: Schedule,
    application: ScheduleApplication,
    cluster: SimulatedCluster | None,
    files: InputFiles,
) -> Subject:
    charge, settings = schedule.charge, schedule.details
    if application.problem is not None and cluster is not None:
        simulated = find_application(application.name, application.problem)
        rows = simulated_candidates(schedule, application)
        typical = not schedule.cluster.variability
        return SimulatedSubject(simulated, cluster, charge, rows, typical)
    if application.configurations:
        return MeasuredSubject(_listed(application), "package", settings.repetition)
    if application.name not in files.runs:
        raise InputError(
            f"{application.name} has no details; add problem, configurations or details.file"
        )
    return MeasuredSubject(files.runs[application.name], charge, settings.repetition)


def _listed(application: ScheduleApplication) -> Runs:
    """Return a scenario's configurations as runs; their stated watts are charged unchanged."""
    rows = application.configurations
    grid = CandidateConfigurations(
        np.array([row.nodes for row in rows], dtype=np.int64),
        np.array([row.cores_per_node for row in rows], dtype=np.int64),
        np.array([row.package_cap_w for row in rows]),
    )
    values = ([row.time_s for row in rows], [row.power_w for row in rows])
    return listed_runs(application.name, grid, values)


def _logs(
    schedule: Schedule, details: JobDetails, truth: PowerTruth, files: InputFiles, seed: int
) -> dict[str, PowerLog]:
    weights = {application.name: application.priority for application in schedule.applications}
    by_application = np.array([weights.get(name, 1.0) for name in details.applications])
    return {
        log.name: _log(schedule, log, details, truth, files, by_application, (seed, _LOG, index))
        for index, log in enumerate(schedule.logs)
    }


def _log(
    schedule: Schedule,
    log: ScheduleLog,
    details: JobDetails,
    truth: PowerTruth,
    files: InputFiles,
    weights: Floats,
    stream: Sequence[int],
) -> PowerLog:
    size, rule = schedule.cluster.nodes, schedule.unmeasured
    if log.kind == "listed":
        return listed_log(log, details, cluster_nodes=size, weights=weights, unmeasured=rule)
    if log.kind == "file":
        read = files.logs[log.name]
        return file_log(
            log,
            read,
            details,
            truth.time_ms,
            cluster_nodes=size,
            weights=weights,
            unmeasured=rule,
        )
    return synthetic_log(
        log,
        details,
        truth.time_ms,
        cluster_nodes=size,
        weights=weights,
        unmeasured=rule,
        seed=np.random.SeedSequence(stream),
    )
