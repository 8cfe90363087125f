"""Trace-driven sizing: the smallest machine that keeps a service level for a log that grows."""
