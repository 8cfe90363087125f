"""Run times of two jobs that share a node: measured pairs, from files.

This package has the readers of pair tables and their data. It does not decide which jobs share.
"""
