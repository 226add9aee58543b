"""Numbers and arrays: the formula, policies and the solver for two bones."""
