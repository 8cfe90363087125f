"""What a study of prices computes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from planner.pricing.fairness import Fairness
from planner.pricing.month import NextMonth, TariffRow
from planner.pricing.overhead import Shutter
from planner.pricing.samples import Floats
from planner.pricing.scoring import POPPA, EstimatorScore, HiddenTimes
from planner.pricing.shutters import RatedShutter
from scenarios.simulated.shared_node.fitted import Number
from scenarios.simulated.shared_node.settings import NodeSettings


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
    def poppa_score(self) -> EstimatorScore:
        """Algorithm 4, which every trial runs."""
        return next(score for score in self.scores if score.estimator == POPPA)

    @property
    def hardest_score(self) -> EstimatorScore:
        """The estimator that Headroom charges by, under the largest error of the polling IPC."""
        name = self.our_score.estimator
        alike = (score for score in self.scores if score.estimator == name)
        return max(alike, key=lambda score: score.polling_error)

    @property
    def tariff_rise(self) -> tuple[float, float]:
        """By how much the tariff raises a price within its knots, where that is least, and most."""
        tariff = self.month.tariff.tariff
        rise = tariff.factor / tariff.perf - 1
        return float(rise.min()), float(rise.max())

    @property
    def revenue_change(self) -> float:
        """Revenue at Headroom's prices, relative to that by run time: over all pairs, less 1."""
        ours, today = self.fairness["headroom"], self.fairness["state-of-practice"]
        return ours.revenue_ratio / today.revenue_ratio - 1

    @property
    def node_pause_us(self) -> float:
        """What a pause takes on the simulated node, besides its measurement."""
        node = NodeSettings()
        return 2 * (node.signal_us + node.read_us)
