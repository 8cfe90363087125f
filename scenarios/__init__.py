"""Input: the scenario format, readers of files, and bundled examples. Nothing is decided here."""

from scenarios.catalogue import load, names, schema
from scenarios.faults import Fault, ScenarioError
from scenarios.model.scenario import Scenario
from scenarios.reading.replaced import with_values

__all__ = ["Fault", "Scenario", "ScenarioError", "load", "names", "schema", "with_values"]
