"""Calibration of the simulated cluster, and its check against the printed numbers."""
