"""What was assumed about growth."""

from __future__ import annotations

from planner.scheduling.sizing.study import SizingStudy
from planner.scheduling.sizing.wording import factor, how_grown
from reports.blocks import Drawn, Page, bullets, figures
from reports.sizing.figures import weeks


def page(study: SizingStudy, drawn: Drawn) -> Page:
    """The growth asked and reached, how, and the work by week."""
    source = "The work submitted in a week over its length, whenever it is done."
    if study.asked.growth.factor == 1:
        answer = "Nothing: the log is played as it is."
    else:
        answer = f"The work grows {factor(study.grown.reached)} times by {study.asked.growth.by}."
    told = f" {weeks.finding(study)}." if study.periods is not None else ""
    blocks = (bullets(how_grown(study)), *figures(drawn, "weeks", source))
    return Page("What was assumed about growth?", f"{answer}{told}", blocks)
