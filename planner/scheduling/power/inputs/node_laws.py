"""The law by node of all rows of a job details table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from planner.configurations.prediction.candidates import CandidateConfigurations
from planner.errors import InputError
from planner.scheduling.power.inputs.simulated import SimulatedSubject
from planner.scheduling.power.inputs.subjects import Subject
from planner.scheduling.power.problem import MS, JobDetails
from planner.scheduling.power.truth import NodeLaw
from scenarios.simulated import PerNode

MOST_ENTRIES = 5_000_000
"""Limit of rows times nodes; three arrays of this size take 120 MB."""


def node_law(subjects: Sequence[Subject], true: JobDetails, nodes: int) -> NodeLaw:
    """Put the laws of all applications together.

    A measured application has no law: its rows take the same time and watts on all nodes.

    Parameters
    ----------
    true
        Typical times [ms] and watts [mW] of the rows.
    nodes
        Number of nodes of the cluster.

    Raises
    ------
    InputError
        More rows and nodes than memory should hold.
    """
    if len(true) * nodes > MOST_ENTRIES:
        raise InputError(
            f"{len(true):,} configurations on {nodes:,} different nodes are more than "
            f"{MOST_ENTRIES:,} entries; set variability = false, or take fewer of them"
        )
    laws = [_law(subject, true, index, nodes) for index, subject in enumerate(subjects)]
    starts = np.cumsum([0, *(len(law.load) for law in laws)])
    return NodeLaw(
        compute_s=np.concatenate([law.compute_s for law in laws]),
        extra_j=np.concatenate([law.extra_j for law in laws]),
        spinning_w=np.concatenate([law.spinning_w for law in laws]),
        messages_s=np.concatenate([law.messages_s for law in laws]),
        load_first=np.concatenate(
            [law.load_first + start for law, start in zip(laws, starts, strict=False)]
        ),
        load=np.concatenate([law.load for law in laws]),
    )


def _law(subject: Subject, true: JobDetails, application: int, nodes: int) -> PerNode:
    part = true.rows(application)
    if isinstance(subject, SimulatedSubject):
        rows = (true.nodes[part], true.cores_per_node[part], true.package_cap_w[part])
        return subject.law(CandidateConfigurations(*rows))
    counts = true.nodes[part]
    shape = (len(counts), nodes)
    # Equal compute times on all nodes and load 1 make the law the measured time, and spinning power
    # alone makes up the measured power.
    return PerNode(
        compute_s=np.broadcast_to(true.time_ms[part, None] / MS, shape),
        extra_j=np.zeros(shape),
        spinning_w=np.broadcast_to((true.charge_mw[part] / MS / counts)[:, None], shape),
        messages_s=np.zeros(len(counts)),
        load_first=np.zeros(len(counts), dtype=np.int64),
        load=np.ones(int(counts.max())),
    )
