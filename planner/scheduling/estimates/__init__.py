"""Run-time estimates: bounded-error oracles, and how simulated schedules meet recorded ones."""
