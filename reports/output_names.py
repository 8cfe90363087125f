"""The names of all files that a report consists of: one list for checking, writing and clearing."""

from __future__ import annotations

import re
from typing import Literal, get_args

from planner.placement.bundle import FOLDER as RANK_FILES
from planner.placement.bundle import NAMES as OF_RANKS
from planner.placement.launching import BINDING

Stem = Literal["plan", "configure", "share", "simulate", "size", "estimate", "place", "aggregate"]
STEMS: tuple[Stem, ...] = get_args(Stem)
"""What the workbook and the data file of each kind of study are called, without ending."""

RUN_FILE = "run.json"
LIST_FILE = ".headroom-files.json"
"""It lists what is ours while :data:`RUN_FILE` is away."""

FIGURES = "figures"
_FIGURE = re.compile(r"\d+-[^/]+\.(png|svg)")
_ANY = re.compile(
    rf"report\.pdf|({'|'.join(STEMS)})\.(json|xlsx)"
    rf"|{FIGURES}/[^/]+\.(png|svg)|{RANK_FILES}/([^/]+\.(txt|csv|json)|{re.escape(BINDING)})"
)


def certain(stem: Stem) -> tuple[str, ...]:
    """Files that a report of this kind has, whatever was found; figures depend on that."""
    ranks = tuple(f"{RANK_FILES}/{name}" for name in OF_RANKS) if stem == "place" else ()
    return ("report.pdf", f"{stem}.xlsx", f"{stem}.json", *ranks)


def folders(stem: Stem) -> tuple[str, ...]:
    """Folders that a report of this kind has."""
    return (FIGURES, RANK_FILES) if stem == "place" else (FIGURES,)


def is_figure(name: str) -> bool:
    """Whether a file in the folder of figures is called as one of ours."""
    return _FIGURE.fullmatch(name) is not None


def can_be_ours(name: str) -> bool:
    """Whether any report can have a file of this name."""
    return _ANY.fullmatch(name) is not None
