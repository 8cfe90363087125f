"""The independent checker of power-aware schedules.

Here belongs what recomputes nodes, watts and times of a schedule by itself. It shares no code
with any policy or engine.
"""
