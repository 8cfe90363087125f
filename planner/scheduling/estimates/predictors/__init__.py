"""Predictors of run times, one per module, which learn only from jobs that have ended."""
