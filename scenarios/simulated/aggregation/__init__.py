"""A simulated node whose tasks disturb each other, by laws that no predictor knows.

Who predicts or chooses sees what `observe` measures, with its scatter; `truth` is for scoring.
"""

from scenarios.simulated.aggregation.codes import TEST_CODES, Code, npb_code, training_codes
from scenarios.simulated.aggregation.contention import FAMILIES, HELD_OUT
from scenarios.simulated.aggregation.hardware import Hardware, load_hardware
from scenarios.simulated.aggregation.observe import (
    exchange_s,
    metered_power_w,
    ping_pong_s,
    profile,
    sample,
)
from scenarios.simulated.aggregation.run import SimulatedOutcome, truth

__all__ = [
    "FAMILIES",
    "HELD_OUT",
    "TEST_CODES",
    "Code",
    "Hardware",
    "SimulatedOutcome",
    "exchange_s",
    "load_hardware",
    "metered_power_w",
    "npb_code",
    "ping_pong_s",
    "profile",
    "sample",
    "training_codes",
    "truth",
]
