"""How many MPI tasks to put on a node: patterns, predictions, and the choice among them."""
