"""Early start-up of `python -m twobone`, which imports the package before `__main__` runs.

Ctrl-C must be handled before NumPy is imported, because that import takes long enough to be
interrupted.
"""

import sys


def is_command():
    """Return whether Python is importing this package in order to run `python -m twobone`."""
    if getattr(sys, "argv", [])[:1] != ["-m"]:  # `sys.argv[0]` until the module is found
        return False
    module = sys.orig_argv[-len(sys.argv)]  # "twobone", or "-mtwobone" without a space
    return module == "twobone" or (module.startswith("-") and module.endswith("mtwobone"))


if is_command():
    import twobone_command

    twobone_command.begin()
