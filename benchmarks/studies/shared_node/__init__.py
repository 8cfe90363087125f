"""Calibration of the shared node's law, and what measuring costs on it."""
