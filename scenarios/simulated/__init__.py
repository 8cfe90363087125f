"""A simulated cluster with a hidden law for time and power, and campaigns that measure it.

Who predicts or decides sees campaigns only; the law itself is for scoring.
"""

from scenarios.simulated.applications import (
    NAMES,
    REAL,
    Application,
    find_application,
    load_applications,
)
from scenarios.simulated.campaign import campaign
from scenarios.simulated.cluster import SimulatedCluster
from scenarios.simulated.export import write_job_details, write_measurements
from scenarios.simulated.law import SocketTimes, Truth, socket_times, truth
from scenarios.simulated.readings import grid

__all__ = [
    "NAMES",
    "REAL",
    "Application",
    "SimulatedCluster",
    "SocketTimes",
    "Truth",
    "campaign",
    "find_application",
    "grid",
    "load_applications",
    "socket_times",
    "truth",
    "write_job_details",
    "write_measurements",
]
