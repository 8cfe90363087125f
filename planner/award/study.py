"""Award the lots of a tender by its published scheme, ready to be shown."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from planner.answer import Answer
from planner.award import debrief as letters
from planner.award import facts
from planner.award.award import award as awarded
from planner.award.award import withdrawals
from planner.award.delivered import deliveries
from planner.award.from_scenario import tender_of
from planner.award.result import AwardResult, ModelScores
from planner.award.successors import award_purchase, successions, vendor_withdrawals
from planner.award.weights import weight_ranges
from planner.errors import InputError
from planner.study import Study
from scenarios.catalogue import bundled_name, load
from scenarios.formatting import nearest
from scenarios.model.scenario import Scenario


@dataclass(frozen=True, repr=False)
class AwardStudy(AwardResult, Answer):
    """An award, ready to be shown.

    Its attributes are those of :class:`~planner.award.result.AwardResult`.
    """

    def _made(self) -> Study:
        return facts.study_of(self, _words(self, "--full" if self.model is not None else ""))

    def debrief(self, vendor: str) -> DebriefStudy:
        """Return the letter to a vendor.

        Raises
        ------
        InputError
            There is no package of this vendor.
        """
        vendors = list(dict.fromkeys(each.vendor for each in self.tender.candidates))
        if vendor not in vendors:
            raise InputError(
                f"there is no package of vendor {vendor!r}; {nearest(vendor, vendors)}"
            )
        return DebriefStudy(self, vendor)

    def numbers(self) -> dict[str, Any]:
        """Return the winner of each lot: one row of a sweep."""
        return {
            f"{lot.name}.winner": decision.winner or "none" for lot, decision in self.award.pairs()
        }

    def scenario_paths(self) -> tuple[str, ...]:
        """Paths of the scenario that was read."""
        return self.scenario.provenance.paths


@dataclass(frozen=True, repr=False)
class DebriefStudy(Answer):
    """The letter to one vendor, ready to be shown.

    Attributes
    ----------
    result
        The award.
    vendor
        Who gets the letter.
    """

    result: AwardResult
    vendor: str

    def _made(self) -> Study:
        return letters.study_of(
            self.result, self.vendor, _words(self.result, "--debrief", self.vendor)
        )

    def scenario_paths(self) -> tuple[str, ...]:
        """Paths of the scenario that was read."""
        return self.result.scenario.provenance.paths


def _words(result: AwardResult, *options: str) -> tuple[str, ...]:
    """Words behind ``headroom`` that give the study again; none for a scenario from Python."""
    read = result.scenario.provenance
    if not read.files:
        return ()
    name = (bundled_name(read.paths[0]) if read.paths else None) or read.files[0][0]
    return ("plan", name, "--award", *(each for each in options if each))


def award(
    scenario: Scenario | str | os.PathLike[str],
    *,
    full: bool = False,
    progress: Callable[[str], None] = lambda _: None,
) -> AwardStudy:
    """Award the lots of a tender by ``[scheme]``, at the quoted quantities.

    Parameters
    ----------
    scenario
        A scenario with lots, packages and a scheme, or its path.
    full
        Whether the score of the procurement model is compared with that of the best plan.
    progress
        Called with the name of each part when it begins.

    Returns
    -------
    AwardStudy
        ``award`` has points and ranks of every lot, ``withdrawals`` and ``ranges`` say how firm
        they are, and ``debrief(vendor)`` gives the letter to a vendor.

    Raises
    ------
    PlanError
        A package lacks what the scheme judges, or a formula has no result.
    ScenarioError
        The scenario cannot be read.
    """
    if not isinstance(scenario, Scenario):
        scenario = load(scenario)
    progress("points")
    tender = tender_of(scenario)
    given = awarded(tender)
    progress("withdrawals")
    without = withdrawals(tender, given)
    ranges = weight_ranges(given)
    progress("figures as delivered")
    less = deliveries(tender, given)
    progress("successors")
    result = AwardStudy(
        tender,
        given,
        without,
        ranges,
        award_purchase(tender, given),
        successions(tender, given),
        vendor_withdrawals(tender, given),
        deliveries=less,
    )
    return replace(result, model=_model_scores(result, progress)) if full else result


def _model_scores(result: AwardResult, progress: Callable[[str], None]) -> ModelScores:
    """The award's score in the procurement model, and that of the best plan."""
    from planner.award.model_score import joint_score
    from planner.procurement.outcome import GAP, Options
    from planner.procurement.procure import procure

    won = {decision.winner for decision in result.award.decisions} - {None}
    packages = [each for each in result.scenario.packages if each.name in won]
    score = joint_score(result.scenario, packages)
    best = procure(result.scenario, Options("highs", GAP, 0, None, "engine"), progress=progress)
    return ModelScores(score, None if best.plan is None else best.plan.score)
