"""Python functions of Headroom, one for each question: ``import headroom as hr``."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from planner.errors import InputError
from planner.plain_numbers import plainly
from scenarios.catalogue import load
from scenarios.model.scenario import Scenario

if TYPE_CHECKING:
    import networkx as nx

    from planner.aggregation.aggregate import AggregationStudy
    from planner.comparison.study import ComparisonStudy
    from planner.configurations.sharing.own import SharingHeuristic
    from planner.configurations.sharing.problem import Goal, SharingProblem
    from planner.configurations.sharing.study import SharingStudy
    from planner.configurations.study import ConfigurationStudy
    from planner.configurations.table import Repetition
    from planner.designs.study import DesignStudy
    from planner.placement.own import Algorithm
    from planner.placement.study import PlacementStudy
    from planner.procurement.own import ProcurementHeuristic
    from planner.procurement.study import ProcurementStudy
    from planner.scheduling.estimates.predictors.predictor import RunTimePredictor
    from planner.scheduling.estimates.study import EstimateStudy
    from planner.scheduling.policies.problem import Policy
    from planner.scheduling.simulation.replications import ReplicationStudy
    from planner.scheduling.simulation.settings import SimulationSettings
    from planner.scheduling.simulation.study import SimulationStudy
    from planner.scheduling.sizing.study import SizingStudy
    from planner.sharing_nodes.pairs.study import ColocationStudy
    from scenarios.communication.matrix import Communication
    from scenarios.communication.row_order import RowOrder
    from scenarios.job_logs.job_log import JobLog
    from scenarios.measurements.runs import Measurements
    from scenarios.pairs.matrix import Values
    from scenarios.pairs.pair_table import PairTable

FilePath = str | os.PathLike[str]


@plainly
def plan(
    scenario: Scenario | FilePath,
    *,
    method: str = "engine",
    solver: str = "both",
    gap: float | None = None,
    seed: int = 0,
    time_limit_s: float | None = None,
    full: bool = False,
    heuristics: Sequence[ProcurementHeuristic | type[ProcurementHeuristic] | str] = (),
    progress: Callable[[str], None] = lambda _: None,
) -> DesignStudy | ProcurementStudy:
    """Answer all questions of a scenario.

    Parameters
    ----------
    scenario
        A scenario, the name of a bundled one, or a path.
    method
        Algorithm: ``"engine"``; ``"reference"``, the readable program
        (``hr.formulations.procurement``); or, for a procurement, a heuristic, shown with its
        distance from the limit: ``"greedy-per-money"``, ``"greedy-per-watt"``,
        ``"rounded-relaxation"``, ``"closed-form"`` or ``"best-single-type"``. Designs are always
        compared by closed form and by the readable program.
    solver
        ``"both"`` solves the decision independently by CBC and by HiGHS, and every other question
        of a procurement by HiGHS. ``"highs"`` or ``"cbc"`` solves everything.
    seed, time_limit_s
        As in :func:`solvers.solve`. Without a time limit, results are reproducible to the byte.
    gap
        Accepted relative gap; by default 1e-6, for a procurement 1e-4 of the performance.
    full
        For a procurement, also compute the alternatives, sensitivities and other long analyses.
    heuristics
        Your own heuristics, to compare with the optimum of a procurement: functions that take an
        ``hr.procurement.Problem`` and return a ``Plan``, their classes, or ``"file.py:NAME"``.
    progress
        Called with the name of each part when it begins.

    Returns
    -------
    DesignStudy or ProcurementStudy
        A procurement gives a ``ProcurementStudy``: ``plan`` (``None`` where no plan exists),
        ``optimum`` with its certificate, and with ``full`` the further analyses. Two designs give
        a ``DesignStudy``: ``decision``, and one entry per application in ``overprovisioning``.

    Raises
    ------
    PlanError
        The scenario has too few data for a decision, or no comparison exists.
    ScenarioError
        The scenario cannot be read.
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    if scenario.procurement is not None:
        from planner.parts import given_part
        from planner.procurement.outcome import GAP, Options
        from planner.procurement.own import HEURISTIC
        from planner.procurement.procure import procure

        gap = GAP if gap is None else gap
        solving = Options(solver, gap, seed, time_limit_s, method)
        own = [given_part(heuristic, HEURISTIC) for heuristic in heuristics]
        return procure(scenario, solving, full=full, heuristics=own, progress=progress)
    if heuristics:
        raise InputError(
            f"{scenario.name} is not a procurement; heuristics are only for "
            "procurements, so leave them out"
        )
    if method not in ("engine", "reference"):
        raise InputError(
            f"{scenario.name} compares two designs, for which there are no heuristics; "
            "leave --method out"
        )
    from planner.designs.study import compare_designs

    return compare_designs(
        scenario,
        solver=solver,
        gap=1e-6 if gap is None else gap,
        seed=seed,
        time_limit_s=time_limit_s,
    )


@plainly
def configure(
    measurements: Measurements | FilePath,
    *,
    bound_w: float,
    applications: Sequence[str] = (),
    weights: Mapping[str, float] | None = None,
    guard: float = 0.0,
    repetition: Repetition = "median",
    sockets: int = 2,
    tdp_w: float = 115.0,
    dram_max_w: float | None = None,
    method: str = "engine",
    solver: str = "cbc",
) -> ConfigurationStudy:
    """Find the fastest measured configuration of each application under a power bound.

    Parameters
    ----------
    measurements
        Runs, or the path of a file of runs (CSV, XLSX or Parquet).
    bound_w
        Power bound of all nodes of a job [W].
    applications
        Names of the applications; by default all.
    weights
        Weights of the applications in the mix; by default 1.
    guard
        Share of the bound that stays unused, from 0 to 1.
    repetition
        Which run of a configuration counts: ``median``, ``best`` or ``worst``.
    sockets, tdp_w, dram_max_w
        Sockets of a node, thermal design power of one [W], and largest power of its memory [W]:
        by default 30 W if the file has the power of memory, otherwise none.
    method
        ``"engine"``, ``"reference"`` (``hr.formulations.configuration``), or a heuristic as for
        ``headroom configure --method``.
    solver
        Solver of the reference: ``"cbc"``, ``"highs"``, or ``"both"``, which must agree.

    Returns
    -------
    ConfigurationStudy
        ``answers`` has one entry per application, whose ``best`` is a ``Configuration``;
        ``refused`` says which applications have none, and why.

    Raises
    ------
    InputError, ScenarioError
        The file cannot be read, or an application is not in it.
    PlanError
        No configuration of any application meets the bound.
    """
    from planner.configurations.best_configuration import Question
    from planner.configurations.provisioning import DRAM_MAX_W, NodeMaximum
    from planner.configurations.selection import Bound
    from planner.configurations.study import study

    table = _measurements(measurements)
    if dram_max_w is None:
        metered = any(runs.dram_power_w is not None for runs in table.runs.values())
        dram_max_w = DRAM_MAX_W if metered else 0.0
    node = NodeMaximum(sockets, tdp_w, dram_max_w)
    bound = Bound(bound_w, guard)
    question = Question(bound, node, repetition, method=method, solver=solver)
    return study(table, question, applications=applications, weights=weights or {})


@plainly
def share(
    measurements: Measurements | FilePath,
    *,
    bound_w: float,
    nodes: int,
    jobs: Sequence[tuple[str, float]] = (),
    goal: Goal = "weighted time",
    method: str = "lagrangian",
    guard: float = 0.0,
    repetition: Repetition = "median",
    seed: int = 0,
    heuristics: Sequence[SharingHeuristic | type[SharingHeuristic] | str] = (),
) -> SharingStudy:
    """Share nodes and watts among jobs that run at once.

    Parameters
    ----------
    measurements
        Runs of the jobs' applications, or the path of a file of runs.
    bound_w, nodes
        Power bound of the system [W], and its nodes.
    jobs
        Application and weight of each job; by default one job of each application.
    goal
        What is minimised: ``"weighted time"`` or ``"makespan"``.
    method
        ``"lagrangian"`` (the engine); ``"highs"``, ``"cbc"`` or ``"both"``; ``"reference"`` or
        ``"reference-highs"`` (``hr.formulations.sharing``); ``"greedy"`` or ``"equal shares"``.
    seed
        Seed of the solvers.
    guard
        Share of the bound that stays unused, from 0 to 1.
    repetition
        As in :func:`configure`.
    heuristics
        Your own heuristics, to compare with the plan: functions that take an
        ``hr.problems.SharingProblem`` and a goal and return a ``SharingPlan``, their classes, or
        ``"file.py:NAME"``.

    Returns
    -------
    SharingStudy
        ``plan`` is a ``SharingPlan`` with one configuration per job and a certificate; ``shared``
        also has the rules of thumb.

    Raises
    ------
    InputError, ScenarioError
        The file cannot be read, or it has no jobs.
    PlanError
        The jobs do not fit the bound or the nodes.
    """
    from planner.configurations.applications import check_applications
    from planner.configurations.selection import Bound
    from planner.configurations.sharing.own import HEURISTIC
    from planner.configurations.sharing.problem import SharedJob, SharingProblem
    from planner.configurations.sharing.study import SharingSettings, study
    from planner.configurations.table import table_of
    from planner.parts import given_part

    own = [given_part(heuristic, HEURISTIC) for heuristic in heuristics]
    runs = _measurements(measurements)
    check_applications(runs, [name for name, _ in jobs])
    tables = {name: table_of(measured, repetition) for name, measured in runs.runs.items()}
    chosen = jobs or [(name, 1.0) for name in tables]
    every = tuple(SharedJob(name, tables[name], weight) for name, weight in chosen)
    how = SharingSettings(goal=goal, method=method, repetition=repetition, seed=seed)
    problem = SharingProblem(every, Bound(bound_w, guard), nodes)
    return study(runs, problem, how, heuristics=own)


@plainly
def simulate(
    log: JobLog | FilePath,
    policies: Sequence[Policy | type[Policy] | str] = ("easy",),
    *,
    processors: int | None = None,
    rules: SimulationSettings | None = None,
    workers: int = 1,
) -> SimulationStudy:
    """Run a job log on a machine under one or more scheduling policies.

    Parameters
    ----------
    log
        Jobs, or the path of a log (SWF, Slurm, PBS or CSV).
    policies
        Names as for ``headroom simulate --policy``, or policies of your own (``hr.EventDriven``),
        as objects, classes or ``"file.py:NAME"``; the others are compared with the first.
    processors
        Processors of the machine; by default those of the log.
    rules
        Instead of ``processors``: rules for the machine and for the jobs that are measured, as
        ``hr.simulation.SimulationSettings``.
    workers
        Number of policies that are simulated at the same time.

    Returns
    -------
    SimulationStudy
        ``measures`` has one entry per policy, in order; ``simulations`` has the schedules;
        ``comparisons`` compares each other policy with the first.

    Raises
    ------
    InputError, ScenarioError
        The log cannot be read, or a policy is unknown or given twice.
    PlanError
        A job does not fit the machine.
    """
    from planner.parts import files_of
    from planner.scheduling.simulation.settings import SimulationSettings
    from planner.scheduling.simulation.study import study

    chosen = _policies(policies)
    result = study(_job_log(log), chosen, rules or SimulationSettings(processors), workers=workers)
    return replace(result, files=files_of(chosen))


@plainly
def simulate_logs(
    logs: Iterable[JobLog],
    policies: Sequence[Policy | type[Policy] | str] = ("easy",),
    *,
    rules: SimulationSettings | None = None,
    model: str = "",
    workers: int = 1,
) -> ReplicationStudy:
    """Compare scheduling policies over several synthetic logs, each with its own seed.

    Parameters
    ----------
    logs
        Independent logs of one model, two or more.
    policies, rules, workers
        As in :func:`simulate`.
    model
        Name of the model of the logs; by default the name of the first log.

    Returns
    -------
    ReplicationStudy
        ``means`` and ``comparisons`` are over the logs, with 95 % intervals.

    Raises
    ------
    InputError
        Fewer than two logs, or as in :func:`simulate`.
    PlanError
        A policy does not support the rules.
    """
    from planner.parts import files_of
    from planner.scheduling.simulation.replications import replicate

    chosen = _policies(policies)
    result = replicate(logs, chosen, rules, model=model, workers=workers)
    return replace(result, files=files_of(chosen))


@plainly
def size(
    log: JobLog | FilePath,
    level: str,
    policies: Sequence[Policy | type[Policy] | str] = ("easy",),
    *,
    growth: float = 1.0,
    resamples: int = 20,
    seed: int = 0,
    rules: SimulationSettings | None = None,
    workers: int = 1,
) -> SizingStudy:
    """Find the smallest machine that meets a service level for a log that grows.

    Parameters
    ----------
    log, policies, workers
        As in :func:`simulate`.
    level
        Service level, for example ``p95-bounded-slowdown<=20`` or ``mean-wait<=2h``.
    growth
        Factor of the log's work.
    resamples, seed
        Number of logs of resampled weeks that are also sized, and the seed.
    rules
        As in :func:`simulate`; ``processors`` is the result, and ignored here.

    Returns
    -------
    SizingStudy
        ``sizings`` has the smallest machine for each policy, ``resampled`` its range over logs of
        resampled weeks; ``capacity`` compares it with the log's own machine.

    Raises
    ------
    InputError, ScenarioError
        The log or the level cannot be read.
    """
    from planner.scheduling.sizing.growth import LogGrowth
    from planner.scheduling.sizing.level import parse_level
    from planner.scheduling.sizing.result import SizeFor
    from planner.scheduling.sizing.study import size as sized

    question = SizeFor(parse_level(level), LogGrowth(growth), resamples, seed)
    return sized(_job_log(log), _policies(policies), question, rules, workers=workers)


@plainly
def estimate(
    log: JobLog | FilePath,
    *,
    processors: int | None = None,
    predictors: Sequence[RunTimePredictor | type[RunTimePredictor] | str] | None = None,
    keep: FilePath | None = None,
    workers: int = 1,
    **settings: Any,
) -> EstimateStudy:
    """Study what better run-time estimates gain the users of a log.

    Parameters
    ----------
    log
        Jobs with users, or the path of a log.
    processors
        Processors of the machine; by default those of the log.
    predictors
        Names (``"requested"``, ``"last-two"``, ``"quantile"``, ``"refining"``) or predictors of
        your own (``hr.predictors.RunTimePredictor``), as objects, classes or ``"file.py:NAME"``.
    keep
        Folder that stores finished parts, so that an interrupted run can continue.
    workers
        Number of simulations at the same time.
    settings
        Fields of ``hr.studies.EstimateSettings``.

    Returns
    -------
    EstimateStudy
        ``cells()`` has the measure for each uptake and error, ``outcomes`` each simulated case.

    Raises
    ------
    InputError, ScenarioError
        The log cannot be read, or a setting makes no sense.
    """
    from planner.parts import files_of, given_part
    from planner.scheduling.estimates.predictors.registry import PREDICTOR
    from planner.scheduling.estimates.settings import EstimateSettings
    from planner.scheduling.estimates.study import estimate_study
    from planner.scheduling.estimates.workload import workload_of
    from scenarios.maui.reader import bundled_maui

    if predictors is not None:
        own = [part for part in predictors if not isinstance(part, str) or ":" in part]
        settings["own"] = tuple(given_part(part, PREDICTOR) for part in own)
        settings["predictors"] = tuple(
            part for part in predictors if isinstance(part, str) and ":" not in part
        )
    estimate_settings = EstimateSettings(**settings)
    result = estimate_study(
        workload_of(_job_log(log), processors),
        bundled_maui(),
        estimate_settings,
        keep=None if keep is None else Path(keep),
        workers=workers,
    )
    return replace(result, files=files_of(estimate_settings.own))


@plainly
def place(
    communication: Communication | FilePath | nx.Graph[Any],
    *,
    nodes: int | None = None,
    tasks_per_node: int | None = None,
    method: str | Algorithm | type[Algorithm] = "portfolio",
    seed: int = 0,
    algorithm: str | Algorithm | type[Algorithm] | None = None,
    row_order: RowOrder | None = None,
    **options: Any,
) -> PlacementStudy:
    """Place MPI ranks on nodes so that little is sent between nodes.

    Parameters
    ----------
    communication
        Communication, the path of a communication matrix, or a graph of networkx. For a graph,
        ``sorted(graph)`` lists the ranks, and ``weight`` of an edge is its bytes.
    nodes, tasks_per_node
        Number of nodes, and ranks per node; give at least one of them.
    method
        Algorithm: a name as for ``headroom place --method``, or your own function, which takes an
        ``hr.solvers.partition.Request`` and returns the part of each vertex.
    seed
        Seed of the random starts.
    algorithm
        Old spelling of ``method``.
    row_order
        How a matrix is read, as in :func:`read_communication`: ``reversed`` if its first row is
        that of the last rank. It needs a path.
    options
        As the options of ``headroom place``: ``pins`` (node of each rank that must be there, both
        from 0), ``weight`` (``"bytes"``, ``"messages"``, ``"signed"`` or ``"paper"``), ``table``
        (an ``hr.communication.PingPong`` for the last two), ``message_bytes`` (mean size of a
        message), ``fill``, ``capacities`` (ranks of each node), ``starts``, ``time_limit_s``.

    Returns
    -------
    PlacementStudy
        ``placement`` has the node of each rank, ``layout`` hosts and cores; ``value`` is the cost,
        ``bound`` its proven lower limit, and ``order_value`` the cost in the order of ranks.

    Raises
    ------
    InputError, ScenarioError
        The matrix cannot be read, the nodes cannot be filled, or two methods are given.
    """
    from planner.placement.compared import PlacementSettings
    from planner.placement.own import files_of, find_algorithm
    from planner.placement.placed import laid_out_as
    from planner.placement.problem import place as placed
    from planner.placement.study import study
    from scenarios.communication.graphs import communication_of
    from scenarios.communication.matrix import Communication
    from scenarios.communication.reader import read_communication

    if algorithm is not None:
        if method != "portfolio":
            raise InputError("method and algorithm mean the same; give only method")
        method = algorithm
    if isinstance(communication, str | os.PathLike):
        communication = read_communication(Path(communication), row_order=row_order)
    elif row_order is not None:
        raise InputError("row_order applies to the path of a matrix; omit it")
    elif not isinstance(communication, Communication):
        if not hasattr(communication, "adj"):
            kind = type(communication).__name__
            raise InputError(
                f"communication is of type {kind}; give the path of a matrix, a graph of networkx, "
                "or a Communication"
            )
        communication = communication_of(communication)
    placement = placed(
        communication,
        nodes=nodes,
        tasks_per_node=tasks_per_node,
        algorithm=method,
        seed=seed,
        **options,
    )
    layout = laid_out_as(placement)
    chosen = find_algorithm(method)
    settings = PlacementSettings(
        chosen.name,
        seed,
        starts=options.get("starts", PlacementSettings.starts),
        time_limit_s=options.get("time_limit_s"),
        pins=options.get("pins") or {},
        files=files_of(chosen),
    )
    return study(placement, layout, settings)


@plainly
def aggregate(measurements: FilePath, **settings: Any) -> AggregationStudy:
    """Choose how many MPI ranks share a node, for the lowest energy within a tolerated slowdown.

    Parameters
    ----------
    measurements
        Folder of measurements, as docs/aggregation.md describes it.
    settings
        Fields of ``hr.studies.AggregationSettings``.

    Returns
    -------
    AggregationStudy
        ``candidates`` has every feasible pattern with its predictions.

    Raises
    ------
    InputError, ScenarioError
        Measurements are missing or invalid.
    PlanError
        The data allow no prediction.
    """
    from functools import partial

    from planner.aggregation.aggregate import aggregate as aggregated
    from planner.aggregation.measurement_check import lacking
    from planner.aggregation.result import AggregationSettings
    from scenarios.aggregation import read_measurements

    options = AggregationSettings(**settings)
    further = partial(lacking, metered=options.choose == "joules")
    return aggregated(read_measurements(Path(measurements), further), options)


@plainly
def colocate(
    table: PairTable | FilePath,
    jobs: Sequence[str] | Mapping[str, int] = (),
    *,
    values: Values = "speed",
    share: float = 0.995,
    least_gain: float = 0.05,
    least_speed: float = 0.8,
    node_memory_gb: float | None = None,
    job_memory_gb: Mapping[str, float] | None = None,
    node_gpu_memory_gb: float | None = None,
    job_gpu_memory_gb: Mapping[str, float] | None = None,
    seed: int = 0,
) -> ColocationStudy:
    """Choose which jobs share a node, from measured pairs.

    Parameters
    ----------
    table
        The path of a pair table, a CSV or XLSX file: one pair per row under
        ``a,b,solo_a_s,solo_b_s,co_a_s,co_b_s`` [s], or a matrix of applications; or a table that
        was read. Further columns may give the memory of jobs (docs/colocate.md).
    jobs
        Application of each job, or the number of jobs of each application; by default one job of
        each application.
    values
        Meaning of the values of a matrix: ``"speed"`` or ``"slowdown"``.
    share
        Share of the best throughput that the bottleneck matchings must reach.
    least_gain
        Work that sharing must add on each shared node, in nodes, from 0 to 1.
    least_speed
        Least relative speed of each job on a shared node, from 0 to 1.
    node_memory_gb, node_gpu_memory_gb
        Memory of a node, and of all its GPUs [GB], above 0: jobs that share it must fit. By default
        there is no such limit.
    job_memory_gb, job_gpu_memory_gb
        What a job needs of it, by application [GB], at least 0; goes before the columns of the
        table.
    seed
        Seed of the random policy.

    Returns
    -------
    ColocationStudy
        ``plan`` has the pairs, ``matching`` their proof, ``outcomes`` one row for each policy.

    Raises
    ------
    InputError, ScenarioError
        The table cannot be read, a job is not in it, a setting is out of its range, or a job fits
        on no node.
    """
    from planner.sharing_nodes.pairs.colocate import study
    from planner.sharing_nodes.pairs.memory import node_memories
    from planner.sharing_nodes.pairs.problem import counted
    from planner.sharing_nodes.pairs.settings import PairingSettings
    from scenarios.pairs.pair_table import PairTable
    from scenarios.pairs.reader import read_pairs

    if not isinstance(table, PairTable):
        table = read_pairs(Path(table), values=values)
    given = {
        "node_memory_gb": node_memory_gb,
        "job_memory_gb": job_memory_gb,
        "node_gpu_memory_gb": node_gpu_memory_gb,
        "job_gpu_memory_gb": job_gpu_memory_gb,
    }
    settings = PairingSettings(
        share=share,
        least_gain=least_gain,
        least_speed=least_speed,
        seed=seed,
        memories=node_memories(table, given),
    )
    return study(table, counted(jobs.items()) if isinstance(jobs, Mapping) else jobs, settings)


@plainly
def compare(
    *data: Any,
    bound_w: float | None = None,
    nodes: int | None = None,
    goal: Goal = "weighted time",
    repetition: Repetition = "median",
    ranks_per_node: int | None = None,
    row_order: RowOrder | None = None,
    sizes: Sequence[int] = (),
    seeds: int = 1,
    heuristics: Sequence[Any] = (),
    node_limit: int | None = None,
    time_limit_s: float | None = None,
    models: FilePath | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> ComparisonStudy:
    """Compare exact methods (CBC, HiGHS), the engine and heuristics on one decision.

    Parameters
    ----------
    data
        The decision. A scenario, the name of a bundled one, or its path: what to buy. Measured
        runs, or their path, with ``bound_w`` and ``nodes``: one configuration for each application.
        One or more communication matrices with ``ranks_per_node``: which ranks share a node.
    bound_w, nodes, goal, repetition
        For measured runs, as in :func:`share`.
    ranks_per_node
        Ranks per node, for communication matrices.
    row_order
        How matrices are read, as in :func:`place`.
    sizes, seeds
        For measured runs: numbers of jobs, and number of random instances of each. For matrices:
        number of the first ranks.
    heuristics
        Your own heuristics, or their names as ``"file.py:NAME"``.
    node_limit, time_limit_s
        Limits of each exact method; by default 500,000 nodes. With a time limit results may differ.
    models
        Folder for the reference formulation of every instance as LP and MPS files.
    progress
        Called with the name of each instance.

    Returns
    -------
    ComparisonStudy
        ``outcomes`` has one entry for each method on each instance, ``summaries`` each method over
        all instances.

    Raises
    ------
    InputError, ScenarioError
        The data cannot be read, or they do not suffice for a decision.
    """
    from planner.comparison import compare as by_every_method

    folder = None if models is None else Path(models)
    how = by_every_method.How(node_limit, time_limit_s, folder, progress)
    if ranks_per_node is not None:
        programs = [_communication(source, row_order) for source in data]
        partitions = by_every_method.compare_partitions(
            programs,
            ranks_per_node,
            sizes=sizes,
            heuristics=heuristics,
            how=how,
        )
        return _with_inputs(partitions, _digests(programs), *programs)
    if row_order is not None:
        raise InputError("--row-order needs communication matrices and --ranks-per-node; omit it")
    if len(data) != 1:
        raise InputError(
            f"{len(data)} data sets; give one scenario or one file of measured runs. Several "
            "communication matrices need the ranks per node (--ranks-per-node)"
        )
    if bound_w is not None or nodes is not None:
        measured = _measurements(data[0])
        partitions = by_every_method.compare_sharing(
            _one_job_each(measured, bound_w, nodes, repetition),
            goal=goal,
            sizes=sizes,
            seeds=seeds,
            heuristics=heuristics,
            how=how,
        )
        return _with_inputs(partitions, _digests([measured]), measured)
    if sizes:
        raise InputError("a scenario has a fixed size; leave the sizes out")
    scenario = _scenario(data[0])
    partitions = by_every_method.compare_scenario(scenario, heuristics=heuristics, how=how)
    return _with_inputs(partitions, dict.fromkeys(scenario.provenance.files), scenario)


def _with_inputs(
    study: ComparisonStudy,
    digests: Iterable[tuple[str, str]],
    *read: Communication | Measurements | Scenario,
) -> ComparisonStudy:
    """The study with the digests of its inputs, and what their readers remarked."""
    remarks = tuple(remark for each in read for remark in each.remarks)
    return replace(study, inputs=(*digests, *study.inputs), remarks=remarks)


def _digests(read: Iterable[Communication | Measurements]) -> list[tuple[str, str]]:
    """Name and SHA-256 of what was read from files."""
    return [(Path(file.name).name, file.sha256) for file in read if file.sha256]


def _one_job_each(
    measured: Measurements, bound_w: float | None, nodes: int | None, repetition: Repetition
) -> SharingProblem:
    """Return one job per application, for ``nodes`` nodes and a power bound of ``bound_w``."""
    from planner.configurations.selection import Bound
    from planner.configurations.sharing.problem import SharedJob, SharingProblem
    from planner.configurations.table import table_of

    if bound_w is None or nodes is None:
        raise InputError("measured runs need both a power bound and a number of nodes; give both")
    runs = measured.runs.items()
    jobs = tuple(SharedJob(name, table_of(measured, repetition)) for name, measured in runs)
    return SharingProblem(jobs, Bound(bound_w), nodes)


def _scenario(source: object) -> Scenario:
    """A scenario, or the one of a name or path; other data lack what makes a decision of them."""
    if isinstance(source, Scenario):
        return source
    path = Path(source) if isinstance(source, str | os.PathLike) else None
    if path is None or (path.suffix != ".toml" and path.is_file()):
        name = "this" if path is None else path.name
        raise InputError(
            f"{name} is not a scenario file; add --power-bound and --nodes for measured runs, or "
            "--ranks-per-node for communication matrices"
        )
    return load(path)


def _communication(source: object, row_order: RowOrder | None) -> Communication:
    from scenarios.communication.matrix import Communication as Matrix
    from scenarios.communication.reader import read_communication

    if isinstance(source, Matrix):
        return source
    if isinstance(source, str | os.PathLike):
        return read_communication(Path(source), row_order=row_order)
    raise InputError(
        f"{type(source).__name__} is not a communication matrix; give one, or its path"
    )


def _measurements(source: Any) -> Measurements:
    from scenarios.measurements.reader import read_measurements

    return read_measurements(Path(source)) if isinstance(source, str | os.PathLike) else source


def _job_log(source: JobLog | FilePath) -> JobLog:
    from scenarios.job_logs.reader import read_job_log

    return read_job_log(Path(source)) if isinstance(source, str | os.PathLike) else source


def _policies(policies: Sequence[Policy | type[Policy] | str]) -> tuple[Policy, ...]:
    from planner.parts import given_part
    from planner.scheduling.policies.maui import Maui
    from planner.scheduling.policies.registry import POLICIES, POLICY, find_policy
    from scenarios.maui.reader import bundled_maui

    return tuple(
        given_part(policy, POLICY, POLICIES)
        if not isinstance(policy, str)
        else Maui(bundled_maui())
        if policy == "maui"
        else find_policy(policy, None, None)
        for policy in policies
    )
