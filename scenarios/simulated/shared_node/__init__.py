"""A simulated node shared by several jobs: the hidden law of interference, and its counters.

Estimators and prices see only the counters; the law and `truth` are used for scoring.
"""

from scenarios.simulated.shared_node.applications import (
    NULL,
    TWELVE,
    ApplicationPhase,
    SharedApplication,
    find_shared_application,
)
from scenarios.simulated.shared_node.fitted import NUMBERS
from scenarios.simulated.shared_node.law import CacheAndBandwidth
from scenarios.simulated.shared_node.play import ShutterSchedule, ShutterWindows, play
from scenarios.simulated.shared_node.second_law import SensitivityAndPressure
from scenarios.simulated.shared_node.settings import NodeSettings
from scenarios.simulated.shared_node.synthetic import synthetic_applications
from scenarios.simulated.shared_node.truth import (
    SharedNodeTruth,
    degradation_matrix,
    speed_on_all_cores,
    truth,
)

__all__ = [
    "NULL",
    "NUMBERS",
    "TWELVE",
    "ApplicationPhase",
    "CacheAndBandwidth",
    "NodeSettings",
    "SensitivityAndPressure",
    "SharedApplication",
    "SharedNodeTruth",
    "ShutterSchedule",
    "ShutterWindows",
    "degradation_matrix",
    "find_shared_application",
    "play",
    "speed_on_all_cores",
    "synthetic_applications",
    "truth",
]
