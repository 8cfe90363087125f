"""The published cost of a placement against the true one."""
