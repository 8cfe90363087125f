"""How the estimators of pricing were chosen on synthetic applications, and scored on the twelve."""
