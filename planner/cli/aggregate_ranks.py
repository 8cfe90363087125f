"""The rank file of ``headroom aggregate``: the chosen groups on their cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.cli.rank_files import rank_file_written

if TYPE_CHECKING:
    from planner.aggregation.aggregate import AggregationStudy
    from planner.placement.rank_files import FileForm


def write_ranks(
    study: AggregationStudy, path: str, form: FileForm, hosts: tuple[str, ...]
) -> tuple[str, ...]:
    """Write the file; what it is and how to start a program with it.

    Raises
    ------
    InputError
        It cannot be written, or the hosts are not one for each node.
    """
    from planner.aggregation.seats import ranks

    return rank_file_written(ranks(study, hosts or None), path, form)
