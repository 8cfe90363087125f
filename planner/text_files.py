"""Write text files of the user's choice: all of them, or none."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from planner.errors import InputError
from scenarios.writing import write_all


def write_texts(texts: Mapping[Path, str], remedy: str) -> None:
    """Write files: all, or none.

    Parameters
    ----------
    remedy
        What to do where a file cannot be written.

    Raises
    ------
    InputError
        A file exists with other content, or cannot be written.
    """
    try:
        write_all({path: text.encode() for path, text in texts.items()})
    except OSError as error:
        raise InputError(
            f"{error.filename} cannot be written ({error.strerror}); {remedy}"
        ) from None
