"""A whole log on nodes that jobs may share: rules of co-location compared over seeds.

Decisions rest on predicted speeds, and scores on the true ones. The baseline is EASY on whole
nodes, and the loop is that of :mod:`planner.sharing_nodes.queues`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from planner.errors import InputError
from planner.plain_numbers import plainly
from planner.sharing_nodes.pairs.settings import LEAST_GAIN, LEAST_SPEED
from planner.sharing_nodes.queue_gains.laws import CORES_LAWS, SAME_CORES, SharingLaw, law_of
from planner.sharing_nodes.queue_gains.load import LoadResult
from planner.sharing_nodes.queue_gains.result import BOUND, FAIR, FIRST_FIT, MATCHING, SEARCH
from planner.sharing_nodes.queue_gains.study import QueueStudy
from planner.sharing_nodes.queues.bills import PerformanceEstimate
from planner.sharing_nodes.queues.checker import Broken, violations
from planner.sharing_nodes.queues.logs import at_load, offered_load, shared_problem
from planner.sharing_nodes.queues.problem import SharedProblem
from planner.sharing_nodes.queues.replications import QueueReplications, replicate
from planner.sharing_nodes.queues.rules import WHOLE, SharingGate, SharingRule, gate_of, sharing
from planner.sharing_nodes.queues.speeds import Floats, Speeds
from planner.sharing_nodes.tangram.laws import BOTH
from scenarios.job_logs.job_log import MISSING, JobLog
from scenarios.job_logs.reader import read_job_log
from scenarios.pairs.pair_table import PairTable

if TYPE_CHECKING:
    from planner.api import FilePath

SEEDS = 5
ALPHA = 0.05
"""Probability that errors of predictions let a floor be broken, over all pairs."""
MARGIN = 0.1
"""Share that is added to the expected run times of jobs that share, for errors of predictions."""
HORIZON = 32
"""Jobs at the head of the queue that a rolling matching looks at."""
MOST_MATCHED = 2_000
"""Jobs up to which the rolling matching is run: it takes a millisecond or two for each event."""
MOST_CHECKED = 2_000
"""Jobs up to which the independent checker follows each reservation."""


@plainly
def colocate_log(
    law: str | PairTable | SharingLaw,
    log: JobLog | FilePath,
    *,
    seeds: int = SEEDS,
    loads: Sequence[float] = (),
    floor: float = LEAST_SPEED,
    floors: Mapping[str, float] | None = None,
    least_gain: float = LEAST_GAIN,
    alpha: float = ALPHA,
    first_jobs: int | None = None,
    nodes: int | None = None,
    processors_per_node: int = 1,
    columns: Mapping[str, str] | None = None,
    workers: int = 1,
    first_seed: int = 0,
    cores_law: str = BOTH,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> QueueStudy:
    """Run a log under EASY on whole nodes and under rules of co-location, paired over seeds.

    Parameters
    ----------
    law
        ``"poppa-12-codes"`` (half sockets), ``"tangram-two-node"`` or ``"tangram-eight-node"``
        (oversubscription), or a table of measured pairs, or its path.
    log
        Jobs, or the path of a log (SWF, Slurm, PBS or CSV). Each user is mapped to an application
        by a stated rule.
    seeds
        Mappings of users to applications, from ``first_seed`` on; 2 or more.
    loads
        Offered loads at which the log is run: its submissions are moved closer together or further
        apart. By default as the log has them.
    floor, floors
        Least predicted speed of a job over that on whole nodes, from 0 to 1; and that of single
        users by name.
    least_gain
        Work that a start must add on each node that two jobs then share, in nodes.
    alpha
        Probability that a prediction of any pair lets a floor be broken: predictions are lowered by
        as many standard errors as all pairs together need (Bonferroni).
    first_jobs
        Use only this number of jobs, from the start of the log; by default all.
    nodes, processors_per_node
        Size of the machine; by default as the log says, and 1.
    columns
        Headings of a CSV log by what the columns hold.
    workers
        Processes of the trial on the simulated node.
    first_seed
        Seed of the first mapping.
    cores_law
        On a system of Tangram, what jobs get on the cores that they share: ``"slowest-rank"``,
        ``"idle-cycles"``, or ``"both"``: the answer is that of the first law, and its waits at the
        first load are compared with those of the second.
    progress
        Called with the number of finished seeds, and of all.

    Returns
    -------
    QueueStudy
        ``results`` has one entry for each offered load.

    Raises
    ------
    InputError
        A setting out of its range, an unknown user, or a log that does not say how large its
        machine is.
    ScenarioError
        The log or the table cannot be read.
    """
    if not 0 < alpha < 0.5:
        raise InputError(f"alpha = {alpha:g}; give a share above 0 and below 0.5, such as 0.05")
    if seeds < 2:
        raise InputError(f"seeds = {seeds} give no interval; give at least 2, such as 20")
    if first_seed < 0:
        raise InputError(f"first_seed = {first_seed}; give 0 or more")
    read = log if isinstance(log, JobLog) else read_job_log(os.fspath(log), columns=columns or None)
    if first_jobs is not None:
        if first_jobs < 1:
            raise InputError(f"first_jobs = {first_jobs}; give at least 1")
        read = read.take(np.arange(len(read)) < first_jobs)
    if not len(read):
        raise InputError(f"{read.file or read.name} has no job; give a log with jobs")
    found, other = _laws(law, cores_law, workers)

    def problem(seed: int, load: float | None, law: SharingLaw = found) -> SharedProblem:
        made = shared_problem(
            read,
            law.true,
            nodes=nodes,
            processors_per_node=processors_per_node,
            cores_per_node=law.cores_per_node,
            halves_per_node=law.halves_per_node,
            seed=seed,
        )
        return made if load is None else at_load(made, load)

    matched = len(read) <= MOST_MATCHED
    codes = _codes(read, floors or {})
    rules = rules_of(found, floor, codes, least_gain, alpha, matched=matched)
    tried: Sequence[float | None] = tuple(loads) or (None,)
    results = []
    mappings = range(first_seed, first_seed + seeds)
    for number, load in enumerate(tried):
        replications = replicate(
            (problem(seed, load) for seed in mappings),
            mappings,
            rules,
            (_fair(found),),
            watts=found.watts,
            judge=next(rule for rule in rules if rule.name == SEARCH),
            progress=lambda seed, done=number * seeds: progress(  # type: ignore[misc]
                done + seed - first_seed + 1, len(tried) * seeds
            ),
        )
        offered = offered_load(problem(first_seed, load))
        results.append(LoadResult(offered, replications))
    second = None
    if other is not None:
        rules_of_other = rules_of(other, floor, codes, least_gain, alpha, matched=False)
        replications = replicate(
            (problem(seed, tried[0], other) for seed in mappings),
            mappings,
            [rule for rule in rules_of_other if rule.name == SEARCH],
            (_fair(other),),
            watts=other.watts,
        )
        second = LoadResult(results[0].load, replications)
    return QueueStudy(
        law=found,
        other=second,
        jobs=read,
        floor=floor,
        floors=dict(floors or {}),
        least_gain=least_gain,
        alpha=alpha,
        results=tuple(results),
        admitted=_admitted(found, floor, least_gain, alpha),
        broken=_broken(results[0].replications, rules),
        checked=len(read) <= MOST_CHECKED,
        logged_load=offered_load(problem(first_seed, None)) if loads else None,
        processors_per_node=processors_per_node,
    )


def _laws(
    law: str | PairTable | SharingLaw, cores_law: str, workers: int
) -> tuple[SharingLaw, SharingLaw | None]:
    """The law of the answer, and the one that it is compared with.

    Raises
    ------
    InputError
        A law of shared cores is given, and the speeds are not those of a system of Tangram; or
        there is no such law.
    """
    if cores_law not in (BOTH, *CORES_LAWS):
        raise InputError(
            f"law {cores_law!r} is unknown; give one of {', '.join((BOTH, *CORES_LAWS))}"
        )
    if isinstance(law, str) and law in SAME_CORES:
        first, *others = (
            law_of(law, workers=workers, cores_law=each)
            for each in (CORES_LAWS if cores_law == BOTH else (cores_law,))
        )
        return first, others[0] if others else None
    if cores_law != BOTH:
        raise InputError(
            f"law {cores_law} applies to {' and '.join(SAME_CORES)} only; leave it out"
        )
    return law if isinstance(law, SharingLaw) else law_of(law, workers=workers), None


def rules_of(
    law: SharingLaw,
    floor: float,
    floors: Mapping[int, float],
    least_gain: float,
    alpha: float,
    *,
    matched: bool,
) -> tuple[SharingRule, ...]:
    """First fit, the search for partners that pay, the rolling matching, and oracle gains."""
    halves = law.halves_per_node == 2
    wanted = law.known & (law.pair_gain(law.predicted) > (least_gain if halves else 0.0))
    plain = gate_of(law.predicted, wanted, margin=MARGIN)
    options = {"least_gain": least_gain, "floor": floor, "floors": dict(floors), "fill": halves}
    predicted = _gate(law, law.predicted, _hidden(law, alpha), MARGIN)
    unpaired = "wait" if halves else "spread"

    def rule(name: str, gate: SharingGate, **more: object) -> SharingRule:
        return sharing(gate, unpaired, name=name, **(options | more))  # type: ignore[arg-type]

    rules = [
        sharing(plain, unpaired, name=FIRST_FIT),  # type: ignore[arg-type]
        rule(SEARCH, predicted),
    ]
    if halves and matched:
        rules.append(rule(MATCHING, predicted, horizon=HORIZON))
    oracle = _gate(law, law.true, 0.0, 0.0)
    return (*rules, rule(BOUND, oracle))


def _hidden(law: SharingLaw, alpha: float) -> Floats:
    """What errors may hide of predicted speeds: one-sided, and for all pairs at once."""
    error = law.error if law.floor_error is None else law.floor_error
    errors: Floats = NormalDist().inv_cdf(1 - alpha / error.size) * error
    return errors


def _gate(law: SharingLaw, speeds: Speeds, error: object, margin: float) -> SharingGate:
    return gate_of(speeds, law.known, partner="best", margin=margin, error=error)  # type: ignore[arg-type]


def _admitted(law: SharingLaw, floor: float, least_gain: float, alpha: float) -> int:
    """Pairs of applications that keep the floor and gain enough on nodes of their own."""
    lowest = law.predicted.pair - _hidden(law, alpha)
    keeps = lowest / law.predicted.full[:, None] >= floor
    pairs = law.known & keeps & keeps.T & (law.pair_gain(law.predicted) >= least_gain)
    return int(np.triu(pairs).sum())


def _fair(law: SharingLaw) -> PerformanceEstimate:
    """The fair price, by the same predictions as the decisions."""
    speeds = law.predicted
    return PerformanceEstimate(
        FAIR,
        speeds.pair / speeds.half[:, None],
        speeds.full / speeds.half,
        law.error / speeds.half[:, None],
        unbiased=True,
    )


def _codes(log: JobLog, floors: Mapping[str, float]) -> dict[int, float]:
    """Floors by code of the user.

    Raises
    ------
    InputError
        A user that the log does not name.
    """
    names = log.names.get("user", ())
    codes = {name: code for code, name in enumerate(names)}
    if not names:
        codes = {str(code): code for code in np.unique(log.user).tolist() if code != MISSING}
    for name in floors:
        if name not in codes:
            raise InputError(
                f"floor of {name}: the log has no such user; its users are "
                f"{', '.join(list(codes)[:5])}{', ...' if len(codes) > 5 else ''}"
            )
    return {codes[name]: floor for name, floor in floors.items()}


def _broken(found: QueueReplications, rules: Sequence[SharingRule]) -> Broken:
    """What the independent checker finds in the schedules of the first seed."""
    first = found.first
    if len(first.problem.jobs) > MOST_CHECKED:
        return ()
    return tuple(
        (outcome.rule, violation)
        for outcome, rule in zip(first.outcomes, (WHOLE, *rules), strict=True)
        for violation in violations(outcome.schedule, first.problem, rule)
    )
