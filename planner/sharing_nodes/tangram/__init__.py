"""Tangram: a classifier decides from solo counters whether two jobs share cores, and its scores.

Belongs here: profiles, gates, splits, scores and the study. Does not belong here: how cores make
jobs slower, which no gate sees.
"""
