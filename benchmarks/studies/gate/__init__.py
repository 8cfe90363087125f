"""Does the gate with a guarantee keep what it guarantees? Runs and stored results."""
