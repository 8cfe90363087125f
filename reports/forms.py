"""Which report a study gets: the one place that tells the kinds of study apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from planner.aggregation.aggregate import AggregationStudy
from planner.configurations.sharing.study import SharingStudy
from planner.configurations.study import ConfigurationStudy
from planner.placement.bundle import bundle
from planner.placement.study import PlacementStudy
from planner.procurement.study import ProcurementStudy
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.sizing.study import SizingStudy
from reports import (
    aggregation,
    configuration,
    document,
    estimates,
    figures,
    pages,
    placement,
    sharing,
    simulation,
    sizing,
)
from reports.aggregation.figures import pictures as aggregation_pictures
from reports.configuration.figures import pictures as configuration_pictures
from reports.estimates.figures import pictures as estimate_pictures
from reports.figures.style import Picture
from reports.output_names import Stem
from reports.pages import appendix
from reports.placement.figures import pictures as placement_pictures
from reports.sharing.figures import pictures as sharing_pictures
from reports.simulation.figures import pictures as simulation_pictures
from reports.sizing.figures import pictures as sizing_pictures
from reports.typeset import typeset
from reports.workbook import AnyStudy


def stem(study: AnyStudy) -> Stem:
    """Name of the workbook and of the data file, without ending."""
    if isinstance(study, SharingStudy):
        return "share"
    if isinstance(study, SimulationStudy):
        return "simulate"
    if isinstance(study, SizingStudy):
        return "size"
    if isinstance(study, EstimateStudy):
        return "estimate"
    if isinstance(study, PlacementStudy):
        return "place"
    if isinstance(study, AggregationStudy):
        return "aggregate"
    return "configure" if isinstance(study, ConfigurationStudy) else "plan"


def pictures(study: AnyStudy) -> list[Picture]:
    """Every picture that the study has data for."""
    if isinstance(study, ConfigurationStudy):
        return configuration_pictures(study)
    if isinstance(study, SharingStudy):
        return sharing_pictures(study)
    if isinstance(study, SimulationStudy):
        return simulation_pictures(study)
    if isinstance(study, SizingStudy):
        return sizing_pictures(study)
    if isinstance(study, EstimateStudy):
        return estimate_pictures(study)
    if isinstance(study, PlacementStudy):
        return placement_pictures(study)
    if isinstance(study, AggregationStudy):
        return aggregation_pictures(study)
    return figures.pictures(study)


def report(study: AnyStudy, pictures: Sequence[Picture]) -> bytes:
    """The report as PDF."""
    files = {f"{picture.name}.svg": picture.svg for picture in pictures}
    if isinstance(study, ConfigurationStudy):
        return typeset("configuration.typ", configuration.document(study, pictures), files)
    if isinstance(study, SharingStudy):
        return typeset("sharing.typ", sharing.document(study, pictures), files)
    if isinstance(study, SimulationStudy):
        return typeset("simulation.typ", simulation.document(study, pictures), files)
    if isinstance(study, SizingStudy):
        return typeset("sizing.typ", sizing.document(study, pictures), files)
    if isinstance(study, EstimateStudy):
        return typeset("estimates.typ", estimates.document(study, pictures), files)
    if isinstance(study, AggregationStudy | PlacementStudy):
        return _of_tasks(study, pictures, files)
    if isinstance(study, ProcurementStudy):
        return typeset("procurement.typ", pages.document(study, pictures), files)
    return document.report(study, pictures)


def beside(study: AnyStudy) -> dict[str, bytes]:
    """Further files by their paths: of a placement the rank files."""
    return bundle(study.layout) if isinstance(study, PlacementStudy) else {}


def _of_tasks(
    study: AggregationStudy | PlacementStudy, pictures: Sequence[Picture], files: dict[str, bytes]
) -> bytes:
    """How many tasks share a node, or which."""
    if isinstance(study, AggregationStudy):
        return typeset("aggregation.typ", aggregation.document(study, pictures), files)
    return typeset("placement.typ", placement.document(study, pictures), files)


def solves(study: AnyStudy) -> list[dict[str, Any]]:
    """Times of every certified solve, or of every simulation."""
    if isinstance(study, AggregationStudy | ConfigurationStudy | EstimateStudy | SizingStudy):
        return []  # an enumeration solves nothing, and a sweep may go on from earlier cases
    if isinstance(study, ProcurementStudy):
        return appendix.solves(study)
    if isinstance(study, PlacementStudy):
        return [
            {"algorithm": each.name, "seconds": each.seconds, "stopped_by_time": each.late}
            for each in study.tried
        ]
    if isinstance(study, SharingStudy):
        return [
            {"question": what, "wall_s": each.wall_s, "cpu_s": each.cpu_s}
            for what, each in study.certificates.items()
        ]
    if isinstance(study, SimulationStudy):
        return [
            {"policy": each.schedule.policy, "simulation_seconds": each.seconds}
            for each in study.simulations
        ]
    return [
        {
            "application": check.application,
            "design": check.design,
            "wall_s": check.certificate.wall_s,
            "cpu_s": check.certificate.cpu_s,
        }
        for check in study.designs
    ]
