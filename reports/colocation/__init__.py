"""The report of ``headroom colocate``: pairs and their heat map, policies and the frontier."""

from __future__ import annotations

from dataclasses import replace

from planner.sharing_nodes.pairs.study import ColocationStudy
from reports.colocation import heat_map, policies
from reports.colocation.document import document
from reports.standard import standard_report
from reports.style import Picture


def pictures(study: ColocationStudy) -> list[Picture]:
    """Every figure that the study has data for: none where all jobs run alone."""
    if not study.plan.pairs:
        return []
    return [*heat_map.pictures(study), *policies.pictures(study)]


REPORT = replace(standard_report(pictures), document=document)
