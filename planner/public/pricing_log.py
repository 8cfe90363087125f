"""The pricing log: measurements of shared nodes, accounts, prices, replay, the live program."""

from planner.pricing.accounts.jobs import NewJob, end_lost
from planner.pricing.accounts.ledger import balance, credit, open_account
from planner.pricing.accounts.log import MeasurementLog, raw_bytes
from planner.pricing.accounts.policies import POLICIES, sampled
from planner.pricing.accounts.pricer import settle
from planner.pricing.accounts.schema import LogSettings, create, opened
from planner.pricing.accounts.sums import NOBODY, OTHER, OWN, JobSample
from planner.pricing.accounts.units import HOUR_US, SU, su_text
from planner.pricing.live.run import LiveJob, LiveResult, LiveSettings, run_live
from planner.pricing.overhead import Shutter
from planner.pricing.replay import ReplayResult, replay

__all__ = [
    "HOUR_US",
    "NOBODY",
    "OTHER",
    "OWN",
    "POLICIES",
    "SU",
    "JobSample",
    "LiveJob",
    "LiveResult",
    "LiveSettings",
    "LogSettings",
    "MeasurementLog",
    "NewJob",
    "ReplayResult",
    "Shutter",
    "balance",
    "create",
    "credit",
    "end_lost",
    "open_account",
    "opened",
    "raw_bytes",
    "replay",
    "run_live",
    "sampled",
    "settle",
    "su_text",
]
