"""Estimators of normalised performance, one per module, behind one Protocol.

Belongs here: what turns samples of one job into an estimate with an interval. Does not belong
here: prices, the measuring loop, and any hidden run time.
"""
