"""Rows of plain values: one for each pattern, one for each training code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from planner.aggregation.patterns import REFERENCE, Pattern, patterns

if TYPE_CHECKING:
    from planner.aggregation.result import AggregationResult

_Row = dict[str, Any]
CERTAIN = 0.95
"""Chance to be within the limit, below which a pattern is uncertain after runs."""


def pattern_rows(study: AggregationResult) -> list[_Row]:
    """A row for each pattern, possible or not."""
    expected = {row["pattern"]: row for row in expected_rows(study)} if study.runs else {}
    return [
        _pattern(study, pattern, expected.get(pattern.id, {}))
        for pattern in patterns(study.measured.node)
    ]


def _pattern(study: AggregationResult, pattern: Pattern, expected: _Row) -> _Row:
    """One pattern; what is not known is left out of the prediction or of the truth."""
    chances = {key: expected.get(key) for key in ("low", "high", "within")}
    row: _Row = {
        "pattern": pattern.id,
        "layout": "x".join(map(str, pattern.layout)),
        "choice": _choice(study, pattern, chances["within"]),
        "processors": pattern.layout.processors,
        "dies": pattern.layout.dies,
        "cores": pattern.layout.cores,
        "tasks_per_node": pattern.tasks,
        "feasible": pattern.id not in study.refused,
        "why_not": study.refused.get(pattern.id),
        "tolerable": pattern.id in study.tolerable,
        "chosen": pattern.id == study.chosen.pattern.id,
    }
    result = next((c for c in study.candidates if c.pattern.id == pattern.id), None)
    row |= dict.fromkeys(_PREDICTED)
    if result is not None:
        row |= {
            "nodes": study.nodes(pattern),
            "ipc": result.ipc,
            "ipc_sampled": pattern.id in study.sampled,
            "compute_s": result.compute_s,
            "communication_bound_s": result.communication_s,
            "slowdown_s": result.time_s - study.reference.time_s,
            "slowdown": result.slowdown,
            "run_s": study.run_s(result),
            "energy_j": result.energy_j,
            "energy_change": _change(result.energy_j, study.reference.energy_j),
            "idle_energy_change": study.idle_change(result),
            "basis": _basis(study, pattern.id),
            "saving": study.saving(result),
            "energy_ratio": _ratio(study.saving(result)),
            "slower_than_baseline": study.slower(result),
        } | chances
    truths = study.truths
    if truths is None:
        return row
    row |= dict.fromkeys(_TRUE)
    if (outcome := truths.outcomes.get(pattern.id)) is not None:
        row |= {
            "true_ipc": outcome.ipc,
            "true_compute_s": outcome.compute_s,
            "true_communication_s": outcome.communication_s,
            "true_run_s": outcome.time_s,
            "true_slowdown": truths.slowdown(pattern.id),
            "true_energy_j": outcome.energy_j,
            "true_energy_error": _change(row["energy_j"], outcome.energy_j),
            "true_saving": truths.saving(pattern.id, study.baseline.pattern.id),
            "true_energy_ratio": _ratio(truths.saving(pattern.id, study.baseline.pattern.id)),
            "true_best": pattern.id == truths.best_within(study.settings.threshold),
        }
    return row


def _ratio(saving: float | None) -> float | None:
    """Energy over that of the baseline."""
    return None if saving is None else 1 - saving


def _change(energy_j: float | None, one_j: float | None) -> float | None:
    """Energy over another, less 1."""
    return None if energy_j is None or one_j is None else energy_j / one_j - 1


def _basis(study: AggregationResult, pattern: int) -> str:
    """Where the slowdown comes from: it is measured if both the pattern and the reference ran."""
    if {pattern, REFERENCE} <= {run.pattern for run in study.runs}:
        return "measured"
    return "corrected" if study.runs else "predicted"


def _choice(study: AggregationResult, pattern: Pattern, within: float | None) -> str:
    if pattern.id in study.refused:
        return "impossible"
    if pattern.id == study.chosen.pattern.id:
        return "chosen"
    if pattern.id == REFERENCE:
        return "reference"
    if pattern.id not in study.tolerable:
        return "above"
    return "within" if within is None or within >= CERTAIN else "uncertain"


_PREDICTED = (
    "nodes", "ipc", "ipc_sampled", "compute_s", "communication_bound_s", "slowdown_s", "slowdown",
    "run_s", "energy_j", "energy_change", "idle_energy_change", "basis", "saving", "energy_ratio",
    "slower_than_baseline", "low", "high", "within",
)  # fmt: skip
_TRUE = (
    "true_ipc", "true_compute_s", "true_communication_s", "true_run_s", "true_slowdown",
    "true_energy_j", "true_energy_error", "true_saving", "true_energy_ratio", "true_best",
)  # fmt: skip


def tried_rows(study: AggregationResult) -> list[_Row]:
    """A row for each pattern that was run."""
    before = {c.pattern.id: c for c in study.predicted}
    after = {c.pattern.id: c for c in study.candidates}
    return [
        {
            "pattern": run.pattern,
            "layout": "x".join(map(str, before[run.pattern].pattern.layout)),
            "runs": len(run.times_s),
            "measured_s": run.time_s,
            "spread": run.spread if len(run.times_s) > 1 else None,
            "measured_j": run.energy_j,
            "slowdown": after[run.pattern].slowdown,
            "predicted_s": before[run.pattern].time_s * study.measured.program.iterations,
            "outcome": _outcome(study, run.pattern),
        }
        for run in study.runs
    ]


def _outcome(study: AggregationResult, pattern: int) -> str:
    if pattern == REFERENCE:
        return "reference"
    if pattern in study.failed:
        return "failed"
    return "confirmed" if pattern in study.confirmed else "open"


def expected_rows(study: AggregationResult) -> list[_Row]:
    """The slowdown of each pattern after the runs, and what a run of it is expected to save."""
    known = study.posterior
    saved_j = {each.candidate.pattern.id: each.saved_j for each in study.next_runs}
    return [
        {
            "pattern": c.pattern.id,
            "layout": "x".join(map(str, c.pattern.layout)),
            "slowdown": c.slowdown,
            "low": known.slowdown(c, 0.05),
            "high": known.slowdown(c, 0.95),
            "within": known.within(c, study.settings.threshold),
            "saved_j": saved_j.get(c.pattern.id),
            "energy_j": c.energy_j,
        }
        for c in known.candidates
        if c.pattern.id != REFERENCE
    ]


def left_out_codes(study: AggregationResult) -> list[_Row]:
    """Errors of IPC by training code, that of the largest mean first."""
    rows = []
    for code in dict.fromkeys(prediction.code for prediction in study.learnt.left_out):
        errors = np.array(
            [prediction.error for prediction in study.learnt.left_out if prediction.code == code]
        )
        rows.append(
            {
                "code": code,
                "predictions": len(errors),
                "mean_error": float(np.abs(errors).mean()),
                "most_error": float(np.abs(errors).max()),
                "bias": float(errors.mean()),
            }
        )
    return sorted(rows, key=lambda row: (-row["mean_error"], row["code"]))
