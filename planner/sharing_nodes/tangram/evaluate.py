"""Tangram on a simulated system: measure pairs, have gates decide, and score the decisions.

Only this module runs the simulated system. Gates see its campaigns only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from planner.errors import InputError
from planner.plain_numbers import plainly
from planner.sharing_nodes.tangram.border import hindsight
from planner.sharing_nodes.tangram.laws import BOTH
from planner.sharing_nodes.tangram.pair_runs import PairRuns, pair_runs
from planner.sharing_nodes.tangram.result import LEARNED_GATES, TangramResult
from planner.sharing_nodes.tangram.scores import BORDER, by_application, scores_of
from planner.sharing_nodes.tangram.splits import SPLITS, Split
from planner.sharing_nodes.tangram.study import TangramStudy
from scenarios.simulated.oversubscription import (
    LAWS,
    SIX,
    SYSTEMS,
    OversubscribedApplication,
    OversubscribedSystem,
    find_system,
    measured_co_runs,
    numbers_of,
    synthetic_applications,
    under,
)

DEFAULT_SEEDS = 3
LEAST_SYNTHETIC = 3


@plainly
def tangram(
    system: str = "tangram-two-node",
    *,
    seeds: int = DEFAULT_SEEDS,
    tests: Sequence[str] = (),
    synthetic: int = 0,
    law: str = BOTH,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> TangramStudy:
    """Train and test Tangram's gate on a simulated system of the paper.

    Parameters
    ----------
    system
        ``"tangram-two-node"`` or ``"tangram-eight-node"``.
    seeds
        Campaigns that are measured, from seed 0; the first one is shown in full.
    tests
        Names of the tests, by default all: ``"CV"``, ``"(I)"`` and ``"(II)"`` of the paper, then
        ``"leave-pair-out"``, ``"leave-app-out"`` and ``"leave-app-and-rank-out"``.
    synthetic
        Sampled applications instead of the six of the paper, others for each seed; 0 for the six.
    law
        What a job gets on cores that it shares: ``"slowest-rank"`` (only I/O leaves cycles to
        others), ``"idle-cycles"`` (ranks that wait or stall do so, too), or ``"both"``: the answer
        is that of the first law, and its findings are compared with those of the second.
    progress
        Called with the number of finished seeds, and of all of both laws.

    Returns
    -------
    TangramStudy
        ``by_seed`` has the scores of all tests and gates.

    Raises
    ------
    InputError
        There is no such system, test or law, no seed, or fewer than three synthetic applications.
    """
    if synthetic and synthetic < LEAST_SYNTHETIC:
        raise InputError(
            f"synthetic = {synthetic}; give 0, or at least {LEAST_SYNTHETIC} applications: a gate "
            "learns from those that are not left out"
        )
    if seeds < 1:
        raise InputError(f"seeds = {seeds}; give at least 1")
    chosen = _chosen_system(system)
    names = [split.name for split in SPLITS]
    unknown = [name for name in tests if name not in names]
    if unknown:
        raise InputError(f"test {unknown[0]!r} is unknown; give one of {', '.join(names)}")
    splits = [split for split in SPLITS if not tests or split.name in tests]
    if law not in (BOTH, *LAWS):
        raise InputError(f"law {law!r} is unknown; give one of {', '.join((BOTH, *LAWS))}")
    laws = LAWS if law == BOTH else (law,)
    results = list[dict[str, Any]]()
    for number, each in enumerate(laws):
        results.append(_evaluated(
            under(chosen, each), splits, seeds, synthetic,
            lambda done, before=number * seeds: progress(before + done, len(laws) * seeds),  # type: ignore[misc]
            results[0]["campaigns"][0] if results else None,
        ))  # fmt: skip
    others = results[1:]
    return TangramStudy(**results[0], other=TangramResult(**others[0]) if others else None)


def _evaluated(
    system: OversubscribedSystem,
    splits: Sequence[Split],
    seeds: int,
    synthetic: int,
    progress: Callable[[int], None],
    first: PairRuns | None,
) -> dict[str, Any]:
    """Attributes of the result under the law of a system.

    The fixed rule is that of the co-runs ``first``, by default those of the first seed.
    """
    campaigns = [
        pair_runs(measured_co_runs(system, seed, _applications(synthetic, seed)))
        for seed in range(seeds)
    ]
    fixed = hindsight(campaigns[0] if first is None else first)
    by_seed = []
    for seed, runs in enumerate(campaigns):
        by_seed.append(
            tuple(score for split in splits for score in scores_of(runs, split, seed, fixed))
        )
        progress(seed + 1)
    left_out = [split for split in splits if split.name == "leave-app-out"] or splits[-1:]
    return {
        "system": system.name,
        "nodes": system.nodes,
        "splits": tuple(splits),
        "campaigns": tuple(campaigns),
        "by_seed": tuple(by_seed),
        "left_out": by_application(campaigns[0], left_out[0], 0),
        "law_numbers": numbers_of(system, synthetic=bool(synthetic)),
        "errors": {
            gate: by_application(campaigns[0], splits[-1], 0, gate)
            for gate in (BORDER, *LEARNED_GATES)
        },
        "of_the_paper": not synthetic,
        "law": system.law,
    }


def _chosen_system(name: str) -> OversubscribedSystem:
    """The bundled system of a name.

    Raises
    ------
    InputError
        There is none.
    """
    try:
        return find_system(name, SYSTEMS)
    except LookupError as error:
        raise InputError(str(error)) from None


def _applications(synthetic: int, seed: int) -> tuple[OversubscribedApplication, ...]:
    return synthetic_applications(synthetic, seed) if synthetic else SIX
