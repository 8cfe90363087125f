"""Measured runs, and how much repeated runs vary."""

from scenarios.measurements.runs import Measurements, Runs
from scenarios.measurements.spread import RepetitionSpread, spread

__all__ = ["Measurements", "RepetitionSpread", "Runs", "spread"]
