"""The thesis's cost model: few high-end nodes, or more older ones, for the same money and power.

Here: closed forms and their program, break-even, racks, the cost of a core-hour, their study.
Not here: choosing among quotes (``planner.procurement``), or powering a job.
"""
