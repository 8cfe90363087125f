"""Timed comparisons: what is measured, against what, as ratios within one run."""
