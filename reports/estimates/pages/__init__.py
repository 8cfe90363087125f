"""Pages of the report on a study of estimates, one question each, in the order of the report."""
