"""The reference formulation of every instance as files, for solvers outside Headroom."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from planner.comparison.method import Instance
from planner.errors import InputError, PlanError
from planner.formulations.model_files import NAMES, model_texts, write_texts


def write_models(folder: Path, instances: Sequence[Instance]) -> tuple[Path, ...]:
    """Write every instance as LP and as MPS, with a table of what its indices stand for.

    No file with other content is replaced. The files of an instance are called as it is; every
    model is built before the first file is written.

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
    texts: dict[Path, str] = {}
    for instance in instances:
        if instance.model is None:
            raise PlanError(f"{instance.name} has no reference formulation to write")
        stem = _stem(instance.name)
        if folder / f"{stem}{NAMES}" in texts:
            raise InputError(f"two instances would be written as {stem}; rename one of them")
        written = model_texts(instance.model)
        texts |= {folder / f"{stem}{ending}": text for ending, text in written.items()}
    remedy = "give another folder for the models"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"models cannot be written to {folder} ({error.strerror}); give another folder"
        raise InputError(message) from None
    write_texts(texts, remedy)
    return tuple(texts)


def _stem(name: str) -> str:
    characters = "".join(c if c.isalnum() or c in ".-_" else "-" for c in name)
    return "-".join(part for part in characters.split("-") if part)[:80] or "model"
