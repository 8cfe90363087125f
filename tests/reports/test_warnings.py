"""Every warning of a study is somewhere in its report, however many there are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from planner.formatting import unmarked
from planner.procurement.study import ProcurementStudy
from planner.worded_study import Study
from reports.registered import report_of
from reports.view import MOST_RISKS, view
from scenarios.model.scenario import Provenance
from tests.reports.shown import texts
from tests.reports.test_simulation_report import FOUR, log_of, played

MADE: dict[str, Callable[[], Study]] = {
    "simulation": lambda: played(log_of(FOUR), "easy"),
}
COUNTS = (1, 3, 4, 5, 6, 7, 40)


def _listed(study: Study, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    messages = tuple(f"remark number {index} of the input." for index in range(count))
    monkeypatch.setattr(type(study), "warnings", property(lambda _: messages))
    words = texts(report_of(study).document(study, []))
    missing = [message for message in messages if message not in words]
    assert not missing or (count == max(COUNTS) and f"{len(missing)} more are in" in words)


@pytest.mark.parametrize("kind", MADE)
def test_every_warning_is_in_the_report(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    study = MADE[kind]()
    for count in COUNTS:
        _listed(study, count, monkeypatch)


@pytest.mark.parametrize("count", COUNTS)
def test_remarks_on_a_scenario_are_in_the_report(count: int, short: ProcurementStudy) -> None:
    remarks = tuple(f"remark number {index} of the input" for index in range(count))
    scenario = short.scenario.with_provenance(Provenance(warnings=remarks))
    shown = view(replace(short, scenario=scenario).study)
    further = [text for part in shown.parts for text in part.texts]
    for remark in remarks:
        assert any(remark in unmarked(text) for text in (*shown.first_risks, *further)), remark
    assert len(shown.first_risks) <= MOST_RISKS
