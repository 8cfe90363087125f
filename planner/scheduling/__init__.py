"""When each job runs: policies, the simulator, and the studies that are made with them.

Here: policies, simulation with its checkers, run-time estimates, sizing.
Not here: job logs (``scenarios.job_logs``), and where ranks go (``planner.placement``).
"""
