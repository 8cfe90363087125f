"""Configuration of a Maui-like scheduler: settings, their names in Maui, and the reader.

This package defines the content of ``maui.toml``. How a scheduler decides with these settings is in
``planner.scheduling``.
"""
