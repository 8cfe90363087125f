"""What a study of prices computes, before anything is put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from planner.pricing.fairness import Fairness
from planner.pricing.month import NextMonth, TariffRow
from planner.pricing.overhead import Shutter, dilation, sleep_fraction
from planner.pricing.samples import Floats
from planner.pricing.scoring import EstimatorScore, HiddenTimes
from planner.pricing.shutters import RatedShutter
from scenarios.simulated.shared_node.fitted import Number


@dataclass(frozen=True)
class OverheadRow:
    """Overhead of one length of a measurement."""

    measure_us: float
    jobs: int
    sleep_fraction: float
    dilation: float


@dataclass(frozen=True)
class PriceRow:
    """One pricing policy over all pairs and seeds.

    Attributes
    ----------
    policy
        Its name.
    mean_discount, min_discount, max_discount, p95_discount
        On the price of running alone; below 0 where jobs pay more.
    revenue
        Revenue from all jobs, over the revenue from the same jobs alone.
    jain, mean_envy, envious, phantom_discount, price_error
        As in :class:`~planner.pricing.fairness.Fairness`; ``None`` where it is not defined.
    """

    policy: str
    mean_discount: float
    min_discount: float
    max_discount: float
    p95_discount: float
    revenue: float
    jain: float
    mean_envy: float
    envious: float
    phantom_discount: float | None
    price_error: float


@dataclass(frozen=True)
class ApplicationRow:
    """One application over all partners and seeds."""

    application: str
    mean_degradation: float
    largest_degradation: float
    worst_partner: str
    poppa_error: float
    our_error: float


@dataclass(frozen=True, eq=False)
class PriceResult:
    """Everything that a study of prices found.

    Attributes
    ----------
    applications
        Names, in the order of all arrays.
    seeds
        Replications.
    shutter
        S, P, K and n of the scenario.
    scores
        Estimators against hidden run times.
    ours
        Position in ``scores`` of the estimator that Headroom charges by.
    fairness
        Pricing policies by name.
    truth
        Hidden run times.
    frontier
        Best settings of the shutter, by overhead.
    chosen
        Best setting within the scenario's overhead budget.
    in_use
        The setting of the scenario, rated like the best ones.
    month, tariff
        A tariff that is fitted to a simulated month, and revenue of the next one.
    numbers
        Numbers of the simulated node, and where each is from.
    """

    applications: tuple[str, ...]
    seeds: tuple[int, ...]
    shutter: Shutter
    scores: tuple[EstimatorScore, ...]
    ours: int
    fairness: Mapping[str, Fairness]
    truth: HiddenTimes
    frontier: tuple[RatedShutter, ...]
    chosen: RatedShutter
    in_use: RatedShutter
    month: NextMonth
    tariff: tuple[TariffRow, ...]
    numbers: tuple[Number, ...]

    @property
    def degradation(self) -> Floats:
        """D of each application (row) with each partner (column), true."""
        result: Floats = 1 - self.truth.perf[:, : len(self.applications)]
        return result

    @property
    def our_score(self) -> EstimatorScore:
        """The estimator that Headroom charges by."""
        return self.scores[self.ours]

    @property
    def poppa_score(self) -> EstimatorScore | None:
        """Algorithm 4, where it was run."""
        return next((score for score in self.scores if score.estimator == "algorithm-4"), None)

    @property
    def tariff_rise(self) -> tuple[float, float]:
        """By how much the tariff raises a price, at the speed where that is least, and most."""
        tariff = self.month.tariff.tariff
        rise = tariff.factor / tariff.perf - 1
        return float(rise.min()), float(rise.max())

    @property
    def revenue_change(self) -> float:
        """Revenue at Headroom's prices, relative to that by run time: over all pairs, less 1."""
        ours, today = self.fairness["headroom"], self.fairness["state-of-practice"]
        return ours.revenue_ratio / today.revenue_ratio - 1

    def overhead_rows(self, lengths_us: Sequence[float]) -> tuple[OverheadRow, ...]:
        """Equations 9 and 10 over lengths of a measurement, for 2, 3 and 4 jobs."""
        given = self.shutter
        return tuple(
            OverheadRow(length, jobs, sleep_fraction(shutter), dilation(shutter))
            for jobs in (2, 3, 4)
            for length in lengths_us
            for shutter in [Shutter(length, given.gap_us, given.repeats, jobs, 0.0, given.literal)]
        )

    def price_rows(self) -> tuple[PriceRow, ...]:
        """Pricing policies as rows."""
        return tuple(
            PriceRow(
                policy=name,
                mean_discount=one.mean_discount,
                min_discount=one.least_discount,
                max_discount=one.largest_discount,
                p95_discount=one.p95_discount,
                revenue=one.revenue_ratio,
                jain=one.jain,
                mean_envy=one.mean_envy,
                envious=one.envious,
                phantom_discount=None if np.isnan(one.phantom_discount) else one.phantom_discount,
                price_error=one.price_error,
            )
            for name, one in self.fairness.items()
        )

    def application_rows(self) -> tuple[ApplicationRow, ...]:
        """Applications as rows."""
        poppa = self.poppa_score
        unknown = np.full(len(self.applications), np.nan)
        errors = unknown if poppa is None else poppa.by_application
        worst = self.degradation.argmax(axis=1)
        return tuple(
            ApplicationRow(
                application=name,
                mean_degradation=float(self.degradation[row].mean()),
                largest_degradation=float(self.degradation[row].max()),
                worst_partner=self.applications[worst[row]],
                poppa_error=float(errors[row]),
                our_error=float(self.our_score.by_application[row]),
            )
            for row, name in enumerate(self.applications)
        )
