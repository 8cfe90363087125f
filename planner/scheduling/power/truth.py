"""True times and powers of jobs in a configuration on given nodes; hidden from every policy."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


PHASE_SLACK_MS = 1e-3
"""A phase ends at the first whole millisecond that is at most this much before its exact end."""


@dataclass(frozen=True, eq=False)
class NodeLaw:
    """True time and power by row and node, which the simulated cluster's law gives exactly.

    The time of a job is ``max_i(compute_s[row, v_i] * load[i]) + messages_s[row]`` over its nodes
    ``v_1, v_2, ...``; its power is ``sum_i(spinning_w[row, v_i]) + sum_i(load[i] *
    extra_j[row, v_i]) / time``.

    Attributes
    ----------
    compute_s, extra_j, spinning_w
        Shape ``(rows, nodes)``: time of a node at load 1 [s], energy above spinning at load 1 [J],
        power while it spins [W].
    messages_s
        Shape ``(rows,)`` [s].
    load_first, load
        Loads of the ranks of a row with ``n`` nodes: ``load[load_first[row]:][:n]``.
    """

    compute_s: Floats
    extra_j: Floats
    spinning_w: Floats
    messages_s: Floats
    load_first: Integers
    load: Floats


@dataclass(frozen=True, eq=False)
class PowerTruth:
    """True run time and power of each row of the job details table.

    Attributes
    ----------
    time_ms, power_mw
        Run time and power of a row on typical nodes, in the meaning of the charge; shape
        ``(rows,)``.
    law
        By node, where nodes differ.
    time_factor, power_factor
        Factors on time and power of each job, from run to run; shape ``(jobs,)``, or empty for
        none.
    phase_first, phase_share, phase_intensity
        Phases of sequence ``s`` are ``phase_first[s]`` to ``phase_first[s + 1]``: share of the
        job's work, and its power as a multiple of the row's. Empty for none.
    phase_of
        Sequence of each job, shape ``(jobs,)``; empty where the sequence of application ``a`` is
        that of its jobs.
    """

    time_ms: Integers
    power_mw: Integers
    law: NodeLaw | None = None
    time_factor: Floats = field(default_factory=lambda: np.empty(0))
    power_factor: Floats = field(default_factory=lambda: np.empty(0))
    phase_first: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    phase_share: Floats = field(default_factory=lambda: np.empty(0))
    phase_intensity: Floats = field(default_factory=lambda: np.empty(0))
    phase_of: Integers = field(default_factory=lambda: np.zeros(0, np.int64))

    def sequence_of(self, application: Integers) -> Integers:
        """Sequence of phases of each job, whose applications are given; shape ``(jobs,)``."""
        return self.phase_of if len(self.phase_of) else application
