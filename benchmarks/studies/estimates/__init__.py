"""Run-time estimates: learned predictors, printed tables, literal replays, and warm starts."""
