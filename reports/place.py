"""Whether results can be written to a folder: asked before hours of solving, not after."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path

_FILES = (
    "report.pdf", "plan.json", "plan.xlsx", "configure.json", "configure.xlsx", "share.json",
    "share.xlsx", "simulate.json", "simulate.xlsx", "place.json", "place.xlsx", "aggregate.json",
    "aggregate.xlsx", "run.json",
)  # fmt: skip


def refuse_unwritable(folder: str | os.PathLike[str]) -> None:
    """Write and remove a file there; folders that this took are removed again.

    Raises
    ------
    OSError
        The folder cannot be made, nothing can be written into it, or something stands in the
        place of a result. Its file name is the folder or that thing.
    """
    target = Path(folder)
    made: list[Path] = []
    try:
        made = [each for each in (target, *target.parents) if not each.exists()]
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=target) as stream:
            stream.write(b"headroom")
    except OSError as error:
        reason = "is no folder" if isinstance(error, FileExistsError) else error.strerror
        raise OSError(error.errno, reason, str(target)) from error
    finally:
        for each in made:
            with suppress(OSError):
                each.rmdir()
    for path in (target / name for name in _FILES):
        if path.is_dir():
            raise OSError(0, "is a folder, in the place of a result", str(path))
    for name, words in (("figures", "the figures"), ("rank-files", "the rank files")):
        if (target / name).exists() and not (target / name).is_dir():
            raise OSError(0, f"is a file, in the place of {words}", str(target / name))
