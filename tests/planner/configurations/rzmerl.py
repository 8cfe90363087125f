"""The thesis's raw measurements, where they are at hand."""

from __future__ import annotations

import csv
from collections import defaultdict
from functools import cache

import numpy as np

from scenarios.measurements.runs import Runs
from tests.shared_data import RZMERL


@cache
def rzmerl(application: str) -> Runs:
    """Read without the reader under test."""
    columns: dict[str, list[float]] = defaultdict(list)
    with RZMERL.open(newline="") as stream:
        for row in csv.DictReader(stream):
            if row.pop("application") == application:
                for name, value in row.items():
                    columns[name].append(float(value))
    arrays = {name: np.array(values) for name, values in columns.items()}
    return Runs(
        application,
        arrays["nodes"].astype(np.int64),
        arrays["cores_per_node"].astype(np.int64),
        arrays["package_cap_w"],
        arrays["repetition"].astype(np.int64),
        arrays["time_s"],
        arrays["package_power_w"],
        arrays["dram_power_w"],
    )
