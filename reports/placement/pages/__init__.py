"""Pages of the report on a placement, one question each, in the order of the report."""
