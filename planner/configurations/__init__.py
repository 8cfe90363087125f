"""Configurations under a power bound: how many nodes, cores of each, and which package cap."""
