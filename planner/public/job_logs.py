"""Job logs: how they are cleaned, given time limits and written."""

from scenarios.job_logs.anonymous import anonymous
from scenarios.job_logs.cleaning import Cleaning
from scenarios.job_logs.job_log import JobLog
from scenarios.job_logs.time_limits import with_limits
from scenarios.job_logs.write_swf import write_swf

__all__ = ["Cleaning", "JobLog", "anonymous", "with_limits", "write_swf"]
