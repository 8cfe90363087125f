"""The reference formulation of every instance as files, for solvers outside Headroom."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path

from planner.comparison.method import Instance
from planner.errors import InputError, PlanError
from scenarios.files import written_whole
from solvers import from_pulp
from solvers.model_file import ENDINGS, model_file


def write_models(folder: Path, instances: Sequence[Instance]) -> tuple[Path, ...]:
    """Write every instance as LP and as MPS, with a table of what its indices stand for.

    No file is replaced. The files of an instance are called as it is; every model is built before
    the first file is written.

    Parameters
    ----------
    folder
        Made if it is missing.

    Raises
    ------
    InputError
        The folder cannot be written, or has a file of such a name.
    PlanError
        A model is too large for plain algebra.
    """
    texts: dict[str, str] = {}
    for instance in instances:
        if instance.model is None:
            raise PlanError(f"{instance.name} has no reference formulation to write")
        model = from_pulp(instance.model())
        stem = _stem(instance.name)
        if f"{stem}{ENDINGS[0]}" in texts:
            raise InputError(f"two instances would be written as {stem}; give them other names")
        texts |= {f"{stem}{ending}": model_file(model, ending) for ending in ENDINGS}
        texts[f"{stem}.names.csv"] = _names(instance)
    paths = tuple(folder / name for name in texts)
    for path in paths:
        if os.path.lexists(path):
            raise InputError(f"{path} exists; give another folder for the models")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, texts.values(), strict=True):
            with written_whole(path, new=True) as stream:
                stream.write(text.encode())
    except OSError as error:
        message = f"no models can be written into {folder} ({error.strerror}); give another folder"
        raise InputError(message) from None
    return paths


def _stem(name: str) -> str:
    kept = "".join(c if c.isalnum() or c in ".-_" else "-" for c in name)
    return "-".join(part for part in kept.split("-") if part)[:80] or "model"


def _names(instance: Instance) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("index", "number", "meaning"))
    writer.writerows(instance.legend)
    return text.getvalue()
