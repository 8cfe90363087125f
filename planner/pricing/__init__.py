"""Fair prices for jobs that share a node (POPPA): measuring, estimates, prices and accounts.

Here: the shutter, the log of its measurements, what a job is charged, and who pays.
Not here: the hidden law of a simulated node (``scenarios.simulated``), and who shares with whom.
"""
