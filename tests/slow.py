"""Parameters whose tests are slow: a plain run skips them, `pytest --skipped` runs them."""

import pytest


def slow(*values):
    """Return values of one parameter, or tuples of several, marked as slow."""
    each = (value if isinstance(value, tuple) else (value,) for value in values)
    return [pytest.param(*value, marks=pytest.mark.slow) for value in each]


def all_but(values, *quick):
    """Return the quick values as they are, then the others marked as slow."""
    return [*quick, *slow(*(value for value in values if value not in quick))]
