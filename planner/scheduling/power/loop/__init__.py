"""The compiled loop of power-aware policies.

Here belongs what numba compiles, and what it works on. Python policies that react to events
belong to ``events``.
"""
