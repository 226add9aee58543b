"""Parameters whose tests are slow: a plain run skips them, `pytest --skipped` runs them.

Those that are nightly run with `pytest --nightly` alone.
"""

import pytest


def slow(*values, mark=pytest.mark.slow):
    """Return values of one parameter, or tuples of several, marked as slow."""
    each = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*value, marks=mark) for value in each]


def nightly(*values):
    """Return values of one parameter, or tuples of several, that only the night has time for."""
    return slow(*values, mark=pytest.mark.nightly)


def all_but(values, *quick):
    """Return the quick values as they are, then the others marked as slow."""
    return [*quick, *slow(*(value for value in values if value not in quick))]
