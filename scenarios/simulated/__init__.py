"""A simulated cluster with a hidden law for time and power, and campaigns that measure it.

Predictors and policies see only the campaigns; the law itself is used for scoring.
"""

from scenarios.simulated.applications import (
    NAMES,
    REAL,
    Application,
    find_application,
    load_applications,
)
from scenarios.simulated.campaign import calibration, campaign
from scenarios.simulated.cluster import SimulatedCluster
from scenarios.simulated.configurations import grid
from scenarios.simulated.export import measurements_text
from scenarios.simulated.law import NoiseFreeRuns, truth
from scenarios.simulated.per_node import PerNode, per_node

__all__ = [
    "NAMES",
    "REAL",
    "Application",
    "NoiseFreeRuns",
    "PerNode",
    "SimulatedCluster",
    "calibration",
    "campaign",
    "find_application",
    "grid",
    "load_applications",
    "per_node",
    "truth",
    "measurements_text",
]
