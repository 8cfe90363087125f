"""What the functions of ``headroom`` return, one class per question."""

from planner.aggregation.aggregate import AggregationStudy
from planner.aggregation.result import AggregationSettings
from planner.answer import Answer
from planner.award.study import AwardStudy, DebriefStudy
from planner.comparison.study import ComparisonStudy
from planner.configurations.sharing.study import SharingStudy
from planner.configurations.study import ConfigurationStudy
from planner.designs.study import DesignStudy
from planner.differences.study import DifferenceStudy
from planner.placement.study import PlacementStudy
from planner.pricing.study import PriceStudy
from planner.procurement.study import ProcurementStudy
from planner.scheduling.estimates.settings import EstimateSettings
from planner.scheduling.estimates.study import EstimateStudy
from planner.scheduling.power.study import ScheduleStudy
from planner.scheduling.simulation.replications import ReplicationStudy
from planner.scheduling.simulation.study import SimulationStudy
from planner.scheduling.sizing.study import SizingStudy
from planner.sharing_nodes.gate.study import GateStudy
from planner.sharing_nodes.pairs.study import ColocationStudy
from planner.sharing_nodes.queue_bills.study import QueuePriceStudy
from planner.sharing_nodes.queue_gains.study import QueueStudy
from planner.sharing_nodes.tangram.study import TangramStudy

__all__ = [
    "AggregationSettings",
    "AggregationStudy",
    "Answer",
    "AwardStudy",
    "ColocationStudy",
    "ComparisonStudy",
    "ConfigurationStudy",
    "DebriefStudy",
    "DesignStudy",
    "DifferenceStudy",
    "EstimateSettings",
    "EstimateStudy",
    "GateStudy",
    "PlacementStudy",
    "PriceStudy",
    "ProcurementStudy",
    "QueuePriceStudy",
    "QueueStudy",
    "ReplicationStudy",
    "ScheduleStudy",
    "SharingStudy",
    "SimulationStudy",
    "SizingStudy",
    "TangramStudy",
]
