"""Prices of shared nodes, compared and ready to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.formatting import given, percent, plural
from planner.pricing.overhead import dilation, sleep_fraction
from planner.pricing.result import PriceResult
from planner.pricing.tables import tables_of
from planner.question import price_group_of
from planner.worded_study import Explanation, TabledStudy
from planner.worded_table import Table
from scenarios import Scenario

_NOTABLE = 0.995
"""Revenue relative to today's, below which it is a loss."""


def raised(rise: tuple[float, float]) -> str:
    """Return by how much a tariff changes prices, from the least and the largest rise.

    Examples
    --------
    >>> raised((0.1146, 0.1146)), raised((0.05, 0.2))
    ('+11 %', '+5.0 % to +20 %')
    """
    return " to ".join(dict.fromkeys(percent(each, signed=True) for each in rise))


@dataclass(frozen=True, eq=False, repr=False)
class PriceStudy(TabledStudy):
    """What users pay under each pricing policy, and how well interference is measured.

    Attributes
    ----------
    scenario
        The scenario that was read.
    result
        The numbers that were computed.
    command
        Words of the command that gives the study again; none if it was run from Python.
    """

    scenario: Scenario
    result: PriceResult
    command: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """Title of the document."""
        return self.scenario.title or self.scenario.name

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was run, by name."""
        question = price_group_of(self.scenario)
        shutter = self.result.shutter
        return {
            "scenario": self.scenario.name,
            "applications": ", ".join(self.result.applications),
            "jobs_per_node": shutter.jobs,
            "law": question.law,
            "shutter_us": shutter.measure_us,
            "gap_us": shutter.gap_us,
            "repeats": shutter.repeats,
            "windows": question.shutter.windows,
            "placebo_share": question.shutter.placebo_share,
            "counter_noise": question.counters.noise,
            "polling_errors": ", ".join(given(error) for error in question.counters.polling_errors),
            "seeds": len(self.result.seeds),
        }

    @property
    def headline(self) -> str:
        """By what to charge, and how fair that is."""
        fairness = self.result.fairness
        ours, today = (fairness[name].price_error for name in ("headroom", "state-of-practice"))
        our_error, error_today = percent(ours, places=1), percent(today, places=1)
        if ours < today:
            return (
                "Charge by measured interference: Headroom's prices miss fair ones by "
                f"{our_error} on average, prices by run time by {error_today}."
            )
        return (
            f"Keep prices by run time: they miss fair ones by {error_today} on average, "
            f"Headroom's prices by {our_error}."
        )

    @property
    def confidence(self) -> str:
        """What the figures rest on."""
        score = self.result.our_score
        return (
            f"Simulated, {plural(len(self.result.seeds), 'seed')}: all pairs of "
            f"{plural(len(self.result.applications), 'application')}. Instructions per cycle "
            f"(IPC) of waiting MPI ranks are assumed to be {given(score.polling_error)} wrong."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Where prices are wrong or cost more than the site accepts."""
        question = price_group_of(self.scenario)
        lines = [
            "All prices are simulated. Jobs on a real node may disturb each other in other ways."
        ]
        if 1 + self.result.revenue_change < _NOTABLE:
            lines.append(
                f"The site earns {percent(-self.result.revenue_change)} less at Headroom's prices "
                "than with prices by run time, if all pairs are equally frequent."
            )
        overhead = dilation(self.result.shutter)
        if overhead > question.overhead_budget:
            lines.append(
                f"Measuring makes jobs {percent(overhead, places=2)} longer; the site accepts "
                f"{given(question.overhead_budget)}. Use a longer gap between rounds, or shorter "
                "samples."
            )
        score = self.result.our_score
        if score.coverage < 0.9:
            lines.append(
                f"Only {percent(score.coverage)} of the 95 % intervals contain the true value, so "
                "they are too narrow."
            )
        if self.result.shutter.jobs > 2:
            lines.append(
                f"Only the overhead is that of {self.result.shutter.jobs} jobs on a node; "
                "estimates and prices are those of pairs."
            )
        return tuple(lines)

    @property
    def explanation(self) -> Explanation:
        """What users and the site pay, how good the measurement is, and what to try next."""
        result = self.result
        today, ours = result.fairness["state-of-practice"], result.fairness["headroom"]
        spread = result.our_score.spread
        return Explanation(
            reasons=(
                (
                    f"Billed by run time, a job pays {percent(-today.mean_discount)} more than "
                    f"alone on average, and up to {percent(-today.least_discount)} more."
                ),
                *self._accuracy(),
                *self._overhead(),
                (
                    "Relative to the same jobs running alone, the site earns "
                    f"{percent(today.revenue_ratio, places=1)} with prices by run time, and "
                    f"{percent(ours.revenue_ratio, places=1)} at Headroom's prices."
                ),
            ),
            alternatives=self._alternatives(),
            robustness=(
                *self._polling(),
                *(
                    (
                        (
                            f"Over {len(result.seeds)} seeds, the mean error of run times has a "
                            f"standard deviation of {percent(spread, places=2)}. Seeds vary "
                            "counters and phases, not the law of interference."
                        ),
                    )
                    if len(result.seeds) > 1
                    else ()
                ),
            ),
            assumptions=(
                (
                    "A fair price is that by run time, times the square of the speed that a job "
                    "keeps on a shared node."
                ),
                (
                    f"Interference follows the law of the simulated node "
                    f"({price_group_of(self.scenario).law})."
                ),
                "Errors of counters are known and independent.",
            ),
            next_steps=(
                "Measure a few jobs on a real node, and compare their prices with these.",
                (
                    "If the site must keep the revenue of jobs that run alone, agree on a tariff: "
                    f"a change of all prices ({raised(result.tariff_rise)} in a simulated month)."
                ),
            ),
        )

    def _overhead(self) -> tuple[str, ...]:
        """What measuring costs; a cost above the accepted one is a warning instead."""
        overhead = dilation(self.result.shutter)
        accepted = price_group_of(self.scenario).overhead_budget
        longer_by = percent(overhead, places=2)
        line = f"Measuring makes jobs {longer_by} longer; the site accepts {given(accepted)}."
        return (line,) if overhead <= accepted else ()

    def _accuracy(self) -> tuple[str, ...]:
        """How well run times are predicted; Algorithm 4 only where it was run."""
        poppa, ours = self.result.poppa_score, self.result.our_score
        error = percent(ours.mean_absolute_error, places=1)
        if poppa is None:
            return (f"Run times with a partner are predicted with a mean error of {error}.",)
        return (
            (
                f"Run times with a partner are predicted with a mean error of {error}, against "
                f"{percent(poppa.mean_absolute_error, places=1)} with POPPA's Algorithm 4."
            ),
        )

    def _polling(self) -> tuple[str, ...]:
        """How the price error grows with the error of the IPC of waiting ranks."""
        ours = self.result.our_score
        alike = [score for score in self.result.scores if score.estimator == ours.estimator]
        worst = max(alike, key=lambda score: score.polling_error)
        if worst.polling_error <= ours.polling_error:
            return ()
        return (
            (
                f"With an error of {given(worst.polling_error)} instead of "
                f"{given(ours.polling_error)} in the IPC of waiting ranks, the mean price error "
                f"is {percent(worst.price_error, places=1)}."
            ),
        )

    def _alternatives(self) -> tuple[str, ...]:
        poppa = self.result.fairness.get("poppa")
        if poppa is None:
            return ()
        return (
            (
                "POPPA, the published method: its prices differ from fair prices by "
                f"{percent(poppa.price_error, places=1)} on average."
            ),
        )

    @property
    def shown(self) -> tuple[Table, ...]:
        """Prices, estimators, applications, settings of the shutter, revenue, parameters."""
        return tables_of(self.result)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON: overhead, estimators, prices and seeds, and every table."""
        shutter = self.result.shutter
        return super().to_dict() | {
            "overhead": {
                "sleep_fraction": sleep_fraction(shutter),
                "dilation": dilation(shutter),
            },
            "seeds": list(self.result.seeds),
        }
