"""The configuration of a Maui-like scheduler: its settings, their names in Maui, and their reader.

Here belongs what ``maui.toml`` may say. How a scheduler with these settings decides lies in
``planner.scheduling``.
"""
