"""Scheduling policies, one file each, behind ``planner.scheduling.policies.problem.Policy``.

The compiled loops stand on four pieces: `running` (jobs by their ends), `job_queue` (the queue in
blocks), `plan` (free processors as steps over time) and `lookahead` (a loop for any order of the
queue, number of reservations and outages).
"""
