"""Run-time estimates replayed literally, and sweeps started warm."""
