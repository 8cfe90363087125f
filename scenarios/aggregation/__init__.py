"""What is measured of a program and its node, to choose how many tasks share a node."""

from scenarios.aggregation.measurements import (
    ExchangeTime,
    MessageTime,
    NodeMeasurements,
    TrainingRun,
)
from scenarios.aggregation.reader import read_measurements
from scenarios.aggregation.writer import write_measurements

__all__ = [
    "ExchangeTime",
    "MessageTime",
    "NodeMeasurements",
    "TrainingRun",
    "read_measurements",
    "write_measurements",
]
