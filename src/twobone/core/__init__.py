"""Points in, points out: the formula and the solver."""
