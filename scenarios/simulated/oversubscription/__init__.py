"""Two jobs on the same cores: the hidden law of oversubscription, and campaigns that measure it.

Predictors and policies see only the campaigns; the law is used for scoring.
"""

from scenarios.simulated.oversubscription.applications import SIX, OversubscribedApplication
from scenarios.simulated.oversubscription.campaign import measured_co_runs
from scenarios.simulated.oversubscription.fitted import SYSTEMS, numbers_of, under
from scenarios.simulated.oversubscription.machine import LAWS, OversubscribedSystem, find_system
from scenarios.simulated.oversubscription.synthetic import synthetic_applications

__all__ = [
    "LAWS",
    "SIX",
    "SYSTEMS",
    "OversubscribedApplication",
    "OversubscribedSystem",
    "find_system",
    "measured_co_runs",
    "numbers_of",
    "synthetic_applications",
    "under",
]
