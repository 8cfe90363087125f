"""A simulated node that several jobs share: the hidden law of interference, and its counters.

Who estimates or prices sees the counters only; the law and `truth` are for scoring.
"""
