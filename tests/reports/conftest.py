"""Answered requests for proposals, once for all tests."""

from __future__ import annotations

import pytest

from planner.procurement.study import ProcurementStudy
from reports.figures import pictures
from reports.style import Picture
from tests.reports.procurements import HOSTILE, answered, document, with_long_answers


@pytest.fixture(scope="session")
def short() -> ProcurementStudy:
    return answered(document())


@pytest.fixture(scope="session")
def full(short: ProcurementStudy) -> ProcurementStudy:
    return with_long_answers(short)


@pytest.fixture(scope="session")
def hostile() -> ProcurementStudy:
    """Forty node types whose names are markup, formulas, endless words or Japanese."""
    return with_long_answers(answered(document(HOSTILE, types=40)))


@pytest.fixture(scope="session")
def drawn(
    short: ProcurementStudy,
    full: ProcurementStudy,
    hostile: ProcurementStudy,
    planless: ProcurementStudy,
) -> dict[str, list[Picture]]:
    """Pictures of each study."""
    studies = {"short": short, "full": full, "hostile": hostile, "planless": planless}
    return {name: pictures(study.study) for name, study in studies.items()}


@pytest.fixture(scope="session")
def planless() -> ProcurementStudy:
    given = document(requirements={"nodes": 20})
    given["power"]["bound_w"] = 2_000
    return answered(given)
