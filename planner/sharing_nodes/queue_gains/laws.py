"""Laws of sharing in a queue: true speeds for scoring, and estimates for decisions.

Two bundled kinds of sharing, each with its simulated law, and tables of a user:

- ``poppa-12-codes``: each job of a pair has half of each socket of twice as many nodes (Breslow et
  al., 2013). Decisions use one trial of pricing shutters, with its standard errors.
- ``tangram-two-node``, ``tangram-eight-node``: both jobs have all cores (oversubscription).
  Decisions use the means of some simulated campaigns, with the standard errors of these means.
- a table of measured pairs: both jobs have all of their nodes, as in ``headroom colocate TABLE``.
  The table is taken as true.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from planner.errors import InputError
from planner.pricing.trial import EARLIER_OF
from planner.sharing_nodes.pairs.problem import mean_speeds
from planner.sharing_nodes.queues.measures import NodeWatts
from planner.sharing_nodes.queues.simulated import (
    POLLING_ERROR,
    half_socket_speeds,
    measured_half_socket_speeds,
    measured_oversubscribed_speeds,
    true_oversubscribed_speeds,
)
from planner.sharing_nodes.queues.speeds import Floats, Speeds
from scenarios.pairs.pair_table import PairTable
from scenarios.pairs.reader import read_pairs
from scenarios.remark import Remark
from scenarios.simulated.oversubscription import LAWS, SYSTEMS, find_system, under

HALF_SOCKETS = "poppa-12-codes"
SAME_CORES = tuple(system.name for system in SYSTEMS)
"""Systems on which both jobs of a pair have all cores, under either law of shared cores."""
CORES_LAWS = LAWS
"""Laws of shared cores; the first one is the default."""
BUNDLED = (HALF_SOCKETS, *SAME_CORES)
CAMPAIGNS = tuple(range(1000, 1100))
"""Seeds of the campaigns that decisions rest on: a hundred past runs of each pair."""

_ONE_JOB_W = 300.0


@dataclass(frozen=True, eq=False)
class SharingLaw:
    """Speeds of applications that share nodes.

    Attributes
    ----------
    name, text
        The name that the user gave, and which law it is, as people read it.
    true, predicted
        Speeds that progress and scores follow, and those that decisions rest on.
    error
        Standard error of each predicted ``pair``; shape ``(applications, applications)``.
    known
        Pairs that were measured; others never share.
    halves_per_node
        2 where a pair shares by half sockets, 1 where both have all cores.
    watts
        Power of a node.
    origin
        Where predictions come from.
    sha256
        SHA-256 of the table; empty for a bundled law.
    remarks
        What was read in a table and may not have been meant.
    floor_error
        Error of each predicted ``pair`` as a floor must allow for it, same shape; by default
        ``error``. It is larger where the speed of a single run stays away from the mean of runs.
    cores_per_node
        Cores of a node, which bills count: those of a bundled system, and 16 for a table.
    cores_law
        Law of shared cores of a system of Tangram; else empty.
    """

    name: str
    text: str
    true: Speeds
    predicted: Speeds
    error: Floats
    known: NDArray[np.bool_]
    halves_per_node: int
    watts: NodeWatts
    origin: str
    sha256: str = ""
    remarks: tuple[Remark, ...] = ()
    floor_error: Floats | None = None
    cores_per_node: int = 16
    cores_law: str = ""

    def relative(self, speeds: Speeds) -> Floats:
        """Speeds of pairs over those on whole nodes; shape ``(applications, applications)``."""
        result: Floats = speeds.pair / speeds.full[:, None]
        return result

    def pair_gain(self, speeds: Speeds) -> Floats:
        """Work per time of a pair on its nodes over that of jobs on their own, less 1."""
        relative = self.relative(speeds)
        gains: Floats = (relative + relative.T) / self.halves_per_node - 1
        return gains


def law_of(
    source: str | PairTable, *, workers: int = 1, cores_law: str = CORES_LAWS[0]
) -> SharingLaw:
    """A bundled law by its name, or the law of a table.

    Parameters
    ----------
    source
        One of :data:`BUNDLED`, or a table of pairs or its path.
    workers
        Processes of the trial on the simulated node.
    cores_law
        What jobs get on the cores that they share on a system of Tangram; one of
        :data:`CORES_LAWS`.

    Raises
    ------
    InputError
        Neither a bundled name nor a file.
    ScenarioError
        The table cannot be read.
    """
    if isinstance(source, PairTable):
        return _of_table(source)
    if source == HALF_SOCKETS:
        return _half_sockets(workers)
    if source in SAME_CORES:
        return _oversubscribed(source, cores_law)
    if not Path(source).exists():
        raise InputError(
            f"{source} is neither a file nor a bundled law; give a table of pairs, or one of "
            f"{', '.join(BUNDLED)}"
        )
    return _of_table(read_pairs(source))


def _half_sockets(workers: int) -> SharingLaw:
    true = half_socket_speeds()
    pair, error = measured_half_socket_speeds(EARLIER_OF, POLLING_ERROR, workers)
    return SharingLaw(
        HALF_SOCKETS,
        "half sockets (POPPA): each job of a pair has half of the cores of each socket",
        true,
        Speeds(true.applications, pair, true.half, true.full),
        error,
        np.ones(pair.shape, np.bool_),
        2,
        NodeWatts(),
        "one trial of pricing shutters on the simulated node",
    )


def _oversubscribed(name: str, cores_law: str) -> SharingLaw:
    system = under(find_system(name, SYSTEMS), cores_law)
    true = true_oversubscribed_speeds(system)
    predicted, error = measured_oversubscribed_speeds(system, CAMPAIGNS)
    return SharingLaw(
        name if cores_law == CORES_LAWS[0] else f"{name}, {cores_law}",
        f"oversubscription (Tangram, {cores_law}): both jobs of a pair have all cores",
        true,
        predicted,
        error,
        np.ones(true.pair.shape, np.bool_),
        1,
        NodeWatts(half=_ONE_JOB_W),
        f"each the mean of {len(CAMPAIGNS)} simulated measurements",
        floor_error=single_run_error(error, len(CAMPAIGNS)),
        cores_per_node=system.cores_per_node,
        cores_law=cores_law,
    )


def single_run_error(error: Floats, campaigns: int) -> Floats:
    """Standard errors of pairs, and for two jobs of one application those of a single run.

    Parameters
    ----------
    error
        Standard errors of mean speeds, shape ``(applications, applications)``.
    campaigns
        Number of runs of each pair behind the means.

    Notes
    -----
    Bursts of two applications have other periods, so they meet now and then in every run, and the
    mean of some runs describes the next one. Two jobs of one application have equal periods: bursts
    that coincide at the start may do so through the whole run. A floor must then hold for one more
    run with the spread ``s`` of ``n`` measured ones, ``s sqrt(1 + 1/n)``: the prediction interval
    instead of the interval of the mean.
    """
    result = error.copy()
    np.fill_diagonal(result, np.diag(error) * np.sqrt(campaigns + 1))
    return result


def _of_table(table: PairTable) -> SharingLaw:
    speed, own = mean_speeds(table)
    pair = speed.copy()
    np.fill_diagonal(pair, own.mean(axis=1))
    known = ~np.isnan(pair)
    ones = np.ones(len(pair))
    speeds = Speeds(table.names, np.where(known, pair, 1.0), ones, ones)
    return SharingLaw(
        table.name,
        "the table: both jobs of a pair have all cores of their nodes",
        speeds,
        speeds,
        np.zeros(pair.shape),
        known & known.T,
        1,
        NodeWatts(half=_ONE_JOB_W),
        "the table itself, which is taken as true",
        table.sha256,
        table.remarks,
    )
