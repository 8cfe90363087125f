"""Every number of a study of estimates as plain rows: members of the data file, sheets, figures."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from planner.replications.spread import spread
from planner.scheduling.estimates.cases import EstimateCase, case_of
from planner.scheduling.estimates.claims import claims as claims_of
from planner.scheduling.estimates.deviation import completions
from planner.scheduling.estimates.predictors.registry import ORACLES
from planner.scheduling.estimates.settings import changed_weight
from planner.scheduling.simulation.steps import Steps

if TYPE_CHECKING:
    from planner.scheduling.estimates.result import EstimateResult, Measure, Remains, UptakeCell

Row = dict[str, Any]
GROUPS = ("seed_group", "tool_users", "others", "everybody")
"""Whose waits are compared by uptake."""
_BINS = 120
"""Times at which completions are drawn."""
_FAR = 0.5
"""A larger rise of the mean wait is in the table alone."""
_LITTLE = 0.005
"""A weight that moves a mean wait by less does not act."""


def known(value: float | None) -> float | None:
    """A number; ``None`` where it is not defined."""
    return None if value is None or math.isnan(value) else value


def change(gain: float | None) -> float | None:
    """The change of a wait: the negative gain, and never minus nothing."""
    found = known(gain)
    return None if found is None else -found or 0.0


def cells(study: EstimateResult, measure: Measure) -> list[Row]:
    """A measure of the sampled users by uptake and error."""
    return [_cell(cell) for cell in study.cells(measure)]


def _cell(cell: UptakeCell) -> Row:
    row: Row = {"uptake": cell.uptake, "error": cell.error}
    row |= {f"{key}_s" if key != "seeds" else key: v for key, v in asdict(cell.value).items()}
    gain = cell.gain
    if gain is not None:
        row |= {f"gain_{key}": v for key, v in asdict(gain).items() if key != "seeds"}
        row |= {
            "change": change(gain.mean), "change_low": change(gain.most),
            "change_high": change(gain.least),
            "agreed": gain.seeds > 1 and (gain.least > 0 or gain.most < 0),
        }  # fmt: skip
    return row


def few_cells(study: EstimateResult) -> list[Row]:
    """Mean and longest wait at the outermost and middle uptakes and errors."""
    longest = {(row["uptake"], row["error"]): row for row in cells(study, "max_s")}
    mean = [row for row in cells(study, "mean_s") if row["uptake"]] or cells(study, "mean_s")
    whole = [row for row in mean if row["uptake"] >= study.workload.seed_group] or mean
    uptakes, errors = (_outer(sorted({row[key] for row in whole})) for key in ("uptake", "error"))
    return [
        *(_without_tool(study) if all(row["uptake"] for row in whole) else ()),
        *({
            **{key: row.get(key) for key in ("uptake", "error", "mean_s", "change", "change_low",
                                             "change_high")},
            "longest_s": longest[row["uptake"], row["error"]]["mean_s"],
            "longest_change": longest[row["uptake"], row["error"]].get("change"),
            "everybody_s": study.group_means(row["uptake"], row["error"])["everybody_s"],
        }
        for row in whole
        if row["uptake"] in uptakes and row["error"] in errors),
    ]  # fmt: skip


def _without_tool(study: EstimateResult) -> Iterator[Row]:
    """The waits that the others are compared with."""
    mean = study.without_tool
    groups = [study.no_tool.groups[seed] for seed in study.settings.seeds]
    longest = spread([math.nan if group.max_s is None else group.max_s for group in groups])
    if mean is not None and longest is not None:
        yield {"uptake": 0.0, "mean_s": mean.mean, "longest_s": longest.mean,
               "everybody_s": study.no_tool.everybody.mean_s}  # fmt: skip


def _outer(values: list[float]) -> set[float]:
    return {values[0], values[len(values) // 2], values[-1]}


def drawn(study: EstimateResult, measure: Measure) -> list[Row]:
    """The cells of a map: those in which anybody has the tool and a gain is known."""
    rows = [row for row in cells(study, measure) if row["uptake"] and "change" in row]
    return rows if len(rows) > 2 else []


def waits_by_uptake(study: EstimateResult) -> Iterator[Row]:
    """The mean waits of each group, one by one."""
    for row in sorted(study.by_group, key=lambda row: float(row["uptake"])):
        for group in GROUPS:
            if row[f"{group}_s"] is not None:
                yield {"uptake": row["uptake"], "group": group, "wait_s": row[f"{group}_s"]}


def predictors(study: EstimateResult) -> list[Row]:
    """What each predictor leaves of the gain, the most first."""
    return [_remains(remains) for remains in study.remains]


def strategy(remains: Remains) -> str:
    """What becomes of jobs that exceed a prediction; ``never`` for an oracle."""
    tool = remains.tool
    if tool.predictor in ORACLES:
        return "never"
    return tool.key.rpartition("-")[2]


def tool_name(remains: Remains) -> str:
    """A predictor with what becomes of jobs that exceed it, as one word of a vocabulary."""
    return f"{remains.tool.predictor}, {strategy(remains)}"


def _remains(remains: Remains) -> Row:
    outcome, groups = remains.outcome, remains.groups
    return {
        "tool": remains.tool.words,
        "predictor": remains.tool.predictor,
        "strategy": strategy(remains),
        "mean_wait_s": outcome.everybody.mean_s,
        "max_wait_s": outcome.everybody.max_s,
        "gain": known(remains.gain),
        "change": change(remains.gain),
        "change_low": None if groups is None else change(groups.most),
        "change_high": None if groups is None else change(groups.least),
        "groups_range": None if groups is None else (change(groups.most), change(groups.least)),
        "share_of_exact": known(remains.share),
        "gain_groups_least": None if groups is None else groups.least,
        "gain_groups_most": None if groups is None else groups.most,
        "jobs_killed": outcome.jobs_killed,
        "kills": outcome.kills,
        "corrections": outcome.corrections,
        "lost_share_of_work": outcome.lost_share,
    }


def drawn_predictors(study: EstimateResult) -> list[Row]:
    """The predictors whose change is known, under names that tell them apart.

    Those that lengthen waits much are left out, unless only one is left: they hide the others.
    """
    known_rows = [row for row in predictors(study) if row["change"] is not None]
    near = [row for row in known_rows if row["change"] <= _FAR]
    return [
        {"change": row["change"], "name": f"{row['predictor']}, {row['strategy']}"}
        for row in (near if len(near) > 1 else known_rows)
    ]


def weights(study: EstimateResult) -> list[Row]:
    """How waits depend on the weights: a row for each variant of the configuration."""
    if not study.settings.weights:
        return []
    rows = []
    for name in dict.fromkeys(case.variant for case in study.outcomes):
        bare = study.outcomes[EstimateCase(variant=name)]
        exact = study.outcomes[case_of(study.settings.oracle(0.0), 1.0, 0, name)]
        gain = study.gain_of(exact, bare)
        rows.append(
            {
                "weights": name,
                "mean_wait_s": bare.everybody.mean_s,
                "max_wait_s": bare.everybody.max_s,
                "mean_wait_exact_s": exact.everybody.mean_s,
                "max_wait_exact_s": exact.everybody.max_s,
                "gain": known(gain),
                "change": change(gain),
            }
        )
    return rows


def acts(rows: list[Row], row: Row) -> bool:
    """Whether a change of the weights moves a mean wait by half a per cent or more."""
    return any(
        abs(row[key] - rows[0][key]) > _LITTLE * rows[0][key]
        for key in ("mean_wait_s", "mean_wait_exact_s")
    )


def idle_weights(study: EstimateResult) -> tuple[str, ...]:
    """The weights no change of which moves a mean wait."""
    rows = weights(study)
    moved: dict[str, bool] = {}
    for row in rows[1:]:
        name = changed_weight(row["weights"])
        moved[name] = moved.get(name, False) or acts(rows, row)
    return tuple(name for name, moves in moved.items() if not moves)


def claims(study: EstimateResult) -> Iterator[Row]:
    """The paper's claims, with what was counted."""
    for claim in claims_of(study):
        low, high = claim.change_low, claim.change_high
        yield {
            "claim": claim.claim, "holds": claim.holds, "counted": claim.claim,
            "held": (claim.count, claim.of), "change": claim.change,
            "range": None if low is None or high is None else (low, high),
            "correlation": claim.correlation,
        }  # fmt: skip


def more_completed(study: EstimateResult) -> Iterator[Row]:
    """How many jobs more than recorded each simulated schedule has completed, over time."""
    if study.validation is None:
        return
    recorded, *others = study.validation.schedules
    first = int(recorded.submit_s.min())
    last = max(int(schedule.end_s.max()) for schedule in study.validation.schedules)
    times = np.unique(np.linspace(first, last, _BINS + 1).astype(np.int64))
    before: Steps = completions(recorded)
    for schedule in others:
        more = completions(schedule).at(times) - before.at(times)
        for time, jobs in zip(times.tolist(), more.tolist(), strict=True):
            yield {"schedule": schedule.policy, "days": (time - first) / 86_400, "more": jobs}
