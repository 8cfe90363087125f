"""Run time and power of configurations that were not measured, and which to measure next."""
