"""The rank file of ``headroom aggregate``: the chosen groups on their cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

from planner.errors import InputError

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
    from planner.placement.launching import launch
    from planner.placement.rank_files import write_rank_file

    layout = ranks(study, hosts or None)
    try:
        write_rank_file(path, form, layout)
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror}); give another file"
        raise InputError(message) from None
    how = launch(form, layout, path)
    words = [f"Rank file: {path}"]
    if how.command:
        words.append(f"Start with: {how.command} PROGRAM")
    return (*words, *(f"Note: {each}" for each in how.remarks))
