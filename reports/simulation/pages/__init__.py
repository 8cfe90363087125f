"""Pages of the report on a simulation, one question each, in the order of the report."""
