"""The child process in which every solver runs, and the parent's side of it.

Here belongs what starts, asks, limits and ends that process: a solver that crashes or hangs takes
nothing else with it.
"""
