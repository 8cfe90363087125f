"""What documents show, as tests compare it; tables of runs as files."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_COLUMNS = (
    "application", "nodes", "cores_per_node", "package_cap_w", "repetition", "time_s",
    "package_power_w",
)  # fmt: skip


def texts(value: Any) -> str:
    """Everything in one text, without the places where words may be broken."""
    return _whole(json.dumps(value, ensure_ascii=False))


def tables(page: dict[str, Any]) -> list[list[list[str]]]:
    """Rows of every table of a page that was given as plain values."""
    blocks = [block for block in page["blocks"] if block["kind"] == "table"]
    return [[[_whole(cell) for cell in row] for row in b["table"]["rows"]] for b in blocks]


def _whole(text: str) -> str:
    return text.replace("\u200b", "").replace("\u00ad", "")


def write_twice(path: Path, rows: Iterable[tuple[str, int, int, float, float, float]]) -> None:
    """Write application, nodes, cores, cap, time and power; the first of two runs is faster."""
    with path.open("w", newline="", encoding="utf-8") as stream:
        lines = csv.writer(stream)
        lines.writerow(_COLUMNS)
        for name, n, c, cap, t, w in rows:
            lines.writerows([name, n, c, cap, k, t * (0.9 + 0.1 * k), w] for k in (1, 2))
