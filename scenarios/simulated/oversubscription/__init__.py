"""Two jobs on the same cores: the hidden law of oversubscription, and campaigns that measure it.

Who predicts or decides sees campaigns only; the law is for scoring.
"""

from scenarios.simulated.oversubscription.campaign import measured_co_runs
from scenarios.simulated.oversubscription.fitted import NUMBERS, SYSTEMS
from scenarios.simulated.oversubscription.machine import find_system

__all__ = ["NUMBERS", "SYSTEMS", "find_system", "measured_co_runs"]
