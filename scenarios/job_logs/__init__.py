"""Job logs: what users submitted to a machine, read from files or drawn from a model."""
