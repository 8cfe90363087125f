"""Prices of shared nodes, compared and ready to be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from planner.formatting import given, percent, plural
from planner.pricing.overhead import dilation, sleep_fraction
from planner.pricing.question import price_group_of
from planner.pricing.result import PriceResult
from planner.pricing.strategic import CheatingGain
from planner.pricing.tables import tables_of
from planner.study import Explanation, TabledStudy
from planner.table import Table
from scenarios import Scenario

OUR_NAMES = ("headroom", "spin")
"""Names of Headroom's prices among the gains of users who game the measurement."""
_NOTABLE = 0.995
"""Price relative to an honest job's below which a user gains."""


def longer(gain: CheatingGain) -> str:
    """Return how much longer the job of a user runs for a tactic; empty if it does not."""
    extra = gain.run_time - 1
    return f", but the job then runs {percent(extra)} longer" if extra > 0 else ""


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
        """Whether prices are fair, and at what cost."""
        fairness = self.result.fairness
        ours, today = fairness["headroom"], fairness["state-of-practice"]
        return (
            "Headroom's prices (by measured interference) differ from fair prices by "
            f"{percent(ours.price_error, places=1)} on average; prices by run time by "
            f"{percent(today.price_error, places=1)}."
        )

    @property
    def confidence(self) -> str:
        """What the figures rest on."""
        score = self.result.our_score
        return (
            f"Simulated, {plural(len(self.result.seeds), 'seed')}: all pairs of "
            f"{plural(len(self.result.applications), 'application')}. The estimated instructions "
            f"per cycle (IPC) of waiting ranks are assumed to be {given(score.polling_error)} "
            "wrong."
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """Where prices are wrong or cost more than the site accepts."""
        question = price_group_of(self.scenario)
        lines = [
            "All prices are simulated. Jobs on a real node may disturb each other in other ways."
        ]
        tried = [gain for gain in self.result.gains if gain.estimator in OUR_NAMES]
        cheapest = min(tried, key=lambda gain: gain.price, default=None)
        if cheapest is not None and cheapest.price < _NOTABLE:
            lines.append(
                f"Users can pay {percent(1 - cheapest.price)} less at Headroom's prices, by "
                f"{cheapest.tactic}{longer(cheapest)}."
            )
        overhead = dilation(self.result.shutter)
        if overhead > question.overhead_budget:
            lines.append(
                f"Measuring makes jobs {percent(overhead)} longer; the site accepts "
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
        today, fair = result.fairness["state-of-practice"], result.fairness["oracle"]
        spread = result.our_score.spread
        return Explanation(
            reasons=(
                (
                    f"Billed by run time, a job pays {percent(-today.mean_discount)} more than "
                    f"alone on average, and up to {percent(-today.least_discount)} more."
                ),
                *self._accuracy(),
                (
                    f"If all pairs are equally frequent, fair prices earn "
                    f"{percent(fair.revenue_ratio, places=1)} of what the same jobs pay when they "
                    "run alone."
                ),
            ),
            alternatives=self._alternatives(),
            limits=(
                (
                    f"Measuring makes jobs {percent(dilation(result.shutter))} longer; the site "
                    f"accepts {given(price_group_of(self.scenario).overhead_budget)}."
                ),
            ),
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
                    "A fair price falls with the square of the speed that a job keeps on a shared "
                    "node."
                ),
                (
                    f"Interference follows the law of the simulated node "
                    f"({price_group_of(self.scenario).law})."
                ),
                "Errors of counters are known and independent.",
            ),
            next_steps=(
                "Measure a few jobs on a real node, and compare their prices with these.",
                "Agree on a tariff, if the site must keep its revenue.",
            ),
        )

    def _accuracy(self) -> tuple[str, ...]:
        """How well run times are predicted; Algorithm 4 only where it was run."""
        poppa, ours = self.result.poppa_score, self.result.our_score
        error = percent(ours.mean_absolute_error, places=1)
        if poppa is None:
            return (f"The mean error of predicted run times is {error}.",)
        return (
            (
                f"The mean error of predicted run times is {error}, against "
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
        """Prices, estimators, applications, settings of the shutter, tactics, printed numbers."""
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
