"""What to buy from whom under a power bound: the model, its solution, and what follows from it."""
