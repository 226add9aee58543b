"""`python -m twobone`, which imports the package, and with it NumPy, before `__main__`."""

import sys


def is_command():
    """Return whether this process is `python -m twobone` and Python is looking for its module."""
    if getattr(sys, "argv", [])[:1] != ["-m"]:  # what stands there until the module is found
        return False
    module = sys.orig_argv[-len(sys.argv)]  # "twobone", or with its flag, "-mtwobone"
    return module == "twobone" or (module.startswith("-") and module.endswith("mtwobone"))


if is_command():
    import twobone_command

    twobone_command.begin()
