"""What is given: scenario models, readers, bundled examples. True before anybody decides."""

from scenarios.catalogue import load, names, schema
from scenarios.faults import Fault, ScenarioError
from scenarios.model.scenario import Scenario

__all__ = ["Fault", "Scenario", "ScenarioError", "load", "names", "schema"]
