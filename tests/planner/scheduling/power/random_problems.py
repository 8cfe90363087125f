"""Small random power problems from a seed, full of ties and corner cases.

Some jobs have to be rejected, some have no configuration within their fair share; submissions,
expected ends and ends meet at one instant; the truth is longer or shorter than the table says.
"""

from __future__ import annotations

import numpy as np

from planner.scheduling.power.problem import (
    Charge,
    Floats,
    Integers,
    JobDetails,
    Occupied,
    PowerJobs,
    PowerProblem,
)
from planner.scheduling.power.truth import NodeLaw, PowerTruth

STEP_MS = 250
"""Most times are multiples of it, so that events meet."""


def random_problem(
    seed: int,
    *,
    most_jobs: int = 20,
    law: bool | None = None,
    phases: bool | None = None,
    occupied: bool | None = None,
    scaled: bool | None = None,
    exact: bool | None = None,
    charge: Charge | None = None,
) -> PowerProblem:
    """A problem; what is left ``None`` is random.

    Parameters
    ----------
    seed
        The same seed and options give the same problem.
    most_jobs
        Jobs of the log: 1 to this many.
    law, phases, occupied, scaled
        Whether nodes differ, applications have phases, something is in use when the log begins,
        jobs have time scales.
    exact
        Whether all run times are as in the table.
    charge
        What counts against the bound.
    """
    rng = np.random.default_rng(seed)
    chance = iter((rng.random(6) < [0.3, 0.3, 0.4, 0.3, 0.2, 0.3]).tolist())
    by_law, in_phases, in_use, in_scale, as_known, by_node = (
        next(chance) if option is None else option
        for option in (law, phases, occupied, scaled, exact, _by_node(charge))
    )
    nodes = int(rng.integers(3, 17))
    details = _details(rng, nodes)
    idle_mw = int(rng.integers(0, 30_000)) if by_node else 0
    bound_mw = _bound_mw(rng, nodes, details) + nodes * idle_mw
    jobs = _jobs(rng, nodes, details, int(rng.integers(1, most_jobs + 1)), in_scale)
    return PowerProblem(
        nodes=nodes,
        bound_mw=bound_mw,
        jobs=jobs,
        details=details,
        truth=_truth(rng, nodes, details, len(jobs), as_known, by_law and not as_known, in_phases),
        charge="node" if by_node else "package",
        idle_mw=idle_mw,
        occupied=_occupied(rng, nodes, bound_mw - nodes * idle_mw, jobs) if in_use else (),
    )


def _by_node(charge: Charge | None) -> bool | None:
    return None if charge is None else charge == "node"


def _details(rng: np.random.Generator, nodes: int) -> JobDetails:
    """Grids of node counts, cores and caps with gaps; one application in ten has no rows."""
    rows: list[tuple[int, int, float, int, int]] = []
    first = [0]
    for _ in range(int(rng.integers(1, 5))):
        if rng.random() > 0.1:
            rows += _grid(rng, nodes)
        first.append(len(rows))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 5
    names = tuple(f"application {number}" for number in range(len(first) - 1))
    count, cores, cap, time, charge = (np.array(column) for column in columns)
    return JobDetails(names, np.array(first), count, cores, cap, time, charge)


def _grid(rng: np.random.Generator, nodes: int) -> list[tuple[int, int, float, int, int]]:
    most_nodes = nodes + int(rng.integers(0, 2)) * 2  # at times more nodes than the cluster has
    counts = sorted(set(rng.integers(1, most_nodes + 1, size=int(rng.integers(1, 5))).tolist()))
    work, hunger = rng.integers(4, 60), rng.uniform(0.5, 1.0)
    rows = []
    for count in counts:
        for cores in (8, 16):
            for cap in (51.0, 80.0, 115.0):
                if rng.random() < 0.2:
                    continue
                speed = count**0.8 * cores**0.5 * cap**0.4 * rng.uniform(0.8, 1.2)
                time = STEP_MS * max(int(work * 20 / speed), 1)
                charge = int(count * 2 * min(cap, 60 + 3 * cores) * hunger) * 1000
                rows.append((int(count), cores, cap, time, charge))
    order = rng.permutation(len(rows))
    return [rows[row] for row in order]


def _bound_mw(rng: np.random.Generator, nodes: int, details: JobDetails) -> int:
    """Between tight and ample; now and then below some configurations."""
    per_node = rng.uniform(60, 230)
    cheapest_mw = int(details.charge_mw.min()) if len(details) else 1000
    return max(int(nodes * per_node) * 1000, cheapest_mw)


def _jobs(
    rng: np.random.Generator, nodes: int, details: JobDetails, number: int, scaled: bool
) -> PowerJobs:
    scale = rng.choice([0, 2, 8])
    application = rng.integers(0, len(details.applications), size=number)
    return PowerJobs(
        number=np.arange(1, number + 1) * 3,
        submit_ms=np.cumsum(rng.choice([0, 0, 1, 3], size=number) * scale) * STEP_MS,
        application=application,
        nodes=np.array([_request(rng, nodes, details, int(code)) for code in application]),
        requested_ms=rng.integers(1, 60, size=number) * STEP_MS,
        weight=rng.choice([1.0, 1.0, 1.0, 0.5, 2.0], size=number),
        time_scale=rng.choice([1.0, 0.5, 1.1, 1.7], size=number) if scaled else np.empty(0),
    )


def _request(rng: np.random.Generator, nodes: int, details: JobDetails, application: int) -> int:
    """Mostly a node count of the table, at times any, at times more than there are."""
    counts = details.nodes[details.rows(application)]
    if len(counts) and rng.random() < 0.7:
        return int(rng.choice(counts))
    return int(rng.integers(1, nodes + 2))


def _truth(
    rng: np.random.Generator,
    nodes: int,
    details: JobDetails,
    jobs: int,
    exact: bool,
    by_law: bool,
    in_phases: bool,
) -> PowerTruth:
    error = np.ones(len(details)) if exact else rng.choice([0.5, 1, 1, 1.5, 2], size=len(details))
    error_factor = rng.choice([0.9, 1.0, 1.0, 1.15], size=len(details))
    vary = not exact and rng.random() < 0.4
    first, share, intensity = _phases(rng, len(details.applications), in_phases)
    return PowerTruth(
        time_ms=np.maximum(np.rint(details.time_ms * error), 1).astype(np.int64),
        power_mw=np.rint(details.charge_mw * error_factor).astype(np.int64),
        law=_law(rng, nodes, details) if by_law else None,
        time_factor=rng.choice([1.0, 0.9, 1.3], size=jobs) if vary else np.empty(0),
        power_factor=rng.choice([1.0, 0.9, 1.1], size=jobs) if vary else np.empty(0),
        phase_first=first,
        phase_share=share,
        phase_intensity=intensity,
    )


def _law(rng: np.random.Generator, nodes: int, details: JobDetails) -> NodeLaw:
    """Random nodes: they differ by up to 20 % in time and in power."""
    rows, seconds = len(details), details.time_ms / 1000
    slow, hungry = rng.uniform(0.9, 1.1, size=nodes), rng.uniform(0.9, 1.1, size=nodes)
    compute_s = 0.9 * seconds[:, None] * slow
    watts = details.charge_mw / 1000 / details.nodes
    return NodeLaw(
        compute_s=compute_s,
        extra_j=0.6 * watts[:, None] * hungry * compute_s,
        spinning_w=0.4 * watts[:, None] * np.ones((rows, nodes)),
        messages_s=0.1 * seconds,
        load_first=np.concatenate([[0], np.cumsum(details.nodes)[:-1]]).astype(np.int64)[:rows],
        load=rng.uniform(0.8, 1.2, size=int(details.nodes.sum())),
    )


def _phases(
    rng: np.random.Generator, applications: int, present: bool
) -> tuple[Integers, Floats, Floats]:
    if not present:
        return np.zeros(0, np.int64), np.empty(0), np.empty(0)
    count = rng.integers(1, 4, size=applications)
    share = [rng.dirichlet(np.ones(number)) for number in count]
    first = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    return first, np.concatenate(share), rng.uniform(0.5, 1.4, size=int(count.sum()))


def _occupied(
    rng: np.random.Generator, nodes: int, jobs_mw: int, jobs: PowerJobs
) -> list[Occupied]:
    uses = []
    for _ in range(int(rng.integers(1, 4))):
        count = int(rng.integers(0, nodes // 2 + 1))
        watts = int(rng.integers(0, jobs_mw // 2000 + 1)) * 1000
        if count <= nodes and watts <= jobs_mw:
            end_ms = int(rng.choice([*jobs.submit_ms.tolist(), 12 * STEP_MS, 40 * STEP_MS]))
            uses.append(Occupied(count, watts, end_ms))
            nodes, jobs_mw = nodes - count, jobs_mw - watts
    return uses
