"""Print a subset of Python as JavaScript and C++; CONTRIBUTING.md lists the subset.

`source.py` reads modules, `checking.py` infers the type of every expression and refuses what is
outside the subset, `ownership.py` finds what functions change and through which names,
`printing.py` holds what the targets share, `javascript.py` and `cpp.py` print.
"""
