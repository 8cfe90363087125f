"""Matchings of greatest weight with their certificates, and partitions into small groups.

Belongs here: pairs and groups of vertices, dual values, odd sets, checks. Does not belong here:
what the vertices and weights stand for.
"""
