"""Proposals of mappings: layouts drawn at random, layouts written by hand, and the writer."""
