"""Scheduling policies, one file each, behind ``planner.scheduling.policies.problem.Policy``.

The compiled loops use four modules: `running` (jobs by their ends), `job_queue` (the queue in
blocks), `plan` (free processors as steps over time) and `lookahead`. The last is a loop for any
order of the queue, any number of reservations, and outages.
"""
