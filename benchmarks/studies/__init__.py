"""Calibration and validation that no command needs: not part of the installed packages.

Here: studies behind the documentation, each with its test in ``tests/studies``.
Not here: comparisons of speed (one folder up), and whatever a command reaches.
"""
